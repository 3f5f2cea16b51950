// What holds after each step, all rules being applied at once: for small worlds.
import { type Child, h, newId, section } from "../dom";
import type { Result, Valuation } from "../events";
import { termText } from "../logic";
import { count } from "../numbers";

const widest = 24; // constants that a grid has room for

interface Grid {
  key: string;
  rows: string[]; // of a unary predicate one, without a name
  columns: string[];
  step: Map<string, number>; // by row and column
}

const cellKey = (row: string, column: string): string => JSON.stringify([row, column]);

// Numbers by value, names by the alphabet.
function inOrder(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
}

function gridOf(key: string, atoms: Valuation[]): Grid | null {
  const arity = atoms[0]?.args.length ?? 0;
  if (arity < 1 || arity > 2) return null;
  const place = (v: Valuation, i: number) => termText(v.args[i] ?? "");
  const rows = arity === 1 ? [""] : inOrder(atoms.map((v) => place(v, 0)));
  const columns = inOrder(atoms.map((v) => place(v, arity - 1)));
  if (rows.length > widest || columns.length > widest) return null;
  const step = new Map(
    atoms.map((v) => [cellKey(arity === 1 ? "" : place(v, 0), place(v, arity - 1)), v.step]),
  );
  return { key, rows, columns, step };
}

function cell(g: Grid, row: string, column: string, now: number): HTMLElement {
  const step = g.step.get(cellKey(row, column));
  const state =
    step === undefined ? "never" : step > now ? "later" : step === now ? "new" : "holds";
  const words = { never: "", later: "not yet", new: "new", holds: "holds" }[state];
  return h("td", { class: `cell ${state}` }, h("span", { class: "unseen" }, words));
}

function drawGrid(g: Grid, now: number): HTMLElement {
  const binary = g.rows.length > 1 || g.rows[0] !== "";
  return h(
    "table",
    { class: "valuation" },
    h("caption", {}, h("code", {}, g.key)),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        binary ? h("td", {}) : null,
        g.columns.map((c) => h("th", { scope: "col" }, h("code", {}, c))),
      ),
    ),
    h(
      "tbody",
      {},
      g.rows.map((row) =>
        h(
          "tr",
          {},
          binary ? h("th", { scope: "row" }, h("code", {}, row)) : null,
          g.columns.map((column) => cell(g, row, column, now)),
        ),
      ),
    ),
  );
}

function drawList(key: string, atoms: Valuation[], now: number): HTMLElement {
  const holding = atoms.filter((v) => v.step <= now);
  return h(
    "div",
    {},
    h("h3", {}, h("code", {}, key)),
    h("p", {}, holding.length === 0 ? "Nothing yet." : holding.map((v) => v.text).join(", ")),
  );
}

function byPredicate(atoms: Valuation[]): Map<string, Valuation[]> {
  const groups = new Map<string, Valuation[]>();
  for (const v of atoms) {
    const key = `${v.predicate}/${v.args.length}${v.world ? ` in ${v.world}` : ""}`;
    groups.set(key, [...(groups.get(key) ?? []), v]);
  }
  return groups;
}

export function valuationsView(r: Result): HTMLElement | null {
  const last = Math.max(0, ...r.valuations.map((v) => v.step));
  if (last < 2) return null; // one step has nothing to move through
  const groups = [...byPredicate(r.valuations)].map(([key, atoms]) => ({
    key,
    atoms,
    grid: gridOf(key, atoms),
  }));
  const drawn = h("div", {
    class: "wide valuations",
    tabindex: 0,
    role: "region",
    "aria-label": "What holds",
  });
  const said = h("output", { class: "number" });
  const show = (now: number) => {
    const parts: Child[] = groups.map((g) =>
      g.grid === null ? drawList(g.key, g.atoms, now) : drawGrid(g.grid, now),
    );
    drawn.replaceChildren(...parts.filter((p): p is HTMLElement => p instanceof Node));
    const holds = r.valuations.filter((v) => v.step <= now).length;
    said.textContent = `${now} of ${last}: ${count(holds, "derived fact")}`;
  };
  const id = newId("step");
  const slider = h("input", {
    id,
    type: "range",
    min: 0,
    max: last,
    value: last,
    input: () => show(Number(slider.value)),
  });
  show(last);
  return section(
    "Step by step",
    "All rules are applied at once, again and again. Dark: new in this step; pale: from a step before; a frame: it follows later.",
    h("div", { class: "slider" }, h("label", { for: id }, "Step"), slider, said),
    drawn,
  );
}
