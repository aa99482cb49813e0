"""A file to labels: which format it is in, and what its rows say."""

from __future__ import annotations

import json
import shlex
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError, RecordError, UsageError, names_file
from goldassay.core.intern import Names, as_names, number_columns
from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS, contrast_names, list_first
from goldassay.formats import Source, load, recognise
from goldassay.formats.answers.batch import OUTPUTS
from goldassay.formats.answers.cells import as_batch
from goldassay.formats.answers.items import labels_of_answer
from goldassay.formats.answers.json import read_nested
from goldassay.formats.answers.labels import CALLED, SENTENCE, Label, labels_in
from goldassay.formats.answers.means import OF_LABELS
from goldassay.formats.answers.read import read_answer
from goldassay.formats.both_sides import BothSidesError
from goldassay.formats.choose_columns import NO_HEADER, Choice, Chooser
from goldassay.formats.column_names import MARK_OF_LEVEL, bare, levels_of_label
from goldassay.formats.documents import parse_json
from goldassay.formats.edge_tables import NOTHING, warn_of_nothing
from goldassay.formats.graph_files import as_known
from goldassay.formats.json_tables import texts_as_lines
from goldassay.formats.known import ANSWER, MEMORY
from goldassay.formats.labels import last_part
from goldassay.formats.list_cells import may_hold_lists, warn_of_commas, write_lists
from goldassay.formats.literals import BETWEEN, parse_if_literal, parse_literal, parse_literals
from goldassay.formats.memory import Columns
from goldassay.formats.plain import cell_text
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import LABELS
from goldassay.formats.rows import OBJECTS, read_table
from goldassay.formats.source import PARQUET
from goldassay.formats.tables import ROW, Table, without_worded_scores
from goldassay.formats.tasks import accepted
from goldassay.formats.texts import DECIMAL_COMMA, numbers_of, to_whole
from goldassay.kernels.ragged import mark
from goldassay.labels.formats.lines import RawLabel, cafa_rows, gaf_rows, hemkit_rows
from goldassay.labels.formats.tools import with_labels
from goldassay.labels.formats.wide import MARK, MARKS, are_shares, as_numbers, level_chooser, wide_chooser
from goldassay.labels.hierarchy import Hierarchy
from goldassay.labels.model import Labels
from goldassay.labels.paths import JOINED, hierarchy_of_paths, normaliser, parts_of
from goldassay.labels.read_hierarchy import read_hierarchy, to_curie
from goldassay.labels.reading import AS_USUAL, READABLE, LabelReading

MESSAGES = frozenset({"content", "message"})
"""Columns that may have answers, where all rows have the same label."""
KINDS_OF_MESSAGES = frozenset({"type", "kind", "object"})
"""Columns of labels that may have the kind of a message."""
LISTING = (*OBJECTS, "parquet")
"""Formats of tables whose cells may be lists."""
UNKNOWN, TOGETHER = -1, 2**14
BRACKETS = frozenset("[{")
MOST_LIKELY = (
    "each record has a number for each label, and these sum to 1: each instance has its most likely label (--keep all keeps all with "
    "their probabilities)"
)
OF_FASTTEXT = "__label__"
FOR_NOTHING = frozenset(word for word in NOTHING if "none" not in word.lower())
"""What no class is called."""
SCORED = ("label", "score")
OF_LABELS_ONLY = replace(LABELS, needed=(("label",),), orders=(), guessed=False)
"""Columns of a table without instances."""
BY_PLACE = "no column of instances: they are numbered in the order of the file"
OBJECTS_IN_CELLS = r"^\s*\[?\s*\{|:\s?[01]?\.\d+\s*(?:$|[;|])"
"""How a cell looks that may have labels with scores."""
MARKED_LABEL = rf"^\s*\*\*|^\s*`|\n\s*```|^\s*<(?:think|answer)|^\s*(?:[{BULLETS}]|1[.)][^\n]+\n\s*2[.)])\s|(?i)^\s*{CALLED}\s?: |^{SENTENCE.pattern}"
"""How a label looks that has marks, thoughts or words of an answer around it."""
WORDED_LABEL = (
    rf"{MARKED_LABEL}|\n|^\s*<label|<\||</|\\boxed|^\s*#{{1,6}}\s|^\s*\"[^\"]+\"\.?\s*$|(?:^|[,.!?:]\s)\s*{CALLED}\s?(?:[:=]|is|are)[:\s]"
    r"|\s[-\u2013\u2014]\s(?:the|this|it|because)\s|\((?:confidence|score|probability)\s?[:=]"
)
"""How a whole answer looks in a column of predictions."""
OF_ANSWERS = frozenset({*OUTPUTS, "predicted", "predictedlabel", "raw"})
"""Columns of labels that have whole answers where these look so."""
SCORED_LABEL = pattern_of(r"([^:]{1,300}):\s?([01]?\.\d{1,20})")
PARTS = frozenset(
    {"mention", "span", "start", "end", "begin", "offset", "startoffset", "endoffset", "startchar", "endchar", "aspect"}
)
"""Columns that say of which part of an instance a label is."""
THINGS = frozenset({"entity", "term", "product", "item"})
"""Columns that do so next to a document or a query, and next to an id are its text."""
OWN_IDS = frozenset({"id", "instance", "instanceid", "item", "itemid", "entity", "term", "product", "mention"})
EDGES = frozenset({"source", "child", "parent", "predicate", "property", "relation"})
"""Columns of tables that are no labels."""


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim GAF, CAFA's and HEMKit's files, and tables with an instance and a label that are no edges."""
    return name in {"gaf", "cafa", "hemkit"} or (LABELS.recognises(columns) and EDGES.isdisjoint(map(bare, columns)))


@names_file
def read_labels(path: str | PathLike[str], reading: LabelReading = AS_USUAL) -> Labels:
    r"""Read the labels of instances, and the hierarchy that the reading names, if it names one.

    Args:
        path: The file.
        reading: How to read it.

    Returns:
        The labels.

    Raises:
        InputError: If a file cannot be read as what it should be; a `RecordError` with its line for a bad record.
        UsageError: If a root is named without a hierarchy.

    Example:
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "pets.csv").write_text("child,parent\ncat,pet\n")
        >>> _ = (folder / "gold.tsv").write_text("instance\tlabel\nd1\tcat\n")
        >>> read_labels(folder / "gold.tsv", LabelReading(hierarchy=str(folder / "pets.csv"))).item(0)
        'd1: cat'
    """
    asked = reading.input_format or reading.instance_column or reading.label_column
    source = load(path) if asked else _listed(as_known(load(path)))
    of_tools = with_labels(as_batch(source, reading, OF_LABELS), by_instance=not asked)
    best = of_tools.are_shares and reading.keep is None
    reading = replace(reading, keep="best") if best else reading
    if reading.input_format == "parquet" and not of_tools.source.data.startswith(PARQUET):
        reading = replace(reading, input_format=None)
    found = accepted(of_tools.source)
    name = reading.input_format or recognise(found.source, READABLE, OF_LABELS)
    labels = _read_source(found.source, name, path, reading)
    labels = replace(labels, warnings=(*of_tools.warnings, *[MOST_LIKELY] * best, *labels.warnings))
    return replace(labels, **found.left_out(labels))


def _listed(source: Source) -> Source:
    """Write a list of labels, of which none states something by itself, as a record for each; any other file stays."""
    if not source.data.lstrip().startswith(b"["):
        return source
    made = texts_as_lines(source, LABELS, ("instance", "label"))
    return source if made is not source and read_nested(parse_json(source.data), OF_LABELS) else made


def _read_source(source: Source, name: str, path: str | PathLike[str], reading: LabelReading) -> Labels:
    """Read a file whose format is known."""
    if name == ANSWER:
        answer = read_answer(source, meaning=OF_LABELS)
        form = answer.format or recognise(answer.source, READABLE, OF_LABELS)
        labels = _read_source(answer.source, form, path, reading)
        return replace(labels, format=ANSWER, **answer.provenance(fspath(path), labels))
    bad = BadRecords(on_error=reading.on_error)
    rows, warnings = _rows_of(source, name, reading, bad)
    return _labels(rows, reading, bad, path=fspath(path), name=name, warnings=warnings)


def labels_of_columns(columns: Columns, reading: LabelReading = AS_USUAL) -> Labels | None:
    """Make labels of a list of tuples; None if there are lists among them."""
    instances, labels = columns.cells["instance"], columns.cells["label"]
    if not BRACKETS.isdisjoint("".join(labels)) and any(label.startswith(("[", "{")) for label in labels):
        return None
    scores = columns.cells.get("score", [1.0] * len(labels))
    rows = _Rows(
        Names(instances), Names(labels), np.array(scores), scores.__getitem__, lambda row: row + 1, columns.rows, labelled=True
    )  # fmt: skip
    bad = BadRecords(on_error=reading.on_error)
    return replace(_labels(rows, reading, bad, path=columns.path, name=MEMORY), path=columns.name)


def _labels(
    rows: _Rows,
    reading: LabelReading,
    bad: BadRecords,
    *,
    path: str,
    name: str,
    warnings: Sequence[str] = (),
) -> Labels:
    """Look labels up in the hierarchy, and leave out what it does not have."""
    empty = rows.empty
    beyond_unit = _find_rejected(rows, empty, bad, any_number=reading.scores == "any")
    counted = ~(empty & rows.labelled)
    if not counted.any():
        raise bad.no_item("The file contains no instance.", found="no row", expected="rows of instance and label")
    ids, (owner,) = number_columns(rows.instances if counted.all() else rows.instances.take(np.flatnonzero(counted)))
    called: Callable[[str], str] = last_part if reading.names == "name" else to_curie
    texts, label, unstated, warnings = _without_nothing(rows, reading, warnings)
    whole_paths = normaliser(texts, reading.separator)
    if whole_paths and not reading.hierarchy:
        called = whole_paths
    names = list(map(called, texts))
    hierarchy, notes, more = _hierarchy_of(names, reading, are_paths=called is whole_paths)
    found = hierarchy.rows
    if whole_paths and reading.hierarchy:
        names = [
            name if name in found else called((parts_of(text, reading.separator) or [text])[-1])
            for name, text in zip(names, texts, strict=True)
        ]
    nodes = np.array([found.get(name, UNKNOWN) for name in names], dtype=np.int64)[label]
    kept, inside = ~(empty | unstated | np.isnan(rows.scores)), _inside(hierarchy, reading)
    left_out = dict(rows.left_out)
    if inside is not None:
        outside = kept & (nodes != UNKNOWN) & ~inside[nodes]
        left_out |= {"outside_of_the_root": int(outside.sum())} if outside.any() else {}
        kept &= ~outside
        # The last place is that of labels that the hierarchy does not have.
        nodes = np.append(np.cumsum(inside) - 1, UNKNOWN)[nodes]
    if reading.keep == "best" and (weaker := _weaker(rows.scores, kept, owner, counted)).any():
        left_out["weaker_labels"] = int(weaker.sum())
        kept &= ~weaker
    lost = () if (nodes[kept] != UNKNOWN).any() else _warn_of_all_unknown(rows, kept, called, hierarchy, reading)
    return Labels.from_codes(
        as_names(ids).tolist(),
        owner[kept[counted]],
        nodes[kept],
        rows.scores[kept],
        hierarchy=hierarchy if inside is None else _restrict(hierarchy, inside),
        input_rows=None if rows.places is None else rows.places[kept],
        left_out={**left_out, **bad.left_out()},
        choices={**reading.choices, **({"keep": "best"} if rows.best_only else {})},
        beyond_unit=beyond_unit,
        path=path,
        format=name,
        notes=(*notes, *bad.notes()),
        warnings=(*warnings, *more, *lost),
    )


def _without_nothing(
    rows: _Rows, reading: LabelReading, warnings: Sequence[str]
) -> tuple[Any, NDArray[np.integer[Any]], NDArray[np.bool_], Sequence[str]]:
    """Return the different labels, which of these each row has, and which rows have a word such as N/A: it is none, unless a hierarchy is given, whose class may be called so."""
    texts, (label,) = number_columns(rows.labels)
    texts = _without_marker(texts)
    # A minus is a class next to a plus.
    words = frozenset[str]() if reading.hierarchy or "+" in texts or "++" in texts else FOR_NOTHING
    nothing = [place for place, text in enumerate(texts) if text in words]
    unstated = np.isin(label, nothing)
    if nothing:
        warnings = (*warnings, *warn_of_nothing(int(unstated.sum()), [texts[place] for place in nothing]))
        texts = ["" if text in words else text for text in texts]
    return texts, label, unstated, warnings


def _without_marker(labels: Any) -> Any:
    """Return labels without what fastText writes before each."""
    first = next(filter(None, labels), "")
    marked = first.startswith(OF_FASTTEXT) and all(
        not one or one[: len(OF_FASTTEXT)] == OF_FASTTEXT < one for one in labels
    )
    return [label.removeprefix(OF_FASTTEXT) for label in labels] if marked else labels


def _weaker(
    scores: FloatArray, kept: NDArray[np.bool_], owner: NDArray[np.integer[Any]], counted: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which labels have a score below the best one of their instance, shape (rows,)."""
    owners = np.zeros(len(kept), dtype=np.int64)
    owners[counted] = owner
    best = np.full(int(owners.max(initial=0)) + 1, -np.inf)
    np.maximum.at(best, owners[kept], scores[kept])
    return kept & (scores < best[owners])


def _hierarchy_of(
    labels: Iterable[str], reading: LabelReading, *, are_paths: bool
) -> tuple[Hierarchy, tuple[str, ...], tuple[str, ...]]:
    """Read the hierarchy; without one, paths are one, and other labels are taken as they are."""
    if reading.hierarchy is not None:
        return read_hierarchy(reading)
    if are_paths:
        return hierarchy_of_paths(labels), ("labels are paths, and their hierarchy",), ()
    if reading.root:
        raise UsageError(
            "Without a hierarchy there are no labels below another one.", found="--root", hint="--hierarchy FILE"
        )
    return Hierarchy.of_labels(filter(None, labels)), (), ()


def _warn_of_all_unknown(
    rows: _Rows, kept: NDArray[np.bool_], called: Callable[[str], str], hierarchy: Hierarchy, reading: LabelReading
) -> Iterator[str]:
    """Warn that no label is in the hierarchy, with the likely reason."""
    places = np.flatnonzero(kept)
    labels, instances = set(map(called, rows.labels.take(places))), set(rows.instances.take(places))
    if not labels:
        return
    yield f"no label is in the hierarchy {reading.hierarchy}, {contrast_names(labels, hierarchy.rows)}: check --hierarchy and --names"
    found = sum(instance in hierarchy.rows for instance in instances)
    if found:
        yield f"{found:,} of its {len(instances):,} instances are: check whether it was swapped with --hierarchy"


def _inside(hierarchy: Hierarchy, reading: LabelReading) -> Any:
    """Return which labels lie at or below the roots that are named; None where none is."""
    if not reading.root:
        return None
    rows = []
    for root in reading.root:
        row = hierarchy.rows.get(to_curie(root))
        if row is None:
            raise InputError(
                "The hierarchy has no such label.", path=reading.hierarchy, found=root, hint="check --root"
            )
        rows.append(row)
    return hierarchy.below(rows)


def _restrict(hierarchy: Hierarchy, inside: Any) -> Hierarchy:
    """Keep some labels of a hierarchy, and the edges between them."""
    place = np.cumsum(inside) - 1
    child = np.repeat(np.arange(len(hierarchy)), np.diff(hierarchy.starts))
    edges = np.column_stack([child, hierarchy.parents])[inside[child] & inside[hierarchy.parents]]
    aliases = {name: int(place[row]) for name, row in hierarchy.aliases.items() if inside[row]}
    made = Hierarchy.from_rows(hierarchy.names[inside].tolist(), place[edges], aliases=aliases)
    return replace(made, titles=hierarchy.titles, of_paths=hierarchy.of_paths)


class _Rows(NamedTuple):
    """Labels of instances as they are in a file or a list."""

    instances: Names
    labels: Names  # the labels; empty for an instance without one
    scores: FloatArray  # the scores, 1 where none is given, nan where it is not a number, float64, shape (rows,)
    score: Callable[[int], Any]  # finds a score as it was written
    line: Callable[[int], int]  # finds the line of a row; its number where there are no lines
    places: NDArray[np.int64] | None  # the rows of the table, from 0; None if the file is not a table
    labelled: bool = False  # whether each row must have a label
    left_out: Mapping[str, int] = MappingProxyType({})  # rows that were left out, counted by reason
    best_only: bool = False  # whether there are only the most likely labels of a table with a column for each label

    @classmethod
    def of_rows(cls, rows: Iterable[RawLabel], *, is_table: bool) -> _Rows:
        """Convert rows to columns, one after the other: the rows together take more memory than the file."""
        lines, places = array("q"), array("q")
        instances: list[str] = []
        labels: list[str] = []
        scores: list[str] = []
        known: dict[str, str] = {}
        for line, instance, label, score, place in rows:
            lines.append(line)
            places.append(place)
            instances.append(instance)
            labels.append(known.setdefault(label, label))
            scores.append(score)
        return cls(
            Names(instances), Names(labels), _numbers(scores), scores.__getitem__, lines.__getitem__,
            np.array(places, dtype=np.int64) if is_table else None,
        )  # fmt: skip

    @classmethod
    def of_table(cls, table: Table) -> _Rows:
        """Take the columns of a table with one label a row."""
        frame, size = table.frame, len(table.frame)
        if (
            "score" in frame.columns
            and frame["score"].dtype == frame["label"].dtype
            and frame["score"].str.ends_with("%").any()
        ):
            frame = frame.with_columns(as_numbers(frame["score"]))
        scores = _numbers(frame["score"]) if "score" in frame.columns else np.ones(size)
        return cls(
            Names(frame["instance"]), Names(frame["label"]), scores, lambda row: frame["score"][row],
            lambda row: table.line(row) or row + 1, table.input_rows, labelled=True,
        )  # fmt: skip

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Whether each label is empty, shape (rows,)."""
        return mark(self.labels.places_of([""]), len(self.labels))


def _numbers(column: pl.Series | list[str], absent: float = 1.0) -> FloatArray:
    """Read scores; what is not a finite number is nan."""
    column = pl.Series(column, dtype=pl.String) if isinstance(column, list) else column
    if column.dtype == pl.String and column.str.contains(DECIMAL_COMMA).any():
        column = column.str.replace(DECIMAL_COMMA, "${1}.${2}")
    scores = numbers_of(column, absent=absent)
    scores[~np.isfinite(scores)] = np.nan
    return scores


def _rows_of(source: Source, name: str, reading: LabelReading, bad: BadRecords) -> tuple[_Rows, Sequence[str]]:
    """Read the rows of a file, and the warnings of its table."""
    left_out = Counter[str]()
    readers: dict[str, Callable[[], Iterator[RawLabel]]] = {
        "hemkit": lambda: hemkit_rows(source, bad),
        "gaf": lambda: gaf_rows(source, bad, left_out),
        "cafa": lambda: cafa_rows(source, bad),
    }
    if name in readers:
        return _Rows.of_rows(readers[name](), is_table=False)._replace(left_out=left_out), ()
    names: list[str] = []
    try:
        columns = read_table(source, name, _chooser(reading, names), bad, numbers=("score",), lists=SCORED)
    except InputError as error:
        wide = (
            None
            if isinstance(error, RecordError | BothSidesError)
            else _rows_of_levels(source, name, reading, bad) or _wide_rows(source, name, reading)
        )
        if wide is None:
            raise
        return wide
    columns = columns if "instance" in columns.roles else _with_numbers(columns)
    guessed = any(warning.startswith(NO_HEADER) for warning in columns.warnings)
    columns = without_worded_scores(columns, named=not (guessed or reading.score_column))
    of_levels = bare(columns.called.get("label", "")) in {bare(names[at]) for at in levels_of_label(names).values()}
    if (guessed or of_levels) and (
        wide := _rows_of_levels(source, name, reading, bad)
        or (_wide_rows(source, name, reading, marks=True) if guessed else None)
    ):
        return wide
    distinct = _distinct(columns.frame["label"])
    if reading.label_column is None:
        columns = _warn_of_answers(columns, distinct, names)
    if reading.label_column is None and bare(columns.called.get("label", "")) in OF_ANSWERS:
        columns, distinct = _without_words(columns, distinct)
    if "score" not in columns.roles and (written := _write_objects(columns, distinct)) is not None:
        return _Rows.of_rows(_read_list_rows(written, bad), is_table=True), written.warnings
    # Next to lists of JSON a text is one name.
    may_list = "label" not in columns.listing and may_hold_lists(source, name)
    table, listed = write_lists(columns.fill(bad, blank=SCORED), ("label",) if may_list else ())
    table = _warn_of_marks(table, _distinct(table.frame["label"]) if listed else distinct)
    if listed or (name in LISTING and any(map(_has_lists, table.frame.select("^label|score$")))):
        return _Rows.of_rows(_read_list_rows(table, bad), is_table=True), table.warnings
    table = warn_of_commas(table, ("label",))
    return _Rows.of_table(table), table.warnings


def _chooser(reading: LabelReading, seen: list[str]) -> Chooser:
    """Return what chooses the columns, keeps their names, and warns of those that say of what in an instance a label is, or which label it is."""

    def choose(names: Sequence[str], **known: Any) -> Choice:
        seen[:] = names
        chooser = OF_LABELS_ONLY.chooser() if _has_no_instance(names, reading) else reading.chooser()
        choice = chooser(names, **known)
        if not choice.named:
            # Columns that are read by their places have names nevertheless, except in CSV.
            names_of = {role: names[at] for role, at in choice.places.items()} if known.get("always") else choice.called
            return choice._replace(called=names_of)
        read = {bare(called) for called in choice.called.values()}
        within = PARTS if read & OWN_IDS else PARTS | THINGS
        unread = [
            name
            for name in names
            if (key := bare(name)) not in read and (key in within or (key[:3] == "sub" and key[3:] in read))
        ]
        warnings = [
            f"not read: {list_first(unread)}; labels of one instance are compared without these columns"
        ] * bool(unread)
        return choice._replace(warnings=(*choice.warnings, *warnings))

    return choose


def _has_no_instance(names: Sequence[str], reading: LabelReading) -> bool:
    """Return whether a table has a column of labels, perhaps one of scores, and no other with a name."""
    labels, scores = (LABELS.called(role, names) for role in SCORED)
    asked = reading.instance_column or reading.label_column or reading.score_column or reading.header == "no"
    # A first column without a name has numbers of rows.
    only = len(labels) == 1 and {*names} - {""} == {*labels, *scores} and not LABELS.called("instance", names)
    return only and not asked


def _with_numbers(table: Table) -> Table:
    """Number the instances of a table without any: each row is one."""
    frame = table.frame.with_columns((pl.col(ROW) + 1).cast(pl.String).alias("instance"))
    return replace(table, frame=frame, warnings=(*table.warnings, BY_PLACE))


def _warn_of_answers(columns: Table, distinct: pl.Series, every: Sequence[str]) -> Table:
    """Warn of a column that is not read and may have the answers: by its name, or since all rows have the same label, as the kind of a message is."""
    label, read = columns.called.get("label", ""), {bare(called) for called in columns.called.values()}
    same = distinct.dtype == pl.String and len(distinct) == 1 and len(columns.frame) > 1
    names = {bare(one): one for one in every}
    of_messages = MESSAGES | {"text"} if label in KINDS_OF_MESSAGES and PARTS.isdisjoint(names) else MESSAGES
    may_be = (OF_ANSWERS if read.isdisjoint(OF_ANSWERS) else frozenset[str]()) | (
        of_messages if same else frozenset[str]()
    )
    unread = [one for key, one in names.items() if key in may_be - read]
    known = [one for one in unread if not any(repr(one) in warning for warning in columns.warnings)]
    if not label or not known:
        return columns
    alike = f", all {distinct[0]!r}" if same else ""
    what = f"labels are those of {label!r}{alike}, and {known[0]!r} is not read: if it has the answers, name it with --label-column {shlex.quote(known[0])}"
    return replace(columns, warnings=(*columns.warnings, what))


def _read_if_so(source: Source, name: str, chooser: Chooser) -> Table | None:
    """Read a table whose columns are those that are chosen; None if they are others."""
    try:
        return read_table(source, name, chooser, BadRecords())
    except InputError:
        return None


def _rows_of_levels(
    source: Source, name: str, reading: LabelReading, bad: BadRecords
) -> tuple[_Rows, Sequence[str]] | None:
    """Read a table with a column for each level of the label of an instance, which is a path; None if it is none."""
    if reading.label_column or reading.header == "no":
        return None
    table = _read_if_so(source, name, level_chooser(reading.instance_column))
    if table is None:
        return None
    levels = [role for role in table.frame.columns if role.startswith(MARK_OF_LEVEL)]
    rows = []
    for at, (instance, place, *cells) in enumerate(table.frame.select("instance", "row", *levels).iter_rows()):
        parts = [cell_text(cell).strip() for cell in cells]
        stated = [part for part in parts if part]
        line = table.line(at) or at + 1
        if not stated or any(parts[len(stated) :]):
            found, expected = " | ".join(parts), "all levels from the root down to the last one of the row"
            message = "A level is empty, and one below it is not." if stated else "The label is empty."
            bad.refuse(message, line=line, found=found, expected=expected)
            continue
        rows.append(RawLabel(line, instance, JOINED.join(stated), "", place))
    return _Rows.of_rows(rows, is_table=True), table.warnings


def _wide_rows(
    source: Source, name: str, reading: LabelReading, *, marks: bool = False
) -> tuple[_Rows, Sequence[str]] | None:
    """Read a table with a column of numbers, or only of 0 and 1, for each label; None if it is none. A label with the number 0 is not stated."""
    if reading.label_column or reading.score_column or reading.header == "no":
        return None
    table = _read_if_so(source, name, wide_chooser(reading.instance_column))
    if table is None:
        return None
    roles = [role for role in table.frame.columns if role.startswith(MARK)]
    scores = np.column_stack([_numbers(as_numbers(table.frame[role]), absent=0.0) for role in roles])
    marked = marks or any(table.frame[role].str.to_lowercase().is_in([*MARKS]).any() for role in roles)
    if not len(scores) or np.isnan(scores).any() or (marked and not np.isin(scores, (0, 1)).all()):
        return None
    warnings = [*table.warnings, *_warn_of_classes(scores, [role.removeprefix(MARK) for role in roles])]
    best_only = reading.keep is None and are_shares(scores)
    if best_only:
        # Not the best of a tie: both.
        scores = (scores == scores.max(axis=1, keepdims=True)).astype(np.float64)
        warnings.append(
            f"the table has a column for each of {len(roles):,} labels, and its rows sum to 1: each instance has its most likely "
            "label (--keep all keeps all with their probabilities)"
        )
    rows, labels = np.nonzero(scores)
    without = np.flatnonzero(~(scores != 0).any(axis=1))
    # An instance without a label is there nevertheless.
    order = np.argsort(np.concatenate([rows, without]), kind="stable")
    place = np.concatenate([rows, without])[order]
    values = np.concatenate([scores[rows, labels], np.ones(len(without))])[order]
    called = Names([*(role.removeprefix(MARK) for role in roles), ""])
    made = _Rows(
        Names(Names(table.frame["instance"]).take(place)),
        Names(called.take(np.concatenate([labels, np.full(len(without), len(roles))])[order])),
        values,
        values.__getitem__,
        lambda row: table.line(int(place[row])) or int(place[row]) + 1,
        table.input_rows[place],
        best_only=best_only,
    )
    return made, warnings


def _warn_of_classes(scores: FloatArray, labels: Sequence[str]) -> Iterator[str]:
    """Warn of whole numbers above 1, which may be the classes of each level, and no scores."""
    above = np.flatnonzero((scores > 1).any(axis=0))
    if len(above) and (scores == np.rint(scores)).all():
        yield (
            f"the table has a column for each label, and whole numbers above 1, such as in {labels[above[0]]!r}: they are read as scores; "
            "if they are labels, name their column with --label-column"
        )


def _distinct(column: pl.Series) -> pl.Series:
    """Return the labels that occur, which are few where rows are many; lists stay as they are."""
    return column.unique() if column.dtype == pl.String else column


def _write_objects(table: Table, distinct: pl.Series) -> Table | None:
    """Write cells with labels and their scores, as objects of JSON or Python or as ``label:0.9``, as lists; None if there is none."""
    if distinct.dtype != pl.String or not distinct.str.contains(OBJECTS_IN_CELLS).any():
        return None
    found = {cell: _objects_in(cell) for cell in distinct.to_list() if cell}
    if all(some is None for some in found.values()):
        return None
    return _with_lists(table, {cell: some for cell, some in found.items() if some is not None})


def _with_lists(table: Table, found: Mapping[str, Sequence[Label]]) -> Table:
    """Write the cells in which labels were found as lists of these, with their scores."""
    written = {
        cell: json.dumps([{"label": one.name, "score": one.score or "1"} for one in some])
        for cell, some in found.items()
    }
    return replace(table, frame=table.frame.with_columns(pl.col("label").replace(written)))


def _without_words(table: Table, distinct: pl.Series) -> tuple[Table, pl.Series]:
    """Write answers as their labels where they have marks or words around them; any other label stays as it is."""
    if distinct.dtype != pl.String or not distinct.str.contains(WORDED_LABEL).any():
        return table, distinct
    marked = distinct.filter(distinct.str.contains(WORDED_LABEL)).to_list()
    made = _with_lists(table, {cell: some for cell in marked if (some := labels_of_answer(cell))})
    return made, _distinct(made.frame["label"])


def _warn_of_marks(table: Table, distinct: pl.Series) -> Table:
    """Warn of labels with what models write around them."""
    if distinct.dtype != pl.String or not distinct.str.contains(MARKED_LABEL).any():
        return table
    count = int(table.frame["label"].str.contains(MARKED_LABEL).sum())
    several = "s have marks or words around them, and are" if count > 1 else " has marks or words around it, and is"
    return replace(
        table,
        warnings=(*table.warnings, f"{count:,} label{several} compared with them, for example '**x**' or 'Label: x'"),
    )


def _objects_in(cell: str) -> list[Label] | None:
    """List the labels in one cell with their scores; None if it has no objects."""
    text = cell.strip()
    if text.startswith(("{", "[")):
        value = parse_if_literal(text)
        inside = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
        # Of a span of a text the label is not that of the whole.
        spans = any(bare(key) in PARTS or bare(key) == "text" for one in inside for key in one)
        without = not any(score for one in inside for score in one.values())
        return (
            (labels_in(value, OF_LABELS) or labels_in([value], OF_LABELS) or ([] if without else None))
            if inside and not spans
            else None
        )
    parts = [SCORED_LABEL.fullmatch(part.strip()) for part in BETWEEN.split(text)]
    return [Label(part[1], part[2]) for part in parts if part] if all(parts) else None


def _has_lists(column: pl.Series) -> bool:
    return column.dtype.is_nested() or (column.dtype == pl.String and bool(column.str.starts_with("[").any()))


def _read_list_rows(table: Table, bad: BadRecords) -> Iterator[RawLabel]:
    """Return a row for each label: a cell holds one, or a list of them with a list of scores."""
    columns = [name for name in ("instance", "label", ROW, "score") if name in table.frame.columns]
    seen, refuse, line_of = set[str](), bad.refuse, table.line_of or (lambda _: 0)
    for part in table.frame.select(columns).iter_slices(TOGETHER):
        rows = part.rows()
        lists = _lists_in({row[1] for row in rows if isinstance(row[1], str) and row[1].startswith("[")})
        for instance, stated, place, *rest in rows:
            line, label, score = line_of(place) or place + 1, to_whole(stated), rest[0] if rest else ""
            listed = lists.get(label) if isinstance(label, str) else label if isinstance(label, list) else None
            if listed is None:
                if label in ("", None):
                    refuse("The label is empty.", line=line, found=f"{instance!r}", expected="text for the label")
                    continue
                yield RawLabel(line, instance, cell_text(label), _text(score), place)
                continue
            pairs = _pair_list(listed, score)
            if pairs is None:
                found, expected = f"{label!r:.60}", "as many scores as labels"
                refuse("The labels are not a list of texts.", line=line, found=found, expected=expected)
                continue
            if instance in seen:
                found, expected = repr(instance), "one list for each instance"
                refuse("The instance occurs twice.", line=line, found=found, expected=expected)
                continue
            seen.add(instance)
            yield from (RawLabel(line, instance, one, written, place) for one, written in pairs or [("", "")])


def _lists_in(texts: Collection[str]) -> dict[str, list[Any]]:
    """Parse the texts that are lists; names in brackets are none."""
    found = zip(texts, parse_literals([*texts], parse_if_literal), strict=True)
    return {text: value for text, value in found if isinstance(value, list)}


def _pair_list(stated: Sequence[Any], score: Any) -> list[tuple[str, str]] | None:
    """Pair a list of labels with its scores; a label may also be an object with a label and a score."""
    labels = [*map(to_whole, stated)]
    kinds = {*map(type, labels)}
    try:
        scores = parse_literal(score) if isinstance(score, str) and score.startswith("[") else score
    except (ValueError, RecursionError):
        return None
    if isinstance(scores, str) and BETWEEN.search(scores):
        scores = [*map(str.strip, BETWEEN.split(scores))]
    if dict in kinds:
        if kinds != {dict} or not all(one.get("label") not in ("", None) for one in labels):
            return None
        return [(cell_text(one["label"]), _text(one.get("score"))) for one in labels]
    if not isinstance(scores, list):
        scores = [scores] * len(labels)
    if len(scores) != len(labels) or not kinds <= {str, int, bool} or "" in labels:
        return None
    names = labels if kinds == {str} else map(cell_text, labels)
    return [(one, _text(number)) for one, number in zip(names, scores, strict=True)]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _find_rejected(rows: _Rows, empty: NDArray[np.bool_], bad: BadRecords, *, any_number: bool) -> RecordError | None:
    """Reject rows whose score is not a number, and rows of tables without a label."""
    # A score outside of [0, 1] is rejected with them if bad records are skipped, and is nan from then on.
    skips, scores = bad.on_error == "skip", rows.scores
    beyond = np.zeros(len(scores), dtype=np.bool_) if any_number else ~empty & ((scores < 0) | (scores > 1))
    faulty = np.where(empty, rows.labelled, np.isnan(scores)) | beyond & skips
    for row in faulty.nonzero()[0].tolist():
        bad.add(_row_error(rows, row, empty=empty[row], beyond=beyond[row]))
    if skips:
        scores[beyond] = np.nan
    kept = [] if skips else beyond.nonzero()[0].tolist()
    return _row_error(rows, kept[0], empty=False, beyond=True) if kept else None


def _row_error(rows: _Rows, row: int, *, empty: bool, beyond: bool) -> RecordError:
    found, hint = repr(rows.instances[row] if empty else str(rows.score(row))[:60]), None
    if empty:
        message, expected = "The label is empty.", "text for the label"
    elif beyond:
        message, expected = "The score is not in [0, 1].", "a number in [0, 1]"
        hint = "another column: --score-column NAME; or allow any number: --scores any"
    else:
        message, expected, hint = "The score is not a number.", "a number", "leave scores out: --score-column none"
    return RecordError(message, line=rows.line(row), found=found, expected=expected, hint=hint)
