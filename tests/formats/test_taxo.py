import pytest

from goldassay.core.errors import InputError, RecordError
from goldassay.graphs import GraphReading, read_graph


def test_lines_of_number_hyponym_and_hypernym(tmp_path):
    path = tmp_path / "a.taxo"
    path.write_text("0\tlife science\tscience\r\n\n1\t biology \tlife science\n", encoding="utf-8")
    graph = read_graph(path)
    assert [graph.item(row) for row in range(len(graph))] == ["life science -> science", "biology -> life science"]
    path = path.rename(tmp_path / "a.txt")
    assert len(read_graph(path, GraphReading(input_format="taxo"))) == 2


@pytest.mark.parametrize("line", ["cat\tpet", "1\tcat\t", "1\tcat\tpet\tanimal", "cat"])
def test_a_line_that_is_no_edge_says_its_number(tmp_path, line):
    path = tmp_path / "a.taxo"
    path.write_text(f"0\tdog\tpet\n{line}\n", encoding="utf-8")
    with pytest.raises(RecordError, match="not an edge") as caught:
        read_graph(path)
    assert caught.value.line == 2
    graph = read_graph(path, GraphReading(on_error="skip"))
    assert (len(graph), graph.left_out) == (1, {"skipped_records": 1})


def test_a_file_without_a_line_has_no_edge(tmp_path):
    path = tmp_path / "a.taxo"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError):
        read_graph(path)


def test_blank_lines_are_no_rows(tmp_path):
    path = tmp_path / "a.taxo"
    path.write_text("\n\n0\tcat\tpet\n\n1\tdog\tpet\n", encoding="utf-8")
    assert read_graph(path).input_rows.tolist() == [0, 1]
