"""Edges and nodes by meaning on a cluster: the kernel of one machine on blocks of items, in two waves.

The verdict on an item depends on its vectors and on those of the other side, so the blocks may be cut in any way. First
items are compared with those of their cell, the texts that are nearest to one pivot: most find one that is near. Then those that are left are compared with
all items of the other side, block by block. Only keys of items that are hit travel, never pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Encoder, FloatMatrix
from goldassay.core.lazy import Cluster, Frame
from goldassay.core.libraries import nw
from goldassay.formats.batches import matrix, tables
from goldassay.formats.lazy import SIDES, Hits
from goldassay.formats.tables import distinct_rows, rows_in
from goldassay.kernels.edges.join import edge_join

EDGES_WORTH_CELLS = 4096
"""Items on the smaller side from which on a first wave within cells saves time."""
MOST_CELLS = 1024
TOGETHER = 32_768
"""Items that a worker holds at once: 100 MB of vectors of 384 numbers for edges."""
TARGETS = 32_768
"""Items that all workers are shown at once; with their vectors they are part of what Spark sends to each."""
RENEWED = 4
"""What is left is computed anew once this part of it, a quarter, has been found."""
RELATION = "relation"


@dataclass(frozen=True, kw_only=True)
class Near:
    """When items are near each other."""

    ends: tuple[str, ...]
    keys: tuple[str, ...]  # these, and the relation if near edges must have the same
    threshold: float
    inclusive: bool
    memory: int

    @property
    def columns(self) -> dict[str, str]:
        """The types of the columns of a hit."""
        return dict.fromkeys(self.keys, "string")


@dataclass(frozen=True, eq=False, kw_only=True)
class Block:
    """Items with their vectors."""

    vectors: FloatMatrix  # unit rows, float32, shape (texts, dimension)
    rows: NDArray[np.int64]  # the ends of each item as rows of `vectors`, int64, shape (items, ends)
    groups: NDArray[Any]  # the relation of each item, str, shape (items,); all alike where relations do not matter

    @classmethod
    def of(cls, table: Any, near: Near) -> Block:
        """Read items from a table of PyArrow with the columns of keys, and one of vectors for each end."""
        vectors, rows, known = [], [], 0
        for end in near.ends:
            codes = table.column(end).combine_chunks().dictionary_encode().indices.to_numpy()
            _, first = np.unique(codes, return_index=True)
            vectors.append(matrix(table.column(_vector_of(end)).take(first)))
            rows.append(codes.astype(np.int64) + known)
            known += len(first)
        names = table.column(RELATION).to_pylist() if RELATION in near.keys else [""] * len(table)
        return cls(
            vectors=np.concatenate(vectors), rows=np.column_stack(rows), groups=np.array(names, dtype=np.object_)
        )

    def find_matches(self, other: Block, near: Near) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Decide for every item of both blocks whether it is near one of the other block."""
        vectors = np.concatenate([self.vectors, other.vectors])
        sides = self.rows, other.rows + len(self.vectors)
        hits = np.zeros(len(self.rows), dtype=np.bool_), np.zeros(len(other.rows), dtype=np.bool_)
        for group in set(self.groups.tolist()) & set(other.groups.tolist()):
            here, there = np.flatnonzero(self.groups == group), np.flatnonzero(other.groups == group)
            asked = sides[0][here], sides[1][there]
            # A node is one column of rows.
            rows = [side[:, 0] for side in asked] if len(near.ends) == 1 else asked
            found = edge_join(vectors, *rows, threshold=near.threshold, inclusive=near.inclusive, memory=near.memory)
            hits[0][here], hits[1][there] = found.hit_pred, found.hit_gold
        return hits


def find_near_items(pred: Frame, gold: Frame, near: Near, engine: Cluster, encoder: Encoder) -> Hits:
    """Find which items of each side are near one of the other."""
    sides = [distinct_rows(side, *near.keys) for side in (pred, gold)]
    sizes = [rows_in(side, engine) for side in sides]
    texts = distinct_rows(nw.concat([side.select(text=nw.col(end)) for side in sides for end in near.ends]), "text")
    vectors = engine.encode_texts(texts, encoder)
    cells = 1 if min(sizes) < EDGES_WORTH_CELLS else min(isqrt(min(sizes)) // 2, MOST_CELLS)
    placed = engine.materialize(_add_places(vectors, cells, engine))
    here, there = (engine.materialize(_add_vectors(side, placed, near)) for side in sides)
    both = nw.concat([side.with_columns(side=nw.lit(name)) for name, side in zip(SIDES, (here, there), strict=True)])
    found = engine.materialize(
        engine.through(
            both, partial(_compare_within_cells, near=near), {"side": "string", **near.columns}, together=("cell",)
        )
    )
    hits = [found.filter(nw.col("side") == name).select(*near.keys) for name in SIDES]
    if cells == 1 and sum(sizes) <= TOGETHER:
        return hits[0], hits[1]
    hit_pred = _find_hits(here, there, hits[0], near, engine)
    # An item of the prediction that is near none counts as near all of gold: no item of gold is near it.
    witnesses = engine.materialize(here.join(hit_pred, on=list(near.keys), how="semi"))
    return hit_pred, _find_hits(there, witnesses, hits[1], near, engine)


def _find_hits(asking: Frame, targets: Frame, known: Frame, near: Near, engine: Cluster) -> Frame:
    """Show the items that are not known to be hit to all targets, block by block; return all that are hit."""
    found, keys = [known], list(near.keys)
    rest = engine.materialize(asking.join(known, on=keys, how="anti"))
    left, fresh = rows_in(rest, engine), 0
    blocks = -(-rows_in(targets, engine) // TARGETS)
    for number in range(blocks):
        if not left:
            break
        shown = engine.arrow(targets.filter(nw.col("place") % blocks == number))
        if not len(shown):
            continue
        find = partial(_find_matches, targets=Block.of(shown, near), near=near)
        hit = engine.materialize(engine.through(rest, find, near.columns))
        found.append(hit)
        fresh += rows_in(hit, engine)
        if fresh * RENEWED > left:
            rest = engine.materialize(asking.join(distinct_rows(nw.concat(found), *keys), on=keys, how="anti"))
            left, fresh = rows_in(rest, engine), 0
    return engine.materialize(distinct_rows(nw.concat(found), *keys))


def _add_vectors(items: Frame, placed: Frame, near: Near) -> Frame:
    """Add the vector of each end, the cell of the first, and the place of the item, which all of its ends decide."""
    for end in near.ends:
        more = ("cell",) if end == near.ends[0] else ()
        known = placed.select(
            nw.col("text").alias(end),
            nw.col("vector").alias(_vector_of(end)),
            nw.col("place").alias(f"{end}_place"),
            *more,
        )
        items = items.join(known, on=end, how="inner")
    places = [f"{end}_place" for end in near.ends]
    # Of a child with very many parents not all edges are in one block.
    return items.with_columns(place=nw.sum_horizontal(*places)).drop(*places)


def _add_places(vectors: Frame, cells: int, engine: Cluster) -> Frame:
    """Add the place of each text, a number that depends only on its letters, and the number of the nearest pivot."""
    columns = {"text": "string", "vector": "array<float>", "place": "long", "cell": "long"}
    pivots = _pivots(vectors, cells, engine) if cells > 1 else None
    return engine.through(vectors, partial(_place_batches, pivots=pivots), columns)


def _pivots(vectors: Frame, cells: int, engine: Cluster) -> FloatMatrix:
    """Pick about as many texts as there are to be cells, by their places, which are in no order of the texts."""
    step = max(1, rows_in(vectors, engine) // cells)
    picked = engine.through(vectors, partial(_pick_pivots, step=step), {"text": "string", "vector": "array<float>"})
    return matrix(engine.arrow(picked.sort("text")).column("vector"))


def _pick_pivots(batches: Iterator[Any], step: int) -> Iterator[Any]:
    """Keep the texts whose places are multiples of a number."""
    import pyarrow as pa

    for batch in batches:
        yield batch.filter(pa.array(_place_of(batch.column("text")).to_numpy() % step == 0))


def _place_batches(batches: Iterator[Any], pivots: FloatMatrix | None) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        texts, vectors = batch.column("text"), batch.column("vector")
        cell = np.zeros(len(batch), dtype=np.int64)
        if pivots is not None and len(pivots) and len(batch):
            cell = (matrix(vectors) @ pivots.T).argmax(axis=1)
        columns = [texts, vectors, _place_of(texts), pa.array(cell, pa.int64())]
        yield pa.RecordBatch.from_arrays(columns, names=["text", "vector", "place", "cell"])


def _place_of(texts: Any) -> Any:
    import pyarrow as pa

    return pa.array([crc32(text.encode()) for text in texts.to_pylist()], pa.int64())


def _compare_within_cells(batches: Iterator[Any], near: Near) -> Iterator[Any]:
    """Compare items with those of the other side in their cell, or in the part of it that a worker has."""
    import pyarrow as pa

    for table in tables(batches, "cell", TOGETHER, parted=True):
        of_pred = np.array(table.column("side").to_pylist()) == SIDES[0]
        cell = table.column("cell").to_numpy()
        for number in np.unique(cell):
            rows = [np.flatnonzero((cell == number) & (of_pred == mine)) for mine in (True, False)]
            if not (len(rows[0]) and len(rows[1])):
                continue
            parts = [table.take(side) for side in rows]
            blocks = [Block.of(part, near) for part in parts]
            for name, part, hit in zip(SIDES, parts, blocks[0].find_matches(blocks[1], near), strict=True):
                keys = part.select(near.keys).filter(pa.array(hit))
                yield from keys.add_column(0, "side", pa.array([name] * len(keys), pa.string())).to_batches()


def _find_matches(batches: Iterator[Any], targets: Block, near: Near) -> Iterator[Any]:
    """List the items that are near one of the targets."""
    import pyarrow as pa

    # Many at once: texts that occur again are compared once.
    for table in tables(batches, None, TOGETHER, parted=True):
        hit, _ = Block.of(table, near).find_matches(targets, near)
        yield from table.select(near.keys).filter(pa.array(hit)).to_batches()


def _vector_of(end: str) -> str:
    return f"{end}_vector"
