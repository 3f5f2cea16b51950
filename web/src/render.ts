// Which views a result has, in the order in which they are read.
import { h, replace } from "./dom";
import type { Result } from "./events";
import { answersView } from "./views/answers";
import { coreView, exceptionsView, sizesView } from "./views/compress";
import { factsView } from "./views/facts";
import { matrixView, suspectsView } from "./views/matrix";
import { modelView } from "./views/model";
import { proofView } from "./views/proofs";
import { rulesView, theoriesView } from "./views/rules";
import { scoreView } from "./views/score";
import { trainingView } from "./views/training";
import { valuationsView } from "./views/valuations";
import { verdictView } from "./views/verdict";

const views = [
  scoreView,
  proofView,
  answersView,
  sizesView,
  rulesView,
  coreView,
  modelView,
  suspectsView,
  matrixView,
  exceptionsView,
  valuationsView,
  factsView,
  theoriesView,
  trainingView,
];

export function render(root: HTMLElement, r: Result): void {
  replace(
    root,
    verdictView(r),
    r.problems.length > 0
      ? h(
          "p",
          { class: "problem", role: "alert" },
          `Some of it could not be read: ${r.problems.slice(0, 3).join("; ")}.`,
        )
      : null,
    views.map((view) => view(r)),
  );
}
