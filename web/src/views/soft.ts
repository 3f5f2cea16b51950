// The soft values of derived atoms after each step, at one epoch: a row for each
// step, the darker the truer.
import { h } from "../dom";
import type { Epoch, Slots } from "../events";

export class SoftValues {
  private readonly cells: { element: HTMLElement; step: number; atom: number }[] = [];
  readonly element: HTMLElement;

  constructor(slots: Slots) {
    const atoms = slots.atoms ?? [];
    const rows = [...Array((slots.steps ?? 0) + 1).keys()];
    this.element = h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "Values after each step" },
      h(
        "table",
        { class: "heat soft" },
        h("caption", { class: "unseen" }, "The value of each derived atom after each step"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "After step"),
            atoms.map((a) => h("th", { scope: "col" }, h("span", {}, a))),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((step) => this.row(step, atoms.length)),
        ),
      ),
    );
  }

  private row(step: number, atoms: number): HTMLElement {
    return h(
      "tr",
      {},
      h("th", { scope: "row", class: "number" }, step),
      [...Array(atoms).keys()].map((atom) => {
        const element = h(
          "td",
          {},
          h("span", { class: "heat-cell" }),
          h("span", { class: "unseen" }),
        );
        this.cells.push({ element, step, atom });
        return element;
      }),
    );
  }

  show(e: Epoch): void {
    for (const { element, step, atom } of this.cells) {
      const v = (e.values?.[step]?.[atom] ?? 0) / 100;
      const [cell, value] = element.children as unknown as [HTMLElement, HTMLElement];
      cell.style.opacity = Math.max(0.03, v).toFixed(2);
      value.textContent = v.toFixed(2);
      element.title = v.toFixed(2);
    }
  }
}
