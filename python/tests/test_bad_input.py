"""Every entry point with every kind of value that is not a constant: an exception
of ours, or of the kind that Python raises, that names the row and the column."""

import contextlib
import datetime
import decimal
import functools
import threading

import pytest

import pith

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


class BadText(str):
    def __str__(self):
        raise RuntimeError("no text")


class BadHash:
    def __hash__(self):
        raise RuntimeError("no hash")

    def __eq__(self, other):
        raise RuntimeError("no equality")


class BadItem:
    @property
    def item(self):
        raise RuntimeError("no item")

    def __repr__(self):
        raise RuntimeError("no repr")


class BadNumber(int):
    def __int__(self):
        raise RuntimeError("no number")

    __index__ = __str__ = __int__


BAD = {
    "None": None,
    "NaN": float("nan"),
    "infinity": float("-inf"),
    "NA": pd.NA,
    "NaT": pd.NaT,
    "numpy's NaN": np.float32("nan"),
    "numpy's NaT": np.datetime64("NaT"),
    "Decimal NaN": decimal.Decimal("NaN"),
    "signalling NaN": decimal.Decimal("sNaN"),
    "too large": decimal.Decimal("1e999999"),
    "bytes": b"\xff\xfe",
    "a surrogate": "\ud800",
    "a NUL": "x\0y",
    "a list": [1],
    "a set": {1},
    "a tuple": ("a", "b"),
    "a mapping": {"a": 1},
    "complex": 1 + 2j,
    "an object": object(),
    "a function": len,
    "a class": int,
    "an array": np.array([1, 2]),
    "a time": datetime.time(1),
    "a duration": datetime.timedelta(1),
    "a variable": pith.Var("X"),
    "half a term": pith.Compound("f(x"),
    "no term": pith.Compound("a). q(b"),
    "bad text": BadText("a"),
    "bad hash": BadHash(),
    "bad item": BadItem(),
    "bad number": BadNumber(3),
}

PAIRS = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]
RULE = "p(X) :- edge(X,_)."


@pytest.fixture(scope="module")
def facts():
    return pith.Facts({"edge": PAIRS}, positive=["p(a)"])


@pytest.fixture(scope="module")
def model():
    graph = {"edge": PAIRS, "back": [(b, a) for a, b in PAIRS]}
    return pith.Model(support=1, confidence=0.0).fit(graph)


def rows(value):
    return {"edge": [("a", "b"), ("a", value)]}


def object_frame(value, row=1):
    cells = pd.Series(["b"] * 4, dtype=object)
    cells.at[row] = value
    return pd.DataFrame({"one": ["a", "b", "c", "d"], "two": cells})


def object_array(value):
    table = np.full((3, 2), "a", dtype=object)
    table[1, 1] = value
    return table


def atoms(value):
    return [("edge", "a", "b"), ("edge", "a", value)]


LISTED = {
    "Facts": lambda v, _: pith.Facts(rows(v)),
    "Facts of tuples": lambda v, _: pith.Facts(atoms(v)),
    "Facts, positive": lambda v, _: pith.Facts(positive=rows(v)),
    "Facts, negative": lambda v, _: pith.Facts(negative=atoms(v)),
    "learn": lambda v, _: pith.learn(rows(v), positive=["p(a)"]),
    "learn, positive": lambda v, _: pith.learn(rows("c"), positive=atoms(v)),
    "learn, negative": lambda v, _: pith.learn(rows("c"), negative=rows(v)),
    "compress": lambda v, _: pith.compress(rows(v)),
    "infer": lambda v, _: pith.infer(RULE, rows(v)),
    "explain": lambda v, _: pith.explain("p(a)", RULE, rows(v)),
    "score": lambda v, _: pith.score(RULE, rows(v)),
    "Model.fit": lambda v, _: pith.Model().fit(rows(v)),
    "Model.fit, valid": lambda v, _: pith.Model().fit({"edge": PAIRS}, rows(v)),
    "Model.probability": lambda v, m: m.probability(atoms(v)),
    "Model.evaluate": lambda v, m: m.evaluate(rows(v)),
    "Model.evaluate, known": lambda v, m: m.evaluate({"edge": PAIRS}, rows(v)),
}


@pytest.mark.parametrize("entry", LISTED)
@pytest.mark.parametrize("kind", BAD)
def test_rows(entry, kind, model):
    with pytest.raises((pith.PithError, TypeError)) as caught:
        LISTED[entry](BAD[kind], model)
    assert "row 1, column 1: " in str(caught.value)


FRAMED = {
    "Facts": lambda f, _: pith.Facts({"edge": f}),
    "from_frame": lambda f, _: pith.Facts.from_frame(f, "edge"),
    "learn": lambda f, _: pith.learn({"edge": f}, positive=["p(a)"]),
    "learn, positive": lambda f, _: pith.learn(rows("c"), positive={"edge": f}),
    "compress": lambda f, _: pith.compress({"edge": f}),
    "infer": lambda f, _: pith.infer(RULE, {"edge": f}),
    "explain": lambda f, _: pith.explain("p(a)", RULE, {"edge": f}),
    "score": lambda f, _: pith.score(RULE, {"edge": f}),
    "Model.fit": lambda f, _: pith.Model().fit({"edge": f}),
    "Model.evaluate": lambda f, m: m.evaluate({"edge": f}),
}


@pytest.mark.parametrize("entry", FRAMED)
@pytest.mark.parametrize("kind", [k for k in BAD if k != "bad text"])
def test_frames_and_arrays(entry, kind, model):
    for frame, column in ((object_frame, "'two'"), (object_array, "'1'")):
        with pytest.raises((pith.PithError, TypeError)) as caught:
            FRAMED[entry](frame(BAD[kind]), model)
        assert f"edge, row 1, column {column}: " in str(caught.value)


@pytest.mark.parametrize(
    ("column", "row", "words"),
    [
        (pd.Series(["x", "y", 1], dtype=object), 2, "is a int, but 'x' is a str"),
        (pd.Series([1, 2.5], dtype=object), 1, "mixes no kinds"),
        (pd.Series([1, True], dtype=object), 1, "mixes no kinds"),
        (pd.Series([1, 2**70], dtype=object), 1, "64 bits"),
        (pd.Series([1, 10**5000], dtype=object), 1, "64 bits"),
        (pd.Series([decimal.Decimal("1.5")]), 0, "Decimal"),
        (pd.Series([1.0, float("nan")]), 1, "missing"),
        (pd.Series([1.0, float("inf")]), 1, "finite"),
        (pd.Series([1, None], dtype="Int64"), 1, "missing"),
        (pd.Series(["x", None], dtype="string"), 1, "missing"),
        (pd.Series(["x", None], dtype="category"), 1, "missing"),
        (pd.Series([pd.Timestamp("2024-01-01"), pd.NaT]), 1, "missing"),
        (pd.Series([1, 2], dtype="complex"), 0, "complex"),
        (pd.Series([pd.Timedelta(1)]), 0, "Timedelta"),
        (pd.Series([pd.Interval(0, 1)]), 0, "Interval"),
        (pl.Series(["x", None]), 1, "missing"),
        (pl.Series([1, None]), 1, "missing"),
        (pl.Series(["x", "y\0z"]), 1, "NUL"),
        (pl.Series([1.0, float("inf")]), 1, "finite"),
        (pl.Series(["x", None], dtype=pl.Categorical), 1, "missing"),
    ],
)
def test_columns(column, row, words):
    make = pl.DataFrame if isinstance(column, pl.Series) else pd.DataFrame
    with pytest.raises((pith.PithError, TypeError)) as caught:
        pith.Facts({"edge": make({"one": column})})
    assert f"edge, row {row}, column 'one': " in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([[1], [2]]),
        pl.Series([b"x"]),
        pl.Series([datetime.time(1)]),
        pl.Series([datetime.timedelta(1)]),
        pl.Series([{"a": 1}]),
        pl.Series([object()], dtype=pl.Object),
        pl.Series([decimal.Decimal("1.5")]),
    ],
)
def test_types_of_columns(column):
    with pytest.raises(pith.ConstantError, match="edge, column 'one' holds"):
        pith.Facts({"edge": pl.DataFrame({"one": column})})


def test_bytes_that_are_not_utf_8(tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes(b"name,town\nann,M\xfcnchen\n")
    with pytest.raises(pith.InputError, match=r"latin.csv:2:\d+: .*UTF-8"):
        pith.Facts.read(path, key="name")
    with pytest.raises(pith.FileError):
        pith.Facts.read(b"\xff\xfe".decode("utf-8", "surrogateescape") + ".pl")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"one": [], "two": []}),
        pd.DataFrame({"one": pd.Series([], dtype="category")}),
        pl.DataFrame({"one": []}, schema={"one": pl.String}),
        np.zeros((0, 2)),
        np.zeros((0,), dtype="U3"),
    ],
)
def test_empty_frames(frame):
    assert pith.Facts({"edge": frame}).count == 0
    assert pith.infer(RULE, {"edge": frame}).count == 0
    with pytest.raises(pith.InputError):
        pith.compress({"edge": frame})
    with pytest.raises(pith.InputError):
        pith.Model().fit({"edge": frame})
    with pytest.raises(pith.InputError):
        pith.learn({"edge": frame})


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame(), pl.DataFrame(), np.zeros((3, 0)), pd.DataFrame(index=range(3))],
)
def test_frames_without_columns(frame):
    with pytest.raises(pith.InputError, match=r"edge, .*columns"):
        pith.Facts({"edge": frame})


def test_atoms():
    plain = (str, int, float, decimal.Decimal, pith.Compound, pith.Var)
    for value in BAD.values():
        if type(value) not in plain:  # those C refuses, when the atom is used
            with pytest.raises(pith.PithError, match="p, argument 1: "):
                pith.Atom("p", value)
        assert ("edge", value) not in pith.Facts({"edge": ["a"]})


# ---- estimators -----------------------------------------------------------


def test_the_classifier():
    sklearn = pytest.importorskip("pith.sklearn")
    labels = ["yes", "no", "yes", "no"]
    missing = {"None", "NaN", "NA", "NaT", "numpy's NaN", "numpy's NaT", "Decimal NaN"}
    other = sklearn.RuleClassifier(max_body=1)
    fitted = sklearn.RuleClassifier(max_body=1).fit(object_frame("b"), labels)
    for kind, value in BAD.items():
        if kind in missing or kind in ("bad text", "a NUL"):
            continue
        for call in (fitted.predict, lambda f: other.fit(f, labels)):
            with pytest.raises(
                (pith.PithError, TypeError), match="row 1, column 'two'"
            ):
                call(object_frame(value))
    for value in (None, float("nan"), 1, b"x", object()):
        with pytest.raises(ValueError, match="y, row 1: "):
            other.fit(object_frame("b"), ["yes", value, "yes", "no"])
    for value in (float("nan"), float("inf")):
        for table in (np.array, lambda t: pd.DataFrame(t, columns=["u", "v"])):
            with pytest.raises(ValueError, match=r"row 2, column ('v'|1)"):
                other.fit(table([[1.0, 2], [2, 3], [3, value], [4, 5]]), labels)
    with pytest.raises(ValueError, match="is not a class; the classes are: no, yes"):
        fitted.explain(object_frame("b"), "maybe")


def test_the_link_predictor():
    sklearn = pytest.importorskip("pith.sklearn")
    triples = [(a, "edge", b) for a, b in PAIRS] + [(b, "back", a) for a, b in PAIRS]
    fitted = sklearn.LinkPredictor(support=1, confidence=0.0).fit(triples)
    for value in BAD.values():
        for call in (fitted.fit, fitted.evaluate, fitted.predict_proba):
            for column in range(3):
                row = ["a", "edge", "b"]
                row[column] = value
                with pytest.raises(
                    (pith.PithError, TypeError), match=f"row 1, column {column}: "
                ):
                    call([triples[0], tuple(row)])
        with pytest.raises((pith.PithError, TypeError), match="row 1, column 0: "):
            fitted.predict([("a", "edge"), (value, "edge")])
    with pytest.raises(ValueError, match="row 1 has 2 columns; expected a triple"):
        fitted.fit([triples[0], ("a", "b")])
    with pytest.raises(TypeError, match="row 0 is 'abc'"):
        fitted.fit(["abc"])
    with pytest.raises(pith.ArgumentError, match="optimistic"):
        fitted.evaluate(triples, ties="lucky")
    with pytest.raises(pith.InputError, match="no rule has enough support"):
        sklearn.LinkPredictor().fit(triples[:2])


# ---- what changes while it is read ----------------------------------------


class Meddler:
    """A value that changes what it is part of, once, when it is hashed or read."""

    def __init__(self, meddle):
        self.meddle = meddle

    def once(self):
        self.meddle, meddle = (lambda: None), self.meddle
        meddle()

    def __hash__(self):
        self.once()
        return 1

    def item(self):
        self.once()
        return "x"


def test_rows_that_change():
    for meddle in (lambda r: r.append("d"), lambda r: r.pop(), lambda r: r.clear()):
        rows = ["a", "b", "c"]
        rows.insert(1, Meddler(functools.partial(meddle, rows)))
        with pytest.raises(pith.InputError, match=r"edge, row \d: .*changed"):
            pith.Facts({"edge": rows})
    numbers = dict.fromkeys(range(4))
    meddler = Meddler(lambda: None)
    numbers[meddler] = None
    numbers["last"] = None
    meddler.meddle = lambda: numbers.update(more=None)
    with pytest.raises(pith.InputError, match=r"edge, row \d: .*changed"):
        pith.Facts({"edge": numbers.keys()})


def test_a_mapping_that_changes():
    relations = {}
    relations["a"] = [Meddler(lambda: relations.update({f"x{len(relations)}": [1]}))]
    relations["b"] = ["x"]
    facts = pith.Facts(relations)
    assert list(facts) == ["a", "b"]


def test_a_frame_that_changes():
    def add_row():
        frame.loc[3] = [4, "x"]

    def drop_column():
        del frame["two"]

    def write():
        frame.loc[0, "one"] = -7

    def frame_of(meddle):
        cells = pd.Series(["x", Meddler(meddle), "y"], dtype=object)
        return pd.DataFrame({"one": [1, 2, 3], "two": cells})

    for meddle, words in ((add_row, "row 3: "), (drop_column, "column 'two'")):
        frame = pd.DataFrame(
            {"one": [1, 2, 3], "two": pd.Series([None] * 3, dtype=object)}
        )
        frame.at[1, "two"] = Meddler(meddle)
        with pytest.raises((pith.InputError, KeyError), match=words):
            pith.Facts.from_frame(frame, "edge", missing="skip")
    frame = pd.DataFrame({"one": [1, 2, 3], "two": pd.Series(["x"] * 3, dtype=object)})
    frame.at[1, "two"] = Meddler(write)
    facts = pith.Facts({"edge": frame})
    assert {row[0] for row in facts["edge"]} <= {1, 2, 3, -7}


@pytest.mark.parametrize("dtype", ["int64", "float64", "category", "object", "str"])
def test_a_frame_that_another_thread_writes_to(dtype):
    """Facts of some moment, or an error; never a crash."""
    values = [str(i) for i in range(500)] if dtype == "str" else list(range(500))
    frame = pd.DataFrame({"one": values * 20}).astype({"one": dtype})
    table = frame["one"].to_numpy().copy() if dtype.endswith("64") else None
    done = threading.Event()

    def meddle():
        i = 0
        while not done.is_set():
            i = (i + 1) % 500
            frame.loc[i, "one"] = values[(i * 7) % 500]
            if table is not None:
                table[i::500] = (i * 2**40) % 10007
            if i % 50 == 0:
                frame.loc[len(frame)] = [values[0]]

    thread = threading.Thread(target=meddle)
    thread.start()
    try:
        for _ in range(30):
            with contextlib.suppress(ValueError, KeyError, IndexError):
                pith.Facts({"edge": frame})
            if table is not None:
                assert 0 < pith.Facts({"edge": table}).count <= len(table)
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"a": [1], "odd": [[2]], "b": ["x"]}),
        pl.DataFrame(
            {"a": [1], "odd": pl.Series([object()], dtype=pl.Object), "b": "x"}
        ),
        pd.DataFrame({"a": [1], "odd": [[2]], "b": ["x"]}),
    ],
)
def test_columns_that_nobody_asked_for(frame):
    assert list(pith.Facts.from_frame(frame, "p", columns=["a", "b"])["p"]) == [
        (1, "x")
    ]
    table = pith.Facts.from_table(frame, key="b", columns=["a"])
    assert list(table["a"]) == [("x", 1)]
    with pytest.raises((pith.ArgumentError, pith.ConstantError), match="odd"):
        pith.Facts.from_frame(frame, "p", columns=["a", "c"])
