// Makes what web/ ships: dist/report.html, the page that the command fills with
// events. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

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

async function reportPage() {
  const script = await bundle("report.ts");
  const css = readFileSync(join(here, "src/style.css"), "utf8");
  const style = (await transform(css, { loader: "css", minify: true })).code.trim();
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

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "report.html"), await reportPage());
