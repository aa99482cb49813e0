"""Given concepts of documents on an engine: lists in cells, and exact matching within documents as joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from goldassay.concepts.columns import DocumentColumns, columns_of
from goldassay.concepts.concept import Concept, above_1
from goldassay.concepts.given import Vocabulary, id_of, listed
from goldassay.concepts.model import Concepts
from goldassay.concepts.reading import ConceptReading
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import EmptyInputError, InputError, RecordError, UsageError
from goldassay.core.lazy import Cluster, Counted, Engine, Frame, Lazily, LazyDocuments, sums_of
from goldassay.formats.batches import GivenVectors, matrix, tables
from goldassay.formats.lazy import SIDES, LazyTable, left_out_of, of_documents, verdicts
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import Choice
from goldassay.formats.rows import checked_names
from goldassay.formats.tables import Flaw, numbers_of, once, rewritten, rows_in, sifted

KEYS = ("id", "concept")
TOGETHER = 65_536
"""Concepts that a worker holds at once, beyond those of one document."""
BETWEEN, BROKEN = "\x1f", "\ufffe"
"""What stands between concepts of a cell, which is white space, and before what cannot be read."""
EXPECTED = "lists of texts"


class LazyConcepts(LazyDocuments):
    """Concepts on an engine, each once a document: the columns id and concept, as it is compared."""


def read_lazily(table: LazyTable, reading: ConceptReading, engine: Engine) -> LazyConcepts:
    """Make documents of a table with a column of ids and one of lists of texts."""
    import narwhals.stable.v2 as nw

    columns = _columns(table, reading)
    given, identifier = table.names.index(columns.concepts or ""), table.names.index(columns.id or "")
    kind = table.scan(True).collect_schema()[str(given)]
    in_lists = isinstance(kind, nw.List)
    if isinstance(kind, nw.List) and kind.inner != nw.String:
        raise InputError(
            "The concepts of a document are no texts.",
            path=table.path,
            found=f"{table.names[given]!r}: {kind}",
            expected=EXPECTED,
        )
    _refuse_absent(table, str(identifier), str(given), engine)
    frame = table.chosen(Choice({"id": identifier, "concepts": given}), engine, lists=("concepts",))
    long, stated = _of_lists(frame, engine) if in_lists else _of_cells(frame, engine)
    flaws = [Flaw(nw.col("id") == "", lambda _: RecordError("The id is empty.", expected="text or a whole number"))]
    frame, sums = sifted(frame, flaws, path=table.path, bad=BadRecords(), engine=engine)
    ids = engine.kept(rewritten(frame.select("id"), ["id"], id_of, engine))
    _refuse_repeated(ids, table.path, engine)
    long = rewritten(rewritten(long, ["id"], id_of, engine), ["concept"], _key(fold=reading.fold), engine)
    strange = [Flaw(nw.col("concept").str.starts_with(BROKEN), _unreadable)]
    long, found = sifted(long, strange, path=table.path, bad=BadRecords(), engine=engine)
    if stated is not None and stated != found["rows"]:
        raise RecordError("A list holds no text.", path=table.path, found="null", expected=EXPECTED)
    items = engine.kept(once(long, *KEYS))
    size = rows_in(items, engine)
    if not sums["rows"]:
        raise EmptyInputError("The file contains no document.", path=table.path, expected="at least one record")
    return LazyConcepts(
        frame=items,
        size=size,
        documents=ids,
        path=table.path,
        format=table.format,
        left_out=left_out_of(duplicates=found["rows"] - size),
        facts={"documents": sums["rows"]},
        choices={"concepts": "given,folded" if reading.fold else "given"},
    )


def _columns(table: LazyTable, reading: ConceptReading) -> DocumentColumns:
    names = checked_names(table.names, table.path)
    columns = columns_of(dict.fromkeys(names, ""), reading, chosen=None, path=table.path)
    if columns.concepts is None or columns.id is None or columns.text is not None:
        raise InputError(
            "Engines read ids and lists of concepts alone.",
            path=table.path,
            found=", ".join(table.names)[:200],
            expected="the columns id and concepts, and no texts",
            hint="leave out --engine",
        )
    return columns


def _refuse_absent(table: LazyTable, identifier: str, given: str, engine: Engine) -> None:
    import narwhals.stable.v2 as nw

    frame = table.with_absent().select(id=nw.col(identifier), given=nw.col(given)).filter(nw.col("given").is_null())
    # A blank line is no row.
    rows = engine.rows((frame.filter(nw.col("id").str.strip_chars() != "") if table.lines else frame).head(1))
    if rows:
        message, hint = "The concepts of a document are missing.", "an empty list is []"
        raise RecordError(message, path=table.path, found=f"{rows[0]['id']!r}: null", expected=EXPECTED, hint=hint)


def _of_lists(frame: Frame, engine: Engine) -> tuple[Frame, int]:
    """Give each member of each list a row, and count them."""
    import narwhals.stable.v2 as nw

    stated = numbers_of(frame, engine, n=nw.col("concepts").list.len().sum())
    long = frame.explode("concepts").select("id", concept=nw.col("concepts"))
    return long.filter(~nw.col("concept").is_null()), stated["n"]


def _of_cells(frame: Frame, engine: Engine) -> tuple[Frame, None]:
    """Give each concept of each cell a row."""
    import narwhals.stable.v2 as nw

    parsed = engine.mapped(frame, "concepts", "listed", _parsed)
    long = parsed.with_columns(concept=nw.col("listed").str.split(BETWEEN)).explode("concept")
    return long.select("id", "concept").filter(nw.col("concept") != ""), None


def _parsed(cell: str) -> str:
    """Read the list of a cell, and write its texts one after the other."""
    try:
        [found] = listed([cell])
    except ValueError:
        return BROKEN + cell
    if not all(isinstance(one, str) and one for one in found):
        return BROKEN + cell
    return BETWEEN.join(one.replace(BETWEEN, " ") for one in found)


def _key(*, fold: bool) -> Callable[[str], str]:
    vocabulary = Vocabulary(fold=fold)

    def key(text: str) -> str:
        if text.startswith(BROKEN):
            return text
        try:
            return vocabulary.words[int(vocabulary.codes([text])[0])][0]
        except ValueError:
            return BROKEN + text

    return key


def _unreadable(row: Mapping[str, Any]) -> RecordError:
    found = f"{row['id']!r}: {row['concept'].removeprefix(BROKEN)!r}"
    return RecordError("The concepts of a document cannot be read.", found=found, expected=EXPECTED)


def _refuse_repeated(ids: Frame, path: str, engine: Engine) -> None:
    import narwhals.stable.v2 as nw

    twice = engine.rows(once(ids, "id", n=nw.len()).filter(nw.col("n") > 1).head(1))
    if twice:
        raise RecordError(f"The id {twice[0]['id']!r} occurs twice.", path=path, expected="one document per id")


def count_near(measure: Concept, pred: LazyConcepts, gold: LazyConcepts, engine: Cluster, context: Context) -> Counted:
    """Count the concepts that are near one of the other side in the same document: each worker scores whole documents."""
    import narwhals.stable.v2 as nw

    if measure.assignment == "one":
        raise UsageError(f"{measure}: concepts are matched one to one on one machine alone.", hint="leave out --engine")
    if "given" not in {side.choices["concepts"] for side in (pred, gold)} or pred.choices != gold.choices:
        raise UsageError("Folded concepts are compared by meaning on one machine alone.", hint="leave out --engine")
    both = nw.concat([
        side.frame.select(*KEYS, side=nw.lit(name)) for name, side in zip(SIDES, (pred, gold), strict=True)
    ])  # fmt: skip
    texts = once(both.select(text=nw.col("concept")), "text")
    vectors = engine.encoded(texts, context.required()).select("vector", concept=nw.col("text"))
    found = engine.kept(
        engine.through(
            both.join(vectors, on="concept", how="inner"),
            partial(_near_concepts, measure=measure, memory=context.memory),
            dict.fromkeys(("side", *KEYS), "string"),
            together=("id",),
        )
    )
    here, there = (found.filter(nw.col("side") == name).select(*KEYS) for name in SIDES)
    documents, times = of_documents(measure, pred, gold, (here, there), engine)
    return Counted(
        counts=Counts(sums_of(documents, times)),
        evidence=verdicts(pred.frame, gold.frame, (here, there), KEYS, KEYS),
        remark=above_1(documents["sum_recall"], times),
    )


def _near_concepts(batches: Iterator[Any], measure: Concept, memory: int) -> Iterator[Any]:
    """List the concepts of documents that are hit."""
    import pyarrow as pa

    for table in tables(batches, "id", TOGETHER, parted=False):
        rows = table.select(["side", *KEYS]).to_pylist()
        models = []
        for name in SIDES:
            documents: dict[str, list[str]] = {}
            for row in rows:
                documents.setdefault(row["id"], []).extend([row["concept"]] if row["side"] == name else [])
            models.append(Concepts.from_lists(documents))
        context = Context(
            encoder=GivenVectors([row["concept"] for row in rows], matrix(table.column("vector"))), memory=memory
        )
        matching = measure.match(pred=models[0], gold=models[1], context=context)
        for name, model, side in zip(SIDES, models, (matching.pred, matching.gold), strict=True):
            hit = np.flatnonzero(side.credit > 0)
            keys = [model.ids[model.documents()[hit]].tolist(), model.keys[model.words[hit]].tolist()]
            columns = [pa.array([name] * len(hit), pa.string()), *(pa.array(one, pa.string()) for one in keys)]
            yield pa.RecordBatch.from_arrays(columns, names=["side", *KEYS])


LAZILY = Lazily(
    read=read_lazily,
    count_near={Concept: count_near},
    idle=("dictionary", "spacy", "abbreviations", "longest", "terms", "on_unpaired", "header", "on_error"),
)
"""How concepts of documents are scored on an engine."""
