import datetime

import pytest

import pith
from pith import Facts

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

ROWS = [("ann", 1, 0.5), ("bob", -7, 1.0), ("Élan vital", 2**40, -3.25)]
COLUMNS = ["who", "n", "x"]


def frames():
    columns = dict(zip(COLUMNS, map(list, zip(*ROWS))))
    yield "pandas", pd.DataFrame(columns)
    yield "categories", pd.DataFrame(columns).astype({"who": "category"})
    yield "nullable", pd.DataFrame(columns).convert_dtypes()
    yield "objects", pd.DataFrame(columns, dtype=object)
    yield (
        "strided",
        pd.DataFrame(np.array(ROWS * 2, dtype=object)[::2], columns=COLUMNS),
    )
    yield "polars", pl.DataFrame(columns)
    yield "polars categories", pl.DataFrame(columns).cast({"who": pl.Categorical})
    yield "polars slices", pl.concat([pl.DataFrame(columns)] * 2, rechunk=False)
    yield "polars offset", pl.DataFrame({k: [v[0], *v] for k, v in columns.items()})[1:]


@pytest.mark.parametrize(("name", "frame"), list(frames()), ids=lambda x: str(x)[:16])
def test_rows_of_every_kind_of_frame(name, frame):
    facts = Facts({"r": frame})
    wanted = sorted(set(ROWS))
    if name == "strided":
        wanted = sorted({ROWS[0], ROWS[2], ROWS[1]})
    assert sorted(facts["r"]) == wanted
    assert all(type(r[1]) is int and type(r[2]) is float for r in facts["r"])
    two = Facts.from_frame(frame, "r", columns=["n", "who"])
    assert ("r", 1, "ann") in two


@pytest.mark.parametrize(
    "dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", ">i4", "f2"]
)
def test_arrays(dtype):
    table = np.array([[1, 2], [3, 4]], dtype=dtype)
    kind = float if "f" in dtype else int
    wanted = [(kind(1), kind(2)), (kind(3), kind(4))]
    assert list(Facts({"r": table})["r"]) == wanted
    assert list(Facts({"r": table.T})["r"]) == [(kind(1), kind(3)), (kind(2), kind(4))]
    assert list(Facts({"r": table[:, 0]})["r"]) == [(kind(1),), (kind(3),)]


def test_long_strings_flags_and_dates():
    day = datetime.date(2024, 3, 1)
    moment = datetime.datetime(2024, 3, 1, 14, 30)
    columns = {"s": ["x" * 40], "b": [True], "d": [day], "t": [moment]}
    wanted = ("x" * 40, "true", "2024-03-01", "2024-03-01T14:30:00")
    assert list(Facts({"r": pl.DataFrame(columns)})["r"]) == [wanted]
    assert list(Facts({"r": pd.DataFrame(columns)})["r"]) == [wanted]


def test_the_same_order_of_constants_as_from_tuples():
    rows = [(f"n{i * 7 % 50}", i * 3 % 11) for i in range(200)]
    by_tuple = Facts({"r": rows})
    by_frame = Facts({"r": pl.DataFrame(rows, schema=["a", "b"], orient="row")})
    assert list(by_frame["r"]) == list(by_tuple["r"])
    assert by_frame.constants == by_tuple.constants
    assert by_frame.to_text() == by_tuple.to_text()


# ---- bad frames -----------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"a": ["x", None]}), ["row 1", "'a'", "missing"]),
        (pd.DataFrame({"a": [1.0, 2.0, float("nan")]}), ["row 2", "'a'", "missing"]),
        (pd.DataFrame({"a": [1.0, float("inf")]}), ["row 1", "'a'", "finite"]),
        (pd.DataFrame({"a": ["x", 1]}), ["'a'", "mixes"]),
        (pd.DataFrame({"a": ["x", b"\xff"]}), ["row 1", "'a'", "bytes"]),
        (pd.DataFrame({"a": ["ok", "\ud800"]}, dtype=object), ["'a'", "Unicode"]),
        (pd.DataFrame({"a": [2**70, 1]}), ["row 0", "'a'", "64 bits"]),
        (pl.DataFrame({"a": [1, None]}), ["row 1", "'a'", "missing"]),
        (pl.DataFrame({"a": ["x", None]}), ["row 1", "'a'", "missing"]),
        (pl.DataFrame({"a": [None, None]}), ["'a'", "nothing"]),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ["the name 'a'"]),
        (pd.DataFrame(index=[1, 2]), ["without columns"]),
        (np.zeros((2, 2, 2)), ["3 dimensions"]),
    ],
)
def test_bad_values_are_named_with_row_and_column(frame, words):
    with pytest.raises(pith.PithError) as caught:
        Facts({"r": frame})
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [[1], [2]]}),
        pl.DataFrame({"a": [[1], [2]]}),
        pd.DataFrame({"a": [object()]}),
        np.array([1 + 2j]),
    ],
)
def test_types_that_are_no_constants(frame):
    with pytest.raises(TypeError, match="expected"):
        Facts({"r": frame})


def test_missing_values_may_be_left_out():
    frame = pl.DataFrame({"a": [1, None, 3], "b": ["x", "y", None]})
    assert list(Facts.from_frame(frame, "r", missing="skip")["r"]) == [(1, "x")]
    other = frame.to_pandas() if hasattr(pd, "ArrowDtype") and _has_pyarrow() else None
    if other is not None:
        assert len(Facts.from_frame(other, "r", missing="skip")["r"]) == 1
    with pytest.raises(pith.ArgumentError, match="skip"):
        Facts.from_frame(frame, "r", missing="maybe")
    with pytest.raises(pith.ArgumentError, match="the columns are: a, b"):
        Facts.from_frame(frame, "r", columns=["c"])


def _has_pyarrow():
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def test_empty_frames():
    for frame in (
        pl.DataFrame({"a": []}, schema={"a": pl.Int64}),
        pd.DataFrame({"a": []}),
    ):
        assert Facts({"r": frame}).count == 0


def test_a_frame_needs_a_name():
    with pytest.raises(TypeError, match="needs a name"):
        Facts(pd.DataFrame({"a": [1]}))


# ---- tables ---------------------------------------------------------------


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_tables(make):
    frame = make(
        {
            "name": ["ann", "bob", "cid"],
            "age": [37, 52, 17],
            "boss": ["bob", None, "ann"],
            "adult": [True, True, False],
            "risk": ["low", "high", "low"],
        }
    )
    facts = Facts.from_table(frame, key="name", label="risk=high")
    assert sorted(facts["age"]) == [("ann", 37), ("bob", 52), ("cid", 17)]
    assert sorted(facts["boss"]) == [("ann", "bob"), ("cid", "ann")]
    assert sorted(facts["adult"]) == [("ann",), ("bob",)]
    assert [str(a) for a in facts.positive] == ["high(bob)"]
    assert len(facts.negative) == 2
    learned = pith.learn(Facts.from_table(frame, key="name", label="adult"))
    assert learned.solved
    rows = Facts.from_table(frame, columns=["age"])
    assert sorted(rows["age"])[0] == ("row_1", 37)
    classes = Facts.from_table(frame, key="name", label="risk")
    assert "risk(bob,high)" in {str(a) for a in classes.positive}
    assert len(classes.positive) == len(classes.negative) == 3
    with pytest.raises(pith.InputError, match=r"no row has 'none'.* high, low"):
        Facts.from_table(frame, key="name", label="risk=none")


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_learn_from_a_table(make, tmp_path):
    frame = make(
        {
            "age": [37, 52, 17, 12, 18, 16],
            "adult": ["Yes", "Yes", "No", "No", "Yes", "No"],
            "kind": ["a", "b", "a", "b", "a", "b"],
        }
    )
    rules = pith.learn(frame, label="adult")
    assert str(rules[0]).startswith("adult(A) :- age(A,B), B >= 1")
    assert pith.learn(frame, label="kind", columns=["adult"], noise="off").fn >= 0
    path = tmp_path / "people.csv"
    cells = zip(*(list(frame[name]) for name in frame.columns))
    lines = [",".join(map(str, row)) for row in [frame.columns, *cells]]
    path.write_text("\n".join(lines))
    assert str(pith.learn(path, label="adult")) == str(rules)
    with pytest.raises(TypeError, match=r"label=\.\.\."):
        pith.learn(frame)
    with pytest.raises(pith.ArgumentError, match=r"no column 'old'.*age, adult"):
        pith.learn(frame, label="old")
    with pytest.raises(TypeError, match="for a data frame"):
        pith.learn({"p": ["a"]}, label="p")
    many = make({"n": list(range(30)), "m": list(range(30))})
    with pytest.raises(pith.InputError, match="more than 20 values; name one"):
        pith.learn(many, label="m")


def test_labels_of_several_batches():
    """One batch has no row that says yes."""
    parts = [{"x": [1, 2], "y": ["no", "no"]}, {"x": [8, 9], "y": ["yes", "yes"]}]
    frame = pl.concat([pl.DataFrame(p) for p in parts], rechunk=False)
    facts = Facts.from_table(frame, label="y")
    assert len(facts.positive) == len(facts.negative) == 2


def test_labels_of_numbered_columns():
    frame = pd.DataFrame([[1, True], [2, True], [8, False], [9, False]])
    assert pith.learn(frame, label=1).solved
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(pith.InputError, match="two columns have the name 'a'"):
        pith.learn(twice, label="a")


# ---- out ------------------------------------------------------------------


def test_out_to_frames():
    facts = Facts({"r": ROWS, "mixed": [("a", 1), (2, 2.5)], "unit": [("z",)]})
    frame = facts["r"].to_polars()
    assert [tuple(r) for r in frame.rows()] == ROWS
    assert frame.schema["1"] == pl.Int64
    pandas = facts["r"].to_pandas()
    assert [tuple(r) for r in pandas.itertuples(index=False)] == ROWS
    assert Facts({"r": pandas}) == Facts({"r": ROWS})
    assert Facts({"r": frame}) == Facts({"r": ROWS})
    assert [tuple(r) for r in facts["mixed"].to_pandas().itertuples(index=False)] == [
        ("a", 1), (2, 2.5),
    ]  # fmt: skip
    assert facts["mixed"].to_polars().rows() == [("a", 1.0), ("2", 2.5)]
    assert Facts({"e": []}).count == 0


def test_a_stream_that_nobody_reads_is_freed():
    relation = Facts({"r": ROWS})["r"]
    for _ in range(50):
        relation.__arrow_c_stream__()
    capsule = relation.__arrow_c_stream__()

    class Wrapped:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    assert Facts({"r": Wrapped()}) == Facts({"r": ROWS})
    with pytest.raises(pith.InputError, match="twice"):
        Facts({"r": Wrapped()})


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_edge("a", "b", kind="likes")
    graph.add_edge("b", "c")
    graph.add_node("a", colour="red", old=True)
    facts = Facts.from_networkx(graph, label="kind")
    assert list(facts["likes"]) == [("a", "b")]
    assert list(facts["edge"]) == [("b", "c")]
    assert list(facts["colour"]) == [("a", "red")]
    assert list(facts["old"]) == [("a",)]
    both = Facts.from_networkx(networkx.path_graph(3))
    assert sorted(both["edge"]) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    back = facts.to_networkx(["likes", "edge", "old"])
    assert back.has_edge("a", "b", key="likes")
    assert back.nodes["a"]["old"] is True
    with pytest.raises(pith.ArgumentError, match="two places"):
        Facts({"r": ROWS}).to_networkx()


def test_rdflib():
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Graph()
    ex = rdflib.Namespace("http://ex.org/")
    graph.add((ex.ann, ex.knows, ex.bob))
    graph.add((ex.ann, ex.age, rdflib.Literal(37)))
    graph.add((ex.ann, rdflib.RDF.type, ex.Person))
    try:
        facts = Facts.from_rdflib(graph)
    except pith.UnsupportedError as error:
        pytest.skip(str(error))
    assert ("http://ex.org/age", "http://ex.org/ann", 37) in facts
    assert ("http://ex.org/Person", "http://ex.org/ann") in facts
    assert set(facts.to_rdflib()) == set(graph)


# ---- what frames hold beside numbers and names ----


def test_times_are_named_alike_by_all():
    """A time in a zone keeps its offset, and nanoseconds are not lost."""
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    zoned = pandas.Series(pandas.to_datetime(["2020-01-01 12:00"])).dt.tz_localize(
        "Europe/Berlin"
    )
    fine = pandas.Series([pandas.Timestamp(1_000_000_001)])
    for column, name in (
        (zoned, "2020-01-01T12:00:00+01:00"),
        (fine, "1970-01-01T00:00:01.000000001"),
    ):
        frame = pandas.DataFrame({"a": column})
        table = pyarrow.Table.from_pandas(frame)
        for made in (frame, table):
            assert list(pith.Facts({"r": made})["r"]) == [(name,)]
    offset = pyarrow.array([0], pyarrow.timestamp("s", "-03:30"))
    found = pith.Facts({"r": pyarrow.table({"a": offset})})["r"]
    assert list(found) == [("1969-12-31T20:30:00-03:30",)]


@pytest.mark.parametrize("kind", ["timestamp", "date"])
def test_times_out_of_range_name_their_place(kind):
    pyarrow = pytest.importorskip("pyarrow")
    column = {
        "timestamp": lambda: pyarrow.array([0, 2**62], pyarrow.timestamp("s")),
        "date": lambda: pyarrow.array([0, 2**30], pyarrow.int32()).cast("date32"),
    }[kind]()
    with pytest.raises(pith.InputError, match="row 1, column 'a': a time out of range"):
        pith.Facts({"r": pyarrow.table({"a": column})})


def test_columns_of_the_same_name_are_refused():
    pyarrow = pytest.importorskip("pyarrow")
    twice = pyarrow.table([pyarrow.array([1]), pyarrow.array([2])], names=["a", "a"])
    with pytest.raises(pith.InputError, match="two columns have the name 'a'"):
        pith.Facts.from_table(twice)


def test_masked_values_are_missing():
    numpy = pytest.importorskip("numpy")
    masked = numpy.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [0, 1]])
    with pytest.raises(pith.InputError, match="row 1, column '1': a missing value"):
        pith.Facts({"r": masked})
    kept = pith.Facts.from_frame(masked, "r", missing="skip")
    assert list(kept["r"]) == [(1, 2)]


def test_an_arrow_array_is_a_column():
    pyarrow = pytest.importorskip("pyarrow")
    assert list(pith.Facts({"r": pyarrow.array(["x", "y"])})["r"]) == [("x",), ("y",)]


def test_whole_numbers_of_64_bits_in_nullable_columns():
    pandas = pytest.importorskip("pandas")
    column = pandas.array([2**64 - 1, None], dtype="UInt64")
    found = pith.Facts.from_frame(pandas.DataFrame({"a": column}), "r", missing="skip")
    assert list(found["r"]) == [(2**64 - 1,)]


def test_polars_columns_without_a_type_and_rows():
    polars = pytest.importorskip("polars")
    assert pith.Facts({"r": polars.DataFrame({"a": []})}).count == 0
