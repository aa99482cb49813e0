"""Examples of `goldassay.concepts.formats.read_names`: what its functions give."""

from goldassay.concepts.formats.read_names import compact, name_pairs, read_names


def test_example_of_read_names():
    import pathlib
    import tempfile

    file = pathlib.Path(tempfile.mkdtemp(), "names.csv")
    _ = file.write_text("id,name,synonyms,type\nC1,asthma,bronchial asthma|BA,T047\n")
    assert (
        repr(read_names(file).listed())
        == "[Name(rank=0, concept='C1', text='asthma'), Name(rank=1, concept='C1', text='bronchial asthma'), Name(rank=1, concept='C1', text='BA')]"
    )


def test_example_of_compact():
    assert compact("http://purl.obolibrary.org/obo/DOID_1612") == "DOID:1612"
    assert compact("http://a/b") == "http://a/b"


def test_example_of_name_pairs():
    import pathlib
    import tempfile

    file = pathlib.Path(tempfile.mkdtemp(), "names.csv")
    _ = file.write_text("id,name,synonyms\nC1,asthma,bronchial asthma\n")
    assert name_pairs(file).right.tolist() == ["bronchial asthma"]


def test_synonyms_may_be_a_list_that_is_written_as_text(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text('id\tname\tsynonyms\nC1\tasthma\t["bronchial; asthma", "BA"]\n')
    assert [one.text for one in read_names(path).listed()] == ["asthma", "bronchial; asthma", "BA"]
