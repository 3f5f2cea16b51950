// A task as it is edited: named texts, and what to do with them.

export type Action = "learn" | "compress" | "infer" | "explain";
export const actions: readonly Action[] = ["learn", "compress", "infer", "explain"];

export interface SourceFile {
  name: string;
  text: string;
}

export interface Task {
  name: string;
  files: SourceFile[];
  action: Action;
  options: string; // more options of learn and compress, as typed
  query: string; // an atom to explain, or a question
}

// The rules of an earlier result, for infer and explain.
export interface Learned {
  text: string;
  from: "learn" | "compress";
}

export interface Job {
  args: string[];
  files: Map<string, string>;
  shown: string; // the same as one would type it in a shell
}

const learnedName = "learned.pl";
export const reportName = "report.jsonl";
const templatesName = "templates.txt";

// A folder as learners know it: its parts have fixed names.
function isFolder(task: Task): boolean {
  return task.files.some((f) => f.name === "bk.pl" || f.name === "exs.pl");
}

// What begins with a dash would be taken for an option.
const operand = (path: string): string => (path.startsWith("-") ? `./${path}` : path);

// Options as typed, with quotes around what holds blanks.
export function splitOptions(text: string): string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function quoted(word: string): string {
  return /^[\w./=,:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function pathOf(task: Task, file: string): string {
  return isFolder(task) ? `${task.name}/${file}` : file;
}

function without(task: Task, ...names: string[]): string[] {
  return task.files.map((f) => f.name).filter((name) => !names.includes(name));
}

function operandsOf(task: Task, action: Action | "check"): string[] {
  if (!isFolder(task)) {
    const names = action === "check" ? without(task) : without(task, templatesName);
    return names.map(operand);
  }
  if (action === "compress") return [operand(pathOf(task, "bk.pl"))];
  const rest = without(task, "bk.pl", "exs.pl", "bias.pl", templatesName);
  const more = action === "learn" ? [] : rest.map((name) => operand(pathOf(task, name)));
  return [...more, operand(task.name)];
}

function templatesOf(task: Task, action: Action): string[] {
  const has = task.files.some((f) => f.name === templatesName);
  return has && !isFolder(task) && (action === "learn" || action === "compress")
    ? ["--templates", templatesName]
    : [];
}

// A theory that was compressed stands for its facts; learned rules add to them.
function theoryOf(task: Task, action: Action, learned: Learned | null): string[] {
  if (learned === null) return operandsOf(task, action);
  return learned.from === "compress" ? [learnedName] : [learnedName, ...operandsOf(task, action)];
}

export function isModel(learned: Learned | null): boolean {
  return learned !== null && /^pith_model\(/m.test(learned.text);
}

function inferArguments(task: Task, learned: Learned | null): string[] {
  const theory = theoryOf(task, "infer", learned);
  if (isModel(learned))
    return ["--top", "10", "--explain", "--report", reportName, ...theory, task.query];
  const query = task.query === "" ? [] : ["--query", task.query];
  return ["--format", "json", ...query, ...theory];
}

function argumentsOf(task: Task, action: Action, learned: Learned | null): string[] {
  switch (action) {
    case "learn":
    case "compress":
      return ["--report", reportName, ...templatesOf(task, action), ...operandsOf(task, action)];
    case "infer":
      return inferArguments(task, learned);
    case "explain":
      return ["--report", reportName, task.query, ...theoryOf(task, action, learned)];
  }
}

// What only the page needs is not shown.
function shownCommand(args: string[]): string {
  const pairs = ["--report", "--format"];
  const words = args.filter(
    (word, i) => !pairs.includes(word) && !pairs.includes(args[i - 1] ?? ""),
  );
  return ["pith", ...words.map(quoted)].join(" ");
}

function filesOf(task: Task, learned: Learned | null): Map<string, string> {
  const files = new Map(task.files.map((f) => [pathOf(task, f.name), f.text]));
  if (learned !== null) files.set(learnedName, learned.text);
  return files;
}

export function jobOf(task: Task, action: Action, learned: Learned | null): Job {
  const learns = action === "learn" || action === "compress";
  const options = learns ? splitOptions(task.options) : [];
  const args = [action, ...options, ...argumentsOf(task, action, learned)];
  return {
    args: learns ? [...args, "--progress", "on"] : args,
    files: filesOf(task, learned),
    shown: shownCommand(args),
  };
}

export function checkOf(task: Task): Job {
  const args = ["check", ...operandsOf(task, "check")];
  return { args, files: filesOf(task, null), shown: shownCommand(args) };
}

// A name that no path can be made of becomes one.
export function safeName(name: string): string {
  const plain = name.replace(/[/\\\0]/g, "-").trim();
  return plain === "" || plain === "." || plain === ".." ? "file.pl" : plain.slice(0, 100);
}
