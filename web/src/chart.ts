// Line charts with axes, in SVG. A chart is as wide as a narrow screen, or wider,
// and never drawn smaller than that, so that letters do not shrink.
import { newId, svg } from "./dom";
import { figure, ticks } from "./numbers";

export interface Line {
  points: [number, number | null][];
  kind: "main" | "other" | "guide";
}
export interface Chart {
  title: string;
  about: string;
  x: string;
  y: string;
  lines: Line[];
  logarithmic?: boolean;
  from?: number;
  mark?: { x: number; label: string };
}
export interface DrawnChart {
  element: SVGSVGElement;
  cursor(x: number): void;
}

const size = { height: 220, left: 52, right: 14, top: 26, bottom: 40 };
const wide = 480;
const narrow = 300;

function range(values: number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}

function logTicks(low: number, high: number): number[] {
  const out: number[] = [];
  for (let p = Math.floor(Math.log10(low)); p <= Math.ceil(Math.log10(high)); p++)
    for (const m of [1, 2, 5]) {
      const v = m * 10 ** p;
      if (v >= low * 0.999 && v <= high * 1.001) out.push(v);
    }
  return out.length > 6 ? out.filter((v) => /^1(e|0*$|$)|^0\.0*1$/.test(String(v))) : out;
}

export function drawChart(c: Chart): DrawnChart {
  const { height, left, right, top, bottom } = size;
  const width = window.innerWidth < wide + 80 ? narrow : wide;
  const all = c.lines.flatMap((l) => l.points);
  const ys = all.flatMap(([, y]) => (y === null ? [] : [y]));
  const [x0, x1] = range(all.map(([x]) => x));
  let [y0, y1] = range(ys);
  if (c.from !== undefined) y0 = Math.min(y0, c.from);
  if (c.logarithmic) y0 = Math.max(y0, y1 / 1e6, 1e-12);
  const toY = (v: number) => (c.logarithmic ? Math.log(Math.max(v, y0)) : v);
  const px = (x: number) => left + ((x - x0) / (x1 - x0)) * (width - left - right);
  const py = (y: number) =>
    height - bottom - ((toY(y) - toY(y0)) / (toY(y1) - toY(y0) || 1)) * (height - top - bottom);
  const path = (l: Line) => {
    let pen = "M";
    let d = "";
    for (const [x, y] of l.points) {
      if (y === null) pen = "M";
      else {
        d += `${pen}${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
        pen = "L";
      }
    }
    return d;
  };
  const byPowers = c.logarithmic ? logTicks(y0, y1) : [];
  const yTicks = byPowers.length > 1 ? byPowers : ticks(y0, y1, 4);
  const titleId = newId("chart");
  const cursor = svg("line", {
    class: "cursor",
    y1: top,
    y2: height - bottom,
    visibility: "hidden", // until it is put somewhere
  });
  const element = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": titleId },
    svg("title", { id: titleId }, `${c.title}. ${c.about}`),
    yTicks.map((v) => [
      svg("line", { class: "grid", x1: left, x2: width - right, y1: py(v), y2: py(v) }),
      svg("text", { class: "tick", x: left - 8, y: py(v) + 4, "text-anchor": "end" }, figure(v)),
    ]),
    ticks(x0, x1, 6).map((v) =>
      svg(
        "text",
        { class: "tick", x: px(v), y: height - bottom + 18, "text-anchor": "middle" },
        figure(v),
      ),
    ),
    svg("text", { class: "axis", x: width - right, y: height - 6, "text-anchor": "end" }, c.x),
    svg("text", { class: "axis", x: left, y: 11 }, c.y),
    c.lines.map((l) => svg("path", { class: `line ${l.kind}`, d: path(l) })),
    c.mark
      ? [
          svg("line", {
            class: "mark",
            x1: px(c.mark.x),
            x2: px(c.mark.x),
            y1: top,
            y2: height - bottom,
          }),
          svg(
            "text",
            {
              class: "tick strong",
              x: px(c.mark.x) + (px(c.mark.x) > width * 0.7 ? -6 : 6),
              y: top + 10,
              "text-anchor": px(c.mark.x) > width * 0.7 ? "end" : "start",
            },
            c.mark.label,
          ),
        ]
      : null,
    cursor,
  );
  element.style.minWidth = `${width}px`;
  return {
    element,
    cursor(x: number) {
      cursor.removeAttribute("visibility");
      cursor.setAttribute("x1", String(px(x)));
      cursor.setAttribute("x2", String(px(x)));
    },
  };
}
