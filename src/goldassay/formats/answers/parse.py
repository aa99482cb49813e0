"""One answer to what it states: a diagram, JSON, a table, lines or an outline, whichever it has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import LISTED, count_of, to_one_line
from goldassay.formats.answers.batch import FENCE, blocks_of, number_lines, without_programs
from goldassay.formats.answers.cypher import CYPHER, read_cypher
from goldassay.formats.answers.diagrams import DOT, OTHERS, read_dot, read_mermaid, read_python
from goldassay.formats.answers.empty import is_nothing
from goldassay.formats.answers.fields import fields
from goldassay.formats.answers.formal import manchester
from goldassay.formats.answers.json import objects_in, read_nested, read_stated, rows_of, values_in, values_of_xml
from goldassay.formats.answers.labels import LIKELY, is_label, label_of, with_heads, without_reasons
from goldassay.formats.answers.lines import (
    IN_QUOTES,
    NUMBERS,
    Line,
    RawStatement,
    hide_in_quotes,
    lines_of_answer,
    show,
)
from goldassay.formats.answers.means import IS_A, OF_EDGES, Meaning
from goldassay.formats.answers.names import COLONS, has_colon
from goldassay.formats.answers.outline import count_described, outline
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.answers.rows import state_rows
from goldassay.formats.answers.sections import is_bold, plain_lines, title_above
from goldassay.formats.answers.statements import (
    Statements,
    lists_at_colons,
    pairs_at_dashes,
    read_lines,
    rows_at_commas,
    spread_lists,
    without_remarks,
    without_verdicts,
)
from goldassay.formats.answers.tables import delimited_in, tables_in, toon_in
from goldassay.formats.answers.tree import Left
from goldassay.formats.answers.yaml import data_in
from goldassay.formats.builders import triples_in

DIAGRAM = pattern_of(
    r"^[ \t]*(?:(?:graph|flowchart)(?:[ \t]+(?:TB|TD|BT|RL|LR))?[ \t]*;?[ \t]*$|(?:classDiagram|mindmap|@start(?:uml|mindmap|wbs))\b"
    r"|(?:graph|flowchart)[ \t]+(?:TB|TD|BT|RL|LR)[ \t]*;|(?:strict[ \t]+)?(?:di)?graph\b[^\n{\[]{0,200}\{)",
    re.MULTILINE | re.IGNORECASE,
)
"""How the first line of a diagram of Mermaid, PlantUML or DOT begins."""
WORDS_OF_DIAGRAMS = ("graph", "flowchart", "classdiagram", "mindmap", "@start")
MAY_BE_OTHERS = ("Diagram", "Graph", "Chart", "C4", "\\")
BLANK = pattern_of(r"\n[ \t]*\n")
TAG = pattern_of(
    r"</?(?:html|head|body|table|caption|thead|tbody|tfoot|tr|t[hd]|[uod]l|li|d[td]|div|p|h[1-6]|section|article|pre|[bh]r)\b[^<>]{0,500}>",
    re.IGNORECASE,
)
"""How a line of HTML begins that is no text."""
NUMBERED_LIST = "a numbered list"
NUMBERED_LABEL = pattern_of(r"[*_]{0,2}(\d{1,5})[.:)][*_]{0,2}[ \t]++(\S.*)")
ARROWED = frozenset({"arrows", "tuples", "subset symbols"})
"""Shapes of lines that are hardly names."""
FIRST_ROWS = 100
"""So many say whether names are in brackets."""
LEAST_BELOW_HEADER = 2
"""A header and a statement."""
ROWS = (("rows", rows_at_commas), ("dashes", pairs_at_dashes), ("lists", lists_at_colons))
"""What is tried where no line by itself is a statement."""
NO_PAIRS = "no pairs: {} around the others, with a colon"
WITH_AND = "'and' is read as between names only if all are plurals, or have an article: {}"
NONE_LEFT: Mapping[str, int] = MappingProxyType({})
NONE: Mapping[tuple[int, str], Parsed] = MappingProxyType({})


class Text(NamedTuple):
    """One answer: what was found in it, the lines that were not read, how many lines it has, its id and line in a batch, and its only statement as it is written."""

    found: Sequence[Parsed]
    prose: Sequence[tuple[int, str]]
    total: int
    id: str = ""
    line: int = 0
    written: str = ""


def parse_text(text: str, meaning: Meaning, parsed: Mapping[tuple[int, str], Parsed] = NONE) -> Text:
    """Parse one answer, of which some blocks may be parsed already; lines that are in no shape are prose."""
    blocks = blocks_of(text)
    parts = blocks or [(1, without_programs(text))]
    every = (parsed.get(part) or _parse(*part[::-1], meaning, delimited=True) for part in parts)
    found = [_below_header(part, meaning) for one in every if one for part in (one, *one.more)]
    if "<" in text:
        _refuse_markup(found)
    lines = [row for row in number_lines(text) if not (blocks and FENCE.match(row[1]))]
    taken = found[0].taken if len(found) == 1 else set().union(*(one.taken for one in found))
    return Text(found, [row for row in lines if row[0] not in taken], len(lines))


def _refuse_markup(found: Iterable[Parsed]) -> None:
    """Refuse statements that have a tag of HTML as a name: it is neither a table nor a list."""
    for one in (row for part in found for row in part.statements):
        if tag := TAG.match(one.subject) or TAG.match(one.object):
            raise InputError(
                "The text is HTML that is neither a table nor a list.",
                line=one.line or None,
                found=tag[0],
                expected="<table> with the names of columns, or nested <ul>",
                hint="copy the text without its tags",
            )


def _parse(text: str, first: int, meaning: Meaning, *, delimited: bool = False) -> Parsed | None:
    """Parse one text, in whichever shape it is; None if in none."""
    return (
        parse_syntax(text, first, meaning)
        or (delimited and delimited_in(text, first, meaning))
        or parse_lines(text, first, meaning)
    )


def parse_lines(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Parse lines: frames of Manchester syntax, fields, statements one by one, or an outline."""
    if "{" in text and (objects := parse_objects(text, first, meaning)):
        return objects
    if meaning.nested == "list" and is_nothing(text, meaning):
        return None
    lines, used, aside = plain_lines(lines_of_answer(text, first), meaning)
    lines, denied = without_verdicts(lines, meaning)
    quoted = ('"' in text or "“" in text or "„" in text) and IN_QUOTES.search(text) is not None
    parsed = _parse_plain(hide_in_quotes(lines) if quoted else lines, meaning)
    if parsed and quoted:
        parsed = parsed._replace(statements=show(parsed.statements))
    if parsed and denied:
        # Names below one that does not hold are below it.
        aside |= (numbers := {line.number for line in denied})
        held = [one for one in parsed.statements if one.line not in numbers]
        warnings = (*parsed.warnings, *_warn_of_lines("left out, since they do not hold: {}", denied))
        parsed = parsed._replace(statements=held, taken=parsed.taken - numbers, warnings=warnings)
    if parsed is None and meaning.documents == "instance":
        return _parse_numbered(text, first)
    return parsed._replace(taken=parsed.taken | used, aside=aside) if parsed and (used or aside) else parsed


def _parse_numbered(text: str, first: int) -> Parsed | None:
    """Take the labels of a numbered list as those of instances 1, 2, ..., as the labels in a list of JSON are."""
    found = [(number, row) for number, line in number_lines(text) if (row := NUMBERED_LABEL.fullmatch(line))]
    labels = [label_of(row[2]) for _, row in found]
    in_order = [row[1] for _, row in found] == [str(place) for place in range(1, len(found) + 1)]
    if len(found) < LEAST_BELOW_HEADER or not in_order or not all(is_label(one.name) for one in labels):
        return None
    rows = [
        RawStatement(first + number - 1, row[1], "", one.name, extra=one.score)
        for (number, row), one in zip(found, labels, strict=True)
    ]
    return Parsed(NUMBERED_LIST, rows, {one.line for one in rows})


def _parse_plain(lines: Sequence[Line], meaning: Meaning) -> Parsed | None:
    """Parse lines that may be items."""
    text = "\n".join([line.text for line in lines])
    likely = has_colon(text) or "=" in text
    found, taken = manchester(lines, meaning) if likely else ([], set[int]())
    if found:
        return Parsed("Manchester syntax", found, taken)
    to_one = likely and meaning.more == "score" and LIKELY.search(text) is not None
    named = fields(with_heads(lines, meaning) if to_one else lines, meaning) if likely else None
    lines = without_reasons(lines) if to_one else lines
    whole = named is not None and len(named.taken) >= len(lines)
    stated, remarks = Statements([], [], {}) if whole else read_lines(lines, meaning), list[Line]()
    if meaning.nested == "list" and "pairs" in stated.shapes:
        stated, remarks = without_remarks(stated, lines)
        around = {*remarks}
        lines = [line for line in lines if line not in around] if around else lines
    if named and len(named.taken) >= len(stated.taken):
        return named
    # Where each bullet is a statement, or most lines are, nothing is nested.
    marked = [line.number for line in lines if line.marked] if 2 * len(stated.taken) < len(lines) else []
    flat = 2 * len(stated.taken) >= len(lines) or (bool(marked) and set(marked).issubset(stated.taken))
    if stated.taken and not flat and (below := _parse_below_names(lines, meaning)):
        return below
    nested, nodes = ([], set[int]()) if stated.taken and flat else outline(lines, meaning)
    if nested and len(nodes) > len(stated.taken) and not _is_in_brackets(nested):
        names = {name.subject for name in nested} | {name.object for name in nested}
        tree = [line for line in lines if line.number in nodes] if meaning.nested == "tree" else []
        behind = count_described(tree, names)
        left = {"descriptions": behind} if behind else NONE_LEFT
        warnings = (*_warn_of_arrows(stated), *filter(None, [title_above(tree)]))
        return Parsed("an outline", nested, nodes, fields=left, warnings=warnings)
    if not stated.taken:
        found_by = ((shape, read(lines, meaning)) for shape, read in ROWS)
        return next((Parsed(shape, rows, {one.line for one in rows}) for shape, rows in found_by if rows), None)
    rows = spread_lists(stated, meaning)
    shape = " and ".join([*stated.shapes, *["lists"] * (rows is not stated.rows)])
    sentences = lines if "sentences" in stated.shapes else ()
    several = [line for line in sentences if " and " in line.text and " are " in line.text.partition(" and ")[2]]
    warnings = (*_warn_of_lines(NO_PAIRS, remarks), *_warn_of_lines(WITH_AND, several))
    return Parsed(shape, rows, set(stated.taken), warnings=warnings)


def _is_in_brackets(rows: Sequence[RawStatement]) -> bool:
    """Return whether most names open brackets that others close, as in Lisp and LaTeX; intervals such as ``[0, 1)`` do not."""
    some = [one.subject for one in rows[:FIRST_ROWS] if one.subject[:1] in ("(", "[")]
    ends = [sum(map(name.count, "([")) != sum(map(name.count, ")]")) for name in some]
    return 2 * sum(ends) > min(len(rows), FIRST_ROWS)


def list_lines(lines: Sequence[tuple[int, str]]) -> str:
    """Show the first of some lines, with their numbers."""
    some = ", ".join(f"line {number} ({to_one_line(line)[:40]!r})" for number, line in lines[:LISTED])
    return some + (", ..." if len(lines) > LISTED else "")


def list_fields(fields: Counter[str]) -> str:
    """Write the fields that occur most, with how often."""
    return ", ".join(f"{name!r} ({count:,})" for name, count in fields.most_common(LISTED))


def _warn_of_lines(what: str, lines: Sequence[Line]) -> Iterator[str]:
    """Warn of lines that are read in another way than the others."""
    if lines:
        listed = list_lines([(line.number, line.text) for line in lines])
        yield f"{what.format(count_of(len(lines), 'line'))}: {listed}"


def _warn_of_arrows(stated: Statements) -> tuple[str, ...]:
    """Warn of arrows next to an outline: they are no edges, and may be taken for names."""
    if not stated.taken or not ARROWED.issuperset(stated.shapes):
        return ()
    count = count_of(len(stated.taken), "line")
    hint = "write the outline and the arrows in a code fence each"
    return (f"no edges: {count} with arrows next to an outline, from line {min(stated.taken)} on ({hint})",)


def parse_objects(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Read lines that are objects of JSON, each a row."""
    rows = {number: row for number, row in objects_in(text, first) if meaning.roles.recognises(list(row))}
    return Parsed("JSON Lines", (), set(rows), table=_table_of(list(rows.values()))) if rows else None


def parse_syntax(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Parse a diagram, JSON or a Markdown table, or triples in a syntax that has a reader of its own."""
    if meaning.documents == "id" and (written := triples_in(text)):
        shape, begin, end = written
        before = first + text.count("\n", 0, begin)
        taken = {before + number - 1 for number, _ in number_lines(text[begin:end])}
        return Parsed(shape, (), taken, value={"triples": text[begin:end]})
    if diagram := (meaning is OF_EDGES and read_python(text, first)) or _diagram_in(text, first):
        return _parse_diagram(diagram, meaning)
    for value, taken, cut in (*values_in(text, first), *values_of_xml(text, first, meaning)):
        if found := parse_value(value, taken, meaning):
            return found._replace(cut=cut)
    if found := _parse_yaml(text, first, meaning):
        return found
    return toon_in(text, first, meaning) or tables_in(text, first, meaning)


def _parse_yaml(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Take YAML as JSON is taken; not bullets that are pairs of their own."""
    value = data_in(text, meaning)
    if value is None:
        return None
    if stated := _parse_below_names(lines_of_answer(text, first), meaning):
        return stated
    taken = {number + first - 1 for number, _ in number_lines(text)}
    found = parse_value(value, taken, meaning)
    return found._replace(shape="YAML") if found else None


def _parse_below_names(lines: Sequence[Line], meaning: Meaning) -> Parsed | None:
    """Read bullets below lines such as 'Animals:' that are pairs of their own, such as 'cat = chat', and no labels of the names above."""
    if not (meaning.nested == "list" and meaning.more == "score"):
        return None
    heads = [line for line in lines if not line.marked or line.depth < NUMBERS]
    bullets = [line for line in lines if line.marked and line.depth >= NUMBERS]
    called = all(line.depth < NUMBERS or is_bold(line.text) or line.text.endswith(COLONS) for line in heads)
    stated = read_lines(bullets, meaning) if heads and called else Statements([], [], {})
    if 2 * len(set(stated.taken)) < len(bullets):
        return None
    if meaning.documents:
        # A label may have an arrow or a dash; what has a number is the id of an item.
        ids = all(any(map(str.isdigit, row.subject)) for row in stated.rows)
        whole = ids and not any(map(str.isdigit, "".join(line.text for line in heads)))
    else:
        # Behind a dash there may be more of an entity.
        whole = "dashes" not in stated.shapes
    taken = {*stated.taken, *(line.number for line in heads)}
    return Parsed(" and ".join(stated.shapes), stated.rows, taken) if stated.taken and whole else None


def parse_value(value: Any, taken: set[int], meaning: Meaning) -> Parsed | None:
    """Take JSON as a table or as statements."""
    if meaning.documents == "id":
        return _parse_triples(value, taken, meaning)
    left = Left()
    if rows := rows_of(value, meaning, left):
        return Parsed("JSON", (), taken, table=_table_of(rows), fields=left)
    found = read_nested(value, meaning, left)
    unread = (f"fields with lists or objects were not read: {list_fields(left.holding)}",) if left.holding else ()
    return Parsed("JSON", found, taken, fields=left, warnings=unread) if found else None


def _parse_triples(value: Any, taken: set[int], meaning: Meaning) -> Parsed | None:
    """Take facts and lists of texts; the reader of triples knows all other shapes of JSON."""
    if found := read_stated(value, meaning):
        return Parsed("JSON", found, taken)
    return Parsed("JSON", (), taken, value=value) if isinstance(value, dict | list) and value else None


def _table_of(rows: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Convert objects to a table: their keys, and a row each."""
    names = list(dict.fromkeys(key for row in rows for key in row))
    return [names, *([_cell(row.get(name)) for name in names] for row in rows)]


def _cell(value: Any) -> Any:
    return "" if value is None else value if isinstance(value, list) else str(value)


def _diagram_in(text: str, first: int) -> Parsed | None:
    """Read the diagram of a text: Cypher line by line, others from their first line on, up to a blank line or the last brace."""
    lower = text.lower()
    if ("create" in lower or "merge" in lower) and CYPHER.search(text):
        return read_cypher(text, first)
    if any(map(text.__contains__, MAY_BE_OTHERS)) and (other := OTHERS.search(text)):
        raise InputError(
            "This kind of diagram is not supported.",
            line=first + text.count("\n", 0, other.start()),
            found=other[0].strip(),
            expected="flowchart, classDiagram or mindmap of Mermaid, a class diagram of PlantUML, or DOT",
            hint="let the model write a flowchart, or a table",
        )
    begin = DIAGRAM.search(text) if any(map(lower.__contains__, WORDS_OF_DIAGRAMS)) else None
    if begin is None:
        return None
    line, body = first + text.count("\n", 0, begin.start()), text[begin.start() :]
    if DOT.match(body):
        end = body.rfind("}") + 1
        return read_dot(body[:end] if end else body, line)
    blank = BLANK.search(body) if begin.start() else None
    return read_mermaid(body[: blank.start()] if blank else body, line)


def _parse_diagram(diagram: Parsed, meaning: Meaning) -> Parsed | None:
    """Take the statements of a diagram; where a relation is needed, only edges with one."""
    if diagram.unclear:
        return diagram._replace(statements=())
    named = [one for one in diagram.statements if one.directed or meaning.arrow]
    lost = {one.line for one in diagram.statements} - {one.line for one in named}
    if meaning.more == "kind":
        named += [one for one in diagram.members if one.object]
    if meaning.arrow != "edge":
        # A member is no edge, and in axioms a member without a type says nothing.
        lost |= {one.line for one in diagram.members if meaning.more != "kind" or not one.object}
    if not named:
        return None
    if meaning.nested == "list":
        named = [one._replace(relation="", directed=True) for one in named]
    elif meaning.arrow == "pair":
        named = [one._replace(relation=meaning.is_a, directed=True) if one.relation == IS_A else one for one in named]
    return diagram._replace(statements=named, taken=diagram.taken - lost)


def _below_header(parsed: Parsed, meaning: Meaning) -> Parsed:
    """Leave out a first statement whose parts are names of columns, and put the parts of the others in the order that they say."""
    statements = parsed.statements
    if len(statements) < LEAST_BELOW_HEADER:
        return parsed
    first, (start, relation, stop) = statements[0], meaning.ends
    between = [] if first.relation in ("", meaning.is_a) else [first.relation]
    # "Object" is a kind of axioms as well.
    behind = [first.extra] if first.extra and not between else []
    cells = [first.subject, *between, first.object, *behind]
    pair, places = not between and not behind, meaning.roles.header_in(cells)
    if not places:
        return parsed

    def ordered(one: RawStatement) -> RawStatement:
        if (one.relation in ("", meaning.is_a)) != pair or one.directed != first.directed:
            return one
        parts = [one.subject, one.object] if pair else [one.subject, one.relation, one.object]
        middle = one.relation if pair else parts[places[relation]]
        return one._replace(subject=parts[places[start]], relation=middle, object=parts[places[stop]], directed=True)

    return parsed._replace(statements=[ordered(one) for one in statements[1:]])


def statements_of(parsed: Parsed, meaning: Meaning) -> Sequence[RawStatement]:
    """Return statements, of a table too: its columns by their names; none if these say nothing."""
    if not parsed.table:
        return parsed.statements
    return [one for _, stated in rows_stating(parsed, meaning) for one in stated]


def rows_stating(parsed: Parsed, meaning: Meaning) -> Iterator[tuple[Sequence[Any], list[RawStatement]]]:
    """Return each row of a table with what it states, which is nothing if it lacks an end; no row if the names of the columns say nothing."""
    names, *rows = parsed.table or ((),)
    if meaning.roles.recognises(names):
        yield from zip(rows, state_rows(names, rows, meaning), strict=True)
