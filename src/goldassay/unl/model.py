"""The model of the UNL family: sentences, each a graph of universal words (UWs)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.items import ColumnModel
from goldassay.core.model import InputRows, row_column
from goldassay.unl.columns import Graphs, Node, Relation

__all__ = ["Document", "Node", "Relation", "Sentence", "Texts"]

SHOWN = 60


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
class Document(ColumnModel):
    """A UNL document: sentences in the order of the file, whose graphs are columns.

    Attributes:
        ids: The ids of the sentences; empty where there is none.
        lines: 1-based lines of the file where they start, int64, shape (sentences,).
        originals: The texts of ``{org}``; empty where there is none.
        texts: Further texts of each as pairs of language and text, in the order of the file.
        graphs: Their graphs.
        chosen: Whether they were chosen by their ids from a file, so that their order pairs them with nothing.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> document = document_of("[S:1]{unl}agt(kill(icl>do).@past, Peter(iof>person)){/unl}[/S]")
        >>> len(document), document.item(0), str(document.sentences[0].relations[0])
        (1, 'S:1', 'agt(kill(icl>do).@past, Peter(iof>person))')
    """

    columns: ClassVar[tuple[str, ...]] = ("ids", "lines", "originals", "texts", "graphs")

    ids: tuple[str, ...]
    lines: NDArray[np.int64]
    originals: tuple[str, ...]
    texts: tuple[tuple[tuple[str, str], ...], ...]
    graphs: Graphs
    chosen: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    def item(self, row: int) -> str:
        """Return the display name of one sentence: ``S:`` and its id or position, and the start of its text."""
        name = f"S:{self.ids[row]}" if self.ids[row] else f"sentence {row + 1}"
        return f"{name} {self.originals[row][:SHOWN]}".rstrip()

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the ids of some sentences."""
        return {"id": [self.ids[row] for row in rows.tolist()]}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ids of the sentences, or their positions where they have none."""
        return tuple(name or str(row + 1) for row, name in enumerate(self.ids))

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences as objects, made of the columns when they are first asked for."""
        columns = (self.ids, self.lines.tolist(), self.originals, self.texts, self.graphs.malformed.tolist())
        return tuple(
            Sentence(
                id=name,
                line=line,
                relations=relations,
                isolated=isolated,
                original=original,
                texts=texts,
                malformed=malformed,
            )
            for name, line, original, texts, malformed, (relations, isolated) in zip(
                *columns, self.graphs.objects(), strict=True
            )
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Texts(ColumnModel):
    """Natural-language sentences, each with its acceptable wordings.

    Attributes:
        ids: The id of each sentence.
        wordings: The wordings of each sentence, at least one each; only the first wording of a prediction is compared.
        chosen: Whether they were chosen by their ids from a file, so that their order pairs them with nothing.
        input_rows: The row or line of the input where each sentence first stands, int64, shape (sentences,); None if it has none.

    Example:
        >>> Texts(ids=("1",), wordings=(("The cat sleeps.",),)).item(0)
        '1 The cat sleeps.'
    """

    columns: ClassVar[tuple[str, ...]] = ("ids", "wordings", "input_rows")

    ids: tuple[str, ...]
    wordings: tuple[tuple[str, ...], ...]
    chosen: bool = False
    input_rows: InputRows = None

    def __len__(self) -> int:
        return len(self.ids)

    def item(self, row: int) -> str:
        """Return the display name of one sentence: its id and the start of its first wording."""
        return f"{self.ids[row]} {self.wordings[row][0][:SHOWN]}".rstrip()

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the rows of the input of some sentences, if it has rows, and their ids."""
        return {**row_column(self.input_rows, rows), "id": [self.ids[row] for row in rows.tolist()]}
