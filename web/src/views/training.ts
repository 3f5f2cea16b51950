// How templates became rules: loss and wrong examples over the epochs, and how
// much each slot is like each predicate, with a slider for the epoch.
import { drawChart } from "../chart";
import { type Child, h, newId, replace, section } from "../dom";
import type { Epoch, Result, Slot } from "../events";
import { count, figure, share, whole } from "../numbers";
import { SoftValues } from "./soft";

const letters = "XYZUVWABCDEFGH";

function variables(slot: Slot): string {
  return slot.vars.map((v) => letters[v] ?? `V${v}`).join(", ");
}

function best(weights: number[]): number {
  return weights.reduce((at, w, i) => (w > (weights[at] ?? 0) ? i : at), 0);
}

// The rules as they would be read off the slots at this epoch.
function decoded(slots: Slot[], e: Epoch): { text: string; least: number }[] {
  const rules = new Map<number, { head: string; body: string[]; least: number }>();
  slots.forEach((slot, i) => {
    const weights = e.weights[i] ?? [];
    const at = best(weights);
    const text = `${slot.predicates[at] ?? "?"}(${variables(slot)})`;
    const rule = rules.get(slot.rule) ?? { head: "", body: [], least: 1 };
    if (slot.atom === 0) rule.head = text;
    else rule.body.push(text);
    rule.least = Math.min(rule.least, weights[at] ?? 1);
    rules.set(slot.rule, rule);
  });
  return [...rules.values()].map((r) => ({
    text: `${r.head} ← ${r.body.join(", ")}`,
    least: r.least,
  }));
}

class HeatMap {
  private readonly cells: { element: HTMLElement; slot: number; at: number }[] = [];
  private readonly words = h("div", { class: "decoded" });
  readonly element: HTMLElement;

  constructor(private readonly slots: Slot[]) {
    const predicates = [...new Set(slots.flatMap((s) => s.predicates))];
    this.element = h(
      "div",
      { class: "heat-and-words" },
      h(
        "div",
        { class: "wide", tabindex: 0, role: "region", "aria-label": "Slots and predicates" },
        h(
          "table",
          { class: "heat" },
          h("caption", { class: "unseen" }, "How much each slot is like each predicate"),
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, "Slot"),
              predicates.map((p) => h("th", { scope: "col" }, h("span", {}, p))),
            ),
          ),
          h(
            "tbody",
            {},
            slots.map((s, i) => this.row(s, i, predicates)),
          ),
        ),
      ),
      this.words,
    );
  }

  private row(slot: Slot, i: number, predicates: string[]): HTMLElement {
    const place = slot.atom === 0 ? "head" : `body ${slot.atom}`;
    return h(
      "tr",
      { class: slot.atom === 0 ? "first" : null },
      h(
        "th",
        { scope: "row" },
        h("span", { class: "quiet" }, `rule ${slot.rule + 1} `),
        `${place} `,
        h("code", {}, `(${variables(slot)})`),
      ),
      predicates.map((p) => {
        const at = slot.predicates.indexOf(p);
        if (at < 0)
          return h("td", { class: "none" }, h("span", { class: "unseen" }, "not a candidate"));
        const value = h("span", { class: "unseen" });
        const element = h("td", {}, h("span", { class: "heat-cell" }), value);
        this.cells.push({ element, slot: i, at });
        return element;
      }),
    );
  }

  show(e: Epoch): void {
    for (const { element, slot, at } of this.cells) {
      const w = e.weights[slot]?.[at] ?? 0;
      const [cell, value] = element.children as unknown as [HTMLElement, HTMLElement];
      cell.style.opacity = Math.max(0.03, Math.min(1, w)).toFixed(3);
      value.textContent = share(w);
      element.title = share(w);
    }
    replace(
      this.words,
      h("p", { class: "quiet" }, `Read off the slots after ${count(e.epoch, "epoch")}:`),
      decoded(this.slots, e).map((d) =>
        h(
          "p",
          {},
          h("code", { class: "rule" }, d.text),
          h("span", { class: "quiet number" }, `  ${share(d.least)}`),
        ),
      ),
    );
  }
}

function lossChart(r: Result, lane: number, found: number | null) {
  const restarts = r.epochs[0]?.losses.length ?? 0;
  const line = (k: number) =>
    r.epochs.map((e): [number, number | null] => [e.epoch, e.losses[k] ?? null]);
  const others = [...Array(restarts).keys()].filter((k) => k !== lane);
  return drawChart({
    title: "Loss over epochs",
    about: `Of ${count(restarts, "restart")} trained side by side; the one that the rules are from is drawn strongly.`,
    x: "epoch",
    y: "loss",
    logarithmic: true,
    lines: [
      ...others.map((k) => ({ points: line(k), kind: "other" as const })),
      { points: line(lane), kind: "main" },
    ],
    mark: found === null ? undefined : { x: found, label: "found" },
  });
}

function wrongChart(r: Result, lane: number, found: number | null) {
  const restarts = r.epochs[0]?.wrong.length ?? 0;
  const line = (k: number) => r.epochs.map((e): [number, number] => [e.epoch, e.wrong[k] ?? 0]);
  const others = [...Array(restarts).keys()].filter((k) => k !== lane);
  return drawChart({
    title: "Wrong examples over epochs",
    about: "If the slots were read as rules at that epoch.",
    x: "epoch",
    y: "wrong examples",
    from: 0,
    lines: [
      ...others.map((k) => ({ points: line(k), kind: "other" as const })),
      { points: line(lane), kind: "main" },
    ],
    mark: found === null ? undefined : { x: found, label: "found" },
  });
}

function endings(r: Result, lane: number): string {
  const last = r.epochs.at(-1);
  if (last === undefined) return "";
  const right = last.wrong.filter((w) => w === 0).length;
  return `Of the ${count(last.wrong.length, "restart")} in this group, ${whole(right)} ended without a wrong example; restart ${whole((r.slots?.first ?? 1) + lane)} is drawn strongly.`;
}

// Each restart of the group as it was left.
function endsList(r: Result, lane: number): Child {
  const last = r.epochs.at(-1);
  if (last === undefined || last.wrong.length < 2) return null;
  const first = r.slots?.first ?? 1;
  return [
    h("h3", {}, "Where the restarts ended"),
    h(
      "p",
      { class: "note" },
      `Wrong examples and loss after ${count(last.epoch, "epoch")}, were the slots read as rules.`,
    ),
    h(
      "ol",
      { class: "ends" },
      last.wrong.map((wrong, i) =>
        h(
          "li",
          { class: `${wrong === 0 ? "right" : "wrong"}${i === lane ? " main" : ""}` },
          h("span", { class: "quiet number" }, `restart ${whole(first + i)}`),
          h("b", { class: "number" }, `${whole(wrong)} wrong`),
          h("span", { class: "quiet number" }, `loss ${figure(last.losses[i])}`),
        ),
      ),
    ),
  ];
}

export function trainingView(r: Result): HTMLElement | null {
  if (r.slots === null || r.epochs.length === 0) return null;
  const restart = Number(r.result?.restart ?? r.slots.first);
  const lane = Math.max(0, restart - r.slots.first);
  const found = typeof r.result?.epoch === "number" ? r.result.epoch : null;
  const charts = [lossChart(r, lane, found), wrongChart(r, lane, found)];
  const heat = r.slots.slots.length > 0 ? new HeatMap(r.slots.slots) : null;
  const soft = (r.slots.atoms ?? []).length > 0 ? new SoftValues(r.slots) : null;
  const id = newId("epoch");
  const shown = h("output", { for: id, class: "number" });
  const slider = h("input", {
    id,
    type: "range",
    min: 0,
    max: r.epochs.length - 1,
    step: 1,
    input: () => show(Number(slider.value)),
  });
  const show = (i: number) => {
    const e = r.epochs[i];
    if (e === undefined) return;
    slider.setAttribute("aria-valuetext", `epoch ${e.epoch}`);
    shown.textContent = whole(e.epoch);
    heat?.show(e);
    soft?.show(e);
    for (const c of charts) c.cursor(e.epoch);
  };
  const at = r.epochs.findIndex((e) => found !== null && e.epoch >= found);
  slider.value = String(at < 0 ? r.epochs.length - 1 : at);
  show(Number(slider.value));
  return section(
    "Training",
    endings(r, lane),
    h(
      "div",
      { class: "charts" },
      charts.map((c) => c.element),
    ),
    heat === null
      ? null
      : [
          h("h3", {}, "Rules taking shape"),
          h(
            "p",
            { class: "note" },
            "Every slot of a template weighs the predicates that may stand in it; the darker, the more it is like one.",
          ),
          h("div", { class: "slider" }, h("label", { for: id }, "Epoch"), slider, shown),
          heat.element,
          soft === null
            ? null
            : [
                h("h3", {}, "Values, step by step"),
                h(
                  "p",
                  { class: "note" },
                  "What the slots at that epoch make of the background: the value, from 0 to 1, of each atom after each step; the darker, the truer.",
                ),
                soft.element,
              ],
        ],
    endsList(r, lane),
  );
}
