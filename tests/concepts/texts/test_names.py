"""Names of concepts in every format that people have."""

import gzip
import hashlib

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import Concepts, Dictionary, Name, read_dictionary
from goldassay.concepts.formats.read_names import read_names
from goldassay.concepts.model import lay_out
from goldassay.concepts.texts.compiled import Spellings, find_spellings
from goldassay.concepts.texts.fold import STOP_WORDS, fold, is_acronym, pieces_of
from goldassay.concepts.texts.names import NameColumns, Names
from goldassay.concepts.trust import find_warnings
from goldassay.formats import load
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
MESH = "*NEWRECORD\nRECTYPE = D\nMH = Asthma\nST = T047\nENTRY = Asthma, Bronchial|T047|NON|EQV\nENTRY = Bronchial Asthma\nUI = D001249\n\n"
MESH_XML = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20260101.dtd">
<DescriptorRecordSet LanguageCode="eng"><DescriptorRecord DescriptorClass="1"><DescriptorUI>D001249</DescriptorUI>
<DescriptorName><String>Asthma</String></DescriptorName><ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M0001942</ConceptUI>
<ConceptName><String>Asthma</String></ConceptName><SemanticTypeList><SemanticType><SemanticTypeUI>T047</SemanticTypeUI></SemanticType></SemanticTypeList>
<TermList><Term LexicalTag="NON"><TermUI>T003370</TermUI><String>Asthma</String></Term>
<Term><TermUI>T1</TermUI><String>Bronchial Asthma</String></Term><Term><TermUI>T2</TermUI><String>Asthma, Bronchial</String></Term></TermList>
</Concept></ConceptList></DescriptorRecord></DescriptorRecordSet>"""
SUPPLEMENTARY = (
    MESH_XML.replace("Descriptor", "SupplementalRecord")
    .replace("RecordRecord", "Record")
    .replace("SupplementalRecordClass", "SCRClass")
)
NODES = """\
@prefix o: <http://www.geneontology.org/formats/oboInOwl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> . @prefix u: <urn:x:> .
u:heart r:label "heart" ; o:hasRelatedSynonym u:genid1 ; o:hasExactSynonym [ r:label "cor" ] .
u:genid1 a o:Synonym ; r:label "cardiac organ" . u:heart o:hasDefinition u:genid2 . u:genid2 r:label "An organ." .
u:heart o:hasDbXref u:other , u:person . u:other a <http://www.w3.org/2002/07/owl#Class> . u:person r:label "a user" .
"""
NCIT = """\
@prefix n: <http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
n:C28397 r:label "Asthma" ; n:P90 "Bronchial asthma" ; n:P97 "A definition" ; n:alias "wheeze" .
"""
ASTHMA = {"asthma", "bronchial asthma"}


def texts(names, concept):
    return {name.text.lower() for name in names.listed() if name.concept == concept}


def test_the_umls_with_its_semantic_types(tmp_path):
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO)
    (tmp_path / "MRSTY.RRF").write_text(MRSTY)
    for path in (tmp_path, tmp_path / "MRCONSO.RRF"):
        names = read_names(path)
        assert texts(names, "C0004096") == ASTHMA
        assert names.left_out == {"suppressed_names": 1, "names_in_other_languages": 1}
        assert dict(names.kinds().rows()) == {"C0004096": "T047", "C0035078": "T047,T184"}
    assert texts(read_names(tmp_path, language="fr"), "C0004096") == {"asthme"}
    [asthma, failure] = read_dictionary(tmp_path).find("Bronchial asthma and kidney failure.")
    assert (asthma.id, asthma.name, asthma.kinds, failure.kinds) == ("C0004096", "Asthma", "T047", "T047,T184")


@pytest.mark.parametrize(
    ("file", "concept", "expected", "left_out"),
    [
        (("sct2_Description.txt", RF2), "195967001", ASTHMA, {"inactive_names": 1, "names_in_other_languages": 1, "definitions": 1}),
        (("d2026.bin", MESH), "D001249", {*ASTHMA, "asthma, bronchial"}, {}),
        (("desc2026.xml", MESH_XML), "D001249", {*ASTHMA, "asthma, bronchial"}, {}),
        (("supp2026.xml", SUPPLEMENTARY), "D001249", {*ASTHMA, "asthma, bronchial"}, {}),
        (("nodes.ttl", NODES), "urn:x:heart", {"heart", "cor", "cardiac organ"}, {"definitions_and_references": 2}),
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
    assert {one.concept for one in names.listed()} == {concept}
    assert names.left_out == left_out


def test_more_predicates(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(NCIT)
    concept = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C28397"
    for name in ("alias", "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#alias"):
        assert texts(read_names(path, predicates=(name,)), concept) == {*ASTHMA, "wheeze"}


def test_labels_win_over_synonyms(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,name,synonyms,type\nC1,cold,common cold,T047\nC2,temperature,cold,\n")
    assert [found.id for found in read_dictionary(path).find("A cold.")] == ["C1"]
    assert read_names(path).listed()[0] == Name(0, "C1", "cold")


def test_a_broken_line_of_the_umls(tmp_path):
    path = tmp_path / "MRCONSO.RRF"
    path.write_text(MRCONSO + "C1|ENG|P\n")
    with pytest.raises(goldassay.RecordError, match="too few fields") as caught:
        read_names(path)
    assert caught.value.line == 6
    bad = BadRecords(on_error="skip")
    assert len(read_names(path, bad=bad).listed()) == 3
    assert len(bad.errors) == 1


def test_a_dictionary_that_finds_little_is_suspicious():
    some = Concepts.from_lists({"1": ["a"]})
    empty = lay_out([("1", "x", []), ("2", "y", [])])
    object.__setattr__(empty, "choices", {"concepts": "dictionary:sha256-0"})
    assert any("finds nothing in 2 of 2 documents of the gold" in line for line in find_warnings(some, empty))
    assert not any("finds nothing" in line for line in find_warnings(some, some))


def test_a_large_dictionary_is_compiled_once(tmp_path, monkeypatch):
    monkeypatch.setattr("goldassay.concepts.texts.dictionary.LARGE", 1)
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO)
    (tmp_path / "MRSTY.RRF").write_text(MRSTY)
    text = "Bronchial asthma and kidney failure."
    first = read_dictionary(tmp_path)
    monkeypatch.setattr("goldassay.concepts.texts.dictionary.read_names", None)
    again = read_dictionary(tmp_path)
    assert (again.choice, again.notes, again.find(text)) == (first.choice, first.notes, first.find(text))
    [kept] = (tmp_path / "cache" / "dictionaries").iterdir()
    monkeypatch.undo()
    monkeypatch.setattr("goldassay.concepts.texts.dictionary.LARGE", 1)
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    whole = {file: file.read_bytes() for file in kept.iterdir()}
    for file, data in whole.items():
        # Cut off, without a header that can be read, with another last byte, or with the same bytes as other numbers.
        turned = data.replace(b"'<", b"'>", 1)
        for damaged in (b"", b"broken", data[:60] + b"(" + data[61:], data[:-1] + bytes([data[-1] ^ 1]), turned):
            file.write_bytes(damaged)
            assert read_dictionary(tmp_path).find(text) == first.find(text)
            assert {one: one.read_bytes() for one in kept.iterdir()} == whole, "made anew"
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO.splitlines()[0] + "\n")
    assert len(read_dictionary(tmp_path).find(text)) == 1


@pytest.mark.parametrize(("name", "text"), [("d.bin", MESH), ("d.xml", MESH_XML), ("s.xml", SUPPLEMENTARY)])
def test_semantic_types_of_mesh(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert read_names(tmp_path / name).kinds().rows() == [("D001249", "T047")]


def test_a_record_of_mesh_without_a_name(tmp_path):
    path = tmp_path / "d.xml"
    path.write_text(MESH_XML.replace("<DescriptorName><String>Asthma</String></DescriptorName>", ""))
    with pytest.raises(goldassay.RecordError, match="no id or no name"):
        read_names(path)
    path.write_text(MESH_XML.replace("</Concept>", ""))
    with pytest.raises(goldassay.InputError, match="Invalid XML"):
        read_names(path)


@pytest.mark.parametrize(
    ("options", "expected", "left_out"),
    [
        ({"vocabularies": ["MSH"]}, {"asthma"}, {"names_of_other_vocabularies": 1, "suppressed_names": 1}),
        ({"vocabularies": ["MSH", "SNOMEDCT_US"]}, ASTHMA, {"suppressed_names": 1}),
        ({"suppressed": True}, {*ASTHMA, "asthma, old"}, {}),
        ({"vocabularies": ["SNOMEDCT_US"], "suppressed": True}, {"bronchial asthma", "asthma, old"}, {"names_of_other_vocabularies": 2}),
    ],
)  # fmt: skip
def test_vocabularies_and_suppressed_names_of_the_umls(tmp_path, options, expected, left_out):
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO)
    names = read_names(tmp_path, **options)
    assert texts(names, "C0004096") == expected
    assert names.left_out == {"names_in_other_languages": 1, **left_out}


def test_vocabularies_that_are_not_there(tmp_path):
    (tmp_path / "MRCONSO.RRF").write_text(MRCONSO)
    with pytest.raises(goldassay.UsageError, match="Unknown vocabulary") as caught:
        read_names(tmp_path, vocabularies=["SNOMEDCT"])
    assert "MSH, SNOMEDCT_US" in str(caught.value)
    (tmp_path / "a.csv").write_text("name\nasthma\n")
    with pytest.raises(goldassay.UsageError, match="Only the UMLS has vocabularies"):
        read_names(tmp_path / "a.csv", vocabularies=["MSH"])


def test_pieces_of_a_file_of_lines(tmp_path, monkeypatch):
    """However a file is cut into pieces, packed or not, its names and the lines of its errors are the same."""
    text = (
        MRCONSO.replace("Asthma, old", "Asthma\u00e9, old")
        + "C1|ENG|P\n"
        + MRCONSO.splitlines()[0].replace("Asthma", "Wheeze")
    )
    files = [tmp_path / "MRCONSO.RRF", tmp_path / "MRCONSO.RRF.gz"]
    files[0].write_text(text, newline="\r\n")
    files[1].write_bytes(gzip.compress(text.encode()))
    for piece in (1, 7, 100, 2**24):
        monkeypatch.setattr("goldassay.formats.source.PIECE", piece)
        for path in files:
            if piece < 100:
                monkeypatch.setattr(
                    "goldassay.concepts.formats.terminologies.beginning_of", lambda path: load(path).data
                )
            bad = BadRecords(on_error="skip")
            assert [one.text for one in read_names(path, bad=bad).listed()] == [
                "Asthma",
                "Bronchial asthma",
                "Kidney failure",
                "Wheeze",
            ]
            assert [error.line for error in bad.errors] == [6]


def test_a_name_that_is_too_long(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text(f"id,name\nC1,asthma\nC2,{'x ' * 5_000_000}\n")
    with pytest.raises(goldassay.RecordError, match="The name is too long") as caught:
        read_names(path)
    assert (caught.value.line, len(str(caught.value)) < 500) == (3, True)
    assert len(read_names(path, bad=BadRecords(on_error="skip")).listed()) == 1
    monkeypatch.setenv("GOLDASSAY_MAX_NAME", "5")
    with pytest.raises(goldassay.RecordError, match="--limit name=N"):
        read_names(path)


NAMES = st.lists(
    st.text("aA2é-/'\u2019., \t\n_\u7cd6\u7cd7\u00b4\u0300\x1c\x7f", max_size=12) | st.sampled_from(["Cats", "ALL", "the", "At I", "AIDS aids"]),
    max_size=8,
)  # fmt: skip


@given(NAMES)
def test_the_words_of_many_names_are_those_of_each(names):
    spellings = Spellings(lambda word: len(word) * 1000 + sum(map(ord, word)))
    found = find_spellings(pl.Series(names, dtype=pl.String), spellings)
    pieces = [pieces_of(name) for name in names]
    assert found.lengths.tolist() == list(map(len, pieces))
    assert found.numbers.tolist() == [spellings.number(fold(piece)) for some in pieces for piece in some]
    message = [
        any(
            any(map(str.isalnum, one)) and fold(one) not in STOP_WORDS and (len(one) > 1 or one > "\u0dff")
            for one in some
        )
        for some in pieces
    ]
    acronym = [len(some) == 1 and is_acronym(some[0]) for some in pieces]
    assert found.acronyms.tolist() == acronym
    assert found.searchable.tolist() == [one or other for one, other in zip(message, acronym, strict=True)]


def test_names_are_packed_in_batches(monkeypatch):
    monkeypatch.setattr("goldassay.concepts.texts.names.PACKED", 2)
    monkeypatch.setattr("goldassay.concepts.texts.compiled.AT_ONCE", 2)
    names = [
        Name(0, "C2", "kidney failure"),
        Name(1, "C1", "asthma"),
        Name(0, "C1", "wheeze"),
        Name(1, "C1", "caf\u00e9 asthma"),
        Name(1, "C0", "asthma"),
    ]
    small = Dictionary(names, kinds={"C1": "T2,T1", "C9": "T3"})
    monkeypatch.undo()
    whole = Dictionary(reversed(names), kinds={"C1": "T1,T2"})
    assert (small.choice, small.notes) == (whole.choice, whole.notes)
    lines = "\n".join(f"{rank}\t{concept}\t{text}" for rank, concept, text in sorted(names))
    assert whole.choice == f"dictionary:sha256-{hashlib.sha256(lines.encode()).hexdigest()[:8]}"
    found = [(one.id, one.name, one.kinds) for one in small.find("Asthma, caf\u00e9 asthma, kidney failures.")]
    assert found == [("C0", "asthma", ""), ("C1", "wheeze", "T1,T2"), ("C2", "kidney failure", "")]
    assert "1 names of several concepts" in whole.notes[0]


@pytest.mark.parametrize(("name", "concepts", "names"), [("target.xml", 3298, 8562), ("source.xml", 2737, 3081)])
def test_the_ontologies_of_the_anatomy_track(reference_data, name, concepts, names):
    """Synonyms and definitions are nodes with labels there, and no concepts."""
    found = read_names(reference_data / "alignments" / "anatomy" / name).listed()
    assert (len({one.concept for one in found}), len(found)) == (concepts, names)


def test_a_class_that_another_refers_to_is_a_concept(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(NODES + 'u:other r:label "other" .')
    assert texts(read_names(path), "urn:x:other") == {"other"}


def test_example_of_names():
    names = Names()
    assert names.add(0, "C1", "asthma") is None
    assert names.add_kind("C1", "T047") is None
    assert (
        repr((names.listed(), names.kinds().rows()))
        == "([Name(rank=0, concept='C1', text='asthma')], [('C1', 'T047')])"
    )


def test_example_of_name_columns():
    rows = NameColumns(("rank", "text"))
    assert rows.add((1, "a")) is None
    assert rows.frame().rows() == [(1, "a")]
