"""Model output as it is: prose and code fences around a table, an outline, arrows, sentences, a diagram or JSON."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

from goldassay.core.errors import InputError
from goldassay.core.text import LISTED, one_line
from goldassay.formats.answer_diagrams import DOT, MERMAID, Diagram, read_dot, read_mermaid
from goldassay.formats.answer_json import is_rows, read_nested, rows_of
from goldassay.formats.answer_lines import IS_A, Statement, lines_of_answer, manchester, outline, statements_of_line
from goldassay.formats.documents import parse_json
from goldassay.formats.literals import parse_literal
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
HEADS = {False: ("child", "relation", "parent"), True: ("subject", "predicate", "object")}


class Parsed(NamedTuple):
    """What one text holds.

    Attributes:
        shape: What it is, for people.
        statements: Its statements, unless it is a table.
        taken: The numbers of the lines that were read; None for all.
        table: The header and the rows of a table.
        down: Whether arrows lead from parents to children, as far as the layout says so.
    """

    shape: str
    statements: Sequence[Statement] = ()
    taken: set[int] | None = None
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


def is_answer(start: str, *, triples: bool = False) -> bool:
    r"""Return whether the beginning of a file is model output: a fence, a diagram, or lines most of which are statements.

    Example:
        >>> is_answer("Sure! Here it is:\n- animal\n  - dog\n  - cat"), is_answer("once upon a time")
        (True, False)
    """
    text = start[:LOOKED_AT]
    if FENCED.search(text) or MERMAID.match(text) or DOT.match(text):
        return True
    parsed = _parse(text, 1, triples=triples)
    return parsed is not None and bool(parsed.table or parsed.statements) and _share(parsed, text) >= HALF


def read_answer(source: Source, *, triples: bool = False, arrows: Arrows | None = None) -> Answer:
    r"""Turn model output into a file that other readers take, and say how.

    Args:
        source: The file.
        triples: Whether statements have a predicate; else a missing relation is that of a subclass.
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
    batch = _batch(text)
    if batch:
        return _of_batch(source, batch, triples=triples, arrows=arrows)
    blocks = _blocks(text)
    prose = _outside(text, blocks) if blocks else []
    if len(blocks) == 1 and (inner := _whole(source, blocks[0])):
        note, warnings = _of_prose(prose, len(_numbered(text)))
        return inner._replace(note=inner.note + note, warnings=warnings, prose=tuple(prose))
    parsed = [_parse(body, first, triples=triples) for first, body in blocks or [(1, text)]]
    found = [one for one in parsed if one and (one.table or one.statements)]
    if not found:
        raise InputError(
            "The text contains no statement.",
            path=source.path,
            found=f"{len(text.splitlines()):,} lines of text",
            expected="'A is a B', 'A -> B', an indented list, a Markdown table, JSON, Mermaid or DOT",
        )
    if not blocks and found[0].taken is not None:
        prose = [(number, line) for number, line in _numbered(text) if number not in found[0].taken]
    return _answer(source, found, [], prose, total=len(_numbered(text)), triples=triples, arrows=arrows)


def _answer(
    source: Source,
    found: Sequence[Parsed],
    ids: Sequence[str],
    prose: Sequence[tuple[int, str]],
    *,
    total: int,
    triples: bool,
    arrows: Arrows | None,
) -> Answer:
    """Write what was parsed as a table, and say how it was read."""
    shapes = " and ".join(dict.fromkeys(one.shape for one in found))
    warnings = []
    if found[0].table and not ids:
        data = _table(found[0].table)
    else:
        statements, guessed = _directed(source, found, arrows)
        warnings += [guessed] if guessed else []
        data = _table(_rows(statements, ids, triples=triples))
    more, unread = _of_prose(prose, total)
    table = replace(source, data=data, name=f"{source.name}.csv")
    return Answer(table, "csv", f"read as {shapes}{more}", (*warnings, *unread), tuple(prose))


def _of_prose(prose: Sequence[tuple[int, str]], total: int) -> tuple[str, tuple[str, ...]]:
    """Write a note about the lines that were not read, and a warning if these are many."""
    if not prose:
        return "", ()
    unread = f"{len(prose):,} of {total:,} lines were not read: {_listed(prose)}"
    return f"; {unread}", (unread,) if len(prose) > MOST_PROSE * total else ()


def _listed(prose: Sequence[tuple[int, str]]) -> str:
    some = ", ".join(f"line {number} ({one_line(line)[:40]!r})" for number, line in prose[:LISTED])
    return some + (", ..." if len(prose) > LISTED else "")


def _rows(statements: Sequence[Statement], ids: Sequence[str], *, triples: bool) -> Iterator[Sequence[str]]:
    """Lay statements out as rows; a column of relations is left out where all are of subclasses."""
    head = HEADS[triples]
    plain = not triples and all(one.relation == IS_A for one in statements)
    pick = (1, 3) if plain else (1, 2, 3)
    called = (["id"] if ids else []) + [head[at - 1] for at in pick]
    yield called
    for place, one in enumerate(statements):
        yield [*([ids[place]] if ids else []), *(str(one[at]) for at in pick)]


def _table(rows: Any) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _directed(source: Source, found: Sequence[Parsed], arrows: Arrows | None) -> tuple[list[Statement], str]:
    """Turn arrows without a name so that they lead from child to parent: by the option, the layout, or the shape of the graph."""
    loose = [one for part in found for one in part.statements if not one.directed]
    statements = [one for part in found for one in part.statements]
    if not loose:
        return statements, ""
    down = arrows == "parent-child" if arrows else next((part.down for part in found if part.down is not None), None)
    guess = ""
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
        guess = f"arrows are read from {way} (a guess by the shape of the graph; --arrows child-parent or parent-child says it)"
    if not down:
        return statements, guess
    return [one if one.directed else one._replace(subject=one.object, object=one.subject) for one in statements], guess


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


def _whole(source: Source, block: tuple[int, str]) -> Answer | None:
    """Keep the content of a fence as the file, on its own lines, where another reader may know it."""
    first, body = block
    if _parse_other(body, triples=False) is not None:
        return None
    data = ("\n" * (first - 1) + body + "\n").encode()
    return Answer(replace(source, data=data), None, "read from a code fence")


def _parse(text: str, first: int, *, triples: bool) -> Parsed | None:
    """Parse one text, in whichever shape it is; None if in none."""
    if (parsed := _parse_other(text, triples=triples, first=first)) is not None:
        return parsed
    lines = lines_of_answer(text, first)
    found, taken = manchester(lines)
    if found:
        return Parsed("Manchester syntax", found, taken)
    by_line = {line.number: rows for line in lines if (rows := statements_of_line(line, triples=triples))}
    listed = [one for rows in by_line.values() for one in rows]
    if by_line and 2 * len(by_line) >= len(lines):
        return Parsed(_shape(listed, text), listed, set(by_line))
    nested, nodes = ([], set[int]()) if triples else outline(lines)
    if nested and len(nodes) > len(by_line):
        return Parsed("an outline", nested, nodes)
    return Parsed(_shape(listed, text), listed, set(by_line)) if listed else None


def _shape(statements: Sequence[Statement], text: str) -> str:
    if any(not one.directed for one in statements):
        return "arrows"
    return "sentences" if any(one.relation == IS_A for one in statements) and "⊑" not in text else "statements"


def _parse_other(text: str, *, triples: bool, first: int = 1) -> Parsed | None:
    """Parse a diagram, JSON or a Markdown table."""
    diagram: Diagram | None = None
    if MERMAID.match(text):
        diagram = read_mermaid(text, first)
    elif DOT.match(text):
        diagram = read_dot(text, first)
    if diagram is not None:
        return Parsed("a diagram", diagram.statements, diagram.taken, down=diagram.down)
    for value, taken in _values(text, first):
        if is_rows(value):
            rows = rows_of(value)
            names = list(dict.fromkeys(key for row in rows for key in row))
            cells = [["" if row.get(name) is None else str(row[name]) for name in names] for row in rows]
            return Parsed("JSON", table=[names, *cells], taken=taken)
        if found := read_nested(value, triples=triples):
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
    """Read the rows of Markdown tables; a table has a rule below its header."""
    rows: list[list[str]] = []
    taken: set[int] = set()
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if "|" not in line or (rows and not line.strip().startswith("|") and first + place - 1 not in taken):
            continue
        rule = place + 1 < len(lines) and "-" in lines[place + 1] and RULE.fullmatch(lines[place + 1].strip())
        if rows and first + place - 1 in taken and not RULE.fullmatch(line.strip()):
            rows.append(_cells(line))
            taken.add(first + place)
        elif rule and not rows:
            rows.append(_cells(line))
            taken |= {first + place, first + place + 1}
        elif first + place in taken:
            continue
    return Parsed("a Markdown table", table=rows, taken=taken) if len(rows) > 1 else None


def _cells(line: str) -> list[str]:
    cells = CELL.split(line.strip().removeprefix("|").removesuffix("|"))
    return [re.sub(r"^(?:\*\*|`|_)|(?:\*\*|`|_)$", "", cell.strip().replace("\\|", "|")) for cell in cells]


def _share(parsed: Parsed, text: str) -> float:
    lines = _numbered(text)
    return 1.0 if parsed.taken is None else len(parsed.taken & {number for number, _ in lines}) / max(len(lines), 1)


def _batch(text: str) -> list[tuple[int, str, str]]:
    """List the answers of a batch file of OpenAI or Anthropic: line, id and text; nothing if it is none."""
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
        found.append((number, str(record["custom_id"]), "\n".join(_texts(record))))
    return found


def _texts(record: dict[str, Any]) -> Iterator[str]:
    """List the texts of one answer: messages of chat completions, of responses, and of Anthropic."""
    body = (record.get("response") or {}).get("body") or {}
    choices = [choice.get("message") or {} for choice in body.get("choices") or []]
    message = ((record.get("result") or {}).get("message")) or {}
    for one in (*choices, *(body.get("output") or []), message):
        content = one.get("content")
        if isinstance(content, str):
            yield content
        elif isinstance(content, list):
            yield from (
                part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
            )


def _of_batch(source: Source, batch: Sequence[tuple[int, str, str]], *, triples: bool, arrows: Arrows | None) -> Answer:
    """Read the answers of a batch file one by one; ids name the documents of triples."""
    found: list[Parsed] = []
    ids: list[str] = []
    unread: list[tuple[int, str]] = []
    for number, name, text in batch:
        parsed = [_parse(body, 1, triples=triples) for _, body in _blocks(text) or [(1, text)]]
        rows = [one for part in parsed if part for one in _statements(part, triples=triples)]
        if not rows:
            unread.append((number, text))
        found.append(Parsed("a batch of answers", [one._replace(line=number) for one in rows]))
        ids += [name] * len(rows)
    return _answer(source, found, ids if triples else [], unread, total=len(batch), triples=triples, arrows=arrows)


def _statements(parsed: Parsed, *, triples: bool) -> Sequence[Statement]:
    """Return statements, of a table too: its columns by their names."""
    if not parsed.table:
        return parsed.statements
    from goldassay.formats.roles import EDGES, TRIPLES

    roles, slots = (
        (TRIPLES, ("subject", "predicate", "object")) if triples else (EDGES, ("source", "relation", "target"))
    )
    names, *rows = parsed.table
    places = roles.chosen(names, path="answer", always=True).places
    get = [places.get(slot) for slot in slots]
    found = [[IS_A if at is None or at >= len(row) else row[at] for at in get] for row in rows]
    return [
        Statement(0, subject, relation, end)
        for subject, relation, end in found
        if subject.strip() and relation.strip() and end.strip()
    ]
