"""From tables to edges: a column of children and one of parents, a row for each node with its parent, or a column for each level."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from goldassay.core.errors import InputError, RecordError
from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of
from goldassay.formats.column_names import MARK_OF_ANCESTOR, MARK_OF_LEVEL, PERHAPS, bare
from goldassay.formats.documents import parse_json
from goldassay.formats.labels import OWL
from goldassay.formats.list_cells import warn_of_commas, write_lists
from goldassay.formats.records import BadRecords
from goldassay.formats.relations import direction
from goldassay.formats.roles import EDGES
from goldassay.formats.rows import cell_of
from goldassay.formats.tables import HERE, ROW, RowCheck, Table, locate_error, validate_rows

TOPS = (f"{OWL}Thing", "owl:Thing")
ENDS = ("source", "target")
HINT = "correct the row, or leave such rows out: --on-error skip"
FILL_DOWN = "write the name again in each row of merged cells, or leave such rows out: --on-error skip"
FOR_NOTHING = "none None NONE (none) null Null NULL <NA> nan NaN NAN N/A n/a - -- \u2013 \u2014 \u22a4"
NOTHING = [*FOR_NOTHING.split(), "(root)", *(f"{word} (root)" for word in FOR_NOTHING.split())]
"""What stands for no name in the place of a parent, unless something is called so."""
ROOTS = {"0", "0.0", "-1", "-1.0", "null", "None", "NULL", "nan", "NaN", "root"}
OF_ROOTS = "leave the parent of a root empty, or list the root as a node"
WEAK = frozenset[str]().union(*(words.names for words in EDGES.names["source"] if words.weak))
ENDS_OF_IDS = ("id", "iri", "uri", "curie", "identifier", "code", "key")
OF_DECISIONS = pattern_of(r"[\d.eE+-]*|true|false|yes|no|[yntf]", re.IGNORECASE)
MOST_RELATIONS = 1000
"""A column with more different cells names no relations."""


@dataclass(kw_only=True)
class EdgeList:
    """Bare edges.

    Attributes:
        edges: A frame of polars, or a list by name: the texts ``source`` and ``target``, and ``relation`` where there is one. A table also has
            ``row``, the row of the file, from 0. Who makes a graph of them takes them away, since they may be large.
        texts: Text of a node by its identifier, where the file gives one.
        nodes: Identifiers of the nodes that the file lists, with or without an edge; empty for a table.
        warnings: What changes what a number means.
    """

    edges: Any
    texts: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def edges_of_table(table: Table, bad: BadRecords, *, may_list: bool = True) -> EdgeList:
    """Convert the rows of a table to edges; a list of parents or of children is an edge for each."""
    if table.roles[0].startswith((MARK_OF_LEVEL, MARK_OF_ANCESTOR)):
        return _edges_of_levels(table, bad)
    table = _with_relation(table)
    table = spread_lists(table, ENDS, bad, may_list=may_list)
    if "node" in table.roles:
        return _edges_of_nodes(table, bad)
    if any(table.frame[role].null_count() for role in ENDS):
        # A node with an empty list is a root, of which there is no edge.
        table = replace(table, frame=table.frame.drop_nulls("target").with_columns(pl.col("source").fill_null("")))
    return EdgeList(edges=table.fill(bad).frame, warnings=table.warnings)


def spread_lists(table: Table, roles: Sequence[str], bad: BadRecords, *, may_list: bool = True) -> Table:
    """Give each name of the lists in some columns a row of its own."""
    # Next to lists of JSON a text is one name.
    table, written = write_lists(table, [role for role in roles if role not in table.listing] if may_list else ())
    listed = {*written, *table.listing}.intersection(roles)
    table = warn_of_commas(table, [role for role in roles if role not in listed])
    if listed and not table.named:
        _refuse_unnamed_lists(table)
    for role in roles:
        table = _one_name_a_row(table, role, bad, listed=role in listed)
    return table


def _with_relation(table: Table) -> Table:
    """Take a column that may name relations as these if one of its cells does; else it is not read, with a warning."""
    if PERHAPS not in table.roles:
        return table
    name = table.called.get(PERHAPS, PERHAPS)
    words = table.frame[PERHAPS].drop_nulls().unique().head(MOST_RELATIONS + 1).to_list()
    if name_relations(words):
        called = {**table.called, "relation": name}
        return replace(table, frame=table.frame.rename({PERHAPS: "relation"}), called=called)
    return replace(table, frame=table.frame.drop(PERHAPS), warnings=(*table.warnings, *warn_of_unread(name, words)))


def name_relations(words: Collection[str]) -> bool:
    """Return whether different cells of a column are few, and one is a relation of a taxonomy."""
    return len(words) <= MOST_RELATIONS and any(map(direction, words))


def warn_of_unread(name: str, words: Collection[str]) -> tuple[str, ...]:
    """Write the warning that a column of words, which are no numbers or decisions, is not read."""
    if len(words) > MOST_RELATIONS or all(map(OF_DECISIONS.fullmatch, words)):
        return ()
    return (f"column not read, since it names no is-a relation: {name!r}",)


def _refuse_unnamed_lists(table: Table) -> None:
    """Refuse lists in columns whose names say nothing: whether they are parents or children is not known."""
    texts = [role for role in ENDS if role in table.frame.columns and table.frame[role].dtype == pl.String]
    if any(table.frame[role].str.starts_with("[").any() for role in texts):
        raise InputError(
            "The columns have lists, and names that do not say which end of an edge is which.",
            expected="columns such as child and parents, or parent and children",
            hint="name the columns so, or say which is which: --child-column NAME --parent-column NAME",
        )


def _edges_of_levels(table: Table, bad: BadRecords) -> EdgeList:
    """Make edges of rows that are paths from the root down; what several rows begin with is one edge."""
    up = table.roles[0].startswith(MARK_OF_ANCESTOR)
    table = without_nothing(table, table.roles, [])
    table = table.fill(bad, blank=table.roles[:-1] if up else table.roles[1:])
    steps = list(pairwise(table.roles))
    # A row that goes up from a node may end at any of its ancestors.
    gaps = [(pl.col(upper) == "") & (pl.col(lower) != "") for upper, lower in (() if up else steps)]
    gaps += [(pl.col(upper) != "") & (pl.col(lower) == "") for upper, lower in (steps if up else ())]
    frame = _checked(
        table,
        bad,
        pl.any_horizontal(gaps),
        "A level is empty, and one below it is not." if not up else "An ancestor is empty, and one above it is not.",
        "all levels from the root down to the last one of the row",
        hint=FILL_DOWN,
    )
    edges = [frame.select(pl.col(lower).alias("source"), pl.col(upper).alias("target"), ROW) for upper, lower in steps]
    is_edge = (pl.col("source") != "") & (pl.col("target") != "")
    ordered = pl.concat(edges).filter(is_edge).sort(ROW, maintain_order=True)
    return EdgeList(edges=ordered.unique(ENDS, keep="first", maintain_order=True), warnings=table.warnings)


def _one_name_a_row(table: Table, role: str, bad: BadRecords, *, listed: bool) -> Table:
    """Give each name of a list a row of its own; of an empty list of parents there is one with null, and of children none."""
    column = table.frame[role] if role in table.frame.columns else pl.Series([], dtype=pl.String)
    if listed and column.dtype == pl.String and column.str.contains(r"^[\[{]").any():
        return _spread_lists(table, role, bad)
    if column.dtype == pl.String:
        return table
    inner = getattr(column.dtype, "inner", None)
    if inner is None or not (inner in (pl.String, pl.Null) or inner.is_integer()):
        raise InputError(
            f"The column {table.called.get(role, role)!r} has values of the type {column.dtype}.",
            expected="one text or number per cell, or a list of such",
        )
    nothing = pl.Series([[None]], dtype=pl.List(pl.String))
    # Versions of polars differ in whether an empty list has a row.
    lists = pl.when(pl.col(role).list.len() == 0).then(pl.lit(nothing.first())).otherwise(pl.col(role))
    frame = table.frame.with_columns(column.cast(pl.List(pl.String)))
    if role != "target":
        frame = frame.filter(pl.col(role).list.len().fill_null(1) > 0)
    return replace(table, frame=frame.with_columns(lists.alias(role)).explode(role))


def _spread_lists(table: Table, role: str, bad: BadRecords) -> Table:
    """Give each name of a list of JSON a row of its own; polars would take a thousand bytes for each list of Python."""
    # A node with an empty list of parents is a root.
    empty: list[str | None] = [None] if role == "target" else []
    lists = [[None] if cell is None else _list_in(cell, empty) for cell in table.frame[role]]
    bad_rows = [row for row, parents in enumerate(lists) if parents is None]
    for cell, row in table.frame[bad_rows].select(role, ROW).iter_rows():
        error = RecordError(
            f"The {table.called.get(role, 'parent')} is an object, or a list of others than texts.",
            expected="one text or number, or a list of these",
        )
        bad.add(locate_error(error, {role: cell, ROW: row}, line_of=table.line_of))
    kept = [(row, parents) for row, parents in enumerate(lists) if parents is not None]
    rows = np.repeat([row for row, _ in kept], [len(parents) for _, parents in kept])
    parents = list(chain.from_iterable(parents for _, parents in kept))
    return replace(table, frame=table.frame[rows].with_columns(pl.Series(role, parents, dtype=pl.String)))


def _list_in(cell: str, empty: list[str | None]) -> list[str | None] | None:
    """Read a cell of `name_cell`; None stands for an object, or a list of others than names."""
    found = parse_json(cell) if cell.startswith(("[", "{")) else [cell]
    if isinstance(found, dict) or any(isinstance(one, list | dict) for one in found):
        return None
    return [cell_of(one) for one in found if one is not None] or empty


def _edges_of_nodes(table: Table, bad: BadRecords) -> EdgeList:
    """Make edges of rows that are a node, perhaps its name, and its parent by id or name; a node without a parent is a root."""
    # The parent of a root is called # by jsTree.
    table = replace(table, frame=table.frame.with_columns(pl.col("target").fill_null("").replace({"#": ""})))
    table = without_nothing(table, ["target"], [role for role in ("node", "text") if role in table.roles])
    table = _by_names(table)
    table = table.fill(bad, blank=[role for role in table.roles if role != "node"])
    table, names = _with_ids(table, bad) if "text" in table.roles else (table, {})
    edges = table.frame.filter(pl.col("target") != "").select(pl.col("node").alias("source"), "target", ROW)
    nodes = tuple(table.frame["node"].unique(maintain_order=True))
    return EdgeList(edges=edges, texts=names, nodes=nodes, warnings=table.warnings)


def without_nothing(table: Table, roles: Sequence[str], named: Sequence[str]) -> Table:
    """Empty the cells that stand for nothing, unless something is called so in the columns of names; they are counted."""
    is_nothing = {role: table.frame[role].is_in(NOTHING) for role in roles}
    if not any(cells.any() for cells in is_nothing.values()):
        return table
    known = set[str]().union(*(table.frame[role].filter(table.frame[role].is_in(NOTHING)) for role in named))
    words = [word for word in NOTHING if word not in known]
    rows = sum(int(table.frame[role].is_in(words).sum()) for role in roles)
    frame = table.frame.with_columns(pl.col(role).replace(dict.fromkeys(words, "")) for role in roles)
    some = set[str]().union(*(table.frame[role].filter(cells) for role, cells in is_nothing.items())).difference(known)
    return replace(table, frame=frame, warnings=(*table.warnings, *warn_of_nothing(rows, some)))


def warn_of_nothing(rows: int, words: Iterable[str]) -> tuple[str, ...]:
    """Write the warning that some words stand for nothing."""
    some = ", ".join(map(repr, sorted(words)))
    return (f"{rows:,} {'cell is' if rows == 1 else 'cells are'} read as no name: {some}",) * (rows > 0)


def _by_names(table: Table) -> Table:
    """Compare terms by their names where the ids only number the rows: no parent is one of them."""
    above, text = (bare(table.called.get(role, "")) for role in ("target", "text"))
    if (
        text not in WEAK
        or above.endswith(ENDS_OF_IDS)
        or table.frame["target"].is_in(table.frame["node"].implode()).any()
    ):
        return table
    return replace(table, frame=table.frame.drop("node").rename({"text": "node"}).select("node", "target", ROW))


def _with_ids(table: Table, bad: BadRecords) -> tuple[Table, dict[str, str]]:
    """Write the id of each parent that is given by its name, and return the names of all nodes."""
    named = table.frame.filter(pl.col("text") != "").select("node", "text").unique(maintain_order=True)
    twins = named.filter(pl.col("node").is_duplicated())["node"].to_list()
    frame = _checked(table, bad, pl.col("node").is_in(twins), "The node has several names.", "one name for each id")
    names = dict(named.iter_rows())
    others = set(frame["target"]) - set(frame["node"]) - {"", *TOPS}
    alike = Counter(names.values())
    by_name = {text: node for node, text in names.items() if text in others and alike[text] == 1}
    table = replace(table, frame=frame.with_columns(pl.col("target").replace(by_name)))
    unknown = others - by_name.keys()
    frame = _checked(
        table,
        bad,
        pl.col("target").is_in(list(unknown)),
        "The parent is not a node of the table.",
        "the id or the name of a node, or nothing for a root",
        hint=OF_ROOTS if unknown <= ROOTS else HINT,
    )
    return replace(table, frame=frame), names


def _checked(table: Table, bad: BadRecords, rows: Any, message: str, expected: str, *, hint: str = HINT) -> Any:
    """Refuse some rows of a table, and return the frame of the others."""
    check = RowCheck(rows, lambda _: RecordError(message, expected=expected, hint=hint))
    here: Any = table.frame
    return validate_rows(here, [check], bad=bad, engine=HERE, line_of=table.line_of)[0]
