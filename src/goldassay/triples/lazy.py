"""Triples of documents on an engine: rows of tables, and strict matching within documents as joins."""

from __future__ import annotations

from goldassay.core.errors import EmptyInputError, InputError, RecordError, UsageError
from goldassay.core.lazy import Engine, Frame, Lazily, LazyDocuments
from goldassay.formats.lazy import LazyTable, left_out_of
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import TRIPLES, Choice
from goldassay.formats.tables import how_many, numbers_of, once, rewritten, rows_in, sifted
from goldassay.triples.batch import SLOTS
from goldassay.triples.from_tables import NEO4J, TEXT_UNITS, has_lists
from goldassay.triples.reading import TriplesReading
from goldassay.triples.records import GRAPH
from goldassay.triples.rows import COLUMNS, checked

ALONE = "leave out --engine: one machine scores what can be read, and counts the rest"
TANGLED = r"[^!-~ ]|  "
"""What the name of a text may differ in from the text, where nothing but letters and blanks is left out of account."""


class LazyTriples(LazyDocuments):
    """Triples on an engine, each once a document: columns id, subject, predicate and object, as they are compared."""

    @property
    def predicted(self) -> Frame:
        """Those with triples: an empty document that gold does not have states nothing."""
        return self.frame.select("id")


def read_lazily(table: LazyTable, reading: TriplesReading, engine: Engine) -> LazyTriples:
    """Make triples of a table."""
    import narwhals.stable.v2 as nw

    if reading.ids == "order":
        raise UsageError("Rows of an engine are in no order.", found="--ids order", hint="leave out --engine")
    choice = _choice(table, reading)
    frame = table.chosen(choice, engine)
    if "id" not in choice.places or reading.unit == "corpus":
        frame = frame.with_columns(id=nw.lit(GRAPH))
    frame, flaws = checked(frame, engine)
    try:
        frame, sums = sifted(frame, flaws, path=table.path, bad=BadRecords(), engine=engine, kinds=["alone"])
    except RecordError as error:
        error.hint = ALONE
        raise
    documents = once(frame, "id")
    stated = frame.filter(~nw.col("alone")) if sums["alone"] else frame
    tangled = nw.any_horizontal(*(nw.col(slot).str.contains(TANGLED) for slot in SLOTS), ignore_nulls=True)
    if reading.rules or numbers_of(stated, engine, n=how_many(tangled))["n"]:
        stated = rewritten(stated, SLOTS, reading.normaliser, engine)
    items = engine.kept(once(stated, *COLUMNS))
    size = rows_in(items, engine)
    if not sums["rows"]:
        raise EmptyInputError("The file contains no document.", path=table.path, expected="at least one")
    return LazyTriples(
        frame=items,
        size=size,
        documents=documents,
        path=table.path,
        format=table.format,
        left_out=left_out_of(duplicates=sums["rows"] - sums["alone"] - size),
        facts={"rows": sums["rows"]},
        warnings=tuple(table.warnings),
        choices=reading.choices,
    )


def _choice(table: LazyTable, reading: TriplesReading) -> Choice:
    """Choose the columns of triples, of which an engine reads one a row."""
    names = table.names
    alone = has_lists(names) and not TRIPLES.recognises(names)
    if set(NEO4J) <= set(names) or TEXT_UNITS in names or TRIPLES.called("weight", names) or alone:
        raise InputError(
            "This table of a builder is read on one machine alone.",
            path=table.path,
            found=", ".join(names)[:200],
            expected="id, subject, predicate, object",
            hint="leave out --engine",
        )
    return table.choice(reading.chooser(table.path))


LAZILY = Lazily(read=read_lazily)
"""How triples of documents are scored on an engine."""
