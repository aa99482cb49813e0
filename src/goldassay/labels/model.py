"""The model of the label family: instances, each with labels of a hierarchy, and how sure a prediction is of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.content import Content, TextRows, bits
from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError, RecordError
from goldassay.core.intern import Numbering, StringArray, string_array
from goldassay.core.items import ColumnModel, list_rows, score_of
from goldassay.core.model import InputRows, row_column, rows_kept
from goldassay.kernels.ragged import run_heads
from goldassay.labels.hierarchy import Hierarchy, NodeRows, Numbers


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Labels(ColumnModel):
    """Instances with labels, each label of an instance once.

    Attributes:
        ids: The instances, unique, those without a label too, shape (instances,).
        hierarchy: What lies above each label.
        instances: Rows of ``ids``, int32, shape (items,).
        labels: Rows of ``hierarchy.names``, int32, shape (items,).
        scores: Confidence of the prediction, 1 where none is given, float64, shape (items,).
        input_rows: The first row of the input with each label of an instance, int64, shape (items,); None if it has no rows.
        beyond_unit: The error of the first score outside of [0, 1], for a prediction; None if there is none, or any is allowed.

    Example:
        >>> labels = Labels.from_rows([("d1", "cat"), ("d1", "dog", 0.4)], edges=[("cat", "pet"), ("dog", "pet")])
        >>> len(labels), labels.item(0), labels.scores.tolist()
        (2, 'd1: cat', [1.0, 0.4])
    """

    columns: ClassVar[tuple[str, ...]] = ("instances", "labels", "scores", "input_rows")

    ids: StringArray
    hierarchy: Hierarchy
    instances: NodeRows
    labels: NodeRows
    scores: FloatArray
    input_rows: InputRows = None
    beyond_unit: RecordError | None = None

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Sequence[Any]],
        *,
        edges: Iterable[tuple[str, str]] | None = None,
        hierarchy: Hierarchy | None = None,
        ids: Iterable[str] = (),
    ) -> Labels:
        """Build labels from (instance, label) or (instance, label, score).

        Args:
            rows: The labels.
            edges: The hierarchy as (child, parent), if it is not given; None for labels without one.
            hierarchy: The hierarchy.
            ids: Instances that may have no label.

        Raises:
            UsageError: If a row is none of these.
            InputError: If the hierarchy has a cycle or is empty.
        """
        expected = "(instance, label) or (instance, label, score)"
        listed = list_rows(rows, lengths=(2, 3), texts=2, expected=expected, kind="labels")
        flat = hierarchy is None and edges is None
        made = hierarchy or (
            Hierarchy.of_labels(str(row[1]) for row in listed) if flat else Hierarchy.from_edges(edges or ())
        )
        scores = np.array(
            [score_of((*row, 1.0)[2], number) for number, row in enumerate(listed, start=1)], dtype=np.float64
        )
        return cls.from_columns(
            [str(row[0]) for row in listed],
            [str(row[1]) for row in listed],
            scores,
            hierarchy=made,
            ids=ids,
            input_rows=np.arange(len(listed)),
        )

    @classmethod
    def from_arrays(cls, paths: Any, *, ids: Sequence[str] | None = None) -> Labels:
        """Build labels from an array of paths, as hiclass has them: a row an instance, its cells from the root down.

        Each cell that is not empty is a label of the instance; the one before it in the row is its parent.

        Args:
            paths: Labels, shape (instances, levels) or (instances, paths, levels); ``""`` and None are empty.
            ids: The names of the instances; their places, from 1, if None.

        Raises:
            InputError: If the paths of all rows have a cycle, or no row has a label.

        Example:
            >>> labels = Labels.from_arrays([["animal", "cat"], ["animal", ""]])
            >>> [labels.item(row) for row in range(len(labels))]
            ['1: animal', '1: cat', '2: animal']
        """
        table = np.asarray(paths, dtype=object)
        table = table.reshape(len(table), -1, table.shape[-1])
        names = [str(one) for one in ids] if ids is not None else [str(row + 1) for row in range(len(table))]
        if len(names) != len(table):
            raise InputError("The numbers of names and rows differ.", found=f"{len(names)} names, {len(table)} rows")
        rows, edges, places = [], [], []
        for row, (name, ways) in enumerate(zip(names, table.tolist(), strict=True)):
            for way in ways:
                kept = list(dict.fromkeys(str(cell) for cell in way if cell is not None and str(cell)))
                rows += [(name, label) for label in kept]
                places += [row] * len(kept)
                edges += [(child, parent) for parent, child in pairwise(kept)]
        made = Hierarchy.from_edges(edges, nodes=[label for _, label in rows])
        return cls.from_columns(
            [name for name, _ in rows],
            [label for _, label in rows],
            np.ones(len(rows)),
            hierarchy=made,
            ids=names,
            input_rows=np.array(places, dtype=np.int64),
        )

    @classmethod
    def from_columns(
        cls,
        instances: Sequence[str],
        labels: Sequence[str],
        scores: FloatArray,
        *,
        hierarchy: Hierarchy,
        ids: Iterable[str] = (),
        **read: Any,
    ) -> Labels:
        """Build labels from columns. A label that the hierarchy does not have is left out, and counted.

        A label twice for one instance counts once, with its best score.

        Args:
            instances: The instance of each row.
            labels: The label of each row.
            scores: The score of each row, float64, shape (rows,).
            hierarchy: What lies above each label.
            ids: Instances that may have no row.
            **read: What `from_codes` takes besides.
        """
        numbers, rows = Numbering(list(ids)), hierarchy.rows
        owners = numbers.codes(instances)
        places = np.array([rows.get(name, -1) for name in labels], dtype=np.int64)
        return cls.from_codes(list(numbers), owners, places, scores, hierarchy=hierarchy, **read)

    @classmethod
    def from_codes(
        cls,
        ids: Sequence[str],
        owner: NDArray[np.integer[Any]],
        label: Numbers,
        scores: FloatArray,
        *,
        hierarchy: Hierarchy,
        input_rows: InputRows = None,
        left_out: Mapping[str, int] = MappingProxyType({}),
        facts: Mapping[str, int] = MappingProxyType({}),
        choices: Mapping[str, str] = MappingProxyType({}),
        notes: Sequence[str] = (),
        **read: Any,
    ) -> Labels:
        """Build labels from columns of numbers, to the same end as `from_columns`.

        Args:
            ids: The instances, unique, those without a row too.
            owner: The row of ``ids`` of each label, whole numbers, shape (rows,).
            label: The row of ``hierarchy.names`` of each label, -1 where the hierarchy does not have it, int64.
            scores: The score of each row, float64, shape (rows,).
            hierarchy: What lies above each label.
            input_rows: The row of the input of each of them, int64; None if it has no rows.
            left_out: What was left out before, counted by reason.
            facts: What was seen, counted.
            choices: How labels were chosen, as the signature shows it.
            notes: Notes on how they were read.
            **read: Path and format.
        """
        known = label >= 0
        key = (owner.astype(np.int64) * len(hierarchy) + label)[known]
        order = np.lexsort((-scores[known], key))
        ordered = key[order]
        starts = np.flatnonzero(run_heads(ordered))
        first = earliest = np.arange(len(key))
        several = []
        if len(starts) < len(key):
            best = order[starts]
            first, earliest = np.sort(best), np.minimum.reduceat(order, starts)[np.argsort(best)]
            rescored = len(np.unique(ordered[1:][(np.diff(ordered) == 0) & (np.diff(scores[known][order]) != 0)]))
            text = f"labels with several scores for one instance, of which the highest counts: {rescored:,}"
            several = [text] * bool(rescored)
        dropped = {"unknown_labels": len(label) - len(key), "duplicates": len(key) - len(first)}
        unlabelled = len(ids) - int(np.count_nonzero(run_heads(ordered // len(hierarchy))))
        unknown = {"unknown_labels": f"left_out({dropped['unknown_labels']})"} if dropped["unknown_labels"] else {}
        return cls(
            ids=string_array(ids),
            hierarchy=hierarchy,
            instances=owner[known][first].astype(np.int32),
            labels=label[known][first].astype(np.int32),
            scores=scores[known][first],
            input_rows=rows_kept(rows_kept(input_rows, known), earliest),
            left_out={**left_out, **{reason: count for reason, count in dropped.items() if count}},
            facts={
                **facts,
                "instances": len(ids),
                "instances_without_labels": unlabelled,
                "labels_in_the_hierarchy": len(hierarchy),
            },
            choices={**choices, **unknown, "hierarchy": hierarchy.digest},
            notes=(*notes, *several),
            **read,
        )

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def content(self) -> Sequence[Content]:
        """The instances, and the labels of each with their scores; the hierarchy is among the choices."""
        labels = TextRows(self.hierarchy.names, self.labels)
        return [[self.ids], [TextRows(self.ids, self.instances), labels, bits(self.scores)]]

    def item(self, row: int) -> str:
        """Name one label of an instance for a person: ``instance: label``."""
        return f"{self.ids[self.instances[row]]}: {self.hierarchy.shown(self.labels[row])}"

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the rows of the input of some labels, if it has rows, the ids of their instances, the labels, and their names."""
        names, titles = self.hierarchy.names, self.hierarchy.titles
        stated = [str(names[one]) for one in self.labels[rows].tolist()]
        return {
            **row_column(self.input_rows, rows),
            "id": self.ids[self.instances[rows]].tolist(),
            "label": stated,
            **({"name": [titles.get(one, "") for one in stated]} if titles else {}),
        }


def is_flat(gold: Labels) -> bool:
    """Return whether a gold standard has no hierarchy."""
    return gold.hierarchy.is_flat
