// Rules by examples: which rule gives which example. Choosing an example shows
// its proof, or why there is none.
import { type Child, h, replace, section } from "../dom";
import type { Coverage, Proof, Result } from "../events";
import { plainText, textElement } from "../logic";
import { count, whole } from "../numbers";
import { proofElement } from "./proof";

type Filter = "all" | "wrong" | "positive" | "negative";

function isWrong(e: Coverage): boolean {
  return e.holds !== e.positive;
}

function stateWords(e: Coverage): string {
  if (e.positive)
    return e.holds
      ? "positive example, and it follows"
      : "positive example, but it does not follow";
  return e.holds ? "negative example, but it follows" : "negative example, and it does not follow";
}

function matches(e: Coverage, f: Filter): boolean {
  switch (f) {
    case "wrong":
      return isWrong(e);
    case "positive":
      return e.positive;
    case "negative":
      return !e.positive;
    default:
      return true;
  }
}

export class Matrix {
  private readonly proofs = new Map<string, Proof>();
  private readonly rules: string[];
  private readonly details = h("div", { class: "details", "aria-live": "polite" });
  private readonly body = h("tbody", {});
  private chosen: HTMLButtonElement | null = null;

  constructor(private readonly r: Result) {
    for (const p of r.proofs) this.proofs.set(p.atom, p);
    this.rules = r.rules.map((q) => q.text.replace(/^[0-9.]+::/, ""));
  }

  private readonly numberOf = (text: string): string | null => {
    const i = this.rules.indexOf(text);
    return i < 0 ? null : `R${i + 1}`;
  };

  private show(e: Coverage, button: HTMLButtonElement): void {
    this.chosen?.setAttribute("aria-pressed", "false");
    this.chosen = button;
    button.setAttribute("aria-pressed", "true");
    const proof = this.proofs.get(e.text);
    const suspect = this.r.examples.find((x) => x.text === e.text && x.suspect);
    replace(
      this.details,
      h("h3", {}, textElement(e.text)),
      h("p", { class: isWrong(e) ? "state wrong" : "state" }, `A ${stateWords(e)}.`),
      suspect ? h("p", { class: "state" }, "A suspect: the example itself may be wrong.") : null,
      e.world ? h("p", { class: "quiet" }, `In ${e.world}.`) : null,
      proof
        ? proofElement(proof, this.numberOf)
        : h(
            "p",
            { class: "quiet" },
            "No proof was kept: there are many examples, or many facts. pith explain gives one.",
          ),
    );
  }

  private row(e: Coverage): HTMLElement {
    const button = h(
      "button",
      {
        type: "button",
        class: "example",
        "aria-pressed": "false",
        click: () => this.show(e, button),
      },
      h("span", { class: "sign", "aria-hidden": "true" }, e.positive ? "+" : "−"),
      h("code", {}, e.text),
    );
    return h(
      "tr",
      { class: isWrong(e) ? "wrong" : null },
      h("th", { scope: "row" }, button, h("span", { class: "unseen" }, ` ${stateWords(e)}`)),
      this.r.rules.map((_, i) => {
        const covers = e.rules.includes(i);
        return h(
          "td",
          { class: covers ? "covers" : null },
          covers
            ? h("span", { class: "spot" }, h("span", { class: "unseen" }, `R${i + 1} gives it`))
            : null,
        );
      }),
      h("td", { class: "state" }, isWrong(e) ? (e.positive ? "✗ missed" : "✗ follows") : ""),
    );
  }

  private fillRows(f: Filter): void {
    const rows = this.r.coverage.filter((e) => matches(e, f));
    replace(
      this.body,
      rows.map((e) => this.row(e)),
    );
  }

  private filters(): Child {
    const names: [Filter, string][] = [
      ["all", "All"],
      ["wrong", "Wrong"],
      ["positive", "Positive"],
      ["negative", "Negative"],
    ];
    const buttons = names.flatMap(([f, title]) => {
      const n = this.r.coverage.filter((e) => matches(e, f)).length;
      if (n === 0 && f !== "all") return [];
      const b: HTMLButtonElement = h(
        "button",
        {
          type: "button",
          "aria-pressed": f === "all" ? "true" : "false",
          click: () => {
            for (const other of buttons) other.setAttribute("aria-pressed", "false");
            b.setAttribute("aria-pressed", "true");
            this.fillRows(f);
          },
        },
        `${title} `,
        h("span", { class: "quiet number" }, whole(n)),
      );
      return [b];
    });
    return h("div", { class: "filters", role: "group", "aria-label": "Show examples" }, buttons);
  }

  // One that goes wrong, or else the one whose proof is longest.
  private mostTelling(): Coverage | undefined {
    const size = (e: Coverage) => (e.holds ? (this.proofs.get(e.text)?.size ?? 0) : -1);
    const [first, ...rest] = this.r.coverage;
    return (
      this.r.coverage.find(isWrong) ??
      rest.reduce((a, e) => (a !== undefined && size(a) >= size(e) ? a : e), first)
    );
  }

  view(): HTMLElement {
    this.fillRows("all");
    const first = this.mostTelling();
    const table = h(
      "div",
      {
        class: "scroll",
        tabindex: 0,
        role: "region",
        "aria-label": "Examples and the rules that give them",
      },
      h(
        "table",
        { class: "matrix" },
        h("caption", { class: "unseen" }, "Rules by examples"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Example"),
            this.r.rules.map((q, i) => h("th", { scope: "col", title: q.text }, `R${i + 1}`)),
            h(
              "th",
              { scope: "col", class: "unseen-title" },
              h("span", { class: "unseen" }, "State"),
            ),
          ),
        ),
        this.body,
      ),
    );
    const index = first ? this.r.coverage.indexOf(first) : -1;
    const button = this.body.querySelectorAll<HTMLButtonElement>("button.example")[index];
    if (first && button) this.show(first, button);
    return h("div", { class: "pair" }, h("div", {}, this.filters(), table), this.details);
  }
}

export function matrixView(r: Result): HTMLElement | null {
  if (r.coverage.length === 0) return null;
  const more =
    r.leftOut.get("coverage") ?? Math.max(0, (r.start?.examples ?? 0) - r.coverage.length);
  return section(
    "Examples",
    [
      "A dot: the rule gives the example in one step. Choose an example for its proof.",
      more > 0 ? ` Shown are the first ${count(r.coverage.length, "example")}.` : null,
    ],
    new Matrix(r).view(),
  );
}

// Suspects by themselves: what the reader should check in the data.
export function suspectsView(r: Result): HTMLElement | null {
  const suspects = r.examples.filter((e) => e.suspect);
  if (suspects.length === 0) return null;
  return section(
    "Suspects",
    "These examples do not fit rules that explain the others well. Perhaps they are wrong.",
    h(
      "ul",
      { class: "suspects" },
      suspects
        .slice(0, 100)
        .map((e) =>
          h(
            "li",
            {},
            h("span", { class: "sign", "aria-hidden": "true" }, e.positive ? "+" : "−"),
            h("code", {}, e.text),
            h(
              "span",
              { class: "quiet" },
              e.positive ? " given as true, does not follow" : " given as false, follows",
            ),
            e.why ? h("p", { class: "quiet" }, plainText(e.why)) : null,
          ),
        ),
    ),
  );
}
