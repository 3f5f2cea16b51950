// The command as WebAssembly prints the same bytes as the native one, for every
// task in data/:   node web/test/same_bytes.mjs build/pith build/wasm/pith.wasm
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, loadCommand } from "./command.mjs";

const [native, wasm] = process.argv.slice(2);
const report = "report.jsonl";

const folders = (path) => readdirSync(path).map((name) => join(path, name));

function* commands() {
  for (const task of folders("data/ilp")) {
    yield ["learn", task];
    yield ["learn", "--templates", "none", task];
    yield ["score", join(task, "solution.pl"), join(task, "test")];
  }
  for (const task of folders("data/authors"))
    yield ["learn", join(task, "a"), join(task, "b"), "--semantics", "paper", "--restarts", "16"];
  for (const task of folders("data/second")) yield ["learn", task];
  for (const theory of folders("data/theory")) {
    yield ["compress", join(theory, "facts.pl")];
    yield ["infer", "--all", join(theory, "rules.pl"), join(theory, "core.pl")];
  }
  yield ["explain", "son(c,b)", "data/theory/kinship/rules.pl", "data/theory/kinship/core.pl"];
  for (const split of ["S1", "S2", "S3"]) {
    const facts = `data/countries/${split}.tsv`;
    yield ["learn", "--target", "locatedIn", facts, "data/countries/valid.pl"];
    yield ["learn", facts];
  }
}

const reports = ["learn", "compress", "score", "explain"];

function runNative(args) {
  const folder = mkdtempSync(join(tmpdir(), "pith-"));
  const at = join(folder, report);
  const more = reports.includes(args[0]) ? ["--report", at] : [];
  const kept = { code: 0, out: "", events: "" };
  try {
    kept.out = execFileSync(native, [...args, ...more], { stdio: ["ignore", "pipe", "pipe"] });
  } catch (e) {
    kept.code = e.status;
    kept.out = e.stdout;
  }
  kept.out = kept.out.toString();
  if (more.length > 0) kept.events = readFileSync(at, "utf8");
  rmSync(folder, { recursive: true });
  return kept;
}

const run = await loadCommand(wasm);
const files = filesBelow("data");

async function runHere(args) {
  const more = reports.includes(args[0]) ? ["--report", report] : [];
  const ended = await run([...args, ...more], files);
  const events = ended.files.get(report);
  return { ...ended, events: events === undefined ? "" : Buffer.from(events).toString() };
}

function firstDifference(a, b) {
  const [left, right] = [a.split("\n"), b.split("\n")];
  const i = left.findIndex((line, at) => line !== right[at]);
  return `line ${i + 1}\n  native ${left[i]}\n  wasm   ${right[i]}`;
}

let passed = 0;
let failed = 0;
for (const args of commands()) {
  const [there, here] = [runNative(args), await runHere(args)];
  if (there.out === "") throw new Error(`pith ${args.join(" ")} printed nothing`);
  const wrong = ["code", "out", "events"].find((key) => there[key] !== here[key]);
  if (wrong === undefined) passed++;
  else {
    failed++;
    console.log(
      `FAIL pith ${args.join(" ")}: ${wrong}: ${firstDifference(String(there[wrong]), String(here[wrong]))}`,
    );
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
