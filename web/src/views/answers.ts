// Likely answers of a graph model, with the rules and facts behind each.
import { type Child, h, section } from "../dom";
import type { Answer, Clue, Reason, Result } from "../events";
import { textElement } from "../logic";
import { count, share } from "../numbers";

function bar(p: number | null): HTMLElement {
  const inner = h("span", { class: "bar-fill" });
  inner.style.width = `${(100 * Math.max(0, Math.min(1, p ?? 0))).toFixed(1)}%`;
  return h("span", { class: "bar", "aria-hidden": "true" }, inner);
}

function reasonItem(q: Reason): HTMLElement {
  return h(
    "li",
    {},
    textElement(q.rule),
    h(
      "span",
      { class: "quiet number" },
      typeof q.weight === "number"
        ? ` adds ${share(q.weight)} to the log-odds`
        : ` confidence ${share(q.confidence)}`,
      q.groundings !== undefined && q.groundings > 1 ? `, ${count(q.groundings, "way")}` : "",
    ),
    q.grounding && q.grounding.length > 0
      ? h(
          "p",
          { class: "grounding" },
          q.grounding.map((a, i) => [i > 0 ? ", " : null, h("code", {}, a)]),
        )
      : null,
  );
}

// What speaks for it to the right, what speaks against it to the left.
function cluesTable(clues: Clue[]): Child {
  if (clues.length === 0) return null;
  const most = Math.max(...clues.map((c) => Math.abs(c.adds ?? 0)), 1e-9);
  const row = (c: Clue) => {
    const adds = c.adds ?? 0;
    const width = (50 * Math.abs(adds)) / most;
    const fill = h("span", { class: adds < 0 ? "tilt against" : "tilt for" });
    fill.style.width = `${width.toFixed(1)}%`;
    fill.style.left = `${adds < 0 ? 50 - width : 50}%`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, c.what),
      h("td", { class: "figure number" }, `${adds < 0 ? "−" : "+"}${Math.abs(adds).toFixed(2)}`),
      h("td", { class: "tilts" }, h("span", { class: "tilt-scale", "aria-hidden": "true" }, fill)),
    );
  };
  return [
    h("h3", {}, "How the probability comes about"),
    h(
      "p",
      { class: "note" },
      "What each clue adds to the log-odds of the probability; below 0 it speaks against the answer.",
    ),
    h(
      "table",
      { class: "plain clues" },
      h("caption", { class: "unseen" }, "Clues and what they add"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Clue"),
          h("th", { scope: "col", class: "figure" }, "Adds"),
          h("td", {}),
        ),
      ),
      h("tbody", {}, clues.map(row)),
    ),
  ];
}

function answerItem(a: Answer, open: boolean): HTMLElement {
  const line: Child = [
    h("span", { class: "rank number" }, a.rank),
    h("code", {}, a.text),
    bar(a.probability),
    h("span", { class: "number probability" }, share(a.probability)),
  ];
  if (a.reasons.length === 0) return h("li", {}, h("div", { class: "answer" }, line));
  return h(
    "li",
    {},
    h(
      "details",
      { open },
      h("summary", { class: "answer" }, line),
      h("ul", { class: "reasons" }, a.reasons.map(reasonItem)),
    ),
  );
}

export function answersView(r: Result): HTMLElement | null {
  if (r.answers.length === 0) return null;
  const reasons = r.answers.some((a) => a.reasons.length > 0);
  return section(
    "Answers",
    reasons
      ? "Open an answer for the rules that speak for it and the facts that they use."
      : "With their probabilities; with --explain, also the rules behind each.",
    h(
      "ol",
      { class: "answers" },
      r.answers.map((a, i) => answerItem(a, i === 0)),
    ),
    r.answers.map((a) => cluesTable(a.clues)),
  );
}
