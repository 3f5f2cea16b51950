// How compress came to its theory: its length stage by stage, the loss of what
// was trained, and where the restarts ended.
import { drawChart, type Line } from "../chart";
import { type Child, h, section } from "../dom";
import type { History, Restart, Result } from "../events";
import { count, figure, whole } from "../numbers";

type Point = [number, number | null];

function lengthChart(stages: History[]): SVGSVGElement {
  return drawChart({
    title: "Description length by stage",
    about: `From ${figure(stages[0]?.bits)} to ${figure(stages.at(-1)?.bits)} bits.`,
    x: "stage",
    y: "bits",
    from: 0,
    lines: [{ points: stages.map((s, i): Point => [i + 1, s.bits]), kind: "main" }],
  }).element;
}

function factsChart(stages: History[]): SVGSVGElement {
  return drawChart({
    title: "Core facts by stage",
    about: `From ${whole(stages[0]?.core ?? 0)} to ${whole(stages.at(-1)?.core ?? 0)}.`,
    x: "stage",
    y: "core facts",
    from: 0,
    lines: [{ points: stages.map((s, i): Point => [i + 1, s.core]), kind: "main" }],
  }).element;
}

// One line for each group of restarts that were trained side by side.
function lossChart(trained: History[]): Child {
  const groups = new Map<number, Point[]>();
  for (const s of trained) {
    const key = s.restarts_done ?? 0;
    groups.set(key, [...(groups.get(key) ?? []), [s.epoch ?? 0, s.loss ?? null]]);
  }
  const lines = [...groups.values()].map((points): Line => ({ points, kind: "main" }));
  return drawChart({
    title: "Loss over epochs",
    about: `With noise, as it is trained; the least of each group of restarts that were trained side by side; ${count(lines.length, "group")}.`,
    x: "epoch",
    y: "least loss",
    logarithmic: true,
    lines,
  }).element;
}

function stagesList(stages: History[]): HTMLElement {
  const cell = (text: string) => h("td", { class: "figure number" }, text);
  return h(
    "details",
    {},
    h("summary", {}, `The ${count(stages.length, "stage")}`),
    h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "Stages" },
      h(
        "table",
        { class: "plain" },
        h("caption", { class: "unseen" }, "The best theory where each stage begins"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Stage"),
            ["Core facts", "Rules", "Bits"].map((t) =>
              h("th", { scope: "col", class: "figure" }, t),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          stages.map((s, i) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, `${i + 1}. ${s.phase}`),
              cell(whole(s.core)),
              cell(whole(s.rules)),
              cell(whole(s.bits ?? 0)),
            ),
          ),
        ),
      ),
    ),
  );
}

// Restarts that ended alike are one row.
function restartsTable(restarts: Restart[]): Child {
  if (restarts.length === 0) return null;
  const ends = new Map<string, { r: Restart; n: number; loss: number }>();
  for (const r of restarts) {
    const key = `${r.extra + r.missing} ${r.core}`;
    const known = ends.get(key) ?? { r, n: 0, loss: Number.POSITIVE_INFINITY };
    ends.set(key, { r, n: known.n + 1, loss: Math.min(known.loss, r.loss ?? known.loss) });
  }
  const wrong = (r: Restart) => r.extra + r.missing;
  const sorted = [...ends.values()].sort((a, b) => wrong(a.r) - wrong(b.r) || a.r.core - b.r.core);
  const most = Math.max(...sorted.map((e) => e.n));
  return [
    h("h3", {}, "Where the restarts ended"),
    h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "Restarts" },
      h(
        "table",
        { class: "plain" },
        h("caption", { class: "unseen" }, "Restarts by the theory that they ended in"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Core facts", "Wrong facts", "Least loss", "Restarts"].map((t) =>
              h("th", { scope: "col", class: "figure" }, t),
            ),
            h("td", {}),
          ),
        ),
        h(
          "tbody",
          {},
          sorted.slice(0, 20).map((e) => {
            const fill = h("span", { class: "bar-fill" });
            fill.style.width = `${(100 * e.n) / most}%`;
            return h(
              "tr",
              {},
              [whole(e.r.core), whole(wrong(e.r)), figure(e.loss), whole(e.n)].map((t) =>
                h("td", { class: "figure number" }, t),
              ),
              h("td", { class: "bars" }, h("span", { class: "bar", "aria-hidden": "true" }, fill)),
            );
          }),
        ),
      ),
    ),
  ];
}

export function historyView(r: Result): HTMLElement | null {
  const stages = r.history.filter((s) => s.epoch === undefined);
  const trained = r.history.filter((s) => s.epoch !== undefined);
  if (stages.length < 2 && trained.length === 0) return null;
  return section(
    "How it was found",
    "The best theory so far, as the search goes on.",
    h(
      "div",
      { class: "charts" },
      stages.length > 1 ? [lengthChart(stages), factsChart(stages)] : null,
      trained.length > 1 ? lossChart(trained) : null,
    ),
    stages.length > 1 ? stagesList(stages) : null,
    restartsTable(r.restarts),
  );
}
