"""Which column is what: one rule for all families, all formats of tables, files and frames, this process and DuckDB."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from datetime import date, datetime
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import registry
from tests.draws import times

import goldassay
from goldassay.core.errors import GoldassayError, InputError
from goldassay.core.text import singular
from goldassay.formats import roles
from goldassay.formats.choose_columns import Roles, _labels_in, warn_of_node_ids
from goldassay.formats.column_names import bare, decisions_in, ladder_in, levels_in, nodes_in
from goldassay.formats.known import SUFFIXES
from goldassay.formats.roles import CORRESPONDENCES, DOCUMENTS, EDGES, LABELS, TRIPLES

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.core.errors.SuspectInputWarning")
HIERARCHY = "child,parent\ncat,pet\ndog,pet\n"
TABLES: dict[str, tuple[Roles, dict[str, tuple[str, ...]], dict[str, object]]] = {
    "taxonomy": (EDGES, {"source": ("cat", "dog"), "target": ("pet", "pet")}, {"edges": "all"}),
    "triples": (
        TRIPLES,
        {"id": ("1", "2"), "subject": ("cat", "dog"), "predicate": ("eats", "eats"), "object": ("fish", "bone")},
        {},
    ),
    "axioms": (
        roles.AXIOMS,
        {
            "class": ("Cat", "Dog"),
            "property": ("eats", "eats"),
            "object": ("Fish", "Bone"),
            "kind": ("object", "object"),
        },
        {},
    ),
    "alignment": (
        CORRESPONDENCES,
        {"source": ("a:x", "a:y"), "target": ("b:x", "b:y"), "relation": ("=", "="), "score": ("0.5", "0.75")},
        {},
    ),
    "labels": (LABELS, {"instance": ("d1", "d2"), "label": ("cat", "dog"), "score": ("0.5", "0.75")}, {}),
    "sentences": (roles.SENTENCES, {"id": ("1", "2"), "text": ("The cat sleeps.", "The dog barks.")}, {}),
    "concepts": (roles.DOCUMENTS, {"id": ("1", "2"), "concepts": ("cat", "dog")}, {}),
}
"""For every family that reads tables: its roles, a table by role, and the options of its reader."""
NOT_IN = {"concepts": ("json-lines", "json-table")}
"""Formats in which a cell is not written as it is elsewhere: in JSON several concepts are a list."""
ON_ENGINES = ("taxonomy", "triples", "axioms", "alignment", "concepts")


@pytest.fixture
def read(tmp_path):
    (tmp_path / "hierarchy.csv").write_text(HIERARCHY)

    def read(kind, given, **options):
        options = TABLES[kind][2] | options
        if kind == "labels":
            options["hierarchy"] = str(tmp_path / "hierarchy.csv")
        return goldassay.read(given, kind=kind, **options)

    return read


def items(model):
    return sorted(model.item(row) for row in range(len(model)))


def forms(frame: pl.DataFrame, path, *without):
    """Give a table in every format that has columns but some, in memory too."""
    suffixes = {name: suffix for suffix, name in reversed(SUFFIXES.items())}
    for name, writers in ((name, registry.TABLES[name]) for name in registry.TABLES if name not in without):
        for number, write in enumerate(writers):
            file = path / f"{number}{suffixes.get(name, '.json')}"
            file.write_bytes(write(frame))
            yield str(file)
    yield from (frame, frame.to_pandas(), frame.to_arrow())


def written(word: str, how: int) -> str:
    """Write the name of a column as people do."""
    return (word, word.upper(), word.capitalize(), f" {word} ", f"{word[:1]}_{word[1:]}", f"{word}-")[how % 6]


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_is_the_same_however_its_columns_are_called_and_ordered(kind, read, tmp_path):
    declared, columns, _ = TABLES[kind]
    expected = items(read(kind, pl.DataFrame(columns)))
    numbers = itertools.count()
    pairs = [declared.pair] if declared.pair else []
    for role in columns:
        for number, tier in enumerate(declared.names[role]):
            for word in sorted(tier.names):
                others = {other: other for other in columns}
                for pair in pairs:
                    if role in pair:
                        others |= {one: min(declared.names[one][number].names) for one in pair}
                    elif role not in pair:
                        others |= {one: min(declared.names[one][0].names) for one in pair}
                names = others | {role: written(word, next(numbers))}
                frame = pl.DataFrame({names[one]: cells for one, cells in columns.items()})
                frame = frame.with_columns(unknown=pl.lit("x")).select(reversed([*frame.columns, "unknown"]))
                assert items(read(kind, frame)) == expected, frame.columns


@pytest.mark.parametrize(
    ("kind", "role"), [(kind, role) for kind, (_, columns, _) in TABLES.items() for role in columns]
)
def test_a_number_in_the_name_of_a_column_counts_where_no_other_has_the_name(kind, role, read):
    declared, columns, _ = TABLES[kind]
    names = {one: min(declared.names[one][0].names) for one in columns}
    expected = items(read(kind, pl.DataFrame({names[one]: cells for one, cells in columns.items()})))
    numbered = {**names, role: f"{names[role]} 0.9"}
    frame = pl.DataFrame({numbered[one]: cells for one, cells in columns.items()})
    assert items(read(kind, frame)) == expected
    # The column with the very name is taken, wherever it is.
    other = pl.DataFrame({numbered[role]: ["x", "y"]} | {names[one]: cells for one, cells in columns.items()})
    assert items(read(kind, other)) == expected


@pytest.mark.parametrize("kind", TABLES)
def test_every_format_of_one_table_gives_one_model(kind, read, tmp_path):
    declared, columns, _ = TABLES[kind]
    names = {role: min(declared.names[role][0].names) for role in columns}
    frame = pl.DataFrame({names[role]: cells for role, cells in columns.items()} | {"remark": ("x", "y")})
    found = [items(read(kind, given)) for given in forms(frame, tmp_path, *NOT_IN.get(kind, ()))]
    assert found[0]
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("kind", ON_ENGINES)
def test_duckdb_reads_the_columns_that_one_machine_reads(kind, tmp_path):
    declared, columns, options = TABLES[kind]
    gold = pl.DataFrame(columns)
    measure = {
        "taxonomy": "literal",
        "triples": "triples",
        "axioms": "exact",
        "alignment": "overlap",
        "concepts": "concept_exact",
    }
    names = {role: min(declared.names[role][0].names).upper() for role in columns}
    frame = pl.DataFrame({names[role]: cells for role, cells in columns.items()} | {"remark": ("x", "y")})
    tables = [*forms(frame.select(reversed(frame.columns)), tmp_path, "json-lines", "json-table")]
    # What opens a table on an engine does not know the family.
    tables = tables if kind == "taxonomy" else tables[::4]
    # In one report, which reads gold once.
    named = {f"{number}": table for number, table in enumerate(tables)}
    report = goldassay.evaluate(named, gold=gold, kind=kind, measures=measure[kind], engine="duckdb", **options)
    assert [run.scores[0].f1 for run in report.runs] == [1] * len(tables), tables


EXPORTS = [
    ("a.name,type(r),b.name\ncat,EATS,fish\n", "triples", "1: cat | EATS | fish"),
    ("n.name,type(rel),m.name\ncat,EATS,fish\n", "triples", "1: cat | EATS | fish"),
    ('"a.name","type(r)","b.name"\n"cat","EATS","fish"\n', "triples", "1: cat | EATS | fish"),
    ("source.name,type(r),target.name\ncat,EATS,fish\n", "triples", "1: cat | EATS | fish"),
    ("target.name,type(r),source.name\nfish,EATS,cat\n", "triples", "1: cat | EATS | fish"),
    ("endNode(r).name,type(r),startNode(r).name\nfish,EATS,cat\n", "triples", "1: cat | EATS | fish"),
    ("start,end,type\ncat,fish,EATS\n", "triples", "1: cat | EATS | fish"),
    ("h,r,t\ncat,EATS,fish\n", "triples", "1: cat | EATS | fish"),
    ("object,relation,subject\nfish,EATS,cat\n", "triples", "1: cat | EATS | fish"),
    ("src,dst\ncat,pet\n", "taxonomy", "cat -> pet"),
    ("dst,src\npet,cat\n", "taxonomy", "cat -> pet"),
    ("to,from\npet,cat\n", "taxonomy", "cat -> pet"),
    ("super,sub\npet,cat\n", "taxonomy", "cat -> pet"),
    ("Hypernym,Hyponym\npet,cat\n", "taxonomy", "cat -> pet"),
    ("a.name,b.name\ncat,pet\n", "taxonomy", "cat -> pet"),
    ("source,child_label,parent_label,child_id,parent_id\nWordNet,cat,pet,1,2\n", "taxonomy", "cat -> pet"),
]


@pytest.mark.parametrize(("text", "kind", "item"), EXPORTS)
def test_what_tools_write_is_read_by_its_names(text, kind, item, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    assert items(goldassay.read(tmp_path / "a.csv", kind=kind)) == [item]


IDS = [
    ":START_ID,:END_ID,:TYPE\n1,2,EATS\n",
    ":START_ID(Animal),:END_ID(Food),:TYPE\n1,2,EATS\n",
    "~id,~from,~to,~label\n1,2,3,EATS\n",
    "id(a),type(r),id(b)\n1,EATS,2\n",
    "a.id,type(r),b.id\n1,EATS,2\n",
]


@pytest.mark.parametrize("kind", ["triples", "taxonomy", "alignment", "axioms"])
@pytest.mark.parametrize("text", IDS)
def test_ids_of_nodes_are_no_names(text, kind, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError, match=r"--header no|-column|name the columns"):
        goldassay.read(tmp_path / "a.csv", kind=kind)


def test_columns_of_ids_are_compared_with_a_warning(tmp_path):
    (tmp_path / "a.csv").write_text("child_id,parent_id\n1,2\n")
    assert "ids are compared" in goldassay.read(tmp_path / "a.csv").warnings[0]


REFUSED = [
    ("taxonomy", "x1,x2,x3,x4\na,b,c,d\n"),
    ("taxonomy", "child,above\ncat,pet\n"),
    ("taxonomy", "below,parent\ncat,pet\n"),
    ("taxonomy", "0,1\n1,2\n"),
    ("taxonomy", ",x_id,y_id\n0,cat,pet\n"),
    ("taxonomy", "the first,the second,weight,note\na,b,1,x\n"),
    ("taxonomy", ":START_ID,:END_ID\n1,2\n"),
    ("taxonomy", "child,Child,parent\na,b,c\n"),
    ("triples", "subject,verb,object\ncat,eats,fish\n"),
    ("triples", "x_id,y_id,z_id\ncat,eats,fish\n"),
    ("triples", "who,does,whom,when,where\na,b,c,d,e\n"),
    ("triples", ":START_ID,:END_ID,:TYPE\n1,2,EATS\n"),
    ("triples", "subject,relation,rel,object\na,b,c,d\n"),
    ("axioms", "class,verb,object\nCat,eats,Fish\n"),
    ("axioms", "a_name,b_name,c_name\nCat,eats,Fish\n"),
    ("alignment", "left one,right one\na,b\n"),
    ("alignment", "source,aim,score\na,b,0.5\n"),
    ("labels", "instance,tags\nd1,cat\n"),
    ("labels", "id,label,prediction\nd1,cat,dog\n"),
    ("sentences", "number,words\n1,The cat sleeps.\n"),
    ("sentences", "words\nThe cat sleeps.\n"),
    ("concepts", "number,words\n1,The cat sleeps.\n"),
    ("concepts", "id,answer,prediction\n1,The cat sleeps.,The dog.\n"),
]


LABELLED = [
    ("taxonomy", "item,itemLabel,parent,parentLabel", "Q1,dog,Q2,pet", "dog -> pet"),
    ("taxonomy", "child,child_label,parent,parent label", "Q1,dog,Q2,pet", "dog -> pet"),
    ("taxonomy", "item,itemLabel,class,classLabel", "Q1,dog,Q2,pet", "dog -> pet"),
    ("triples", "subject,subjectLabel,predicate,predicateLabel,object,objectLabel", "Q1,dog,P1,eats,Q2,meat", "1: dog | eats | meat"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "header", "row", "item", "suffix"),
    # Records of triples have a reader of their own.
    [(*one, suffix) for one in LABELLED for suffix in (".csv", ".json") if (one[0], suffix) != ("triples", ".json")],
)
def test_labels_next_to_ids_are_the_names(kind, header, row, item, suffix, tmp_path):
    path = tmp_path / f"a{suffix}"
    records = [dict(zip(header.split(","), row.split(","), strict=True))]
    path.write_text(f"{header}\n{row}\n" if suffix == ".csv" else json.dumps(records))
    found = goldassay.read(path, kind=kind)
    assert [found.item(at) for at in range(len(found))] == [item]
    assert "not from the ids next to them" in found.warnings[-1]


def test_an_id_that_is_asked_for_is_read_with_the_other_ids(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,itemLabel,parent,parentLabel\nQ1,dog,Q2,pet\n")
    found = goldassay.read(path, kind="taxonomy", parent_column="parentLabel")
    assert found.item(0) == "dog -> pet"
    found = goldassay.read(path, kind="taxonomy", child_column="item", parent_column="parent")
    assert found.item(0) == "Q1 -> Q2"


def test_a_table_of_robot_is_one_of_nodes(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("ID,LABEL,SubClass Of\nA:2,pet,\nA:1,dog,pet\n")
    found = goldassay.read(path, kind="taxonomy")
    assert found.item(0) == "dog -> pet"


def tries(error: GoldassayError) -> list[dict[str, str]]:
    """Give the options that a hint names, one dictionary for each way that it shows."""
    ways = [
        shlex.split(f"--{part.partition('--')[2]}") for part in re.split(r"; |, or ", error.hint or "") if "--" in part
    ]
    flags = [dict(zip(words[::2], words[1::2], strict=True)) for words in ways]
    return [{flag.removeprefix("--").replace("-", "_"): word for flag, word in one.items()} for one in flags]


@pytest.mark.parametrize(("kind", "text"), REFUSED)
def test_what_a_hint_says_about_columns_succeeds(kind, text, read, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read(kind, tmp_path / "a.csv")
    found = tries(caught.value)
    assert found, str(caught.value)
    end = "_column" if kind == "concepts" else ""
    for options in found:
        assert len(
            read(kind, tmp_path / "a.csv", **{name.removesuffix(end): name_of for name, name_of in options.items()})
        )


@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize("header", [None, "no", "yes"])
def test_a_table_without_names_is_read_in_order_with_a_warning_or_as_it_is_declared(header, engine, tmp_path):
    (tmp_path / "gold.csv").write_text("cat,pet\ndog,pet\n")
    options = {"child_column": "cat", "parent_column": "pet"} if header == "yes" else {}
    report = goldassay.evaluate(
        tmp_path / "gold.csv", gold=tmp_path / "gold.csv", measures="literal", engine=engine, header=header, **options
    )
    assert report["literal"].counts["n_gold"] == (1 if header == "yes" else 2)
    warned = [line for line in report.warnings if "no header was recognised" in line]
    assert bool(warned) == (header is None)


@pytest.mark.parametrize("kind", ["taxonomy", "triples", "axioms", "labels"])
def test_a_guess_is_a_warning_in_every_family(kind, read, tmp_path):
    _, columns, _ = TABLES[kind]
    rows = list(zip(*columns.values(), strict=True))
    (tmp_path / "a.csv").write_text("\n".join(",".join(row) for row in rows))
    if kind == "labels":
        (tmp_path / "a.csv").write_text("d1,cat\nd2,dog\n")
    found = read(kind, tmp_path / "a.csv")
    assert "no header was recognised" in found.warnings[0]
    assert read(kind, tmp_path / "a.csv", header="no").warnings == ()


def test_quiet_does_not_hide_that_a_header_may_have_become_a_row(tmp_path, goldassay_command):
    (tmp_path / "gold.csv").write_text("animal,group\ncat,pet\n")
    result = goldassay_command(
        "taxonomy", tmp_path / "gold.csv", "-g", tmp_path / "gold.csv", "-m", "literal", "--quiet"
    )
    assert "no header was recognised" in result.out


def test_iris_only_are_no_header(tmp_path):
    (tmp_path / "a.tsv").write_text("http://a/1\thttp://b/1\t1.0\nhttp://a/2\thttp://b/2\t0.5\n")
    found = goldassay.read(tmp_path / "a.tsv", kind="alignment")
    assert len(found) == 2
    assert found.warnings == ("the table has no header: columns are read as source, target, score",)
    assert goldassay.read(tmp_path / "a.tsv", kind="alignment", header="no").warnings == ()


@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("child,parent\ndog,pet,\ncat,pet\n", 2),
        ("child,parent\ndog,pet,,\ncat,pet\n", 2),
        ("dog,pet,\ncat,pet\n", 2),
        ("child,parent,\ndog,pet,\ncat,pet,\n", 2),
    ],
)
def test_separators_at_the_end_of_a_row_begin_no_cell(text, edges, engine, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    report = goldassay.evaluate(tmp_path / "a.csv", gold=HEADED, measures="literal", engine=engine)
    assert (report["literal"].counts["hit_gold"], report["literal"].counts["n_pred"]) == (edges, edges)


HEADED = [("dog", "pet"), ("cat", "pet")]


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_short_first_row_is_one_bad_row(engine, tmp_path):
    (tmp_path / "a.csv").write_text("cow\ndog,pet\ncat,pet\n")
    with pytest.raises(InputError, match="is empty"):
        goldassay.evaluate(tmp_path / "a.csv", gold=HEADED, measures="literal", engine=engine)
    report = goldassay.evaluate(tmp_path / "a.csv", gold=HEADED, measures="literal", engine=engine, on_error="skip")
    assert report["literal"].f1 == 1


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.parquet"])
def test_a_name_that_two_columns_have_is_refused_everywhere(name, read, tmp_path):
    for kind, (_, columns, _) in TABLES.items():
        again = [*columns, *columns]
        separator = "\t" if name == "a.tsv" else ","
        if name == "a.parquet":
            pytest.importorskip("pyarrow")
            import pyarrow as pa
            import pyarrow.parquet

            cells = [*columns.values(), *columns.values()]
            pyarrow.parquet.write_table(pa.Table.from_arrays([pa.array(one) for one in cells], again), tmp_path / name)
        else:
            rows = [again, *zip(*columns.values(), *columns.values(), strict=True)]
            (tmp_path / name).write_text("\n".join(separator.join(row) for row in rows))
        with pytest.raises(InputError):
            read(kind, tmp_path / name)


def test_one_blank_cell_moves_no_other_row(tmp_path):
    columns = {"id": ["1", "2"], "subject": ["cat", "dog"], "predicate": ["eats", "eats"], "object": ["fish", "bone"]}
    lists = {"triples": [[["x", "y", "z"]], [["u", "v", "w"]]]}
    pl.DataFrame(columns | lists).write_parquet(tmp_path / "gold.parquet")
    pl.DataFrame(columns | lists | {"object": ["fish", None]}).write_parquet(tmp_path / "pred.parquet")
    report = goldassay.evaluate(tmp_path / "pred.parquet", gold=tmp_path / "gold.parquet", kind="triples")
    assert report["triples"].counts["hit_gold"] == 1


KEYS = {
    "integers": [1, 2, 3],
    "floats": [1.0, 2.0, 3.0],
    "halves": [0.5, 2.0, 1e-7],
    "singles": pl.Series([0.1, 2, 3], dtype=pl.Float32),
    "small": pl.Series([1, 2, 3], dtype=pl.Int8),
    "large": pl.Series([2**63 + 1, 2, 3], dtype=pl.UInt64),
    "truth": [True, False, True],
    "categories": pl.Series(["a", "b", "c"], dtype=pl.Categorical),
    "dates": [date(2024, 1, 1), date(2024, 1, 2), date(1999, 1, 3)],
    "moments": [
        datetime.fromisoformat(f"2024-01-{one}") for one in ("01T01:02:03", "02T01:02:03.5", "02T01:02:03.000001")
    ],
    "decimals": pl.Series([Decimal("1.50"), Decimal("2.00"), Decimal("3.25")], dtype=pl.Decimal(10, 2)),
}


@pytest.mark.parametrize("keys", KEYS)
def test_keys_of_every_type_are_the_same_texts_here_and_on_an_engine(keys, tmp_path):
    frame = pl.DataFrame({"child": KEYS[keys], "parent": ["x", "y", "z"]})
    frame.write_parquet(tmp_path / "a.parquet")
    here = goldassay.read(tmp_path / "a.parquet")
    gold = pl.DataFrame(
        [tuple(here.item(row).split(" -> ")) for row in range(3)], schema=["child", "parent"], orient="row"
    )
    tables = {"file": str(tmp_path / "a.parquet"), "frame": frame}
    for engine in (None, "duckdb"):
        report = goldassay.evaluate(tables, gold=gold, measures="literal", engine=engine)
        assert [run.scores[0].f1 for run in report.runs] == [1, 1], (engine, here.item(0))


@pytest.mark.parametrize("engine", [None, "duckdb"])
@pytest.mark.parametrize("kind", ["taxonomy", "triples", "alignment", "axioms"])
def test_whole_numbers_with_a_gap_match_whole_numbers(kind, engine, tmp_path):
    declared, columns, options = TABLES[kind]
    role = declared.needed[0][0]
    measure = {"taxonomy": "literal", "triples": "triples", "axioms": "exact", "alignment": "overlap"}[kind]
    gold = pl.DataFrame(columns | {role: [1, 2]})
    pred = pl.DataFrame(columns | {role: [1.0, 2.0]})
    assert goldassay.evaluate(pred, gold=gold, kind=kind, measures=measure, engine=engine, **options)[measure].f1 == 1


def test_labels_that_are_floats_are_whole_numbers(tmp_path):
    (tmp_path / "h.csv").write_text("child,parent\n1,9\n2,9\n")
    options = {"kind": "labels", "hierarchy": str(tmp_path / "h.csv")}
    gold = pl.DataFrame({"instance": [1, 2], "label": ["1", "2"]})
    pred = pl.DataFrame({"instance": [1.0, 2.0], "label": [1.0, 2.0]})
    report = goldassay.evaluate(pred, gold=gold, **options)
    assert all(score.f1 == 1 for score in report.runs[0].scores if "f1" in score.values)


@times(3)
@given(st.text(alphabet=st.sampled_from("abcXYZ_- '\"\ufeff."), max_size=12))
def test_the_normalisation_of_names_knows_no_case_blanks_marks_or_quotes(name):
    assert bare(name) == bare(name.upper()) == bare(f"\ufeff '{name}'_") == bare(bare(name))


def test_a_graph_of_reversed_edges_is_reported(tmp_path):
    report = goldassay.evaluate(
        [("pet", "cat"), ("pet", "dog")], gold=[("cat", "pet"), ("dog", "pet")], measures="literal"
    )
    assert any("other way round" in line for line in report.warnings)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_short_first_row_says_nothing_of_the_columns(name, tmp_path):
    separator = "\t" if name == "a.tsv" else ","
    (tmp_path / name).write_text("\n".join(map(separator.join, (["id", "text"], ["1"], ["2", "The cat sleeps."]))))
    with pytest.raises(InputError, match="The text is missing"):
        goldassay.read(tmp_path / name, kind="concepts")
    assert goldassay.read(tmp_path / name, kind="concepts", on_error="skip").ids.tolist() == ["2"]


def test_documents_without_a_header_are_ids_and_texts(tmp_path):
    (tmp_path / "a.csv").write_text("1,The cat sleeps.\n2,The dog barks.\n")
    assert goldassay.read(tmp_path / "a.csv", kind="concepts", header="no").ids.tolist() == ["1", "2"]


@pytest.mark.parametrize(
    ("header", "pred", "gold"),
    [
        ("id,y_true,y_pred", "y_pred", "y_true"),
        ("id,label,prediction", "prediction", "label"),
        ("id,predicted_category,true_category", "predicted_category", "true_category"),
    ],
)
def test_labels_of_both_sides_in_one_table_are_named_by_the_user(header, pred, gold, tmp_path):
    (tmp_path / "a.csv").write_text(f"{header}\n1,cat,dog\n2,cat,cat\n")
    with pytest.raises(InputError, match="predicted labels and one of gold labels") as caught:
        goldassay.evaluate(tmp_path / "a.csv", gold=tmp_path / "a.csv", kind="labels")
    assert caught.value.hint == f"name one: --gold-label-column {pred}, or --gold-label-column {gold}"
    report = goldassay.evaluate(
        tmp_path / "a.csv",
        gold=tmp_path / "a.csv",
        kind="labels",
        measures="flat",
        pred_options={"label_column": pred},
        gold_options={"label_column": gold},
    )
    assert report["flat"].f1 == 0.5
    assert not any("same file" in line for line in report.warnings)


@pytest.mark.parametrize("name", ["y_pred", "y_true", "predicted_label", "true_label", "label", "prediction"])
def test_labels_of_one_side_are_recognised(name, tmp_path):
    (tmp_path / "a.csv").write_text(f"id,{name}\n1,cat\n")
    assert goldassay.read(tmp_path / "a.csv", kind="labels").item(0) == "1: cat"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("taxonomy", "child,parent\ncat,pet\n"),
        ("alignment", "source,target\nhttp://a,http://b\n"),
        ("labels", "id,label\n1,cat\n"),
        ("concepts", "id,concepts\n1,cat\n"),
    ],
)
def test_a_file_that_is_scored_against_itself_is_reported(kind, text, tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    encoder = goldassay.get_encoder("hashing")
    itself = goldassay.evaluate("a.csv", gold=tmp_path / "a.csv", kind=kind, encoder=encoder)
    other = goldassay.evaluate("b.csv", gold=tmp_path / "a.csv", kind=kind, encoder=encoder)
    assert [any("are the same file" in line for line in report.warnings) for report in (itself, other)] == [True, False]


def test_example_of_bare():
    assert bare("\ufeffParent ID") == "parentid"
    assert bare('"parent_id"') == "parentid"
    assert bare("ParentId") == "parentid"
    assert bare("parent-id") == "parentid"


def test_example_of_decisions_in():
    assert decisions_in(["child", "parent", "Is Hypernym"], [0, 1]) == {"Is Hypernym": 2}


def test_example_of_singular():
    assert singular("children") == "child"
    assert singular("categories") == "category"
    assert singular("classes") == "class"
    assert singular("subjects") == "subject"
    assert singular("class") == "class"


def test_example_of_roles_recognises():
    assert EDGES.recognises(["Parent ID", "weight", "Child_ID"])
    assert not EDGES.recognises(["cat", "pet"])


def test_example_of_roles_header_in():
    assert EDGES.header_in(["Parent", "Child"]) == {"source": 1, "target": 0}
    assert TRIPLES.header_in(["Head", "Relation", "Tail"]) == {"subject": 0, "predicate": 1, "object": 2}
    assert EDGES.header_in(["class", "object"]) == {}
    assert EDGES.header_in(["concept", "item"]) == {}


def test_example_of_roles_called():
    assert EDGES.called("source", ["sub", "child", "Child"]) == ["child", "Child"]


def test_example_of_roles_chosen():
    assert EDGES.chosen(["hypernym", "hyponym"]).places == {"source": 1, "target": 0}
    assert EDGES.chosen(["cat", "pet"], header="no").called == {"source": "child", "target": "parent"}


def test_example_of_roles_warn_of_others():
    assert DOCUMENTS.warn_of_others(["id", "text", "summary"]) == ("'summary' is read as the text, and not 'text'",)


def test_example_of_labels_in():
    assert _labels_in(["item", "itemLabel", "parent"], []) == {0: "", 1: "item"}
    assert _labels_in(["item", "itemLabel"], ["item"]) == {}


def test_example_of_warn_of_node_ids():
    assert warn_of_node_ids(["id", "was", "parent"], {"node": 0, "target": 2}) == (
        "ids are compared, not names; columns not read: 'was'; if one has the names, call it name",
    )


def test_example_of_ladder_in():
    assert ladder_in(["Item", "Category", "Subcategory"]) == {"level 1": 1, "level 2": 2, "level 3": 0}
    assert ladder_in(["category", "subcategory"]) == {}


def test_example_of_levels_in():
    assert levels_in(["id", "Level 2", "Level 1"]) == {"level 1": 2, "level 2": 1}
    assert levels_in(["level1", "name"]) == {}


def test_example_of_nodes_in():
    assert nodes_in(["id", "name", "parent_id"]) == {"node": 0, "text": 1, "target": 2}
    assert nodes_in(["name", "parent"]) == {"node": 0, "target": 1}
    assert nodes_in(["id", "name"]) == {}
