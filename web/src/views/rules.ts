// The rules, each in words and in logic, with what speaks for it.
import { type Child, h, section, svg } from "../dom";
import type { Result, Rule } from "../events";
import { plainText, ruleElement } from "../logic";
import { count, percent, share, whole } from "../numbers";

// What the interval is about. The confidence of a graph's rule is less, as it
// counts on a few failures more.
function observedShare(r: Rule): number | null {
  if (typeof r.confidence_low === "number" && r.support !== undefined && r.predictions)
    return r.support / r.predictions;
  return r.confidence ?? r.probability ?? null;
}

// A share with its credible interval: a dot on a line from 0 to 1.
function intervalPicture(r: Rule): Child {
  const { confidence_low: low, confidence_high: high } = r;
  const c = observedShare(r);
  if (c === null || typeof low !== "number") return null;
  const x = (v: number) => 4 + 112 * v;
  return svg(
    "svg",
    { class: "interval", viewBox: "0 0 120 14", width: 120, height: 14, "aria-hidden": "true" },
    svg("line", { class: "scale", x1: x(0), x2: x(1), y1: 7, y2: 7 }),
    svg("line", { class: "span", x1: x(low), x2: x(high ?? 1), y1: 7, y2: 7 }),
    svg("circle", { class: "dot", cx: x(c), cy: 7, r: 3.5 }),
  );
}

function confidenceCell(r: Rule): Child {
  if (r.support === 0 && r.head_coverage === null) return h("span", { class: "quiet" }, "invented");
  const low = r.confidence_low;
  const high = r.confidence_high;
  return [
    h("span", { class: "number" }, share(observedShare(r))),
    typeof low === "number" && typeof high === "number"
      ? h("span", { class: "quiet number" }, ` ${share(low)} to ${share(high)}`)
      : null,
    intervalPicture(r),
  ];
}

function supportCell(r: Rule): Child {
  if (r.support === undefined || r.predictions === undefined) return "–";
  if (r.support === 0 && r.head_coverage === null)
    return h("span", { class: "quiet" }, `gives ${count(r.predictions, "atom")}`);
  return h(
    "span",
    { class: "number" },
    whole(r.support),
    h("span", { class: "quiet" }, ` of ${whole(r.predictions)}`),
  );
}

interface Column {
  title: string;
  about: string;
  cell: (r: Rule) => Child;
  shown: (r: Rule) => boolean;
}

const columns: Column[] = [
  {
    title: "Support",
    about: "Predictions that were observed, of all that the rule makes",
    cell: supportCell,
    shown: (r) => r.support !== undefined,
  },
  {
    title: "Confidence",
    about: "Their share, with the interval that holds it with probability 0.95",
    cell: confidenceCell,
    shown: (r) => typeof r.confidence === "number" || typeof r.probability === "number",
  },
  {
    title: "Counts as",
    about: "The confidence that the model counts on: as if a few more predictions had failed",
    cell: (r) => h("span", { class: "number" }, share(r.confidence)),
    shown: (r) =>
      typeof r.confidence === "number" &&
      typeof r.confidence_low === "number" &&
      Math.abs((observedShare(r) ?? 0) - r.confidence) > 0.005,
  },
  {
    title: "Coverage",
    about: "Share of what was observed of the head that the rule gives",
    cell: (r) => h("span", { class: "number" }, percent(r.head_coverage)),
    shown: (r) => typeof r.head_coverage === "number",
  },
  {
    title: "Similarity",
    about: "The least similarity of the rule's slots and the predicates that they became",
    cell: (r) => h("span", { class: "number" }, share(r.similarity)),
    shown: (r) => typeof r.similarity === "number",
  },
  {
    title: "Weight",
    about: "What the rule adds to the log-odds of an answer",
    cell: (r) => h("span", { class: "number" }, share(r.weight)),
    shown: (r) => typeof r.weight === "number",
  },
  {
    title: "Agreement",
    about: "Share of the restarts, or of the theories kept, that have the rule too",
    cell: (r) =>
      h(
        "span",
        { class: "number" },
        r.theories !== undefined ? `${r.agree} of ${r.theories}` : percent(r.agreement),
      ),
    shown: (r) => typeof r.agreement === "number" || r.theories !== undefined,
  },
];

function ruleRow(r: Rule, i: number, shown: Column[]): HTMLElement {
  return h(
    "tr",
    {},
    h("td", { class: "label" }, `R${i + 1}`),
    h(
      "th",
      { scope: "row" },
      r.words ? h("p", { class: "words" }, r.words) : null,
      ruleElement(r),
      r.file !== undefined ? h("p", { class: "quiet place" }, `${r.file}:${r.line}`) : null,
    ),
    shown.map((c) => h("td", { class: "figure", "data-title": c.title }, c.cell(r))),
  );
}

export function rulesTable(rules: Rule[], caption: string, before = 0): HTMLElement {
  const shown = columns.filter((c) => rules.some((r) => c.shown(r)));
  return h(
    "div",
    { class: "wide", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { class: "rules" },
      h("caption", { class: "unseen" }, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          h("th", { scope: "col" }, "Rule"),
          shown.map((c) => h("th", { scope: "col", class: "figure", title: c.about }, c.title)),
        ),
      ),
      h(
        "tbody",
        {},
        rules.map((r, i) => ruleRow(r, before + i, shown)),
      ),
    ),
  );
}

export function rulesView(r: Result): HTMLElement | null {
  if (r.rules.length === 0) return null;
  const more = r.leftOut.get("rule");
  const model = r.result?.method !== undefined;
  const some = r.rules.slice(0, model ? 25 : 100);
  const hidden = r.rules.length - some.length;
  const all = typeof r.result?.rules === "number" ? r.result.rules : 0;
  return section(
    "Rules",
    model && all > r.rules.length
      ? `The ${whole(r.rules.length)} surest of ${whole(all)}.`
      : more !== undefined
        ? `The first ${whole(r.rules.length)}; ${count(more, "more rule")} are in the result itself.`
        : null,
    rulesTable(some, "Rules with their figures"),
    hidden > 0
      ? h(
          "details",
          {},
          h("summary", {}, `${count(hidden, "more rule")}`),
          rulesTable(r.rules.slice(some.length), "More rules", some.length),
        )
      : null,
  );
}

export function theoriesView(r: Result): HTMLElement | null {
  if (r.theories.length === 0) return null;
  return section(
    "Other theories",
    "Found on the way, the best first.",
    h(
      "ol",
      { class: "theories", start: 2 },
      r.theories.map((t) =>
        h(
          "li",
          {},
          h(
            "p",
            { class: "quiet" },
            t.solved ? "fits every example" : `${count(t.errors, "example")} wrong`,
          ),
          t.rules.map((text) => h("code", { class: "rule block" }, plainText(text))),
        ),
      ),
    ),
  );
}
