// The playground: a task in an editor, pith in a worker, the report below.
import { clean, h, replace } from "../dom";
import { parse } from "../events";
import { render, renderInTurn } from "../render";
import { droppedFiles, taskOfFiles } from "./drop";
import { Editor } from "./editor";
import { Engine, type Outcome } from "./engine";
import { findEntry, type Group, loadGallery, taskOfEntry } from "./gallery";
import { progressIn, type Remark, remarksIn } from "./remarks";
import { fragmentOf, taskInFragment } from "./share";
import {
  type Action,
  actions,
  checkOf,
  isModel,
  jobOf,
  type Learned,
  pathOf,
  reportName,
  safeName,
  type Task,
} from "./task";

function part<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${id}`);
  return found;
}

const page = {
  gallery: part("gallery", HTMLSelectElement),
  about: part("about", HTMLElement),
  tabs: part("tabs", HTMLElement),
  editor: part("editor", HTMLElement),
  add: part("add", HTMLButtonElement),
  remove: part("remove", HTMLButtonElement),
  open: part("open", HTMLButtonElement),
  chosen: part("chosen", HTMLInputElement),
  query: part("query", HTMLInputElement),
  options: part("options", HTMLInputElement),
  stop: part("stop", HTMLButtonElement),
  share: part("share", HTMLButtonElement),
  status: part("status", HTMLElement),
  remarks: part("remarks", HTMLUListElement),
  downloads: part("downloads", HTMLElement),
  command: part("command", HTMLElement),
  report: part("report", HTMLElement),
  printed: part("printed", HTMLElement),
};
const nonce = document.querySelector("style")?.nonce ?? "";

const buttons = new Map<Action, HTMLButtonElement>(
  actions.map((action) => [action, part(action, HTMLButtonElement)]),
);

let groups: Group[] = [];
let task: Task = { name: "task", files: [], action: "learn", options: "", query: "" };
let shownFile = "";
let remarks: Remark[] = [];
let learned: Learned | null = null;
let busy = false;
let stopped = false; // the run under way was told to
let before: Task | null = null; // what files that were dropped took the place of
let drawing = 0; // which result is drawn: the parts of one before are not

const engine = new Engine("worker.js");
const editor = new Editor(page.editor, nonce, (text) => {
  const file = task.files.find((f) => f.name === shownFile);
  if (file !== undefined) file.text = text;
  checkSoon();
});

// ---- saying things -------------------------------------------------------------

function say(text: string, tone: "" | "bad" | "good" = ""): void {
  page.status.className = tone;
  replace(page.status, text);
}

const messageOf = (e: unknown): string => (e instanceof Error ? e.message : String(e));

function fileOf(r: Remark): string | undefined {
  return task.files.find((f) => r.path === pathOf(task, f.name))?.name;
}

function showRemarks(found: Remark[]): void {
  remarks = found;
  editor.mark(found.filter((r) => r.line > 0 && fileOf(r) === shownFile));
  replace(
    page.remarks,
    found.slice(0, 50).map((r) => h("li", { class: r.kind }, remarkText(r))),
  );
  for (const tab of page.tabs.querySelectorAll("[role=tab]")) {
    const name = (tab as HTMLElement).dataset.file;
    const wrong = found.some((r) => r.kind === "error" && fileOf(r) === name);
    tab.classList.toggle("wrong", wrong);
  }
}

function remarkText(r: Remark): (HTMLElement | string)[] {
  const name = fileOf(r);
  const where = r.line > 0 ? `${r.path}:${r.line}:${r.column}` : (r.path ?? "");
  const place =
    name === undefined
      ? where
      : h("button", { type: "button", class: "link", click: () => goTo(name, r) }, where);
  return [`${r.kind}: `, place, where === "" ? r.text : `: ${r.text}`];
}

function goTo(name: string, r: Remark): void {
  showFile(name);
  editor.goTo(r);
}

// ---- the task --------------------------------------------------------------------

function showTabs(): void {
  replace(
    page.tabs,
    task.files.map((f) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          "aria-selected": String(f.name === shownFile),
          "aria-controls": "editor",
          tabindex: f.name === shownFile ? 0 : -1,
          "data-file": f.name,
          click: () => showFile(f.name),
        },
        f.name,
      ),
    ),
  );
  page.remove.disabled = task.files.length < 2;
}

function showFile(name: string): void {
  const file = task.files.find((f) => f.name === name) ?? task.files[0];
  if (file === undefined) return;
  shownFile = file.name;
  showTabs();
  editor.show(file.name, file.text);
  showRemarks(remarks);
}

page.tabs.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const at = task.files.findIndex((f) => f.name === shownFile);
  const next = task.files[(at + step + task.files.length) % task.files.length];
  if (next === undefined) return;
  showFile(next.name);
  page.tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
});

function showTask(next: Task, about: string): void {
  engine.stop();
  task = { ...next, files: next.files.map((f) => ({ ...f })) };
  learned = null;
  editor.forget();
  replace(page.about, about);
  page.query.value = task.query;
  page.options.value = task.options;
  for (const [action, button] of buttons) button.classList.toggle("first", action === task.action);
  showRemarks([]);
  clearResult();
  showFile("");
  checkSoon();
}

function clearResult(): void {
  drawing++;
  replace(page.report);
  replace(page.downloads);
  replace(page.command);
  page.printed.parentElement?.toggleAttribute("hidden", true);
}

// The folder of a task must not be told from a task by its name alone.
function showEntry(id: string): void {
  const entry = findEntry(groups, id);
  if (entry === undefined) return;
  page.gallery.value = id;
  showTask(taskOfEntry(entry), entry.about);
  say("");
}

function readForm(): void {
  task.query = page.query.value.trim();
  task.options = page.options.value.trim();
}

// ---- checking while one types ------------------------------------------------------

const checkedAtMost = 1_000_000; // characters
let timer = 0;
let runs = 0; // a check from before the last run is stale

function checkSoon(): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void check(), 350);
}

async function check(): Promise<void> {
  const size = task.files.reduce((n, f) => n + f.text.length, 0);
  if (busy || size > checkedAtMost || size === 0) return;
  const [checked, round] = [task, runs];
  const texts = checked.files.map((f) => f.text);
  const job = checkOf(checked);
  try {
    const ended = await engine.run(job.args, job.files);
    const same =
      checked === task && round === runs && texts.every((t, i) => t === task.files[i]?.text);
    if (same && !busy) showRemarks(remarksIn(ended.err).filter((r) => r.kind !== "note"));
  } catch {
    // a run that is asked for says what is wrong
  }
}

// ---- running -----------------------------------------------------------------------

function setBusy(now: boolean): void {
  busy = now;
  for (const button of buttons.values()) button.disabled = now;
  page.stop.disabled = !now;
  page.report.setAttribute("aria-busy", String(now));
}

function missingInput(action: Action): string | null {
  if (action === "explain" && task.query === "")
    return "Explain needs an atom, such as even(4): type it under Atom or question.";
  if (action === "infer" && isModel(learned) && task.query === "")
    return "A model of a graph answers questions, such as locatedIn(spain,X): type one under Atom or question.";
  return null;
}

async function run(action: Action): Promise<void> {
  if (busy) return;
  readForm();
  const missing = missingInput(action);
  if (missing !== null) {
    say(missing, "bad");
    page.query.focus();
    return;
  }
  const job = jobOf(task, action, action === "infer" || action === "explain" ? learned : null);
  const asked = task;
  clearTimeout(timer);
  runs++;
  clearResult();
  showRemarks([]);
  setBusy(true);
  stopped = false;
  say("Running…");
  const began = performance.now();
  try {
    const ended = await engine.run(job.args, job.files, (line) => {
      const progress = progressIn(line);
      if (progress !== null) say(progress);
    });
    if (asked === task) await showOutcome(action, job.shown, ended, performance.now() - began);
  } catch (e) {
    say(`pith could not run: ${messageOf(e)}`, "bad");
  } finally {
    setBusy(false);
  }
}

const codes: Record<number, string> = {
  2: "The command did not understand an option; see below.",
  3: "The input has errors; see below.",
};

function statusOf(ended: Outcome, found: Remark[], milliseconds: number): string {
  const took =
    milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
  if (found.some((r) => r.kind === "error")) return codes[ended.code] ?? "Not done; see below.";
  return stopped ? `Stopped after ${took}.` : `Done in ${took}.`;
}

// Lets the browser draw; where it draws nothing, it goes on after a while.
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 200);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve);
    });
  });
}

async function showOutcome(
  action: Action,
  shown: string,
  ended: Outcome,
  milliseconds: number,
): Promise<void> {
  if (ended.killed) {
    say("Stopped: it did not answer in time, so there is nothing to show.");
    return;
  }
  const found = remarksIn(ended.err);
  const events = ended.files.get(reportName) ?? (action === "infer" ? ended.out : "");
  showRemarks(found);
  const bad = found.some((r) => r.kind === "error");
  say(statusOf(ended, found, milliseconds), bad ? "bad" : "good");
  replace(page.command, shown);
  if (bad || events === "") return;
  if (action === "learn" || action === "compress") learned = { text: ended.out, from: action };
  const now = ++drawing;
  const still = () => now === drawing;
  if (!(await renderInTurn(page.report, parse(events), nextFrame, still))) return;
  showPrinted(ended.out);
  showDownloads(action, ended.out, events);
}

function showPrinted(out: string): void {
  replace(page.printed);
  page.printed.append(document.createTextNode(out.replace(/[^\n]+/g, clean)));
  page.printed.parentElement?.toggleAttribute("hidden", out === "");
}

// ---- taking results along ----------------------------------------------------------

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function saveReport(events: string): Promise<void> {
  const files = new Map([[reportName, events]]);
  const ended = await engine.run(["report", reportName, "-o", "report.html"], files);
  const made = ended.files.get("report.html");
  if (made === undefined) say(ended.err, "bad");
  else save(`${task.name}.html`, "text/html", made);
}

function showDownloads(action: Action, out: string, events: string): void {
  const button = (label: string, click: () => void): HTMLElement =>
    h("button", { type: "button", click }, label);
  const json = action === "infer" && out === events;
  replace(
    page.downloads,
    json
      ? null
      : button("Download the result", () => save(`${task.name}-result.pl`, "text/plain", out)),
    button("Download the report", () => void saveReport(events)),
    button("Download the events", () => save(`${task.name}.jsonl`, "application/jsonl", events)),
  );
}

async function share(): Promise<void> {
  readForm();
  const fragment = await fragmentOf(task);
  history.replaceState(null, "", fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link with this task is in the clipboard.", "good");
  } catch {
    say("The address of this page now holds the task: copy it from there.", "good");
  }
}

// ---- files -------------------------------------------------------------------------

async function openFiles(name: string, files: File[]): Promise<void> {
  try {
    const next = await taskOfFiles(name, files);
    before = task;
    page.gallery.value = "";
    showTask(next, "");
    const names = next.files.map((f) => f.name).join(", ");
    const undo = h("button", { type: "button", class: "link", click: undoOpen }, "Undo");
    page.status.className = "good";
    replace(page.status, `Opened ${names}. `, undo);
  } catch (e) {
    say(messageOf(e), "bad");
  }
}

function undoOpen(): void {
  if (before !== null) showTask(before, "");
  before = null;
  say("");
}

function addFile(): void {
  let n = 1;
  while (task.files.some((f) => f.name === `more${n}.pl`)) n++;
  const name = safeName(window.prompt("Name of the new file", `more${n}.pl`) ?? "");
  if (task.files.every((f) => f.name !== name)) task.files.push({ name, text: "" });
  showFile(name);
}

function removeFile(): void {
  task.files = task.files.filter((f) => f.name !== shownFile);
  shownFile = "";
  editor.forget();
  showFile("");
  checkSoon();
}

// ---- beginning ---------------------------------------------------------------------

function showGallery(): void {
  replace(
    page.gallery,
    h("option", { value: "" }, "Your own"),
    groups.map((g) =>
      h(
        "optgroup",
        { label: g.title },
        g.entries.map((e) => h("option", { value: e.id }, e.title)),
      ),
    ),
  );
}

async function openAddress(): Promise<void> {
  const named = /^#gallery=(.+)$/.exec(location.hash)?.[1];
  try {
    const linked = await taskInFragment(location.hash);
    if (linked !== null) {
      page.gallery.value = "";
      showTask(linked, "From a link.");
      return;
    }
  } catch (e) {
    showEntry("even-odd");
    say(`The link cannot be read: ${messageOf(e)}.`, "bad");
    return;
  }
  showEntry(named !== undefined && findEntry(groups, named) ? named : "even-odd");
}

// Draws where nobody sees it, so that styles, fonts and code are ready.
function drawUnseen(events: string): void {
  const unseen = h("div", { class: "dry-run", inert: true, "aria-hidden": "true" });
  page.report.after(unseen);
  render(unseen, parse(events));
  unseen.getBoundingClientRect(); // lays it out
  unseen.remove();
}

// What runs for the first time is compiled first; so a click need not wait for it.
async function warmUp(): Promise<void> {
  const entry = findEntry(groups, "even-odd");
  if (entry === undefined) return;
  const job = jobOf(taskOfEntry(entry), "learn", null);
  for (let i = 0; i < 2; i++) {
    const ended = await engine.run(job.args, job.files);
    drawUnseen(ended.files.get(reportName) ?? "");
  }
  document.documentElement.dataset.ready = "yes";
}

function listen(): void {
  for (const [action, button] of buttons) button.addEventListener("click", () => void run(action));
  page.stop.addEventListener("click", () => {
    stopped = true;
    say("Stopping…");
    engine.stop();
  });
  page.share.addEventListener("click", () => void share());
  page.add.addEventListener("click", addFile);
  page.remove.addEventListener("click", removeFile);
  page.open.addEventListener("click", () => page.chosen.click());
  page.chosen.addEventListener("change", () => {
    const files = [...(page.chosen.files ?? [])];
    if (files.length > 0) void openFiles("opened", files);
    page.chosen.value = "";
  });
  page.gallery.addEventListener("change", () => {
    if (page.gallery.value === "") return;
    history.replaceState(null, "", `#gallery=${page.gallery.value}`);
    showEntry(page.gallery.value);
  });
  window.addEventListener("hashchange", () => void openAddress());
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer === null) return;
    void droppedFiles(event.dataTransfer).then((d) => openFiles(d.name, d.files));
  });
}

async function begin(): Promise<void> {
  setBusy(false);
  listen();
  try {
    groups = await loadGallery();
  } catch (e) {
    say(`The gallery cannot be loaded: ${messageOf(e)}`, "bad");
  }
  showGallery();
  await openAddress();
  try {
    await warmUp();
  } catch (e) {
    say(`pith cannot be loaded: ${messageOf(e)}`, "bad");
  }
}

void begin();
