"""Cells to ids, texts and concepts: many at once, each distinct concept read once."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, count, islice
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.assertions import AFFIRMED, CATEGORIES
from goldassay.concepts.fold import folded, pieces_of
from goldassay.concepts.model import NOWHERE, Found, Word
from goldassay.concepts.trees import paths_of
from goldassay.formats.documents import decoder
from goldassay.formats.literals import parse_literals

NAMES = (
    "text", "name", "pretty_name", "label_text", "concept", "term", "object_label", "match_string", "source_value", "mention", "entry_name",
)  # fmt: skip
KINDS = ("type_ids", "tui", "tuis", "semantic_type", "semantic_types", "type", "types", "group", "semantic_group")
IDS = ("cui", "curie", "kb_id", "kb_id_", "concept_id", "object_id", "identifier", "Identifier", "id", "code")
"""Where the id of a concept stands: ``id`` itself comes late, since annotators number their annotations by it."""
STARTS = ("start", "start_char", "begin", "subject_start")
ENDS = ("end", "end_char", "stop", "subject_end")
STATING = ("assertion", "assertions", "negated", "meta_anns")
SAYING = frozenset({*STATING, *CATEGORIES})
PLACES = frozenset({*STARTS, *ENDS, "span", "spans"})
READ = frozenset({*NAMES, *KINDS, *IDS, *SAYING, *PLACES, "label", "key", "value", "matches"})
LARGEST = 2**62
Known: TypeAlias = defaultdict[Hashable, int]
NAMELESS = "among them a concept without a text"
NO_WORD: Word = ("", "", "", "", "", "")
Numbers: TypeAlias = NDArray[np.int64]


def id_of(cell: Any) -> str:
    """Read the id of a document.

    Example:
        >>> id_of(" d1 "), id_of(7), id_of(7.0)
        ('d1', '7', '7')
    """
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, bool) or not isinstance(cell, str | int) or not str(cell).strip():
        raise ValueError(_shown(cell))
    return composed([str(cell).strip()])[0]


def ids_of(cells: Sequence[Any]) -> list[str]:
    """Read the ids of documents, as `id_of` does."""
    if not set(map(type, cells)) <= {str, int}:
        return list(map(id_of, cells))
    names = list(map(str.strip, map(str, cells)))
    if not all(names):
        raise ValueError(_shown(cells[names.index("")]))
    return composed(names)


def texts_of(cells: Sequence[Any]) -> list[str]:
    r"""Read texts, in composed characters; an empty text is an empty answer.

    Example:
        >>> texts_of(["cafe\u0301"]) == ["caf\u00e9"]
        True
    """
    odd = next((cell for cell in cells if not isinstance(cell, str)), "")
    if odd != "":
        raise TypeError(_shown(odd))
    return composed(list(cells))


def lists_of(cells: Sequence[Any], *, most: int) -> list[list[Any]]:
    """Read lists of concepts; MedCAT has them by number."""
    lists = cells if set(map(type, cells)) == {list} else list(map(_list_of, cells))
    longest = max(map(len, lists), default=0)
    if longest > most:
        raise ValueError(f"{longest:,} concepts, more than {most:,}")
    return list(lists)


def _list_of(cell: Any) -> list[Any]:
    if isinstance(cell, Mapping):
        entities = cell.get("entities", cell)
        cell = list(entities.values()) if isinstance(entities, Mapping) else cell
    if not isinstance(cell, list | tuple):
        raise TypeError(_shown(cell))
    return list(cell)


def listed(cells: Sequence[Any]) -> list[Any]:
    """Parse the texts of lists in cells of a table (JSON, Python, or separated by ``|`` or ``;``).

    Anything else stays as it is.

    Example:
        >>> listed(['["a", "b"]', "['a', 'b']", "a|b; c", "", ["a"]])
        [['a', 'b'], ['a', 'b'], ['a', 'b', 'c'], [], ['a']]
    """
    written = [isinstance(cell, str) and cell.lstrip().startswith("[") for cell in cells]
    parsed = iter(parse_literals([cell for cell, begins in zip(cells, written, strict=True) if begins]))
    return [
        next(parsed) if begins else _parts(cell) if isinstance(cell, str) else cell
        for cell, begins in zip(cells, written, strict=True)
    ]


def _parts(cell: str) -> list[str]:
    return [part for part in map(str.strip, cell.replace(";", "|").split("|")) if part]


def paths_in(cell: Any, separator: str) -> list[str]:
    """Read a tree: its paths are the concepts.

    Example:
        >>> paths_in({"a": ["b", "c"]}, " ")
        ['a b', 'a c']
    """
    if not isinstance(cell, str | list | tuple | Mapping):
        raise TypeError(_shown(cell))
    return paths_of(cell, separator)


class Stated(NamedTuple):
    """Concepts as documents state them, one after the other.

    Attributes:
        sizes: How many each document has, int64, shape (documents,).
        codes: The row of each concept among the words of a `Vocabulary`, int64, shape (concepts,).
        spans: Its begin and end, -1 if it has no place, int64, shape (concepts, 2); None if none has one.
    """

    sizes: Numbers
    codes: Numbers
    spans: Numbers | None = None

    @property
    def owners(self) -> Numbers:
        """The document of each concept, int64, shape (concepts,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def places(self) -> Numbers:
        """The spans, also where none has a place."""
        return np.full((len(self.codes), 2), NOWHERE) if self.spans is None else self.spans


def joined(parts: Sequence[Stated]) -> Stated:
    """Put concepts after each other."""
    nothing = np.zeros(0, dtype=np.int64)
    sizes = np.concatenate([nothing, *(part.sizes for part in parts)])
    codes = np.concatenate([nothing, *(part.codes for part in parts)])
    if all(part.spans is None for part in parts):
        return Stated(sizes, codes)
    return Stated(sizes, codes, np.concatenate([part.places for part in parts]))


def _known_together() -> tuple[Known, Known]:
    """Number texts and words, and objects apart from them, since bytes may stand among texts."""
    number = count().__next__
    return defaultdict(number), defaultdict(number)


@dataclass(eq=False)
class Vocabulary:
    """Distinct concepts, each read once, however often it is written.

    Attributes:
        fold: Whether case and plurals are folded.
        words: What each is.

    Example:
        >>> vocabulary = Vocabulary()
        >>> stated = vocabulary.stated([["fever", {"text": "aspirin", "id": "C1"}], ["fever"]], ["", ""])
        >>> stated.sizes.tolist(), [vocabulary.words[code][0] for code in stated.codes.tolist()]
        ([2, 1], ['fever', 'C1', 'fever'])
    """

    fold: bool = False
    words: list[Word] = field(default_factory=list)
    _known: tuple[Known, Known] = field(default_factory=_known_together)
    _faults: dict[int, str] = field(default_factory=dict)

    def stated(self, lists: Sequence[list[Any]], texts: Sequence[str]) -> Stated:
        """Read the concepts of documents: texts, or objects with a text, an id, an assertion and a value, none of which is needed."""
        flat = list(chain.from_iterable(lists))
        sizes = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
        with suppress(TypeError):  # an object cannot be looked up
            return Stated(sizes, self.codes(flat))
        kinds = set(map(type, flat))
        if not kinds <= {str, dict}:
            raise ValueError(f"among them {_shown(next(one for one in flat if type(one) not in {str, dict}))}")
        objects = flat if len(kinds) == 1 else [one for one in flat if type(one) is dict]
        named = set().union(*objects)
        if not named <= READ:
            objects = _without(objects, named - READ)
        if PLACES.isdisjoint(named):
            codes = self.codes(_written(objects), objects=True)
            return Stated(sizes, codes if len(kinds) == 1 else self._mixed(codes, flat))
        if len(kinds) == 1 and not any(texts) and (apart := _apart(objects, named)):
            return Stated(sizes, self.codes(_written(apart[0]), objects=True), apart[1])
        mentions = [
            [mention for one in some for mention in _mentions(one, text)]
            for some, text in zip(lists, texts, strict=True)
        ]
        every = list(chain.from_iterable(mentions))
        return Stated(
            np.array(list(map(len, mentions)), dtype=np.int64),
            self.codes(_written([one for one, _, _ in every]), objects=True),
            np.array([span for _, *span in every], dtype=np.int64).reshape(-1, 2),
        )

    def _mixed(self, of_objects: Numbers, flat: Sequence[Any]) -> Numbers:
        """Number the texts among objects."""
        is_object = np.array([type(one) is dict for one in flat])
        codes = np.empty(len(flat), dtype=np.int64)
        codes[is_object] = of_objects
        codes[~is_object] = self.codes([one for one in flat if type(one) is str])
        return codes

    def found(self, found: Iterable[Sequence[Found]]) -> Stated:
        """Take the concepts of documents that are read already."""
        sizes: list[int] = []
        every: list[Found] = []
        for some in found:
            sizes.append(len(some))
            every += some
        return Stated(
            np.array(sizes, dtype=np.int64),
            self.codes([one.word for one in every]),
            np.array([(one.start, one.end) for one in every], dtype=np.int64).reshape(-1, 2),
        )

    def codes(self, written: Sequence[Hashable], *, objects: bool = False) -> Numbers:
        """Number concepts."""
        known = self._known[objects]
        before = len(known)
        try:
            codes = np.fromiter(map(known.__getitem__, written), dtype=np.int64, count=len(written))
        finally:
            self._learn(list(islice(reversed(known), len(known) - before))[::-1], are_objects=objects)
        faulty = np.isin(codes, list(self._faults)) if self._faults else np.zeros(0, dtype=np.bool_)
        if faulty.any():
            at = int(faulty.argmax())
            # Equal numbers of several types have one code.
            raise ValueError(self._faults[int(codes[at])] or f"among them {_shown(written[at])}")
        return codes

    def _learn(self, new: list[Any], *, are_objects: bool) -> None:
        """Keep what was not seen before, or what is wrong with it."""
        names = tidy([one for one in new if type(one) is str])
        keys = map(self._key, names) if self.fold else names
        words: Iterator[Word] = ((key, name, "", "", "", "") for key, name in zip(keys, names, strict=True))
        if len(names) == len(new) and all(names):
            self.words += words
            return
        for one in new:
            fault = NAMELESS if are_objects or type(one) is str else ""
            try:
                word = next(words) if type(one) is str else self._word(one, is_object=are_objects)
            except (TypeError, ValueError) as error:
                word, fault = NO_WORD, str(error)
            if not word[1]:
                self._faults[len(self.words)] = fault
            self.words.append(word)

    def _word(self, one: Any, *, is_object: bool) -> Word:
        if is_object:
            decode, _ = decoder()
            return self._read(_best(decode(one)))
        return one if type(one) is tuple else NO_WORD

    def _read(self, one: Mapping[str, Any]) -> Word:
        """Read an object."""
        identifier, value = _member(one, IDS), _member(one, ("value",))
        name = " ".join((_member(one, NAMES) or _member(one, ("label",)) or identifier or value).split())
        key = identifier or _member(one, ("key",)) or (self._key(name) if self.fold else name)
        return (key, name, identifier, _asserted(one), value, _listed(one, KINDS))

    def _key(self, name: str) -> str:
        return folded(pieces_of(name)) or name


def _written(objects: Sequence[Mapping[str, Any]]) -> list[bytes]:
    """Write objects as JSON, those that are alike alike."""
    import msgspec

    try:
        return list(map(msgspec.json.Encoder().encode, objects))
    except (TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"among them {_shown(objects[0])}, which cannot be written as JSON ({error})") from error


def _without(objects: Sequence[dict[str, Any]], names: Iterable[str]) -> list[dict[str, Any]]:
    """Copy objects without some of their members."""
    rest = list(map(dict, objects))
    for name in names:
        for one in rest:
            one.pop(name, None)
    return rest


def _apart(objects: Sequence[dict[str, Any]], named: set[str]) -> tuple[list[dict[str, Any]], Numbers] | None:
    """Take one begin and one end out of each object; None if they have others."""
    starts, ends = ([name for name in names if name in named] for names in (STARTS, ENDS))
    if len(starts) != 1 or len(ends) != 1 or not {"span", "spans"}.isdisjoint(named):
        return None
    sides: list[list[Any]] = [[one.get(name) for one in objects] for name in (*starts, *ends)]
    if {*map(type, sides[0]), *map(type, sides[1])} != {int} or max(sides[1]) > LARGEST:
        return None
    spans = np.array(sides, dtype=np.int64).T
    if (spans[:, 0] < 0).any() or (spans[:, 0] >= spans[:, 1]).any():
        return None
    return _without(objects, (*starts, *ends)), spans


def _mentions(one: str | Mapping[str, Any], text: str) -> list[tuple[dict[str, Any], int, int]]:
    """Take the places out of an object; what has no name is named by what stands there."""
    one = {"text": one} if isinstance(one, str) else _best(one)
    places = _places(one)
    rest = {name: value for name, value in one.items() if name in READ and name not in PLACES}
    surface = text[slice(*places[0])] if places[0][0] != NOWHERE else ""
    if surface and not _member(one, NAMES):
        rest["text"] = surface
    return [(rest, start, end) for start, end in places]


def _places(one: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Read where a concept stands: a list of begins and ends, or one of each; nowhere if neither is given."""
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
            raise ValueError(f"the place {span!r:.60} of {_shown(one)}")
    return [(span[0], span[1]) for span in spans] or [(NOWHERE, NOWHERE)]


def _best(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read a text with its matches, of which Gilda puts the best first; anything else stays as it is."""
    matches = one.get("matches")
    if not isinstance(matches, list):
        return one
    term = matches[0].get("term", {}) if matches and isinstance(matches[0], Mapping) else {}
    identifier = f"{term['db']}:{term['id']}" if {"db", "id"} <= {*term} else ""
    return {**one, "text": term.get("entry_name") or one.get("text"), "id": identifier}


def _asserted(one: Mapping[str, Any]) -> str:
    """Read what is said of a concept: a text, a list of texts, or ``true`` under the name of what is said."""
    if SAYING.isdisjoint(one):
        return ""
    said = {*_listed(one, ("assertion", "assertions")).lower().split(",")}
    said |= {name for name in CATEGORIES if one.get(name) is True}
    said |= {*_meta(one)}
    said -= {"", AFFIRMED, "affirmed"}
    return ",".join(sorted(said)) or (AFFIRMED if any(name in one for name in STATING) else "")


META: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "negation": {"yes": "negated"},
        "presence": {"false": "negated", "negated": "negated", "hypothetical": "hypothetical"},
        "certainty": {"suspected": "uncertain"},
        "subject": {"family": "family", "relative": "family"},
        "experiencer": {"family": "family", "other": "family"},
    }
)
"""What MedCAT's models of context say, by their names and values in lower case."""


def _meta(one: Mapping[str, Any]) -> Iterator[str]:
    meta = one.get("meta_anns")
    for name, found in meta.items() if isinstance(meta, Mapping) else ():
        value = found.get("value") if isinstance(found, Mapping) else found
        yield META.get(str(name).lower(), {}).get(str(value).lower(), "")


def _listed(one: Mapping[str, Any], names: Sequence[str]) -> str:
    """Read a text that may be a list, or separated by commas."""
    given = _first(one, names)
    if given == "":
        return ""
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise TypeError(f"among them {_shown(one)}")
    return ",".join(sorted({part.strip() for part in parts} - {""}))


def _member(one: Mapping[str, Any], names: Sequence[str]) -> str:
    found = _first(one, names)
    if found == "":
        return ""
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise TypeError(f"among them {_shown(one)}")
    return composed([str(found).strip()])[0]


def _first(one: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Give the first member of an object that says something; an empty text if none does."""
    for name in names:
        if name in one and one[name] not in (None, ""):
            return one[name]
    return ""


def tidy(names: list[str]) -> list[str]:
    """Write texts in composed characters, with one space between two words."""
    return [" ".join(name.split()) for name in composed(names)]


def composed(texts: list[str]) -> list[str]:
    r"""Write texts in composed characters.

    Example:
        >>> composed(["cafe\u0301"]) == ["caf\u00e9"]
        True
    """
    joined = "\n".join(texts)
    if joined.isascii() or unicodedata.is_normalized("NFC", joined):
        return texts
    return [unicodedata.normalize("NFC", text) for text in texts]


def _shown(cell: Any) -> str:
    return "null" if cell is None else f"{cell!r:.80}"
