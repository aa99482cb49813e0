"""Files to axioms: tables in five formats, with the kind of each row, and ontologies in every format of statements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.from_triples import axioms_of_triples
from goldassay.axioms.markdown import read_columns, split_page
from goldassay.axioms.model import CLASS, DATATYPE, FILLER, KINDS, OBJECT, PARTS, SUBCLASS, AxiomNames, Axioms
from goldassay.axioms.reading import AS_USUAL, READABLE, TABLES, AxiomReading
from goldassay.axioms.spelling import SUBCLASS_WORDS, Spelling
from goldassay.core.errors import EmptyInputError, InputError, RecordError, name_file
from goldassay.core.lazy import Engine, Frame
from goldassay.core.libraries import pl
from goldassay.core.model import Provenance
from goldassay.formats import Source, load, read_triples, recognise
from goldassay.formats.answers.cells import as_batch
from goldassay.formats.answers.means import OF_AXIOMS
from goldassay.formats.answers.read import read_answer
from goldassay.formats.column_names import bare
from goldassay.formats.graph_files import as_known
from goldassay.formats.known import ANSWER, MEMORY, TRIPLES
from goldassay.formats.memory import Columns
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import AXIOMS
from goldassay.formats.tables import HERE, ROW, RowCheck, Table, encode_words, expressions, map_texts, validate_rows
from goldassay.kernels.ragged import mark


def read_axioms(path: str | PathLike[str], reading: AxiomReading = AS_USUAL) -> Axioms:
    r"""Read axioms from a file.

    Nothing is dropped silently: ``left_out`` counts what was not used, by reason, ``notes`` lists it.

    Args:
        path: The file, gzipped or not; ``page.md#2`` is the second axiom table of a Markdown page.
        reading: The options of the reader.

    Returns:
        The axioms, each once, in order of first appearance.

    Raises:
        InputError: If the file cannot be read, or contains no axiom.
        MissingDependencyError: If the format needs a package that is not installed.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "shop.csv")
        >>> _ = file.write_text("class,property,object,kind\nProduct,hasBrand,Brand,object\n")
        >>> axioms = read_axioms(file)
        >>> axioms.format, axioms.item(0)
        ('csv', 'Product hasBrand Brand')
    """
    file, number = split_page(path)
    with name_file(file):
        source = as_batch(as_known(load(file)), reading, OF_AXIOMS)
        name = reading.input_format or recognise(source, READABLE, OF_AXIOMS)
        bad = BadRecords(on_error=reading.on_error)
        axioms = _read(source, name, reading, bad, number=number)
        if not len(axioms):
            raise no_axioms_error(axioms)
    return replace(axioms, path=fspath(path))


def _read(source: Source, name: str, reading: AxiomReading, bad: BadRecords, *, number: int | None) -> Axioms:
    if name == ANSWER:
        answer = read_answer(source, meaning=OF_AXIOMS)
        form = answer.format or recognise(answer.source, READABLE, OF_AXIOMS)
        axioms = _read(answer.source, form, reading, bad, number=number)
        return replace(axioms, format=ANSWER, **answer.provenance(source.path, axioms))
    if name in TABLES:
        table = read_columns(source, name, bad, AXIOMS, choose=reading.chooser(), number=number)
        return axioms_of_table(table.fill(bad), name if source.frame is None else MEMORY, reading, bad)
    return axioms_of_triples(read_triples(source, name, bad), source, name, reading, bad)


def no_axioms_error(axioms: Provenance) -> InputError:
    """Build the error for a file without an axiom."""
    of_statements = axioms.format in TRIPLES
    left_out = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in axioms.left_out.items())
    return (InputError if left_out else EmptyInputError)(
        "The file contains no axiom.",
        path=axioms.path,
        found=f"left out: {left_out}" if left_out else None if of_statements else "a header without rows",
        expected="properties with domain and range, named superclasses, or some/all restrictions"
        if of_statements
        else "rows of class, property, object",
    )


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim Markdown pages, and tables with a class, a property and an object; subject and predicate are for graphs."""
    return name == "markdown" or (AXIOMS.recognises(columns) and "subject" not in map(bare, columns))


KIND_WORDS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("object", "objectproperty", "relation"), OBJECT),
        **dict.fromkeys(("datatype", "datatypeproperty", "dataproperty", "data", "attribute"), DATATYPE),
        **dict.fromkeys(("subclass", "subclassof"), SUBCLASS),
    }
)
"""How kinds are written: only their letters."""
UNKNOWN = -1
ONE_KIND = "use one kind per property, or give the two properties different names"
LISTED = 5


def encode_kinds(frame: Frame, engine: Engine) -> tuple[Frame, list[RowCheck]]:
    """Add the number of each kind; an unknown kind is a flaw."""
    code, _ = encode_words(
        frame, "kind", lambda word: KIND_WORDS.get(re.sub(r"[^a-z]", "", word.lower()), UNKNOWN), engine
    )
    return frame.with_columns(code=code), [RowCheck(expressions(engine).col("code") == UNKNOWN, _unknown_kind)]


def _unknown_kind(row: Mapping[str, Any]) -> RecordError:
    return RecordError(f"The kind {row['kind']!r} is unknown.", found=_show_kind(row), expected=", ".join(KINDS))


def axioms_of_table(table: Table, name: str, reading: AxiomReading, bad: BadRecords) -> Axioms:
    """Build axioms from the columns class, property, object, and kind where the file has one."""
    stated = "kind" in table.roles
    frame = _encode_single_kind(table, reading.spelling, bad) if stated else table.frame
    named = AxiomNames.of([frame[part] for part in PARTS], reading.spelling)
    shared = _objects_are_classes(named)
    if stated:
        kinds = frame["code"].to_numpy().astype(np.int8)
    else:
        kinds = _guess_kinds(frame["property"].str.to_lowercase().is_in(list(SUBCLASS_WORDS)).to_numpy(), shared)
    # A program knows that it names no kinds; of a file it is a warning.
    guesses = () if stated or (kinds == SUBCLASS).all() else (NO_KIND,)
    both = (kinds == DATATYPE) & shared
    return Axioms.from_names(
        named,
        kinds,
        spelling=reading.spelling,
        input_rows=frame[ROW].to_numpy(),
        left_out=bad.left_out(),
        path=table.path,
        format=name,
        notes=(*(guesses if name == MEMORY else ()), *bad.notes(), *_note_both(frame["object"].filter(both))),
        choices=reading.choices,
        warnings=(*table.warnings, *(() if name == MEMORY else guesses)),
    )


NO_KIND = (
    "there is no column for the kind: "
    "subClassOf makes subclass axioms, an object that is the class of another row makes object axioms, all others are "
    "datatype axioms"
)


def axioms_of_columns(columns: Columns, reading: AxiomReading = AS_USUAL) -> Axioms | None:
    """Build axioms from a list of tuples; None if the tuples name kinds, which the reader of tables checks."""
    if "kind" in columns.cells:
        return None
    named = AxiomNames.of([columns.cells[part] for part in PARTS], reading.spelling)
    is_subclass = [text.lower() in SUBCLASS_WORDS for text in columns.cells["property"]]
    return Axioms.from_names(
        named,
        _guess_kinds(np.array(is_subclass, dtype=np.bool_), _objects_are_classes(named)),
        spelling=reading.spelling,
        input_rows=columns.rows,
        path=columns.name,
        notes=(NO_KIND,),
        choices=reading.choices,
    )


def _encode_single_kind(table: Table, spelling: Spelling, bad: BadRecords) -> pl.DataFrame:
    """Number the kind of each row, and reject rows whose kind is unknown or contradicts an earlier row."""
    here: Any = table.frame.with_columns(key=pl.col("property"))
    frame, flaws = encode_kinds(here, HERE)
    frame = map_texts(frame, ["key"], spelling.key, HERE)
    known = pl.when(pl.col("code") != UNKNOWN).then(pl.col(ROW) * len(KINDS) + pl.col("code"))
    here = frame
    here = here.with_columns(first=known.min().over("key") % len(KINDS))
    flaws.append(RowCheck(pl.col("code") != pl.col("first"), _two_kinds_error))
    here, _ = validate_rows(here, flaws, bad=bad, engine=HERE, line_of=table.line_of)
    found: pl.DataFrame = here
    return found


def _two_kinds_error(row: Mapping[str, Any]) -> RecordError:
    return RecordError(
        f"The property {row['property']!r} has two kinds.",
        found=_show_kind(row),
        expected=f"{KINDS[row['first']]}, as in an earlier row",
        hint=ONE_KIND,
    )


def _show_kind(row: Mapping[str, Any]) -> str:
    return ", ".join(row[part] for part in (*PARTS, "kind"))


def _guess_kinds(is_subclass: NDArray[np.bool_], shared: NDArray[np.bool_]) -> NDArray[np.int8]:
    return np.where(is_subclass, SUBCLASS, np.where(shared, OBJECT, DATATYPE)).astype(np.int8)


def _objects_are_classes(named: AxiomNames) -> NDArray[np.bool_]:
    """Return whether the object of each axiom is spelt like a class."""
    return mark(named.rows[:, CLASS], len(named.keys))[named.rows[:, FILLER]]


def _note_both(datatypes: pl.Series) -> tuple[str, ...]:
    """Note the names that are both a class and a datatype: often intended, sometimes an error."""
    both = sorted(datatypes.unique().to_list())
    if not both:
        return ()
    shown = ", ".join(both[:LISTED]) + (", ..." if len(both) > LISTED else "")
    names = "1 name is" if len(both) == 1 else f"{len(both):,} names are"
    return (f"{names} both a class and the object of a datatype property: {shown}",)
