"""``goldassay convert``: write the items of a file in another format, and report what is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from goldassay.alignments.formats.write import format_of as format_of_alignment
from goldassay.alignments.formats.write import swap_sides, write_alignment
from goldassay.cli.family import inputs_of, paths_in
from goldassay.cli.flags import as_command, flags_of, option_flag
from goldassay.cli.inspect import Kind, reading_options
from goldassay.cli.items import family_of, format_of, read_items, records_of, table_of, write_table
from goldassay.cli.screen import say
from goldassay.core.errors import UsageError
from goldassay.core.family import Family
from goldassay.core.text import count_of

UNWRITTEN = ("scores", "source_ontology", "target_ontology")
"""Options of the reader that change nothing that a file of correspondences holds."""
OF_ALIGNMENTS = (".rdf", ".xml", ".sssom.tsv")
"""The endings of formats that hold only alignments."""
In = Annotated[str, typer.Argument(metavar="IN", help="The file to read.")]
Out = Annotated[
    str,
    typer.Argument(metavar="OUT", help="The file to write: .csv .tsv .parquet .jsonl; alignments also .rdf .sssom.tsv"),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format of OUT, if not clear from its suffix: csv, tsv, parquet, json-lines, and for alignments oaei or sssom.",
        show_default=False,
    ),
]
Swap = Annotated[bool, typer.Option("--swap", help="Swap sources and targets of an alignment.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Hide notes; warnings are still shown.")]


def _run(path: str, out: str, to: str | None, *, swap: bool, quiet: bool, **given: Any) -> None:
    from goldassay.report.files import check_outputs

    check_outputs({"OUT": out}, [path, *inputs_of(given, paths_in(READING))])
    if given["kind"] is None and (to in {"oaei", "sssom"} or out.lower().endswith(OF_ALIGNMENTS)):
        given["kind"] = "alignment"
    chosen = family_of(path, given["kind"])
    if swap and chosen.kind != "alignment":
        raise UsageError(f"--swap is for alignments, and {path} is read as {chosen.kind}.", hint="--kind alignment")
    name = format_of_alignment(out, to) if chosen.kind == "alignment" else format_of(chosen, out, to)
    model = read_items(chosen, path, given)
    lost = _write(chosen, model, out, name, swap=swap)
    for line in model.warnings:
        say(f"goldassay: warning: {line}", err=True)
    if not quiet:
        say(f"{out}: {count_of(len(model), chosen.item)} from {path} ({model.format})")
    # What is lost is a warning, which --quiet does not hide.
    for line in (*(() if quiet else model.notes), *(f"lost: {one}" for one in lost)):
        say(f"goldassay: {line}", err=True)


def _write(chosen: Family[Any], model: Any, out: str, name: str, *, swap: bool) -> Sequence[str]:
    """Write a model, and return what the format cannot hold."""
    from goldassay.report.files import write_whole

    if chosen.kind == "alignment":
        return write_alignment(swap_sides(model) if swap else model, out, to=name)
    if name == "json-lines":
        lines = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records_of(chosen, model))
        write_whole(out, lambda stream: stream.write(lines.encode()))
    else:
        write_table(table_of(chosen, model), out, name)
    return list(_find_lost(chosen.kind, model, name))


def _find_lost(kind: str, model: Any, name: str) -> Iterator[str]:
    """Name what a model has in addition to its items."""
    if kind == "taxonomy":
        lone = len(model.ids) - len(set(model.edges.ravel().tolist()))
        renamed = sum(one != text for one, text in zip(model.ids.tolist(), model.words, strict=True))
        yield from [f"{name}: nodes without an edge ({lone:,})"] if lone else []
        yield from [f"{name}: the identifiers of nodes with a text ({renamed:,})"] if renamed else []
    elif kind == "triples" and name != "json-lines" and (texts := sum(map(bool, model.texts))):
        yield f"{name}: the texts of documents ({texts:,}); .jsonl has them"
    elif kind == "concepts" and len(model.mentions.items):
        yield f"{name}: where concepts occur in their texts"
    elif kind == "labels" and not model.hierarchy.is_flat:
        yield f"{name}: the hierarchy of labels"


READING = [option_flag(one) for one in reading_options().values() if one.name not in UNWRITTEN]
convert = as_command(
    _run,
    [
        *flags_of("path", In),
        *flags_of("out", Out),
        *flags_of("kind", Kind, None),
        *flags_of("to", To, None),
        *flags_of("swap", Swap, default=False),
        *flags_of("quiet", Quiet, default=False),
        *READING,
    ],
    name="convert",
    about="Convert a file to another format, and report what is lost.",
)
