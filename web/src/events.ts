// A result as pith writes it: JSON lines, schema 2 (docs/json-schema.json).

export type Term = string | number | { var: string } | { term: string };
export interface Atom {
  predicate: string;
  args: Term[];
  negated?: boolean;
}
export interface Start {
  pith: string;
  command: string;
  operands: string[];
  settings: Record<string, string | number | boolean | null>;
  constants?: number;
  facts?: number;
  rules?: number;
  examples?: number;
}
export interface Rule {
  text: string;
  words?: string;
  head: Atom;
  body: Atom[];
  probability?: number | null;
  support?: number;
  predictions?: number;
  confidence?: number | null;
  confidence_low?: number | null;
  confidence_high?: number | null;
  pca_confidence?: number | null;
  head_coverage?: number | null;
  similarity?: number | null;
  weight?: number | null;
  agreement?: number | null;
  agree?: number;
  theories?: number;
  file?: string;
  line?: number;
}
export interface Example {
  text: string;
  positive: boolean;
  holds?: boolean;
  weight?: number | null;
  suspect?: boolean;
  why?: string | null;
  world?: string;
}
export interface Coverage extends Example, Atom {
  holds: boolean;
  rules: number[];
}
export interface ProofNode {
  node: number;
  atom: string;
  rule?: string;
  from?: number[];
  given?: boolean;
}
export interface WhyNotAtom extends WhyNot {
  atom: string;
  holds: boolean;
}
export interface WhyNot {
  atom?: string;
  nearest?: string | null;
  body?: WhyNotAtom[];
  [other: string]: unknown;
}
export interface Proof extends WhyNot {
  atom: string;
  holds: boolean;
  steps?: number;
  size?: number;
  nodes?: ProofNode[];
}
export interface Slot {
  rule: number;
  atom: number;
  vars: number[];
  predicates: string[];
}
export interface Slots {
  first: number;
  restarts: number;
  slots: Slot[];
  steps?: number;
  atoms?: string[]; // that have soft values
}
export interface Epoch {
  epoch: number;
  losses: (number | null)[];
  wrong: number[];
  weights: number[][];
  values?: number[][]; // by step and atom, in hundredths
}
export interface Space {
  number: number;
  count: number;
  rules: number;
  body: number;
  invented: number;
  recursive: boolean;
  inequality?: boolean;
  constants?: boolean;
  noisy?: boolean;
}
// Where a search goes on; null: where it ended. tried: clauses before.
export interface Searched {
  space: Space | null;
  tried?: number;
}
// The best theory so far of compress, where something changed.
export interface History {
  phase: string;
  core: number;
  rules: number;
  bits: number | null;
  restarts_done?: number;
  epoch?: number;
  loss?: number | null;
}
export interface Restart {
  number: number;
  epoch: number;
  loss: number | null;
  core: number;
  extra: number;
  missing: number;
}
export interface Theory {
  rank: number;
  solved: boolean;
  errors: number;
  rules: string[];
}
export interface Core extends Atom {
  text: string;
  value?: number | null;
  agreement?: number | null;
}
export interface Invented {
  text: string;
  about?: string;
  facts?: number;
  extension?: string[];
}
export interface Exception extends Atom {
  text: string;
  observed: boolean;
  holds: boolean;
}
export interface Score {
  tp: number;
  fp: number;
  tn: number;
  fn: number;
  accuracy: number | null;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}
export interface Bin {
  count: number;
  predicted: number | null;
  observed: number | null;
  low?: number | null;
  high?: number | null;
}
export interface Ranking {
  examples?: number;
  predictions?: number;
  positive: number;
  average_precision?: number | null;
  brier: number | null;
  calibration_error: number | null;
  bins?: Bin[];
}
export interface Ranks {
  asked: string;
  questions: number;
  mrr: number | null;
  hits1: number | null;
  hits3: number | null;
  hits10: number | null;
  mean_rank: number | null;
}
export interface RelationRanks extends Ranks {
  relation: string;
}
export interface Valuation extends Atom {
  text: string;
  step: number;
  world?: string;
}
export interface Relation {
  name: string;
  rules: number;
  facts: number;
}
export interface Answer extends Atom {
  rank: number;
  text: string;
  probability: number | null;
  score: number | null;
  rules: number;
  reasons: Reason[];
  clues: Clue[];
}
// What adds how much to the logarithm of the probability.
export interface Clue {
  what: string;
  value: number | null;
  adds: number | null;
}
export interface Reason {
  rule: string;
  confidence?: number | null;
  weight?: number | null;
  groundings?: number;
  grounding?: string[];
}
export interface Prediction {
  text: string;
  positive: boolean;
  probability: number | null;
}
export type Figures = Record<string, unknown> & {
  solved?: boolean;
  ended?: string;
  space?: Space;
  sizes?: { rules: number; mrr: number | null }[];
  try?: string[];
  hardly_decided?: { rule: number; atom?: number; bits: number; errors: number };
};

export interface Result {
  start: Start | null;
  rules: Rule[];
  examples: Example[];
  coverage: Coverage[];
  proofs: Proof[];
  slots: Slots | null;
  epochs: Epoch[];
  theories: Theory[];
  searched: Searched[];
  history: History[];
  restarts: Restart[];
  core: Core[];
  invented: Invented[];
  exceptions: Exception[];
  score: Score | null;
  ranking: Ranking | null;
  ranks: Ranks[];
  relationRanks: RelationRanks[];
  valuations: Valuation[];
  relations: Relation[];
  answers: Answer[];
  predictions: Prediction[];
  facts: (Atom & { text: string })[];
  result: Figures | null;
  leftOut: Map<string, number>;
  problems: string[];
}

type Event = { event?: unknown } & Record<string, unknown>;

function emptyResult(): Result {
  return {
    start: null,
    rules: [],
    examples: [],
    coverage: [],
    proofs: [],
    slots: null,
    epochs: [],
    theories: [],
    searched: [],
    history: [],
    restarts: [],
    core: [],
    invented: [],
    exceptions: [],
    score: null,
    ranking: null,
    ranks: [],
    relationRanks: [],
    valuations: [],
    relations: [],
    answers: [],
    predictions: [],
    facts: [],
    result: null,
    leftOut: new Map(),
    problems: [],
  };
}

// What each event adds; events that are not known are skipped, as docs/json.md
// asks of a reader.
const takers: Record<string, (r: Result, e: never) => void> = {
  start: (r, e: Start) => {
    r.start ??= e;
  },
  rule: (r, e: Rule) => r.rules.push(e),
  example: (r, e: Example) => r.examples.push(e),
  coverage: (r, e: Coverage) => r.coverage.push(e),
  proof: (r, e: Proof) => r.proofs.push(e),
  slots: (r, e: Slots) => {
    r.slots = e;
  },
  epoch: (r, e: Epoch) => r.epochs.push(e),
  theory: (r, e: Theory) => r.theories.push(e),
  space: (r, e: Searched) => r.searched.push(e),
  history: (r, e: History) => r.history.push(e),
  restart: (r, e: Restart) => r.restarts.push(e),
  core: (r, e: Core) => r.core.push(e),
  invented: (r, e: Invented) => r.invented.push(e),
  exception: (r, e: Exception) => r.exceptions.push(e),
  score: (r, e: Score) => {
    r.score = e;
  },
  ranking: (r, e: Ranking) => {
    r.ranking = e;
  },
  calibration: (r, e: Ranking & { widths?: (Bin & { share: number })[] }) => {
    const all = e.predictions ?? 0;
    const bins = e.widths?.map((b) => ({ ...b, count: Math.round(b.share * all) }));
    r.ranking = bins === undefined ? e : { ...e, bins };
  },
  ranks: (r, e: Ranks) => r.ranks.push(e),
  relation_ranks: (r, e: RelationRanks) => r.relationRanks.push(e),
  valuation: (r, e: Valuation) => r.valuations.push(e),
  relation: (r, e: Relation) => r.relations.push(e),
  answer: (r, e: Answer) => r.answers.push({ ...e, reasons: [], clues: [] }),
  clue: (r, e: Clue) => r.answers.at(-1)?.clues.push(e),
  reason: (r, e: Reason) => r.answers.at(-1)?.reasons.push(e),
  prediction: (r, e: Prediction) => r.predictions.push(e),
  fact: (r, e: Atom & { text: string }) => r.facts.push(e),
  result: (r, e: Figures) => {
    r.result = e;
  },
  left_out: (r, e: { kind: string; count: number }) => r.leftOut.set(e.kind, e.count),
};

export function parse(lines: string): Result {
  const r = emptyResult();
  for (const [i, line] of lines.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      const e = JSON.parse(line) as Event;
      const taker = typeof e.event === "string" ? takers[e.event] : undefined;
      taker?.(r, e as never);
    } catch {
      r.problems.push(`line ${i + 1} is not JSON`);
    }
  }
  // Of a graph model the surest rules first.
  if (r.result?.method !== undefined)
    r.rules.sort((a, b) => (b.confidence_low ?? 0) - (a.confidence_low ?? 0));
  return r;
}
