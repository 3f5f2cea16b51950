// A proof as a tree, or why there is none: lists within lists, which keyboards
// and screen readers know their way about in.
import { type Child, h } from "../dom";
import type { Proof, ProofNode, WhyNot, WhyNotAtom } from "../events";
import { plainText, textElement } from "../logic";
import { count } from "../numbers";

const deepest = 40;

class ProofTree {
  private readonly nodes = new Map<number, ProofNode>();
  private readonly shown = new Set<number>();
  constructor(
    proof: Proof,
    private readonly numberOf: (rule: string) => string | null,
  ) {
    for (const n of proof.nodes ?? []) this.nodes.set(n.node, n);
  }

  private reason(n: ProofNode, again: boolean): Child {
    if (n.given) return h("span", { class: "tag" }, "given");
    if (n.rule === undefined) return null;
    const number = this.numberOf(n.rule);
    return [
      h("span", { class: "tag by", title: n.rule }, number === null ? "by a rule" : `by ${number}`),
      again ? h("span", { class: "quiet" }, " proved above") : null,
    ];
  }

  item(number: number, depth: number): HTMLElement {
    const n = this.nodes.get(number);
    if (n === undefined) return h("li", {}, "…");
    const from = n.from ?? [];
    const again = this.shown.has(number) && from.length > 0;
    this.shown.add(number);
    return h(
      "li",
      {},
      h("div", { class: "step" }, h("code", {}, plainText(n.atom)), " ", this.reason(n, again)),
      from.length > 0 && !again
        ? depth < deepest
          ? h(
              "ul",
              {},
              from.map((k) => this.item(k, depth + 1)),
            )
          : h("ul", {}, h("li", {}, h("span", { class: "quiet" }, "and so on")))
        : null,
    );
  }
}

function bodyItem(a: WhyNotAtom): HTMLElement {
  return h(
    "li",
    {},
    h(
      "div",
      { class: `step ${a.holds ? "holds" : "fails"}` },
      h("span", { class: "sign", "aria-hidden": "true" }, a.holds ? "✓" : "✗"),
      h("code", {}, plainText(a.atom)),
      h("span", { class: "tag" }, a.holds ? "holds" : "does not hold"),
    ),
    a.holds ? null : reasonList(a),
  );
}

function strangers(w: WhyNot): string[] {
  const out: string[] = [];
  if (w.facts === false && w.rules === false)
    out.push("No fact and no rule speaks of this predicate.");
  if (typeof w.stranger === "string") out.push(`${w.stranger} is in no fact.`);
  for (const key of ["like", "like_predicate", "like_constant"])
    if (typeof w[key] === "string") out.push(`Did you mean ${w[key]}?`);
  return out;
}

function reasonList(w: WhyNot): Child {
  const notes = strangers(w).map((t) => h("p", { class: "quiet" }, t));
  if (typeof w.nearest !== "string") return notes;
  return [
    notes,
    h("p", { class: "nearest" }, "The nearest rule: ", textElement(w.nearest)),
    h("ul", {}, (w.body ?? []).map(bodyItem)),
  ];
}

export function proofElement(p: Proof, numberOf: (rule: string) => string | null): HTMLElement {
  if (p.holds) {
    const tree = new ProofTree(p, numberOf);
    const root = p.nodes?.[0]?.node ?? 0;
    return h(
      "div",
      { class: "proof" },
      h(
        "p",
        { class: "quiet" },
        (p.size ?? 0) === 0
          ? "A given fact."
          : `Proved in ${count(p.steps ?? 0, "step")} by ${count(p.size ?? 0, "use")} of rules.`,
      ),
      h("ul", { class: "tree" }, tree.item(root, 0)),
    );
  }
  return h(
    "div",
    { class: "proof" },
    h("p", { class: "quiet" }, "It does not follow."),
    h(
      "ul",
      { class: "tree" },
      h(
        "li",
        {},
        h(
          "div",
          { class: "step fails" },
          h("span", { class: "sign", "aria-hidden": "true" }, "✗"),
          h("code", {}, p.atom),
        ),
        reasonList(p),
      ),
    ),
  );
}
