"""Reading twice as much takes a bounded number of bytes more; `make fuzz` measures every format, and this some that take most."""

import pytest
from tests.fuzz import memory

from goldassay.families import families

WORST = [
    ("taxonomy", "obo"),
    ("taxonomy", "turtle"),
    ("triples", "csv"),
    ("unl", "one sentence, list"),
    ("labels", "csv"),
    ("unl", "unl"),
    ("taxonomy", "answer, sentences"),
]


@pytest.mark.parametrize(("kind", "form"), WORST)
def test_memory_grows_with_the_file(kind, form, tmp_path, monkeypatch):
    # Half a megabyte more shows ten bytes for each, where a process has a megabyte more or less.
    monkeypatch.setattr(memory, "SIZES", (50_000, 500_000, 1_000_000))
    assert memory.cost(kind, form, tmp_path) < memory.MORE.get((kind, form), memory.MOST)


def test_every_exception_is_a_form():
    assert {*memory.MORE} <= {*memory.FORMS, *((kind, memory.ONE_LINE) for kind in families())}
    assert {kind for kind, _ in memory.FORMS} == {*memory.ROWS}
