"""The house: no function is longer than a reader can take in, files are opened in one place, and every test can fail. `tests/core/test_imports.py` holds what imports what."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.sources import dotted, files, look_at, threes

pytestmark = pytest.mark.xdist_group("house")
LONGEST = 60
"""Lines of a function without its docstring."""


def test_what_is_called_is_named():
    tree = ast.parse("f()\na.b.c()\na[0].b()")
    assert [dotted(statement.value.func) for statement in tree.body] == ["f", "a.b.c", ".b"]


def test_no_function_is_too_long():
    found = {(path, name): size for path, file in files().items() for name, size in file.lengths if size > LONGEST}
    assert found == {}


def test_a_long_function_is_found():
    found = look_at('def f():\n    """Say\n\n    more."""\n' + "    x = 1\n" * LONGEST)
    assert found.lengths == [("f", LONGEST + 1)]


def test_whether_a_file_exists_is_asked_without_an_error():
    # Path.exists and its like raise where a name is too long for any file; those of os.path return False.
    asked = [
        (path, line)
        for path, file in files().items()
        for name, line in file.calls
        if name.endswith((".exists", ".is_dir", ".is_file"))
        and name.rpartition(".")[0] not in {"member", "entry"}  # of an archive or a folder
        and path.rpartition("/")[0] != "serve"
    ]
    assert asked == [], "from os.path import exists, isdir, isfile"


OPENED = {
    "formats/source.py": "the one place",
    "challenges/codabench.py": "a file of the package",
    "core/preset.py": "a file of the package",
    "encoders/cache.py": "the cache",
    "encoders/static.py": "weights",
    "encoders/weights.py": "weights, behind isfile",
    "sampling/todo.py": "a table that was written before, behind isfile",
    "triples/measures/sentences.py": "weights",
}
"""The modules that open files to read bytes, and why they may: a pipe or a device would block or never end."""


def test_files_are_opened_where_pipes_and_devices_are_refused():
    found = {
        path
        for path, file in files().items()
        if re.search(r"""\bopen\(\s*"rb"|read_bytes\(|FileIO""", re.sub(r">>> .*", "", file.text))
    }
    assert {name for name in found if not name.startswith("serve/")} == {*OPENED}, (
        "from goldassay.formats.source import open_file"
    )


PRINTED = {
    "__main__.py": "errors, made visible",
    "challenges/codabench.py": "an error in a container, made visible",
    "cli/__init__.py": "the version",
    "cli/flags.py": "names of flags",
    "cli/screen.py": "the one place: say",
}
"""The modules that print by themselves, and what: what a file or a user calls a thing could move the cursor."""


def test_texts_are_printed_where_they_are_made_visible():
    found = {
        path
        for path, file in files().items()
        for name, _ in file.calls
        if re.search(r"^(typer\.echo|print|sys\.std(out|err)\.write)$", name)
    }
    assert {name for name in found if not name.startswith("serve/")} == {*PRINTED}, (
        "from goldassay.cli.screen import say"
    )


TESTS = Path(__file__).parent
CHECKS = ("assert", "raises", "warns", "validate")
"""What a call that checks something is called, or begins with."""
RAISES = {
    "test_a_gate_that_a_value_can_reach_is_let_through": "a gate that is out of reach is refused",
    "test_a_long_input_is_read_or_refused": "what takes its time raises any other error than ours",
    "test_a_measure_declares_itself": "a wrong declaration is an error",
    "test_any_bytes_are_read_or_refused": "any other error than ours fails",
    "test_damaged_answers_are_read_or_refused": "any other error than ours fails",
    "test_few_edges_need_no_prices": "the function that finds prices is replaced by one that fails",
    "test_inputs_are_not_changed": "the arrays cannot be written",
    "test_no_bytes_are_a_traceback": "any other error than ours fails",
    "test_no_bytes_give_another_error": "any other error than ours fails",
    "test_no_bytes_give_another_error_than_one_that_says_where": "any other error than ours fails",
}
"""Tests that fail by what they call, and how."""


class Does(NamedTuple):
    """What a function of a test does: whether it asserts or raises, and what it calls."""

    name: str
    asserts: bool
    called: set


def does(node):
    """Look at a function."""
    asserts, called = False, set()
    for one in ast.walk(node):
        if isinstance(one, ast.Assert | ast.Raise):
            asserts = True
        elif isinstance(one, ast.Call):
            called.add(getattr(one.func, "attr", getattr(one.func, "id", "")))
    return Does(node.name, asserts, called)


@cache
def functions():
    """Give the functions of all files of tests, by name."""
    found = {}
    for path in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append((path, does(node)))
    return found


@cache
def helper_checks(name, path, above):
    """Say whether the function of this name checks something, or calls one that does: that of the same file, if it has one."""
    if name in above:
        return False
    known = functions().get(name, [])
    own = [one for one in known if one[0] == path] or known
    return bool(own) and all(checking(done, home, above | {name}) for home, done in own)


def checking(done, path, above=frozenset()):
    """Say whether a function asserts, or calls what does."""
    return (
        done.asserts
        or any(one.startswith(CHECKS) for one in done.called)
        or any(helper_checks(one, path, above) for one in done.called - {done.name})
    )


def test_every_test_checks_something():
    tests = {name: found for name, found in functions().items() if name.startswith("test_")}
    empty = {name for name, found in tests.items() for path, done in found if not checking(done, path)}
    assert empty - RAISES.keys() == set()
    assert RAISES.keys() - empty == set()


def test_a_test_that_checks_nothing_is_found():
    checking_nothing, of_a_helper = ast.parse(
        "def test_a():\n    len([])\ndef test_b():\n    check_same_reading()"
    ).body
    path = TESTS / "formats" / "test_memory.py"
    assert not checking(does(checking_nothing), path)
    assert checking(does(of_a_helper), path)


def test_the_words_of_each_note_are_in_a_test_or_a_page():
    root = Path(__file__).parents[1]
    pages = [*root.glob("tests/**/*.py"), *root.glob("docs/**/*.md")]
    # A text of a test may go on in its next line.
    known = threes(re.sub(r'"\s*\n\s*f?"', "", "\n".join(page.read_text("utf-8") for page in pages)))
    unknown = [
        f"{path}:{line}" for path, file in files().items() for line, found in file.notes if known.isdisjoint(found)
    ]
    assert unknown == []


def test_notes_are_found_where_they_are_yielded_or_warned_of():
    code = 'def f():\n    yield f"{1} of its words"\n    yield "two words"\n    warn(f"{2} more of them {3}")\n    yield g("a b c")\n'
    found = {line: sorted(" ".join(three) for three in found) for line, found in look_at(code).notes}
    assert found == {2: ["of its words"], 4: ["more of them"]}
