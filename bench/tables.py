#!/usr/bin/env python3
"""Rules beside decision trees and RIPPER on ten small tables.

    bench/tables.py [--folds 3] [TABLE...]

Accuracy on held-out folds and the number of conditions. A tree is given as many
leaves as our rules have conditions, plus one: so many splits. RIPPER is that of
wittgenstein, one class against the rest, as our rules are; without that module
its columns are left out. The tables ship with scikit-learn or are generated
here, with fixed seeds; no setting was chosen on them.
"""
import argparse
import itertools
import time
import warnings

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from pith.sklearn import RuleClassifier

warnings.filterwarnings("ignore")


def shipped(load):
    data = load(as_frame=True)
    return data.data, np.array([f"c{t}" for t in data.target])


def monks(rule, noise=0.0):
    """The attributes of the three MONK problems, all 432 robots."""
    rows = list(itertools.product(*(range(1, n + 1) for n in (3, 3, 2, 3, 4, 2))))
    frame = pd.DataFrame(rows, columns=[f"a{i}" for i in range(1, 7)])
    labels = np.array([rule(r) for r in rows])
    flips = np.random.default_rng(1).random(len(rows)) < noise
    return frame.astype(float), np.where(labels ^ flips, "yes", "no")


def balance():
    """Where a scale tips: weight times distance on both sides."""
    rows = list(itertools.product(range(1, 6), repeat=4))
    names = ["left_weight", "left_distance", "right_weight", "right_distance"]
    tips = [np.sign(a * b - c * d) for a, b, c, d in rows]
    words = {-1: "right", 0: "even", 1: "left"}
    return pd.DataFrame(rows, columns=names).astype(float), np.array([words[t] for t in tips])


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8),
         (2, 4, 6)]


def noughts():
    """Boards of finished games of noughts and crosses: has x won?"""
    boards = set()

    def play(board, turn):
        won = any(board[a] == board[b] == board[c] != "b" for a, b, c in LINES)
        if won or "b" not in board:
            boards.add(board)
            return
        for i in range(9):
            if board[i] == "b":
                play(board[:i] + turn + board[i + 1:], "o" if turn == "x" else "x")

    play("b" * 9, "x")
    rows = sorted(boards)
    won = [any(b[i] == b[j] == b[k] == "x" for i, j, k in LINES) for b in rows]
    frame = pd.DataFrame([list(b) for b in rows], columns=[f"square{i}" for i in range(9)])
    return frame, np.where(won, "yes", "no")


def generated(make, **options):
    x, y = make(random_state=1, **options)
    frame = pd.DataFrame(np.round(x, 3), columns=[f"x{i}" for i in range(x.shape[1])])
    return frame, np.array([f"c{t}" for t in y])


TABLES = {
    "iris": lambda: shipped(datasets.load_iris),
    "wine": lambda: shipped(datasets.load_wine),
    "cancer": lambda: shipped(datasets.load_breast_cancer),
    "monk-1": lambda: monks(lambda r: r[0] == r[1] or r[4] == 1),
    "monk-2": lambda: monks(lambda r: sum(v == 1 for v in r) == 2),
    "monk-3": lambda: monks(
        lambda r: (r[4] == 3 and r[3] == 1) or (r[4] != 4 and r[1] != 3), 0.05),
    "balance": balance,
    "noughts": noughts,
    "moons": lambda: generated(datasets.make_moons, n_samples=300, noise=0.2),
    "quantiles": lambda: generated(
        datasets.make_gaussian_quantiles, n_samples=300, n_features=3, n_classes=2),
}


def encoded(frame):
    """Categories as one column each, which trees need."""
    return pd.get_dummies(frame, dtype=float)


def ripper(train, labels, test):
    """One class against the rest; (predictions, conditions)."""
    import wittgenstein

    classes = sorted(set(labels))
    shares, conditions = [], 0
    for name in classes if len(classes) > 2 else classes[1:]:
        model = wittgenstein.RIPPER(random_state=1)
        table = train.assign(target=(labels == name).astype(int))
        try:
            model.fit(table, class_feat="target", pos_class=1)
            shares.append(np.asarray(model.predict_proba(test))[:, -1])
            conditions += sum(len(r.conds) for r in model.ruleset_.rules)
        except Exception:  # it finds no rule, and fails
            shares.append(np.zeros(len(test)))
    if len(classes) == 2:
        return np.where(shares[0] > 0.5, classes[1], classes[0]), conditions
    return np.array(classes)[np.argmax(shares, axis=0)], conditions


def have_ripper():
    try:
        import wittgenstein  # noqa: F401
    except ImportError:
        return False
    return True


def run(name, folds):
    frame, labels = TABLES[name]()
    split = StratifiedKFold(folds, shuffle=True, random_state=1)
    ours, tree, other = ([], []), ([], []), ([], [])
    seconds = 0.0
    for train, test in split.split(frame, labels):
        began = time.process_time()
        model = RuleClassifier().fit(frame.iloc[train], labels[train])
        seconds += time.process_time() - began
        ours[0].append(np.mean(model.predict(frame.iloc[test]) == labels[test]))
        ours[1].append(model.conditions_)
        dense = encoded(frame)
        leaves = max(2, model.conditions_ + 1)
        plain = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=1)
        plain.fit(dense.iloc[train], labels[train])
        tree[0].append(plain.score(dense.iloc[test], labels[test]))
        tree[1].append(plain.get_n_leaves() - 1)
        if have_ripper():
            found, conditions = ripper(frame.iloc[train], labels[train], frame.iloc[test])
            other[0].append(np.mean(found == labels[test]))
            other[1].append(conditions)
    cells = [name, str(len(frame)), str(frame.shape[1]), str(len(set(labels)))]
    for accuracy, conditions in (ours, tree, other):
        cells += [f"{100 * np.mean(accuracy):.1f}", f"{np.mean(conditions):.1f}"] if (
            accuracy) else ["-", "-"]
    cells.append(f"{seconds / folds:.1f}")
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    args = parser.parse_args()
    print("| table | rows | columns | classes | rules % | conditions | tree % | splits |"
          " RIPPER % | conditions | seconds |\n|" + "---|" * 11)
    for name in args.tables or TABLES:
        run(name, args.folds)


if __name__ == "__main__":
    main()
