"""Scores on DuckDB: the same to the last bit, for random tables, every file that is a table, and odd files."""

import functools
import gzip
import os
import subprocess
import sys
import warnings
from pathlib import Path

import polars as pl
import pytest
from tests.engines.cases import MEASURES, OPTIONS, agree, drawn

import goldassay
from goldassay.core.errors import InputError, OutputError, RecordError, UsageError
from goldassay.engines import engine_of, on_duckdb, tables
from goldassay.engines.tables import _is_quoted
from goldassay.families import families
from goldassay.formats import source

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
GOLD = [("a", "x"), ("b", "y"), ("c", "z")]


@pytest.fixture(autouse=True, scope="module")
def one_engine():
    """One engine for each amount of memory: to start one takes as long as to score a small table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_duckdb, "DuckDB", functools.cache(on_duckdb.DuckDB))
        yield


def score(pred, gold=GOLD, kind="alignment", measures="overlap", **more):
    return goldassay.evaluate(pred, gold=gold, kind=kind, measures=measures, engine="duckdb", **more)


@pytest.mark.parametrize("kind", OPTIONS)
def test_random_tables_score_alike(kind):
    for seed, options in enumerate(OPTIONS[kind]):
        pred, gold = drawn(kind, seed)
        agree(pred, gold, kind, MEASURES[kind], engine="duckdb", **options)


@pytest.mark.parametrize("completeness", ["source", "target", "partial", "judged"])
def test_partial_gold_scores_alike(completeness):
    pred, gold = drawn("alignment", 1)
    measures = ["overlap", "overlap(duplicates=count, relation=graded)", "mrr"]
    some = measures if completeness == "judged" else measures[:1]
    here, _ = agree(pred, gold, "alignment", some, engine="duckdb", completeness=completeness)
    assert here.runs[0].pred.left_out["unjudged"]
    assert here["overlap"].bounds


def test_relations_are_chosen_where_they_are_stated_only():
    pred = pl.DataFrame({"source": ["a", "b"], "target": ["x", "y"]})
    gold = pred.with_columns(relation=pl.Series(["<", "="]))
    here, _ = agree(pred, gold, "alignment", "overlap", engine="duckdb", relations=("<",))
    assert dict(here["overlap"].counts) == {"hit_pred": 1, "n_pred": 2, "hit_gold": 1, "n_gold": 1}


def test_what_is_no_correspondence_is_noted_once():
    rows = [("a", "UnMatched", "="), ("a", "UnMatched", "="), ("b", "x", "%"), ("b", "x", "%"), ("c", "y", "?")]
    table = pl.DataFrame(rows, schema=["source", "target", "relation"], orient="row")
    _, there = agree(table, GOLD, "alignment", "overlap", engine="duckdb")
    assert [note.rpartition(": ")[2] for note in there.runs[0].pred.notes] == ["1", "1", "1"]
    only = table.filter(relation="?")
    _, there = agree(only, GOLD, "alignment", "overlap", engine="duckdb")
    assert "left out of a prediction (unless unjudged=keep): 1" in there.runs[0].pred.notes[0]


def lines(table, path, *, separator):
    table.write_csv(path, separator=separator, quote_style="necessary" if separator == "," else "never")
    return str(path)


@pytest.mark.parametrize(
    ("kind", "separator"),
    [*(("alignment", separator) for separator in ",;\t"), ("taxonomy", ","), ("axioms", ";"), ("triples", "\t")],
)
def test_lines_score_alike(kind, separator, tmp_path):
    suffix = "tsv" if separator == "\t" else "csv"
    pred, gold = (table.with_columns(pl.col(pl.String).str.strip_chars()) for table in drawn(kind, 7))
    paths = [
        lines(table, tmp_path / f"{name}.{suffix}", separator=separator) for name, table in (("p", pred), ("g", gold))
    ]
    agree(*paths, kind, MEASURES[kind][:1], engine="duckdb")


def test_lists_in_cells_score_alike(tmp_path):
    tables = [table.with_columns(pl.col("concepts").list.join("; ")) for table in drawn("concepts", 3)]
    paths = [lines(table, tmp_path / f"{number}.csv", separator=",") for number, table in enumerate(tables)]
    agree(*paths, "concepts", MEASURES["concepts"], engine="duckdb")


ODD = {
    "blank lines and cells": b"source\ttarget\n\n \t \na\tx\n\t\nb\ty\n",
    "quotes are letters in TSV": b'source\ttarget\na"\t"x\n"b\ty\n',
    "quotes enclose cells in TSV": b'"source"\t"target"\n"a ""b"""\t"x"\nb\ty\n',
    "absent cells at the end": b"source\ttarget\tscore\tnote\na\tx\t0.5\nb\ty\t1e-3\tn\n",
    "Windows lines": b"source\ttarget\r\na\tx\r\nb\ty\r\n",
    "a byte order mark": b"\xef\xbb\xbfsource\ttarget\na\tx\n",
    "no line end at the end": b"source\ttarget\na\tx\nb\ty",
    "line separators in cells": "source\ttarget\na\u2028\tx\nb\u0085c\ty\n".encode(),
}


def written(tables, folder, suffix):
    """Write tables to files, to be scored in one report, which reads gold once."""
    files = {name: folder / f"{number}.{suffix}" for number, name in enumerate(tables)}
    for name, file in files.items():
        file.write_bytes(tables[name])
    return {name: str(file) for name, file in files.items()}


def test_odd_lines_score_alike(tmp_path):
    agree(written(ODD, tmp_path, "tsv"), GOLD, "alignment", "mrr", engine="duckdb")


@pytest.mark.parametrize(
    "row", ['"b\tc"\ty', '"b\nc"\ty', '5" disk\ty'], ids=["a tab in a cell", "a line break in a cell", "a letter"]
)
def test_quotes_of_tsv_that_the_rows_around_them_explain_are_refused(row, tmp_path):
    path = tmp_path / "p.tsv"
    path.write_text(f'source\ttarget\n"a"\tx\n{row}\n')
    assert len(goldassay.read(path, kind="alignment")) == 2
    with pytest.raises(InputError, match="leave out --engine"):
        goldassay.evaluate(path, gold=GOLD, kind="alignment", measures="overlap", engine="duckdb", selfcheck=False)


def test_separators_within_concepts_are_white_space(tmp_path):
    (tmp_path / "p.csv").write_text('id,concepts\nd,"[""heart\\u001fattack"", ""aspirin""]"\n')
    gold = pl.DataFrame({"id": ["d"], "concepts": [["heart attack", "heart"]]})
    here, _ = agree(str(tmp_path / "p.csv"), gold, "concepts", "concept_exact", engine="duckdb")
    assert (here["concept_exact"].counts["hit_pred"], here["concept_exact"].counts["n_pred"]) == (1, 2)


def test_quoted_cells_score_alike(tmp_path):
    (tmp_path / "p.csv").write_bytes(b'source,target\n"a","x"\n"b, c","y ""z"""\n"line\nbreak",z\n')
    agree(str(tmp_path / "p.csv"), GOLD, "alignment", "overlap", engine="duckdb")


ROW = b"source,target\na,x\n"
LAYOUTS = {
    "no quote": ROW,
    "quoted header": b'"source","target"\na,x\n',
    "empty cells": ROW + b'"b","y"\n"","y"\n',
    "doubled quotes": ROW + b'"""b""","y""z"\n"""",y\n',
    "Windows lines": b'source,target\r\n"b","y"\r\nc,"z"\r\n',
    "a byte order mark": b'\xef\xbb\xbf"source","target"\n"b","y"\n',
    "no line end at the end": ROW + b'b,"y"',
    "lines in cells": ROW + b'"b\n\n","y\n"\n',
}
BROKEN = {
    "not closed": (ROW + b'b,y\n"c,z\nd,w\n', 4, "a quote that is not closed"),
    "closed lines below": (ROW + b'"c,z\n"d",w\n', 4, "a quote within a cell"),
    "a blank before it": (ROW + b'b, "y"\n', 3, "a quote within a cell"),
    "a blank behind it": (ROW + b'"b" ,y\n', 3, "a quote within a cell"),
    "a letter behind it": (ROW + b'"b"c,y\n', 3, "a quote within a cell"),
    "within a cell": (ROW + b'5" pipe,y\n', 3, "a quote within a cell"),
}


@pytest.mark.parametrize("piece", [3, 4, 7, 2**24])
@pytest.mark.parametrize("name", BROKEN)
def test_quotes_that_engines_understand_otherwise_are_refused(name, piece, monkeypatch, tmp_path):
    data, line, found = BROKEN[name]
    (tmp_path / "p.csv").write_bytes(data)
    monkeypatch.setattr("goldassay.formats.source.PIECE", piece)
    with pytest.raises(InputError) as caught:
        _is_quoted(tmp_path / "p.csv", ",", [])
    assert (caught.value.line, caught.value.found) == (line, found)


@pytest.mark.parametrize("piece", [3, 4, 7, 2**24])
@pytest.mark.parametrize("name", LAYOUTS)
def test_quotes_around_cells_are_known_wherever_the_file_is_parted(name, piece, monkeypatch, tmp_path):
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress(LAYOUTS[name]))
    monkeypatch.setattr("goldassay.formats.source.PIECE", piece)
    assert _is_quoted(tmp_path / "p.csv.gz", ",", []) == (b'"' in LAYOUTS[name])
    if name == "a byte order mark":
        return
    comment = b'# a "comment\n'
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress(comment + LAYOUTS[name]))
    assert _is_quoted(tmp_path / "p.csv.gz", ",", [comment]) == (b'"' in LAYOUTS[name])


def test_quoted_tables_score_alike(tmp_path):
    whole = {name: table for name, table in LAYOUTS.items() if name != "empty cells"}
    agree(written(whole, tmp_path, "csv"), GOLD, "alignment", "overlap", engine="duckdb")


def test_a_quote_that_is_not_closed_hides_no_row(tmp_path):
    (tmp_path / "p.csv").write_bytes(BROKEN["not closed"][0])
    with pytest.raises(InputError, match=r"(?s)p.csv:4: Unbalanced quotes in this row.*leave out --engine"):
        score(str(tmp_path / "p.csv"))


def test_an_archive_is_known_by_its_content(tmp_path):
    (tmp_path / "p").write_bytes(gzip.compress(ROW))
    agree(str(tmp_path / "p"), GOLD, "alignment", "overlap", engine="duckdb")


@pytest.mark.parametrize("rest", [b"a,x,a\n", b"a,x,b\n"])
def test_two_columns_of_one_name_are_refused_as_in_files(rest, tmp_path):
    (tmp_path / "p.csv").write_bytes(b"source,target,target\n" + rest)
    for engine in (None, "duckdb"):
        with pytest.raises(InputError, match=r"(?s)p.csv:1: Two columns have the same name.*'target'"):
            goldassay.evaluate(str(tmp_path / "p.csv"), gold=GOLD, kind="alignment", measures="overlap", engine=engine)


def test_rows_without_a_header_may_repeat_a_cell(tmp_path):
    (tmp_path / "p.csv").write_bytes(b"a,a\nb,y\n")
    agree(str(tmp_path / "p.csv"), [("a", "a")], "taxonomy", "literal", engine="duckdb")


def test_what_duckdb_says_has_file_and_line(tmp_path):
    (tmp_path / "p.csv").write_bytes(ROW + b"b,y,z\n")
    with pytest.raises(InputError, match=r"(?s)p.csv:3: DuckDB cannot read.*Expected Number of Columns: 2 Found: 3"):
        score(str(tmp_path / "p.csv"))


def test_a_lazy_frame_that_cannot_be_computed_is_reported():
    with pytest.raises(InputError, match=r"(?s)polars.LazyFrame: .*unable to find column"):
        score(pl.LazyFrame({"source": ["a"]}).select("target"))


def test_the_name_that_an_input_was_given_is_the_one_of_its_errors():
    with pytest.raises(InputError, match=r"(?s)mine: .*unable to find column"):
        score({"mine": pl.LazyFrame({"source": ["a"]}).select("target")})


def test_documents_without_a_counterpart_are_named_alike():
    pred, gold = (
        pl.DataFrame({"id": names, "subject": "a", "predicate": "p", "object": "b"})
        for names in (["d1", "d2", "d3"], ["d1", "d4"])
    )
    here, there = agree(pred, gold, "triples", "triples", engine="duckdb")
    assert there.warnings == here.warnings
    assert [line for line in there.warnings if "count as empty" in line] == [
        "1 gold document has no prediction: d4; missing documents count as empty",
        "2 predicted documents have no gold: d2, d3; missing documents count as empty",
    ]


@pytest.mark.parametrize(("mebibytes", "proposed"), [(600, 2048), (1024, 2048), (1500, 3000)])
def test_more_memory_is_proposed_where_it_is_too_little(mebibytes, proposed):
    engine = engine_of("duckdb", memory=mebibytes * 2**20)
    error = engine.explanation(duckdb.OutOfMemoryException("Out of Memory Error"), None)
    assert (error.found, error.hint) == (f"{mebibytes:,} MiB", f"--memory {proposed}, in megabytes")


def test_a_full_disk_is_no_table_that_cannot_be_read():
    message = 'Async write failed: {"exception_type":"IO","exception_message":"Could not write file: No space left","errno":"28"}'
    error = engine_of("duckdb", memory=2**29).explanation(duckdb.IOException(message), None)
    assert isinstance(error, OutputError)
    assert "no space is left" in str(error)
    assert "TMPDIR" in error.hint


def test_lists_of_other_things_than_texts_are_refused():
    numbers = pl.DataFrame({"id": ["1"], "concepts": [[1]]})
    with pytest.raises(
        InputError, match=r"(?s)The concepts in a row cannot be read.*among them a value of the type Int64"
    ):
        score(numbers, gold=numbers, kind="concepts", measures=None)


def test_sides_on_an_engine_are_shown_in_short():
    report = score([("a", "x")])
    assert repr(report.gold) == "<LazyAlignment of 3 items in a lazy frame>"
    assert repr(report.runs[0].pred) == "<LazyAlignment of 1 item in a lazy frame>"


def test_reports_of_an_engine_have_the_same_columns():
    for kind, measures, rows in (("alignment", ["overlap", "mrr"], [("a", "x")]), ("taxonomy", ["literal"], GOLD)):
        reports = [
            goldassay.evaluate(rows, gold=GOLD, kind=kind, measures=measures, engine=e) for e in (None, "duckdb")
        ]
        assert reports[0].format("csv") == reports[1].format("csv")


REFUSED = (
    "candidates",
    "not supported",
    "not supported on an engine",
    "read tables only",
    "two kinds",
    "concepts must be given",
)
"""What an engine says that it does not read."""


LARGEST, EACH = (3e6, 1) if os.environ.get("GOLDASSAY_RELEASE") == "1" else (2e4, 2)
"""Bytes up to which a given table is scored, and whether each of them is or each second."""


def tables_of(folder):
    tables = (path for path in folder.rglob("*") if path.suffix in {".csv", ".tsv", ".parquet"})
    return sorted(path for path in tables if path.stat().st_size < LARGEST)[::EACH]


FOLDERS = {"graphs": "taxonomy", "hierarchies": "taxonomy", "alignments": "alignment", "axioms": "axioms"}


def test_every_given_table_scores_alike(reference_data):
    scored, refused = [], []
    for folder, kind in FOLDERS.items():
        measures = MEASURES[kind][-1]
        for path in tables_of(reference_data / folder):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    here = goldassay.evaluate(str(path), gold=str(path), kind=kind, measures=measures)
            except (InputError, UsageError):
                continue
            try:
                agree(str(path), str(path), kind, measures, engine="duckdb", here=here)
                scored.append((path.name, kind))
            except (InputError, UsageError) as error:
                refused.append(str(error))
    assert [messages for messages in refused if not any(words in messages for words in REFUSED)] == []
    assert len(scored) >= 8, scored
    assert {kind for _, kind in scored} == {"taxonomy", "alignment", "axioms"}


def test_a_file_that_is_no_table_is_called_by_its_format(tmp_path):
    (tmp_path / "p.owl").write_text(
        '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
    )
    with pytest.raises(InputError, match="Engines can read tables only") as caught:
        goldassay.evaluate(str(tmp_path / "p.owl"), gold=[("a", "x")], engine="duckdb", measures="literal")
    assert (caught.value.found, caught.value.hint) == ("rdf-xml", "leave out --engine")


PAIRS = [
    ("axioms", "axioms/bigbasket_threshold_1.csv", "axioms/bigbasket_gold.csv"),
    ("axioms", "axioms/bigbasket_threshold_093.csv", "axioms/bigbasket_gold.csv"),
    ("taxonomy", "graphs/wordnet_pred.tsv", "graphs/wordnet_gold.tsv"),
    ("taxonomy", "graphs/chance/taxonomy2_vs_taxonomy1.pred.tsv", "graphs/chance/taxonomy2_vs_taxonomy1.gold.tsv"),
    ("alignment", "alignments/sssom/mp_hp_mgi_all.sssom.tsv", "alignments/sssom/mp_hp_pistoia.sssom.tsv"),
]


@pytest.mark.parametrize(("kind", "pred", "gold"), PAIRS)
def test_given_pairs_score_alike(kind, pred, gold, reference_data):
    agree(str(reference_data / pred), str(reference_data / gold), kind, MEASURES[kind][0], engine="duckdb")


def test_given_graphs_as_tables_score_alike(reference_data):
    def table(name):
        graph = goldassay.read(str(reference_data / "graphs" / name))
        ends = [graph.texts[graph.edges[:, end]].tolist() for end in (0, 1)]
        return pl.DataFrame({"child": ends[0], "parent": ends[1]})

    agree(table("taxonomy1.rdf"), table("breast_neoplasm_taxonomy.owl"), "taxonomy", "literal", engine="duckdb")


def test_given_alignments_as_tables_score_alike(reference_data):
    def table(path):
        one = goldassay.read(str(path), kind="alignment")
        names = one.terms.listed
        ends = {"source": [names[row] for row in one.sources], "target": [names[row] for row in one.targets]}
        relations = goldassay.alignments.relations.RELATIONS
        return pl.DataFrame({**ends, "relation": [relations[row] for row in one.relations], "score": one.scores})

    tables = [table(reference_data / "alignments" / "anatomy" / name) for name in ("LogMapLt.rdf", "reference.xml")]
    agree(*tables, "alignment", MEASURES["alignment"][1::6], engine="duckdb")


@pytest.mark.parametrize(
    ("rows", "messages"),
    [
        ({"source": ["a", None], "target": ["x", "y"]}, "The source is empty."),
        ({"source": [["a"], ["b"]], "target": ["x", "y"]}, "The source column contains lists."),
        ({"source": ["a"], "aim": ["x"]}, "No column is recognised as the target."),
        ({"source": ["a"], "target": ["x"], "relation": ["eats"]}, "The relation 'eats' is unknown."),
        ({"source": ["a"], "target": ["x"], "relation": [None]}, "The relation is empty."),
        ({"source": ["a"], "target": ["x"], "score": [float("nan")]}, "The score is not a number."),
        ({"source": ["a"], "target": ["x"], "score": [float("inf")]}, "The score is not a number."),
        ({"source": ["a"], "target": ["x"], "score": [None]}, "The score is not a number."),
        ({"source": ["a"], "target": ["x"], "score": [True]}, "The score is not a number."),
        ({"source": ["a"], "target": ["x"], "score": ["0x1"]}, "The score is not a number."),
        ({"source": ["a"], "target": ["x"], "tgtCandidates": ["y"]}, "candidates are not supported on an engine"),
    ],
)
def test_bad_rows_are_refused_as_in_files(rows, messages, tmp_path):
    pl.DataFrame(rows).write_parquet(tmp_path / "p.parquet")
    with pytest.raises(InputError) as caught:
        score(str(tmp_path / "p.parquet"))
    assert messages in str(caught.value)
    assert "p.parquet" in str(caught.value)


def test_a_bad_row_is_shown_with_the_number_of_such_rows(tmp_path):
    pl.DataFrame({"source": ["a", "", " "], "target": ["x", "y1", "y1"]}).write_parquet(tmp_path / "p.parquet")
    with pytest.raises(RecordError, match=r"'y1'.*\(2 such rows\)"):
        score(str(tmp_path / "p.parquet"))


@pytest.mark.parametrize(("beyond", "more"), [([2.0], ""), ([2.0, 2.0, 2.0], r" \(3 such rows\)")])
def test_a_score_out_of_range_is_shown_with_the_number_of_such_rows(beyond, more, tmp_path):
    rows = {"source": ["a", *"bcd"[: len(beyond)]], "target": ["x"] * (len(beyond) + 1), "score": [0.5, *beyond]}
    pl.DataFrame(rows).write_parquet(tmp_path / "p.parquet")
    with pytest.raises(RecordError, match=rf"(?m)p\.parquet: The score is not in \[0, 1\]\.\n +found: +2\.0{more}$"):
        score(str(tmp_path / "p.parquet"), measures="overlap(threshold=0.5)")


def test_bad_rows_are_skipped_and_counted_as_in_files(tmp_path):
    rows = {"source": ["a", "", "b"], "target": ["x", "y", "y"], "score": ["0.5", "0.5", "7"]}
    pl.DataFrame(rows).write_parquet(tmp_path / "p.parquet")
    _, there = agree(str(tmp_path / "p.parquet"), GOLD, "alignment", "overlap", engine="duckdb", on_error="skip")
    assert there.runs[0].pred.left_out == {"skipped_records": 2}


def test_a_score_beyond_one_is_refused_only_where_scores_are_used(tmp_path):
    pred = [("a", "x", 7.0)]
    assert score(pred)["overlap"].precision == 1.0
    for measure in ("mrr", "overlap(threshold=0.5)"):
        with pytest.raises(RecordError, match="not in"):
            score(pred, measures=measure)
    assert score(pred, measures="mrr", scores="any")["mrr"].mrr == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("kind", "rows", "messages"),
    [
        (
            "axioms",
            {"class": ["A", "B"], "property": ["p", "p"], "object": ["B", "C"], "kind": ["object", "data"]},
            "The property 'p' has two kinds.",
        ),
        ("axioms", {"class": ["A"], "property": ["p"], "object": ["B"], "kind": ["odd"]}, "The kind 'odd' is unknown."),
        ("triples", {"id": ["d"], "subject": ["s"], "predicate": ["p"], "object": [None]}, "Incomplete triple"),
        ("triples", {"id": [None], "subject": ["s"], "predicate": ["p"], "object": ["o"]}, "The row has no id."),
        ("triples", {"subject": ["s"], "object": ["o"]}, "No column is recognised as the predicate"),
        ("concepts", {"id": ["d", "d"], "concepts": [["a"], ["b"]]}, "occurs twice"),
        ("concepts", {"id": ["d"], "concepts": [None]}, "The concepts in a row cannot be read"),
        ("concepts", {"id": ["d"], "concepts": [["a", None]]}, "concepts: among them null"),
        ("concepts", {"id": ["d"], "concepts": [["  "]]}, "cannot be read"),
        ("concepts", {"id": ["d"], "text": ["take aspirin"]}, "concepts must be given"),
        ("taxonomy", {"child": ["a", ""], "parent": ["b", "c"]}, "The child is empty."),
        ("taxonomy", {"subject": ["a"], "predicate": ["eats"], "object": ["b"]}, "no edge of the kind"),
        ("taxonomy", {"child": ["a", "b"], "parent": ["owl:Thing", "owl:Thing"]}, "no edge of the kind"),
    ],
)
def test_bad_tables_of_other_families_are_refused(kind, rows, messages, tmp_path):
    schema = {name: pl.List(pl.String) if name == "concepts" else pl.String for name in rows}
    pl.DataFrame(rows, schema=schema).write_parquet(tmp_path / "p.parquet")
    with pytest.raises(InputError) as caught:
        score(str(tmp_path / "p.parquet"), gold=str(tmp_path / "p.parquet"), kind=kind, measures=None)
    assert messages in str(caught.value)


def test_an_axiom_of_two_kinds_is_named_where_kinds_are_not_stated(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("class,property,object\nA,subClassOf,B\nA,subClassOf(k),B\n")
    with pytest.raises(InputError, match="The axiom 'A subClassOf B' has two kinds") as caught:
        score(str(path), gold=str(path), kind="axioms", measures="exact", strip_key=True)
    assert caught.value.found == "datatype and subclass"


LINES = {
    "axioms": ("class,property,object", "A,p,B"),
    "triples": ("id,subject,predicate,object", "d,s,p,o"),
    "concepts": ("id,concepts", 'd,"[""a""]"'),
    "taxonomy": ("child,parent", "a,b"),
    "alignment": ("source,target", "a,b"),
}


STRICT = {
    "axioms": "exact", "triples": "triples", "concepts": "concept_exact", "taxonomy": "literal", "alignment": "overlap",
}  # fmt: skip


def damaged(kind):
    """List tables of lines that no reader takes, or that every reader warns of."""
    header, row = LINES[kind]
    names, (first, _, last) = header.split(","), row.partition(",")
    yield f"{header},{names[0]}\n{row},x\n"
    yield f"{header}, {names[-1]} \n{row},x\n"
    yield f"{header}\n{row}\n{first}2\n"
    yield f'{header}\n{row}\n"e\n f",{last}\n'
    yield f'{header}\n{row}\ne,{last}\n"e\n\n f",{last}\n"e\n g",{last}\n'
    yield f"{header}\n{row}\ne,{last}\n"


def outcomes(paths, gold, kind, engine):
    """Return by path what is counted and warned of, or the kind of the error."""
    found = goldassay.evaluate(
        dict(zip(paths, paths, strict=True)),
        gold=gold,
        kind=kind,
        measures=STRICT[kind],
        engine=engine,
        unreadable="keep",
    )
    each = {one.label: "two columns of one name" if "same name" in one.error else "refused" for one in found.failures}
    for run in found.runs:
        counts = {name: value for name, value in run.scores[0].counts.items() if name.startswith(("hit", "n_"))}
        # An engine has no lines.
        each[run.label] = counts, sorted(line.partition(", first on line")[0] for line in run.warnings)
    return each


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", LINES)
def test_lines_are_refused_and_warned_of_as_on_one_machine(kind, tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("\n".join(LINES[kind]) + "\n")
    texts = {str(tmp_path / f"p{number}.csv"): text for number, text in enumerate(damaged(kind))}
    for path, text in texts.items():
        Path(path).write_text(text)
    local, there = (outcomes([*texts], gold, kind, engine) for engine in (None, "duckdb"))
    assert local.keys() == there.keys() == texts.keys()
    for path, text in texts.items():
        # Triples that cannot be read are counted here, and refused on an engine.
        assert there[path] == local[path] or (kind == "triples" and there[path] == "refused"), text


@pytest.mark.parametrize(
    ("more", "messages"),
    [
        ({"measures": "relaxed"}, "relaxed is not supported on this engine"),
        ({"measures": "mrr(ties=order)"}, "expected: expected, optimistic, pessimistic"),
        ({"measures": "mrr(first=true)"}, "are not supported on an engine"),
        ({"unordered": True}, "--unordered is not supported on an engine"),
        ({"chance": True}, "--chance is not supported"),
        ({"intervals": True}, "--ci is not supported"),
        ({"kind": "taxonomy", "measures": "literal", "completeness": "judged"}, "--completeness is not supported"),
        ({"by": "namespace"}, "--by is not supported"),
        ({"gold": [GOLD, GOLD[:1]]}, "--combine is not supported"),
        ({"gold": ["a.csv", "b.csv"]}, "--combine is not supported"),
        ({"spark_remote": "sc://x"}, "needs --engine spark"),
        ({"spark_vectors": "x"}, "needs --engine spark"),
    ],
)
def test_what_an_engine_does_not_do_is_refused(more, messages):
    with pytest.raises(UsageError) as caught:
        score([("a", "x")], **more)
    assert messages in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "measure", "counted"),
    [
        ("taxonomy", "literal(relation=fuzzy)", "literal"),
        ("axioms", "exact(equivalences='same.csv')", "exact"),
        ("triples", "triples(names=partial)", "triples"),
        ("triples", "triples(weighted=yes)", "triples"),
        ("concepts", "concept_exact(ids=required)", "concept_exact"),
    ],
)
def test_what_is_not_decided_by_equal_keys_is_refused_before_a_file_is_read(kind, measure, counted):
    with pytest.raises(UsageError, match="is not supported on this engine") as caught:
        goldassay.evaluate(
            "nowhere.csv", gold="nowhere.csv", kind=kind, measures=measure, encoder="hashing", engine="duckdb"
        )
    assert caught.value.expected == counted


def test_measures_that_are_counted_by_their_keys_are_these():
    keyed = {measure.name for family in families().values() for measure in family.measures.classes if measure().keys}
    assert keyed == {"literal", "exact", "triples", "concept_exact"}


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_files_that_seem_to_be_swapped_are_reported_on_an_engine_too(tmp_path, engine):
    gold, pred = tmp_path / "gold.csv", tmp_path / "learned.csv"
    for path in (gold, pred):
        path.write_text("child,parent\ncat,pet\n")
    with pytest.warns(goldassay.SuspectInputWarning, match="by their names gold and prediction are swapped") as caught:
        goldassay.evaluate(gold, gold=pred, measures="literal", engine=engine)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_justification_is_refused_where_no_column_says_any(engine):
    with pytest.raises(InputError, match="does not state how mappings were found"):
        goldassay.evaluate(
            [("a", "x")], gold=[("a", "x")], kind="alignment", justification=("LexicalMatching",), engine=engine
        )


BAD_ROWS = [
    ("axioms", ["class", "property", "object", "kind"], ("A", "p", "", "object")),
    ("axioms", ["class", "property", "object", "kind"], ("A", "p", "B", "odd")),
    ("taxonomy", ["child", "parent"], ("a", " ")),
    ("alignment", ["source", "target", "relation", "score"], ("", "x", "=", "0.5")),
    ("alignment", ["source", "target", "relation", "score"], ("a", "x", "eats", "0.5")),
    ("alignment", ["source", "target", "relation", "score"], ("a", "x", "=", "0.5 high")),
]


@pytest.mark.parametrize(("kind", "names", "row"), BAD_ROWS)
def test_a_bad_row_has_one_message_here_and_on_an_engine(kind, names, row, tmp_path):
    (tmp_path / "a.csv").write_text(f"{','.join(names)}\n{','.join(row)}\n")
    messages = []
    for engine in (None, "duckdb"):
        with pytest.raises(RecordError) as caught:
            goldassay.evaluate(tmp_path / "a.csv", gold=tmp_path / "a.csv", kind=kind, engine=engine)
        messages.append((caught.value.message, caught.value.found, caught.value.expected))
    assert messages[0] == messages[1]


def test_a_decimal_comma_is_one_on_an_engine(tmp_path):
    (tmp_path / "a.csv").write_text("source;target;score\na;x;0,9\nb;y;1,0\n")
    here, _ = agree(str(tmp_path / "a.csv"), str(tmp_path / "a.csv"), "alignment", "overlap", engine="duckdb")
    assert here["overlap"].f1 == 1


def test_a_family_without_tables_is_refused():
    with pytest.raises(UsageError, match="do not support"):
        score(["The cat sleeps."], gold=["The cat sleeps."], kind="sentences", measures=None)


def test_an_unknown_engine_is_refused():
    with pytest.raises(UsageError, match="Unknown engine"):
        goldassay.evaluate([("a", "x")], gold=GOLD, kind="alignment", engine="duck")


def test_other_formats_are_refused(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"source": "a", "target": "x"}\n')
    with pytest.raises(InputError, match="read tables only"):
        score(str(tmp_path / "p.jsonl"))


def test_damaged_parquet_is_refused(tmp_path):
    file = tmp_path / "p.parquet"
    pl.DataFrame({"source": ["a"] * 100, "target": ["x"] * 100}).write_parquet(file)
    whole = file.read_bytes()
    for damaged in (whole[:-20], whole[: len(whole) // 2] + whole[-8:], b"PAR1" + bytes(50) + b"PAR1"):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match="Parquet"):
            score(str(file))


def test_a_folder_of_parquet_files_is_one_table(tmp_path, goldassay_command):
    folder = tmp_path / "p.parquet"
    folder.mkdir()
    for part, row in (("part-0.parquet", ("a", "x")), ("part-1.parquet", ("b", "w"))):
        pl.DataFrame({"source": [row[0]], "target": [row[1]]}).write_parquet(folder / part)
    assert score(str(folder))["overlap"].counts["n_pred"] == 2
    (tmp_path / "g.csv").write_text("child,parent\na,x\n")
    files = (
        "taxonomy",
        f"{folder}/",
        "--gold",
        tmp_path / "g.csv",
        "-m",
        "literal",
        "--engine",
        "duckdb",
        "--memory",
        600,
    )
    assert "1 / 2" in goldassay_command(*files).out
    for file in folder.iterdir():
        file.unlink()
    with pytest.raises(InputError, match="no Parquet file"):
        score(str(folder))


def test_frames_of_other_libraries_are_tables():
    import pandas as pd
    import pyarrow as pa

    rows = {"source": ["a", "b"], "target": ["x", "w"]}
    relation = duckdb.connect().from_arrow(pa.table(rows))
    frames = (pl.DataFrame(rows), pl.LazyFrame(rows), pd.DataFrame(rows), pa.table(rows), relation)
    report = score({str(type(frame)): frame for frame in frames})
    assert [run["overlap"].precision for run in report.runs] == [0.5] * 5


def test_evidence_joins_back_to_the_input(tmp_path):
    pred = pl.DataFrame({"source": ["a", "b"], "target": ["x", "w"], "score": [0.5, 0.25]})
    report = score(pred, measures=["overlap", "mrr"])
    rows = {
        (side, source, target, measure): verdict
        for source, target, _, _, side, verdict, _, _, measure, _ in report.evidence().fetchall()
    }
    assert rows["pred", "a", "x", "overlap"] == "hit"
    assert rows["pred", "b", "w", "overlap"] == "invented"
    assert rows["gold", "c", "z", "overlap"] == "missed"
    assert rows["gold", "a", "x", "mrr"] == "hit"
    with pytest.raises(UsageError, match=r"report\.evidence"):
        report["overlap"].matching.to_frame()


def test_evidence_of_one_machine_is_a_frame_too():
    report = goldassay.evaluate([("a", "x")], gold=GOLD, kind="alignment", measures="overlap")
    assert report.evidence().filter(side="gold")["verdict"].to_list() == ["hit", "missed", "missed"]


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_several_predictions_are_scored_and_one_may_be_unreadable(tmp_path):
    pl.DataFrame({"source": ["a"], "aim": ["x"]}).write_parquet(tmp_path / "bad.parquet")
    preds = {"one": [("a", "x")], "two": [("a", "w")], "bad": str(tmp_path / "bad.parquet")}
    report = score(preds, unreadable="keep")
    assert [run["overlap"].precision for run in report.runs] == [1.0, 0.0]
    assert len(report.failures) == 1
    with pytest.raises(InputError):
        score({"bad": str(tmp_path / "bad.parquet")}, unreadable="keep")


def test_memory_is_obeyed():
    engine = engine_of("duckdb", memory=700 * 2**20)
    assert engine._connection.sql("select current_setting('memory_limit')").fetchall() == [("700.0 MiB",)]


def test_too_little_memory_is_reported(tmp_path):
    rows = {"source": [f"http://a/{n}" for n in range(200_000)], "target": [f"http://b/{n}" for n in range(200_000)]}
    pl.DataFrame(rows).write_parquet(tmp_path / "p.parquet")
    with pytest.raises(UsageError, match="--memory"):
        score(str(tmp_path / "p.parquet"), gold=str(tmp_path / "p.parquet"), memory=2**20)


def test_the_command_line(goldassay_command, tmp_path):
    pl.DataFrame({"source": ["a", "b"], "target": ["x", "w"]}).write_parquet(tmp_path / "p.parquet")
    (tmp_path / "g.csv").write_text("source,target\na,x\n")
    files = (
        tmp_path / "p.parquet",
        "--gold",
        tmp_path / "g.csv",
        "-m",
        "overlap",
        "--engine",
        "duckdb",
        "--memory",
        "600",
    )
    out = tmp_path / "evidence.parquet"
    done = goldassay_command("alignment", *files, "--explain", out)
    assert done.code == 0
    assert "0.5000" in done.out
    assert sorted(pl.read_parquet(out)["verdict"]) == ["hit", "hit", "invented"]
    assert sorted(file.name for file in tmp_path.iterdir() if file.is_file()) == [
        "evidence.parquet",
        "g.csv",
        "p.parquet",
    ]
    for flags in (
        ["--explain", tmp_path / "e.csv"],
        ["--sweep"],
        ["--misses", "3"],
        ["--hubs", "3"],
        ["--evidence", "--format", "json"],
        ["--gold", tmp_path / "p.parquet"],
    ):
        refused = goldassay_command("alignment", *files, *flags)
        assert (refused.code, refused.out) == (2, "")
        assert "engine" in refused.err.lower()
    assert not (tmp_path / "e.csv").exists()


def test_evidence_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    report = score([("a", "x")])

    def broken(frame, path):
        report.engine.__class__.write(report.engine, frame, path)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(report.engine, "write", broken)
    from goldassay.report.explain import write_explain

    with pytest.raises(OutputError, match="No space left"):
        write_explain(report, tmp_path / "e.parquet")
    assert list(tmp_path.iterdir()) == []


def test_duckdb_is_loaded_only_where_it_is_asked_for(tmp_path):
    code = (
        "import sys, goldassay; goldassay.evaluate([('a', 'x')], gold=[('a', 'x')], kind='alignment', measures='overlap');"
        "print([name for name in ('duckdb', 'pyspark', 'narwhals') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_beginning_of_a_file_is_whole_lines(monkeypatch, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("child,parent\ndog,pet")
    assert tables._beginning(path).data == b"child,parent\ndog,pet"
    for module in (source, tables):
        monkeypatch.setattr(module, "PIECE", 18)
    assert tables._beginning(path).data == b"child,parent\n"
