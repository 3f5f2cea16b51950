// Files that were dropped on the page or chosen, as a task.
import { unpack } from "./fetch";
import { type SourceFile, safeName, type Task } from "./task";

const largest = 20_000_000;

async function textOf(file: File): Promise<SourceFile> {
  if (file.size > largest)
    throw new Error(`${file.name} is larger than 20 MB; the command itself takes any size`);
  const bytes = await unpack(new Uint8Array(await file.arrayBuffer()));
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith("SQLite format 3\0"))
    throw new Error(
      `${file.name} is an SQLite database, which this page cannot read; the installed command turns it into a text: pith convert FILE -o facts.pl`,
    );
  if (text.includes("\0")) throw new Error(`${file.name} is not a text`);
  return { name: safeName(file.name.replace(/\.gz$/, "")), text };
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((ok, bad) => (entry as FileSystemFileEntry).file(ok, bad))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside = await new Promise<FileSystemEntry[]>((ok, bad) => reader.readEntries(ok, bad));
  const direct = inside.filter((e) => e.isFile);
  return (await Promise.all(direct.map(filesIn))).flat();
}

// A folder gives its files, not those of the folders in it.
export async function droppedFiles(data: DataTransfer): Promise<{ name: string; files: File[] }> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return { name: "dropped", files: [...data.files] };
  const folder = entries.find((e) => e.isDirectory);
  const files = (await Promise.all(entries.map(filesIn))).flat();
  return { name: folder?.name ?? "dropped", files };
}

export async function taskOfFiles(name: string, files: File[]): Promise<Task> {
  if (files.length === 0) throw new Error("there is no file in it");
  const texts = await Promise.all(files.map(textOf));
  texts.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { name: safeName(name), files: texts, action: "learn", options: "", query: "" };
}
