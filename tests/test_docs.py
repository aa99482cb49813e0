"""The docs say what the code says: every block of code on a page runs, and gives what the page shows.

- ``console``: ``$ goldassay ...`` prints the lines below it; three dots stand for what is left out.
- ``python``: the blocks of one page share their names. A comment that is a number, a text or a list is the value of
  its line; a ``text`` block right below is what is printed.
- ``sh``: commands only, which end well. What they write, a later line of the page can read.

All of it runs in a folder that has ``examples/`` and, by the names that the pages use, copies of our examples.
"""

import ast
import contextlib
import doctest
import importlib.util
import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import goldassay
import goldassay.families
from goldassay.cli import make_command

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "RELEASING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
LANGUAGES = {"bibtex", "console", "diff", "json", "make", "mermaid", "python", "sh", "text", "toml", "yaml"}
NOT_RUN = {
    "docker": "needs a daemon",
    "git": "changes a repository",
    "make": "calls the tests",
    "pip": "installs from the network",
    "python": "runs the tests, or builds and uploads a release",
    "rattler-build": "needs channels of conda",
}
EXAMPLES_BY_NAME = {
    "a.ttl": "taxonomy/learned.ttl",
    "b.ttl": "taxonomy/learned.ttl",
    "c.csv": "taxonomy/learned.csv",
    "learned.ttl": "taxonomy/learned.ttl",
    "reference.owl": "taxonomy/reference.owl",
    "synonyms.tsv": "taxonomy/synonyms.tsv",
    "learned.csv": "axioms/pred.csv",
    "reference.md": "axioms/gold.md",
    "system.rdf": "alignments/gold.rdf",
    "reference.sssom.tsv": "alignments/pred.sssom.tsv",
    "answers.jsonl": "concepts/paraphrase.jsonl",
    "gold.jsonl": "concepts/gold.jsonl",
    "ontology.obo": "concepts/health.obo",
    "pred.tsv": "labels/pred.tsv",
    "gold.tsv": "labels/gold.tsv",
    "subjects.csv": "labels/subjects.csv",
    "produced.unl": "unl/produced.unl",
    "expected.unl": "unl/expected.unl",
    "produced.tsv": "unl/produced.tsv",
    "expected.tsv": "unl/expected.tsv",
}
REFERENCE = ("breast_neoplasm_taxonomy.owl", "taxonomy1.rdf", "taxonomy2.rdf", "taxonomy3.rdf")


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def blocks(page, language):
    found = BLOCK.findall(page.read_text("utf-8"))
    return [(code, printed) for name, code, printed in found if name == language]


def pages_with(language):
    # A block may need the files that an earlier one writes, so that one process runs those of a page.
    pages = [
        pytest.param(page, marks=pytest.mark.xdist_group(name_of(page))) for page in PAGES if blocks(page, language)
    ]
    return pytest.mark.parametrize("page", pages, ids=name_of)


@pytest.fixture(scope="session")
def workplace(tmp_path_factory):
    """A folder that has every file by the name that a page gives it."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name, example in EXAMPLES_BY_NAME.items():
        shutil.copyfile(ROOT / "examples" / example, folder / name)
    pairs = (folder / "synonyms.tsv").read_text("utf-8").splitlines()
    texts = sorted({text for line in pairs for text in line.split("\t")[:2]})
    vectors = np.random.default_rng(0).normal(size=(len(texts), 8))
    np.savez(folder / "vectors.npz", texts=np.array(texts, dtype=str), vectors=vectors)
    return folder


@pytest.fixture
def here(workplace, minilm, kept, monkeypatch):
    """Work in that folder, with vectors kept from one run of the tests to the next."""
    monkeypatch.chdir(workplace)
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(kept))
    monkeypatch.setenv("GOLDASSAY_TASKS", "examples")
    # What a page registers is gone with it.
    for name in ("_registered", "_measures"):
        monkeypatch.setattr(goldassay.families, name, {})
    return workplace


def check(shown, printed, what):
    """Compare as doctest does: three dots stand for anything."""
    shown, printed = ([line.rstrip() for line in text.strip("\n").splitlines()] for text in (shown, printed))
    if not doctest.OutputChecker().check_output("\n".join(shown), "\n".join(printed), doctest.ELLIPSIS):
        assert printed == shown, what


def commands(block):
    """Split a console block into commands and what they print."""
    first, *rest = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not first.strip(), "a console block begins with '$ '; a list of commands is a block of sh"
    return [one.partition("\n")[::2] for one in rest]


@pages_with("console")
def test_a_command_prints_what_the_page_shows(page, here, kept, goldassay_command, request, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(kept))
    for block, _ in blocks(page, "console"):
        for line, shown in commands(block):
            program, *arguments = shlex.split(line)
            assert program == "goldassay", line
            for name in set(REFERENCE) & set(arguments):
                shutil.copyfile(request.getfixturevalue("reference_data") / "graphs" / name, here / name)
            if line == "goldassay example":
                shutil.rmtree(here / "examples")  # the command overwrites nothing
            result = goldassay_command(*arguments)
            if line == "goldassay example":
                shutil.copytree(ROOT / "examples", here / "examples", dirs_exist_ok=True)
            # A page may show an error, which is printed as it is.
            is_error = shown.startswith("goldassay: ")
            assert result.code in ({2} if is_error else {0, 1}), f"{line}: {result.err}"
            check(shown, result.err if is_error else result.out, line)


@pages_with("sh")
def test_a_list_of_commands_ends_well(page, here, kept, goldassay_command, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(kept))
    for block, _ in blocks(page, "sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if not words:
                continue
            if words[0] != "goldassay":
                assert words[0] in NOT_RUN, line
                continue
            result = goldassay_command(*words[1:])
            assert result.code == 0, f"{line}: {result.err}"


@pages_with("python")
@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_python_gives_what_the_page_shows(page, here):
    names = {"__name__": "page"}
    for code, shown in blocks(page, "python"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            run(code, names, page)
        check(shown, printed.getvalue(), page.name)


def run(code, names, page):
    """Run a block statement by statement, and compare values with the comments behind them."""
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), page.name, "exec"), names)  # noqa: S102 - our own page
            continue
        value = eval(compile(ast.Expression(statement.value), page.name, "eval"), names)  # noqa: S307 - our own page
        behind = lines[statement.end_lineno - 1][statement.end_col_offset :].strip()
        with contextlib.suppress(ValueError, SyntaxError):
            stated = ast.literal_eval(behind.removeprefix("#").strip())
            assert value == stated_value(value, stated, behind), lines[statement.end_lineno - 1]


def stated_value(value, stated, comment):
    """Take a float that is given to some places for the value, if that rounds to it."""
    if isinstance(value, float) and isinstance(stated, float):
        places = len(comment.rpartition(".")[2])
        return value if round(value, places) == stated else stated
    return stated


def test_every_block_has_a_language_that_is_run_or_read():
    for page in PAGES:
        fences = re.findall(r"^ *```(.*)$", page.read_text("utf-8"), re.MULTILINE)
        assert set(fences[::2]) <= LANGUAGES, name_of(page)
        assert not any(fences[1::2]), name_of(page)


def test_links_lead_somewhere():
    for page in PAGES:
        targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        missing = [one for one in targets if "://" not in one and not (page.parent / one).exists()]
        assert not missing, name_of(page)


def test_decisions_are_numbered_without_gaps_dated_and_listed():
    folder = ROOT / "docs" / "decisions"
    pages = sorted(folder.glob("[0-9]*.md"))
    listed = []
    for number, page in enumerate(pages, 1):
        head, _, date, *_ = page.read_text("utf-8").splitlines()
        assert page.name.startswith(f"{number:04d}-")
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", date), page.name
        title = head.removeprefix(f"# {number}. ")
        assert title != head, page.name
        listed.append(f"{number}. [{title}]({page.name}), {date}")
    assert (folder / "README.md").read_text("utf-8").splitlines()[4:] == listed


def script(name):
    """Import a script of the docs."""
    spec = importlib.util.spec_from_file_location(f"goldassay_docs_{name}", ROOT / "docs" / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found  # dataclasses look their module up
    spec.loader.exec_module(found)
    return found


def test_words_that_are_not_ours():
    assert script("words").check() == []


def test_each_exception_to_the_words_is_needed():
    texts = {name: (ROOT / name).read_text("utf-8") for name in script("words").LIST["exceptions"]}
    unused = [
        (name, one)
        for name, phrases in script("words").LIST["exceptions"].items()
        for one in phrases
        if one not in texts[name]
    ]
    assert unused == []


@pytest.mark.release
def test_the_page_of_findings_is_up_to_date(reference_data, minilm):
    del minilm
    findings = script("findings")
    findings.DATA = reference_data
    assert findings.PAGE.read_text("utf-8") == findings.page(), "run: make findings"


def test_the_page_of_measures_is_up_to_date():
    generate = script("generate")
    assert generate.PAGE.read_text(encoding="utf-8") == generate.measures_page(), "run: make docs"
    assert generate.FORMATS_PAGE.read_text(encoding="utf-8") == generate.formats_page(), "run: make docs"
    assert generate.PRESETS_PAGE.read_text(encoding="utf-8") == generate.presets_page(), "run: make docs"
    assert generate.COMMANDS_PAGE.read_text(encoding="utf-8") == generate.commands_page(), "run: make docs"
    assert generate.ARGUMENTS_FILE.read_text(encoding="utf-8") == generate.typed_arguments(), "run: make docs"


def test_a_command_has_the_options_of_scoring_that_its_section_names():
    """All of them only where a family is scored; elsewhere those that are listed, and no others."""
    sections = (ROOT / "docs" / "commands.md").read_text("utf-8").split("\n## ")
    [common] = [one for one in sections if one.startswith("Options of scoring")]
    shared = set(re.findall(r"^\| `(?:-\w, )?(--[a-z-]+)", common, re.MULTILINE))
    some = set()
    for section in sections:
        name = section.partition("\n")[0].removeprefix("goldassay ")
        if "\nAlso the [options of scoring]" in section:
            assert name in goldassay.families.families()
        for line in re.findall(r"\nAlso, of the \[options.*", section):
            some.add(name)
            command = make_command(name)
            has = {flag for one in command.params for flag in one.opts}
            assert set(re.findall(r"--[a-z-]+", line)) <= shared & has
    assert {"estimate", "meta", "selfcheck", "calibrate"} <= some


def test_the_page_of_choices_names_measures_that_exist():
    names = {measure.name for chosen in goldassay.families.families().values() for measure in chosen.measures.classes}
    message = set(
        re.findall(r"`(?:goldassay \w+ )?(?:-m )?([a-z_]+)[`(]", (ROOT / "docs" / "choosing.md").read_text("utf-8"))
    )
    assert message - names == set()
    assert len(message) > len(names) / 2


def test_the_public_face_is_sorted_and_complete():
    assert list(goldassay.__all__) == sorted(goldassay.__all__)
    assert all(hasattr(goldassay, name) for name in goldassay.__all__)


def test_the_changelog_knows_this_version_or_a_next_one():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in text or f"## [{goldassay.__version__}]" in text
