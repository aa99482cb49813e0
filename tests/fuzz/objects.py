"""What a program may hold in memory and give to a reader, drawn from the bytes of a file: rows, records, nested lists, tables."""

import decimal
import random
import warnings
import zlib
from collections import Counter, deque
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import goldassay
from goldassay.core.errors import GoldassayError

GOLDS = {
    "taxonomy": [("cat", "pet"), ("dog", "pet")],
    "axioms": [("SubClassOf", "cat", "pet")],
    "alignment": [("cat", "Katze"), ("dog", "Hund")],
    "triples": [{"id": "1", "triples": [["cat", "is", "pet"]]}],
    "concepts": [{"id": "1", "concepts": ["cat", "dog"]}],
    "labels": [{"id": "1", "labels": ["cat"]}],
    "sentences": [{"id": "1", "sentence": "a cat"}],
}
NAMES = ("child", "parent", "relation", "id", "triples", "concepts", "labels", "sentence", "source", "target", "score")
NAMES += ("subject", "predicate", "object", "text", "document", "kind")
MEASURES = {"taxonomy": ["literal"], "axioms": ["exact"], "alignment": ["overlap"], "triples": ["triples"]}
MEASURES |= {"concepts": ["concept_exact"], "labels": ["labels"], "sentences": ["levenshtein"]}
SHALLOW, DEEPEST = 80, 950
"""How deep values are nested: Polars itself makes no table of the deepest."""


class Silent:
    """An object whose text cannot be made."""

    def __repr__(self):
        raise RuntimeError("no text")

    __str__ = __repr__


class Broken(list):
    """A list that cannot be looked through, as one of a connection that is closed."""

    def __iter__(self):
        raise RuntimeError("no connection")

    __len__ = __bool__ = __iter__


class Own(list):
    """A list of a type of one's own."""


class Closed:
    """An object that has no attribute, and says so in its own way."""

    def __getattr__(self, name):
        raise RuntimeError("closed")


class Text(str):
    """A text that cannot be made a plain one."""

    __slots__ = ()

    def __str__(self):
        raise RuntimeError("no text")


def leaf(draw: random.Random):
    """Draw one value that holds no other."""
    return draw.choice([
        "cat", "pet", "dog", "", " ", "a\0b", "\ud800", "<script>", "1", 1, 0, -3, 10**30, 10**5000, 2**63, 0.5, float("nan"), float("inf"),
        True, None, b"cat", b"\xff", decimal.Decimal("1.5"), date(2020, 1, 1), timedelta(1), 1j, np.int8(3), np.float16(1),
        np.str_("cat"), np.datetime64("NaT"), pd.NA, pd.NaT, object(), Silent(), range(3), "x" * 70_000, int, lambda: 0,
        Broken([1]), Closed(), Text("cat"), decimal.Decimal("sNaN"), decimal.Decimal("1e99999"), timedelta.max, date.max, np.longdouble(1), np.ma.masked,
        np.void(b"ab"), memoryview(b"ab"), pd.Period("2020"), pd.Interval(0, 1), pd.Timestamp.max, pd.Series(["cat"]), pl.Series(["cat"]),
        pa.scalar("cat"), pa.scalar(decimal.Decimal(10**70), pa.decimal256(76)), np.array(["cat", None], dtype=object), np.array("cat"), iter(["cat"]),
        deque(["cat"]), Counter("cat"), {None: 1}, {"\ud800": 1}, {("a",): 1}, bytearray(b"cat"), np.timedelta64(1, "s"), np.complex64(1),
    ])  # fmt: skip


def in_array(value):
    """Hold a value in an array of objects."""
    array = np.empty(2, dtype=object)
    array[0] = value
    return array


def nested(draw: random.Random, depth: int):
    """Draw a value that may hold others, and itself."""
    kind = draw.randrange(9) if depth else 9
    inner = [nested(draw, depth - 1) for _ in range(draw.randrange(4))] if kind < 6 else []
    if kind == 0:
        inner.append(inner)
    if kind in {4, 5}:
        made = dict(zip(draw.sample(NAMES, len(inner)), inner, strict=True))
        if kind == 5 and not draw.randrange(4):
            made["child"] = made
        return made
    if kind == 6:
        deep, wrap = (
            [],
            draw.choice([
                lambda one: [one], lambda one: (one,), lambda one: {"child": one}, lambda one: deque([one]), lambda one: Own([one]), in_array,
            ]),
        )  # fmt: skip
        if not draw.randrange(3):
            deep.append(deep)
            return wrap(deep)
        for _ in range(DEEPEST):
            deep = wrap(deep)
        return deep
    if kind < 6:
        with suppress(TypeError):  # what cannot be hashed
            return draw.choice([list, tuple, list, set])(inner)
        return inner
    return leaf(draw)


def table(draw: random.Random):
    """Draw a table of one of three libraries; only pandas takes lists that hold themselves."""
    library = draw.choice([pd.DataFrame, lambda given: pl.DataFrame(given, strict=False), arrow])
    rows = draw.randrange(4)
    columns = {}
    for name in draw.sample(NAMES, draw.randrange(1, 5)):
        value = draw.choice(
            [leaf, lambda draw: draw.choice(["cat", "pet", "1"]), lambda draw: ["cat", draw.choice([1, "pet"])]]
        )
        columns[name] = [value(draw) for _ in range(rows)]
        if library is pd.DataFrame and rows and draw.randrange(2):
            columns[name][-1] = nested(draw, 2)
    if rows and draw.randrange(2):
        # One column of a type that few have seen.
        return draw.choice([odd_pandas, odd_polars, odd_arrow])({name: ["cat"] * 2 for name in columns}, draw)
    return library(columns)


def odd_pandas(columns: dict, draw: random.Random):
    """Make a table of pandas with a column of a type of its own, of NumPy or of Arrow, or with odd names."""
    made = draw.choice([
        lambda: pd.Categorical(["a", None]), lambda: pd.array([1, None], dtype="Int64"), lambda: pd.arrays.SparseArray([0, 1]),
        lambda: pd.period_range("2020", periods=2), lambda: pd.interval_range(0, 2), lambda: pd.to_timedelta([1, None]),
        lambda: pd.to_datetime(["2020", None]).tz_localize("UTC"), lambda: np.array([1, 2], dtype=np.float16), lambda: np.array([b"a", b"\xff"]),
        lambda: np.array([1, 2], dtype=np.complex128), lambda: pd.arrays.ArrowExtensionArray(odd_column(draw)),
    ])()  # fmt: skip
    table = pd.DataFrame(columns | {draw.choice(list(columns)): made})
    if not draw.randrange(4):
        table.columns = draw.sample(
            [None, 1, float("nan"), b"x", ("a", 1), Silent(), "\u2028", "n" * 3_000_000, 10**5000], 1
        ) * len(columns)
    return table


def odd_polars(columns: dict, draw: random.Random):
    """Make a table of Polars with a column that is no text and no number."""
    made = draw.choice([
        lambda: pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])), lambda: pl.Series([Silent(), {1}], dtype=pl.Object), lambda: pl.Series([timedelta(1)] * 2),
        lambda: pl.Series([{"a": {"b": [1]}}] * 2), lambda: pl.Series([["a", "b"]] * 2, dtype=pl.Array(pl.String, 2)), lambda: pl.Series([b"\xff", None]),
        lambda: pl.Series([2**100, 1], dtype=pl.Int128), lambda: pl.Series([2**62] * 2).cast(pl.Datetime("ms")), lambda: pl.Series([[], []]),
        lambda: pl.Series([decimal.Decimal("1.5"), None]), lambda: pl.from_arrow(odd_column(draw, SHALLOW)),
    ])()  # fmt: skip
    table = pl.DataFrame(columns | {draw.choice(list(columns)): made})
    return table.lazy() if draw.randrange(2) else table


def odd_arrow(columns: dict, draw: random.Random):
    """Make a table of Arrow with a column of any of its types."""
    table = pa.table(columns | {draw.choice(list(columns)): odd_column(draw)})
    return table.to_reader() if draw.randrange(2) else table


def odd_column(draw: random.Random, depth: int = 0):
    """Make a column of one of the types of Arrow."""
    deep = pa.string()
    for _ in range(depth or draw.choice((SHALLOW, DEEPEST))):
        deep = pa.list_(deep)
    made = draw.choice([
        lambda: pa.array([decimal.Decimal(1)] * 2, pa.decimal256(70, 1)), lambda: pa.array([[decimal.Decimal(1)]] * 2, pa.list_(pa.decimal256(70, 1))),
        lambda: pa.array([1, 2], pa.duration("ns")), lambda: pa.array([[("a", "b")]] * 2, pa.map_(pa.string(), pa.string())), lambda: pa.nulls(2, deep),
        lambda: pa.array([(1, 2, 3)] * 2, pa.month_day_nano_interval()), lambda: pa.array([["a"], ["b"]], pa.list_view(pa.string())),
        lambda: pa.RunEndEncodedArray.from_arrays([2], ["x"]), lambda: pa.array([2**62] * 2, pa.timestamp("s")), lambda: pa.array([1.5, 2], pa.float16()),
        lambda: pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array(["a", "b"]), pa.array([1, 2])]), lambda: pa.array([b"ab"] * 2, pa.binary(2)),
        lambda: pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16] * 2, pa.binary(16))), lambda: pa.array(["a", "b"], pa.string_view()),
        lambda: pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}", "[]"])), lambda: pa.array([b"\xff"] * 2, pa.binary()).view(pa.string()),
        lambda: pa.DictionaryArray.from_arrays(pa.array([0, None], pa.int8()), pa.array(["x", None])), lambda: pa.array([-5, 2**40], pa.time64("us")),
        lambda: pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array([["x"]])), lambda: pa.nulls(2, pa.struct([])),
    ])  # fmt: skip
    return made()


def arrow(columns: dict):
    """Make a table of Arrow, some of its columns of odd types."""
    odd = [
        pa.decimal256(76, 2),
        pa.binary(),
        pa.null(),
        pa.dictionary(pa.int8(), pa.string()),
        pa.string_view(),
        pa.large_string(),
    ]
    made = {}
    for number, (name, values) in enumerate(columns.items()):
        plain = all(type(value) in {str, float, bytes, bool, type(None)} for value in values)
        try:
            made[name] = pa.array(values if plain else [None] * len(values), None if plain else odd[number % len(odd)])
        except (pa.ArrowException, UnicodeEncodeError):
            made[name] = pa.array([None] * len(values), odd[number % len(odd)])
    return pa.table(made)


def drawn(data: bytes):
    """Draw a family, and what is given to its reader."""
    draw = random.Random(zlib.crc32(data))
    kind = draw.choice(list(GOLDS))
    shape = draw.randrange(4)
    if shape == 0:
        with suppress(Exception, pl.exceptions.PanicException):  # what the library itself does not take
            return kind, table(draw)
    if shape == 1:
        # Nearly what the family takes: one value is another.
        given = [dict(row) if isinstance(row, dict) else list(row) for row in GOLDS[kind]]
        row = draw.choice(given)
        row[draw.choice(list(row)) if isinstance(row, dict) else draw.randrange(len(row))] = nested(draw, 3)
        return kind, [tuple(one) if isinstance(one, list) else one for one in given]
    return kind, nested(draw, 4)


def objects(path: Path) -> None:
    """Read an object as a prediction and as gold: it is read, or refused."""
    for side in ("pred", "gold"):
        # What holds itself cannot be copied, so it is drawn twice.
        kind, given = drawn(path.read_bytes())
        sides = {"pred": GOLDS[kind], "gold": GOLDS[kind], side: given}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if side == "pred":
                with suppress(GoldassayError):
                    goldassay.evaluate(**sides, kind=kind, measures=MEASURES[kind])
            else:
                goldassay.evaluate(**sides, kind=kind, measures=MEASURES[kind])
