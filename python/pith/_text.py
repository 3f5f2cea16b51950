"""Atoms and rules from text and back, by the readers and writers of C."""

from __future__ import annotations

from typing import Any

from . import _c, errors
from .terms import Atom, Rule, Var


def _query_variables(text: str, atom: Any) -> dict[int, Var]:
    """pith_atom_read numbers variables in their order; Python wants names."""
    count = 0
    for i in range(atom.arity):
        if atom.args[i] & _c.VARIABLE:
            count = max(count, (atom.args[i] & ~_c.VARIABLE) + 1)
    rule_text = text.rstrip().rstrip(".")
    names = [Var(name) for name in _capital_words(rule_text)]
    if len(names) == count:
        return dict(enumerate(names))
    return {i: Var(f"V{i + 1}") for i in range(count)}


def _capital_words(text: str) -> list[str]:
    """The variables in a text, each once, those in quotes left out."""
    found: dict[str, None] = {}
    word, quoted, singles = "", "", 0
    for c in text + " ":
        if quoted:
            quoted = "" if c == quoted else quoted
        elif c.isalnum() or c == "_":
            word += c
        else:
            if word == "_":
                singles += 1
                word = f"_{singles}"
            if word and (word[0].isupper() or word[0] == "_"):
                found[word] = None
            word = ""
            quoted = c if c in "'\"" else ""
    return list(found)


def parse_atom(text: str) -> Atom:
    """Reads one atom, or a negated one."""
    if text.lstrip().startswith("\\+"):
        return ~parse_atom(text.lstrip()[2:])
    handle = _c.Handle()
    with handle:
        try:
            raw = handle.parse_atom(text)
        except errors.InputError as error:
            return _parse_in_body(text, error)
        return handle.atom_from(raw, _query_variables(text, raw))


def _parse_in_body(text: str, error: errors.InputError) -> Atom:
    """What only a body may have: X > 2, not p(X). Else the error is raised."""
    try:
        return _parse_comparison(text)
    except errors.InputError:
        if any(c in text for c in "<>="):
            raise
        raise error from None  # of the text alone


def _parse_comparison(text: str) -> Atom:
    """An atom such as X > 2, which a body may have and a query may not.

    Other atoms must bind its variables, so that one stands in front of it.
    """
    handle = _c.Handle()
    variables = _capital_words(text)
    binding = [f"p({','.join(variables)})"] if variables else []
    clause = f"q :- {', '.join([*binding, text.rstrip().rstrip('.')])}."
    handle.read_text("atom", clause, {"format": "prolog"}, quiet=True)
    with handle:
        (rule,) = handle.rules()
    if len(rule.body) != len(binding) + 1:
        raise errors.InputError(f"{text}: expected one atom")
    return rule.body[-1]


def print_rule(rule: Rule) -> str:
    """Writes one rule."""
    handle = _c.Handle()
    with handle:
        keep: list[Any] = []
        raw = handle.rule_to(rule, keep)
        return handle.written(lambda p, o: _c.lib.pith_rule_write(p, raw, o), True)


def print_atom(atom: Atom) -> str:
    """Writes one atom, as it would stand in a body."""
    if atom.negated:
        return "\\+ " + print_atom(~atom)
    text = print_rule(Rule(Atom("p"), [atom, atom]))
    middle = len(text) - len("p :- " + ", " + ".")
    return text[len("p :- ") : len("p :- ") + middle // 2]
