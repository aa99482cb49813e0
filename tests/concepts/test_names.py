"""Names of concepts in every format that people have."""

import pytest

import goldassay
from goldassay.concepts import Concepts, Name, read_dictionary
from goldassay.concepts.model import lay_out
from goldassay.concepts.names import read_names
from goldassay.concepts.suspicions import suspicions
from goldassay.formats.records import BadRecords

MRCONSO = """\
C0004096|ENG|P|L0004096|PF|S0016668|Y|A0027672||M0002057|D001249|MSH|MH|D001249|Asthma|0|N|256|
C0004096|ENG|S|L0000001|PF|S0000001|N|A0000001|||BA|SNOMEDCT_US|SY|1|Bronchial asthma|9|N||
C0004096|ENG|S|L0000002|PF|S0000002|N|A0000002|||OLD|SNOMEDCT_US|SY|2|Asthma, old|9|O||
C0004096|FRE|S|L0000003|PF|S0000003|N|A0000003|||FR|MSHFRE|SY|3|Asthme|3|N||
C0035078|ENG|P|L0035078|PF|S0000004|Y|A0000004|||RF|MSH|MH|4|Kidney failure|0|N||
"""
MRSTY = "C0004096|T047|B2.2.1.2.1|Disease or Syndrome|AT1|256|\nC0035078|T047|B2.2.1.2.1|Disease or Syndrome|AT2||\nC0035078|T184|B|x|AT3||\n"
RF2 = """\
id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\tcaseSignificanceId
1\t20020131\t1\t900000000000207008\t195967001\ten\t900000000000003001\tAsthma (disorder)\t900000000000448009
2\t20020131\t1\t900000000000207008\t195967001\ten\t900000000000013009\tBronchial asthma\t900000000000448009
3\t20020131\t0\t900000000000207008\t195967001\ten\t900000000000013009\tOld name\t900000000000448009
4\t20020131\t1\t900000000000207008\t195967001\tes\t900000000000013009\tAsma\t900000000000448009
5\t20020131\t1\t900000000000207008\t195967001\ten\t900000000000550004\tA definition.\t900000000000448009
"""
MESH = "*NEWRECORD\nRECTYPE = D\nMH = Asthma\nENTRY = Asthma, Bronchial|T047|NON|EQV\nENTRY = Bronchial Asthma\nUI = D001249\n\n"
NODES = """\
@prefix o: <http://www.geneontology.org/formats/oboInOwl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> . @prefix u: <urn:x:> .
u:heart r:label "heart" ; o:hasRelatedSynonym u:genid1 ; o:hasExactSynonym [ r:label "cor" ] .
u:genid1 a o:Synonym ; r:label "cardiac organ" .
"""
NCIT = """\
@prefix n: <http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
n:C28397 r:label "Asthma" ; n:P90 "Bronchial asthma" ; n:P97 "A definition" ; n:alias "wheeze" .
"""
ASTHMA = {"asthma", "bronchial asthma"}


def texts(names, concept):
    return {name.text.lower() for name in names.names if name.concept == concept}


def test_the_umls_with_its_semantic_types(tmp_path):
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO)
    (tmp_path / "MRSTY.RRF").write_text(MRSTY)
    for path in (tmp_path, tmp_path / "MRCONSO.RRF"):
        names = read_names(path)
        assert texts(names, "C0004096") == ASTHMA
        assert names.left_out == {"suppressed_names": 1, "names_in_other_languages": 1}
        assert names.kinds == {"C0004096": "T047", "C0035078": "T047,T184"}
    assert texts(read_names(tmp_path, language="fr"), "C0004096") == {"asthme"}
    [asthma, failure] = read_dictionary(tmp_path).find("Bronchial asthma and kidney failure.")
    assert (asthma.id, asthma.name, asthma.kinds, failure.kinds) == ("C0004096", "Asthma", "T047", "T047,T184")


@pytest.mark.parametrize(
    ("file", "concept", "expected", "left_out"),
    [
        (("sct2_Description.txt", RF2), "195967001", ASTHMA, {"inactive_names": 1, "names_in_other_languages": 1, "definitions": 1}),
        (("d2026.bin", MESH), "D001249", {*ASTHMA, "asthma, bronchial"}, {}),
        (("nodes.ttl", NODES), "urn:x:heart", {"heart", "cor", "cardiac organ"}, {}),
        (("ncit.ttl", NCIT), "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C28397", ASTHMA, {}),
        (("a.csv", "CUI,Name,Synonyms\nC1,asthma,Bronchial asthma; asthma\n"), "C1", ASTHMA, {}),
        (("a.tsv", "name\tsynonyms\nasthma\tbronchial asthma\n"), "asthma", ASTHMA, {}),
        (("a.jsonl", '{"id": 7, "label": "asthma", "aliases": ["bronchial asthma"]}'), "7", ASTHMA, {}),
    ],
)  # fmt: skip
def test_terminologies_ontologies_and_tables(tmp_path, file, concept, expected, left_out):
    path = tmp_path / file[0]
    path.write_text(file[1])
    names = read_names(path)
    assert texts(names, concept) == expected
    assert {one.concept for one in names.names} == {concept}
    assert names.left_out == left_out


def test_more_predicates(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(NCIT)
    concept = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C28397"
    for given in ("alias", "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#alias"):
        assert texts(read_names(path, predicates=(given,)), concept) == {*ASTHMA, "wheeze"}


def test_labels_win_over_synonyms(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,name,synonyms,type\nC1,cold,common cold,T047\nC2,temperature,cold,\n")
    assert [found.id for found in read_dictionary(path).find("A cold.")] == ["C1"]
    assert read_names(path).names[0] == Name(0, "C1", "cold")


def test_a_broken_line_of_the_umls(tmp_path):
    path = tmp_path / "MRCONSO.RRF"
    path.write_text(MRCONSO + "C1|ENG|P\n")
    with pytest.raises(goldassay.RecordError, match="too few fields") as caught:
        read_names(path)
    assert caught.value.line == 6
    bad = BadRecords(on_error="skip")
    assert len(read_names(path, bad=bad).names) == 3
    assert len(bad.errors) == 1


def test_a_dictionary_that_finds_little_is_suspicious():
    some = Concepts.from_lists({"1": ["a"]})
    empty = lay_out([("1", "x", []), ("2", "y", [])])
    object.__setattr__(empty, "choices", {"concepts": "dictionary:sha256-0"})
    assert any("finds nothing in 2 of 2 documents of the gold" in line for line in suspicions(some, empty))
    assert not any("finds nothing" in line for line in suspicions(some, some))


def test_a_large_dictionary_is_compiled_once(tmp_path, monkeypatch):
    monkeypatch.setattr("goldassay.concepts.dictionary.LARGE", 1)
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO)
    (tmp_path / "MRSTY.RRF").write_text(MRSTY)
    text = "Bronchial asthma and kidney failure."
    first = read_dictionary(tmp_path)
    monkeypatch.setattr("goldassay.concepts.dictionary.read_names", None)
    again = read_dictionary(tmp_path)
    assert (again.choice, again.notes, again.find(text)) == (first.choice, first.notes, first.find(text))
    [kept] = (tmp_path / "cache" / "dictionaries").iterdir()
    monkeypatch.undo()
    monkeypatch.setattr("goldassay.concepts.dictionary.LARGE", 1)
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    (kept / "ids.npy").write_bytes(b"broken")
    assert read_dictionary(tmp_path).find(text) == first.find(text)
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO.splitlines()[0] + "\n")
    assert len(read_dictionary(tmp_path).find(text)) == 1
