// Facts that follow, by predicate.
import { h, section } from "../dom";
import type { Result } from "../events";
import { count } from "../numbers";

const most = 300; // of one predicate

export function factsView(r: Result): HTMLElement | null {
  if (r.facts.length === 0) return null;
  const by = new Map<string, string[]>();
  for (const f of r.facts) {
    const key = `${f.predicate}/${f.args.length}`;
    by.set(key, [...(by.get(key) ?? []), f.text]);
  }
  return section(
    "Facts",
    "In the order in which they were derived.",
    [...by].map(([predicate, texts]) => [
      h(
        "h3",
        {},
        h("code", {}, predicate),
        h("span", { class: "quiet" }, ` ${count(texts.length, "fact")}`),
      ),
      h(
        "ul",
        { class: "facts" },
        texts.slice(0, most).map((text) => h("li", {}, h("code", {}, text))),
      ),
      texts.length > most
        ? h("p", { class: "more" }, `and ${count(texts.length - most, "fact")} more`)
        : null,
    ]),
  );
}
