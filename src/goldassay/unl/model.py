"""The model of the UNL family: sentences, each a graph of universal words (UWs)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.model import Read

NULL = "00"
SHOWN = 60
CUT_SENSE_KEY = re.compile(r".*%\d(?::\d\d){1,2}", re.DOTALL)
"""A sense key that ends early: its last digits are no identifier."""


class Node(NamedTuple):
    """One argument of a relation, or one node on its own.

    Attributes:
        uw: The universal word, normalised; empty for a reference to a scope.
        id: The node identifier; for a reference to a scope, the scope's. Empty if there is none.
        attributes: Its attributes without ``.@``, in the order of the file.
    """

    uw: str
    id: str
    attributes: tuple[str, ...]

    @property
    def is_scope(self) -> bool:
        """Whether this refers to a scope, and is not a UW."""
        return not self.uw

    def __str__(self) -> str:
        named = f":{self.id}" if self.id else ""
        attributes = "".join(f".@{name}" for name in self.attributes)
        # Right behind such a word an identifier would be read as the end of its sense key.
        last = named and CUT_SENSE_KEY.fullmatch(self.uw + named)
        return self.uw + (attributes + named if last else named + attributes)


class Relation(NamedTuple):
    """One labelled relation between two nodes.

    Attributes:
        label: The relation label, for example ``agt``.
        scope: The scope that the relation belongs to; empty for the whole sentence.
        source: The first argument.
        target: The second argument.
    """

    label: str
    scope: str
    source: Node
    target: Node

    def __str__(self) -> str:
        return f"{self.label}{':' + self.scope if self.scope else ''}({self.source}, {self.target})"


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence: its graph and its texts.

    Attributes:
        id: The id after ``[S:``; empty if there is none.
        line: 1-based line of the file where it starts.
        relations: The relations, in the order of the file.
        isolated: Nodes that take part in no relation.
        original: The text of ``{org}``; empty if there is none.
        texts: Further texts as pairs of language and text, in the order of the file.
        malformed: Whether the graph could not be read.
    """

    id: str = ""
    line: int = 1
    relations: tuple[Relation, ...] = ()
    isolated: tuple[Node, ...] = ()
    original: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    malformed: bool = False

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every argument of every relation, then the isolated nodes; a node as often as it occurs."""
        return (*(node for one in self.relations for node in (one.source, one.target)), *self.isolated)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Document(Read):
    """A UNL document: sentences in the order of the file.

    Attributes:
        sentences: The sentences.
        chosen: Whether they were chosen by their ids from a file, so that their order pairs them with nothing.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> document = document_of("[S:1]{unl}agt(kill(icl>do).@past, Peter(iof>person)){/unl}[/S]")
        >>> len(document), document.item(0), str(document.sentences[0].relations[0])
        (1, 'S:1', 'agt(kill(icl>do).@past, Peter(iof>person))')
    """

    sentences: tuple[Sentence, ...]
    chosen: bool = False

    def __len__(self) -> int:
        return len(self.sentences)

    def item(self, row: int) -> str:
        """Return the display name of one sentence: ``S:`` and its id or position, and the start of its text."""
        sentence = self.sentences[row]
        name = f"S:{sentence.id}" if sentence.id else f"sentence {row + 1}"
        return f"{name} {sentence.original[:SHOWN]}".rstrip()

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the ids of some sentences."""
        return {"id": [self.sentences[row].id for row in rows.tolist()]}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the sentences."""
        return tuple(sentence.id for sentence in self.sentences)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Texts(Read):
    """Natural-language sentences, each with its acceptable wordings.

    Attributes:
        ids: The id of each sentence.
        wordings: The wordings of each sentence, at least one each; only the first wording of a prediction is compared.
        chosen: Whether they were chosen by their ids from a file, so that their order pairs them with nothing.

    Example:
        >>> Texts(ids=("1",), wordings=(("The cat sleeps.",),)).item(0)
        '1 The cat sleeps.'
    """

    ids: tuple[str, ...]
    wordings: tuple[tuple[str, ...], ...]
    chosen: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    def item(self, row: int) -> str:
        """Return the display name of one sentence: its id and the start of its first wording."""
        return f"{self.ids[row]} {self.wordings[row][0][:SHOWN]}".rstrip()

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the ids of some sentences."""
        return {"id": [self.ids[row] for row in rows.tolist()]}
