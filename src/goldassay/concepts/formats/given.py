"""Cells to ids, texts and concepts: many at once, each distinct concept read once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat
from operator import itemgetter
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.formats.spans import OF_TOOLS, concept_of
from goldassay.concepts.formats.trees import paths_of
from goldassay.concepts.model import NOWHERE, RawConcepts
from goldassay.concepts.texts.assertions import AFFIRMED, CATEGORIES
from goldassay.concepts.texts.fold import fold_words, pieces_of
from goldassay.core.errors import RecordError
from goldassay.core.intern import Names, Numbering, Places, Texts, as_names, number_columns
from goldassay.core.libraries import msgspec, pl
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS
from goldassay.formats.delimited import WHITE
from goldassay.formats.json_tables import rows_of_lists
from goldassay.formats.literals import BRACKETS, BREAK, names_in_cell, parse_literal, parse_literals

NAMES = (
    "text", "name", "pretty_name", "label_text", "concept", "term", "object_label", "match_string", "source_value", "mention", "entry_name",
)  # fmt: skip
NAMED_LAST = ("entity", "phrase", "keyword", "keyphrase")
"""Members that name a concept where no other does: annotators write its class into some."""
KINDS = ("type_ids", "tui", "tuis", "semantic_type", "semantic_types", "type", "types", "group", "semantic_group")
IDS = ("cui", "curie", "kb_id", "kb_id_", "concept_id", "object_id", "identifier", "Identifier", "id", "code")
"""Members with the id of a concept: ``id`` itself comes late, since annotators number their annotations by it."""
STARTS = ("start", "start_char", "begin", "subject_start")
ENDS = ("end", "end_char", "stop", "subject_end")
GIVING = ("assertion", "assertions", "negated", "meta_anns")
ASSERTING = frozenset({*GIVING, *CATEGORIES})
PLACES = frozenset({*STARTS, *ENDS, "span", "spans"})
MARKED = rf"^(?:[{re.escape(WHITE)};|]|{BREAK.pattern})*(?:[{BULLETS}]|\d{{1,3}}[.)])[ \t]"
"""How a cell begins that may have bullets or numbers."""
FIRST = pattern_of(r"^1[.)][ \t]+(?=\S)")
"""A number before one name is a part of it, unless it is the first."""
NO_CONCEPT = pattern_of(r"(?i)^[\s|]*(?:none|null|nan|n/a)[\s|]*$")
"""A cell without a concept."""
NO_ID = frozenset(
    {
        "-", "--", "-1", "?", "o", "nil", "none", "null", "nan", "na", "n/a", "unk", "unknown", "cui-less", "cuiless", "concept-less",
        "no_id", "noid", "nomatch", "no_match",
    }
)  # fmt: skip
"""What is written where a concept has no id, in lower case."""
NUMBERING = pattern_of(r"(?i:(T|(?:ent|entity|ann|annotation|span|mention)[-_ ]?)?0*)([01])")
"""The number of the first annotation of a document: T is what BRAT writes."""
DESCRIBING = (*NAMES, *NAMED_LAST, "label", *IDS, "key", "value", *KINDS, *sorted(ASSERTING), "matches")
"""Members of an object that are read, without its places."""
LARGEST = 2**62
NAMELESS = "among them a concept without a text"
SPACE = ord(" ")
"""Tidy texts have no two blanks in a row, and nothing below this."""
ODD_BLANKS = pattern_of(r"[^\S\x00-\x7f]")
Faults: TypeAlias = dict[int, str]
"""What is wrong, by the place of the cell, the document or the concept."""
Numbers: TypeAlias = NDArray[np.int64]
Value = TypeVar("Value")


def id_of(cell: Any) -> str:
    """Read the id of a document."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, bool) or not isinstance(cell, str | int) or not str(cell).strip():
        raise ValueError(_show_value(cell))
    return unicodedata.normalize("NFC", str(cell).strip())


def ids_of(cells: Sequence[Any]) -> tuple[list[str], Faults]:
    """Read the ids of documents, as `id_of` does."""
    if set(map(type, cells)) == {str} and all(found := [cell.strip() for cell in cells]):
        return compose_texts(found), {}
    return _parse_each(id_of, cells, "")


def texts_of(cells: Sequence[Any]) -> tuple[list[str], Faults]:
    """Read texts, in composed characters; an empty text is an empty answer."""
    faults = {at: _show_value(cell) for at, cell in enumerate(cells) if not isinstance(cell, str)}
    return compose_texts(
        ["" if at in faults else cell for at, cell in enumerate(cells)] if faults else list(cells)
    ), faults


def lists_of(cells: Sequence[Any], *, most: int) -> tuple[list[list[Any]], Faults]:
    """Read lists of concepts; MedCAT has them by number."""

    def list_of(cell: Any) -> list[Any]:
        found = cell if type(cell) is list else _list_of(cell)
        if len(found) > most:
            raise ValueError(f"{len(found):,} concepts, more than {most:,}")
        return found

    if set(map(type, cells)) == {list} and max(map(len, cells)) <= most:
        return list(cells), {}
    return _parse_each(list_of, cells, [])


def paths_of_each(cells: Sequence[Any], separator: str) -> tuple[list[list[str]], Faults]:
    """Read trees: their paths are the concepts."""

    def paths(cell: Any) -> list[str]:
        if not isinstance(cell, str | list | tuple | Mapping):
            raise TypeError(_show_value(cell))
        return paths_of(cell, separator)

    return _parse_each(paths, cells, [])


def _parse_each(read: Callable[[Any], Value], cells: Sequence[Any], none: Value) -> tuple[list[Value], Faults]:
    """Read cells one by one; a fault has `none` in its place."""
    found: list[Value] = []
    faults: Faults = {}
    for at, cell in enumerate(cells):
        try:
            found.append(read(cell))
        except (ValueError, TypeError) as error:
            faults[at] = str(error)
            found.append(none)
    return found, faults


def _list_of(cell: Any) -> list[Any]:
    if isinstance(cell, Mapping):
        entities = cell.get("entities", cell)
        if isinstance(entities, Mapping):
            rows = rows_of_lists(entities)
            cell = list(entities.values()) if rows is None else rows
    if not isinstance(cell, list | tuple):
        raise TypeError(_show_value(cell))
    return list(cell)


def parse_lists(cells: Sequence[Any]) -> tuple[list[Any], Faults]:
    """Parse the texts of lists in cells of a table: JSON, lists and sets of Python, or separated by ``|``, ``;``, ``<br>`` or a line break."""
    # Anything else stays as it is.
    written = [at for at, cell in enumerate(cells) if isinstance(cell, str) and cell.lstrip().startswith("[")]
    texts = cells if len(written) == len(cells) else [cells[at] for at in written]
    try:
        parsed, faults = parse_literals(texts), Faults()
    except (ValueError, TypeError):
        parsed, faults = _parse_each(_list_written, texts, [])
    values = dict(zip(written, parsed, strict=True))
    found = [
        values[at] if at in values else _parts(cell) if isinstance(cell, str) else cell for at, cell in enumerate(cells)
    ]
    return found, {written[at]: fault for at, fault in faults.items()}


def _list_written(text: str) -> Any:
    """Parse a list of JSON or of Python, or an array of NumPy, which has no commas."""
    try:
        return parse_literal(text)
    except ValueError:
        if (names := names_in_cell(text, plural=False)) is None:
            raise
        return names


def _parts(cell: str) -> list[str]:
    """List the names in a cell, which may be one or none."""
    names = names_in_cell(cell, plural=True)
    names = list(filter(None, [FIRST.sub("", cell.strip())])) if names is None else names
    return [] if NO_CONCEPT.match("|".join(names)) else names


def list_cells(cells: Any) -> list[Any]:
    """Return a column as a list."""
    return cells if isinstance(cells, list) else cells.to_list()


def texts_in(cells: pl.Series) -> tuple[Numbers, pl.Series] | None:
    """Flatten the lists of texts in a column: their sizes, and all texts; None if it has anything else."""
    if cells.null_count():
        return None
    if cells.dtype == pl.List(pl.String):
        every = cells.explode().drop_nulls()
        sizes = cells.list.len()
        return None if sizes.sum() > len(every) else (sizes.to_numpy().astype(np.int64), every)
    if cells.dtype != pl.String or cells.str.strip_chars_start(WHITE).str.contains(BRACKETS.pattern).any():
        return None
    if (marked := cells.str.contains(MARKED)).any():
        lists = ["|".join(_parts(cell)) for cell in cells.filter(marked)]
        cells = cells.scatter(marked.arg_true(), pl.Series(lists, dtype=pl.String))
    cells = cells.str.replace_all(r"[;\n\r]", "|")
    if cells.str.contains("<", literal=True).any():
        cells = cells.str.replace_all(BREAK.pattern, "|")
    if (none := cells.str.contains(NO_CONCEPT.pattern)).any():
        cells = cells.set(none, "")
    parts = cells.str.split("|")
    every = parts.explode().str.strip_chars(WHITE)
    named = (every != "").to_numpy()
    owners = np.repeat(np.arange(len(cells)), parts.list.len().to_numpy())
    return np.bincount(owners[named], minlength=len(cells)), every.filter(pl.Series(named))


@dataclass(eq=False)
class _Objects:
    """Concepts that are objects: each distinct one is read once."""

    named: set[str] = field(default_factory=set)
    """The members that some of them have, and that are read."""
    _known: Numbering = field(default_factory=Numbering)
    _numbers: list[Places] = field(default_factory=list)

    def add(self, flat: Sequence[Any], named: set[str], *, others: bool) -> None:
        """Take some, which perhaps have other members than those that are named; anything but an object becomes a text that says what is wrong with it."""
        read = named.intersection(DESCRIBING)
        if {*map(type, flat)} != {dict}:
            flat = [one if type(one) is dict else describe_place(one) for one in flat]
        self.named |= read
        self._numbers.append(self._known.codes(_write(flat, sorted(read) if others or read < named else None)))

    def __len__(self) -> int:
        return len(self._known)

    def words(self, *, fold: bool) -> tuple[list[Names], Numbers, Faults]:
        """Return the distinct objects as the columns of a `Word`, the row of each object, and what is wrong by row."""
        read = _Distinct(list(map(_read, self._known)), self.named)
        keys, names, *others = read.words(fold=fold)
        words = [Names(keys), Names(names), *(Names(column if any(column) else ()) for column in others)]
        return words, np.concatenate(self._numbers, dtype=np.int64), read.faults


def _write(objects: Sequence[Any], names: Collection[str] | None) -> list[bytes]:
    """Write some members of objects, or all, as JSON, in which true differs from 1, and 1.0 too; a text stays one."""
    if names is not None:
        try:
            # Names next to cells take a quarter of the time of an object for each.
            objects = list(zip(repeat([*names]), map(itemgetter(*names, *names), objects), strict=False))
        except (KeyError, TypeError):
            objects = [
                one if type(one) is str else {name: one[name] for name in names if name in one} for one in objects
            ]
    try:
        # A value of a type that JSON does not have becomes a text.
        return msgspec.json.Encoder(enc_hook=repr).encode_lines(objects).split(b"\n")[:-1]
    except RecursionError:
        if len(objects) > 1:
            return [line for one in objects for line in _write([one], None)]
        return [b'"among them a concept that is nested too deeply"']


def _read(written: bytes) -> Any:
    """Read what `_write` wrote."""
    one = msgspec.json.decode(written)
    return dict(zip(*one, strict=False)) if type(one) is list else one


class _Distinct:
    """Distinct objects, read column by column; the texts among them say what is wrong."""

    def __init__(self, written: Sequence[Any], named: set[str]) -> None:
        self.faults: Faults = {at: one for at, one in enumerate(written) if type(one) is str}
        self.objects: list[Mapping[str, Any]] = [{} if type(one) is str else one for one in written]
        self.named, self.read = named, self.objects
        if "matches" in named:
            self.named, self.read = named | {"text", "id"}, list(map(_keep_best_match, self.objects))

    def words(self, *, fold: bool) -> list[list[str]]:
        """Read all of them: the columns of a `Word`."""
        ids, values, labels = self._texts(IDS), self._texts(("value",)), self._texts(("label",))
        named = _fill_cells(self._texts(NAMES), self._texts(NAMED_LAST), labels, ids)
        names = tidy(_fill_cells(named, values))
        # A value that is the name is none besides.
        values = [value if name else "" for name, value in zip(named, values, strict=True)]
        keys = _fill_cells(ids, self._texts(("key",)), list(map(_fold_key, names)) if fold else names)
        assertions, kinds = (
            self._combine(ASSERTING, _assertion_of),
            self._combine(KINDS, partial(_parse_list, names=KINDS)),
        )
        self.faults = {at: NAMELESS for at, name in enumerate(names) if not name} | self.faults
        return [keys, names, ids, assertions, values, kinds]

    def _texts(self, names: Sequence[str]) -> list[str]:
        """Read the first of some members that is not empty, as a text."""
        present: list[list[Any]] = [[one.get(name) for one in self.read] for name in names if name in self.named]
        if not present:
            return [""] * len(self.read)
        if names is IDS:
            present = [["" if str(cell).strip().lower() in NO_ID else cell for cell in cells] for cells in present]
        if len(present) == 1 and {*map(type, present[0])} == {str}:
            return compose_texts(list(map(str.strip, present[0])))
        first = [next((cell for cell in cells if cell not in (None, "")), "") for cells in zip(*present, strict=True)]
        texts, faults = _parse_each(_text_of, first, "")
        self.faults = {at: self._describe(at) for at in faults} | self.faults
        return compose_texts(texts)

    def _describe(self, at: int) -> str:
        one = self.objects[at]
        return describe_place({name: one[name] for name in DESCRIBING if name in one})

    def _combine(self, names: Collection[str], read: Callable[[Mapping[str, Any]], str]) -> list[str]:
        """Read some members together: each combination once."""
        present = self.named.intersection(names)
        if not present:
            return [""] * len(self.objects)
        known = Numbering()
        codes = known.number(_write(self.objects, present))
        found, faults = _parse_each(lambda one: read(_read(one)), list(known), "")
        wrong = (at for at, code in enumerate(codes) if code in faults) if faults else ()
        self.faults = {at: self._describe(at) for at in wrong} | self.faults
        return [found[code] for code in codes]


def _fill_cells(*columns: list[str]) -> list[str]:
    """Take the first text of each row that is not empty."""
    return columns[0] if all(columns[0]) else [next(filter(None, texts), "") for texts in zip(*columns, strict=True)]


def _text_of(cell: Any) -> str:
    if isinstance(cell, bool) or not isinstance(cell, str | int):
        raise TypeError
    return str(cell).strip()


@dataclass(eq=False)
class Given:
    """Concepts of documents as they are written, piece by piece; each distinct one is read once, when all are known."""

    _sizes: list[Numbers] = field(default_factory=list)
    _spans: list[Numbers | None] = field(default_factory=list)
    _texts: Texts = field(default_factory=Texts)
    _objects: _Objects = field(default_factory=_Objects)
    _is_object: list[NDArray[np.bool_]] = field(default_factory=list)
    numbering: set[str] | None = None
    """The members that number the concepts, as the first documents have them."""

    def add(self, lists: Sequence[list[Any]], texts: Sequence[str] = ()) -> Faults:
        """Take the concepts of documents: texts, or objects with a text, an id, an assertion and a value, none of which is needed."""
        flat = list(chain.from_iterable(lists))
        sizes = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
        types = set(map(type, flat))
        if types <= {str}:
            self._add(flat, sizes)
            return {}
        named, wrong, owners = _members_of(flat), Faults(), np.repeat(np.arange(len(sizes)), sizes)
        if list in types or not OF_TOOLS.isdisjoint(named):
            flat, wrong = _parse_each(concept_of, flat, {})
            types, named = set(map(type, flat)), _members_of(flat)
        faults = {int(owners[at]): fault for at, fault in reversed(wrong.items())}
        if self.numbering is None:
            self.numbering = {name for name in IDS if name in named and _numbers(name, flat, sizes)}
        named -= self.numbering
        if PLACES.isdisjoint(named):
            self._add_objects(flat, sizes, named, types)
            return faults
        counts, spans, wrong = _spans_of(flat, named)
        if not (types == {dict} and _are_named(flat, named)):
            first = spans[np.cumsum(counts) - counts].tolist()
            flat = [
                _name_by_text(one, texts[owner] if texts else "", *span)
                for one, owner, span in zip(flat, owners.tolist(), first, strict=True)
            ]
            named.add("text")
        sizes = np.bincount(owners, weights=counts, minlength=len(sizes)).astype(np.int64)
        flat = flat if (counts == 1).all() else list(chain.from_iterable(map(repeat, flat, counts.tolist())))
        self._add_objects(flat, sizes, named, types, spans)
        return {int(owners[at]): fault for at, fault in reversed(wrong.items())} | faults

    def add_cells(self, cells: Any, texts: Sequence[str], *, most: int, written: bool) -> Faults:
        """Take cells with concepts: lists of a record, or a column in which lists may be written as text, as in tables."""
        if not isinstance(cells, list) and (found := texts_in(cells)) is not None:
            sizes, every = found
            if sizes.max(initial=0) <= most:
                self._add(every, sizes)
                return {}
        parsed, faults = parse_lists(list_cells(cells)) if written else (cells, Faults())
        lists, more = lists_of(parsed, most=most)
        return self.add(lists, texts) | more | faults

    def stated(self, *, fold: bool) -> tuple[RawConcepts, Faults]:
        """Read each distinct concept, and return what is wrong with the first faulty one of each document."""
        codes: NDArray[np.integer[Any]]
        distinct, (codes,) = number_columns(as_names(self._texts.all()))
        words, wrong = _words(as_names(distinct), fold=fold)
        spans = None
        if len(self._objects):
            is_object = np.concatenate(self._is_object)
            more, rows, faults = self._objects.words(fold=fold)
            every = np.zeros(len(is_object), dtype=np.int64)
            every[~is_object] = codes
            every[is_object] = len(words[0]) + rows
            wrong |= {len(words[0]) + at: fault for at, fault in faults.items()}
            words, codes = list(map(_join_columns, words, more, repeat((len(words[0]), len(more[0]))))), every
        sizes = np.concatenate([np.zeros(0, dtype=np.int64), *self._sizes])
        if any(some is not None for some in self._spans):
            nowhere = (np.full((size.sum(), 2), NOWHERE) for size in self._sizes)
            spans = np.concatenate(
                [none if some is None else some for some, none in zip(self._spans, nowhere, strict=True)]
            )
        stated = RawConcepts(sizes, codes, words, spans)
        if not wrong:
            return stated, {}
        faulty = np.flatnonzero(np.isin(codes, list(wrong)))[::-1]
        owners = stated.owners[faulty].tolist()
        return stated, {owner: wrong[code] for owner, code in zip(owners, codes[faulty].tolist(), strict=True)}

    def _add(self, texts: list[str] | pl.Series, sizes: Numbers) -> None:
        self._sizes.append(sizes)
        self._spans.append(None)
        self._is_object.append(np.zeros(len(texts), dtype=np.bool_))
        if isinstance(texts, list):
            self._texts.extend(texts)
        else:
            self._texts.add_column(texts)

    def _add_objects(
        self, flat: list[Any], sizes: Numbers, named: set[str], kinds: set[type], spans: Numbers | None = None
    ) -> None:
        self._sizes.append(sizes)
        self._spans.append(spans)
        is_object = np.ones(len(flat), dtype=np.bool_)
        if str in kinds:
            is_object = np.array([type(one) is not str for one in flat], dtype=np.bool_)
            self._texts.extend(one for one in flat if type(one) is str)
            flat = [one for one in flat if type(one) is not str]
        self._is_object.append(is_object)
        self._objects.add(flat, named, others=bool(self.numbering))


def _join_columns(texts: Names, objects: Names, sizes: tuple[int, int]) -> Names:
    """Fill the empty cells of a column of texts from a column of objects."""
    columns = [
        column.listed if len(column) else [""] * size for column, size in zip((texts, objects), sizes, strict=True)
    ]
    return Names([*columns[0], *columns[1]] if len(texts) or len(objects) else ())


def _words(written: Names, *, fold: bool) -> tuple[list[Names], Faults]:
    """Read distinct texts as the columns of a `Word`, and what is wrong with those that cannot be read."""
    tidied = tidy(written.listed)
    names = written if tidied is written.listed else Names(tidied)
    keys = Names(list(map(_fold_key, tidied))) if fold else names
    # Several texts are blank: each is written in its own way.
    blank = {} if all(tidied) else {at: NAMELESS for at, name in enumerate(tidied) if not name}
    return [keys, names, *[Names(())] * 4], blank


def _fold_key(name: str) -> str:
    return fold_words(pieces_of(name)) or name


def key_of(text: str, *, fold: bool) -> str:
    """Return what a concept that is a text is compared as, as `Given` has it."""
    [name] = tidy([text])
    if not name:
        raise ValueError(NAMELESS)
    return _fold_key(name) if fold else name


def _members_of(flat: Sequence[Any]) -> set[str]:
    """List the members that some of the objects have."""
    return set[str]().union(*(one for one in flat if type(one) is dict))


def _are_named(flat: Sequence[Any], named: set[str]) -> bool:
    """Return whether some member names all concepts."""
    return any(all(map(dict.get, flat, repeat(name))) for name in NAMES if name in named)


def _numbers(name: str, flat: Sequence[Any], sizes: Numbers) -> bool:
    """Return whether a member numbers the concepts with names, in each document or in all."""
    first = flat[0].get(name) if flat and type(flat[0]) is dict else None
    found = NUMBERING.fullmatch(str(first)) if type(first) in (str, int) else None
    if not found or not all(
        type(one) is dict and not {*one}.isdisjoint({*NAMES, *NAMED_LAST, "label"}) for one in flat
    ):
        return False
    begin, given = int(found[2]), [str(one.get(name)).strip() for one in flat]
    prefix = str(first).removesuffix(found[2])
    numbers = [int(one.removeprefix(prefix)) if one.removeprefix(prefix).isdecimal() else -1 for one in given]
    restarting = np.arange(len(flat)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + begin
    return numbers in (restarting.tolist(), list(range(begin, begin + len(flat))))


def _name_by_text(one: Any, text: str, start: int, end: int) -> Any:
    """Name a concept without a name by the text at its place; the label of a place is its class, and no name."""
    if type(one) is not dict or start == NOWHERE or _first_member(one, NAMES) or (text and not text[start:end]):
        return one
    best = _keep_best_match(one)
    if _first_member(best, NAMES):
        return best
    # A number next to a label is that of the annotation.
    numbered = {"id": None} if "label" in best and type(best.get("id")) is int else {}
    classed = {} if any(name in best for name in ("label", *KINDS)) else {"entity": None}
    return {**best, "label": None, "text": text[start:end], **numbered, **classed}


def _spans_of(flat: Sequence[Any], named: set[str]) -> tuple[Numbers, Numbers, Faults]:
    """Read how many places each concept has, and all places."""
    starts, ends = ([name for name in names if name in named] for names in (STARTS, ENDS))
    if (len(starts), len(ends)) == (1, 1) and named.isdisjoint({"span", "spans"}) and set(map(type, flat)) == {dict}:
        sides: list[list[Any]] = [list(map(dict.get, flat, repeat(name))) for name in (*starts, *ends)]
        if {*map(type, sides[0]), *map(type, sides[1])} == {int} and max(sides[1]) <= LARGEST and min(sides[0]) >= 0:
            spans = np.array(sides, dtype=np.int64).T
            if (spans[:, 0] < spans[:, 1]).all():
                return np.ones(len(flat), dtype=np.int64), spans, {}
    found, faults = _parse_each(_places, flat, [(NOWHERE, NOWHERE)])
    counts = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    return counts, np.array(list(chain.from_iterable(found)), dtype=np.int64).reshape(-1, 2), faults


def _places(one: Any) -> list[tuple[int, int]]:
    """Read the places of a concept: a list of begins and ends, or one of each; nowhere if neither is given."""
    if type(one) is not dict:
        return [(NOWHERE, NOWHERE)]
    spans = one.get("spans") or ([one["span"]] if one.get("span") else None)
    if spans is None:
        start, end = (
            next((one[name] for name in names if one.get(name) is not None), None) for names in (STARTS, ENDS)
        )
        spans = [] if start is None and end is None else [(start, end)]
    for span in spans:
        if (
            not isinstance(span, list | tuple)
            or [type(place) for place in span] != [int, int]
            or not 0 <= span[0] < span[1] <= LARGEST
        ):
            raise ValueError(f"the place {span!r:.60} of {_show_value(one)}")
    return [(span[0], span[1]) for span in spans] or [(NOWHERE, NOWHERE)]


def _keep_best_match(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read a text with its matches, of which Gilda puts the best first; anything else stays as it is."""
    matches = one.get("matches")
    if not isinstance(matches, list):
        return one
    term = matches[0].get("term", {}) if matches and isinstance(matches[0], Mapping) else {}
    identifier = f"{term['db']}:{term['id']}" if {"db", "id"} <= {*term} else ""
    return {**one, "text": term.get("entry_name") or one.get("text"), "id": identifier}


def _assertion_of(one: Mapping[str, Any]) -> str:
    """Read the assertion of a concept: a text, a list of texts, or ``true`` under its name."""
    if ASSERTING.isdisjoint(one):
        return ""
    found = {*_parse_list(one, ("assertion", "assertions")).lower().split(",")}
    found |= {name for name in CATEGORIES if one.get(name) is True}
    found |= {*_meta(one)}
    found -= {"", AFFIRMED, "affirmed"}
    return ",".join(sorted(found)) or (AFFIRMED if any(name in one for name in GIVING) else "")


META: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "negation": {"yes": "negated"},
        "presence": {"false": "negated", "negated": "negated", "hypothetical": "hypothetical"},
        "certainty": {"suspected": "uncertain"},
        "subject": {"family": "family", "relative": "family"},
        "experiencer": {"family": "family", "other": "family"},
    }
)
"""Assertions of MedCAT's models of context, by their names and values in lower case."""


def _meta(one: Mapping[str, Any]) -> Iterator[str]:
    meta = one.get("meta_anns")
    for name, found in meta.items() if isinstance(meta, Mapping) else ():
        value = found.get("value") if isinstance(found, Mapping) else found
        yield META.get(str(name).lower(), {}).get(str(value).lower(), "")


def _parse_list(one: Mapping[str, Any], names: Sequence[str]) -> str:
    """Read a text that may be a list, or separated by commas."""
    given = _first_member(one, names)
    if given == "":
        return ""
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise TypeError(describe_place(one))
    return ",".join(sorted({part.strip() for part in parts} - {""}))


def _first_member(one: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the first member of an object that is not empty; an empty text if there is none."""
    for name in names:
        if name in one and one[name] not in (None, ""):
            return one[name]
    return ""


def tidy(names: list[str]) -> list[str]:
    """Write texts in composed characters, with one space between two words."""
    names = compose_texts(names)
    lines = "\n".join(["", *names, ""])
    letters = np.frombuffer(lines.encode(errors="surrogatepass"), dtype=np.uint8)
    blank = letters <= SPACE
    is_tidy = np.count_nonzero(letters < SPACE) == len(names) + 1 and not (blank[1:] & blank[:-1]).any()
    if is_tidy and (lines.isascii() or not ODD_BLANKS.search(lines)):
        return names
    return [" ".join(name.split()) for name in names]


def compose_texts(texts: Sequence[str]) -> list[str]:
    """Write texts in composed characters."""
    return [unicodedata.normalize("NFC", text) for text in texts]


def _show_value(cell: Any) -> str:
    return "null" if cell is None else f"{cell!r:.80}"


def describe_place(one: Any) -> str:
    """Show a concept that cannot be read."""
    return f"among them {_show_value(one)}"


EXPECTED: Mapping[str, str] = {
    "id": "text or a whole number",
    "text": "a text",
    "concepts": "a list of texts, or of objects with a text",
    "tree": "nodes with texts and children, or a nested list",
}


def unreadable(role: str, column: str, fault: str, place: str) -> RecordError:
    """Build the error for a cell that cannot be read."""
    hint = (
        "call what a model wrote as a text 'output': lists in it are read"
        if role == "concepts" and fault[:1] in "'\""
        else "give each concept its words, or the document its text: a label is a class"
        if fault == NAMELESS
        else "several gold answers of one id are read with --combine max"
        if role == "text" and fault[:1] == "["
        else None
    )
    return RecordError(
        f"The {role} in {place} cannot be read.", found=f"{column}: {fault}", expected=EXPECTED[role], hint=hint
    )


def missing(role: str, column: str, having: str, names: Iterable[str]) -> RecordError:
    """Build the error for a record without a cell, with what it has instead."""
    found = ", ".join(map(repr, names)) or "no such cell"
    return RecordError(f"The {role} is missing.", found=f"{having} {found}", expected=repr(column))


def duplicate_id_error(name: str, found: str | None = None, **place: Any) -> RecordError:
    """Build the error for an id that occurs twice."""
    return RecordError(
        f"The id {name!r} occurs twice.",
        found=found,
        expected="one document per id",
        hint="several systems, runs or gold answers of one id belong in a file each (of gold: --combine max); where each row has one concept, a name with ; or | "
        'needs one record for each document: {"id": "d1", "concepts": ["1;2-x", "y"]}',
        **place,
    )
