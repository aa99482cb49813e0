"""Every error of reading names the file that it is about, whichever reader finds it."""

import warnings
from pathlib import Path

import pytest

import goldassay
from goldassay.core.errors import InputError
from goldassay.families import kinds

CORPUS = Path(__file__).resolve().parents[1] / "fuzz" / "corpus"
FILES = {str(one.relative_to(CORPUS)): one.read_bytes() for one in sorted(CORPUS.rglob("*")) if one.is_file()}
DAMAGED = {f"half/{name}": data[: len(data) // 2] for name, data in FILES.items()}
"""A reader that looks at the end of a file finds something else there."""
TWINS = {"twins.txt": b"Here:\n\n| child | parents | parents |\n|---|---|---|\n| cat | pet | animal |\n"}
"""A table of model output, whose columns are chosen far from where its file is known."""


def refusal_of(path, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            goldassay.read(path, kind=kind)
        except InputError as error:
            return error
    return None


@pytest.mark.parametrize("kind", kinds())
def test_an_error_of_reading_names_the_file(tmp_path, kind):
    refused = 0
    for name, data in {**FILES, **DAMAGED, **TWINS}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if error := refusal_of(path, kind):
            refused += 1
            assert error.path, (name, error)
            # Text that belongs to an annotation is in a file of its own.
            assert Path(error.path.partition("#")[0]).parent == path.parent, (name, error)
    assert refused
