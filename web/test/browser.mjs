// What the tests in a browser share: Chromium, axe, a count of checks.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let passed = 0;
let failed = 0;
export function check(ok, what) {
  if (ok) passed++;
  else {
    failed++;
    console.log(`FAIL ${what}`);
  }
}

export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });

// axe is put in behind the policy, as an extension would be.
export async function violations(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `${axe};0` });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + n.failureSummary.split("\\n")[1]).join("; "))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return JSON.parse(result.value);
}

// Elements with text below 12 px, as it is seen: drawings may be scaled.
export function tooSmall(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter(
        (e) =>
          [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== "") &&
          !e.closest("script,style,noscript"),
      )
      .filter((e) => {
        const scale = e instanceof SVGGraphicsElement ? (e.getScreenCTM()?.a ?? 1) : 1;
        return scale * Number.parseFloat(getComputedStyle(e).fontSize) < 12;
      })
      .map((e) => e.outerHTML.slice(0, 60)),
  );
}
