// How a theory fits its examples, and how far probabilities can be trusted.
import { type Child, h, newId, section, svg } from "../dom";
import type { Bin, Ranks, RelationRanks, Result, Score } from "../events";
import { count, share, whole } from "../numbers";

function confusion(s: Score): HTMLElement {
  const cell = (n: number, what: string, wrong: boolean) =>
    h(
      "td",
      { class: wrong && n > 0 ? "figure wrong" : "figure" },
      h("span", { class: "big number" }, whole(n)),
      h("span", { class: "quiet" }, what),
    );
  return h(
    "table",
    { class: "confusion" },
    h("caption", { class: "unseen" }, "Examples by what was given and what follows"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        h("th", { scope: "col" }, "follows"),
        h("th", { scope: "col" }, "does not follow"),
      ),
    ),
    h(
      "tbody",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "row" }, "positive"),
        cell(s.tp, "right", false),
        cell(s.fn, "missed", true),
      ),
      h(
        "tr",
        {},
        h("th", { scope: "row" }, "negative"),
        cell(s.fp, "wrong", true),
        cell(s.tn, "right", false),
      ),
    ),
  );
}

export function figures(list: [string, string, string][]): HTMLElement {
  return h(
    "dl",
    { class: "figures" },
    list.map(([name, value, about]) =>
      h("div", { title: about }, h("dt", {}, name), h("dd", { class: "number" }, value)),
    ),
  );
}

// Predicted against observed. A dot's area is its count. The band is that of
// the events, or else where a share that the probability tells of would lie, 95
// times of 100.
export function calibrationPlot(bins: Bin[]): SVGSVGElement {
  const side = 260;
  const left = 44;
  const p = (v: number) => left + v * side;
  const q = (v: number) => 28 + (1 - v) * side;
  const used = bins.filter((b) => b.count > 0 && b.predicted !== null && b.observed !== null);
  const most = Math.max(1, ...used.map((b) => b.count));
  const spread = (b: Bin) =>
    1.96 * Math.sqrt(((b.predicted ?? 0) * (1 - (b.predicted ?? 0))) / b.count);
  const edge = (b: Bin, sign: number) =>
    (sign > 0 ? b.high : b.low) ?? (b.predicted ?? 0) + sign * spread(b);
  const side95 = (sign: number) =>
    used.map((b) => [b.predicted ?? 0, Math.min(1, Math.max(0, edge(b, sign)))]);
  const upper = side95(1);
  const lower = side95(-1);
  const band = [...upper, ...lower.reverse()]
    .map(([x, y]) => `${p(x ?? 0)},${q(y ?? 0)}`)
    .join(" ");
  const id = newId("plot");
  const grid = [0, 0.25, 0.5, 0.75, 1];
  return svg(
    "svg",
    {
      class: "plot",
      viewBox: `0 0 ${side + left + 16} ${side + 74}`,
      role: "img",
      "aria-labelledby": id,
    },
    svg(
      "title",
      { id },
      `Calibration: ${used.map((b) => `predicted ${share(b.predicted)}, observed ${share(b.observed)} of ${whole(b.count)}`).join("; ")}`,
    ),
    grid.map((v) => [
      svg("line", { class: "grid", x1: p(0), x2: p(1), y1: q(v), y2: q(v) }),
      svg("text", { class: "tick", x: left - 8, y: q(v) + 4, "text-anchor": "end" }, v),
      svg("text", { class: "tick", x: p(v), y: side + 46, "text-anchor": "middle" }, v),
    ]),
    used.length > 1 ? svg("polygon", { class: "band", points: band }) : null,
    svg("line", { class: "line guide", x1: p(0), y1: q(0), x2: p(1), y2: q(1) }),
    svg("polyline", {
      class: "line main",
      points: used.map((b) => `${p(b.predicted ?? 0)},${q(b.observed ?? 0)}`).join(" "),
    }),
    used.map((b) =>
      svg("circle", {
        class: "dot",
        cx: p(b.predicted ?? 0),
        cy: q(b.observed ?? 0),
        r: 3 + 6 * Math.sqrt(b.count / most),
      }),
    ),
    svg(
      "text",
      { class: "axis", x: p(1), y: side + 66, "text-anchor": "end" },
      "predicted probability",
    ),
    svg("text", { class: "axis", x: left, y: 14 }, "observed share"),
  );
}

function averagePrecision(v: number): [string, string, string] {
  return ["Average precision", v.toFixed(3), "Equal probabilities are taken together"];
}

function binTable(bins: Bin[]): HTMLElement {
  return h(
    "table",
    { class: "plain" },
    h("caption", { class: "unseen" }, "Predicted and observed by probability"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Predicted", "Observed", "Count"].map((t) =>
          h("th", { scope: "col", class: "figure" }, t),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      bins
        .filter((b) => b.count > 0)
        .map((b) =>
          h(
            "tr",
            {},
            [share(b.predicted), share(b.observed), whole(b.count)].map((t) =>
              h("td", { class: "figure number" }, t),
            ),
          ),
        ),
    ),
  );
}

function ranksTable(ranks: Ranks[]): HTMLElement {
  const three = (v: number | null) => (v === null ? "–" : v.toFixed(3));
  return h(
    "table",
    { class: "plain" },
    h("caption", { class: "unseen" }, "Ranks of held-out facts"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Asked for", "Questions", "MRR", "Hits@1", "Hits@3", "Hits@10", "Mean rank"].map((t, i) =>
          h("th", { scope: "col", class: i > 0 ? "figure" : null }, t),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      ranks.map((k) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, k.asked),
          [
            whole(k.questions),
            three(k.mrr),
            three(k.hits1),
            three(k.hits3),
            three(k.hits10),
            share(k.mean_rank),
          ].map((t) => h("td", { class: "figure number" }, t)),
        ),
      ),
    ),
  );
}

// By relation, the one with most questions first; a bar for each direction.
function relationRanksTable(ranks: RelationRanks[]): Child {
  if (ranks.length === 0) return null;
  const by = new Map<string, RelationRanks[]>();
  for (const k of ranks) by.set(k.relation, [...(by.get(k.relation) ?? []), k]);
  const asked = (list: RelationRanks[]) => list.reduce((n, k) => n + k.questions, 0);
  const cells = (k: RelationRanks | undefined) => {
    const fill = h("span", { class: "bar-fill" });
    fill.style.width = `${100 * (k?.mrr ?? 0)}%`;
    return [
      h("td", { class: "figure number" }, k?.mrr?.toFixed(3) ?? "–"),
      h("td", { class: "bars" }, h("span", { class: "bar", "aria-hidden": "true" }, fill)),
    ];
  };
  return [
    h("h3", {}, "MRR by relation"),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "MRR by relation" },
      h(
        "table",
        { class: "plain" },
        h("caption", { class: "unseen" }, "MRR by relation and by what is asked for"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Relation"),
            h("th", { scope: "col", class: "figure" }, "Questions"),
            h("th", { scope: "col", class: "figure" }, "MRR, object"),
            h("td", {}),
            h("th", { scope: "col", class: "figure" }, "MRR, subject"),
            h("td", {}),
          ),
        ),
        h(
          "tbody",
          {},
          [...by]
            .sort((a, b) => asked(b[1]) - asked(a[1]))
            .map(([name, list]) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, h("code", {}, name)),
                h("td", { class: "figure number" }, whole(asked(list))),
                cells(list.find((k) => k.asked === "object")),
                cells(list.find((k) => k.asked === "subject")),
              ),
            ),
        ),
      ),
    ),
  ];
}

function predictionsTable(r: Result): Child {
  if (r.predictions.length === 0) return null;
  const sorted = [...r.predictions].sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0));
  return h(
    "details",
    {},
    h("summary", {}, `The ${count(sorted.length, "prediction")}`),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Predictions" },
      h(
        "table",
        { class: "plain" },
        h("caption", { class: "unseen" }, "Predictions, the likeliest first"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Probability", "Given as", "Atom"].map((t) => h("th", { scope: "col" }, t)),
          ),
        ),
        h(
          "tbody",
          {},
          sorted
            .slice(0, 500)
            .map((p) =>
              h(
                "tr",
                {},
                h("td", { class: "number" }, share(p.probability)),
                h("td", {}, p.positive ? "true" : "false"),
                h("td", {}, h("code", {}, p.text)),
              ),
            ),
        ),
      ),
    ),
  );
}

export function scoreView(r: Result): HTMLElement | null {
  const s = r.score;
  if (s !== null)
    return section(
      "Score",
      null,
      h(
        "div",
        { class: "row" },
        confusion(s),
        figures([
          ["Accuracy", share(s.accuracy), "Share of examples that are right"],
          ["Precision", share(s.precision), "Of what follows, the share that is positive"],
          ["Recall", share(s.recall), "Of the positive examples, the share that follows"],
          ["F1", share(s.f1), "Harmonic mean of precision and recall"],
        ]),
      ),
    );
  if (r.start?.command !== "score" || (r.ranking === null && r.ranks.length === 0)) return null;
  const k = r.ranking;
  return section(
    "Score",
    null,
    r.ranks.length > 0
      ? h(
          "div",
          { class: "wide", tabindex: 0, role: "region", "aria-label": "Ranks" },
          ranksTable(r.ranks),
        )
      : null,
    relationRanksTable(r.relationRanks),
    k === null
      ? null
      : [
          figures([
            ...(typeof k.average_precision === "number"
              ? [averagePrecision(k.average_precision)]
              : []),
            [
              "Brier score",
              k.brier?.toFixed(3) ?? "–",
              "Mean squared difference of probability and truth",
            ],
            [
              "Calibration error",
              k.calibration_error?.toFixed(3) ?? "–",
              "Mean difference of predicted and observed",
            ],
          ]),
          k.bins ? h("div", { class: "row" }, calibrationPlot(k.bins), binTable(k.bins)) : null,
        ],
    predictionsTable(r),
  );
}
