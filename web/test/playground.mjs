// The playground in a real browser: node web/test/playground.mjs build/web [TEST...]
// Every task of the gallery, typing, stopping, links, dropped files, hostile
// names; no console message, no request to others, no violation that axe knows.
// With SHOTS=folder it leaves pictures.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import { check, finish, launch, tooSmall, violations } from "./browser.mjs";

const site = resolve(process.argv[2] ?? "build/web");
const root = resolve(import.meta.dirname, "../..");
const chosen = process.argv.slice(3);
const shots = process.env.SHOTS;
const patience = 180_000; // milliseconds; a busy machine is slow, not wrong

// As a plain static server does it. /plain/ is a browser that cannot suspend
// WebAssembly; /unpacked/ a server that unpacks what is packed.
function answer(request, response) {
  const [, how, last] = /^(?:\/(plain|unpacked))?\/([^/]*)$/.exec(request.url ?? "") ?? [];
  const name = last === "" ? "index.html" : last;
  if (name === undefined || !existsSync(join(site, name))) return response.writeHead(404).end();
  const types = { html: "text/html", js: "text/javascript", gz: "application/gzip" };
  let bytes = readFileSync(join(site, name));
  if (how === "plain" && name === "worker.js")
    bytes = Buffer.concat([Buffer.from("delete WebAssembly.Suspending;"), bytes]);
  if (how === "unpacked" && name.endsWith(".gz")) bytes = gunzipSync(bytes);
  response.writeHead(200, { "content-type": types[name.split(".").at(-1)] });
  return response.end(bytes);
}

const server = createServer(answer).listen(0, "127.0.0.1");
await new Promise((ok) => server.once("listening", ok));
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await launch();

async function open(address = "", width = 1180, colorScheme = "light") {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    acceptDownloads: true,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const said = [];
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(e.message));
  page.on("request", (r) => {
    if (!r.url().startsWith(base) && !/^(data|blob):/.test(r.url()))
      said.push(`request ${r.url()}`);
  });
  await page.goto(base + address);
  await page.locator("html[data-ready=yes]").waitFor();
  return { page, context, said };
}

async function close({ context, said }, what) {
  check(said.length === 0, `${what}: ${said.join("; ")}`);
  await context.close();
}

const status = (page) => page.locator("#status").textContent();

// Presses a button and waits until the run has ended.
async function press(page, name) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.locator("#report[aria-busy=false]").waitFor({ state: "attached" });
  await page.locator("#status.good, #status.bad").waitFor();
}

async function shoot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

async function type(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}

// ---- the tests ---------------------------------------------------------------------

async function bytesAreFew() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const bodies = [];
  page.on("response", (r) => bodies.push(r.body()));
  await page.goto(base);
  await page.locator("html[data-ready=yes]").waitFor();
  const bytes = (await Promise.all(bodies)).reduce((n, b) => n + b.length, 0);
  check(bytes > 100_000 && bytes < 1_000_000, `the page loads ${bytes} bytes`);
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  );
  console.log(`${bytes} bytes, first paint after ${Math.round(paint)} ms`);
  await context.close();
}

// From the click until it is drawn, by the page's own clock: said, not judged, as
// machines differ.
async function clickToPicture(page) {
  return page.evaluate(
    () =>
      new Promise((ok) => {
        const report = document.getElementById("report");
        const began = performance.now();
        const seen = new MutationObserver(() => {
          if (report.querySelector(".verdict") === null) return;
          seen.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => ok(Math.round(performance.now() - began));
            port2.postMessage(null);
          });
        });
        seen.observe(report, { childList: true });
        document.querySelector(".actions button.first").click();
      }),
  );
}

async function speed() {
  for (const id of ["even-odd", "taxonomy"]) {
    const took = [];
    for (let i = 0; i < 3; i++) {
      const visit = await open(`#gallery=${id}`);
      took.push(await clickToPicture(visit.page));
      await visit.page.locator("#report[aria-busy=false]").waitFor({ state: "attached" });
      check((await visit.page.locator(".verdict.good").count()) === 1, `speed: ${id}`);
      await close(visit, `speed ${id}`);
    }
    console.log(`${id}: drawn ${took.join(", ")} ms after the first click`);
  }
}

async function galleryRuns() {
  const visit = await open();
  const { page } = visit;
  const ids = await page.locator("#gallery option").evaluateAll((all) => all.map((o) => o.value));
  check(ids.length > 30, `the gallery has ${ids.length} tasks`);
  for (const id of ids.filter((i) => i !== "")) {
    await page.locator("#gallery").selectOption(id);
    await press(page, await page.locator(".actions button.first").textContent());
    const said = await status(page);
    check(said.startsWith("Done in"), `gallery ${id}: ${said}`);
    check((await page.locator(".verdict.good").count()) === 1, `gallery ${id}: no good result`);
  }
  await close(visit, "gallery");
}

async function mainPath() {
  for (const [width, scheme] of [
    [1180, "light"],
    [380, "dark"],
  ]) {
    const visit = await open("#gallery=even-odd", width, scheme);
    const { page } = visit;
    const what = `main path, ${width} wide, ${scheme}`;
    await press(page, "Learn");
    await looksRight(page, `${what}, learned`);
    await shoot(page, `learn-${scheme}`);
    if (shots) await page.screenshot({ path: join(shots, `top-of-${scheme}.png`) });
    await press(page, "Infer");
    check((await page.locator("#report").textContent()).includes("even(4)"), `${what}: no even(4)`);
    await press(page, "Explain");
    await looksRight(page, `${what}, explained`);
    check(
      (await page.locator(".verdict h1").textContent()).includes("even(4) follows."),
      `${what}: no proof`,
    );
    await page.locator("#gallery").selectOption("taxonomy");
    await press(page, "Compress");
    await looksRight(page, `${what}, compressed`);
    await shoot(page, `compress-${scheme}`);
    await close(visit, what);
  }
}

async function looksRight(page, what) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(over <= 0, `${what}: ${over} px wider than the screen`);
  const small = await tooSmall(page);
  check(small.length === 0, `${what}: text under 12 px: ${small.slice(0, 3)}`);
  const found = await violations(page);
  check(found.length === 0, `${what}: ${found.join(" | ")}`);
}

async function graphAnswers() {
  const visit = await open("#gallery=countries");
  const { page } = visit;
  await press(page, "Learn");
  await press(page, "Infer");
  const shown = await page.locator("#report").textContent();
  check(shown.includes("Likeliest: locatedIn(zimbabwe,"), "a model answers a question");
  await page.locator("#query").fill("");
  await page.getByRole("button", { name: "Infer" }).click();
  check((await status(page)).includes("such as"), "a question that is missing is asked for");
  await close(visit, "graph");
}

async function badInput() {
  for (const scheme of ["light", "dark"]) {
    const visit = await open("#gallery=even-odd", scheme === "light" ? 1180 : 380, scheme);
    const { page } = visit;
    await type(page, "succ(4,5.\n");
    await page.locator(".cm-lintRange-error").waitFor(); // while typing, no button pressed
    check((await page.locator("[role=tab].wrong").count()) === 1, "the tab is marked");
    await press(page, "Learn");
    check((await status(page)).includes("errors"), "the status says so");
    await looksRight(page, `bad input, ${scheme}`);
    await shoot(page, `bad-${scheme}`);
    await page.getByRole("tab", { name: "exs.pl" }).click();
    await page.locator("#remarks button").first().click();
    const line = await page.evaluate(
      () => getSelection().anchorNode?.parentElement?.closest(".cm-line")?.textContent,
    );
    check(line === "succ(4,5.", `the remark leads to its line, not "${line}"`);
    await page.keyboard.press("Control+z");
    await press(page, "Learn");
    check((await status(page)).startsWith("Done"), "mended, it learns");
    await page.locator("#options").fill("--nonsense");
    await press(page, "Learn");
    check(
      (await page.locator("#remarks").textContent()).includes("--nonsense"),
      "an unknown option is named",
    );
    await close(visit, "bad input");
  }
}

async function fillEndless(page) {
  const impossible = readFileSync(join(root, "tests/cli/data/impossible.pl"), "utf8");
  const templates = readFileSync(join(root, "data/ilp/even-odd/templates.txt"), "utf8");
  await page.locator("#chosen").setInputFiles([
    { name: "impossible.pl", mimeType: "text/plain", buffer: Buffer.from(impossible) },
    { name: "templates.txt", mimeType: "text/plain", buffer: Buffer.from(templates) },
  ]);
  await page.locator("#status").getByText("Opened").waitFor();
  await page.locator("#options").fill("--restarts 1000000");
}

// In a browser that can suspend WebAssembly, and in one that cannot, where the
// withdrawn address is a message on the console.
async function stopping() {
  for (const where of ["", "plain/"]) {
    const visit = await open(where);
    const { page } = visit;
    await fillEndless(page);
    await page.getByRole("button", { name: "Learn" }).click();
    await page.locator("#status").getByText("best so far").waitFor();
    await shoot(page, `progress-${where.length}`);
    await press(page, "Stop");
    const shown = await page.locator("#report").textContent();
    check(
      shown.includes("It was interrupted: this is the best so far."),
      `stop ${where}: the best so far is shown`,
    );
    check((await page.locator("#report .rule").count()) > 0, `stop ${where}: with its rules`);
    await page.locator("#gallery").selectOption("even-odd");
    await press(page, "Learn");
    check((await status(page)).startsWith("Done"), `stop ${where}: pith runs again`);
    if (where !== "") visit.said.splice(0, 1);
    await close(visit, `stop ${where}`);
  }
}

// Another task while one runs: its result is not shown for the other.
async function changingWhileRunning() {
  const visit = await open();
  const { page } = visit;
  await fillEndless(page);
  await page.getByRole("button", { name: "Learn" }).click();
  await page.locator("#status").getByText("best so far").waitFor();
  await page.locator("#gallery").selectOption("father");
  await page.locator("#report[aria-busy=false]").waitFor({ state: "attached" });
  check((await page.locator("#report").textContent()) === "", "nothing of the other task");
  await press(page, "Learn");
  check((await page.locator("#report").textContent()).includes("father"), "the task chosen runs");
  await close(visit, "change while running");
}

const linkOf = (task) =>
  `#task=1.${deflateRawSync(typeof task === "string" ? task : JSON.stringify(task)).toString("base64url")}`;

// Made by the first version of the page; links out there must go on to work.
const oldLink =
  "#task=1.Vc4xDoMwEETRq6CpQFpcpPRVMMViLwSJrIlNiijK3SMsJYRu9PSLeUH5JrAY55Q3EMZ5kQzbdRjZb9msCwgSJqmZhsZUZQ7kv9NTaIzTNeY6CftryRpT_UM4w1DAqcr0E96TAwL5M3ApnKLvCey3OSosFuGkIMR1hwyLts0iobqAcH9IesLieIH3Bw";

async function links() {
  let visit = await open("#gallery=grandparent");
  await type(visit.page, "% a change\n");
  await visit.page.getByRole("button", { name: "Copy a link" }).click();
  await visit.page.locator("#status.good").waitFor();
  const link = await visit.page.evaluate(() => location.hash);
  await close(visit, "share");
  visit = await open(link);
  check((await visit.page.locator(".cm-content").textContent()).includes("% a change"), "a link");
  await press(visit.page, "Learn");
  await close(visit, "link");
  for (const [damaged, why] of [
    ["#task=1.AAAA", "cannot be read"],
    ["#task=1.!!!", "cannot be read"],
    ["#task=9.AAAA", "newer version"],
    [linkOf("[1]"), "no task"],
    [linkOf({ files: [[1, 2]] }), "damaged"],
    [linkOf(" ".repeat(5_000_000)), "too large"],
  ]) {
    visit = await open(damaged);
    const said = await status(visit.page);
    check(said.includes(why), `damaged link: ${said}`);
    await press(visit.page, "Learn");
    await close(visit, "damaged link");
  }
}

async function oldLinks() {
  const visit = await open(oldLink);
  const { page } = visit;
  await press(page, "Learn");
  check(
    (await page.locator("#command").textContent()) === "pith learn --seed 2 facts.pl",
    "old link",
  );
  check((await page.locator("#report").textContent()).includes("edge("), "an old link works");
  check((await page.locator("#query").inputValue()) === "reach(a,d)", "with its question");
  await close(visit, "old link");
}

async function hostileNames() {
  const image = "<img src=x onerror=window.hit=1>";
  const task = {
    name: `../${image}`,
    files: [
      [`${image}.pl`, `p('${image}'). p(b). q(c).\npos(t('${image}')). pos(t(b)). neg(t(c)).\n`],
      ["--help", "p(d).\n"],
    ],
    action: "toString",
    query: `t('${image}')`,
  };
  const visit = await open(linkOf(task));
  const { page } = visit;
  await press(page, "Learn");
  check((await page.locator("#report").textContent()).includes(image), "a hostile name is shown");
  await press(page, "Explain");
  check((await page.locator(".verdict h1").textContent()).includes("follows"), "and explained");
  check((await page.locator("main img").count()) === 0, "no markup came of it");
  check(!(await page.evaluate(() => "hit" in window)), "nothing of it ran");
  await close(visit, "hostile");
}

async function dropFile(page, name, bytes) {
  const data = await page.evaluateHandle(
    ([called, text]) => {
      const carried = new DataTransfer();
      const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      carried.items.add(new File([raw], called));
      return carried;
    },
    [name, Buffer.from(bytes).toString("base64")],
  );
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

async function droppedFiles() {
  const visit = await open();
  const { page } = visit;
  const table = readFileSync(join(root, "tests/cli/data/people.csv"));
  await dropFile(page, "people.csv", table);
  await page.locator("#status").getByText("Opened people.csv").waitFor();
  await page.locator("#options").fill("--label adult");
  await press(page, "Learn");
  check((await page.locator("#report").textContent()).includes("boss"), "a dropped table");
  await dropFile(page, "packed.csv.gz", gzipSync(table));
  await page.locator("#status").getByText("Opened packed.csv").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  check((await page.locator("[role=tab]").textContent()) === "people.csv", "undone");
  await dropFile(page, "noise.bin", Buffer.from([1, 0, 2]));
  await page.locator("#status").getByText("not a text").waitFor();
  await dropFile(page, "x.db", Buffer.from("SQLite format 3\0"));
  await page.locator("#status").getByText("SQLite database").waitFor();
  await dropFile(page, "x.ttl", Buffer.from("@prefix e: <http://e/> .\ne:a e:p e:b .\n"));
  await page.locator("#remarks").getByText("pith convert FILE").waitFor();
  await close(visit, "drop");
}

async function downloads() {
  const visit = await open("unpacked/");
  const { page } = visit;
  await press(page, "Learn");
  const got = {};
  for (const name of ["result", "report", "events"]) {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: `Download the ${name}` }).click();
    got[name] = readFileSync(await (await waiting).path(), "utf8");
  }
  check(got.result.includes("even(X) :- zero(X)."), "the result");
  check(got.report.startsWith("<!doctype html>"), "the report");
  check(got.report.includes('"event":"result"'), "with its events");
  check(got.events.startsWith('{"event":"start"'), "the events");
  await close(visit, "download");
}

// By keyboard alone: a file, its text and out of it, and the button.
async function keyboard() {
  const visit = await open();
  const { page } = visit;
  await page.locator("[role=tab]").first().focus();
  await page.keyboard.press("ArrowRight");
  check((await page.locator("[aria-selected=true]").textContent()) === "exs.pl", "arrows: tabs");
  let name = "";
  for (let i = 0; i < 12 && name !== "Learn"; i++) {
    await page.keyboard.press("Tab");
    name = (await page.evaluate(() => document.activeElement?.textContent)) ?? "";
    const seen = await page.evaluate(() => {
      const e = document.activeElement?.closest(".cm-editor") ?? document.activeElement;
      return getComputedStyle(e).outlineStyle !== "none";
    });
    check(seen, `keyboard: the focus on "${name.slice(0, 20)}" cannot be seen`);
  }
  await page.keyboard.press("Enter");
  await page.locator("#status.good").waitFor();
  check((await page.locator(".verdict.good").count()) === 1, "keyboard: learned");
  await close(visit, "keyboard");
}

try {
  if (shots) mkdirSync(shots, { recursive: true });
  for (const test of [
    bytesAreFew,
    speed,
    mainPath,
    galleryRuns,
    graphAnswers,
    badInput,
    stopping,
    changingWhileRunning,
    links,
    oldLinks,
    hostileNames,
    droppedFiles,
    downloads,
    keyboard,
  ].filter((t) => chosen.length === 0 || chosen.includes(t.name)))
    try {
      await test();
    } catch (e) {
      check(false, `${test.name}: ${e}`);
    }
} finally {
  await browser.close();
  server.close();
}
finish();
