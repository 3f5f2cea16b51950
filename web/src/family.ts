// A family drawn as one: a generation a row, couples side by side, children
// below their parents. What the relations are is read off their shape, never off
// their names: who has at most two parents, and who is whose only partner.
import { nameWidth, picture, svg } from "./dom";

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
const besidePartner = 44;
const besideOthers = 30;

const wideOf = (name: string): number => nameWidth(name) + 8;

const partnerOf = (family: Family, name: string): string | undefined =>
  family.couples.find((c) => c.includes(name))?.find((other) => other !== name);

// Siblings and those who married one of them, side by side: they are to stand
// below the middle of the parents.
interface Siblings {
  names: string[];
  wish: number | null;
}

function middleOf(places: Place[]): number | null {
  return places.length === 0 ? null : places.reduce((sum, p) => sum + p.x, 0) / places.length;
}

function siblingsIn(names: string[], family: Family, above: Map<string, Place>): Siblings[] {
  const groups: (Siblings & { key: string })[] = [];
  for (const name of names) {
    const of = family.parents.get(name) ?? [];
    const last = groups.at(-1);
    const before = last?.names.at(-1);
    const married = before !== undefined && partnerOf(family, before) === name;
    const key = [...of].sort().join("\n");
    if (last !== undefined && (married || (key !== "" && key === last.key))) last.names.push(name);
    else groups.push({ names: [name], key, wish: middleOf(of.flatMap((p) => above.get(p) ?? [])) });
  }
  return groups;
}

const gapAfter = (family: Family, name: string, next: string | undefined): number =>
  next !== undefined && partnerOf(family, name) === next ? besidePartner : besideOthers;

function placeRow(groups: Siblings[], family: Family, y: number, at: Map<string, Place>): void {
  let free = 16;
  for (const g of groups) {
    const gap = (i: number) => gapAfter(family, g.names[i] ?? "", g.names[i + 1]);
    const wide =
      g.names.reduce((sum, name, i) => sum + wideOf(name) + gap(i), 0) - gap(g.names.length - 1);
    let x = g.wish === null ? free : Math.max(free, g.wish - wide / 2);
    g.names.forEach((name, i) => {
      at.set(name, { x: x + wideOf(name) / 2, y });
      x += wideOf(name) + gap(i);
    });
    free = x;
  }
}

// Those without parents here are moved above their children, where there is room.
function placePeople(family: Family): { at: Map<string, Place>; width: number; height: number } {
  const rows = Math.max(...family.generation.values()) + 1;
  const at = new Map<string, Place>();
  const inRow = (row: number) =>
    [...family.generation].flatMap(([name, r]) => (r === row ? [name] : []));
  for (let row = 0; row < rows; row++) {
    const names = orderRow(inRow(row), family, at);
    placeRow(siblingsIn(names, family, at), family, 22 + row * rowHeight, at);
  }
  for (let row = rows - 2; row >= 0; row--) centreAbove(inRow(row), family, at);
  const left = Math.min(...[...at].map(([name, p]) => p.x - wideOf(name) / 2)) - 12;
  for (const p of at.values()) p.x -= left;
  const width = Math.max(...[...at].map(([name, p]) => p.x + wideOf(name) / 2)) + 12;
  return { at, width, height: rows * rowHeight - 30 };
}

// The whole row moves, so that nobody comes to stand upon another.
function centreAbove(names: string[], family: Family, at: Map<string, Place>): void {
  const shifts = [...family.parents].flatMap(([child, of]) => {
    const from = middleOf(of.filter((p) => names.includes(p)).flatMap((p) => at.get(p) ?? []));
    const to = at.get(child)?.x;
    return from === null || to === undefined ? [] : [to - from];
  });
  if (shifts.length === 0) return;
  const shift = shifts.reduce((a, b) => a + b, 0) / shifts.length;
  for (const name of names) {
    const p = at.get(name);
    if (p !== undefined) p.x += shift;
  }
}

// From the middle of the parents down, across, and down to the child. Each pair
// of parents has a height of its own, so that lines do not run into one.
function childLine(of: Place[], child: Place, level: number): SVGElement {
  const from = middleOf(of) ?? child.x;
  const top = Math.max(...of.map((p) => p.y)) + (of.length > 1 ? 0 : 10);
  const middle = child.y - 38 + 8 * (level % 3);
  return svg("path", { class: "edge", d: `M${from} ${top}V${middle}H${child.x}V${child.y - 16}` });
}

function coupleLine([a, b]: Pair, place: (name: string) => Place): SVGElement {
  const [l, r] = place(a).x < place(b).x ? [a, b] : [b, a];
  const [x1, x2, y] = [
    place(l).x + nameWidth(l) / 2 + 6,
    place(r).x - nameWidth(r) / 2 - 6,
    place(l).y,
  ];
  return svg("path", { class: "edge", d: `M${x1} ${y - 2}H${x2}M${x1} ${y + 2}H${x2}` });
}

export function drawFamily(family: Family, title: string): SVGSVGElement {
  const { at, width, height } = placePeople(family);
  const place = (name: string): Place => at.get(name) ?? { x: 0, y: 0 };
  const pairs = [...new Set([...family.parents.values()].map((of) => [...of].sort().join("\n")))];
  return picture(
    "forest",
    { width, height },
    title,
    family.couples.map((c) => coupleLine(c, place)),
    [...family.parents].map(([child, of]) =>
      childLine(of.map(place), place(child), pairs.indexOf([...of].sort().join("\n"))),
    ),
    [...at].map(([name, p]) =>
      svg("text", { class: "node", x: p.x, y: p.y + 5, "text-anchor": "middle" }, name),
    ),
  );
}
