// The proof that explain was asked for.
import { h, section } from "../dom";
import type { Result } from "../events";
import { textElement } from "../logic";
import { proofElement } from "./proof";

export function proofView(r: Result): HTMLElement | null {
  const p = r.proofs[0];
  if (r.start?.command !== "explain" || p === undefined) return null;
  const rules = [...new Set((p.nodes ?? []).flatMap((n) => (n.rule ? [n.rule] : [])))];
  const named = (text: string) => `R${rules.indexOf(text) + 1}`;
  return section(p.holds ? "Proof" : "Why not", null, proofElement(p, named), usedRules(rules));
}

function usedRules(rules: string[]): HTMLElement | null {
  if (rules.length === 0) return null;
  return h(
    "dl",
    { class: "used" },
    rules.map((text, i) => [h("dt", {}, `R${i + 1}`), h("dd", {}, textElement(text))]),
  );
}
