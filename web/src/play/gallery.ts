// Tasks that come with pith: read from one file that ./dev web makes of data/.
import { fetchUnpacked } from "./fetch";
import type { Action, Task } from "./task";

export interface Entry {
  id: string;
  title: string;
  about: string;
  action: Action;
  options?: string;
  query?: string;
  files: [name: string, text: string][];
}

export interface Group {
  title: string;
  entries: Entry[];
}

export async function loadGallery(): Promise<Group[]> {
  const bytes = await fetchUnpacked("gallery.json.gz");
  return JSON.parse(new TextDecoder().decode(bytes)) as Group[];
}

export function taskOfEntry(e: Entry): Task {
  return {
    name: e.id,
    files: e.files.map(([name, text]) => ({ name, text })),
    action: e.action,
    options: e.options ?? "",
    query: e.query ?? "",
  };
}

export function findEntry(groups: Group[], id: string): Entry | undefined {
  return groups.flatMap((g) => g.entries).find((e) => e.id === id);
}
