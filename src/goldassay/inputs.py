"""What may be given as a prediction or a gold standard, as the models of a family."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from os import PathLike, fspath
from os.path import exists, isdir, isfile, realpath
from pathlib import Path
from typing import Any, Self, TypeAlias, get_type_hints

import numpy as np

from goldassay.core.errors import (
    EmptyInputError,
    GoldassayError,
    InputError,
    UsageError,
    explain_errors,
    first_line,
    is_panic,
    name_file,
    path_of,
    require,
)
from goldassay.core.family import Family, Reading, SideOptions
from goldassay.core.intern import FEW, Names
from goldassay.core.lazy import LazyItems
from goldassay.core.model import Model, is_model, restate
from goldassay.core.parameters import note_reads
from goldassay.core.partial import empty_model
from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of, encodable
from goldassay.formats.known import MEMORY, SUFFIXES
from goldassay.formats.memory import (
    NOT_TEXTS,
    NUMBERED,
    OF_LABELS,
    columns_of,
    is_one,
    listed,
    looking,
    name_of,
    source_of,
    take_index,
    unreadable_error,
)
from goldassay.formats.records import pause_collector
from goldassay.formats.source import ADDRESS, Source, load, text_of

Input: TypeAlias = Any
"""A path, a model, a table (pandas, Polars, PyArrow, DuckDB), a graph (networkx, rdflib), or a list of tuples, dictionaries or texts."""
Reader: TypeAlias = Callable[[Reading[Any], Any, Any, str | None], Any]
"""What makes a model of something in memory."""
SHORT = 2**16
"""Bytes of records in memory that are kept as they were read."""
SHOWN = 60
BY_DOCUMENT = '; lists by document are a dictionary: {"d1": [...], "d2": [...]}'
ID_COLUMNS = ("id_column", "instance_column")
"""Options that say what the ids of rows are."""
LONGEST_NAME = 255
GOLD_NAME = pattern_of(r"(?<![a-z])(?:gold|reference|expected|truth)(?![a-z])", re.IGNORECASE)
WORD_WITH_SUFFIX = pattern_of(r"\S+\.\w{1,8}(?:#.*)?|\S*[/\\]\S*")
"""A word with a suffix, or with the separator of folders: a path, unless it is among texts."""
SUFFIX = "|".join(map(re.escape, (*SUFFIXES, ".json", ".xml", ".owl", ".graphml", ".gz", ".xlsx")))
FILE_NAME = pattern_of(rf".{{1,{LONGEST_NAME}}}(?:{SUFFIX})(?:\.gz)?(?:#.*)?", re.IGNORECASE)
"""A line that ends with the suffix of a format, also if it has blanks: a path, also among texts."""


class File(str):
    """A path that can only be a file, also if it looks like a text: what the command line is given.

    Attributes:
        called: The name that the file is given, if it is.
    """

    __slots__ = ("called",)
    called: str | None

    def __new__(cls, path: str, called: str | None = None) -> Self:
        """Build a path."""
        made = super().__new__(cls, path)
        made.called = called and encodable(called)
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, str | None]]:
        return type(self), (str(self), self.called)


def model_of(chosen: Family[Any], given: Input, options: Any, name: str | None = None) -> Any:
    """Make the model of an input."""
    with note_reads(), explain_errors(None, _of_panic):
        ids = any(getattr(options, name, None) for name in ID_COLUMNS)
        given, notes = take_index(given, chosen.reading.tuples, asked=ids)
        made = _model_of(chosen, given, options, name)
        return restate(made, **{of: (*getattr(made, of, ()), line) for of, line in notes.items()}) if notes else made


def _of_panic(error: BaseException) -> GoldassayError | None:
    """Explain what a library in Rust ends in, where it reads what no file has."""
    found = first_line(error)
    return InputError("This cannot be read as a table or a graph.", found=found) if is_panic(error) else None


def _model_of(chosen: Family[Any], given: Input, options: Any, name: str | None) -> Any:
    given = listed(given)
    if isinstance(given, str) and type(given) not in (str, File):
        given = given[:]  # a plain text: another type may write itself in another way
    if chosen.reading.from_columns and not options.names_columns:
        made = _of_rows(chosen.reading, given, options, name)
        if made is not None:
            return made
    if is_model(given):
        _check_family(chosen, given)
        return given if name is None else restate(given, path=name)
    if isinstance(given, PathLike) and not isinstance(given, Path | Source):
        given = path_of(given)
    written = type(given) is str and "\n" in given and not chosen.reading.texts and not _is_file(given)
    if isinstance(given, str | PathLike) and not written:
        _refuse_text(chosen, given)
        folder = chosen.reading.documents and holds_documents(given)
        found = _read_folder(chosen, given, options) if folder else chosen.reading.read(given, options)
        return found if name is None else restate(found, path=name)
    if _are_several(given):
        raise UsageError(
            "Several inputs are given where one is expected.",
            found=f"{len(given):,} lists of rows",
            hint="goldassay.evaluate takes several"
            + BY_DOCUMENT * any(names[0] == "id" for names in chosen.reading.tuples),
        )
    with pause_collector():
        return _read_object(chosen, given, options, name)


def holds_documents(given: str | PathLike[str]) -> bool:
    """Return whether a path is a folder that may have a file for each document: one of Parquet or of BRAT is read as a whole."""
    folder = isdir(given) and not fspath(given).rstrip("/").endswith(".parquet")
    return folder and not any(Path(given).glob("*.ann"))


def files_in(folder: str | PathLike[str]) -> list[Path]:
    """List the files of a folder, without hidden ones."""
    found = sorted(file for file in Path(folder).iterdir() if isfile(file) and file.name[0] != ".")
    if not found:
        raise InputError("The folder contains no file.", path=folder, expected="files of predictions")
    return found


def _read_folder(chosen: Family[Any], folder: str | PathLike[str], options: Any) -> Any:
    """Read the files of a folder as a batch of answers, whose ids are their names without suffixes."""
    files = files_in(folder)
    name, times = Counter(map(_document_of, files)).most_common(1)[0]
    if times > 1:
        found = ", ".join(file.name for file in files if _document_of(file) == name)
        raise InputError("Two files are of the same document.", path=folder, found=found, hint="leave one of them out")
    records = ({"id": _document_of(file), "output": _text_in(file)} for file in files)
    size = sum(file.stat().st_size for file in files)
    source = Source(path=fspath(folder), name=Path(folder).name.lower(), data=b"", size=size).of_records(records)
    made = chosen.reading.read(source, options)
    note = f"read as a folder of {count_of(len(files), 'file')}, each a document with the name of the file as its id"
    return restate(made, notes=(note, *made.notes))


def _document_of(file: Path) -> str:
    return file.name.removesuffix(".gz").rpartition(".")[0] or file.name


def _text_in(file: Path) -> str:
    """Return what a file has: nothing says that its document has nothing."""
    with suppress(EmptyInputError), name_file(file):
        return text_of(load(file))
    return ""


def are_documents(chosen: Family[Any], folder: str, gold: Sequence[Input], options: SideOptions) -> bool:
    """Return whether a folder has files that are named as documents of gold, and no whole predictions, which name several."""
    if not (chosen.reading.documents and gold and holds_documents(folder)):
        return False
    files = files_in(folder)
    with suppress(GoldassayError):
        ids = set(chain.from_iterable(model_of(chosen, one, options.gold).ids.tolist() for one in gold))
        named = [file for file in files if _document_of(file) in ids]
        others = [file for file in files if file not in named]
        return bool(named) and not any(_names_several(chosen, file, ids, options) for file in named[:1] + others[:1])
    return False


def _names_several(chosen: Family[Any], file: Path, ids: set[str], options: SideOptions) -> bool:
    with suppress(GoldassayError):
        return len(ids.intersection(model_of(chosen, File(str(file)), options.pred).ids.tolist())) > 1
    return False


@looking
def _are_several(given: Any) -> bool:
    """Return whether a list is one of lists of rows."""
    whole = isinstance(given, list | tuple) and bool(given)
    return whole and all(isinstance(one, list | tuple) and is_one(one) for one in given)


def _of_rows(reading: Reading[Any], given: Input, options: Any, name: str | None) -> Any:
    """Make the model of a list of tuples, if it is one that can be read column by column; a short one of texts is read once."""
    few = type(given) is list and len(given) <= FEW and {*map(type, given)} == {tuple}
    # 1 equals True.
    if few and not options.changed and {*map(type, chain.from_iterable(given))} == {str}:
        return _read_once(_read_rows, reading, tuple(given), options, name)
    return _read_rows(reading, given, options, name)


def _read_rows(reading: Reading[Any], rows: Input, options: Any, name: str | None) -> Any:
    columns = columns_of(rows, reading.tuples, name=name)
    return reading.from_columns(columns, options) if columns and reading.from_columns else None


@lru_cache(maxsize=32)
def _read_once(read: Reader, reading: Reading[Any], given: Hashable, options: Any, name: str | None) -> Any:
    """Read what is short and in memory, such as a gold standard of many calls: options that are not the default ones may name a file, which can change."""
    made = read(reading, given, options, name)
    for column in vars(made).values() if made is not None else ():
        # Several callers have this model.
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
    return made


def _read_object(chosen: Family[Any], given: Input, options: Any, name: str | None) -> Any:
    """Read what is no file; its records are gone before the garbage collector looks through what there is."""
    source = source_of(given, chosen.reading.tuples, name=name or ("text" if isinstance(given, str) else None))
    if type(given) is list and source.frame is None and source.size <= SHORT and not options.changed:
        return _read_once(_read_source, chosen.reading, source, options, name)
    return _read_source(chosen.reading, source, options, name)


def _read_source(reading: Reading[Any], source: Source, options: Any, name: str | None) -> Any:
    kept = {} if source.frame is None else {"format": MEMORY}
    return restate(reading.read(source, options), path=name, **kept)


def prediction_of(
    chosen: Family[Any],
    given: Input,
    options: Any,
    gold: Any,
    name: str | None = None,
    *,
    read: Callable[[Input, Any, str | None], Any] | None = None,
) -> Any:
    """Make the model of a prediction, by a reader of another place if one is given: one without any item is an empty model, which scores 0."""
    if name is not None:
        _refuse_root(name, given, gold)
    if isinstance(given, str | PathLike) and chosen.reading.documents and holds_documents(given):
        _refuse_other_folder(given, gold)
    try:
        return read(given, options, name) if read else model_of(chosen, given, options, name)
    except EmptyInputError as error:
        path, found = name_of(given), error.model
        if found is None:
            if chosen.trust.restriction is None or not error.is_about(
                path if name is None or isinstance(given, str | PathLike) else name
            ):
                raise
            found = (
                gold.make_empty(name or path)
                if isinstance(gold, LazyItems)
                else empty_model(chosen.trust.restriction, gold)
            )
        return restate(found, path=name or path)


def _refuse_other_folder(folder: str | PathLike[str], gold: Any) -> None:
    """Refuse a folder none of whose files is named as a document of gold: they may be predictions each."""
    files, ids = files_in(folder), gold.ids.tolist() if _are_texts_of(getattr(gold, "ids", None)) else []
    if ids and {*map(_document_of, files)}.isdisjoint(ids):
        raise InputError(
            "No file of the folder has the name of a document of the gold standard.",
            path=folder,
            found=", ".join(file.name for file in files)[:SHOWN],
            expected=f"a file for each document, such as {ids[0]}.txt",
            hint="give the files of several predictions as a list",
        )


def _is_file(given: str) -> bool:
    """Return whether a string is the path of a file, or ends as one does."""
    # Path.exists raises an error for a text that is longer than names of files may be.
    return bool(FILE_NAME.fullmatch(given)) or exists(given)


def _refuse_text(chosen: Family[Any], given: str | PathLike[str]) -> None:
    """Refuse a text that is given as a path, with what reads it."""
    labels = OF_LABELS in chosen.reading.tuples
    if isinstance(given, PathLike | File) or _is_file(given) or ADDRESS.match(given):
        return
    if WORD_WITH_SUFFIX.fullmatch(given) and not labels:
        return
    hint = f'a list of texts is read by goldassay.read([...], kind="{chosen.kind}"); the folder is {Path.cwd()}'
    if chosen.reading.texts:
        hint = f"write a text in a list: [{given[:SHOWN]!r}]"
    elif given.lstrip().startswith(("[", "{")):
        hint = "json.loads(...) makes lists and dictionaries of JSON, which are read"
    raise InputError("File not found.", found=given[:SHOWN], hint=hint)


def _check_family(chosen: Family[Any], given: Model) -> None:
    made = made_with(chosen.reading.read)
    if isinstance(made, type) and not isinstance(given, made):
        raise UsageError(
            f"This input is not of the kind {chosen.kind}.",
            found=type(given).__name__,
            expected=made.__name__,
            hint=f'give both sides in one kind, as from goldassay.read(PATH, kind="{chosen.kind}")',
        )


@lru_cache
def made_with(read: Callable[..., Any]) -> Any:
    """Return the type that a reader makes; object if it does not say."""
    # A reader from elsewhere may not say what it makes, or by a name that is only for type checkers.
    with suppress(NameError, TypeError):
        return get_type_hints(read).get("return", object)
    return object


@looking
def inputs(chosen: Family[Any], given: Input | Sequence[Input]) -> list[Input]:
    """List one input or several."""
    rows, _ = take_index(given)
    if _is_single(chosen, rows):
        return [given]
    if not rows:
        raise UsageError("No prediction is given.")
    return list(rows)


def _are_texts(given: Sequence[Input], *, labels: bool) -> bool:
    """Return whether a list has texts and not paths: strings, of which some may be absent (None, NaN), unless all look like paths, and none is there twice; labels may be numbers."""
    texts = [one for one in given if isinstance(one, str)]
    others = [one for one in given if not isinstance(one, str)]
    absent = NOT_TEXTS if labels else (float, type(None))
    if any(isinstance(one, File) for one in texts) or not all(isinstance(one, absent) for one in others):
        return False
    file = next(filter(_is_file, texts), None)
    repeated = labels and file is None and len({*given}) < len(given)
    if not texts:
        return labels and bool(others)
    if not repeated and all(_is_file(one) or WORD_WITH_SUFFIX.fullmatch(one) for one in texts):
        return False
    if file is not None:
        text = next(one for one in texts if not _is_file(one))
        raise InputError(
            "Some strings of this list are paths, and others are texts.",
            found=f"{file[:SHOWN]!r} and {text[:SHOWN]!r}",
            expected="only paths, or only texts",
            hint="pathlib.Path(...) is always a file, and {'id': ..., 'text': ...} always a text",
        )
    return True


@looking
def name_inputs(
    chosen: Family[Any], given: Input | Sequence[Input] | Mapping[str, Any]
) -> list[tuple[str | None, Input]]:
    """List inputs with the names that they are given, if they are; several without any are numbered."""
    given = listed(given)
    if not isinstance(given, Mapping):
        several = inputs(chosen, given)
        return [
            (_name_given(one) if len(several) == 1 or _has_name(one) else f"prediction {number}", one)
            for number, one in enumerate(several, start=1)
        ]
    if not given:
        raise UsageError("No prediction is given.")
    if isinstance(given, AbstractSet):
        # The edges of a graph of networkx are a mapping, too.
        raise unreadable_error(given)
    found: list[tuple[str | None, Input]] = []
    _refuse_parts(chosen, given)
    for name, value in given.items():
        if _is_single(chosen, value):
            found.append((encodable(str(name)), value))
            continue
        # The files of a system are named by their own names.
        runs = enumerate(inputs(chosen, value), start=1)
        found += [(None if _has_name(one) else f"{encodable(str(name))} {number}", one) for number, one in runs]
    return found


def _refuse_parts(chosen: Family[Any], given: Mapping[str, Any]) -> None:
    """Refuse a dictionary of pairs of names, of columns, or of parts of a graph, of which each value would be a prediction."""
    columns = _names_columns(chosen, given) and all(isinstance(one, Mapping) for one in given.values())
    labels = OF_LABELS in chosen.reading.tuples
    for name, value in given.items():
        several = isinstance(value, list | tuple | set | frozenset)
        first = next(iter(value), None) if several else value
        is_part = columns or value is None or isinstance(value, int | float) or _is_named_row(chosen, value)
        # Lists of labels by instance, or by prediction.
        unsure = labels and several and value and (isinstance(first, NOT_TEXTS) or _are_texts([*value], labels=True))
        if is_part or unsure or (type(first) is str and _is_name(chosen, first)):
            raise InputError(
                "This is not a prediction." if is_part or unsure else "File not found.",
                found=f"{str(name)[:SHOWN]!r}: {repr(value) if is_part else str(first):.{SHOWN}}",
                expected="the file, the table or the graph of a prediction behind each name",
                hint='if this is one prediction, name it: {"mine": {...}}'
                + f'; a list of texts is read by goldassay.read([...], kind="{chosen.kind}")' * several,
            )


def _names_columns(chosen: Family[Any], given: Mapping[Any, Any]) -> bool:
    names = {*map(str, given)}
    return any(names >= {*some} for some in chosen.reading.tuples) or chosen.reading.claims("", [*names])


def _is_named_row(chosen: Family[Any], value: Any) -> bool:
    """Return whether a value is a row by the names of its columns, of which a dictionary is a table by its rows."""
    whole = isinstance(value, dict) and all(one is None or isinstance(one, str | int | float) for one in value.values())
    return whole and _names_columns(chosen, value)


def _is_name(chosen: Family[Any], first: str) -> bool:
    if "\n" in first or chosen.reading.texts or _is_file(first):
        return False
    return "://" in first or not WORD_WITH_SUFFIX.fullmatch(first)


def _refuse_root(name: str, given: Input, gold: Any) -> None:
    """Refuse a tree, or lists by document, as several predictions: gold shows that the first name is a root, or a document."""
    of_documents = isinstance(given, list) and hasattr(gold, "starts")
    columns = vars(gold).values() if isinstance(given, dict) else [gold.ids] if of_documents else []
    if any(name in column.tolist() for column in columns if _are_texts_of(column)):
        raise InputError(
            "The names of predictions are names of the gold standard.",
            found=f"{{{name[:SHOWN]!r}: {{...}}}}",
            expected="a dictionary of predictions by name",
            hint='if this is one prediction, name it: {"mine": {...}}',
        )


def _are_texts_of(column: Any) -> bool:
    return isinstance(column, Names) or (isinstance(column, np.ndarray) and column.dtype.kind == "T")


def _name_given(given: Input) -> str | None:
    # A table may have a column of any name.
    return given.called if isinstance(given, File) else None


def _has_name(given: Input) -> bool:
    return isinstance(given, str | PathLike) or (is_model(given) and given.path is not None)


@looking
def systems(chosen: Family[Any], given: Input | Sequence[Input] | Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the places of the repeated runs of each system among all inputs."""
    if not isinstance(given, Mapping) or all(_is_single(chosen, value) for value in given.values()):
        return {}
    require("scipy", extra="scipy", purpose="compute confidence intervals over several runs")
    places: dict[str, list[int]] = {}
    start = 0
    for name, value in given.items():
        if isinstance(value, Sized) and not len(value):
            raise UsageError(f"The system {name!r} has no run.")
        count = len(inputs(chosen, value))
        places[encodable(str(name))] = list(range(start, start + count))
        start += count
    return places


def _is_single(chosen: Family[Any], given: Input | Sequence[Input]) -> bool:
    return (
        isinstance(given, str | PathLike)
        or is_one(given)
        or is_model(given)
        or (
            not NUMBERED.isdisjoint(chosen.reading.tuples)
            and _are_texts(given, labels=OF_LABELS in chosen.reading.tuples)
        )
    )


def is_same_file(path: str | None, others: Iterable[str | None]) -> bool:
    """Return whether one of some files is this file."""
    return path is not None and realpath(path) in [realpath(other) for other in others if other is not None]


def warn_of_swapped(pred: str | None, gold_standards: Sequence[str | None]) -> str | None:
    """Return the warning that prediction and gold seem to be swapped, by the names of their files, or None."""
    if (
        pred is None
        or not GOLD_NAME.search(Path(pred).stem)
        or any(GOLD_NAME.search(Path(one or "").stem) for one in gold_standards)
    ):
        return None
    if gold_standards[0] is None:
        return f"{pred} is scored against gold in memory; by its name it is gold itself"
    return f"{pred} is scored against {gold_standards[0]}; by their names gold and prediction are swapped"
