// Which views a result has, in the order in which they are read.
import { h, replace } from "./dom";
import type { Result } from "./events";
import { answersView } from "./views/answers";
import { coreView, exceptionsView, sizesView } from "./views/compress";
import { factsView } from "./views/facts";
import { historyView } from "./views/history";
import { matrixView, suspectsView } from "./views/matrix";
import { modelView } from "./views/model";
import { proofView } from "./views/proofs";
import { rulesView, theoriesView } from "./views/rules";
import { scoreView } from "./views/score";
import { searchView } from "./views/search";
import { trainingView } from "./views/training";
import { valuationsView } from "./views/valuations";
import { verdictView } from "./views/verdict";

const views = [
  scoreView,
  proofView,
  answersView,
  sizesView,
  modelView,
  rulesView,
  coreView,
  suspectsView,
  matrixView,
  exceptionsView,
  valuationsView,
  factsView,
  theoriesView,
  historyView,
  searchView,
  trainingView,
];

function problemsView(r: Result): HTMLElement | null {
  return r.problems.length === 0
    ? null
    : h(
        "p",
        { class: "problem", role: "alert" },
        `Some of it could not be read: ${r.problems.slice(0, 3).join("; ")}.`,
      );
}

export function render(root: HTMLElement, r: Result): void {
  replace(
    root,
    verdictView(r),
    problemsView(r),
    views.map((view) => view(r)),
  );
}

const atFirst = 1; // views below the verdict that fill the first screen

// The same, a part at a time: the verdict and the first part are there at once,
// and the browser may draw before each of the others. False: `still` said no.
export async function renderInTurn(
  root: HTMLElement,
  r: Result,
  pause: () => Promise<void>,
  still: () => boolean,
): Promise<boolean> {
  replace(root, verdictView(r), problemsView(r));
  let drawn = 0;
  for (const view of views) {
    if (drawn >= atFirst) await pause();
    if (!still()) return false;
    const part = view(r);
    if (part === null) continue;
    root.append(part);
    drawn++;
  }
  return true;
}
