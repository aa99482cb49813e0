"""Concepts found in texts: dictionaries against a naive search, chunks, spaCy, and texts of every script."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import ConceptReading, Dictionary, Name, read_concepts, read_dictionary
from goldassay.concepts.model import RawConcepts
from goldassay.concepts.texts.assertions import add_assertions
from goldassay.concepts.texts.extract import SpacyPipeline, from_docs, to_mention
from goldassay.concepts.texts.fold import PIECE, WordNumbers, fold, pieces_of
from goldassay.core.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
SYLLABLES = ["a1", "b1", "c1"]


def found(extractor, text):
    return [(one.id or one.key, text[one.start : one.end]) for one in extractor.find(text)]


def naive(names, words):
    """At each place the longest name, from left to right."""
    at, chosen = 0, []
    while at < len(words):
        longest = max((name for name in names if words[at : at + len(name)] == name), key=len, default=None)
        if longest:
            chosen.append((" ".join(longest), at, at + len(longest)))
        at += len(longest) if longest else 1
    return chosen


@given(
    names=st.sets(st.lists(st.sampled_from(SYLLABLES), min_size=1, max_size=4).map(tuple), min_size=1, max_size=6),
    words=st.lists(st.sampled_from([*SYLLABLES, "x1"]), max_size=12).map(tuple),
)
def test_a_dictionary_against_a_naive_search(names, words):
    dictionary = Dictionary(Name(0, " ".join(name), " ".join(name)) for name in names)
    text = " ".join(words)
    expected = [(name, " ".join(words[start:end])) for name, start, end in naive(names, words)]
    assert found(dictionary, text) == expected


def test_whole_words_longest_first_with_case_and_plural():
    dictionary = Dictionary(
        [
            Name(0, "D:1", "cancer"),
            Name(0, "D:2", "breast cancer"),
            Name(1, "D:3", "Alzheimer's disease"),
            Name(0, "D:4", "type-2 diabetes"),
        ]
    )
    text = "BREAST  CANCERS, cancerous; Alzheimer\u2019s diseases and Type 2\nDiabetes. A breast. Cancer!"
    assert found(dictionary, text) == [
        ("D:2", "BREAST  CANCERS"),
        ("D:3", "Alzheimer\u2019s diseases"),
        ("D:4", "Type 2\nDiabetes"),
        ("D:1", "Cancer"),
    ]


def test_acronyms_stop_words_and_shared_names():
    names = [
        Name(1, "D:1", "ALL"),
        Name(0, "D:2", "At"),
        Name(0, "D:3", "I"),
        Name(1, "D:5", "cold"),
        Name(0, "D:4", "cold"),
        Name(2, "D:0", "cold"),
    ]
    dictionary = Dictionary(names)
    assert found(dictionary, "All at once I had ALL, and a cold.") == [("D:1", "ALL"), ("D:4", "cold")]
    [note] = dictionary.notes
    assert "names of only stop words (2)" in note
    assert "2 names of several concepts" in note


@pytest.mark.parametrize("ending", ["obo", "ttl"])
def test_obo_and_skos_alike(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    text = {
        "obo": """[Term]\nid: X:1\nname: heart attack\nsynonym: "MI" EXACT []\nsynonym: "coronary" RELATED []
synonym: "organ failure" BROAD []\n\n[Term]\nid: X:2\nname: old\nis_obsolete: true\n\n[Typedef]\nid: part_of\nname: part of\n""",
        "ttl": """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix o: <http://purl.obolibrary.org/obo/> .
o:X_1 skos:prefLabel "heart attack"@en ; skos:altLabel "MI", "coronary"@en-GB, "Herzinfarkt"@de .""",
    }[ending]
    path.write_text(text)
    dictionary = read_dictionary(path)
    text = "A coronary, MI or heart attack is an organ failure, a Herzinfarkt, part of old age."
    assert [one for one, _ in found(dictionary, text)] == ["X:1"] * 3
    assert {one.name for one in dictionary.find(text)} == {"heart attack"}
    left_out = {"obo": "names of obsolete concepts (1), names of properties (1)", "ttl": "names in other languages (1)"}
    assert all(part in dictionary.notes[0] for part in left_out[ending].split(", "))


@pytest.mark.parametrize(
    ("name", "text", "messages"),
    [
        ("a.ttl", "<urn:a> <urn:b> <urn:c> .", "contains no label"),
        ("a.ttl", '<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "chat"@fr .', "contains no label"),
        ("a.ttl", '<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "the" .', "no name to search for"),
        ("a.csv", "a,b\nc,d\n", "A dictionary must be an ontology"),
        ("a.csv", "id,name\n1,\n", "A name is missing"),
        ("a.ttl", "<urn:a> <urn:b>", "broken"),
    ],
)
def test_a_dictionary_that_is_none(tmp_path, name, text, messages):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(goldassay.InputError, match=messages):
        read_dictionary(path)


def test_bad_records_of_a_dictionary_are_listed(tmp_path):
    path = tmp_path / "a.obo"
    path.write_text("[Term]\nid: X:1\nname: fever\n\n[Term]\nname: no one\n")
    with pytest.raises(goldassay.InputError):
        read_dictionary(path)
    reading = ConceptReading(dictionary=str(path), on_error="skip")
    assert any("a.obo: skipped line" in note for note in reading.extractor.notes)


def test_real_ontologies(reference_data):
    dictionary = read_dictionary(reference_data / "ontologies" / "DO_cancer_slim.obo")
    text = "She had breast cancers; then acute myeloid leukemia (AML)."
    assert [surface for _, surface in found(dictionary, text)][:2] == ["breast cancers", "acute myeloid leukemia"]
    assert dictionary.choice == read_dictionary(reference_data / "ontologies" / "DO_cancer_slim.obo").choice


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    with pytest.raises(goldassay.MissingDependencyError, match=r"goldassay\[spacy\]"):
        SpacyPipeline("en")


@pytest.mark.parametrize(
    ("name", "text", "surface"),
    [
        ("糖尿病", "二型糖尿病。", "糖尿病"),
        ("سكري", "مرض السكري أو سكري.", "سكري"),
        ("הֶרְיוֹן", "זה הֶרְיוֹן.", "הֶרְיוֹן"),
        ("हृदय रोग", "यह हृदय रोग है।", "हृदय रोग"),
        ("เบาหวาน", "โรคเบาหวานและ", "เบาหวาน"),
        ("당뇨병", "당뇨병 환자", "당뇨병"),
        ("Straße", "die STRASSE dort", "STRASSE"),
        ("naïve", "a naïve test", "naïve"),
    ],
)
def test_every_script(name, text, surface):
    assert found(Dictionary([Name(0, "X", name)]), text) == [("X", surface)]


@given(st.text())
def test_words_cover_any_text(text):
    assert "".join(PIECE.findall(text)) == text
    [(numbers, spans)] = WordNumbers(lambda _: 1).words_of_all([text])
    assert [text[start:end] for start, end in spans] == pieces_of(text)
    assert len(numbers) == len(spans)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzsié", min_size=1, max_size=12))
def test_a_regular_plural_folds_to_its_singular(word):
    if len(word) >= 4 and not word.endswith(("s", "z", "x", "h", "y", "i", "u", "e")):
        assert fold(word + "s") == fold(word) == fold(word.upper() + "s")


def test_a_dictionary_is_compiled_once(monkeypatch, tmp_path):
    made = []
    original = Dictionary.__init__
    monkeypatch.setattr(
        Dictionary, "__init__", lambda self, *some, **more: (made.append(1), original(self, *some, **more))[1]
    )
    folder = ROOT / "examples" / "concepts"
    goldassay.evaluate(
        [folder / "parrot.jsonl", folder / "paraphrase.jsonl"],
        gold=folder / "gold.jsonl",
        kind="concepts",
        measures="concept_exact(ids=required)",
        dictionary=str(folder / "health.obo"),
    )
    assert made == [1]


def test_a_spacy_pipeline(tmp_path):
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [{"label": "DRUG", "pattern": "aspirin", "id": "D:1"}, {"label": "SIGN", "pattern": "the fever"}]
    )
    pipeline.to_disk(tmp_path / "pipeline")
    path = tmp_path / "a.txt"
    path.write_text("Take aspirin against the fever.\n\nNothing.\n")
    concepts = read_concepts(path, ConceptReading(spacy=str(tmp_path / "pipeline")))
    assert [concepts.item(row) for row in range(len(concepts))] == ["1: aspirin", "1: fever"]
    assert concepts.concept_ids.tolist() == ["D:1", ""]
    assert concepts.choices["concepts"].startswith("spacy:en_pipeline-")
    docs = from_docs({"1": pipeline("No fever; take aspirin against the fever.")})
    assert [docs.item(row) for row in range(len(docs))] == ["1: aspirin", "1: fever"]
    with pytest.raises(goldassay.UsageError, match="no spaCy pipeline"):
        SpacyPipeline(str(tmp_path / "nothing"))
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(goldassay.UsageError, match="neither entities nor noun chunks"):
        SpacyPipeline(str(tmp_path / "blank"))


def test_names_within_names_take_no_more_memory_than_the_text(monkeypatch):
    names = [Name(0, f"D:{size}", "a1 " * size) for size in range(1, 400)]
    found = Dictionary(names).find("a1 " * 4000)
    assert [one.id for one in found] == ["D:399"] * 10 + ["D:10"]
    monkeypatch.setenv("GOLDASSAY_MAX_PAIRS", "1000000")
    with pytest.raises(InputError, match="are nested too often") as caught:
        Dictionary(names).find("a1 " * 4000)
    assert "GOLDASSAY_MAX_PAIRS" in caught.value.hint


class Underscore:
    """Attributes that components of a pipeline have set."""

    def __init__(self, attributes):
        self.__dict__.update(attributes)


class Span(list):
    """Stands for a span of spaCy."""

    kb_id_ = id_ = ent_id_ = ""
    start_char, end_char = 3, 9

    def __init__(self, **attributes):
        super().__init__()
        self._ = Underscore(attributes)

    def has_extension(self, name):
        return hasattr(self._, name)


@pytest.mark.parametrize(
    ("span", "identifier", "messages"),
    [
        (Span(), "", ""),
        (Span(kb_ents=[("C0004096", 0.9), ("C1", 0.8)], negex=True), "C0004096", "negated"),
        (Span(umls_ents=[], is_negated=False, is_family=False), "", "present"),
        (Span(is_negated=True, is_family=True, is_uncertain=False), "", "family,negated"),
    ],
)
def test_linkers_and_assertions_of_a_pipeline(span, identifier, messages):
    one = to_mention(span, "No asthma")
    assert (one.id, one.assertion, one.name) == (identifier, messages, "asthma")
    stated = add_assertions(RawConcepts.of([[one]]), ["No asthma"])
    assert stated.words[3][int(stated.codes[0])] == {"": "negated", "present": ""}.get(messages, messages)


def test_docs_of_any_pipeline():
    known, messages = Span(kb_ents=[("C0004096", 0.9)]), Span(negex=True)
    known.text = messages.text = "asthma"
    docs = {
        "1": SimpleNamespace(text="No asthma", ents=[known]),
        "2": SimpleNamespace(text="Is asthma", ents=[messages]),
    }
    concepts = from_docs(docs)
    assert [concepts.item(row) for row in range(len(concepts))] == ["1: asthma (negated)", "2: asthma (negated)"]
    assert (concepts.concept_ids.tolist(), dict(concepts.choices)) == (
        ["C0004096", ""],
        {"concepts": "spacy", "assertions": "context-2"},
    )


TEXTS = st.lists(st.text("aA1 bc,'-\u2019\u2014\u00e9\u7cd6\n\x1cs", max_size=15), max_size=5)


@given(TEXTS)
def test_the_words_of_many_texts_are_those_of_each(texts):
    numbers = WordNumbers(lambda word: len(word) * 1000 + sum(map(ord, word)))
    for one, text in zip(numbers.words_of_all(texts), texts, strict=True):
        places = [match.span() for match in PIECE.finditer(text) if numbers[match[0]] >= 0]
        assert one.numbers.tolist() == [numbers[text[start:end]] for start, end in places]
        assert one.spans.tolist() == list(map(list, places))


def test_a_lone_surrogate_is_a_symbol():
    [found] = WordNumbers(len).words_of_all(["a \ud800b"])
    assert found.spans.tolist() == [[0, 1], [2, 3], [3, 4]]


@given(TEXTS, st.integers(1, 20))
def test_names_in_many_texts_are_those_in_each(texts, at_once):
    dictionary = Dictionary([Name(0, "D:1", "a1 b"), Name(0, "D:2", "b"), Name(0, "D:3", "cs"), Name(0, "D:4", "AA")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("goldassay.concepts.texts.dictionary.AT_ONCE", at_once)
        assert list(dictionary.find_all(iter(texts))) == [dictionary.find(text) for text in texts]


def test_no_name_runs_over_the_end_of_a_text():
    dictionary = Dictionary([Name(0, "D:1", "breast cancer"), Name(0, "D:2", "breast"), Name(0, "D:3", "cancer")])
    found = dictionary.find_all(["a breast", "cancer", "breast cancer", ""])
    assert [[(one.id, one.start) for one in some] for some in found] == [[("D:2", 2)], [("D:3", 0)], [("D:1", 0)], []]
