// A family drawn as one: a generation a row, couples side by side, children
// below their parents. What the relations are is read off their shape, never off
// their names: who has at most two parents, and who is whose only partner.
import { clean, newId, svg } from "./dom";

export type Pair = [string, string];

export interface Family {
  parents: Map<string, string[]>; // of each child, one or two
  couples: Pair[];
  generation: Map<string, number>;
}

// Each has one partner at most, on both sides.
function isOneToOne(pairs: Pair[]): boolean {
  const left = new Set(pairs.map(([a]) => a));
  const right = new Set(pairs.map(([, b]) => b));
  return left.size === pairs.length && right.size === pairs.length;
}

function parentsOf(pairs: Pair[]): Map<string, string[]> | null {
  const parents = new Map<string, string[]>();
  for (const [parent, child] of pairs) {
    const known = parents.get(child) ?? [];
    if (known.includes(parent)) continue;
    if (known.length === 2 || parent === child) return null;
    parents.set(child, [...known, parent]);
  }
  return parents;
}

// Partners stand in one row, children at least one below their parents; null
// where that cannot be.
function generationsOf(
  people: string[],
  parents: Map<string, string[]>,
  couples: Pair[],
): Map<string, number> | null {
  const row = new Map(people.map((name) => [name, 0]));
  for (let round = 0; round <= people.length; round++) {
    let changed = false;
    const lower = (name: string, to: number) => {
      if ((row.get(name) ?? 0) >= to) return;
      row.set(name, to);
      changed = true;
    };
    for (const [child, of] of parents)
      for (const parent of of) lower(child, (row.get(parent) ?? 0) + 1);
    for (const [a, b] of couples) {
      lower(a, row.get(b) ?? 0);
      lower(b, row.get(a) ?? 0);
    }
    if (!changed) return row;
  }
  return null; // somebody would be an ancestor of themselves
}

function familyOf(down: Pair[], couples: Pair[]): Family | null {
  const parents = parentsOf(down);
  if (parents === null) return null;
  const people = [...new Set([...down, ...couples].flat())];
  const generation = generationsOf(people, parents, couples);
  return generation === null ? null : { parents, couples, generation };
}

const turned = (pairs: Pair[]): Pair[] => pairs.map(([a, b]): Pair => [b, a]);

// How much like a family it is: the two parents of a child are a couple. Upside
// down, or with relations that lead elsewhere, they are not.
function likeness(f: Family): number {
  const isCouple = ([a, b]: string[]): boolean =>
    f.couples.some((c) => c.includes(a ?? "") && c.includes(b ?? ""));
  let sum = 0;
  for (const of of f.parents.values()) if (of.length === 2) sum += isCouple(of) ? 1 : -1;
  return sum;
}

function withCouples(couples: Pair[], more: Pair[]): Pair[] {
  const known = new Set(couples.map((c) => JSON.stringify([...c].sort())));
  return [...couples, ...more.filter((c) => !known.has(JSON.stringify([...c].sort())))];
}

// Each relation joins partners, leads from parents to children, or back; where it
// can do none of these, it says something else. The likeliest reading counts.
function readFamily(relations: Pair[][], down: Pair[], couples: Pair[]): Family | null {
  const family = familyOf(down, couples);
  const [pairs, ...rest] = relations;
  if (family === null || pairs === undefined) return family;
  const readings = [
    isOneToOne(pairs) ? readFamily(rest, down, withCouples(couples, pairs)) : null,
    readFamily(rest, [...down, ...pairs], couples),
    readFamily(rest, [...down, ...turned(pairs)], couples),
  ].flatMap((f) => f ?? []);
  const best = readings.sort((a, b) => likeness(b) - likeness(a))[0];
  return best ?? readFamily(rest, down, couples);
}

const relationsAtMost = 6; // the readings are tried one by one
const pairsAtMost = 200;

// null: this is not a family.
export function findFamily(relations: Pair[][]): Family | null {
  const pairs = relations.reduce((n, r) => n + r.length, 0);
  if (relations.length > relationsAtMost || pairs > pairsAtMost) return null;
  const family = readFamily(relations, [], []);
  return family !== null && likeness(family) > 0 ? family : null;
}

interface Place {
  x: number;
  y: number;
}

// The people of a row from left to right: below their parents, partners together.
function orderRow(names: string[], family: Family, above: Map<string, Place>): string[] {
  const wish = (name: string): number => {
    const xs = (family.parents.get(name) ?? []).flatMap((p) => above.get(p)?.x ?? []);
    return xs.length > 0 ? xs.reduce((a, b) => a + b, 0) / xs.length : Number.POSITIVE_INFINITY;
  };
  const sorted = [...names].sort((a, b) => wish(a) - wish(b) || (a < b ? -1 : 1));
  const out: string[] = [];
  for (const name of sorted) {
    if (out.includes(name)) continue;
    const pair = family.couples.find((c) => c.includes(name));
    const partner = pair?.find((other) => other !== name);
    out.push(name);
    if (partner !== undefined && names.includes(partner) && !out.includes(partner))
      out.push(partner);
  }
  return out;
}

const rowHeight = 84;

function placePeople(family: Family): { at: Map<string, Place>; width: number; height: number } {
  const rows = Math.max(...family.generation.values()) + 1;
  const at = new Map<string, Place>();
  let width = 0;
  for (let row = 0; row < rows; row++) {
    const names = [...family.generation].flatMap(([name, r]) => (r === row ? [name] : []));
    let x = 16;
    for (const name of orderRow(names, family, at)) {
      const wide = 8.2 * [...clean(name)].length + 8;
      at.set(name, { x: x + wide / 2, y: 22 + row * rowHeight });
      x += wide + 44;
    }
    width = Math.max(width, x - 28);
  }
  for (let row = 0; row < rows; row++) centreRow(family, at, row, width);
  return { at, width, height: rows * rowHeight - 30 };
}

function centreRow(family: Family, at: Map<string, Place>, row: number, width: number): void {
  const places = [...family.generation].flatMap(([name, r]) =>
    r === row ? [at.get(name) as Place] : [],
  );
  const xs = places.map((p) => p.x);
  const shift = (width - Math.min(...xs) - Math.max(...xs)) / 2;
  for (const p of places) p.x += shift;
}

// From the middle of the parents down, across, and down to the child.
function childLine(of: Place[], child: Place): SVGElement {
  const from = of.reduce((sum, p) => sum + p.x, 0) / of.length;
  const top = Math.max(...of.map((p) => p.y)) + (of.length > 1 ? 0 : 10);
  const middle = child.y - 34;
  return svg("path", { class: "edge", d: `M${from} ${top}V${middle}H${child.x}V${child.y - 16}` });
}

export function drawFamily(family: Family, title: string): SVGSVGElement {
  const { at, width, height } = placePeople(family);
  const place = (name: string): Place => at.get(name) ?? { x: 0, y: 0 };
  const id = newId("family");
  const half = (name: string): number => 4.1 * [...clean(name)].length + 6;
  return svg(
    "svg",
    {
      class: "forest",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-labelledby": id,
    },
    svg("title", { id }, title),
    family.couples.map(([a, b]) => {
      const [l, r] = place(a).x < place(b).x ? [a, b] : [b, a];
      const [x1, x2, y] = [place(l).x + half(l), place(r).x - half(r), place(l).y];
      return svg("path", { class: "edge", d: `M${x1} ${y - 2}H${x2}M${x1} ${y + 2}H${x2}` });
    }),
    [...family.parents].map(([child, of]) => childLine(of.map(place), place(child))),
    [...at].map(([name, p]) =>
      svg("text", { class: "node", x: p.x, y: p.y + 5, "text-anchor": "middle" }, name),
    ),
  );
}
