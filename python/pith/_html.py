"""What a notebook shows: HTML and SVG that read well in dark and in light.

Nothing is loaded from elsewhere, and nothing is styled but by inherited colours
and a few that work on both grounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .facts import Facts, Relation
    from .learning import Compressed, Learned
    from .logic import Proof, Score
    from .model import Ranks
    from .progress import Progress
    from .terms import Rule

SHOWN_RULES = 50
SHOWN_ROWS = 10
SHOWN_NODES = 120
MUTED = "opacity:.65"
CODE = "font-family:monospace;white-space:pre-wrap;text-align:left"


def _cell(text: str, style: str = "text-align:right") -> str:
    return f'<td style="{style};padding:2px 8px">{text}</td>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column is code."""
    top = "".join(f'<th style="padding:2px 8px">{escape(h)}</th>' for h in head)
    body = "".join(
        "<tr>" + _cell(row[0], CODE) + "".join(map(_cell, row[1:])) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _note(text: str) -> str:
    return f'<div style="{MUTED}">{escape(text)}</div>'


# ---- rules ----------------------------------------------------------------


def _bar(share: float) -> str:
    width = round(60 * min(max(share, 0.0), 1.0))
    return (
        '<svg width="62" height="9" role="img">'
        '<rect width="61" height="8" x=".5" y=".5" fill="none" '
        'stroke="currentColor" opacity=".4"/>'
        f'<rect width="{width}" height="7" x="1" y="1" fill="#4c8bf5"/></svg>'
    )


def _rule_row(rule: Rule) -> list[str]:
    support = "" if rule.support is None else f"{rule.support} of {rule.predictions}"
    if rule.confidence is None:
        return [escape(str(rule)), support, ""]
    return [
        escape(str(rule)),
        support,
        f"{rule.confidence:.3f} {_bar(rule.confidence)}",
    ]


def theory_html(theory: Sequence[Rule]) -> str:
    """Rules with their figures."""
    rows = [_rule_row(rule) for rule in theory[:SHOWN_RULES]]
    html = _table(["rule", "support", "confidence"], rows)
    if len(theory) > SHOWN_RULES:
        html += _note(f"and {len(theory) - SHOWN_RULES} more rules")
    return html


def learned_html(learned: Learned) -> str:
    """Rules, how well they fit, and how the run went."""
    fits = "all examples fit" if learned.solved else f"{len(learned.wrong)} wrong"
    if learned.by_heart:
        fits += ", learned by heart"
    elif learned.maybe_by_heart:
        fits += ", perhaps by heart"
    note = f"{fits}; {learned.stage}, {learned.ended}, {learned.seconds:.2f} s"
    return theory_html(learned) + _note(note) + curve_svg(learned.curve)


def compressed_html(theory: Compressed) -> str:
    """Rules, and what they save."""
    note = (
        f"{theory.observed} observed facts, {theory.core.count} of them core; "
        f"{theory.bits_before:.0f} bits before, {theory.bits_after:.0f} after; "
        + ("exact" if theory.exact else "not exact")
    )
    return theory_html(theory) + _note(note)


# ---- facts ----------------------------------------------------------------


def relation_html(relation: Relation) -> str:
    """The first rows of a relation."""
    places = [f"{i + 1}" for i in range(relation.arity)]
    rows = [[escape(str(c)) for c in row] or [""] for row in relation[:SHOWN_ROWS]]
    more = len(relation) - SHOWN_ROWS
    note = _note(f"and {more} more") if more > 0 else ""
    return f"<b>{escape(relation.name)}</b>{_table(places, rows)}{note}"


def facts_html(facts: Facts) -> str:
    """The relations and how many facts each has."""
    rows = [
        [escape(f"{r.name}/{r.arity}"), f"{len(r):,}"]
        for r in list(facts.values())[:SHOWN_RULES]
    ]
    return _table(["relation", "facts"], rows)


# ---- scores and curves ----------------------------------------------------


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def score_html(score: Score) -> str:
    """The confusion matrix and its shares."""
    rows = [
        ["holds", str(score.tp), str(score.fn)],
        ["does not hold", str(score.fp), str(score.tn)],
    ]
    note = (
        f"accuracy {_figure(score.accuracy)}, precision {_figure(score.precision)}, "
        f"recall {_figure(score.recall)}, F1 {_figure(score.f1)}"
    )
    return _table(["", "predicted", "not predicted"], rows) + _note(note)


def ranks_html(ranks: Ranks) -> str:
    """Filtered ranks, for both ends of a link."""
    rows = [
        [name, str(r.questions), _figure(r.mrr), _figure(r.hits1), _figure(r.hits3),
         _figure(r.hits10)]
        for name, r in (("object", ranks.object), ("subject", ranks.subject),
                        ("both", ranks))
        if r is not None
    ]  # fmt: skip
    return _table(["asked", "questions", "MRR", "hits@1", "hits@3", "hits@10"], rows)


def curve_svg(curve: Sequence[Progress]) -> str:
    """The loss over the time of a run; "" where there is none."""
    points = [(p.seconds, p.loss) for p in curve if p.loss is not None]
    if len(points) < 3:
        return ""
    x_max = max(x for x, _ in points) or 1.0
    y_max = max(y for _, y in points) or 1.0
    path = " ".join(
        f"{5 + 290 * x / x_max:.1f},{65 - 60 * y / y_max:.1f}" for x, y in points
    )
    return (
        '<svg width="300" height="84" role="img" aria-label="loss">'
        f'<polyline points="{path}" fill="none" stroke="#4c8bf5" stroke-width="1.5"/>'
        '<line x1="5" y1="65" x2="295" y2="65" stroke="currentColor" opacity=".4"/>'
        f'<text x="5" y="80" font-size="11" fill="currentColor">loss, from '
        f"{y_max:.3g} to {points[-1][1]:.3g} in {x_max:.1f} s</text></svg>"
    )


# ---- proofs ---------------------------------------------------------------

LETTER, ROW, INDENT = 7.3, 26, 22


def proof_html(proof: Proof) -> str:
    """A proof as SVG, or why there is none."""
    if proof.holds:
        return proof_svg(proof)
    return f'<div style="{CODE}">{escape(str(proof))}</div>'


def proof_svg(proof: Proof) -> str:
    """A tree with one node a line, rules beside what they give."""
    lines, rows = _rows_of(proof)
    width = 20 + LETTER * max(
        len(atom) + len(how) + 4 + depth * INDENT / LETTER
        for depth, atom, how, _ in rows
    )
    marks = []
    for i, (depth, atom, how, parent) in enumerate(rows):
        marks.append(_node(i, depth, atom, how))
        if parent >= 0:
            marks.append(_branch(i, depth, parent))
    more = "" if lines <= len(rows) else _note(f"and {lines - len(rows)} more lines")
    return (
        f'<svg width="{width:.0f}" height="{ROW * len(rows) + 8}" role="img" '
        f'aria-label="proof of {escape(str(proof.atom))}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="monospace" font-size="12" '
        f'fill="currentColor">{"".join(marks)}</svg>{more}'
    )


def _rows_of(proof: Proof) -> tuple[int, list[tuple[int, str, str, int]]]:
    """(depth, atom, how, row of the parent) of each line, the first so many."""
    rows: list[tuple[int, str, str, int]] = []
    waiting: list[tuple[Any, int, int]] = [(proof, 0, -1)]
    lines = 0
    while waiting and lines < 100 * SHOWN_NODES:
        node, depth, parent = waiting.pop()
        lines += 1
        here = len(rows)
        if here < SHOWN_NODES:
            how = "given" if node.rule is None else f"by {node.rule}"
            rows.append((depth, str(node.atom), how, parent))
        waiting += [(c, depth + 1, here) for c in reversed(node.children)]
    return lines, rows


def _node(i: int, depth: int, atom: str, how: str) -> str:
    x, y = 6 + INDENT * depth, 4 + ROW * i
    width = 12 + LETTER * len(atom)
    given = how == "given"
    colour = "#3a9d5d" if given else "#4c8bf5"
    return (
        f'<rect x="{x}" y="{y}" width="{width:.0f}" height="19" rx="5" '
        f'fill="{colour}" fill-opacity=".15" stroke="{colour}"/>'
        f'<text x="{x + 6}" y="{y + 14}">{escape(atom)}</text>'
        f'<text x="{x + width + 8:.0f}" y="{y + 14}" opacity=".65">{escape(how)}</text>'
    )


def _branch(i: int, depth: int, parent: int) -> str:
    x, y = 6 + INDENT * depth, 4 + ROW * i + 9
    top = 4 + ROW * parent + 19
    return (
        f'<path d="M{x - INDENT + 8} {top}V{y}H{x}" fill="none" '
        'stroke="currentColor" opacity=".4"/>'
    )
