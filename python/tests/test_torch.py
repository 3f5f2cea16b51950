"""Soft forward chaining. Runs where torch is installed."""

import pathlib
import runpy

import pytest

torch = pytest.importorskip("torch")

import pith  # noqa: E402
from pith._softops import max_product  # noqa: E402
from pith.torch import SoftRules  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
torch.set_num_threads(1)
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
TEMPLATES = (
    "F(X) <- F(X)\nF(X) <- F(Z), F(Z,X)\nF(X,Y) <- F(X,Z), F(Z,Y)\nF(X,X) <- F(X)\n"
)


def random(*shape, seed=0):
    draw = torch.Generator().manual_seed(seed)
    return torch.rand(*shape, generator=draw, dtype=torch.float64)


@pytest.mark.parametrize("device", DEVICES)
def test_max_product_and_its_gradient(device, monkeypatch):
    from pith import _softops

    a, b = random(2, 3, 5).to(device), random(5, 4, seed=1).to(device)
    wanted = (a.unsqueeze(-1) * b).amax(dim=-2)
    for room in (1, 30, 1 << 20):
        monkeypatch.setattr(_softops, "ROOM", room)
        assert torch.equal(max_product(a, b), wanted)
    inputs = (a.requires_grad_(), b.requires_grad_())
    assert torch.autograd.gradcheck(max_product, inputs)


def test_gradients_to_facts_and_slots():
    model = SoftRules(templates=TEMPLATES, predicates={"p": 1, "q": 1, "r": 2, "s": 2},
                      steps=2).double()  # fmt: skip
    slots = [s.detach().clone().requires_grad_() for s in model.slots]

    def run(p, r, *logits):
        with torch.nn.utils.parametrize.cached():
            state = {f"slots.{i}": x for i, x in enumerate(logits)}
            out = torch.func.functional_call(model, state, ({"p": p, "r": r},))
        return out["q"], out["s"]

    p, r = random(4, seed=3).requires_grad_(), random(4, 4, seed=4).requires_grad_()
    assert torch.autograd.gradcheck(run, (p, r, *slots))


PROGRAMS = [
    "reach(X,Y) :- edge(X,Y). reach(X,Y) :- edge(X,Z), reach(Z,Y).",
    "sib(X,Y) :- edge(Z,X), edge(Z,Y). loop(X) :- edge(X,X). one(X,X) :- start(X).",
    "far(X) :- start(Y), edge(Y,Z), edge(Z,X). back(X,Y) :- edge(Y,X), start(Y).",
    "pair(X,Y) :- start(X), start(Y). tri(X) :- edge(X,Y), edge(Y,Z), edge(Z,X).",
]


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("device", DEVICES)
def test_on_facts_that_are_certain_it_is_exact_inference(text, device):
    """The same as the C engine, step by step."""
    for seed in range(4):
        edge = (random(6, 6, seed=seed) < 0.25).double().to(device)
        start = (random(6, seed=seed + 9) < 0.4).double().to(device)
        start[0] = edge[0, 1] = 1
        facts = {
            "edge": [tuple(e) for e in edge.nonzero().tolist()],
            "start": [tuple(e) for e in start.nonzero().tolist()],
        }
        for steps in (1, 2, 3):
            rules = SoftRules(text, steps=steps, predicates={"edge": 2, "start": 1})
            found = rules({"edge": edge, "start": start})
            exact = pith.infer(text, facts, steps=steps)
            for name, value in found.items():
                assert set(map(tuple, value.nonzero().tolist())) == set(
                    exact.get(name, ())
                )


def test_restarts_side_by_side():
    options = {"templates": TEMPLATES, "predicates": {"p": 1, "q": 1, "r": 2}}
    many = SoftRules(**options, restarts=3, steps=3)
    facts = {"p": random(5).float(), "r": random(5, 5, seed=2).float()}
    together = many(facts)["q"]
    for i in range(3):
        one = SoftRules(**options, steps=3)
        for slot, own in zip(one.slots, many.slots):
            slot.data = own.data[i]
        assert torch.allclose(one(facts)["q"], together[i])
        assert one.decode() == many.decode(i)


def test_slots_learn_a_theory():
    """even, by an invented predicate, from the paper's templates."""
    text = (ROOT / "data" / "ilp" / "even-odd" / "templates.txt").read_text()
    model = SoftRules(templates=text, predicates={"zero": 1, "succ": 2, "even": 1},
                      steps=6, restarts=32, seed=2)  # fmt: skip
    n = 6
    zero = torch.zeros(n)
    zero[0] = 1
    succ = torch.diag(torch.ones(n - 1), 1)
    wanted = torch.tensor([1.0, 0, 1, 0, 1, 0])
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(250):
        even = model({"zero": zero, "succ": succ})["even"].clamp(1e-4, 1 - 1e-4)
        loss = torch.nn.functional.binary_cross_entropy(
            even, wanted.expand_as(even), reduction="none"
        ).mean(-1)
        optimiser.zero_grad()
        loss.sum().backward()
        optimiser.step()
    best = model.decode(int(loss.argmin()))
    task = ROOT / "data" / "ilp" / "even-odd"
    assert pith.score(best, task / "test").accuracy == 1.0


def test_what_is_wrong_is_said():
    rules = SoftRules(PROGRAMS[0])
    with pytest.raises(pith.ArgumentError, match="no rule or slot knows nothing"):
        rules({"nothing": torch.zeros(3)})
    with pytest.raises(pith.ArgumentError, match="expected 3 things"):
        rules({"edge": torch.zeros(3, 3), "reach": torch.zeros(4, 4)})
    with pytest.raises(pith.ArgumentError, match="dimensions"):
        rules({"edge": torch.zeros(3)})
    with pytest.raises(pith.ArgumentError, match="neither negation nor constants"):
        SoftRules("p(X) :- q(X), \\+ r(X).")
    with pytest.raises(pith.ArgumentError, match="one or two things"):
        SoftRules("p(X) :- q(X,_,_).")


def test_digits_and_rules_together():
    found = runpy.run_path(str(ROOT / "examples" / "digits.py"))["train"]()
    assert found["digits"] > 0.8
    assert found["rule"] == "less(A,B) :- digit(A,C), lt(C,D), digit(B,D)."
