"""Files of other languages and encodings: what is not read says what to do, and it helps."""

import pytest

import goldassay


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("kind", ["taxonomy", "labels", "concepts", "triples"])
def test_utf_16_without_a_mark_says_how_it_is_converted(encoding, kind, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("id,child,parent\n1,cat,animal\n".encode(encoding))
    with pytest.raises(goldassay.InputError, match=f"iconv -f UTF-16{encoding[-2:].upper()}"):
        goldassay.read(path, kind=kind)


def test_a_name_for_either_end_proposes_both(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Kind;Eltern\ncat;animal\n")
    with pytest.raises(
        goldassay.InputError, match="--child-column Kind --parent-column Eltern, or the other way round"
    ):
        goldassay.read(path, kind="taxonomy")
    assert goldassay.read(path, kind="taxonomy", child_column="Kind", parent_column="Eltern").item(0) == "cat -> animal"


def test_characters_of_html_are_decoded_in_tables_of_markdown(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("| child | parent |\n|---|---|\n| R&amp;D | x \\| y |\n")
    assert goldassay.read(path, kind="taxonomy").item(0) == "R&D -> x | y"
