"""Files with everything that the public descriptions of BioC, PubTator, OAK and BRAT allow, written anew after them.

BioC: http://bioc.sourceforge.net (BioC.dtd and its JSON). PubTator: https://www.ncbi.nlm.nih.gov/research/pubtator/tutorial.html. OAK: the
columns of ``runoak annotate`` (https://incatools.github.io/ontology-access-kit). BRAT: https://brat.nlplab.org/standoff.html.
"""

import json

import pytest

import goldassay

TITLE, ABSTRACT = "Café owners & gout.", "Gout is treated with allopurinol; no fever was seen."
BIOC_XML = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>made up</source><date>20200131</date><key>made.key</key><infon key="note">x</infon>
<document><id>17</id><infon key="journal">None</infon>
<passage><infon key="type">title</infon><offset>0</offset><text>{TITLE.replace("&", "&amp;")}</text>
<annotation id="T1"><infon key="type">Disease</infon><infon key="identifier">MESH:D006073</infon><location offset="14" length="4"/><text>gout</text></annotation>
</passage>
<passage><infon key="type">abstract</infon><offset>20</offset>
<sentence><offset>20</offset><text>{ABSTRACT[:33]}</text>
<annotation id="T2"><infon key="identifier">MESH:D000493</infon><infon key="type">Chemical</infon><location offset="41" length="11"/><text>allopurinol</text></annotation>
</sentence>
<sentence><offset>54</offset><text>{ABSTRACT[34:]}</text></sentence>
<relation id="R1"><infon key="type">treats</infon><node refid="T2" role="drug"/><node refid="T1" role="disease"/></relation>
</passage>
<relation id="R2"><node refid="T1" role=""/></relation>
</document></collection>"""
ANNOTATIONS = [
    {
        "id": "T1",
        "infons": {"type": "Disease", "identifier": "MESH:D006073"},
        "text": "gout",
        "locations": [{"offset": 14, "length": 4}],
    },
    {
        "id": "T2",
        "infons": {"type": "Chemical", "identifier": "MESH:D000493"},
        "text": "allopurinol",
        "locations": [{"offset": 41, "length": 11}],
    },
]
BIOC_JSON = {
    "bioctype": "BioCCollection",
    "source": "made up",
    "date": "20200131",
    "key": "made.key",
    "version": "1.0",
    "infons": {},
    "documents": [
        {
            "bioctype": "BioCDocument",
            "id": "17",
            "infons": {"journal": "None"},
            "passages": [
                {
                    "bioctype": "BioCPassage",
                    "offset": 0,
                    "infons": {"type": "title"},
                    "text": TITLE,
                    "sentences": [],
                    "annotations": ANNOTATIONS[:1],
                    "relations": [],
                },
                {
                    "bioctype": "BioCPassage",
                    "offset": 20,
                    "infons": {"type": "abstract"},
                    "text": "",
                    "sentences": [
                        {
                            "offset": 20,
                            "infons": {},
                            "text": ABSTRACT[:33],
                            "annotations": ANNOTATIONS[1:],
                            "relations": [],
                        },
                        {
                            "offset": 54,
                            "infons": {},
                            "text": ABSTRACT[34:],
                            "annotations": [],
                            "relations": [],
                        },
                    ],
                    "annotations": [],
                    "relations": [
                        {
                            "id": "R1",
                            "infons": {"type": "treats"},
                            "nodes": [{"refid": "T2", "role": "drug"}, {"refid": "T1", "role": "disease"}],
                        }
                    ],
                },
            ],
            "annotations": [],
            "relations": [{"id": "R2", "infons": {}, "nodes": [{"refid": "T1", "role": ""}]}],
        }
    ],
}
PUBTATOR = f"""17|t|{TITLE}
17|a|{ABSTRACT}
17\t14\t18\tgout\tDisease\tMESH:D006073
17\t41\t52\tallopurinol\tChemical\tMESH:D000493
17\tCID\tD000493\tD006073
17\tTreats\tD000493\tD006073\tNovel

"""
OAK = """subject_start\tsubject_end\tsubject_label\tsubject_source\tsubject_text_id\tobject_id\tobject_label\tobject_source\tmatch_type\tmatch_string\tis_longest_match\tmatches_whole_text
15\t18\tgout\t\t17\tMESH:D006073\tgout\t\tLABEL\tgout\ttrue\tfalse
42\t52\tallopurinol\t\t17\tMESH:D000493\tallopurinol\t\tEXACT_SYNONYM\tallopurinol\ttrue\tfalse
"""
BRAT = """T1\tDisease 14 18\tgout
T2\tChemical 41 52\tallopurinol
T3\tTreatment 33 40\ttreated
E1\tTreatment:T3 Drug:T2 Target:T1
R1\tTreats Arg1:T2 Arg2:T1
*\tEquiv T1 T2
A1\tConfidence E1 High
M1\tSpeculation E1
N1\tReference T1 MESH:D006073\tGout
N2\tReference T2 MESH:D000493\tAllopurinol
N3\tReference T3 MESH:D013812\tTherapeutics
#1\tAnnotatorNotes T1\ta note
"""
WRITTEN = {
    "bioc.xml": BIOC_XML,
    "bioc.json": json.dumps(BIOC_JSON),
    "indented.json": json.dumps(BIOC_JSON, indent=2, ensure_ascii=False),
    "pubtator.txt": PUBTATOR,
    "windows.txt": PUBTATOR.replace("\n", "\r\n"),
    "oak.tsv": OAK,
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_the_descriptions_allow_is_read(name, tmp_path):
    path = tmp_path / name
    path.write_text(WRITTEN[name], encoding="utf-8", newline="")
    found = goldassay.read(path, kind="concepts")
    assert found.ids[0] == "17"
    assert sorted(found.item(row) for row in range(len(found))) == ["17: allopurinol", "17: gout"]


def test_a_file_of_brat_with_every_kind_of_line_is_read(tmp_path):
    (tmp_path / "17.txt").write_text(f"{TITLE}\n{ABSTRACT}", encoding="utf-8")
    (tmp_path / "17.ann").write_text(BRAT, encoding="utf-8")
    found = goldassay.read(tmp_path / "17.ann", kind="concepts")
    assert sorted(found.item(row) for row in range(len(found))) == ["17: allopurinol", "17: gout", "17: treated"]
    assert found.left_out["relations"] == 2
    assert found.left_out["events"] == 1


@pytest.mark.parametrize("name", sorted({*WRITTEN} - {"oak.tsv", "pubtator.txt"}))
def test_all_forms_score_as_one(name, tmp_path):
    for one in ("pubtator.txt", name):
        (tmp_path / one).write_text(WRITTEN[one], encoding="utf-8", newline="")
    report = goldassay.evaluate(
        tmp_path / name, gold=tmp_path / "pubtator.txt", kind="concepts", measures="concept_exact"
    )
    assert report.runs[0].scores[0].f1 == 1


@pytest.mark.parametrize(
    "page",
    [
        '{"PubTator3": [{"id": "17", "passages": []}]}',
        '{"documents": [{"passages": 3}]}',
        "<collection><document>",
        "17|t|a\n17|a|b\n17\tx\ty\tz\tw\tv",
    ],
)
def test_what_only_looks_like_them_is_refused_with_a_reason(page, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(page, encoding="utf-8")
    with pytest.raises(goldassay.GoldassayError) as caught:
        goldassay.read(path, kind="concepts")
    assert caught.value.found or caught.value.expected
