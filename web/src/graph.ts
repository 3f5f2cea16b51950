// A small graph laid out by springs. It starts on a circle and takes a fixed
// number of steps, so that the same graph is always the same picture.
import { newId, picture, svg } from "./dom";

interface Point {
  x: number;
  y: number;
}

function layout(n: number, edges: [number, number][], width: number, height: number): Point[] {
  const at = [...Array(n).keys()].map((i) => ({
    x: width / 2 + (width / 3) * Math.cos((2 * Math.PI * i) / n),
    y: height / 2 + (height / 3) * Math.sin((2 * Math.PI * i) / n),
  }));
  const ideal = 0.9 * Math.sqrt((width * height) / Math.max(n, 1));
  const steps = 300;
  for (let step = 0; step < steps; step++) {
    const move = at.map(() => ({ x: 0, y: 0 }));
    const push = (i: number, j: number, force: (d: number) => number) => {
      const a = at[i] as Point;
      const b = at[j] as Point;
      const dx = a.x - b.x || 0.01 * (i - j);
      const dy = a.y - b.y;
      const d = Math.max(1, Math.hypot(dx, dy));
      const f = force(d) / d;
      const [mi, mj] = [move[i] as Point, move[j] as Point];
      mi.x += dx * f;
      mi.y += dy * f;
      mj.x -= dx * f;
      mj.y -= dy * f;
    };
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) push(i, j, (d) => (ideal * ideal) / d);
    for (const [i, j] of edges) if (i !== j) push(i, j, (d) => (-d * d) / ideal);
    const heat = 0.1 * width * (1 - step / steps);
    at.forEach((p, i) => {
      const m = move[i] as Point;
      const d = Math.max(1, Math.hypot(m.x, m.y));
      p.x = Math.min(width - 50, Math.max(50, p.x + (m.x / d) * Math.min(d, heat)));
      p.y = Math.min(height - 20, Math.max(20, p.y + (m.y / d) * Math.min(d, heat)));
    });
  }
  return at;
}

export function drawGraph(pairs: [string, string][], title: string): SVGSVGElement {
  const names = [...new Set(pairs.flat())];
  const number = new Map(names.map((name, i) => [name, i]));
  const edges = pairs.map(([a, b]): [number, number] => [number.get(a) ?? 0, number.get(b) ?? 0]);
  const width = 900;
  const height = Math.max(220, Math.min(620, 60 * Math.sqrt(names.length * 4)));
  const at = layout(names.length, edges, width, height);
  const arrow = newId("arrow");
  return picture(
    "network",
    { width, height },
    title,
    svg(
      "defs",
      {},
      svg(
        "marker",
        {
          id: arrow,
          viewBox: "0 0 8 8",
          refX: 18,
          refY: 4,
          markerWidth: 7,
          markerHeight: 7,
          orient: "auto",
        },
        svg("path", { class: "arrow", d: "M0 0L8 4L0 8z" }),
      ),
    ),
    edges.map(([i, j]) => {
      const a = at[i] as Point;
      const b = at[j] as Point;
      return svg("line", {
        class: "edge",
        x1: a.x.toFixed(1),
        y1: a.y.toFixed(1),
        x2: b.x.toFixed(1),
        y2: b.y.toFixed(1),
        "marker-end": `url(#${arrow})`,
      });
    }),
    names.map((name, i) => {
      const p = at[i] as Point;
      return [
        svg("circle", { class: "node-dot", cx: p.x.toFixed(1), cy: p.y.toFixed(1), r: 4 }),
        svg(
          "text",
          {
            class: "node halo",
            x: p.x.toFixed(1),
            y: (p.y - 9).toFixed(1),
            "text-anchor": "middle",
          },
          name,
        ),
      ];
    }),
  );
}
