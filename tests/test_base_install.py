"""What `pip install goldassay` installs, without extras, imports and scores; what it lacks is named with its extra."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
MODULES = (
    "scipy",
    "onnxruntime",
    "onnx",
    "tokenizers",
    "safetensors",
    "huggingface_hub",
    "goldassay_minilm",
    "jinja2",
    "nltk",
)
BLOCKED = f"""
import sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {MODULES!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Nothing())
"""
GOLDS = {
    "taxonomy": "taxonomy/reference.owl",
    "axioms": "axioms/gold.md",
    "alignment": "alignments/gold.rdf",
    "concepts": "concepts/gold.jsonl",
    "triples": "triples/gold.jsonl",
    "labels": "labels/gold.tsv",
    "unl": "unl/expected.unl",
    "sentences": "unl/expected.tsv",
}
DEFAULTS = """
from goldassay import evaluate
from goldassay.families import families

found = {}
for kind, gold in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    options = {"hierarchy": "examples/labels/subjects.csv"} if kind == "labels" else {}
    report = evaluate(f"examples/{gold}", gold=f"examples/{gold}", kind=kind, encoder="hashing", **options)
    found[kind] = len(report.runs[0].scores) - len(families()[kind].measures.default)
print(found, sorted(set(families()) - set(found)))
"""
LACKING = """
from goldassay import evaluate
from goldassay.core.errors import MissingDependencyError

edges = [("cat", "pet"), ("pet", "animal")]
for spec in sys.argv[1:]:
    try:
        evaluate(edges, gold=edges, kind="taxonomy", measures=[spec], encoder="hashing")
    except MissingDependencyError as error:
        print(error.hint)
try:
    evaluate({"a": ["learned.ttl", "learned.csv"]}, gold="unread.owl", kind="taxonomy", measures="literal")
except MissingDependencyError as error:
    print(error.hint)
"""


def printed(code, *args):
    command = [sys.executable, "-c", BLOCKED + code, *args]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()


def test_every_default_measure_needs_no_extra():
    asked = [word for kind, gold in GOLDS.items() for word in (kind, gold)]
    assert printed(DEFAULTS, *asked) == [f"{dict.fromkeys(GOLDS, 0)} []"]


def test_a_measure_that_needs_more_names_its_extra():
    specs = ["motif", "graph", "fowlkes_mallows", "fuzzy(assignment=one)"]
    assert printed(LACKING, *specs) == ["pip install 'goldassay[scipy]'"] * (len(specs) + 1)
