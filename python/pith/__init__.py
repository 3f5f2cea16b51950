"""pith learns the theory behind observed facts.

>>> import pith
>>> rules = pith.learn(
...     {"parent": [("ann", "bob"), ("bob", "cid"), ("bob", "dora")]},
...     positive=["grandparent(ann,cid)", "grandparent(ann,dora)"],
...     negative=["grandparent(ann,bob)", "grandparent(bob,cid)"],
... )
>>> print(rules)
grandparent(A,B) :- parent(A,C), parent(C,B).
"""

from __future__ import annotations


def _refuse_subinterpreters() -> None:
    """The C part keeps Python objects that belong to one interpreter."""
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            module = __import__(name)
        except ImportError:
            continue
        current, main = module.get_current(), module.get_main()
        if current != main:
            raise ImportError(
                "pith cannot be imported in a subinterpreter; "
                "import it in the main one, or use a process"
            )


_refuse_subinterpreters()

from ._c import features, version  # noqa: E402
from .errors import (  # noqa: E402
    ArgumentError,
    ConstantError,
    FileError,
    InputError,
    InputWarning,
    InternalError,
    InterruptedWarning,
    LimitError,
    OutOfMemoryError,
    PithError,
    PithWarning,
    Remark,
    ThreadError,
    UnsupportedError,
)
from .facts import Facts, Relation  # noqa: E402
from .learning import (  # noqa: E402
    Compressed,
    HardlyDecided,
    Learned,
    LearnedTheory,
    compress,
    learn,
)
from .logic import Closure, Proof, Score, explain, infer, score  # noqa: E402
from .model import Answer, Model, Ranks, Reason  # noqa: E402
from .progress import Progress  # noqa: E402
from .terms import Atom, Compound, Constant, Rule, Term, Var  # noqa: E402
from .theory import Theory  # noqa: E402

__version__ = version()

__all__ = [
    "Answer",
    "ArgumentError",
    "Atom",
    "Closure",
    "Compound",
    "Compressed",
    "Constant",
    "ConstantError",
    "Facts",
    "FileError",
    "HardlyDecided",
    "InputError",
    "InputWarning",
    "InternalError",
    "InterruptedWarning",
    "Learned",
    "LearnedTheory",
    "LimitError",
    "Model",
    "OutOfMemoryError",
    "PithError",
    "PithWarning",
    "Progress",
    "Proof",
    "Ranks",
    "Reason",
    "Relation",
    "Remark",
    "Rule",
    "Score",
    "Term",
    "Theory",
    "ThreadError",
    "UnsupportedError",
    "Var",
    "compress",
    "explain",
    "features",
    "infer",
    "learn",
    "score",
    "version",
]


def __dir__() -> list[str]:
    """What is meant for others, as a tab shows it."""
    return [*__all__, "__doc__", "__file__", "__name__", "__path__", "__version__"]
