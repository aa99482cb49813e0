"""Every way of reading that is there for speed, and what is done without it; how often each was asked, and answered.

A way that answers only some inputs gives none, and the careful one is taken; a bound of sizes is put far away on either side.
What is added to the readers for speed is here: ``test_reach.py`` looks for it by its name.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import goldassay
from goldassay import inputs
from goldassay.alignments import rows as alignment_rows
from goldassay.alignments.formats import oaei
from goldassay.concepts.formats import given, parts, preambles
from goldassay.concepts.texts import assertions, compiled, dictionary
from goldassay.core import intern
from goldassay.core import matching as core_matching
from goldassay.core import parts as core_parts
from goldassay.formats import delimited, documents, literals, markup, records, rows, tables
from goldassay.graphs import from_edge_list
from goldassay.graphs import texts as graph_texts
from goldassay.graphs import trust as graph_trust
from goldassay.graphs.measures import literal
from goldassay.labels import errors as label_errors
from goldassay.triples import reading as triple_reading
from goldassay.triples.formats import nodes as triple_nodes
from goldassay.triples.formats import records as triple_records
from goldassay.triples.formats import slots
from goldassay.unl import grammar
from goldassay.unl import read as unl

SOURCE = Path(goldassay.__file__).parent
NOTHING = (None, False)
FAR, NEAR = 10**9, 0


class Way(NamedTuple):
    """A function that is fast where it answers.

    Attributes:
        home: Its module or class.
        name: Its name there.
        instead: What is done in its place: a function, or the answer that says it cannot.
    """

    home: Any
    name: str
    instead: Any = None


def _no_json() -> tuple[Any, tuple[type[Exception], ...]]:
    """Give a parser that reads nothing, so that all is read step by step."""

    def decode(_: bytes) -> None:
        raise ValueError("not at once")

    return decode, (ValueError,)


def _texts_in(column: list[Any]) -> list[str | None]:
    return [str(one) if triple_nodes.is_text(one) else None for one in column]


def _spans_of(flat: list[Any], named: set[str]) -> tuple[Any, Any, dict[int, str]]:
    del named
    found, faults = given._parse_each(given._places, flat, [(given.NOWHERE, given.NOWHERE)])
    counts = np.array(list(map(len, found)), dtype=np.int64)
    return counts, np.array(list(chain.from_iterable(found)), dtype=np.int64).reshape(-1, 2), faults


FAST: tuple[Way, ...] = (
    Way(delimited.TextTable, "_lay_out"),
    Way(delimited, "_read_first_of_many"),
    Way(oaei, "columns_at_once"),
    Way(alignment_rows, "build_plain_alignment"),
    Way(markup, "_depth_at_once"),
    Way(slots, "add_sets", False),
    Way(triple_records.Records, "_at_once", False),
    Way(triple_records.Records, "_graphs_at_once", False),
    Way(triple_nodes, "texts_in", _texts_in),
    Way(grammar, "_parse_at_once"),
    Way(documents, "decoder", _no_json),
    Way(given, "texts_in"),
    Way(given, "parse_literals", lambda texts, parse=literals.parse_literal: list(map(parse, texts))),
    Way(given, "tidy", lambda names: [" ".join(name.split()) for name in given.compose_texts(names)]),
    Way(given, "_spans_of", _spans_of),
)
PATTERNS = (
    (unl, "SENTENCE", re.compile(unl.SENTENCE.pattern.replace(unl.ORDINARY, "(?P<body>(?!))"))),
    (grammar, "PLAIN_NODE", re.compile("(?!)")),
)
"""Patterns of what most texts are; what they do not match is read by marks."""
BOUNDS = (
    (delimited, "SMALL"),
    (documents, "FEW"),
    *(
        (module, "FEW")
        for module in (
            alignment_rows,
            intern,
            core_matching,
            core_parts,
            from_edge_list,
            graph_texts,
            graph_trust,
            inputs,
            literal,
            tables,
            triple_reading,
        )
    ),
)
"""Sizes below which a table or a column is read in another way."""
PIECES = (
    *(
        (module, "AT_ONCE")
        for module in (assertions, compiled, dictionary, documents, label_errors, unl, parts, records)
    ),
    (records, "TOGETHER"),
    (preambles, "TOGETHER"),
    (rows, "COMPACT"),
)
"""How much is read at once."""


def holders(way: Way) -> list[Any]:
    """List where a way is called from: its home, and the modules that import it."""
    if not isinstance(way.home, ModuleType):
        return [way.home]
    return holding(way, getattr(way.home, way.name), len(sys.modules))


@cache
def holding(way: Way, found: Any, _: int) -> list[Any]:
    """List the modules that hold a function; looked for again when more are imported."""
    own = [module for name, module in [*sys.modules.items()] if name.startswith("goldassay")]
    return [module for module in own if getattr(module, way.name, None) is found]


@contextmanager
def careful() -> Iterator[None]:
    """Read without any of the fast ways."""
    with ExitStack() as stack:
        for way in FAST:
            instead = way.instead if callable(way.instead) else lambda *_, value=way.instead, **__: value
            for home in holders(way):
                stack.enter_context(mock.patch.object(home, way.name, instead))
        for home, name, pattern in PATTERNS:
            stack.enter_context(mock.patch.object(home, name, pattern))
        for home, name in BOUNDS:
            stack.enter_context(mock.patch.object(home, name, FAR))
        yield


@contextmanager
def in_columns() -> Iterator[None]:
    """Read what is small like what is large, in as many pieces as there are."""
    with ExitStack() as stack:
        for home, name in BOUNDS:
            stack.enter_context(mock.patch.object(home, name, NEAR))
        for home, name in PIECES:
            stack.enter_context(mock.patch.object(home, name, 1))
        yield


class Reach:
    """Counts which fast ways answered, and which functions of the package were entered."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, bool]] = Counter()
        self.entered: set[tuple[str, str]] = set()

    def merge(self, other: "Reach") -> None:
        self.answers += other.answers
        self.entered |= other.entered

    def watch(self) -> None:
        """Count, from now on, how often each fast way answers."""
        for way in FAST:
            counted = self._count_hits(label(way), getattr(way.home, way.name))
            for home in holders(way):
                setattr(home, way.name, counted)

    def _count_hits(self, name: str, function: Any) -> Any:
        def counted(*args: Any, **kwargs: Any) -> Any:
            found = function(*args, **kwargs)
            self.answers[name, not any(found is nothing for nothing in NOTHING)] += 1
            return found

        return counted

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note the functions that are entered."""
        entered, root = self.entered, str(SOURCE)

        def note(frame: Any, event: str, _: Any) -> None:
            if event == "call" and (code := frame.f_code).co_filename.startswith(root):
                entered.add((code.co_filename[len(root) + 1 :], code.co_qualname))

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)


def label(way: Way) -> str:
    """Name a way."""
    home = way.home.__name__ if isinstance(way.home, ModuleType) else f"{way.home.__module__}.{way.home.__qualname__}"
    return f"{home.removeprefix('goldassay.')}.{way.name}"


READERS = (
    "formats", "alignments/formats", "alignments/read.py", "alignments/rows.py",
    "axioms/from_triples.py", "axioms/markdown.py", "axioms/read.py", "concepts/formats/annotations.py", "concepts/formats/given.py", "concepts/formats/parts.py",
    "concepts/read.py", "concepts/formats/read_names.py", "concepts/formats/terminologies.py", "concepts/formats/trees.py", "graphs/from_edge_list.py", "graphs/from_triples.py",
    "graphs/read.py", "labels/formats/lines.py", "labels/read.py", "labels/read_hierarchy.py", "triples/formats/lines.py", "triples/formats/markup.py",
    "triples/formats/nodes.py", "triples/measures/ontology.py", "triples/formats/raw.py", "triples/read.py", "triples/reading.py", "triples/formats/records.py", "triples/formats/rows.py",
    "triples/formats/slots.py", "triples/synonyms.py", "triples/formats/tables.py", "unl/grammar.py", "unl/read.py", "unl/read_sentences.py",
    "challenges/challenge.py", "challenges/scoring.py", "tasks/task.py", "saved.py", "encoders/precomputed.py",
)  # fmt: skip
"""Where files are read."""


def functions() -> set[tuple[str, str]]:
    """Name every function of the modules that read files."""
    found = set()
    for place in READERS:
        files = [SOURCE / place] if place.endswith(".py") else sorted((SOURCE / place).glob("*.py"))
        for file in files:
            waiting = [compile(file.read_text(encoding="utf-8"), str(file), "exec")]
            while waiting:
                for one in waiting.pop().co_consts:
                    if hasattr(one, "co_qualname"):
                        waiting.append(one)
                        found.add((str(file.relative_to(SOURCE)), one.co_qualname))
    return {(file, name) for file, name in found if is_function(name)}


def is_function(name: str) -> bool:
    """Return whether a block of code is a function with a name, and no body of a class."""
    last = name.rpartition(".")[2]
    return not last.startswith("<") and not (last[:1].isupper() or last.lstrip("_")[:1].isupper())
