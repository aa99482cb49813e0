"""Every error of reading names the file that it is about, whichever reader finds it."""

import ast
import warnings
from pathlib import Path

import pytest

import goldassay
from goldassay.challenges.tasks import load_tasks
from goldassay.concepts.texts.dictionary import read_dictionary
from goldassay.core.errors import InputError
from goldassay.families import kinds
from goldassay.formats.synonyms import read_synonyms
from goldassay.graphs.calibration import read_pairs, synonym_pairs
from goldassay.labels import LabelReading
from goldassay.labels.read_hierarchy import read_hierarchy
from goldassay.meta import read_ratings, read_scores
from goldassay.pipeline import names_of
from goldassay.sampling.todo import read_labels
from goldassay.sampling.verdicts import read_verdicts
from goldassay.tasks.task import read_tasks
from goldassay.triples.measures.ontology import read_ontology

SOURCE = Path(goldassay.__file__).parent
CORPUS = Path(__file__).resolve().parents[1] / "fuzz" / "corpus"
FILES = {str(one.relative_to(CORPUS)): one.read_bytes() for one in sorted(CORPUS.rglob("*")) if one.is_file()}
DAMAGED = {f"half/{name}": data[: len(data) // 2] for name, data in FILES.items()}
"""A reader that looks at the end of a file finds something else there."""
LATIN = {"latin.txt": "café\n".encode("latin-1")}
TWINS = {"twins.txt": b"Here:\n\n| child | parents | parents |\n|---|---|---|\n| cat | pet | animal |\n"}
"""A table of model output, whose columns are chosen far from where its file is known."""


READERS = {
    "dictionary": read_dictionary,
    "hierarchy": lambda path: read_hierarchy(LabelReading(hierarchy=str(path))),
    "judgements": lambda path: [*read_verdicts(path)],
    "labelled items": read_labels,
    "manifest": lambda path: goldassay.alignments.read.manifest_of(str(path)),
    "names": names_of,
    "ontology": lambda path: read_ontology(str(path)),
    "pairs": read_pairs,
    "pairs of an ontology": synonym_pairs,
    "ratings": read_ratings,
    "report": goldassay.load,
    "scores": read_scores,
    "synonyms": lambda path: read_synonyms(str(path)),
    "task": read_tasks,
    "tasks": load_tasks,
    **{kind: lambda path, kind=kind: goldassay.read(path, kind=kind) for kind in kinds()},
}


def refusal_of(path, read):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read(path)
        except InputError as error:
            return error
        except goldassay.GoldassayError:
            pass
    return None


@pytest.mark.parametrize("kind", READERS)
def test_an_error_of_reading_names_the_file(tmp_path, kind):
    refused = 0
    for name, data in {**FILES, **DAMAGED, **LATIN, **TWINS}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if error := refusal_of(path, READERS[kind]):
            refused += 1
            assert error.path, (name, error)
            # Text that belongs to an annotation is in a file of its own.
            assert Path(error.path.partition("#")[0]).parent == path.parent, (name, error)
    assert refused


@pytest.mark.parametrize(
    ("read", "other", "files"),
    [
        (".", "a.txt", {"a.ann": b"T1\tDrug 0 4\tcafe\n", "a.txt": LATIN["latin.txt"]}),
        ("a.tsv", "a.yml", {"a.tsv": b"subject_id\tpredicate_id\tobject_id\na:b\tskos:exactMatch\tc:d\n", "a.yml": LATIN["latin.txt"]}),
    ],
)  # fmt: skip
def test_an_error_of_a_file_next_to_another_names_it(tmp_path, read, other, files):
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    kind = "concepts" if read == "." else "alignment"
    error = refusal_of(tmp_path / read, READERS[kind])
    assert Path(error.path) == tmp_path / other, error


def unnamed(tree, *, named=False):
    """List the lines that call `load` where nothing names the file in errors."""
    for node in ast.iter_child_nodes(tree):
        inside = named
        if isinstance(node, ast.FunctionDef):
            inside = named or any("names_file" in ast.unparse(one) for one in node.decorator_list)
        elif isinstance(node, ast.With):
            inside = named or any("name_file" in ast.unparse(one) for one in node.items)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "load" and not named:
            yield node.lineno
        yield from unnamed(node, named=inside)


FURTHER = {
    "__init__.py": "of which only the digest is taken",
    "concepts/formats/parts.py": "a part of a prediction, whose reader names it",
    "concepts/formats/terminologies.py": "a terminology, whose dictionary names it",
    "encoders/precomputed.py": "vectors, whose error is of another class",
    "meta/tables.py": "rows, which ratings and scores name",
    "pipeline.py": "kept for the measures that read them",
    "sampling/verdicts.py": "records of a judge, which its verdicts name",
    "sampling/todo.py": "only to say that there is no such file",
    "unl/read_sentences.py": "given to a reader",
}
"""Where a file is loaded for what names it, or for what finds nothing wrong with it."""


def test_what_loads_a_file_names_it_in_errors():
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if " load" in text and "formats" in text:
            tree = ast.parse(text)
            imported = {
                one.name
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and "formats" in (node.module or "")
                for one in node.names
            }
            if "load" in imported and (lines := [*unnamed(tree)]):
                found[path.relative_to(SOURCE).as_posix()] = lines
    assert set(found) == set(FURTHER), found
