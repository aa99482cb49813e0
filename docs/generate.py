"""Write the pages of the docs that the code itself knows: run by `make docs`, checked by the tests."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from goldassay.cards import OF_ENCODER, card_lines
from goldassay.cli import app, make_command
from goldassay.cli.family import OF_SIDES
from goldassay.core.family import Family, reference
from goldassay.core.groups import ByError
from goldassay.core.matching import ERROR
from goldassay.core.measure import Measure
from goldassay.core.parameters import parameters_of
from goldassay.core.preset import Preset
from goldassay.families import families, family
from goldassay.formats import column_names, roles
from goldassay.formats.known import FORMATS
from goldassay.request import Arguments
from goldassay.unl.read_sentences import READABLE as SENTENCES

PAGE = Path(__file__).with_name("measures.md")
FORMATS_PAGE = Path(__file__).with_name("formats.md")
COMMANDS_PAGE = Path(__file__).with_name("commands.md")
PRESETS_PAGE = Path(__file__).with_name("presets.md")
ARGUMENTS_FILE = Path(__file__).parents[1] / "src/goldassay/arguments.py"
HEAD = """# Measures

Written from the declarations of the measures by `make docs`. `goldassay measures NAME` shows one, with its BibTeX entry. Each measure also has the
parameter `undefined`, the value of 0/0: 0 (the default), 1 or nan. Higher is better if not stated. How a measure tracks people is given where it is known; for
encoders [below](#encoders).

Of the kinds of errors of a family the first that holds counts. The other side is gold for what is predicted, and the prediction for what gold has. `--by error`
splits the counts by them, and `--explain` has the kind of every item.
"""
TWICE = 2


def measures_page() -> str:
    """Write the page of all measures."""
    chosen = families().values()
    encoders = {
        line: None
        for family in chosen
        for measure in family.measures.classes
        for line in card_lines(measure)
        if line.startswith(OF_ENCODER)
    }
    ending = f"## Encoders\n\nWhat the cosines of measures by meaning distinguish:\n\n{''.join(f'- {line}{chr(10)}' for line in encoders)}"
    return "\n".join([HEAD, *map(family_section, chosen), ending])


def _cited(key: str) -> str:
    """Link an entry of BibTeX to where it is."""
    entry = reference(key)
    fields = dict(re.findall(r"(\w+)\s*=\s*\{(.*)\}", entry))
    pages = re.findall(r"https?://[^}\s]+", entry)
    if "doi" in fields:
        pages = [f"https://doi.org/{fields['doi']}"]
    elif "eprint" in fields:
        pages = [f"https://arxiv.org/abs/{fields['eprint']}"]
    return f"[{key}]({pages[0]})" if pages else f"`{key}`"


FORMATS_HEAD = """# File formats

Written from the table of formats by `make docs`. A file is recognised by its content first, and by its suffix if
the content is ambiguous; `--input-format NAME` overrides detection. Every file may be compressed with gzip (`.gz`).

| format | name | endings | recognised by | read by |
|---|---|---|---|---|
"""
FORMATS_FOOT = """
## Rules for tables

CSV, TSV, Parquet and JSON Lines follow the same rules in every command.

- Text is UTF-8, or UTF-16 with a byte order mark. A line ends at a line feed, a carriage return, or both, and nowhere else.
- The first line that is not empty has the column names. Duplicate names are an error. Which columns are read is
  settled by their names only (below), and by no cell.
- In CSV the separator is the comma or the semicolon, whichever the first line has more of; if it has neither, a bar without blanks around it (`child|parent`). Double quotes may enclose a cell, and
  are doubled inside it. In TSV a cell that begins and ends with a quote and whose other quotes are doubled is read so, too,
  as pandas, Polars and R write it; all other quotes are letters. It may hold tabs and line breaks, unless its lines are rows without its quotes, which a warning counts. Engines refuse such cells in TSV, and files that have both kinds of quotes.
- A line with only white space and separators is not a row. Cells that are absent at the end of a row are empty. Separators
  at the end of a row begin no cell. A row with too many cells is a bad record, and so is one whose needed cells are empty or whose quotes are broken.
- `--on-error skip` leaves bad records out, counts them and lists the first five. A broken quote affects the row in
  which it opens, and no other; if a later quote closes it, the message or a note gives the lines.
- A line of JSON Lines is one object, and so is a member of a JSON array, however it is laid out. NaN, infinity, numbers beyond the
  range of a float, a duplicate key and a lone surrogate make it a bad record, which changes no other.
- Scores of alignments and labels may be in percent, and have a decimal comma (`0,9`). A column called so that has a few words (`high`, `low`) is not read, with a warning; engines refuse it.
- In Parquet, and in tables in memory, numbers, dates, truth values and categories are read as text, alike on one machine and on engines. Whole
  numbers have no point, in a column of floats either (`1.0` is `1`, NaN is nothing); moments of a time zone, durations, bytes and lists are errors. The
  sizes in the file are checked before it is read: a damaged or hostile file gives an error, and does not use up the
  memory.

## Broken statements

A broken RDF file stops with its line. In Turtle, N-Triples and N-Quads `--on-error skip` reads the other statements, as an output of a
language model may need: each counts whole or not at all, a line that begins a whole statement ends a broken one before it, and what is
left out is counted and listed with its line, its text and what the parser says. A statement in a prefix that is not declared is broken, too.
The other syntaxes cannot be read past an error.
"""


COLUMNS = {
    "`taxonomy`": roles.EDGES,
    "`axioms`": roles.AXIOMS,
    "`alignment`": roles.CORRESPONDENCES,
    "`concepts`": roles.DOCUMENTS,
    "`triples`": roles.TRIPLES,
    "`labels`": roles.LABELS,
    "`sentences`": roles.SENTENCES,
}
COLUMNS_HEAD = """
## Names of columns

Case, blanks, `_`, `-`, quotes and a byte order mark make no difference: `Parent ID` is `parent_id`. Most names of edges, triples and axioms may end with
`name`, `label`, `text`, `term`, `entity`, `node`, `concept`, or `id`, `iri`, `uri`, `curie`, `identifier`. Names of things come before ids; where two
names are equally good, the columns are refused with both. In CSV, TSV and Parquet of pandas a first column without a name that has texts is an index (`index without name`): ids,
where no other column has them. Names of rows in quotes, below a header without a name for them, are read so, as R's `write.table` writes them. `--ROLE-column NAME` (such as `--child-column NAME`, in Python
`child_column="NAME"`) names another column.

`--header yes` says that the first row of CSV and TSV has the names, `--header no` that it is data: columns are then read by their order.
Without either, a first row without a known name is data if no cell can be a name (IRIs, CURIEs, numbers), or, in tables of edges, triples, axioms and
labels, with a warning. If one of its cells is the name of a column, it is an error.

Numbers that a graph database gives to nodes (`:START_ID`, `~from`, `id(a)`) are no names, and are refused. `a.name, type(r), b.name` of Cypher are read in this
order with a warning, since variables do not say which end is which. `source` and `target`, `from` and `to`, `head` and `tail` of a taxonomy are child and parent.

A column that says whether a row holds (`label` of 0 and 1, `match`, `answer`, `is_correct`, `negated`) is not read: a warning says how many rows do not hold.
Where another column has the names of the one that is read (most of its cells are among them, or its texts say the same), the table may have both sides. It is
refused until a column is named, if a column is called as what systems fill is (`prediction`, `llm_target`, `gpt-4o`) or as gold is (`gold_label`, `y_true`); else a
warning counts the cells. Copies, numbers that agree by chance, and what is above a parent (`root`) are no other side. Of a large file the first rows say so.

| command | column | names |
|---|---|---|
"""


def formats_page() -> str:
    """Write the page of all file formats."""
    rows = (
        f"| {known.title} | `{known.name}` | {', '.join(f'`{suffix}`' for suffix in known.suffixes)} "
        f"| {known.known_by.replace('|', chr(92) + '|')} | {', '.join(_commands(known.name))} |"
        for known in FORMATS
    )
    names = "\n".join(
        f"| {command} | {known.word(role)} | {', '.join(_names(tiers))} |"
        for command, known in COLUMNS.items()
        for role, tiers in known.names.items()
    )
    return FORMATS_HEAD + "\n".join(rows) + "\n" + FORMATS_FOOT + COLUMNS_HEAD + names + "\n"


def _names(tiers: tuple[column_names.Words, ...]) -> list[str]:
    """List the names of a column, the better ones first, without those that only add a word such as name or id."""
    ends = (*filter(None, column_names.OF_NAMES), *column_names.OF_IDS)
    names = [name for words in tiers for name in sorted(words.names)]
    return [name for name in names if not any(name.removesuffix(end) in names for end in ends if name.endswith(end))]


def _commands(name: str) -> list[str]:
    """Name the commands whose files may be in a format: what their option says, where they have one."""
    asked = {kind: parameters_of(family.reading.options).get("input_format") for kind, family in families().items()}
    read = {kind: one.choices or () for kind, one in asked.items() if one} | {"sentences": SENTENCES, "unl": ("unl",)}
    return [f"`{kind}`" for kind, readable in read.items() if name in readable]


PRESETS_HEAD = """# Presets: the numbers of other tools

Written from the tables of the families by `make docs`. `--as NAME` (`evaluate(..., as_="NAME")`) uses the reading options and measures of that tool,
so that the score is the number that its code prints; it takes no other measures. `goldassay presets NAME` shows one, with the files of its example. Each claim has a
version, and a test that the example gives both numbers; what the tools' own code gave is checked in `tests/published`.
"""


def presets_page() -> str:
    """Write the page of all presets."""
    sections = (
        preset_section(kind, preset) for kind, family in families().items() for preset in family.measures.presets
    )
    return "\n".join([PRESETS_HEAD, *sections])


def preset_section(kind: str, preset: Preset) -> str:
    """Write the section of one preset."""
    options = "".join(
        f" --{name.replace('_', '-')} {one}"
        for name, value in preset.reading.items()
        for one in (value if isinstance(value, tuple) else (value,))
    )
    measures = " ".join(f"-m '{spec}'" for spec in preset.measures)
    return f"""## `{preset.name}`: {preset.tool}

`goldassay {kind} PRED --gold FILE --as {preset.name}{" " + preset.needs if preset.needs else ""}`, which is `{measures}{options}`.

- Versions: {preset.versions}.
- What differs: {preset.differs}.
"""


def family_section(family: Family[Any]) -> str:
    """Write the section of one family."""
    default = ", ".join(f"`{measure}`" for measure in family.measures.default)
    counts = Counter(row for measure in family.measures.classes for row in _parameters(measure))
    shared = [row for row, count in counts.items() if count >= TWICE]
    sections = "\n".join(measure_section(measure, shared) for measure in family.measures.classes)
    several = f"Parameters of several measures:\n\n{PARAMETERS}{chr(10).join(shared)}\n\n" if shared else ""
    return f"## {family.title}\n\n`goldassay {family.kind}`; without `-m`: {default}.\n\n{error_section(family)}{several}{sections}"


PARAMETERS = "| parameter | default | what it does | may be |\n|---|---|---|---|\n"


def _parameters(measure: type[Measure[Any]]) -> list[str]:
    """List the rows of the parameters of a measure, without the one that all have."""
    return [
        f"| `{name}` | `{declared.default}` | {declared.help} | {declared.expected} |"
        for name, declared in parameters_of(measure).items()
        if name != "undefined"
    ]


def error_section(family: Family[Any]) -> str:
    """List the kinds of errors of one family."""
    grouping = family.views.groupings.get(ERROR)
    if not isinstance(grouping, ByError):
        return ""
    rows = "\n".join(f"| {kind} | {meaning} |" for kind, meaning in grouping.kinds.items())
    return f"""| error | means |
|---|---|
{rows}

"""


def measure_section(measure: type[Measure[Any]], shared: Collection[str]) -> str:
    """Write the section of one measure, without the parameters that the section of the family has."""
    bounds: dict[str, list[str]] = {}
    for name, (low, high) in measure().values.items():
        bounds.setdefault(f"[{low:g}, {high:g}]", []).append(name)
    values = "; ".join(f"{', '.join(names)} in {within}" for within, names in bounds.items())
    rows = _parameters(measure)
    own = "\n".join(row for row in rows if row not in shared)
    names = ", ".join(row.split("|")[1].strip() for row in rows if row in shared)
    also = f"Parameters above: {names}.\n\n" if names else ""
    table = f"{PARAMETERS}{own}\n\n" if own else ""
    conventions = "".join(f"- {convention}\n" for convention in measure.conventions)
    better = "" if measure.higher_is_better else " Lower is better."
    card = [line for line in card_lines(measure) if not line.startswith(OF_ENCODER)]
    known = "" if card == ["unknown"] else "\nHow it tracks people:\n\n" + "".join(f"- {line}\n" for line in card)
    return f"""### `{measure()}`: {measure.title}

{(measure.__doc__ or "").strip().partition(chr(10))[0]}

$${measure.formula}$$

{values}.{better} Cite {_cited(measure.citation)}.

{also}{table}{conventions}{known}"""


COMMANDS_HEAD = """# Commands

Written from the commands themselves by `make docs`. `goldassay COMMAND --help` prints the same.
Exit codes: 0 success, 1 a bound was not reached, 2 bad input or usage, 70 a bug, 71 the machine lacks memory, disk or open files, 130 interrupted, 141 the pipe that it writes to was closed, 143 ended.
"""


COMMON_HEAD = """## Options of scoring

Commands that score share these options. Options of reading apply to both sides; with the prefix `--gold-` or `--pred-` to one side, for example
`--gold-format`.

"""
READERS = {"inspect", "convert", "diff"}
"""Commands that have the options of all readers."""
MOST = 4
"""A row that so many commands of families have is listed once."""


def commands_page() -> str:
    """Write the page of all commands; rows that most commands of families share are listed once."""
    names = typer.main.get_command(app).list_commands(typer.Context(typer.main.get_command(app)))
    commands = dict(_commands_of(names))
    panels = {name: _panels(name, command) for name, command in commands.items()}
    scoring = [name for name in commands if name in families()]
    holders: dict[tuple[str, str], list[str]] = {}
    for name, tables in panels.items():
        for title, rows in tables.items():
            for row in rows:
                holders.setdefault((title, row), []).append(name)
    shared = {key: found for key, found in holders.items() if len(set(found) & set(scoring)) >= MOST}
    common: dict[str, list[str]] = {}
    for (title, row), found in shared.items():
        flag = row.split(" | ")[0]
        others = {
            name: any(one.startswith(flag) for one in panels[name].get(title, ()))
            for name in scoring
            if name not in found
        }
        notes = [
            f" {words} {', '.join(f'`{name}`' for name, has in others.items() if has is kind)}."
            for kind, words in ((True, "Differs for"), (False, "Not for"))
            if kind in others.values()
        ]
        common.setdefault(title, []).append(f"{row[:-2]}{''.join(notes)} |")
    sections = [command_section(name, command, panels[name], shared) for name, command in commands.items()]
    return "\n".join([COMMANDS_HEAD, f"{COMMON_HEAD}{_tables(common)}", *sections])


def _commands_of(names: list[str]) -> Iterator[tuple[str, Any]]:
    for name in names:
        within = getattr(make_command(name), "commands", None)
        yield from ((f"{name} {one}", within[one]) for one in within) if within else [(name, make_command(name))]


def _panels(name: str, command: Any) -> dict[str, list[str]]:
    """List the rows of each panel of the help of a command."""
    context = typer.Context(command, info_name=f"goldassay {name}", **command.context_settings)
    panels: dict[str, list[str]] = {}
    for one in command.get_params(context):
        if (record := one.get_help_record(context)) and "--help" not in one.opts:
            title = getattr(one, "rich_help_panel", None) or ("Options" if one.opts[0].startswith("-") else "Arguments")
            panels.setdefault(title, []).append(f"| {' | '.join(_cell(part) for part in record)} |")
    return {title: _joined_columns(rows) for title, rows in panels.items()}


def _joined_columns(rows: list[str]) -> list[str]:
    """Put the options that name a column of a table into one row."""
    named = [row for row in rows if re.match(r"\| `--[a-z-]+-column NAME` \| Name of the column of", row)]
    if len(named) < TWICE:
        return rows
    flags = ", ".join(row.split("`")[1].removesuffix(" NAME") for row in named)
    return [row for row in rows if row not in named] + [f"| `{flags}` NAME | Names of these columns in a table. |"]


def command_section(name: str, command: Any, panels: dict[str, list[str]], shared: Any) -> str:
    """Write the section of one command, without the rows that it shares."""
    context = typer.Context(command, info_name=f"goldassay {name}", **command.context_settings)
    usage = command.get_usage(context).removeprefix("Usage: ")
    own = {title: [row for row in rows if (title, row) not in shared] for title, rows in panels.items()}
    more = "" if own == panels else _also(name, panels, shared)
    if name in READERS:
        del own["Reading"]
        more = "Also the options of reading of each family, above.\n"
    tables = _tables({title: rows for title, rows in own.items() if rows})
    about = (command.help or "").partition(OF_SIDES.partition("{")[0])[0].strip()
    return f"## goldassay {name}\n\n{about}\n\n```text\n{usage}\n```\n\n{tables}{more}{_examples(command)}"


def _also(name: str, panels: dict[str, list[str]], shared: Any) -> str:
    """Say which options of scoring a command has: all, or those that are named, since what is not listed does not exist there."""
    link = "[options of scoring](#options-of-scoring)"
    if name in families():
        return f"Also the {link}.\n"
    rows = [row for title, rows in panels.items() for row in rows if (title, row) in shared]
    flags = [flag for row in rows for flag in re.findall(r"--[a-z][a-z-]*", row.split(" | ")[0])[:1]]
    return f"Also, of the {link}: {', '.join(f'`{flag}`' for flag in flags)}.\n"


def _tables(panels: dict[str, list[str]]) -> str:
    return "".join(f"| {title} | |\n|---|---|\n" + "\n".join(rows) + "\n\n" for title, rows in panels.items())


def _examples(command: Any) -> str:
    """Write the examples that end the help of a command; the tests run them."""
    lines = (command.epilog or "").split("\n\n")[1:]
    return "\n```sh\n" + "\n".join(lines) + "\n```\n" if lines else ""


def _cell(text: str) -> str:
    """Write a cell; spellings of flags are code."""
    escaped = " ".join(text.split()).replace("|", r"\|")
    return f"`{escaped}`" if text.startswith("-") else escaped.replace("<", "&lt;").replace("[", r"\[")


def typed_arguments() -> str:
    """Write what `goldassay.evaluate` takes by name as a type: its own arguments, and the options of every reader."""
    types = {
        one.name: str(one.type).replace("'", '"') for one in fields(Arguments) if one.name not in {"gold", "reading"}
    }
    found: dict[str, list[Any]] = {}
    for kind in families():
        options = family(kind).reading.options
        hints = get_type_hints(options)
        for name in parameters_of(options):
            found.setdefault(name, []).append(hints[name])
    types |= {name: _union_of(hints) for name, hints in found.items() if name not in types}
    return ARGUMENTS.format("\n".join(f"    {name}: {text}" for name, text in types.items()))


def _union_of(hints: list[Any]) -> str:
    """Write a type that is one of several; texts of any kind include those that are listed."""
    listed = [
        part for hint in hints for part in ([hint] if get_origin(hint) not in (Union, UnionType) else get_args(hint))
    ]
    words = sorted({word for part in listed if get_origin(part) is Literal for word in get_args(part)})
    others = dict.fromkeys(
        part.__name__ if isinstance(part, type) and not get_args(part) else f"list[str] | {part}"
        for part in listed
        if get_origin(part) is not Literal and part is not type(None)
    )
    chosen = [f"Literal[{', '.join(map(json.dumps, words))}]"] if words and "str" not in others else []
    return " | ".join([*chosen, *others, *(["None"] if type(None) in listed else [])])


ARGUMENTS = '''"""What `goldassay.evaluate` takes by name, for type checkers and editors; docs/generate.py writes this file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

from goldassay.core.chance import Chance
from goldassay.core.combination import Rule
from goldassay.core.context import Progress
from goldassay.core.partial import Completeness
from goldassay.core.significance import Resampling
from goldassay.engines import EngineName
from goldassay.inputs import Input
from goldassay.request import EncoderLike, Measures


class EvaluateArguments(TypedDict, total=False):
    """The arguments of `goldassay.evaluate` except the two sides; options of readers have an effect in some families only."""

{}
'''


if __name__ == "__main__":
    PAGE.write_text(measures_page(), encoding="utf-8")
    FORMATS_PAGE.write_text(formats_page(), encoding="utf-8")
    PRESETS_PAGE.write_text(presets_page(), encoding="utf-8")
    COMMANDS_PAGE.write_text(commands_page(), encoding="utf-8")
    ARGUMENTS_FILE.write_text(typed_arguments(), encoding="utf-8")
