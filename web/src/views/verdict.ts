// The first thing on the page: what came out, in a sentence, and the figures
// behind it.
import { type Child, h } from "../dom";
import type { Figures, Result, Space } from "../events";
import { count, share, whole } from "../numbers";

interface Verdict {
  tone: "good" | "mixed" | "bad";
  title: string;
  more: string | null;
}

function number(f: Figures | null, key: string): number | null {
  const v = f?.[key];
  return typeof v === "number" ? v : null;
}

// What clauses of a space may have, or "".
export function languageWords(s: Space): string {
  return [
    s.recursive ? "recursion" : "",
    s.invented > 0 ? "invented predicates" : "",
    s.inequality ? "inequality" : "",
    s.constants ? "constants" : "",
    s.noisy ? "room for wrong examples" : "",
  ]
    .filter((w) => w !== "")
    .join(", ");
}

export function spaceWords(s: Space): string {
  const most = s.rules > 1 ? `up to ${s.rules} clauses` : s.rules === 1 ? "one clause" : "clauses";
  const words = languageWords(s);
  const tail = words === "" ? "" : `, with ${words}`;
  return `${most} of up to ${s.body} ${s.body === 1 ? "atom" : "atoms"}${tail}`;
}

function nothingLearned(f: Figures, all: number, errors: number): Verdict {
  const searched = f.stage === "clauses" && f.space ? `Searched: ${spaceWords(f.space)}. ` : "";
  return {
    tone: "bad",
    title: "No rule was found that is worth its length.",
    more: `${searched}Without rules ${whole(all - errors)} of ${count(all, "example")} ${all - errors === 1 ? "comes" : "come"} right: those that are not to follow.`,
  };
}

function foundBy(f: Figures): string {
  if (f.stage === "clauses" && f.space) return `Found by searching ${spaceWords(f.space)}.`;
  const where = `restart ${whole(number(f, "restart") ?? 0)}, epoch ${whole(number(f, "epoch") ?? 0)}`;
  return f.stage === "search"
    ? `Found by exchanging predicates of a trained program (${where}).`
    : `Found by gradient descent (${where}).`;
}

function leftOut(f: Figures, all: number): string {
  const tried = number(f, "left_out") ?? 0;
  if (tried < all) return "There was no time to try them on examples left out.";
  return `Each example was left out once and predicted from the others: ${whole(number(f, "left_out_right") ?? 0)} of ${whole(tried)} came right.`;
}

// What of the theory may be there by chance.
function hardlyDecided(weak: Figures["hardly_decided"]): string {
  if (weak === undefined) return "";
  const what = weak.atom === undefined ? "" : `condition ${whole(weak.atom)} of `;
  return ` The labels do not decide whether ${what}rule ${whole(weak.rule)} belongs here: without it ${count(weak.errors, "example")} would not fit.`;
}

function learned(r: Result, f: Figures): Verdict {
  const rules = count(number(f, "rules") ?? r.rules.length, "rule");
  const verb = rules.startsWith("1 ") ? "explains" : "explain";
  const errors = number(f, "errors") ?? 0;
  const all = number(f, "examples") ?? 0;
  if (number(f, "rules") === 0 && errors > 0) return nothingLearned(f, all, errors);
  if (f.by_heart === true)
    return {
      tone: "mixed",
      title: `Learned by heart: ${rules} ${rules.startsWith("1 ") ? "fits" : "fit"} all ${whole(all)} examples, and little more.`,
      more: leftOut(f, all),
    };
  if (f.maybe_by_heart === true)
    return {
      tone: "mixed",
      title: `${rules} ${rules.startsWith("1 ") ? "fits" : "fit"} all ${count(all, "example")}, perhaps by heart.`,
      more: `${leftOut(f, all)} ${foundBy(f)}`,
    };
  if (f.solved)
    return {
      tone: "good",
      title:
        all === 1
          ? `${rules} ${verb} the one example.`
          : `${rules} ${verb} all ${count(all, "example")}.`,
      more: foundBy(f),
    };
  return {
    tone: f.space?.noisy && f.worth_its_length !== false ? "mixed" : "bad",
    title: `${rules} ${verb} ${whole(all - errors)} of ${count(all, "example")}; ${whole(errors)} ${errors === 1 ? "does" : "do"} not fit.`,
    more: foundBy(f) + hardlyDecided(f.hardly_decided),
  };
}

function learnedModel(r: Result, f: Figures): Verdict {
  const mrr = number(f, "mrr");
  const target = r.start?.settings.target;
  const links =
    typeof target === "string" ? target : count(number(f, "relations") ?? 0, "relation");
  const rules = number(f, "rules") ?? r.rules.length;
  return {
    tone: "good",
    title: `${count(rules, "rule")} ${rules === 1 ? "predicts" : "predict"} missing links of ${links}.`,
    more:
      mrr === null
        ? null
        : `Mean reciprocal rank ${share(mrr)} on facts that were hidden for this.`,
  };
}

function compressed(f: Figures): Verdict {
  const observed = number(f, "observed") ?? 0;
  const core = number(f, "core") ?? 0;
  const rules = number(f, "rules") ?? 0;
  const exceptions = (number(f, "extra") ?? 0) + (number(f, "missing") ?? 0);
  if (rules === 0)
    return {
      tone: "mixed",
      title: `No rule makes these ${whole(observed)} facts shorter.`,
      more: null,
    };
  return {
    tone: exceptions === 0 ? "good" : "mixed",
    title: `${count(observed, "fact")} are ${count(core, "core fact")} and ${count(rules, "rule")}${exceptions > 0 ? `, with ${count(exceptions, "exception")}` : ""}.`,
    more: f.minimal === true ? "No core for these rules is smaller: that is proved." : null,
  };
}

function scored(r: Result, f: Figures): Verdict {
  const s = r.score;
  if (s !== null) {
    const all = s.tp + s.fp + s.tn + s.fn;
    const wrong = s.fp + s.fn;
    return {
      tone: wrong === 0 ? "good" : "bad",
      title:
        wrong === 0
          ? `All ${count(all, "example")} fit.`
          : `${whole(wrong)} of ${count(all, "example")} ${wrong === 1 ? "does" : "do"} not fit.`,
      more: null,
    };
  }
  const mrr = number(f, "mrr");
  if (mrr !== null)
    return {
      tone: "good",
      title: `Mean reciprocal rank ${mrr.toFixed(3)} on ${count(number(f, "facts") ?? 0, "held-out fact")}.`,
      more: null,
    };
  const ap = r.ranking?.average_precision;
  return {
    tone: "good",
    title: `Average precision ${ap?.toFixed(3) ?? "–"} on ${count(r.ranking?.examples ?? 0, "example")}.`,
    more: null,
  };
}

function explained(r: Result): Verdict {
  const p = r.proofs[0];
  if (p?.holds && (p.size ?? 0) === 0)
    return { tone: "good", title: `${p.atom} is a given fact.`, more: null };
  if (p !== undefined)
    return {
      tone: p.holds ? "good" : "bad",
      title: p.holds ? `${p.atom} follows.` : `${p.atom} does not follow.`,
      more: p.holds
        ? `The shortest proof takes ${count(p.steps ?? 0, "step")} and ${count(p.size ?? 0, "use")} of rules.`
        : null,
    };
  const a = r.answers[0];
  return {
    tone: "mixed",
    title:
      a === undefined ? "Nothing was found." : `${a.text}: probability ${share(a.probability)}.`,
    more: null,
  };
}

function answered(r: Result): Verdict {
  const best = r.answers[0];
  if (best === undefined) return { tone: "mixed", title: "There is no answer.", more: null };
  return {
    tone: (best.probability ?? 0) >= 0.5 ? "good" : "mixed",
    title: `Likeliest: ${best.text}.`,
    more: `With probability ${share(best.probability)}; ${count(r.answers.length, "answer")}, the likeliest first.`,
  };
}

function inferred(r: Result, f: Figures): Verdict {
  const derived = number(f, "derived") ?? 0;
  const asked = r.start?.settings.query;
  return {
    tone: "good",
    title:
      typeof asked === "string"
        ? `${count(r.facts.length, "fact")} match ${asked}.`
        : `${count(derived, "fact")} ${derived === 1 ? "follows" : "follow"} from ${count(number(f, "given") ?? 0, "given fact")}.`,
    more: null,
  };
}

function verdictOf(r: Result): Verdict {
  const f = r.result;
  if (f === null)
    return {
      tone: "bad",
      title: "This result is not complete.",
      more: "It has no result event: the run was cut short, or the file is damaged.",
    };
  switch (r.start?.command) {
    case "learn":
      return f.method === undefined ? learned(r, f) : learnedModel(r, f);
    case "compress":
      return compressed(f);
    case "score":
      return scored(r, f);
    case "explain":
      return explained(r);
    case "infer":
      return f.derived === undefined ? answered(r) : inferred(r, f);
    default:
      return {
        tone: "mixed",
        title: `A result of pith ${r.start?.command ?? ""}`.trim(),
        more: null,
      };
  }
}

const endings: Record<string, string> = {
  timeout: "The time was up: this is the best so far.",
  memory: "Memory ran out: this is the best so far.",
  interrupted: "It was interrupted: this is the best so far.",
  steps: "It stopped at the limit of steps; more may follow.",
};

// What was asked is part of the command.
function operands(r: Result): string {
  const query = r.start?.settings.query;
  const words = r.start?.operands ?? [];
  return [...(typeof query === "string" ? [`${query}?`] : []), ...words].join(" ");
}

function readSummary(r: Result): Child {
  const s = r.start;
  if (s === null) return null;
  const read: [number | undefined, string][] = [
    [s.facts, "fact"],
    [s.rules, "rule"],
    [s.examples, "example"],
    [s.constants, "constant"],
  ];
  const words = read.flatMap(([n, what]) => (n ? [count(n, what)] : []));
  const settings = ["label", "target", "noise", "seed", "semantics", "method"].flatMap((k) => {
    const v = s.settings[k];
    return v === null || v === undefined || v === 0 ? [] : [`${k} ${v}`];
  });
  return h(
    "p",
    { class: "read" },
    [`Read ${words.join(", ")}`, ...settings, `pith ${s.pith}`].join(" · "),
  );
}

const marks = { good: "✓", mixed: "≈", bad: "✗" };

export function verdictView(r: Result): HTMLElement {
  const v = verdictOf(r);
  const ended = r.result?.ended;
  const advice = r.result?.try ?? [];
  return h(
    "header",
    { class: `verdict ${v.tone}` },
    h(
      "p",
      { class: "eyebrow" },
      h("span", { class: "brand" }, "pith"),
      ` ${r.start?.command ?? "report"} `,
      h("span", { class: "operands" }, operands(r)),
    ),
    h("h1", {}, h("span", { class: "tone", "aria-hidden": "true" }, marks[v.tone]), v.title),
    v.more ? h("p", { class: "more" }, v.more) : null,
    ended !== undefined && endings[ended] ? h("p", { class: "more" }, endings[ended]) : null,
    advice.length > 0
      ? [
          h("p", { class: "more" }, "What to try:"),
          h(
            "ul",
            { class: "advice" },
            advice.map((a) => h("li", {}, a)),
          ),
        ]
      : null,
    readSummary(r),
  );
}
