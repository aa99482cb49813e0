"""Files to axioms: tables in five formats, and ontologies in every format of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath

from goldassay.axioms.from_table import axioms_of_table
from goldassay.axioms.from_triples import axioms_of_triples
from goldassay.axioms.markdown import read_columns, split_page
from goldassay.axioms.model import Axioms
from goldassay.axioms.reading import AS_USUAL, READABLE, TABLES, AxiomReading
from goldassay.core.errors import EmptyInputError, InputError
from goldassay.core.model import Read
from goldassay.formats import Source, load, read_triples, recognise
from goldassay.formats.known import MEMORY, TRIPLES
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import AXIOMS, bare


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
    source = load(file)
    name = reading.input_format or recognise(source, READABLE)
    bad = BadRecords(on_error=reading.on_error)
    axioms = _understood(source, name, reading, bad, number=number)
    if not len(axioms):
        raise no_axioms(axioms)
    return replace(axioms, path=fspath(path))


def _understood(source: Source, name: str, reading: AxiomReading, bad: BadRecords, *, number: int | None) -> Axioms:
    if name in TABLES:
        table = read_columns(source, name, bad, AXIOMS, choose=reading.chooser(source.path), number=number)
        return axioms_of_table(table.filled(bad), name if source.frame is None else MEMORY, reading, bad)
    return axioms_of_triples(read_triples(source, name, bad), source, name, reading, bad)


def no_axioms(axioms: Read) -> InputError:
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
    """Claim Markdown pages, and tables with a class, a property and an object; subject and predicate are for graphs.

    Example:
        >>> claims("csv", ["class", "property", "object"]), claims("csv", ["subject", "predicate", "object"])
        (True, False)
    """
    return name == "markdown" or (AXIOMS.recognises(columns) and "subject" not in map(bare, columns))
