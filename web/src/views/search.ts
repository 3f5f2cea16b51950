// Which spaces were searched, from small to large, and how much of each.
import { h, section } from "../dom";
import type { Result, Searched, Space } from "../events";
import { count, whole } from "../numbers";
import { languageWords } from "./verdict";

function languageOf(s: Space): string {
  const words = languageWords(s);
  return words === "" ? "plain clauses" : `with ${words}`;
}

interface Row {
  space: Space;
  tried: number | null; // clauses
}

// What was tried in a space is what had been tried when the next one began.
function rowsOf(searched: Searched[]): Row[] {
  return searched.flatMap((s, i): Row[] => {
    const after = searched[i + 1]?.tried;
    const tried = s.tried !== undefined && after !== undefined ? after - s.tried : null;
    return s.space === null || tried === 0 ? [] : [{ space: s.space, tried }];
  });
}

function row(x: Row, most: number, found: boolean): HTMLElement {
  const fill = h("span", { class: "bar-fill" });
  fill.style.width = `${((100 * (x.tried ?? 0)) / most).toFixed(1)}%`;
  return h(
    "tr",
    { class: found ? "found" : null },
    h("td", { class: "figure number" }, `${whole(x.space.number)} of ${whole(x.space.count)}`),
    h("th", { scope: "row" }, languageOf(x.space), found ? h("b", {}, " found here") : null),
    h("td", { class: "figure number" }, x.tried === null ? "–" : whole(x.tried)),
    h("td", { class: "bars" }, h("span", { class: "bar", "aria-hidden": "true" }, fill)),
  );
}

export function searchView(r: Result): HTMLElement | null {
  const rows = rowsOf(r.searched);
  if (rows.length === 0) return null;
  const all = rows.reduce((n, x) => n + (x.tried ?? 0), 0);
  const most = Math.max(1, ...rows.map((x) => x.tried ?? 0));
  const where = r.result?.space;
  const isFound = (s: Space) =>
    where !== undefined && s.number === where.number && s.noisy === where.noisy;
  return section(
    "Search",
    [
      `${count(all, "clause")} tried in ${count(rows.length, "space")}, the simplest first. `,
      "Spaces after the one with the rules were searched for something shorter; those in which nothing was to be tried are not listed.",
    ],
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Spaces searched" },
      h(
        "table",
        { class: "plain" },
        h("caption", { class: "unseen" }, "Spaces and the clauses tried in each"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col", class: "figure" }, "Space"),
            h("th", { scope: "col" }, "Clauses"),
            h("th", { scope: "col", class: "figure" }, "Tried"),
            h("td", {}),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((x) => row(x, most, isFound(x.space))),
        ),
      ),
    ),
  );
}
