"""The figures of `LinkPredictor` beside those of PyKEEN's own evaluator.

Needs pykeen, which is too large to be fetched for every run; it is given our
scores as those of a model, and does the filtering, the ranks and the means itself, in
single precision.
"""

import random

import numpy as np
import pytest

pytest.importorskip("pykeen")
pytest.importorskip("sklearn")
import torch
from graphs import people
from pykeen.evaluation import RankBasedEvaluator
from pykeen.models import Model
from pykeen.triples import TriplesFactory

import pith
from pith.sklearn import LinkPredictor

SIDES = {"both": None, "tail": "object", "head": "subject"}
METRICS = {
    "inverse_harmonic_mean_rank": "mrr",
    "arithmetic_mean_rank": "mean_rank",
    "hits_at_1": "hits1",
    "hits_at_3": "hits3",
    "hits_at_10": "hits10",
}


class OurScores(Model):
    """A model of PyKEEN's that answers in our order; no rule: below all."""

    def __init__(self, ours, factory):
        super().__init__(triples_factory=factory)
        self.ours = ours
        self.entities = factory.entity_id_to_label
        self.relations = factory.relation_id_to_label
        self.numbers = factory.entity_to_id
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def scores(self, batch, query):
        out = torch.full((len(batch), len(self.entities)), -1e30, dtype=torch.double)
        for i, pair in enumerate(batch.tolist()):
            answers = self.ours.predict(query(*pair), 10**9)
            ratings = sorted({(a.probability, a.score) for a in answers})
            places = {rating: place for place, rating in enumerate(ratings)}
            for a in answers:
                out[i, self.numbers[a.constant]] = places[a.probability, a.score]
        return out

    def score_t(self, hr_batch, **_):
        return self.scores(
            hr_batch,
            lambda h, r: pith.Atom(
                self.relations[r], self.entities[h], pith.Var("X")
            ),
        )  # fmt: skip

    def score_h(self, rt_batch, **_):
        return self.scores(
            rt_batch,
            lambda r, t: pith.Atom(
                self.relations[r], pith.Var("X"), self.entities[t]
            ),
        )  # fmt: skip

    def score_hrt(self, hrt_batch, **_):
        raise NotImplementedError

    score_r = score_hrt

    def _reset_parameters_(self):
        pass

    def _get_entity_len(self, mode=None):
        return len(self.entities)

    def collect_regularization_term(self):
        return torch.zeros(1)


def split(triples, draw):
    """Training, validation and test; all that is asked about is in training."""
    triples = sorted(set(triples))
    draw.shuffle(triples)
    parts = {"test": triples[:30], "valid": triples[30:50], "train": triples[50:]}
    seen = {x for s, _, o in parts["train"] for x in (s, o)}
    for name in ("test", "valid"):
        parts[name] = [t for t in parts[name] if {t[0], t[2]} <= seen]
    return parts


def countries(data):
    draw = random.Random(5)
    lines = (data / "countries" / "S2.tsv").read_text().splitlines()
    return split([tuple(line.split("\t")) for line in lines], draw)


def graphs(data):
    for seed in range(3):
        draw = random.Random(seed)
        yield f"people {seed}", split(people(draw), draw)
    yield "countries", countries(data)


def numbered(factory, triples):
    entity, relation = factory.entity_to_id, factory.relation_to_id
    return torch.tensor([(entity[s], relation[r], entity[o]) for s, r, o in triples])


def test_figures_equal_to_those_of_pykeen(data, capsys):
    for name, parts in graphs(data):
        ours = LinkPredictor(support=2).fit(parts["train"])
        factory = TriplesFactory.from_labeled_triples(np.array(parts["train"]))
        theirs = RankBasedEvaluator(filtered=True).evaluate(
            OurScores(ours.model_, factory),
            numbered(factory, parts["test"]),
            additional_filter_triples=[
                factory.mapped_triples,
                numbered(factory, parts["valid"]),
            ],
            use_tqdm=False,
            batch_size=16,
        )
        for ties in ("realistic", "optimistic", "pessimistic"):
            ranks = ours.evaluate(parts["test"], parts["valid"], ties=ties)
            for side, own in SIDES.items():
                figures = ranks if own is None else getattr(ranks, own)
                for metric, field in METRICS.items():
                    wanted = theirs.get_metric(f"{side}.{ties}.{metric}")
                    found = getattr(figures, field)
                    assert found == pytest.approx(wanted, rel=1e-6), (
                        name, ties, side, metric,
                    )  # fmt: skip
            with capsys.disabled():
                print(f"\n{name}, {ties}: {ranks.mrr:.6f} {ranks.hits10:.6f}", end="")
