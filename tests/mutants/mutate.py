"""Small changes of a source file: one operator, one comparison, one condition or one number at a time."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
# What is called wherever a place is run, while tests are recorded.
PROBE = "__probe__"
# These say how code is checked or shown, and change no number.
SKIPPED_KEYWORDS = {"strict", "help", "repr", "compare", "kw_only", "frozen", "slots", "stacklevel"}


class Place(NamedTuple):
    """What can be changed.

    Attributes:
        node: The node.
        number: Which of its parts.
        shown: The code to show around it.
        scope: The function or class it lies in.
        function: The outermost function whose body it lies in, by name and first line; None if it is run on import.
    """

    node: ast.AST
    number: int
    shown: ast.AST
    scope: str
    function: tuple[str, int] | None


@dataclass(frozen=True)
class Mutant:
    """One change.

    Attributes:
        path: The file, from ``src/goldassay``.
        scope: The function or class it lies in.
        line: Its line.
        before: The code around it.
        after: The same code, changed.
        number: 1, or which of several equal changes of this scope it is.
        place: Which place of the file it is, counted as ``places`` counts.
        function: The outermost function it lies in, by name and first line, if it is not run on import.
    """

    path: str
    scope: str
    line: int
    before: str
    after: str
    number: int
    place: int
    function: tuple[str, int] | None

    @property
    def key(self) -> str:
        """What names it, as long as its own code stays: lines and code around it may move."""
        number = f" #{self.number}" if self.number > 1 else ""
        return f"{self.path} {self.scope}: {self.before} -> {self.after}{number}"

    def order(self, seed: str) -> str:
        """Give its place in an arbitrary order that stays."""
        return hashlib.sha256(f"{seed}{self.key}".encode()).hexdigest()


def mutants(path: str, source: str) -> list[Mutant]:
    """List every change of a file.

    Example:
        >>> for one in mutants("a.py", "def half(x):\\n    return x / 2 if x > 0 else None"):
        ...     print(one.key)
        a.py half: x > 0 -> x >= 0
        a.py half: x > 0 -> x > 1
        a.py half: x / 2 -> x * 2
        a.py half: x / 2 -> x / 3
    """
    found, seen = [], Counter[tuple[str, str, str]]()
    for place, at in enumerate(_places(ast.parse(source))):
        copies: dict[int, ast.AST] = {}
        shown = copy.deepcopy(at.shown, copies)
        before = _text(shown)
        _change(copies[id(at.node)], at.number)
        after = _text(shown)
        seen[at.scope, before, after] += 1
        number = seen[at.scope, before, after]
        found.append(Mutant(path, at.scope, at.node.lineno, before, after, number, place, at.function))
    return found


def changed(source: str, place: int) -> ast.Module:
    """Return the syntax tree of a file with the change at one place."""
    tree = ast.parse(source)
    at = next(found for number, found in enumerate(_places(tree)) if number == place)
    _change(at.node, at.number)
    return ast.fix_missing_locations(tree)


def probed(path: str, source: str) -> ast.Module:
    """Return the syntax tree of a file that calls ``PROBE`` with its path and the place wherever a place is run."""
    tree = ast.parse(source)
    probes: dict[int, list[ast.expr]] = {}
    for number, at in enumerate(_places(tree)):
        call = f"{PROBE}(({path!r}, {number}))"
        probes.setdefault(id(at.node), []).append(ast.parse(call, mode="eval").body)
    return ast.fix_missing_locations(_Probing(probes).visit(tree))


class _Probing(ast.NodeTransformer):
    """Puts probes before what is run; they return None."""

    def __init__(self, probes: Mapping[int, list[ast.expr]]) -> None:
        self.probes = probes

    def visit(self, node: ast.AST) -> Any:
        """Put the probes of a node before it, or into its condition."""
        probes = self.probes.get(id(node), [])
        self.generic_visit(node)
        if isinstance(node, ast.If | ast.While | ast.IfExp) and probes:
            node.test = ast.copy_location(ast.BoolOp(ast.Or(), [*probes, node.test]), node.test)
        elif isinstance(node, ast.AugAssign):
            return [*(ast.copy_location(ast.Expr(one), node) for one in probes), node]
        elif isinstance(node, ast.expr) and probes:
            return ast.copy_location(ast.BoolOp(ast.Or(), [*probes, node]), node)
        return node


def _places(tree: ast.Module) -> Iterator[Place]:
    """Walk over all that can be changed."""

    def walk(node: ast.AST, around: Place) -> Iterator[Place]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            around = around._replace(scope=f"{around.scope}.{node.name}".lstrip("."))
        for number in range(_changes(node)):
            shown = node if isinstance(node, ast.BinOp | ast.Compare | ast.BoolOp) else around.shown
            yield around._replace(node=node, number=number, shown=shown)
        for name, field in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_params"}:
                continue
            inside = around
            if isinstance(node, ast.FunctionDef) and name == "body" and not around.function:
                first = min(one.lineno for one in [node, *node.decorator_list])
                inside = around._replace(function=(around.scope, first))
            for child in field if isinstance(field, list) else [field]:
                if isinstance(child, ast.keyword) and child.arg in SKIPPED_KEYWORDS:
                    continue
                if isinstance(child, ast.AST):
                    shown = child if isinstance(child, ast.stmt) else _smaller(node, around.shown)
                    yield from walk(child, inside._replace(shown=shown))

    return walk(tree, Place(tree, 0, tree, "", None))


def _smaller(node: ast.AST, shown: ast.AST) -> ast.AST:
    """Show the nearest expression around a change; of a statement its own line."""
    return node if isinstance(node, ast.expr | ast.keyword) else shown


def _changes(node: ast.AST) -> int:
    """Count the ways to change a node."""
    match node:
        case ast.BinOp(left=left, right=right):
            # `str | None` is a type.
            return not any(isinstance(one, ast.Constant) and one.value is None for one in (left, right))
        case ast.Compare(ops=ops):
            return len(ops)
        case ast.AugAssign() | ast.BoolOp() | ast.UnaryOp(op=ast.Not() | ast.USub()):
            return 1
        case ast.Constant(value=value):
            return isinstance(value, int | float)
        case ast.IfExp(test=test) | ast.If(test=test) | ast.While(test=test):
            typing = isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
            return isinstance(test, ast.Name | ast.Attribute | ast.Call) and not typing
    return 0


def _change(node: ast.AST, number: int) -> None:
    match node:
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp():
            node.op = SWAPS[type(node.op)]()
        case ast.Compare():
            node.ops[number] = SWAPS[type(node.ops[number])]()
        case ast.UnaryOp(op=ast.USub()):
            node.op = ast.UAdd()
        case ast.UnaryOp():
            node.operand = _negated(node.operand)
        case ast.Constant(value=value):
            node.value = not value if isinstance(value, bool) else value + 1
        case ast.IfExp() | ast.If() | ast.While():
            node.test = _negated(node.test)


def _negated(node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), node), node)


def _text(node: ast.AST) -> str:
    """Write code on one line; of a compound statement its head."""
    return ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0]
