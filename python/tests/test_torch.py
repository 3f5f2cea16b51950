"""Soft forward chaining. Runs where torch is installed."""

import copy
import gc
import pathlib
import pickle
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
    "other(X,Y) :- edge(X,Z), edge(Z,Y), X \\= Y. self(X) :- edge(X,Y), X = Y.",
]
BACKENDS = ["c", *(f"torch on {d}" for d in DEVICES)]


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("how", BACKENDS)
def test_on_facts_that_are_certain_it_is_exact_inference(text, how):
    """The same as exact inference in C, step by step."""
    backend, _, device = how.partition(" on ")
    for seed in range(4):
        edge = (random(6, 6, seed=seed) < 0.25).float().to(device or "cpu")
        start = (random(6, seed=seed + 9) < 0.4).float().to(device or "cpu")
        start[0] = edge[0, 1] = 1
        facts = {
            "edge": [tuple(e) for e in edge.nonzero().tolist()],
            "start": [tuple(e) for e in start.nonzero().tolist()],
        }
        for steps in (1, 2, 3):
            rules = SoftRules(text, steps=steps, predicates={"edge": 2, "start": 1},
                              backend=backend)  # fmt: skip
            found = rules({"edge": edge, "start": start})
            exact = pith.infer(text, facts, steps=steps)
            for name, value in found.items():
                assert set(map(tuple, value.nonzero().tolist())) == set(
                    exact.get(name, ())
                )


def run_both(make, facts):
    """Values and gradients of the C kernels and of torch operations, compared."""
    runs = []
    for backend in ("c", "torch"):
        model = make(backend)
        own = {k: v.clone().requires_grad_() for k, v in facts.items()}
        out = model(own)
        draw = torch.Generator().manual_seed(3)
        slopes = {k: torch.rand(v.shape, generator=draw) for k, v in out.items()}
        sum((v * slopes[k]).sum() for k, v in out.items()).backward()
        runs.append((out, [f.grad for f in own.values()], [*model.slots]))
    (ours, our_slopes, our_slots), (theirs, slopes, slots) = runs
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        assert value.shape == theirs[name].shape
        assert torch.allclose(value, theirs[name], atol=1e-6), name
    for a, b in zip(our_slopes, slopes):
        assert torch.allclose(a, b, rtol=1e-4, atol=1e-5)
    for a, b in zip(our_slots, slots):
        assert torch.allclose(a.grad, b.grad, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("batch", [(), (1,), (5,), (2, 20)])
def test_c_and_torch_agree_on_rules(text, batch):
    facts = {"edge": random(*batch, 6, 6).float(), "start": random(6, seed=8).float()}
    predicates = {"edge": 2, "start": 1}
    run_both(lambda b: SoftRules(text, predicates=predicates, steps=3, backend=b),
             facts)  # fmt: skip


@pytest.mark.parametrize(("restarts", "shapes"), [
    (33, ((5,), (5, 5))), (3, ((4, 1, 5), (3, 5, 5))), (None, ((5,), (7, 5, 5))),
])  # fmt: skip
def test_c_and_torch_agree_on_slots(restarts, shapes):
    facts = {"p": random(*shapes[0]).float(), "r": random(*shapes[1], seed=4).float()}
    predicates = {"p": 1, "q": 1, "r": 2, "s": 2}
    run_both(lambda b: SoftRules(templates=TEMPLATES, predicates=predicates, steps=2,
                                 restarts=restarts, backend=b), facts)  # fmt: skip


def test_c_and_torch_agree_where_alternatives_are_equal():
    """Certain facts: of equals the first has the gradient, nothing has none."""
    for seed in range(5):
        edge = (random(7, 7, seed=seed) < 0.3).float()
        run_both(lambda b: SoftRules(PROGRAMS[0], steps=3, backend=b), {"edge": edge})


def test_the_gradient_of_the_kernels():
    model = SoftRules(templates=TEMPLATES, predicates={"p": 1, "q": 1, "r": 2, "s": 2},
                      steps=2, restarts=2, backend="c")  # fmt: skip
    slots = [s.detach().clone().requires_grad_() for s in model.slots]

    def run(p, r, *logits):
        state = {f"slots.{i}": x for i, x in enumerate(logits)}
        out = torch.func.functional_call(model, state, ({"p": p, "r": r},))
        return out["q"], out["s"]

    p = random(4, seed=3).float().requires_grad_()
    r = random(2, 4, 4, seed=4).float().requires_grad_()
    # float32 has seven digits: wide differences, and little is asked of them
    with pytest.warns(UserWarning, match="double precision"):
        assert torch.autograd.gradcheck(run, (p, r, *slots), eps=2e-3, atol=3e-3,
                                        rtol=2e-2)  # fmt: skip


def test_tensors_are_read_where_they_lie():
    """Transposed, strided and shared ones: no copy, and the same numbers."""
    rules = SoftRules(PROGRAMS[0], steps=2, backend="c")
    many = random(8, 5, 5).float()
    wanted = rules({"edge": many})["reach"]
    turned = many.permute(2, 1, 0).contiguous().permute(2, 1, 0)
    assert not turned.is_contiguous()
    assert torch.equal(rules({"edge": turned})["reach"], wanted)
    spread = torch.zeros(8, 5, 10)[..., ::2].copy_(many)
    assert torch.equal(rules({"edge": spread})["reach"], wanted)
    shared = many[0].expand(8, 5, 5)
    assert torch.equal(rules({"edge": shared})["reach"][7], wanted[0])


def test_kernels_are_freed_in_any_order():
    made = []
    for n in (3, 4, 5):
        rules = SoftRules(PROGRAMS[0], steps=2, backend="c")
        edge = random(n, n).float().requires_grad_()
        first, second = rules({"edge": edge}), rules({"edge": edge})
        other = rules({"edge": random(2, 2).float()})  # another kernel takes its place
        assert other["reach"].shape == (2, 2)
        made.append((edge, first, second))
        del rules
    gc.collect()
    for edge, first, second in reversed(made):
        second["reach"].sum().backward(retain_graph=True)
        once = edge.grad.clone()
        second["reach"].sum().backward()
        first["reach"].sum().backward()
        assert torch.allclose(edge.grad, 3 * once)


def test_copies_and_pickles_compute_the_same():
    rules = SoftRules(PROGRAMS[0], templates=TEMPLATES, predicates={"p": 1}, steps=2,
                      seed=5)  # fmt: skip
    edge = random(4, 4).float()
    wanted = rules({"edge": edge})["reach"]
    for other in (copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert torch.equal(other({"edge": edge})["reach"], wanted)


def test_who_computes():
    edge = random(4, 4)
    with pytest.raises(pith.ArgumentError, match="float32"):
        SoftRules(PROGRAMS[0], backend="c")({"edge": edge})
    with pytest.raises(pith.ArgumentError, match="backend is 'gpu'"):
        SoftRules(PROGRAMS[0], backend="gpu")
    wide = "all(A) :- e(A,B), e(A,C), e(A,D), e(B,C), e(B,D), e(C,D)."
    facts = {"e": edge.float()}
    with pytest.raises(pith.InputError, match="two variables at once"):
        SoftRules(wide, backend="c")(facts)
    by_torch = SoftRules(wide, backend="torch")(facts)
    assert torch.equal(SoftRules(wide)(facts)["all"], by_torch["all"])


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
    with pytest.raises(pith.ArgumentError, match="do not fit together"):
        rules({"edge": torch.zeros(2, 3, 3), "reach": torch.zeros(5, 3, 3)})
    with pytest.raises(pith.ArgumentError, match="steps is 0"):
        SoftRules(PROGRAMS[0], steps=0)
    with pytest.raises(pith.ArgumentError, match="no predicate fits"):
        SoftRules(PROGRAMS[0], templates=TEMPLATES)
    with pytest.raises(pith.ArgumentError, match="comparisons"):
        SoftRules("p(X) :- q(X,Y), X < Y.")
    with pytest.raises(pith.ArgumentError, match="one or two things"):
        SoftRules("p(X) :- q(X,_,_).")


def test_digits_and_rules_together():
    found = runpy.run_path(str(ROOT / "examples" / "digits.py"))["train"]()
    assert found["digits"] > 0.8
    assert found["rule"] == "less(A,B) :- digit(A,C), lt(C,D), digit(B,D)."
