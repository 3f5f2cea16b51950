// A task in a link: everything behind "#", which browsers send to nobody. The
// number in front is the version; links of all versions are read for good.
import { actions, safeName, type Task } from "./task";

const mark = "#task=1.";
const longest = 4_000_000; // of the text that a link may unfold to

async function through(bytes: Uint8Array, by: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(by);
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value as Uint8Array);
    size += (value as Uint8Array).length;
    if (size > longest) {
      await reader.cancel();
      throw new Error("the task in the link is too large");
    }
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192)
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0));
}

export async function fragmentOf(task: Task): Promise<string> {
  const kept = {
    name: task.name,
    files: task.files.map((f) => [f.name, f.text]),
    action: task.action,
    options: task.options,
    query: task.query,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(kept));
  return mark + toBase64(await through(bytes, new CompressionStream("deflate-raw")));
}

const isText = (x: unknown): x is string => typeof x === "string";

// Whoever made the link is not to be trusted: every part is looked at.
function taskIn(kept: unknown): Task {
  if (typeof kept !== "object" || kept === null) throw new Error("there is no task in it");
  const { name, files, action, options, query } = kept as Record<string, unknown>;
  if (!Array.isArray(files) || files.length === 0 || files.length > 100)
    throw new Error("there is no task in it");
  return {
    name: safeName(isText(name) ? name : "task"),
    files: files.map((pair) => {
      if (!Array.isArray(pair) || !isText(pair[0]) || !isText(pair[1]))
        throw new Error("a file in it is damaged");
      return { name: safeName(pair[0]), text: pair[1] };
    }),
    action: actions.find((a) => a === action) ?? "learn",
    options: isText(options) ? options : "",
    query: isText(query) ? query : "",
  };
}

// null: the fragment holds no task.
export async function taskInFragment(fragment: string): Promise<Task | null> {
  if (!fragment.startsWith("#task=")) return null;
  if (!fragment.startsWith(mark)) throw new Error("it was made by a newer version of this page");
  const packed = fromBase64(fragment.slice(mark.length));
  const bytes = await through(packed, new DecompressionStream("deflate-raw"));
  return taskIn(JSON.parse(new TextDecoder().decode(bytes)));
}
