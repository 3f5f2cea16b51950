// Every view of the report in a real browser: node web/test/report.mjs PITH [KIND...]
// No console message, no request, no violation that axe knows, nothing wider
// than the screen, in light and dark, wide and narrow; and a walk by keyboard.
// With SHOTS=folder it leaves a picture of each.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { check, finish, launch, tooSmall, violations } from "./browser.mjs";

const pith = resolve(process.argv[2] ?? "build/pith");
const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "pith-report-"));
const chosen = process.argv.slice(3); // kinds; none: all
const shots = process.env.SHOTS;

function run(args) {
  try {
    return execFileSync(pith, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] }).toString();
  } catch (e) {
    if (e.status === 1) return e.stdout.toString(); // done, but something does not fit
    throw new Error(`pith ${args.join(" ")}: ${e.stderr}`);
  }
}

function write(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const wrong = write("wrong.pl", "even(X) :- zero(X).\neven(X) :- succ(Y,X).\n");
const hostile = write(
  "<b>hostile.pl",
  `'<script>window.hit=1</script>'('<img src=x onerror=window.hit=1>'). 'a\\u202eb'('</script>').
pos(t('<img src=x onerror=window.hit=1>')). neg(t('</script>')).\n`,
);
const letters = "abcdefghijklmnopqrst".split("");
const noisy = write(
  "noisy.pl",
  letters
    .map((c, i) => {
      const first = i < 10;
      const label = i === 3 ? !first : first;
      return `${first ? "p" : "q"}(${c}). ${label ? "pos" : "neg"}(t(${c})).`;
    })
    .join("\n"),
);
const unlike = write("unlike.pl", "p(a). p(b). pos(t(a)). neg(t(b)). q(c).\n");
const graph = "data/countries/S2.tsv";
const model = join(folder, "model.pl");
const chains = join(folder, "chains.pl");
run(["learn", "-q", graph, "-o", model]);
run(["learn", "-q", "--target", "locatedIn", graph, "data/countries/valid.pl", "-o", chains]);
const split = join(folder, "split");
mkdirSync(split);
const facts = readFileSync(join(root, graph), "utf8")
  .split("\n")
  .filter((l) => l !== "");
writeFileSync(join(split, "train.tsv"), `${facts.filter((_, i) => i % 20 !== 7).join("\n")}\n`);
writeFileSync(join(split, "test.tsv"), `${facts.filter((_, i) => i % 20 === 7).join("\n")}\n`);
const splitModel = join(folder, "split.pl");
run(["learn", "-q", split, "-o", splitModel]);

// name: [arguments, what must be on the page]
const kinds = {
  trained: [
    ["learn", "data/ilp/even-odd"],
    [
      "3 rules explain all 5 examples.",
      "X is even if X is zero.",
      "Rules taking shape",
      "by R2",
      "Step by step",
      "Values, step by step",
      "Where the restarts ended",
    ],
  ],
  searched: [
    ["learn", "--templates", "none", "--keep", "3", "data/ilp/grandparent"],
    ["Found by searching", "Examples", "clauses tried in", "found here"],
  ],
  noisy: [
    ["learn", "--noise", "on", noisy],
    ["Suspects", "t(d)"],
  ],
  unsolved: [
    ["learn", "--max-body", "1", unlike],
    ["What to try:", "No rule was found"],
  ],
  hostile: [
    ["learn", hostile],
    ["<script>window.hit=1</script>", "<img src=x onerror=window.hit=1>"],
  ],
  scored: [
    ["score", wrong, "data/ilp/even-odd"],
    ["Accuracy", "but it follows"],
  ],
  taxonomy: [
    ["compress", "data/theory/taxonomy/facts.pl"],
    ["Core", "canary"],
  ],
  kinship: [
    ["compress", "data/theory/kinship/facts.pl"],
    ["core facts", "A row for each generation", "How it was found"],
  ],
  gradient: [
    [
      "compress",
      "--method",
      "gradient",
      "--restarts",
      "4",
      "--templates",
      "data/theory/kinship/templates.txt",
      "data/theory/kinship/facts.pl",
    ],
    ["Where the restarts ended", "Least loss"],
  ],
  proof: [
    [
      "explain",
      "can(canary,grow)",
      "data/theory/taxonomy/rules.pl",
      "data/theory/taxonomy/core.pl",
    ],
    ["can(canary,grow) follows.", "given"],
  ],
  whynot: [
    [
      "explain",
      "can(canary,swim)",
      "data/theory/taxonomy/rules.pl",
      "data/theory/taxonomy/core.pl",
    ],
    ["The nearest rule"],
  ],
  graph: [
    ["learn", graph],
    ["Relations", "neighborOf", "MRR by number of rules"],
  ],
  target: [["learn", "--target", "locatedIn", graph, "data/countries/valid.pl"], ["Weight"]],
  graded: [
    ["score", chains, graph, "data/countries/test.pl"],
    ["observed share", "Brier score"],
  ],
  ranked: [
    ["score", splitModel, split],
    ["Hits@10", "observed share", "MRR by relation"],
  ],
  top: [["infer", "--top", "10", "--query", "locatedIn(france,X)", model, graph], ["Answers"]],
  why: [
    ["explain", "neighborOf(france,norway)", model, graph],
    ["How the probability comes about", "other answers are known"],
  ],
};

const browser = await launch();

async function open(path, width, colorScheme) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    bypassCSP: false,
  });
  const page = await context.newPage();
  const said = [];
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(e.message));
  page.on("request", (r) => {
    if (r.url() !== pathToFileURL(path).href) said.push(`request ${r.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  return { page, context, said };
}

async function look(name, path, texts) {
  for (const [width, scheme] of [
    [1180, "light"],
    [380, "dark"],
  ]) {
    const { page, context, said } = await open(path, width, scheme);
    const what = `${name}, ${width} wide, ${scheme}`;
    const shown = (await page.locator("body").textContent()) ?? "";
    for (const t of texts) check(shown.includes(t), `${what}: no "${t}" on the page`);
    check((await page.locator("h1").count()) === 1, `${what}: one heading`);
    check(!(await page.evaluate(() => "hit" in window)), `${what}: a name was run`);
    check(said.length === 0, `${what}: ${said.join("; ")}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(over <= 0, `${what}: ${over} px wider than the screen`);
    const small = await tooSmall(page);
    check(small.length === 0, `${what}: text under 12 px: ${small.slice(0, 3)}`);
    const found = await violations(page);
    check(found.length === 0, `${what}: ${found.join(" | ")}`);
    if (shots)
      await page.screenshot({ path: join(shots, `${name}-${scheme}.png`), fullPage: true });
    await context.close();
  }
}

// By keyboard alone: to an example, its proof, the slider.
async function walk(path) {
  const { page, context } = await open(path, 1180, "light");
  const texts = new Set();
  let slid = false;
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      return {
        tag: e?.tagName,
        cls: e?.className,
        text: e?.textContent,
        visible: e ? getComputedStyle(e).outlineStyle !== "none" : false,
      };
    });
    if (at.tag === "BODY") break;
    check(at.visible, `keyboard: the focus on ${at.tag} ${at.cls} cannot be seen`);
    if (at.cls === "example") {
      await page.keyboard.press("Enter");
      texts.add(await page.locator(".details h3").textContent());
    }
    if (at.tag === "INPUT") {
      await page.keyboard.press("Home");
      const before = await page.locator(".decoded").textContent();
      await page.keyboard.press("End");
      slid = before !== (await page.locator(".decoded").textContent());
    }
  }
  check(texts.size === 5, `keyboard: proofs of ${[...texts]}`);
  check(slid, "keyboard: the slider changes the rules");
  await context.close();
}

// Choosing: filters, an example that is negative, and what stays pressed.
async function choose(path) {
  const { page, context } = await open(path, 1180, "light");
  await page.getByRole("button", { name: /^Negative/ }).click();
  const rows = page.locator(".matrix tbody tr");
  check((await rows.count()) === 2, "filter: two negative examples");
  await rows.first().getByRole("button").click();
  check(
    (await page.locator(".details").textContent())?.includes("The nearest rule"),
    "a negative example says why not",
  );
  check(
    (await page.locator('.example[aria-pressed="true"]').count()) === 1,
    "one example is pressed",
  );
  await context.close();
}

// On paper it is light, whatever the screen is, and nothing scrolls.
async function prints(path) {
  const { page, context } = await open(path, 1180, "dark");
  await page.emulateMedia({ media: "print" });
  const found = await page.evaluate(() => ({
    ink: getComputedStyle(document.body).color,
    cut: [...document.querySelectorAll(".scroll, .details")].filter(
      (e) => e.scrollHeight > e.clientHeight + 1,
    ).length,
    buttons: [...document.querySelectorAll(".filters")].filter((e) => e.offsetHeight > 0).length,
  }));
  check(found.ink === "rgb(28, 29, 32)", `print: the text is ${found.ink}`);
  check(found.cut === 0 && found.buttons === 0, `print: ${JSON.stringify(found)}`);
  await context.close();
}

try {
  if (shots) mkdirSync(shots, { recursive: true });
  for (const [name, [args, texts]] of Object.entries(kinds)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const path = join(folder, `${name}.html`);
    run([...args, "-q", "--report", path]);
    await look(name, path, texts);
  }
  if (chosen.length === 0) {
    await walk(join(folder, "trained.html"));
    await choose(join(folder, "trained.html"));
    await prints(join(folder, "trained.html"));
  }
  const cut = write(
    "cut.jsonl",
    '{"event":"start","schema":2,"pith":"1","command":"learn","operands":[],"settings":{}}\n',
  );
  run(["report", cut, "-o", join(folder, "cut.html")]);
  await look("cut", join(folder, "cut.html"), ["not complete"]);
} finally {
  await browser.close();
}
finish();
