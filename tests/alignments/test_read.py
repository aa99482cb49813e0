"""Reading alignments: every format, and every way in which a file can be wrong."""

import gzip
import itertools
import json
import math
import random
from pathlib import Path
from unittest import mock
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.draws import times

import goldassay
from goldassay.alignments import Alignment, AlignmentReading, read_alignment, write_alignment
from goldassay.alignments.formats.write import swap_sides
from goldassay.alignments.read import alignment_of_columns, case_name, claims, manifest_of, systems_of
from goldassay.core import intern
from goldassay.core.errors import RecordError
from goldassay.formats.memory import Columns

OWL, SKOS = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2004/02/skos/core#"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "alignments"
HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment" '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n<Alignment>\n'
)
TAIL = "</Alignment>\n</rdf:RDF>\n"
CELL = (
    '<map>\n<Cell>\n<entity1 rdf:resource="{0}"/>\n<entity2 rdf:resource="{1}"/>\n'
    "<measure>{2}</measure>\n<relation>{3}</relation>\n</Cell>\n</map>\n"
)
SSSOM = '#curie_map:\n#  a: "http://a/"\n#  b: http://b#\nsubject_id\tpredicate_id\tobject_id\tconfidence\n'


def write(tmp_path, text, name="a.tsv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def rows(alignment):
    return [(alignment.item(row), alignment.scores[row].item()) for row in range(len(alignment))]


def refused(path, match, **options):
    with pytest.raises(goldassay.GoldassayError, match=match) as caught:
        read_alignment(path, AlignmentReading(**options))
    return caught.value


FRAME = pl.DataFrame({"source": ["a", "b"], "target": ["1", "2"], "relation": ["=", "<"], "score": [0.9, 0.4]})


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "rdf", "sssom.tsv", "json", "csv.gz"])
def test_every_format_reads_alike(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    match ending:
        case "csv":
            FRAME.write_csv(path)
        case "csv.gz":
            path.write_bytes(gzip.compress(FRAME.write_csv().encode()))
        case "tsv":
            FRAME.write_csv(path, separator="\t")
        case "parquet":
            FRAME.write_parquet(path)
        case "jsonl":
            FRAME.write_ndjson(path)
        case "rdf":
            path.write_text(HEAD + CELL.format("a", "1", 0.9, "=") + CELL.format("b", "2", 0.4, "&lt;") + TAIL)
        case "sssom.tsv":
            path.write_text(SSSOM.split("\n", 3)[3] + "a\tskos:exactMatch\t1\t0.9\nb\tskos:broadMatch\t2\t0.4\n")
        case "json":
            path.write_text(
                json.dumps(
                    {
                        "mappings": [
                            {"subject_id": "a", "predicate_id": "owl:sameAs", "object_id": "1", "confidence": 0.9},
                            {"subject_id": "b", "predicate_id": "skos:broadMatch", "object_id": "2", "confidence": 0.4},
                        ]
                    }
                )
            )
    assert rows(read_alignment(path)) == [("a = 1", 0.9), ("b < 2", 0.4)]


MAPPINGS = [("a", f"{OWL}sameAs", "1", 0.9), ("b", f"{SKOS}broadMatch", "2", 0.4)]
ANNOTATED = ("annotatedSource", "annotatedProperty", "annotatedTarget")


@pytest.mark.parametrize("ending", ["ttl", "nt"])
def test_annotated_mappings_in_rdf(tmp_path, ending):
    lines = []
    for number, (source, word, target, confidence) in enumerate(MAPPINGS):
        ends = zip(ANNOTATED, (f"x:{source}", word, f"x:{target}"), strict=True)
        lines += [f"_:m{number} <{OWL}{name}> <{value}> ." for name, value in ends]
        lines.append(f'_:m{number} <https://w3id.org/sssom/confidence> "{confidence}" .')
    found = read_alignment(write(tmp_path, "\n".join(lines), f"a.{ending}"))
    assert rows(found) == [("x:a = x:1", 0.9), ("x:b < x:2", 0.4)]


@pytest.mark.parametrize("name", ["a.jsonld", "a.json"])
def test_annotated_mappings_in_json_ld(tmp_path, name):
    graph = []
    for source, word, target, confidence in MAPPINGS:
        ends = zip(ANNOTATED, (f"x:{source}", word, f"x:{target}"), strict=True)
        graph.append(
            {f"{OWL}{end}": {"@id": value} for end, value in ends} | {"https://w3id.org/sssom/confidence": confidence}
        )
    found = read_alignment(write(tmp_path, json.dumps({"@graph": graph}, indent=1), name))
    assert sorted(rows(found)) == [("x:a = x:1", 0.9), ("x:b < x:2", 0.4)]


def test_an_irregular_file_reads_like_a_regular_one(tmp_path):
    regular = HEAD + CELL.format("a", "1", 0.9, "=") + CELL.format("b", "2", 0.4, "=") + TAIL
    again = regular.replace("<map>\n<Cell>", "<map><!-- by hand --><Cell>", 1).replace('"b"', "'b'")
    others = [
        again,
        regular.replace("<Cell>", '<Cell rdf:about="x">', 1),
        regular.replace('<entity1 rdf:resource="b"/>', '<entity1><Class rdf:about="b"/></entity1>'),
        regular.replace('rdf:resource="a"', 'rdf:resource="&#97;"'),
        regular.replace("<measure>0.9</measure>", ""),
    ]
    wanted = rows(read_alignment(write(tmp_path, regular, "a.rdf")))
    for text in others:
        found = rows(read_alignment(write(tmp_path, text, "b.rdf")))
        assert [name for name, _ in found] == [name for name, _ in wanted]


ARABIC = "\u0660.\u0665"
CELLS = st.lists(
    st.tuples(
        st.text("ab&<>'\"é/ #", min_size=1, max_size=4).filter(str.strip),
        st.text("12é", min_size=1, max_size=3),
        st.sampled_from(["0", "1", "0.5", "1e-3", "2", "nan", "x", "", ARABIC, "5.", ".5", "+1", "1_0", "1e999"]),
        st.sampled_from(["=", "&lt;", "%", "eats", "", "&#60;", "&#x3C;", "&lt;=", "&lt;&gt;", "&amp;lt;", "&quot;"]),
    ),
    max_size=4,
)


@times(3)
@example([("a", "1\u00a0", "0.5", "=")], 0, "")
@given(CELLS, st.integers(0, 400), st.sampled_from(["", "<!-- -->", "&amp;", "<x/>", "\n", "</Cell>", "\x01", "é"]))
def test_both_ways_through_xml_agree(cells, place, noise):
    from xml.sax.saxutils import quoteattr, unescape

    from goldassay.alignments.formats import oaei
    from goldassay.formats import Source
    from goldassay.formats.records import BadRecords

    text = HEAD + "".join(CELL.replace('"{0}"', quoteattr(cell[0])).format("", *cell[1:]) for cell in cells) + TAIL
    text = text[: len(HEAD) + place] + noise + text[len(HEAD) + place :]
    source = Source(path="a.rdf", name="a.rdf", data=text.encode(), size=1)
    fast = oaei.columns_at_once(source)
    if fast is not None:
        with mock.patch.object(oaei, "columns_at_once", return_value=None):
            slow = oaei.read_oaei(source, BadRecords()).lists
        assert fast["source"] == slow["source"]
        assert fast["target"] == slow["target"]
        assert [unescape(word) for word in fast["relation"]] == slow["relation"]
        assert fast["score"] == [float(word) for word in slow["score"]]


def spellings(cell):
    """Spell one file in several ways that are the same to XML: none of them may decide what the reader makes of it."""
    text = HEAD + cell + TAIL
    yield text
    yield text.replace("<map>", "<map><!-- by hand -->", 1)
    yield text.replace("<map>", "<map> ", 1).replace("</map>", " </map>")
    yield text.replace("<Cell>", "<Cell >")
    yield text.replace('="a"/>', "='a' />")
    yield text + "<!-- the end -->"
    yield "\ufeff" + text


def verdict(path, text):
    try:
        found = read_alignment(write(path, text, "a.rdf"))
    except goldassay.InputError as error:
        return error.message, error.found, error.line
    return rows(found), found.left_out


@pytest.mark.parametrize(
    ("score", "relation"),
    [
        *(
            (score, "=")
            for score in (
                "0.5",
                ARABIC,
                "५",
                "5.",
                ".5",
                "+0.5",
                "1_0",
                "nan",
                "1e999",
                "0,5",
                "0x1",
                " 0.5 ",
                "-1",
                "",
            )
        ),
        *(
            ("0.5", word)
            for word in ("&#60;", "&#x3e;", "&lt;", "&lt;=", "&lt;&lt;", "&amp;lt;", "&quot;", " = ", "eats", "")
        ),
    ],
)
def test_a_comment_decides_nothing(tmp_path, score, relation):
    found = [verdict(tmp_path, text) for text in spellings(CELL.format("a", "1", score, relation))]
    assert found == [found[0]] * len(found)


@pytest.mark.parametrize(
    "change", [("<measure", "<measure a=b"), ('="a"', '="a\uffff"'), ('="a"', '="a&b;"'), ("</map>", "</map>&x;")]
)
def test_a_comment_mends_nothing(tmp_path, change):
    cells = CELL.format("a", "1", "0.5", "=").replace("<measure>", "<measure >") + CELL.format("b", "2", "0.5", "=")
    for text in spellings(cells.replace(*change, 1)):
        with pytest.raises(goldassay.InputError, match=r"Invalid XML|entity"):
            read_alignment(write(tmp_path, text, "a.rdf"))


MAPPING_SET = """\
# license: https://example.org/license
# curie_map:
#   HP: http://purl.obolibrary.org/obo/HP_
#   obo: http://purl.obolibrary.org/obo/
#   x: https://example.org/x#
#   ns1: https://example.org/one/
subject_id\tsubject_label\tpredicate_id\tobject_id\tmapping_justification\tconfidence
HP:1\tOne\towl:equivalentClass\tx:a\tsemapv:LexicalMatching\t0.9
HP:2\tTwo\tskos:exactMatch\tx:b/c\tsemapv:LexicalMatching\t0.8
obo:MP_3\tThree\trdfs:subClassOf\thttps://elsewhere.org/d\tsemapv:LexicalMatching\t0.7
HP:4\tFour\tx:similarTo\tns1:e\tsemapv:LexicalMatching\t0.6
"""


def mappings_of(path):
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    return [[line[lines[0].index(f"{name}_id")] for name in ("subject", "predicate", "object")] for line in lines[1:]]


def test_sssom_to_sssom_keeps_prefixes_and_predicates(tmp_path):
    path, again = write(tmp_path, MAPPING_SET, "a.sssom.tsv"), tmp_path / "b.sssom.tsv"
    before = read_alignment(path)
    lost = write_alignment(before, again)
    wanted = mappings_of(path)
    wanted[2][2] = "ns2:d"
    assert mappings_of(again) == wanted
    for line in (
        'HP: "http://purl.obolibrary.org/obo/HP_"',
        'x: "https://example.org/x#"',
        'ns2: "https://elsewhere.org/"',
    ):
        assert f"#  {line}" in again.read_text().splitlines()
    assert lost == (
        "sssom: 1 namespaces have no prefix in the file and get one: ns2",
        "sssom: not written: license, subject_label, mapping_justification",
    )
    assert rows(read_alignment(again)) == rows(before)


def test_ten_columns_that_are_not_written_are_named(tmp_path):
    heads = ["subject_id", "object_id", *(f"x{n}" for n in range(12))]
    for unread, shown in (
        (10, "x0, x1, x2, x3, x4, x5, x6, x7, x8, x9"),
        (11, "x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, ..."),
    ):
        text = "\n".join("\t".join(row[: 2 + unread]) for row in (heads, ["x:a", "x:b", *"abcdefghijkl"]))
        lost = write_alignment(read_alignment(write(tmp_path, text, "a.sssom.tsv")), tmp_path / "b.sssom.tsv")
        assert f"sssom: not written: {shown}" in lost


def test_the_ends_of_a_mapping_change_places_with_its_predicate(tmp_path):
    swap = swap_sides(read_alignment(write(tmp_path, MAPPING_SET, "a.sssom.tsv")))
    lost = write_alignment(swap, tmp_path / "b.sssom.tsv")
    assert [row[1] for row in mappings_of(tmp_path / "b.sssom.tsv")] == [
        "owl:equivalentClass",
        "skos:exactMatch",
        "skos:narrowMatch",
    ]
    assert "sssom: 1 correspondences whose relation has no predicate are not written" in lost


@pytest.mark.parametrize(
    ("name", "to", "unwritten"),
    [
        (
            "a.sssom.tsv",
            "b.rdf",
            (
                "3 predicates are written as the relations that they mean",
                "license, subject_label, mapping_justification",
            ),
        ),
        (
            "a.sssom.tsv",
            "b.csv",
            (
                "3 predicates are written as the relations that they mean",
                "license, subject_label, mapping_justification",
            ),
        ),
        ("a.json", "b.sssom.tsv", ("mapping_justification, license",)),
        ("a.csv", "b.rdf", ("comment, seen",)),
        ("a.jsonl", "b.csv", ("comment, seen",)),
        ("a.ttl", "b.sssom.tsv", ("get one: ns1, ns2", "http://www.w3.org/2000/01/rdf-schema#comment")),
        ("a.rdf", "b.csv", ("onto1, method",)),
    ],
)
def test_what_a_conversion_loses_is_listed(tmp_path, name, to, unwritten):
    mapping = {"subject_id": "x:a", "predicate_id": "skos:exactMatch", "object_id": "x:b", "mapping_justification": "m"}
    text = {
        "a.sssom.tsv": MAPPING_SET,
        "a.json": json.dumps({"curie_map": {"x": "http://x/"}, "license": "l", "mappings": [mapping]}),
        "a.csv": "source,target,comment,score,seen\na,b,yes,0.5,2020\n",
        "a.jsonl": '{"source": "a", "target": "b", "comment": "yes", "score": 0.5, "seen": 2020}\n',
        "a.ttl": f'<http://x/a> <{OWL}equivalentClass> <http://y/b> ; <http://www.w3.org/2000/01/rdf-schema#comment> "c" .',
        "a.rdf": HEAD + "<onto1>o</onto1><method>m</method>" + CELL.format("a", "1", 0.9, "=") + TAIL,
    }[name]
    lost = write_alignment(read_alignment(write(tmp_path, text, name)), tmp_path / to)
    assert len(lost) == len(unwritten)
    assert all(one.endswith(part) for one, part in zip(lost, unwritten, strict=True)), lost


TAGS = {
    "source": '<entity1 rdf:resource="{}"/>',
    "target": "<entity2  rdf:resource='{}' />",
    "relation": "<relation>{}</relation>",
    "score": '<measure rdf:datatype="xsd:float">{}</measure>',
}


@pytest.mark.parametrize("order", [*itertools.permutations(TAGS)][::5])
@pytest.mark.parametrize("cell", ["<Cell>", "<Cell cid='{}'>"])
def test_a_regular_file_is_read_at_once_any_the_order_of_its_tags(order, cell):
    from goldassay.alignments.formats import oaei
    from goldassay.formats import Source

    stated = [{"source": f"a{n}", "target": f"b{n}", "relation": "=", "score": f"0.{n}"} for n in (1, 2, 3)]
    cells = [" ".join(TAGS[name].format(one[name]) for name in order) for one in stated]
    maps = (f"<map>{cell.format(number)}{values}</Cell></map>\n" for number, values in enumerate(cells))
    text = HEAD + "".join(maps) + TAIL
    found = oaei.columns_at_once(Source(path="a.rdf", name="a.rdf", data=text.encode(), size=1))
    assert found is not None
    assert (found["source"], found["target"]) == (["a1", "a2", "a3"], ["b1", "b2", "b3"])
    assert (found["relation"], found["score"]) == (["="] * 3, [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (('<entity2 rdf:resource="{1}"/>', '<entity1 rdf:resource="{1}"/>'), "The cell has no entity2"),
        (("<Cell>", "<Cell><x>"), "Invalid XML"),
        (("</map>", "</map><x>"), "Invalid XML"),
        (("<Cell>", "<Cell cid='1'><Cell cid='2'>"), "Invalid XML"),
        (("<Cell>", ""), "Invalid XML"),
        (('<entity1 rdf:resource="{0}"/>', '<Cell cid="1">'), "Invalid XML"),
        (("<Cell>", "<Cell cid='&'>"), "Invalid XML"),
    ],
)
def test_what_all_cells_have_wrong_is_wrong(tmp_path, change, match):
    cells = CELL.replace(*change).format("a", "1", 1, "=") * 2
    refused(write(tmp_path, HEAD + cells + TAIL, "a.rdf"), match)


def test_the_ends_of_the_unit_are_within_it(tmp_path):
    found = read_alignment(write(tmp_path, "source,target,score\na,1,0\nb,2,1\n", "a.csv"))
    assert (found.scores.tolist(), found.notes, found.beyond_unit) == ([0, 1], (), None)


def test_what_was_left_out_before_is_not_changed_by_duplicates():
    before = {"skipped_records": 2}
    rows = np.zeros(3, dtype=np.int32)
    found = Alignment.of_codes(terms=pl.Series(["a", "b"]), sources=rows, targets=rows + 1, left_out=before)
    assert (found.left_out, before) == ({"skipped_records": 2, "duplicates": 2}, {"skipped_records": 2})
    assert (found.facts["rows"], found.stated) == (3, 3)


@pytest.mark.parametrize(
    ("cell", "match"),
    [
        ("<map>\n</map>", "The map has no cell"),
        (CELL.format("a", "1", "many", "="), "The score is not a number"),
        (CELL.format("a", "1", "NaN", "="), "The score is not a number"),
        (CELL.format("a", "1", "inf", "="), "The score is not a number"),
        (CELL.format("a", "1", "1", "eats"), "The relation 'eats' is unknown"),
        (CELL.format("", "1", "1", "="), "The cell has no entity1"),
        ("<map><Cell><entity1 rdf:resource='a'/></Cell></map>", "The cell has no entity2"),
        (
            CELL.format("a", "1", "1", "=").replace("<relation>", "<relation>&lt;</relation><relation>"),
            "The cell has several relation elements",
        ),
    ],
)
def test_a_bad_cell_has_its_line_and_can_be_skipped(tmp_path, cell, match):
    path = write(tmp_path, HEAD + CELL.format("x", "9", 1, "=") + cell + TAIL, "a.rdf")
    error = refused(path, match)
    assert 12 <= error.line <= 13
    found = read_alignment(path, AlignmentReading(on_error="skip"))
    assert (len(found), found.left_out, found.stated) == (1, {"skipped_records": 1}, 2)


def test_broken_xml_has_its_line(tmp_path):
    assert refused(write(tmp_path, HEAD + CELL.format("x", "9", 1, "="), "a.rdf"), "The XML ends early").line


@pytest.mark.parametrize(
    ("text", "match", "line"),
    [
        ("from,label\na,b\n", "No column is recognised as the target", 1),
        ("source,target\na\n", "The target is empty", 2),
        ("source,target\na,1\n,2\n", "The source is empty", 3),
        ("source,target,score\na,1,0.5\nb,2,much\n", "The score is not a number", 3),
        ("source,target,score\na,1,0.5\n\nb,2,inf\n", "The score is not a number", 4),
        ("source;target;score\na;1;7,9\n", "(?s)The score is not a number.*decimal comma", 2),
        ("SrcEntity,TgtEntity\na,1\n,2\n", "The SrcEntity is empty", 3),
        ("source,target,relation\na,1,=\nb,2,?!\n", "The relation '\\?!' is unknown", 3),
        ("source,target\na,1,2\n", "The row has 3 cells", 2),
    ],
)
def test_a_bad_row_has_its_line(tmp_path, text, match, line):
    path = write(tmp_path, text, "a.csv")
    assert refused(path, match).line == line


def test_a_missing_column_is_reported_with_those_that_there_are(tmp_path):
    path = write(tmp_path, "source,target,sim1\na,1,0.5\n", "a.csv")
    error = refused(path, "The table has no column 'sim'", score_column="sim")
    assert "source, target, sim1" in str(error)
    assert read_alignment(path, AlignmentReading(score_column="sim1")).scores.tolist() == [0.5]


def test_columns_of_any_name(tmp_path):
    path = write(tmp_path, "x,y,z\na,1,3.5\n", "a.csv")
    reading = AlignmentReading(source_column="x", target_column="y", score_column="z", scores="any")
    assert rows(read_alignment(path, reading)) == [("a = 1", 3.5)]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_scores_of_parquet_are_checked(tmp_path, value):
    FRAME.with_columns(score=pl.Series([0.5, value])).write_parquet(tmp_path / "a.parquet")
    refused(tmp_path / "a.parquet", "The score is")
    found = read_alignment(tmp_path / "a.parquet", AlignmentReading(on_error="skip"))
    assert len(found) == 1


def test_mappings_with_an_unknown_prefix_are_skipped_where_asked(tmp_path):
    path = tmp_path / "a.sssom.tsv"
    path.write_text(
        "#curie_map:\n#  a: http://a/\nsubject_id\tpredicate_id\tobject_id\n"
        "a:1\tskos:exactMatch\tx:1\na:2\tskos:exactMatch\ta:3\nz:9\tskos:exactMatch\tx:1\n"
    )
    found = read_alignment(path, AlignmentReading(on_error="skip"))
    assert [found.item(row) for row in range(len(found))] == ["http://a/2 = http://a/3"]
    assert found.left_out["skipped_records"] == 2
    assert "skipped line 4: The prefix 'x' is unknown." in " ".join(found.notes)
    assert "skipped line 6: The prefix 'z' is unknown." in " ".join(found.notes)


def test_prefixes_embedded_next_to_and_named(tmp_path):
    table = SSSOM + "a:1\tskos:exactMatch\tb:2\t0.5\n"
    assert rows(read_alignment(write(tmp_path, table))) == [("http://a/1 = http://b#2", 0.5)]
    bare = table.split("\n", 3)[3]
    path = write(tmp_path, bare, "bare.tsv")
    error = refused(path, "The prefix 'a' is unknown")
    assert error.line == 2
    assert rows(read_alignment(path, AlignmentReading(metadata="none"))) == [("a:1 = b:2", 0.5)]
    map_ = write(tmp_path, "curie_map:\n  a: http://a/\n  b: http://b#\n", "map.yml")
    assert rows(read_alignment(path, AlignmentReading(metadata=str(map_))))[0][0] == "http://a/1 = http://b#2"
    write(tmp_path, "curie_map:\n  a: http://x/\n  b: http://y/\n", "bare.yml")
    assert rows(read_alignment(path))[0][0] == "http://x/1 = http://y/2"


def test_sssom_lines_count_the_metadata(tmp_path):
    path = write(tmp_path, SSSOM + "a:1\tskos:exactMatch\tb:2\t0.5\na:1\tskos:exactMatch\tb:3\tfive\n")
    assert refused(path, "not a number").line == 6


def test_scores_above_1_are_a_note(tmp_path):
    text = HEAD + CELL.format("a", "1", "1.00001", "=") + CELL.format("b", "2", "-0.5", "=") + TAIL
    for page in (text, text.replace("<map>", "<map><!-- by hand -->", 1)):
        found = read_alignment(write(tmp_path, page, "a.rdf"))
        assert found.notes == ("scores outside of [0, 1]: 2",)
        assert (found.scores.tolist(), found.beyond_unit) == ([1.00001, -0.5], None)
    table = write(tmp_path, "source,target,score\na,1,1.5\nb,2,0.5\n", "a.csv")
    skipped = read_alignment(table, AlignmentReading(on_error="skip"))
    assert (len(skipped), skipped.left_out, skipped.beyond_unit) == (1, {"skipped_records": 1}, None)


@pytest.mark.parametrize("blank", ["NaN", "nan", "", " NaN "])
def test_a_mapping_may_have_no_confidence(tmp_path, blank):
    path = write(tmp_path, SSSOM + f"a:1\tskos:exactMatch\tb:2\t{blank}\na:1\tskos:exactMatch\tb:3\t0.5\n")
    found = read_alignment(path)
    assert found.scores.tolist() == [1, 0.5]
    assert found.facts["unscored"] == 1


def test_targets_without_a_source_are_left_out(tmp_path):
    row = "sssom:NoTermFound\tskos:exactMatch\tb:2\t1\n"
    found = read_alignment(write(tmp_path, SSSOM + row + "a:1\tskos:exactMatch\tb:2\t1\n"))
    assert (len(found), found.left_out) == (1, {"targets_without_source": 1})
    assert "targets without a counterpart, which are left out: 1" in found.notes


def test_null_of_melt_is_disjoint_from_what_has_no_counterpart(tmp_path):
    cells = CELL.format("a", "null", 1, "%") + CELL.format("null", "1", 1, "%") + CELL.format("b", "null", 1, "=")
    found = read_alignment(write(tmp_path, HEAD + cells + TAIL, "a.rdf"))
    assert (rows(found), len(found.nulls), found.left_out) == ([("b = null", 1.0)], 1, {"targets_without_source": 1})


def test_mappings_of_literals_are_reported(tmp_path):
    head = "subject_id\tsubject_type\tpredicate_id\tobject_id\n"
    text = head + "\trdfs literal\tskos:exactMatch\tb\na\towl class\tskos:exactMatch\tb\n"
    path = write(tmp_path, text, "a.sssom.tsv")
    assert refused(path, "This is a literal mapping").line == 2
    assert read_alignment(path, AlignmentReading(on_error="skip")).left_out == {"skipped_records": 1}
    refused(write(tmp_path, "literal\tpredicate_id\tobject_id\ncat\tskos:exactMatch\tb\n", "l.tsv"), "literal mappings")


def test_mappings_are_kept_by_their_justification(tmp_path):
    text = (
        "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
        "a\tskos:exactMatch\t1\tsemapv:ManualMappingCuration\nb\tskos:exactMatch\t2\tsemapv:LexicalMatching\n"
    )
    path = write(tmp_path, text, "a.sssom.tsv")
    reading = AlignmentReading(justification=("https://w3id.org/semapv/vocab/manualMappingCuration",), metadata="none")
    found = read_alignment(path, reading)
    assert (rows(found), found.left_out) == ([("a = 1", 1.0)], {"other_justifications": 1})
    assert found.choices["justification"] == "manualmappingcuration"
    refused(write(tmp_path, "source,target\na,1\n", "a.csv"), "does not state how", justification=("x",))


def test_pairs_without_an_order(tmp_path):
    path = write(tmp_path, "source,target,relation,score\nb,a,<,0.5\na,b,>,0.7\na,c,=,1\nd,c,=,1\n", "a.csv")
    found = read_alignment(path, AlignmentReading(unordered=True))
    assert rows(found) == [("a > b", 0.7), ("a = c", 1.0), ("c = d", 1.0)]
    assert (found.left_out, found.choices["pairs"]) == ({"duplicates": 1}, "unordered")


def test_no_term_found_is_a_null(tmp_path):
    found = read_alignment(write(tmp_path, SSSOM + "a:1\tskos:exactMatch\tsssom:NoTermFound\t1\n"))
    assert (len(found), found.facts["nulls"]) == (0, 1)


def test_relations_are_kept_and_others_counted(tmp_path):
    path = write(tmp_path, SSSOM + "a:1\tskos:exactMatch\tb:2\t1\na:1\tskos:closeMatch\tb:3\t1\n")
    found = read_alignment(path, AlignmentReading(relations=("=",)))
    assert (len(found), found.left_out) == (1, {"other_relations": 1})
    assert found.choices == {"relations": "="}


def test_duplicates_are_merged_with_the_highest_score():
    found = Alignment.from_rows([("a", "1", "=", 0.2), ("a", "1", "=", 0.8), ("a", "1", "<", 0.9), ("b", "1")])
    assert found.left_out == {"duplicates": 1}
    assert rows(found) == [("a = 1", 0.8), ("a < 1", 0.9), ("b = 1", 1.0)]
    assert rows(found.pairs) == [("a = 1", 0.9), ("b = 1", 1.0)]
    assert found.pairs.times.tolist() == [3, 1]


def test_one_list_without_scores_takes_none_from_the_others(tmp_path):
    path = write(tmp_path, "SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t[('1', 0.5), ('2', 0.9)]\nB\t2\t['2', '1']\n")
    assert refused(path, "Some candidates have a score, and others have none").line == 3
    found = read_alignment(path, AlignmentReading(on_error="skip"))
    assert found.candidates.scored
    assert found.left_out == {"skipped_records": 1}


@pytest.mark.parametrize(
    ("cell", "match"),
    [
        ("['1', '2']", None),
        ('["1", "2"]', None),
        ("(('1', 0.5), ('2', 0.1))", None),
        ("['2']", "The target '1' is not among the candidates"),
        ("['1', '1']", "A candidate occurs twice in the list"),
        ("__import__('os').getcwd()", "The cell is not a list of candidates"),
        ("[('1', 'high')]", "The cell is not a list of candidates"),
        ("[('1', 1e999)]", "The cell is not a list of candidates"),
        ("(" * 500, "The cell is not a list of candidates"),
        ("[1, 2]", "The cell is not a list of candidates"),
        ("[('1', 0.5), '2']", "Some candidates have a score, and others have none"),
    ],
)
def test_candidates_are_parsed_and_never_evaluated(tmp_path, cell, match):
    path = write(tmp_path, f"SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t{cell}\n")
    if match is None:
        assert read_alignment(path).facts["candidates"] == 2
    else:
        assert refused(path, match).line == 2
        assert read_alignment(path, AlignmentReading(on_error="skip")).left_out == {"skipped_records": 1}


def test_labels_and_kinds_come_from_ontologies(tmp_path):
    ontology = write(
        tmp_path,
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<http://a/1> a owl:Class ; rdfs:label "cat" . <http://b/2> a owl:ObjectProperty ; rdfs:label "chat"@fr .',
        "a.ttl",
    )
    path = write(tmp_path, "source\ttarget\nhttp://a/1\thttp://b/2\nhttp://a/3\thttp://b/2\n")
    found = read_alignment(path, AlignmentReading(source_ontology=str(ontology), target_ontology=str(ontology)))
    assert [name for name, _ in rows(found)] == ["cat = chat", "http://a/3 = chat"]
    assert "1 of 3 entities are not in the ontologies" in found.warnings
    edges = write(tmp_path, "child,parent\nhttp://a/1,http://a/3\n", "edges.csv")
    found = read_alignment(path, AlignmentReading(source_ontology=str(edges)))
    assert "1 of 3 entities are not in the ontologies" in found.warnings


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "The file is empty"),
        (b"\xef\xbb\xbf", "The file is empty"),
        (b"\0\0\0\0", "The file is binary"),
        (b"PAR1 and no more", "Invalid Parquet file"),
        (b"<html><body></body></html>", "a web page"),
        (b"{}", "The file is empty"),
        (b"[]", "The file is empty"),
        (b"just words", "format of this file is not recognised"),
        (b"source\ttarget\n\xff\xfe\tb\n", "not in the encoding"),
        (b"#curie_map:\n", "format of this file is not recognised"),
    ],
)
def test_what_is_no_alignment_is_reported(tmp_path, data, match):
    for name in ("a.dat", "a.rdf", "a.csv"):
        with pytest.raises(goldassay.GoldassayError):
            read_alignment(write(tmp_path, data, name))
    refused(write(tmp_path, data, "a.dat"), match)


@pytest.mark.parametrize("text", ["source\ttarget\n", HEAD + TAIL])
def test_an_alignment_may_be_empty_and_says_so(tmp_path, text):
    found = read_alignment(write(tmp_path, text, "a.dat"))
    assert (len(found), found.notes) == (0, ("the file contains no correspondence",))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl", "a.rdf"])
def test_byte_order_marks(tmp_path, encoding, name):
    text = {
        "a.tsv": "source\ttarget\né\t1\n",
        "a.csv": "source,target\r\né,1\r\n",
        "a.jsonl": '{"source": "é", "target": "1"}\n',
        "a.rdf": (HEAD + CELL.format("é", "1", 1, "=") + TAIL).replace(' encoding="utf-8"', ""),
    }[name]
    assert rows(read_alignment(write(tmp_path, text.encode(encoding), name))) == [("é = 1", 1.0)]


SEEDS = {
    "a.rdf": HEAD + CELL.format("http://a#1", "http://b#2", 0.5, "=") + CELL.format("a", "b", 1.0, "&lt;") + TAIL,
    "a.sssom.tsv": SSSOM + "a:1\tskos:exactMatch\tb:2\t0.5\na:3\tskos:broadMatch\tb:4\t\n",
    "a.tsv": "SrcEntity\tTgtEntity\tScore\na\tb\t0.5\nc\td\t1\n",
    "a.csv": 'source,target,relation,score\na,"b, c",=,0.5\nd,e,<,1\n',
    "a.jsonl": '{"source": "a", "target": "b", "score": 0.5}\n{"source": "c", "target": "d"}\n',
    "b.tsv": "SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t[('1', 0.5), ('2', 0.1)]\n",
    "a.json": '{"curie_map": {"a": "http://a/"}, "mappings": [{"subject_id": "a:1", "predicate_id": "owl:sameAs", "object_id": "a:2"}]}',
}
PIECES = [
    b"\0",
    b"\t",
    b"\n",
    b"\r",
    b'"',
    b",",
    b"NaN",
    b"\xff",
    b"\xef\xbb\xbf",
    b"&",
    b"<",
    b"\\ud800",
    b"1e999",
    b"#",
    b":",
]


def damaged(data, seed):
    chance = random.Random(seed)  # noqa: S311 - noise, no secret
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data = data[:place] + chance.choice(PIECES) + data[place:]
            case 1:
                data = data[:place] + data[place + chance.randrange(8) :]
            case 2:
                data = data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
            case 3:
                data = data[: max(place, 1)]
    return data


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("noise")


@times(3)
@given(name=st.sampled_from(sorted(SEEDS)), seed=st.integers(0, 2**32), on_error=st.sampled_from(["stop", "skip"]))
def test_damaged_files_give_an_alignment_or_an_error_of_our_own(folder, name, seed, on_error):
    path = folder / name
    path.write_bytes(damaged(SEEDS[name].encode(), seed))
    try:
        found = read_alignment(path, AlignmentReading(on_error=on_error))
    except goldassay.GoldassayError:
        return
    assert np.isfinite(found.scores).all()
    assert found.beyond_unit is not None or name.endswith(".rdf") or ((found.scores >= 0) & (found.scores <= 1)).all()
    assert all(found.item(row) for row in range(len(found)))


@given(
    st.lists(
        st.tuples(
            st.text(max_size=4).filter(str.strip),
            st.text(max_size=4).filter(str.strip),
            st.sampled_from("=<>~"),
            st.sampled_from([0.0, 0.1, 1 / 3, 1.0]),
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(["rdf", "csv", "tsv", "parquet", "jsonl", "sssom.tsv"]),
)
def test_what_is_written_is_read_again(folder, drawn, ending):
    written = [(s.strip(), t.strip(), r, score) for s, t, r, score in drawn]
    path = folder / f"out.{ending}"
    alignment = Alignment.from_rows(written)
    try:
        write_alignment(alignment, path)
    except goldassay.OutputError:
        assert ending in {"rdf", "tsv", "sssom.tsv"}
        return
    found = read_alignment(path, AlignmentReading(metadata="none" if ending == "sssom.tsv" else None))
    assert sorted(rows(found)) == sorted(rows(alignment))


def test_what_is_lost_is_reported(tmp_path):
    path = write(
        tmp_path,
        SSSOM.replace("\tconfidence", "\tpredicate_modifier\tconfidence") + "a:1\tskos:exactMatch\tb:2\tNot\t1\n",
    )
    assert write_alignment(read_alignment(path), tmp_path / "a.rdf") == ("oaei: 1 denied pairs are not written",)
    nameless = Alignment.from_rows([("a", "b", "HasInstance")])
    assert "1 correspondences whose relation has no predicate" in write_alignment(nameless, tmp_path / "a.sssom.tsv")[0]


def test_folders_of_systems_and_manifests(tmp_path):
    for side in ("reference", "one", "two"):
        (tmp_path / side).mkdir()
        write(tmp_path / side, "source\ttarget\na\t1\n", "x-y.tsv")
    systems, gold = systems_of(str(tmp_path))
    assert [Path(path).name for path in [*systems, gold]] == ["one", "two", "reference"]
    manifest = write(
        tmp_path,
        "system,case,pred,gold\nS,c,one/x-y.tsv,reference/x-y.tsv\nT,c,two/x-y.tsv,reference/x-y.tsv\n",
        "m.csv",
    )
    preds, gold = manifest_of(str(manifest))
    assert [pred.path for pred in preds] == ["S", "T"]
    assert rows(gold) == [("c: a = 1", 1.0)]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("case,pred\nc,a.tsv\n", "No column is recognised as the gold"),
        ("case,pred,gold\nc,,b\n", "The pred is empty"),
        ("case,pred,gold\nc,a,b\nc,a,d\n", "has two gold standards"),
        ("case,pred,gold\nc,absent.tsv,absent.tsv\n", "File not found"),
    ],
)
def test_a_bad_manifest(tmp_path, text, match):
    with pytest.raises(goldassay.InputError, match=match):
        manifest_of(str(write(tmp_path, text, "m.csv")))


def test_plain_statements_are_mappings_if_none_is_annotated(tmp_path):
    text = f"<x:a> <{SKOS}exactMatch> <x:1> . <x:b> <http://x/likes> <x:2> . <x:c> <{OWL}sameAs> <x:3> ."
    assert rows(read_alignment(write(tmp_path, text, "a.ttl"))) == [("x:a = x:1", 1.0), ("x:c = x:3", 1.0)]
    refused(write(tmp_path, "<x:b> <http://x/likes> <x:2> .", "b.ttl"), "The file contains no mapping")
    half = write(tmp_path, f"[] <{OWL}annotatedSource> <x:a> . <x:a> <{SKOS}exactMatch> <x:1> .", "c.ttl")
    refused(half, "The mapping has no object")
    assert read_alignment(half, AlignmentReading(on_error="skip")).left_out == {"skipped_records": 1}


@pytest.mark.parametrize("end", ["[ a <x:Union> ]", '"chat"'])
@pytest.mark.parametrize("annotated", [False, True])
def test_an_expression_or_a_text_is_no_end_of_a_mapping(tmp_path, end, annotated):
    good = f"<x:a> <{OWL}equivalentClass> <x:1> . "
    text = f"<x:b> <{OWL}equivalentClass> {end} ."
    if annotated:
        good, text = (
            f"[] <{OWL}annotatedSource> <x:b> ; <{OWL}annotatedProperty> <{OWL}sameAs> ; <{OWL}annotatedTarget> {one} . "
            for one in ("<x:1>", "[ a <x:Union> ]")
        )
    refused(write(tmp_path, good + text, "a.ttl"), "The mapping has no object")
    found = read_alignment(tmp_path / "a.ttl", AlignmentReading(on_error="skip"))
    assert (len(found), found.left_out) == (1, {"skipped_records": 1})


def test_sssom_as_rdf_is_what_it_is_as_a_table(reference_data):
    folder = reference_data / "alignments" / "sssom" / "sssom-py"
    table, graph = (read_alignment(folder / name) for name in ("data_basic.tsv", "data_basic.sssom.rdf"))
    assert sorted(name for name, _ in rows(table)) == sorted(name for name, _ in rows(graph))
    assert sorted(table.scores) == pytest.approx(sorted(graph.scores), abs=1e-6)
    assert (graph.facts["rows"], graph.facts["denied"]) == (141, 1)


def test_results_as_melt_lays_them_out(tmp_path):
    from goldassay.alignments.read import is_of_melt, results_of_melt

    for case, number in (("one", 1), ("two", 2)):
        for system in ("AML", "Lily"):
            (tmp_path / case / system).mkdir(parents=True)
            write(tmp_path / case / system, HEAD + CELL.format("a", number, 1, "=") + TAIL, "systemAlignment.rdf")
            write(tmp_path / case / system, "x,y\n", "performance.csv")
        write(tmp_path / case, HEAD + CELL.format("a", number, 1, "=") + TAIL, "reference.rdf")
        write(tmp_path / case, "<x/>", "source.rdf")
    assert is_of_melt(str(tmp_path))
    preds, gold = results_of_melt(str(tmp_path))
    assert [pred.path for pred in preds] == ["AML", "Lily"]
    assert [rows(one) for one in (*preds, gold)] == [[("one: a = 1", 1.0), ("two: a = 2", 1.0)]] * 3
    (tmp_path / "two" / "reference.rdf").unlink()
    with pytest.raises(goldassay.InputError, match="'two' has no reference"):
        results_of_melt(str(tmp_path))
    assert not is_of_melt(str(tmp_path / "one"))


ONTOLOGY = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://x/{0}> a owl:{1} ; rdfs:label "{2}" ; rdfs:subClassOf <http://x/thing> .
"""


def lay_out_melt(folder, references):
    """Two cases below a track, as MELT writes results; references and ontologies in a folder of their own."""
    for case, number, kind in (("one", 1, "Class"), ("two-Cases", 2, "ObjectProperty")):
        for system in ("AML", "Lily"):
            (folder / "track_1.0" / case / system).mkdir(parents=True)
            cell = CELL.format("http://x/a", f"http://x/{number}", 1, "=")
            write(folder / "track_1.0" / case / system, HEAD + cell + TAIL, "systemAlignment.rdf")
        (references / "track" / case).mkdir(parents=True)
        for name, text in (
            ("reference.rdf", HEAD + CELL.format("http://x/a", "http://x/1", 1, "=") + TAIL),
            ("source.ttl", ONTOLOGY.format("a", kind, "the a")),
            ("target.ttl", ONTOLOGY.format(number, kind, f"number {number}")),
        ):
            write(references / "track" / case, text, name)


def test_results_of_melt_with_references_elsewhere_have_the_ontologies_of_each_case(tmp_path, goldassay_command):
    results, references = tmp_path / "results", tmp_path / "references"
    lay_out_melt(results, references)
    command = ["alignment", "--cases", results, "--gold", references, "-m", "overlap"]
    made = goldassay_command(*command, "--by", "type", "--by", "case")
    assert made.code == 0, made.err
    assert [line.split()[-6:] for line in made.out.splitlines() if line.startswith(("AML  ", "Lily  "))] == [
        ["1", "/", "2", "1", "/", "2"]
    ] * 2
    # What the ontology of the first case says of an entity counts.
    assert any(line.split()[:2] == ["class", "1.0000"] for line in made.out.splitlines())
    assert any(line.split()[:2] == ["two-cases", "0.0000"] for line in made.out.splitlines())
    explained = tmp_path / "why.csv"
    made = goldassay_command(*command, "--explain", explained)
    assert "the a" in explained.read_text()
    # A file for each case in one folder, without ontologies.
    flat = tmp_path / "flat"
    flat.mkdir()
    for case in ("one", "two-cases"):
        write(flat, HEAD + CELL.format("http://x/a", "http://x/1", 1, "=") + TAIL, f"{case}.rdf")
    made = goldassay_command("alignment", "--cases", results, "--gold", flat, "-m", "overlap")
    assert made.out.count("1 / 2") == 4
    made = goldassay_command("alignment", "--cases", results, "--gold", flat, "-m", "overlap", "--by", "type")
    assert made.code == 2


def test_references_that_are_missing_or_double_are_refused(tmp_path, goldassay_command):
    results, references = tmp_path / "results", tmp_path / "references"
    lay_out_melt(results, references)
    made = goldassay_command("alignment", "--cases", results)
    assert made.code == 2
    assert "'one' has no reference" in made.err
    assert "--gold FOLDER with CASE/reference.rdf" in " ".join(made.err.split())
    write(references / "track", "source,target\na,b\n", "one.csv")
    made = goldassay_command("alignment", "--cases", results, "--gold", references)
    assert made.code == 2
    assert "'one' has several references" in made.err
    manifest = write(tmp_path, "case,pred,gold\na,p.csv,g.csv\n", "cases.csv")
    made = goldassay_command("alignment", "--cases", manifest, "--gold", references)
    assert made.code == 2
    assert "--cases already gives gold" in made.err


def test_an_empty_folder_and_two_files_of_one_case(tmp_path):
    refused(tmp_path, "The folder contains no alignment")
    for name in ("a-b.tsv", "A-B.csv"):
        write(tmp_path, "source\ttarget\n" if name.endswith("tsv") else "source,target\n", name)
    refused(tmp_path, "Two files are the test case 'a-b'")
    with pytest.raises(goldassay.InputError, match="no gold standard"):
        systems_of(str(tmp_path))


def test_the_reference_files_that_are_hard(reference_data):
    folder = reference_data / "alignments" / "sssom"
    found = read_alignment(folder / "sssom-py" / "data_basic.tsv")
    assert (found.facts["rows"], found.facts["denied"]) == (141, 1)
    assert len(read_alignment(folder / "mp_hp_mgi_all.sssom.tsv").pairs) == 1517
    assert read_alignment(folder / "calculated_output_mp_hp.csv").beyond_unit.line == 2
    refused(folder / "sssom-py" / "data_basic-meta-external.tsv", "The prefix 'x' is unknown")
    read_alignment(folder / "sssom-py" / "data_oaei-ordo-hp.rdf")


@pytest.mark.parametrize(
    "cell", ["[[], '1']", "[('1', 1" + "0" * 400 + ")]", "[('1', [])]", "[('1', 0.5, [])]", "[['1', {}]]"]
)
def test_a_candidate_of_any_kind_is_refused_and_never_a_fault(tmp_path, cell):
    path = write(tmp_path, f"SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t{cell}\n")
    assert refused(path, "The cell is not a list of candidates").line == 2


@pytest.mark.parametrize("entry", [" " * 500_000, " a" + " " * 500_000 + "x", " " + "a" * 500_000, " '" * 200_000])
def test_a_prefix_map_is_read_at_once(tmp_path, entry):
    table = SSSOM.replace("#curie_map:\n", f"#curie_map:\n#{entry}\n") + "a:1\tskos:exactMatch\tb:2\t0.5\n"
    assert rows(read_alignment(write(tmp_path, table))) == [("http://a/1 = http://b#2", 0.5)]


def test_long_identifiers_are_written_at_once(tmp_path):
    term = "http://a/" + "x" * 300_000 + "/" + "é" * 200_000
    alignment = Alignment.from_rows([(term, "http://b/1")])
    write_alignment(alignment, tmp_path / "a.sssom.tsv")
    assert read_alignment(tmp_path / "a.sssom.tsv").item(0) == f"{term} = http://b/1"


ENTITY = st.sampled_from(["a", "b", " a", "c\t", "null", "UnMatched", ""])
STATED = st.lists(st.tuples(ENTITY, ENTITY, st.sampled_from(["1", "0.5", "x"]), st.sampled_from("=<%&")), max_size=5)


@given(STATED, st.sampled_from(["stop", "skip"]))
def test_few_rows_are_read_as_many_are(tmp_path_factory, stated, on_error):
    file = tmp_path_factory.getbasetemp() / "few.tsv"
    header = "SrcEntity\tTgtEntity\tScore\tRelation\n"
    file.write_text(header + "".join("\t".join(f'"{cell}"' for cell in row) + "\n" for row in stated), encoding="utf-8")
    found = []
    for few in (0, 2**14):
        with patch.object(intern, "FEW", few):
            try:
                alignment = read_alignment(file, AlignmentReading(on_error=on_error))
            except goldassay.GoldassayError as error:
                found.append(str(error))
                continue
            nulls = [alignment.name(row) for row in alignment.nulls.sources.tolist()]
            found.append((rows(alignment), sorted(nulls), alignment.left_out, alignment.notes, dict(alignment.facts)))
    assert found[0] == found[1]


@pytest.mark.parametrize("word", ["null", "UnMatched"])
@pytest.mark.parametrize("relation", ["=", "%"])
def test_a_missing_counterpart_is_seen_next_to_other_entities(tmp_path, word, relation):
    file = tmp_path / "a.rdf"
    cells = [("a", "b", "1", "="), ("c", word, "1", relation), (word, "d", "1", relation)]
    file.write_text(HEAD + "".join(CELL.format(*cell) for cell in cells) + TAIL, encoding="utf-8")
    missing = word != "null" or relation == "%"
    alignment = read_alignment(file)
    assert len(alignment) == (1 if missing else 3)
    assert len(alignment.nulls) == missing
    assert alignment.left_out.get("targets_without_source", 0) == missing


@pytest.mark.parametrize(
    ("row", "messages"),
    [
        ((None, "x", "=", 0.5), "source is empty.*row 2: '', 'x'"),
        (("a", "x", "odd", 0.5), "relation 'odd' is unknown.*row 2: 'odd'"),
        (("a", "x", "=", math.nan), "score is not a number.*row 2: None"),
        (("a", "x", "=", -1.0), "score is not in.*row 2: -1.0"),
    ],
)
def test_a_bad_row_of_a_table_without_lines_is_numbered(row, messages):
    with pytest.raises(RecordError, match=f"(?sm){messages}"):
        goldassay.evaluate(
            [("a", "x", "=", 1.0), row], gold=[("a", "x")], kind="alignment", measures="overlap(threshold=0.5)"
        )


@pytest.mark.parametrize(
    "header",
    [
        *("source_concept,target_concept", "source_term,target_term", "source_class,target_class", "URI1,URI2"),
        *("term1,term2", "concept_a,concept_b", "ontology1_class,ontology2_class", "Source Label,Target Label"),
    ],
)
def test_the_ends_of_a_pair_may_be_called_by_what_they_are(header, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"{header},score\nx,y,0.5\n", encoding="utf-8")
    assert read_alignment(path).item(0) == "x = y"


@pytest.mark.parametrize("mark", ["=", "≡", "->", "→", "↔", "⟷", "⟺"])
def test_lines_of_two_iris_are_no_turtle(mark, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"<http://a#x> {mark} <http://b#y>\n<http://a#z> {mark} <http://b#w>\n", encoding="utf-8")
    alignment = read_alignment(path)
    assert [alignment.item(row) for row in range(2)] == ["http://a#x = http://b#y", "http://a#z = http://b#w"]


@pytest.mark.parametrize(
    ("word", "relation"),
    [
        *((word, "=") for word in ("≡", "equivalent to", "Equivalent_To", "is equivalent to", "<->", "⇔", "equals")),
        *((word, "<") for word in ("⊑", "is a", "narrower than", "subsumed by")),
        *((word, ">") for word in ("⊒", "broader than", "subsumes")),
    ],
)
def test_relations_are_read_as_they_are_written_in_lines(word, relation, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"source,target,relation\na,b,{word}\n", encoding="utf-8")
    assert read_alignment(path).item(0) == f"a {relation} b"


@pytest.mark.parametrize(
    "form",
    [
        "source,target,score\na,b,{}\nc,d,0.5\n",
        "| source | target | score |\n|---|---|---|\n| a | b | {} |\n| c | d | 0.5 |\n",
    ],
)
def test_a_score_may_be_in_percent(form, tmp_path):
    path = tmp_path / ("a.csv" if "|" not in form else "a.md")
    for written in ("95%", "95 %", "95.0%", "0.95"):
        path.write_text(form.format(written))
        assert sorted(read_alignment(path).scores.tolist()) == [0.5, 0.95]
    for written in ("%", "9%5", "9 5%", "95%%"):
        path.write_text(form.format(written))
        with pytest.raises(RecordError, match="not a number"):
            read_alignment(path)


def test_an_engine_reads_a_score_in_percent(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "a.csv"
    path.write_text("source,target,score\na,b,95%\nc,d,0.5\n")
    options = {"kind": "alignment", "measures": "overlap(threshold=0.9)", "selfcheck": False}
    gold = [("a", "b"), ("c", "d")]
    here = goldassay.evaluate(path, gold=gold, **options)
    gold_path = tmp_path / "gold.csv"
    gold_path.write_text("source,target\na,b\nc,d\n")
    there = goldassay.evaluate(path, gold=gold_path, engine="duckdb", **options)
    key = "overlap(threshold=0.9)"
    assert here[key].f1 == there[key].f1 == pytest.approx(2 / 3)


def test_equivalences_in_functional_syntax_are_lines(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(
        "Here they are:\n\nEquivalentClasses(a:Dog b:Hund)\nEquivalentObjectProperties( <http://a#eats> <http://b#frisst> )\n"
    )
    found = read_alignment(path)
    assert [found.item(row) for row in range(2)] == ["a:Dog = b:Hund", "http://a#eats = http://b#frisst"]


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".parquet"])
def test_scores_of_candidates_may_be_a_list_of_their_own(suffix, tmp_path):
    path = tmp_path / f"a{suffix}"
    rows = [{"source": "dog", "target-cands": ["Hund", "Katze"], "score-cands": [0.9, 0.2]}]
    if suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    else:
        path.write_text(json.dumps(rows if suffix == ".json" else rows[0]))
    pairs = tmp_path / "pairs.json"
    pairs.write_text(json.dumps([{"source": "dog", "candidates": [["Hund", 0.9], ["Katze", 0.2]]}]))
    found, known = read_alignment(path).candidates, read_alignment(pairs).candidates
    assert found.scores.tolist() == known.scores.tolist() == [0.9, 0.2]


def test_scores_of_candidates_are_as_many_as_these(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"source": "dog", "target-cands": ["Hund", "Katze"], "score-cands": [0.9]}]))
    with pytest.raises(RecordError, match="not a list of candidates") as error:
        read_alignment(path)
    assert "with the scores" in error.value.found


@pytest.mark.parametrize(
    "form",
    [
        "source,target\ndog,Hund\nfish,{}\n",
        "dog -> Hund\nfish -> {}\n",
        "- dog: Hund\n- fish: {}\n",
        "| source | target |\n|---|---|\n| dog | Hund |\n| fish | {} |\n",
        '{{"dog": "Hund", "fish": "{}"}}',
    ],
)
@pytest.mark.parametrize(
    "word", ["None", "N/A", "nan", "-", "No match", "No match found", "(no equivalent)", "not found"]
)
def test_a_source_without_a_counterpart_is_no_correspondence(form, word, tmp_path):
    path = tmp_path / "alignment.txt"
    path.write_text(form.format(word))
    found = read_alignment(path)
    assert len(found) == len(found.nulls) == 1
    assert "sources without a counterpart: 1" in found.notes


def test_a_cell_may_have_several_targets(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("source,target\ncat,\"['Katze', 'Kater']\"\ndog,['Hund']\ncow,Kuh\n")
    found = read_alignment(path)
    assert list(map(found.item, range(len(found)))) == ["cat = Katze", "cat = Kater", "dog = Hund", "cow = Kuh"]
    assert found.input_rows.tolist() == [0, 0, 1, 2]
    path.write_text("source,targets\ncat,Katze|Kater\ndog,Hund\n")
    assert len(read_alignment(path)) == 3
    path.write_text("source,target\ncat,Katze|Kater\ndog,Hund\n")
    assert read_alignment(path).warnings == ("1 target has a bar, and is one name each",)


def test_mappings_of_logmap_have_no_header(tmp_path):
    path = tmp_path / "logmap.tsv"
    path.write_text("http://a#1\thttp://b#1\t=\t0.9\tCLS\nhttp://a#2\thttp://b#2\t<\t0.8\tCLS\n")
    for found in (read_alignment(path), read_alignment(path, AlignmentReading(header="no"))):
        assert list(map(found.item, range(2))) == ["http://a#1 = http://b#1", "http://a#2 < http://b#2"]


def test_data_is_not_proposed_as_the_name_of_a_column(tmp_path):
    path = tmp_path / "run.tsv"
    path.write_text("cat\tQ0\tKatze\t1\t0.9\trun\n")
    with pytest.raises(goldassay.InputError, match="write the names of the columns above the first row: source,target"):
        read_alignment(path)


def test_sssom_of_a_spreadsheet_has_separators_behind_its_metadata(tmp_path):
    path = tmp_path / "a.sssom.csv"
    path.write_text("#curie_map:,,\n#  a: http://a/,,\nsubject_id,predicate_id,object_id\na:1,skos:exactMatch,a:2\n")
    assert read_alignment(path).item(0) == "http://a/1 = http://a/2"


def test_oaei_in_a_fence_may_have_a_declaration(tmp_path):
    alignment = Alignment.from_rows([("http://a#1", "http://b#1")])
    write_alignment(alignment, tmp_path / "a.rdf")
    written = (tmp_path / "a.rdf").read_text()
    assert written.startswith("<?xml")
    (tmp_path / "a.txt").write_text(f"Here it is:\n```xml\n{written}```\n")
    assert read_alignment(tmp_path / "a.txt").item(0) == "http://a#1 = http://b#1"


@pytest.mark.parametrize("column", ["rank", "Distance"])
def test_ranks_that_are_not_read_are_warned_of(column, tmp_path):
    path = tmp_path / "ranks.csv"
    path.write_text(f"source,target,{column}\ncat,Katze,1\ncat,Kater,2\n")
    assert read_alignment(path).warnings == (
        f"without scores all targets of a source are tied in rankings: not read: {column}",
    )
    path.write_text(f"source,target,score,{column}\ncat,Katze,0.9,1\ncat,Kater,0.8,2\n")
    assert not read_alignment(path).warnings


def test_the_example_of_alignment_of_columns():
    alignment = alignment_of_columns(Columns({"source": ["cat"], "target": ["chat"], "score": [0.5]}))
    assert (alignment.item(0), alignment.scores.tolist()) == ("cat = chat", [0.5])


def test_the_example_of_case_name():
    assert (case_name("cmt-confOf.rdf"), case_name("A.sssom.tsv.gz")) == ("cmt-confof", "a")


def test_the_example_of_claims():
    assert (claims("tsv", ["SrcEntity", "TgtEntity", "Score"]), claims("csv", ["child", "parent"])) == (True, False)
