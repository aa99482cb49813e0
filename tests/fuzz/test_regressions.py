"""What failed once, and a few hundred new inputs of each target; `make fuzz` looks for longer."""

import itertools
import runpy
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
FUZZING = runpy.run_path(str(HERE / "fuzzing.py"), run_name="fuzzing")
KEPT = sorted(file for file in (HERE / "regressions").rglob("*") if file.is_file())


@pytest.mark.parametrize("file", KEPT, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_what_failed_once_does_not_fail_again(file, tmp_path):
    path = tmp_path / file.name.partition("-")[2]
    path.write_bytes(file.read_bytes())
    assert FUZZING["tried"](file.parent.name, path) is None


@pytest.mark.parametrize("target", FUZZING["TARGETS"])
def test_every_target_holds_on_a_few_inputs(target, tmp_path):
    for name, data in itertools.islice(FUZZING["inputs"](target, seed=1), 100):
        path = tmp_path / name
        path.write_bytes(data)
        assert FUZZING["tried"](target, path) is None, data


@pytest.mark.parametrize("target", FUZZING["TARGETS"])
def test_the_corpus_itself_is_read(target, tmp_path):
    for name, data in FUZZING["corpus"](target):
        path = tmp_path / name
        path.write_bytes(data)
        FUZZING["TARGETS"][target](path)
