"""Trees of arguments to their paths: the nodes from the root to a leaf, joined to one text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.core.limits import DEPTH, LIST
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS
from goldassay.formats.literals import parse_literal

TEXTS = ("text", "name", "label", "title", "claim", "argument", "node")
CHILDREN = ("children", "child", "nodes", "subtrees", "arguments", "premises", "supports", "reasons")
ITEM = pattern_of(rf"(?P<indent>[ \t]*)(?:[{BULLETS}]|\d{{1,9}}[.)])[ \t]+(?P<text>\S.*)")
SEPARATOR = " "
"""Separator between two nodes of a path."""
TAB = 4
"""How many spaces a tab stands for."""


def paths_of(tree: Any, separator: str = SEPARATOR) -> list[str]:
    """List the paths of a tree from its root to its leaves, each as one text."""
    if isinstance(tree, str):
        tree = parse_literal(tree) if tree.lstrip().startswith(("{", "[")) else _outline(tree)
    found: list[str] = []
    for path in _paths(tree, (), ()):
        found.append(separator.join(path))
        LIST.check(len(found), "A tree has too many paths.")
    return found


def _paths(tree: Any, above: tuple[str, ...], within: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Walk down a tree; ``within`` are the objects on the way, among which none may come again."""
    if id(tree) in within and isinstance(tree, Mapping | list | tuple):
        raise ValueError("a tree that contains itself")
    DEPTH.check(len(within), "A tree is nested too deeply.")
    for text, children in _nodes(tree):
        path = (*above, " ".join(text.split()))
        if not path[-1]:
            raise ValueError("a node without a text")
        if children is None or children in ("", [], {}):
            yield path
        else:
            yield from _paths(children, path, (*within, id(tree)))


def _nodes(tree: Any) -> Iterator[tuple[str, Any]]:
    """List the nodes on one level, each with its children."""
    if isinstance(tree, str):
        yield tree, None
    elif isinstance(tree, list | tuple):
        for one in tree:
            if isinstance(one, list | tuple):
                raise TypeError("a list in a list, where a node is expected")
            yield from _nodes(one)
    elif isinstance(tree, Mapping):
        text = next((name for name in TEXTS if isinstance(tree.get(name), str)), None)
        if text is None:
            for name, children in tree.items():
                yield str(name), children
        else:
            yield tree[text], next((tree[name] for name in CHILDREN if tree.get(name)), None)
    else:
        raise TypeError(f"{tree!r:.80}, where a node is expected")


def _outline(text: str) -> list[dict[str, Any]]:
    """Read a nested Markdown list."""
    top: list[dict[str, Any]] = []
    above: list[tuple[int, list[dict[str, Any]]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        item = ITEM.fullmatch(line.rstrip())
        if item is None:
            raise ValueError(f"line {number} of a tree is not a list item: {line.strip()!r:.60}")
        depth = len(item["indent"].expandtabs(TAB))
        while above and above[-1][0] >= depth:
            above.pop()
        node: dict[str, Any] = {"text": item["text"], "children": []}
        (above[-1][1] if above else top).append(node)
        above.append((depth, node["children"]))
    return top
