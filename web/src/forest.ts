// Trees drawn as trees: a relation whose every member has one parent at most,
// such as a taxonomy. The root is on the left, so that names have room.
import { nameWidth, picture, svg } from "./dom";

export interface Tree {
  name: string;
  children: Tree[];
}

// child -> parent, as is_a(child, parent) has it; or parent -> child, whichever
// makes a forest. null: neither does.
export function forestOf(edges: [string, string][]): Tree[] | null {
  return treesOf(edges) ?? treesOf(edges.map(([a, b]): [string, string] => [b, a]));
}

function treesOf(edges: [string, string][]): Tree[] | null {
  const parent = new Map<string, string>();
  const children = new Map<string, string[]>();
  for (const [child, up] of edges) {
    if (parent.has(child) || child === up) return null;
    parent.set(child, up);
    children.set(up, [...(children.get(up) ?? []), child]);
  }
  const roots = [...children.keys()].filter((name) => !parent.has(name));
  let reached = 0;
  const build = (name: string): Tree => {
    reached += 1;
    return { name, children: (children.get(name) ?? []).map(build) };
  };
  const trees = roots.map(build);
  return reached === edges.length + roots.length && roots.length > 0 ? trees : null;
}

const line = 24;

export function drawForest(trees: Tree[], title: string): SVGSVGElement {
  const width = (name: string) => nameWidth(name) + 10;
  const columns: number[] = [];
  const measure = (t: Tree, depth: number) => {
    columns[depth] = Math.max(columns[depth] ?? 0, width(t.name));
    for (const c of t.children) measure(c, depth + 1);
  };
  for (const t of trees) measure(t, 0);
  const x = (depth: number) => columns.slice(0, depth).reduce((sum, w) => sum + w + 36, 4);
  const parts: SVGElement[] = [];
  let row = 0;
  const place = (t: Tree, depth: number): number => {
    const ys = t.children.map((c) => place(c, depth + 1));
    const y = ys.length > 0 ? ((ys[0] ?? 0) + (ys.at(-1) ?? 0)) / 2 : line * row++ + line / 2;
    const right = x(depth) + width(t.name);
    const middle = x(depth + 1) - 18;
    for (const to of ys)
      parts.push(
        svg("path", {
          class: "edge",
          d: `M${right} ${y}C${middle} ${y} ${middle} ${to} ${x(depth + 1) - 4} ${to}`,
        }),
      );
    parts.push(svg("text", { class: "node", x: x(depth), y: y + 5 }, t.name));
    return y;
  };
  for (const t of trees) place(t, 0);
  const size = { width: x(columns.length), height: row * line + 8 };
  return picture("forest", size, title, parts);
}
