"""What a program may hold in memory and give to a reader, drawn from the bytes of a file: rows, records, nested lists, tables."""

import decimal
import random
import warnings
import zlib
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
DEEPEST = 950


class Silent:
    """An object whose text cannot be made."""

    def __repr__(self):
        raise RuntimeError("no text")

    __str__ = __repr__


def leaf(draw: random.Random):
    """Draw one value that holds no other."""
    return draw.choice([
        "cat", "pet", "dog", "", " ", "a\0b", "\ud800", "<script>", "1", 1, 0, -3, 10**30, 10**5000, 2**63, 0.5, float("nan"), float("inf"),
        True, None, b"cat", b"\xff", decimal.Decimal("1.5"), date(2020, 1, 1), timedelta(1), 1j, np.int8(3), np.float16(1),
        np.str_("cat"), np.datetime64("NaT"), pd.NA, pd.NaT, object(), Silent(), range(3), "x" * 70_000, int, lambda: 0,
    ])  # fmt: skip


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
        deep: list = []
        for _ in range(DEEPEST):
            deep = [deep]
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
    return library(columns)


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
        with suppress(Exception):  # what the library itself does not take
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
