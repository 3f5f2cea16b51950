// A graph model at a glance: its relations and how many rules speak for each.
import { drawChart } from "../chart";
import { type Child, h, section } from "../dom";
import type { Figures, Result } from "../events";
import { share, whole } from "../numbers";
import { figures } from "./score";

export function modelView(r: Result): HTMLElement | null {
  const f = r.result;
  if (r.start?.command !== "learn" || f?.method === undefined) return null;
  const n = (key: string) => (typeof f[key] === "number" ? whole(f[key]) : "–");
  const list: [string, string, string][] = [
    ["Entities", n("entities"), "Constants of the graph"],
    ["Relations", n("relations"), "Kinds of links"],
    ["Facts", n("facts"), "Links that are given"],
    ["Rules", n("rules"), "In the model"],
  ];
  if (typeof f.mrr === "number")
    list.push(["MRR", share(f.mrr), "Mean reciprocal rank on hidden facts"]);
  return section("Model", null, figures(list), sizesChart(f), relationTable(r));
}

// How the MRR on held-out facts grows with the rules, few of which may do.
function sizesChart(f: Figures): Child {
  const sizes = f.sizes ?? [];
  if (sizes.length < 2 || typeof f.rules !== "number") return null;
  const kept = f.rules;
  const chart = drawChart({
    title: "MRR by number of rules",
    about: `From ${whole(sizes[0]?.rules ?? 0)} to ${whole(sizes.at(-1)?.rules ?? 0)} rules; the model has ${whole(kept)}.`,
    x: "rules",
    y: "MRR of held-out facts",
    lines: [{ points: sizes.map((s): [number, number | null] => [s.rules, s.mrr]), kind: "main" }],
  });
  return h("div", { class: "charts" }, chart.element);
}

function relationTable(r: Result): HTMLElement | null {
  if (r.relations.length === 0) return null;
  const most = Math.max(1, ...r.relations.map((x) => x.rules));
  const row = (x: { name: string; facts: number; rules: number }) => {
    const fill = h("span", { class: "bar-fill" });
    fill.style.width = `${(100 * x.rules) / most}%`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("code", {}, x.name)),
      h("td", { class: "figure number" }, whole(x.facts)),
      h("td", { class: "figure number" }, whole(x.rules)),
      h("td", { class: "bars" }, h("span", { class: "bar", "aria-hidden": "true" }, fill)),
    );
  };
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Relations" },
    h(
      "table",
      { class: "plain" },
      h("caption", { class: "unseen" }, "Relations with their facts and rules"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Relation"),
          h("th", { scope: "col", class: "figure" }, "Facts"),
          h("th", { scope: "col", class: "figure" }, "Rules"),
          h("td", {}),
        ),
      ),
      h("tbody", {}, [...r.relations].sort((a, b) => b.rules - a.rules).map(row)),
    ),
  );
}
