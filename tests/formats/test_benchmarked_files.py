"""What the benchmarks read has the items that their plain loops find: a file that is refused, or read in part, is not fast."""

import importlib.util
import sys
from pathlib import Path

import pytest

import goldassay
from goldassay.concepts import read_concepts
from goldassay.triples.read import read_triples_of_documents

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
DOCUMENTS, ROWS = 30, 40


def benchmark(name):
    """Import a benchmark; the threads and places that it sets are its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POLARS_MAX_THREADS", "1")
        patch.setattr(sys, "path", [*sys.path])
        spec = importlib.util.spec_from_file_location(f"benchmark_{name}", BENCHMARKS / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


RECORDS, READING, TABLES = map(benchmark, ("records", "reading", "tables"))


@pytest.mark.parametrize("spelling", RECORDS.SPELLINGS)
def test_records_of_triples(tmp_path, spelling):
    record, write = RECORDS.SPELLINGS[spelling]
    file = RECORDS.file_of(tmp_path, spelling, write(map(record, range(DOCUMENTS))))
    found, model = RECORDS.careful(file), read_triples_of_documents(file)
    assert [*model.ids] == [*found]
    assert (len(model), model.left_out) == (sum(map(len, found.values())), {})


@pytest.mark.parametrize("builder", RECORDS.BUILDERS)
def test_what_graph_builders_write(tmp_path, builder):
    file, loop = RECORDS.built(tmp_path, builder, DOCUMENTS)
    assert len(read_triples_of_documents(file)) == sum(map(len, RECORDS.checked(loop(file)).values()))


def size_of(family, found):
    """Count what a plain loop found as its model does."""
    if family == "hierarchy":
        return len({end for edge in found for end in edge})
    return sum(map(len, found.values())) if family in {"triples", "concepts", "sentences"} else len(found)


@pytest.mark.parametrize("family", TABLES.FAMILIES)
def test_tables(tmp_path, family):
    header, _ = TABLES.FAMILIES[family]
    read, plain = TABLES.readers(TABLES.write_hierarchy(tmp_path))[family]
    for spelling in TABLES.SPELLINGS:
        if file := TABLES.write_table(tmp_path, family, spelling, ROWS):
            assert len(read(file)) == size_of(family, plain(file, header)), spelling


@pytest.mark.parametrize("spelling", READING.spellings_of_concepts(READING.documents(2)))
def test_lists_of_concepts(tmp_path, spelling):
    file = tmp_path / spelling
    file.write_bytes(READING.spellings_of_concepts(READING.documents(DOCUMENTS))[spelling].encode())
    assert len(read_concepts(file)) == sum(map(len, READING.read_with_a_loop(file, look=True)))


def test_concepts_in_memory():
    for name, held in READING.in_memory(READING.documents(DOCUMENTS)).items():
        model = goldassay.read(held, kind="concepts")
        assert len(model) == sum(map(len, READING.read_with_a_loop(held, look=True))), name
