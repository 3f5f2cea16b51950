// What was observed, and the core facts and rules that say the same: sizes to
// scale, and the core as a picture.
import { type Child, h, section, svg } from "../dom";
import type { Atom, Core, Proof, Result } from "../events";
import { drawFamily, findFamily, type Pair } from "../family";
import { drawForest, forestOf } from "../forest";
import { drawGraph } from "../graph";
import { termText } from "../logic";
import { count, whole } from "../numbers";

function scaleBar(
  parts: { n: number; kind: string; label: string }[],
  all: number,
  title: string,
): HTMLElement {
  const width = 600;
  let x = 0;
  const shown = parts.filter((p) => p.n > 0);
  return h(
    "figure",
    { class: "scale-bar" },
    h("figcaption", {}, title),
    svg(
      "svg",
      {
        viewBox: `0 0 ${width} 22`,
        role: "img",
        "aria-label": `${title}: ${shown.map((p) => p.label).join(", ")}`,
      },
      shown.map((p) => {
        const w = (width * p.n) / all;
        const part = svg("rect", {
          class: p.kind,
          x,
          y: 0,
          width: Math.max(1, w - 1),
          height: 22,
          rx: 2,
        });
        x += w;
        return part;
      }),
    ),
    h(
      "p",
      { class: "legend" },
      shown.map((p) => [h("span", { class: `key ${p.kind}` }), h("span", {}, p.label)]),
    ),
  );
}

function sizes(r: Result): Child {
  const f = r.result ?? {};
  const n = (key: string) => (typeof f[key] === "number" ? (f[key] as number) : 0);
  const before = n("bits_before");
  const bits = before > 0;
  const exceptions = n("extra") + n("missing");
  const facts = h(
    "div",
    { class: "scales" },
    scaleBar(
      [{ n: n("observed"), kind: "observed", label: count(n("observed"), "observed fact") }],
      Math.max(n("observed"), 1),
      "Before",
    ),
    scaleBar(
      [
        { n: n("core"), kind: "core", label: count(n("core"), "core fact") },
        { n: n("rules"), kind: "rules-part", label: count(n("rules"), "rule") },
        { n: exceptions, kind: "exceptions", label: count(exceptions, "exception") },
      ],
      Math.max(n("observed"), n("core") + n("rules") + exceptions, 1),
      "After",
    ),
  );
  return [
    facts,
    bits
      ? h(
          "p",
          { class: "note number" },
          `In bits: ${whole(before)} before, ${whole(n("bits_after"))} after (${((100 * n("bits_after")) / before).toFixed(0)} %).`,
        )
      : null,
  ];
}

// How many of the proofs lean on each given fact.
function uses(proofs: Proof[]): Map<string, number> {
  const out = new Map<string, number>();
  for (const p of proofs) {
    const given = new Set((p.nodes ?? []).filter((x) => x.given).map((x) => x.atom));
    for (const a of given) out.set(a, (out.get(a) ?? 0) + 1);
  }
  return out;
}

function byPredicate(core: Core[]): Map<string, Core[]> {
  const out = new Map<string, Core[]>();
  for (const c of core) {
    const key = `${c.predicate}/${c.args.length}`;
    out.set(key, [...(out.get(key) ?? []), c]);
  }
  return out;
}

function listOf(facts: Core[], given: Map<string, number>): HTMLElement {
  return h(
    "ul",
    { class: "core-list" },
    facts.map((c) => {
      const n = given.get(c.text.replace(/\.$/, "")) ?? 0;
      return h(
        "li",
        {},
        h("code", {}, c.args.map(termText).join(", ")),
        n > 0
          ? h(
              "span",
              { class: "quiet number", title: "derived facts whose proof uses it" },
              `gives ${whole(n)}`,
            )
          : null,
      );
    }),
  );
}

function pictureOf(facts: Core[]): Child {
  const edges = facts.map((c): [string, string] => [
    termText(c.args[0] ?? ""),
    termText(c.args[1] ?? ""),
  ]);
  if (edges.length > 400) return null;
  const subjects = new Set(edges.map(([a]) => a));
  const both = new Set(edges.flatMap(([, b]) => (subjects.has(b) ? [b] : [])));
  if (both.size * 5 < subjects.size) return null; // pairs, which a list shows better
  const forest = forestOf(edges);
  if (forest !== null) return drawForest(forest, `${facts[0]?.predicate} as a tree`);
  return edges.length <= 120 ? drawGraph(edges, `${facts[0]?.predicate} as a graph`) : null;
}

function inventedNote(r: Result, key: string): Child {
  const i = r.invented.find((x) => x.text === key);
  return i === undefined
    ? null
    : h("p", { class: "note" }, `Invented by pith${i.about ? `: ${i.about}` : ""}.`);
}

export function sizesView(r: Result): HTMLElement | null {
  if (r.start?.command !== "compress" || r.result === null) return null;
  return section("Sizes", null, sizes(r));
}

// All binary facts that hold, where so few follow that they are all here.
function familyPicture(r: Result): Child {
  const facts: Atom[] = [...r.core, ...r.valuations].filter((f) => f.args.length === 2);
  if (r.leftOut.has("core") || r.leftOut.has("valuation")) return null;
  const by = new Map<string, Pair[]>();
  for (const f of facts)
    by.set(f.predicate, [
      ...(by.get(f.predicate) ?? []),
      [termText(f.args[0] ?? ""), termText(f.args[1] ?? "")],
    ]);
  const family = findFamily([...by.values()]);
  return family === null
    ? null
    : h(
        "div",
        { class: "wide picture", tabindex: 0, role: "region", "aria-label": "The family" },
        drawFamily(family, "A row for each generation; a double line joins a couple"),
      );
}

export function coreView(r: Result): HTMLElement | null {
  if (r.core.length === 0) return null;
  const given = uses(r.proofs);
  const groups = [...byPredicate(r.core)];
  const family = familyPicture(r);
  return section(
    "Core",
    r.proofs.length > 0
      ? "The facts from which all others follow; beside each, how many derived facts have a proof that uses it."
      : "The facts from which all others follow.",
    family,
    groups.map(([key, facts]) => {
      const picture = !family && facts[0]?.args.length === 2 ? pictureOf(facts) : null;
      return h(
        "div",
        { class: "core-group" },
        h(
          "h3",
          {},
          h("code", {}, key),
          h("span", { class: "quiet" }, ` ${count(facts.length, "fact")}`),
        ),
        inventedNote(r, key),
        picture
          ? h(
              "div",
              {
                class: "wide picture",
                tabindex: 0,
                role: "region",
                "aria-label": `Picture of ${key}`,
              },
              picture,
            )
          : null,
        facts.length > 60 || picture
          ? h("details", {}, h("summary", {}, "The facts"), listOf(facts, given))
          : listOf(facts, given),
      );
    }),
  );
}

export function exceptionsView(r: Result): HTMLElement | null {
  if (r.exceptions.length === 0) return null;
  return section(
    "Exceptions",
    "What the rules do not get right: facts that were observed and do not follow, and the other way round.",
    h(
      "ul",
      { class: "suspects" },
      r.exceptions
        .slice(0, 200)
        .map((e) =>
          h(
            "li",
            {},
            h("code", {}, e.text),
            h(
              "span",
              { class: "quiet" },
              e.observed ? " observed, does not follow" : " follows, was not observed",
            ),
          ),
        ),
    ),
  );
}
