// The command as WebAssembly prints the same bytes as the native one, for every
// task in data/:   node web/test/same_bytes.mjs build/pith build/wasm/pith.wasm [PART]
// PART: only commands with this text in them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, loadCommand } from "./command.mjs";

const [native, wasm, only] = process.argv.slice(2);
const report = "report.jsonl";

const entriesOf = (path) => readdirSync(path).map((name) => join(path, name));

function* ilpCommands() {
  for (const task of entriesOf("data/ilp")) {
    yield ["learn", task];
    yield ["learn", "--templates", "none", task];
    yield ["score", join(task, "solution.pl"), join(task, "test")];
    yield ["convert", "--to", "bias", join(task, "bias.pl")];
    const unary = join(task, "templates_unary.txt");
    if (existsSync(unary)) yield ["learn", "--templates", unary, task];
  }
  for (const task of entriesOf("data/authors"))
    yield ["learn", join(task, "a"), join(task, "b"), "--semantics", "paper", "--restarts", "16"];
  for (const task of entriesOf("data/second")) {
    yield ["learn", task];
    yield ["score", join(task, "wrong.pl"), task];
  }
}

// A table's last column is what is to be learned.
function* everydayCommands() {
  for (const task of entriesOf("data/everyday")) {
    const columns = readFileSync(task, "utf8").split("\n")[0]?.trim().split(",") ?? [];
    const label = task.endsWith(".csv") ? ["--label", columns.at(-1)] : [];
    yield ["learn", ...label, task];
  }
}

function* theoryCommands() {
  for (const theory of entriesOf("data/theory")) {
    const part = (name) => join(theory, name);
    yield ["compress", part("facts.pl")];
    yield ["compress", "--restarts", "2", "--templates", part("templates.txt"), part("facts.pl")];
    yield ["infer", "--all", part("rules.pl"), part("core.pl")];
    yield ["infer", "--all", part("paper.pl"), part("core.pl")];
  }
  const taxonomy = (name) => join("data/theory/taxonomy", name);
  yield ["compress", taxonomy("facts_noself.pl")];
  yield ["infer", "--all", taxonomy("rules.pl"), taxonomy("core_self.pl")];
  yield ["explain", "son(c,b)", "data/theory/kinship/rules.pl", "data/theory/kinship/core.pl"];
}

function* countriesCommands() {
  const target = ["--target", "locatedIn"];
  const countries = (name) => join("data/countries", name);
  for (const split of ["S1", "S2", "S3"]) {
    yield ["learn", ...target, countries(`${split}.tsv`), countries("valid.pl")];
    yield ["learn", countries(`${split}.tsv`)];
    yield ["convert", "--to", "prolog", countries(`${split}.pl`), countries("test.pl")];
    yield ["convert", "--to", "templates", countries(`templates_${split}.txt`)];
    const other = countries(`alt_split/${split}`);
    yield ["learn", ...target, join(other, "train.tsv"), countries("alt_split/valid.pl")];
    yield ["learn", other];
    yield ["convert", "--to", "prolog", join(other, "test.tsv"), countries("alt_split/test.pl")];
  }
  for (const name of ["countries.pl", "countries.tsv", "sets.pl"])
    yield ["convert", "--to", "prolog", countries(name)];
}

function* commands() {
  yield* ilpCommands();
  yield* everydayCommands();
  yield* theoryCommands();
  yield* countriesCommands();
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
const unread = new Set(files.keys());

// Notes which files the command opens.
class NotedFiles extends Map {
  get(path) {
    unread.delete(path);
    return super.get(path);
  }
}

async function runHere(args) {
  const more = reports.includes(args[0]) ? ["--report", report] : [];
  const ended = await run([...args, ...more], new NotedFiles(files));
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
  if (only !== undefined && !args.join(" ").includes(only)) continue;
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
if (unread.size === 0 || only !== undefined) passed++;
else {
  failed++;
  console.log(`FAIL no command reads ${[...unread].join(" ")}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
