// The pictures of the documents, made by the program as it is:
//   node web/pictures.mjs build/pith [build/web]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./test/browser.mjs";

const pith = resolve(process.argv[2] ?? "build/pith");
const site = process.argv[3];
const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "pith-pictures-"));
const browser = await launch();

async function pageOf(address, width) {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: "light",
    deviceScaleFactor: 1.25,
  });
  await page.goto(address);
  return page;
}

// From the top of one part to the bottom of another.
async function shoot(page, name, from, to) {
  const [top, bottom] = await Promise.all([
    page.locator(from).first().boundingBox(),
    page.locator(to).last().boundingBox(),
  ]);
  const { width } = page.viewportSize();
  await page.screenshot({
    path: join(root, "docs/pictures", `${name}.png`),
    clip: {
      x: 0,
      y: Math.max(0, top.y - 24),
      width,
      height: bottom.y + bottom.height - top.y + 48,
    },
    fullPage: true,
  });
  await page.close();
}

async function reportOf(name, args, from, to) {
  const file = join(folder, `${name}.html`);
  execFileSync(pith, [...args, "-q", "--report", file], { cwd: root });
  await shoot(await pageOf(pathToFileURL(file).href, 1040), name, from, to);
}

const part = (title) => `section.part:has(> h2:text-is("${title}"))`;

async function playground() {
  const server = createServer((request, response) => {
    const name = request.url === "/" ? "index.html" : (request.url ?? "").slice(1);
    const types = { html: "text/html", js: "text/javascript", gz: "application/gzip" };
    response.writeHead(200, { "content-type": types[name.split(".").at(-1)] });
    response.end(readFileSync(join(site, name)));
  }).listen(0, "127.0.0.1");
  await new Promise((ok) => server.once("listening", ok));
  const page = await pageOf(`http://127.0.0.1:${server.address().port}/#gallery=even-odd`, 1040);
  await page.locator("html[data-ready=yes]").waitFor();
  await page.getByRole("button", { name: "Learn" }).click();
  await page.locator("#report[aria-busy=false]").waitFor({ state: "attached" });
  await page.locator("#status.good").waitFor();
  await shoot(page, "playground", "h1", part("Rules"));
  server.close();
}

await reportOf("report", ["learn", "data/ilp/grandparent"], ".verdict", part("Examples"));
await reportOf("training", ["learn", "data/ilp/even-odd"], part("Training"), ".soft");
await reportOf("compress", ["compress", "data/theory/taxonomy/facts.pl"], ".verdict", part("Core"));
if (site !== undefined) await playground();
await browser.close();
