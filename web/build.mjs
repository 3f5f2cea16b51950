// Makes what web/ ships: report.html, the page that the command fills with
// events, and with a second argument the playground around that command as
// WebAssembly. The same sources give the same bytes.
//
//   node web/build.mjs [FOLDER [pith.wasm]]
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
const wasm = process.argv[3];

async function bundle(entry, format = "iife") {
  const made = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    write: false,
    legalComments: "none",
    charset: "utf8",
  });
  return made.outputFiles[0].text.trim().replaceAll("</", "<\\/");
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function styleOf(...names) {
  const css = names.map((name) => readFileSync(join(here, "src", name), "utf8")).join("");
  return (await transform(css, { loader: "css", minify: true })).code.trim();
}

async function reportPage() {
  const script = await bundle("report.ts");
  const style = await styleOf("style.css");
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>pith report</title>
<style>${style}</style>
</head>
<body>
<main class="page" id="report"><noscript>This report is drawn by a script inside this file. The events that it shows are below, one JSON object a line.</noscript></main>
<script type="application/json" id="events">
@EVENTS@</script>
<script>${script}</script>
</body>
</html>
`;
}

// A task of the gallery with its texts. A task of a folder has the parts that
// learners read.
const partsOfTask = ["bk.pl", "exs.pl", "templates.txt"];

function filesOfEntry(group, entry) {
  if (entry.files !== undefined) return entry.files.map((path) => join(here, "..", path));
  const folder = join(here, "..", group.folder, entry.id);
  return readdirSync(folder)
    .filter((name) => partsOfTask.includes(name))
    .sort()
    .map((name) => join(folder, name));
}

function gallery() {
  const groups = JSON.parse(readFileSync(join(here, "gallery.json"), "utf8"));
  return groups.map((group) => ({
    title: group.title,
    entries: group.entries.map((entry) => ({
      action: "learn",
      ...entry,
      files: filesOfEntry(group, entry).map((path) => [basename(path), readFileSync(path, "utf8")]),
    })),
  }));
}

async function playground() {
  const page = readFileSync(join(here, "playground.html"), "utf8");
  const style = await styleOf("style.css", "play/play.css");
  const put = (name, bytes) => writeFileSync(join(out, name), bytes);
  put(
    "index.html",
    page.replace("@STYLE@", () => style),
  );
  put("play.js", await bundle("play/play.ts"));
  put("worker.js", await bundle("play/worker.ts"));
  put("gallery.json.gz", gzipSync(JSON.stringify(gallery()), { level: 9 }));
  put("pith.wasm.gz", gzipSync(readFileSync(wasm), { level: 9 }));
}

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "report.html"), await reportPage());
if (wasm !== undefined) await playground();
