"""What every family, format, null model and engine must have, and where: the laws ask here, and name what is missing.

Each function lists what is missing in one sentence an item, so that who adds something reads all of it at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import goldassay
from goldassay.core.errors import GoldassayError
from goldassay.core.null import Null
from goldassay.core.parameters import parameters_of

CORPUS = Path(__file__).parent / "fuzz" / "corpus"
HOOKS = {
    "trust.merged": "makes one gold of several",
    "trust.nulls": "null models, which say what chance gives",
    "trust.noises": "ways to make a prediction worse",
    "trust.restriction": "restricts it to what a partial gold can judge",
    "examples": "command lines that end its help",
    "reading.tuples": "what the values of a list of tuples are called",
    "reading.lazily": "how an engine counts it",
}
"""What a family declares besides what `Family` itself asks for."""
WITHOUT: Mapping[str, Collection[str]] = {
    "unl": ("trust.merged", "reading.tuples", "reading.lazily"),
    "sentences": ("reading.lazily",),
    "labels": ("reading.lazily",),
}
"""The families that do without some of it."""
SAMPLES = {
    "tests.laws.conftest:LABORATORIES": "random models",
    "tests.laws.test_chance:RICH": "many records, for its null models",
    "tests.laws.test_recall:NOISE": "what a prediction may say that gold does not",
    "tests.laws.test_empty:GOLDS": "a gold standard as a program gives it",
    "tests.test_gold_standards:PAIRS": "a gold and a prediction, for several gold standards",
    "tests.test_gold_standards:NO_VOTES": "the measures that do not count single items of gold",
    "tests.test_partial:CASES": "a prediction, a gold and what that can judge",
    "tests.chance.test_level:MODELS": "large models, whose score by chance is near 0",
    "tests.selfcheck.test_selfcheck:MODELS": "a measure and a gold standard that noise makes worse",
    "tests.report.pages:REPORTS": "a report whose page is looked at",
    "tests.report.test_page:SAMPLES": "a prediction and a gold, for the page of each measure",
    "tests.cli.samples:CASES": "a sample of each option of its command",
}
"""The tables of the tests that have an entry for every family."""


def lacking_of_family(
    kind: str, family: Any, *, samples: Mapping[str, str] = SAMPLES, without: Mapping[str, Collection[str]] = WITHOUT
) -> Iterator[str]:
    """List the declarations that a family lacks, in its own value and in the tables of the tests."""
    for hook, what in HOOKS.items():
        declared = bool(attrgetter(hook)(family))
        if declared == (hook in without.get(kind, ())):
            yield (
                f"{kind} declares {hook}: take it out of WITHOUT in tests/registry.py"
                if declared
                else f"{kind} does not declare {hook} ({what}): declare it in its FAMILY, or name it in WITHOUT in tests/registry.py"
            )
    for place, what in samples.items():
        module, _, table = place.partition(":")
        if kind not in getattr(import_module(module), table):
            yield f"{kind} has no entry in {table} of {module.replace('.', '/')}.py ({what})"


def _csv(separator: str, end: str, *, quoted: bool = False) -> Callable[[pl.DataFrame], bytes]:
    quote = '"' if quoted else ""

    def write(frame: pl.DataFrame) -> bytes:
        rows = [frame.columns, *frame.rows()]
        return "".join(separator.join(f"{quote}{cell}{quote}" for cell in row) + end for row in rows).encode()

    return write


def _parquet(frame: pl.DataFrame) -> bytes:
    import io

    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


def _json_table(layout: Callable[[pl.DataFrame], object]) -> Callable[[pl.DataFrame], bytes]:
    return lambda frame: json.dumps(layout(frame), ensure_ascii=False).encode()


LAYOUTS: dict[str, Callable[[pl.DataFrame], object]] = {
    "columns": lambda frame: {
        name: {str(row): cell for row, cell in enumerate(cells)}
        for name, cells in frame.to_dict(as_series=False).items()
    },
    "index": lambda frame: {str(row): cells for row, cells in enumerate(frame.rows(named=True))},
    "split": lambda frame: {
        "columns": frame.columns,
        "index": [*range(len(frame))],
        "data": [*map(list, frame.rows())],
    },
    "table": lambda frame: {
        "schema": {"fields": [{"name": name} for name in ("index", *frame.columns)], "primaryKey": ["index"]},
        "data": [{"index": row, **cells} for row, cells in enumerate(frame.rows(named=True))],
    },
    "lists": lambda frame: frame.to_dict(as_series=False),
}
"""How pandas, and programs without it, write a table as one JSON object."""
TABLES: dict[str, tuple[Callable[[pl.DataFrame], bytes], ...]] = {
    "csv": (_csv(",", "\n"), lambda frame: b"\xef\xbb\xbf" + _csv(";", "\r\n")(frame), _csv(",", "\n", quoted=True)),
    "tsv": (_csv("\t", "\n"),),
    "parquet": (_parquet,),
    "json-lines": (lambda frame: frame.write_ndjson().encode(), lambda frame: frame.write_json().encode()),
    "json-table": tuple(map(_json_table, LAYOUTS.values())),
}
"""How a table is written in each format of tables: every family reads the same from all of them."""


def lacking_of_table_format(name: str, families: Mapping[str, Any]) -> Iterator[str]:
    """List the families of tables that do not read a format of tables, and say where it has no sample."""
    if name not in TABLES:
        yield f"the format of tables {name} has no writer in TABLES of tests/registry.py"
    for kind, family in families.items():
        read = readable(family)
        if "csv" in read and name not in read:
            yield f"{kind} does not read the format of tables {name}: add it to READABLE of {family.reading.options.__module__}"


def readable(family: Any) -> tuple[str, ...]:
    """Name the formats that the files of a family may be in; none for a family without such an option."""
    declared = parameters_of(family.reading.options).get("input_format")
    return tuple(declared.choices or ()) if declared else ()


def lacking_of_record_format(name: str, kinds: Collection[str], corpus: Path = CORPUS) -> Iterator[str]:
    """Say that no file of the corpus is in a format, or that it is read as another one or as nothing."""
    if not kinds:
        yield f"no family reads the format {name}: add it to READABLE of one"
    elif not any(name in formats_in(kind, corpus) for kind in kinds):
        yield f"the format {name} has no file in {corpus.name} of tests/fuzz, in none of {', '.join(kinds)}, that is recognised as it"


def formats_in(kind: str, corpus: Path = CORPUS) -> set[str]:
    """Name the formats of the files of a family's corpus, as they are recognised."""
    options = {"hierarchy": str(CORPUS / "hierarchy" / "pets.csv")} if kind == "labels" else {}
    found = set()
    for path in sorted((corpus / kind).iterdir()):
        try:
            found.add(goldassay.read(path, kind=kind, **options).format)
        except GoldassayError:
            continue  # Some files of the corpus are broken on purpose.
    return found


def faults_of_null(name: str, null: Null[Any], pred: Any, gold: Any) -> Iterator[str]:
    """List what a null model breaks of what it promises, on one prediction and one gold standard."""
    before = [items_of(pred), items_of(gold)]
    drawn = [items_of(null.draw(pred, gold, np.random.default_rng(seed))) for seed in (0, 0, *range(1, 10))]
    if [items_of(pred), items_of(gold)] != before:
        yield f"{name} changes the prediction or gold that it draws from: let it work on a copy"
    if drawn[0] != drawn[1]:
        yield f"{name} draws otherwise from the same seed: draw with the generator that it is given"
    if null.certain and any(one != drawn[0] for one in drawn):
        yield f"{name} declares certain=True, and draws different predictions"
    once = len(set(before[0])) == len(before[0])
    if once and any(len(set(one)) < len(one) for one in drawn):
        yield f"{name} draws an item twice: a prediction has each once, as its reader makes it"
    if any(len(one) > len(before[0]) for one in drawn):
        yield f"{name} draws more items than are predicted"


def items_of(model: Any) -> list[str]:
    """Name all items of a model, in order."""
    return [model.item(row) for row in range(len(model))]
