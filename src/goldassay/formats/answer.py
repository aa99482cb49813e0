"""Model output as it is: prose and code fences around a table, an outline, arrows, sentences, a diagram or JSON."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Literal, NamedTuple, TypeAlias

from goldassay.core.errors import InputError
from goldassay.core.text import LISTED, one_line
from goldassay.formats.answer_diagrams import DOT, MERMAID, read_dot, read_mermaid
from goldassay.formats.answer_json import is_rows, read_nested, rows_of
from goldassay.formats.answer_lines import IS_A, Statement, lines_of_answer, manchester, outline, statements_of_line
from goldassay.formats.documents import parse_json
from goldassay.formats.literals import parse_literal
from goldassay.formats.roles import EDGES
from goldassay.formats.source import Source, text_of

Arrows: TypeAlias = Literal["child-parent", "parent-child"]
FENCE = re.compile(r"[ \t]*(```+|~~~+)[ \t]*([\w+#-]*)")
FENCED = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
CELL = re.compile(r"(?<!\\)\|")
OPENS, CLOSES = re.compile(r"^[ \t]*[\[{]", re.MULTILINE), re.compile(r"[\]}][ \t]*[;,]?[ \t]*$", re.MULTILINE)
MOST_PROSE = 1 / 3
"""A larger share of lines that are not read is a warning."""
HALF = 0.5
LOOKED_AT = 2**13
HEAD = ("child", "relation", "parent")


class Parsed(NamedTuple):
    """What one text holds.

    Attributes:
        shape: What it is, for people.
        statements: Its statements, unless it is a table.
        taken: The numbers of the lines that were read.
        table: The header and the rows of a table.
        down: Whether arrows lead from parents to children, as far as the layout says so.
    """

    shape: str
    statements: Sequence[Statement]
    taken: set[int]
    table: Sequence[Sequence[str]] = ()
    down: bool | None = None


class Answer(NamedTuple):
    """Model output as a file that other readers take.

    Attributes:
        source: The file without prose: the content of a fence with its lines, or a table of statements.
        format: Its format; None if it is to be recognised.
        note: How it was read.
        warnings: What changes the meaning of a number.
        prose: The lines that were not read, with their numbers.
    """

    source: Source
    format: str | None
    note: str
    warnings: tuple[str, ...] = ()
    prose: tuple[tuple[int, str], ...] = ()


def is_answer(start: str) -> bool:
    r"""Return whether the beginning of a file is model output: a fence, a diagram, or lines most of which are statements.

    Example:
        >>> is_answer("Sure! Here it is:\n- animal\n  - dog\n  - cat"), is_answer("once upon a time")
        (True, False)
    """
    text = start[:LOOKED_AT]
    if FENCED.search(text) or MERMAID.match(text) or DOT.match(text):
        return True
    parsed, lines = _parse(text, 1), _numbered(text)
    return parsed is not None and sum(number in parsed.taken for number, _ in lines) >= HALF * len(lines)


def read_answer(source: Source, arrows: Arrows | None = None) -> Answer:
    r"""Turn model output into a file that other readers take, and say how.

    Args:
        source: The file.
        arrows: Which side of an arrow without a name is the child; found by the shape of the graph if None.

    Raises:
        InputError: If nothing in it is a statement, or the direction of its arrows cannot be found.

    Example:
        >>> text = b"A dog is an animal."
        >>> answer = read_answer(Source(path="a.txt", name="a.txt", data=text, size=len(text)))
        >>> answer.source.data, answer.format, answer.note
        (b'child,parent\ndog,animal\n', 'csv', 'read as sentences')
    """
    text = text_of(source)
    if batch := _batch(text):
        return _of_batch(source, batch, arrows)
    lines, blocks = _numbered(text), _blocks(text)
    if len(blocks) == 1 and _of_syntax(blocks[0][1], 1) is None:
        # What is in the fence is a file of its own, on the lines that it had.
        (first, body), outside = blocks[0], _outside(text, blocks)
        whole = replace(source, data=("\n" * (first - 1) + body + "\n").encode())
        note, warnings = _of_prose(outside, len(lines))
        return Answer(whole, None, f"read from a code fence{note}", warnings, tuple(outside))
    found = [one for first, body in blocks or [(1, text)] if (one := _parse(body, first))]
    if not found:
        raise InputError(
            "The text contains no statement.",
            path=source.path,
            found=f"{len(text.splitlines()):,} lines of text",
            expected="'A is a B', 'A -> B', an indented list, a Markdown table, JSON, Mermaid or DOT",
        )
    taken = set().union(*(one.taken for one in found))
    prose = [(number, line) for number, line in lines if number not in taken and not (blocks and FENCE.match(line))]
    return _answer(source, found, prose, len(lines), arrows)


def _answer(
    source: Source, found: Sequence[Parsed], prose: Sequence[tuple[int, str]], total: int, arrows: Arrows | None
) -> Answer:
    """Write what was parsed as a table, and say how it was read."""
    shapes = " and ".join(dict.fromkeys(one.shape for one in found))
    guesses: list[str] = []
    rows = found[0].table
    if len(found) > 1 or not rows:
        statements = [one for part in found for one in _statements(part)]
        down = next((part.down for part in found if part.down is not None), None)
        statements, guesses = _directed(source, statements, arrows, down)
        # Where all are of subclasses, a column of relations says nothing.
        pick = (1, 3) if all(one.relation == IS_A for one in statements) else (1, 2, 3)
        rows = [[HEAD[at - 1] for at in pick], *([str(one[at]) for at in pick] for one in statements)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    more, unread = _of_prose(prose, total)
    table = replace(source, data=out.getvalue().encode(), name=f"{source.name}.csv")
    return Answer(table, "csv", f"read as {shapes}{more}", (*guesses, *unread), tuple(prose))


def _of_prose(prose: Sequence[tuple[int, str]], total: int) -> tuple[str, tuple[str, ...]]:
    """Write a note about the lines that were not read, and a warning if these are many."""
    if not prose:
        return "", ()
    unread = f"{len(prose):,} of {total:,} lines were not read: {_listed(prose)}"
    return f"; {unread}", (unread,) if len(prose) > MOST_PROSE * total else ()


def _listed(prose: Sequence[tuple[int, str]]) -> str:
    some = ", ".join(f"line {number} ({one_line(line)[:40]!r})" for number, line in prose[:LISTED])
    return some + (", ..." if len(prose) > LISTED else "")


def _directed(
    source: Source, statements: list[Statement], arrows: Arrows | None, down: bool | None
) -> tuple[list[Statement], list[str]]:
    """Turn arrows without a name so that they lead from child to parent: by the option, the layout, or the shape of the graph."""
    loose = [one for one in statements if not one.directed]
    if not loose:
        return statements, []
    down, guesses = arrows == "parent-child" if arrows else down, []
    if down is None:
        out, into = _branching(loose, 1, 3), _branching(loose, 3, 1)
        if out == into and len(loose) > 1:
            raise InputError(
                "The direction of the arrows is not clear.",
                path=source.path,
                line=loose[0].line or None,
                found=f"{loose[0].subject} -> {loose[0].object}",
                expected="arrows from child to parent, or from parent to child",
                hint="--arrows child-parent or --arrows parent-child",
            )
        down = out > into
        way = "parent to child" if down else "child to parent"
        guesses = [
            f"arrows are read from {way} (a guess by the shape of the graph; --arrows child-parent or parent-child says it)"
        ]
    if not down:
        return statements, guesses
    return [
        one if one.directed else one._replace(subject=one.object, object=one.subject) for one in statements
    ], guesses


def _branching(statements: Sequence[Statement], here: int, there: int) -> int:
    """Count the nodes with several neighbours on one side."""
    seen: dict[Any, set[Any]] = {}
    for one in statements:
        seen.setdefault(one[here], set()).add(one[there])
    return sum(len(others) > 1 for others in seen.values())


def _numbered(text: str) -> list[tuple[int, str]]:
    return [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _blocks(text: str) -> list[tuple[int, str]]:
    """List the contents of code fences with the number of their first line; a fence that is not closed ends with the text."""
    found: list[tuple[int, list[str]]] = []
    mark = ""
    for number, line in enumerate(text.split("\n"), start=1):
        fence = FENCE.match(line)
        if fence and not mark:
            mark = fence[1]
            found.append((number + 1, []))
        elif fence and fence[1].startswith(mark[:3]) and not fence[2]:
            mark = ""
        elif mark:
            found[-1][1].append(line)
    return [(first, "\n".join(lines)) for first, lines in found if any(map(str.strip, lines))]


def _outside(text: str, blocks: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    inside = {number for first, body in blocks for number in range(first, first + body.count("\n") + 1)}
    return [(number, line) for number, line in _numbered(text) if number not in inside and not FENCE.match(line)]


def _parse(text: str, first: int) -> Parsed | None:
    """Parse one text, in whichever shape it is; None if in none."""
    return _of_syntax(text, first) or _of_lines(text, first)


def _of_lines(text: str, first: int) -> Parsed | None:
    """Parse lines: frames of Manchester syntax, statements one by one, or an outline."""
    lines = lines_of_answer(text, first)
    found, taken = manchester(lines)
    if found:
        return Parsed("Manchester syntax", found, taken)
    by_line = {line.number: rows for line in lines if (rows := statements_of_line(line))}
    nested, nodes = ([], set[int]()) if by_line and 2 * len(by_line) >= len(lines) else outline(lines)
    if nested and len(nodes) > len(by_line):
        return Parsed("an outline", nested, nodes)
    listed = [one for rows in by_line.values() for one in rows]
    return Parsed(_shape(listed, text), listed, set(by_line)) if listed else None


def _shape(statements: Sequence[Statement], text: str) -> str:
    if any(not one.directed for one in statements):
        return "arrows"
    return "sentences" if any(one.relation == IS_A for one in statements) and "⊑" not in text else "statements"


def _of_syntax(text: str, first: int) -> Parsed | None:
    """Parse a diagram, JSON or a Markdown table."""
    if MERMAID.match(text) or DOT.match(text):
        diagram = read_mermaid(text, first) if MERMAID.match(text) else read_dot(text, first)
        return Parsed("a diagram", diagram.statements, diagram.taken, down=diagram.down) if diagram.statements else None
    for value, taken in _values(text, first):
        if is_rows(value):
            rows = rows_of(value)
            names = list(dict.fromkeys(key for row in rows for key in row))
            cells = [["" if row.get(name) is None else str(row[name]) for name in names] for row in rows]
            return Parsed("JSON", (), taken, table=[names, *cells])
        if found := read_nested(value):
            return Parsed("JSON", found, taken)
    return _markdown(text, first)


def _values(text: str, first: int) -> Iterator[tuple[Any, set[int]]]:
    """Parse the JSON, or the list of Python, between the first bracket at the beginning of a line and the last at the end of one."""
    begin = OPENS.search(text)
    ends = [found.end() for found in CLOSES.finditer(text)]
    if begin is None or not ends or ends[-1] <= begin.start():
        return
    inner = text[begin.start() : ends[-1]].strip().rstrip(";,")
    line = first + text.count("\n", 0, begin.start())
    try:
        yield parse_literal(inner), set(range(line, line + inner.count("\n") + 1))
    except (ValueError, RecursionError):
        return


def _markdown(text: str, first: int) -> Parsed | None:
    """Read the first Markdown table: a header, a rule below it, and the rows up to a line without a bar."""
    lines = text.split("\n")
    for head in range(len(lines) - 1):
        rule = lines[head + 1].strip()
        if "|" in lines[head] and "-" in rule and RULE.fullmatch(rule):
            rows = list(takewhile(lambda line: "|" in line, lines[head + 2 :]))
            taken = set(range(first + head, first + head + 2 + len(rows)))
            return Parsed("a Markdown table", (), taken, table=[*map(_cells, [lines[head], *rows])]) if rows else None
    return None


def _cells(line: str) -> list[str]:
    cells = CELL.split(line.strip().removeprefix("|").removesuffix("|"))
    return [re.sub(r"^(?:\*\*|`|_)|(?:\*\*|`|_)$", "", cell.strip().replace("\\|", "|")) for cell in cells]


def _batch(text: str) -> list[tuple[int, str]]:
    """List the answers of a batch file of OpenAI or Anthropic: line and text; nothing if it is none."""
    if '"custom_id"' not in text[:LOOKED_AT]:
        return []
    found = []
    for number, line in _numbered(text):
        try:
            record = parse_json(line)
        except (ValueError, RecursionError):
            return []
        if not isinstance(record, dict) or "custom_id" not in record:
            return []
        found.append((number, "\n".join(_texts(record))))
    return found


def _texts(record: Mapping[str, Any]) -> Iterator[str]:
    """List the texts of one answer: messages of chat completions, of responses, and of Anthropic."""
    body = _at(record, "response", "body")
    choices = [_at(choice, "message") for choice in _list(_at(body, "choices"))]
    for one in (*choices, *_list(_at(body, "output")), _at(record, "result", "message")):
        content = _at(one, "content")
        texts = [content] if isinstance(content, str) else [_at(part, "text") for part in _list(content)]
        yield from (text for text in texts if isinstance(text, str))


def _at(value: Any, *keys: str) -> Any:
    """Follow keys into nested objects; None where one is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _of_batch(source: Source, batch: Sequence[tuple[int, str]], arrows: Arrows | None) -> Answer:
    """Read the answers of a batch file one by one; those without a statement are lines that were not read."""
    found: list[Parsed] = []
    for number, text in batch:
        parsed = [_parse(body, 1) for _, body in _blocks(text) or [(1, text)]]
        rows = [one._replace(line=number) for part in parsed if part for one in _statements(part)]
        found += [Parsed("a batch of answers", rows, {number})] if rows else []
    read = {number for one in found for number in one.taken}
    return _answer(source, found, [one for one in batch if one[0] not in read], len(batch), arrows)


def _statements(parsed: Parsed) -> Sequence[Statement]:
    """Return statements, of a table too: its columns by their names; none if these say nothing."""
    if not parsed.table:
        return parsed.statements
    names, *rows = parsed.table
    if not EDGES.recognises(names):
        return ()
    places = EDGES.chosen(names, path=parsed.shape, always=True).places
    get = [places.get(slot) for slot in ("source", "relation", "target")]
    cells = [[IS_A if at is None or at >= len(row) else row[at] for at in get] for row in rows]
    return [
        Statement(0, child, relation, parent) for child, relation, parent in cells if child.strip() and parent.strip()
    ]
