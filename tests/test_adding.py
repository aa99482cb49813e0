"""What `docs/adding.md` says is done again from nothing, in a copy of goldassay: each file, each line next to it, and what then works."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
FILE = re.compile(r"^```python\n# (src/\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CHANGES = re.compile(r"^```diff\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINES = {"measure": (1, 2), "table": (1, 3), "records": (1, 3), "family": (1, 1), "null": (1, 2), "engine": (1, 4)}
"""How many files each section adds, and how many lines next to them, imports included: to add something stays that cheap."""
SECTIONS = {
    "## A measure": "measure",
    "## A format of tables": "table",
    "## A format of records": "records",
    "## A family": "family",
    "## A null model": "null",
    "## An engine": "engine",
}
FILES = {
    "pred.csv": "child,parent\ncat,pet\ndog,beast\n",
    "gold.csv": "child,parent\ncat,pet\ndog,pet\ncow,beast\n",
    "gold.rec": "child: cat\nparent: pet\n\nchild: dog\nparent: pet\n\n\nchild: cow\nparent: beast\n",
    "edges.rec": "instance: d1\nlabel: cat\n\n\ninstance: d2\nlabel: dog\n",
    "facts.rec": "id: 1\nsubject: Oslo\npredicate: in\nobject: Norway\n",
    "facts.arrows": "\nOslo -in-> Norway\n\n",
    "half.arrows": "Oslo -in-> Norway\nOslo in Norway\n",
    "facts.csv": "id,subject,predicate,object\n1,Oslo,in,Norway\n",
    "words.txt": "Cat\ndog\n",
    "other.txt": "cat\ndog\nbird\n",
}
WORKS = {
    "measure": [
        (["taxonomy", "pred.csv", "--gold", "gold.csv", "-m", "by_child"], "1.0000   0.6667   0.8000"),
        (["measures", "by_child"], "F1 of children"),
    ],
    "table": [
        (["taxonomy", "pred.csv", "--gold", "gold.rec", "-m", "literal"], "0.5000   0.3333   0.4000"),
        (["labels", "edges.rec", "--gold", "edges.rec", "--hierarchy", "gold.rec", "-m", "hierarchical"], "1.0000"),
        (["triples", "facts.rec", "--gold", "facts.csv", "-m", "triples"], "recfile"),
        (["inspect", "gold.rec"], "recfile"),
    ],
    "records": [
        (["triples", "facts.arrows", "--gold", "facts.csv", "-m", "triples"], "1.0000"),
        (["triples", "half.arrows", "--gold", "facts.csv", "-m", "triples"], "The line is not a triple."),
    ],
    "family": [
        (["vocabulary", "words.txt", "--gold", "other.txt", "--fold-case"], "1.0000   0.6667   0.8000"),
        (["vocabulary", "--help"], "--fold-case"),
    ],
    "null": [
        (["taxonomy", "pred.csv", "--gold", "gold.csv", "-m", "literal", "--null", "shift-parents"], "shift-parents")
    ],
    "engine": [
        (["taxonomy", "pred.csv", "--gold", "gold.csv", "-m", "literal", "--engine", "polars"], "0.5000   0.3333   0.4000"),
    ],
}  # fmt: skip
EACH = """
import contextlib, io, json, sys
from goldassay import __main__ as command
command._explain_aborts = lambda: None  # where memory is limited, by a process of its own
ended = []
for words in json.loads(sys.argv[1]):
    sys.argv, found = ["goldassay", *words], io.StringIO()
    with contextlib.redirect_stdout(found), contextlib.redirect_stderr(found):
        try:
            command.main()
        except SystemExit as stop:
            ended.append((stop.code, found.getvalue()))
print(json.dumps(ended))
"""
"""Runs command lines in one process, and prints their codes and what they print: to start one takes longer than to score these files."""
REGISTRY = """
from goldassay.families import families
from tests import registry
samples = dict(list(registry.SAMPLES.items())[:1])
print(*registry.lacking_of_family("vocabulary", families()["vocabulary"], samples=samples), sep="\\n")
print(*registry.lacking_of_table_format("recfile", families()), sep="\\n")
"""


def sections():
    parts = re.split(r"^(## .*)$", PAGE, flags=re.MULTILINE)
    return {SECTIONS[title]: text for title, text in zip(parts[1::2], parts[2::2], strict=True) if title in SECTIONS}


def changes(text):
    """List what a section changes: the file, the lines as they are, and as they become."""
    for block in CHANGES.findall(text):
        for path, body in re.findall(r"^--- (\S+)\n((?:[ +-].*\n|\n)+?)(?=--- |\Z)", block, re.MULTILINE):
            lines = body.splitlines()
            yield (
                path,
                *("\n".join(line[1:] for line in lines if line[:1] in kept) for kept in ({" ", "-"}, {" ", "+"})),
            )


def changed(before, old, new):
    """Put the new lines in the place of the old ones, where three dots stand for anything; an import goes to the other imports."""
    if not old:
        old = next(line for line in before.splitlines() if line.startswith("from goldassay."))
        new = f"{new}\n{old}"
    found = re.findall(f"^{re.escape(old)}$".replace(r"\.\.\.", "(?:.*)"), before, re.MULTILINE)
    assert len(found) == 1, f"docs/adding.md names lines that are not there once:\n{old}"
    if "..." in old:
        head, tail = old.split("...")
        new = new.replace("...", found[0].removeprefix(head).removesuffix(tail))
    return before.replace(found[0] + "\n", new + "\n")


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory):
    """A copy of goldassay with all that the page adds."""
    folder = tmp_path_factory.mktemp("newcomer")
    shutil.copytree(
        ROOT / "src" / "goldassay", folder / "src" / "goldassay", ignore=shutil.ignore_patterns("__pycache__")
    )
    for text in sections().values():
        for path, code in FILE.findall(text):
            assert not (folder / path).exists(), path
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(code, encoding="utf-8")
        for path, old, new in changes(text):
            file = folder / path
            file.write_text(changed(file.read_text(encoding="utf-8"), old, new), encoding="utf-8")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(folder, *words):
    path = f"{folder / 'src'}:{ROOT}"
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={"PYTHONPATH": path, "PATH": "/usr/bin:/bin", "COLUMNS": "200", "GOLDASSAY_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("section", LINES)
def test_what_is_added_costs_a_file_and_a_few_lines(section):
    text = sections()[section]
    added = [new.splitlines() for _, _, new in changes(text)]
    kept = [set(old.splitlines()) for _, old, _ in changes(text)]
    lines = sum(line.strip() != "" and line not in old for new, old in zip(added, kept, strict=True) for line in new)
    assert (len(FILE.findall(text)), lines) == LINES[section]


def test_what_is_added_works_on_the_command_line_and_the_registry_names_what_is_missing(newcomer):
    lines, wanted = zip(*(line for lines in WORKS.values() for line in lines), strict=True)
    printed, *message = run(newcomer, "-c", EACH + REGISTRY, json.dumps(lines)).splitlines()
    for words, shown, (_, found) in zip(lines, wanted, json.loads(printed), strict=True):
        assert shown in found, (words, found)
    assert message[0].startswith(
        "vocabulary does not declare trust.merged (makes one gold of several): declare it in its FAMILY"
    )
    assert "vocabulary has no entry in LABORATORIES of tests/laws/conftest.py (random models)" in message
    assert message[-1] == "the format of tables recfile has no writer in TABLES of tests/registry.py"
