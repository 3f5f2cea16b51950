// Rules and atoms as people read them: logic with its parts set apart, and
// plain words.
import { h } from "./dom";
import type { Atom, Rule, Term } from "./events";

const signs: Record<string, string> = {
  "=": "=",
  "\\=": "≠",
  "<": "<",
  "=<": "≤",
  ">": ">",
  ">=": "≥",
  "=:=": "=",
  "=\\=": "≠",
};

export function termText(t: Term): string {
  if (typeof t === "object") return "var" in t ? t.var : t.term;
  return String(t);
}

function termElement(t: Term): HTMLElement {
  const variable = typeof t === "object" && "var" in t;
  return h("span", { class: variable ? "var" : "const" }, termText(t));
}

function atomElement(a: Atom): HTMLElement {
  const sign = signs[a.predicate];
  const [left, right] = a.args;
  if (sign !== undefined && left !== undefined && right !== undefined)
    return h("span", { class: "atom" }, termElement(left), ` ${sign} `, termElement(right));
  return h(
    "span",
    { class: "atom" },
    a.negated ? h("span", { class: "not" }, "not ") : null,
    h("span", { class: "pred" }, a.predicate),
    a.args.length > 0 ? "(" : null,
    a.args.map((t, i) => [i > 0 ? ", " : null, termElement(t)]),
    a.args.length > 0 ? ")" : null,
  );
}

export function ruleElement(r: Rule): HTMLElement {
  return h(
    "code",
    { class: "rule" },
    atomElement(r.head),
    r.body.length > 0 ? h("span", { class: "if" }, " ← ") : null,
    r.body.map((a, i) => [i > 0 ? ", " : null, atomElement(a)]),
  );
}

// A rule or an atom that is there as text alone.
export function plainText(text: string): string {
  return text.replace(/\.$/, "").replace(" :- ", " ← ").replaceAll("\\+ ", "not ");
}

export function textElement(text: string): HTMLElement {
  return h("code", { class: "rule" }, plainText(text));
}
