// Likely answers of a graph model, with the rules and facts behind each.
import { type Child, h, section } from "../dom";
import type { Answer, Reason, Result } from "../events";
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
  );
}
