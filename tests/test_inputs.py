"""evaluate and score take what people hold."""

import json
from copy import deepcopy
from pathlib import Path

import networkx as nx
import pandas as pd
import polars as pl
import pytest

import goldassay
from goldassay.core.errors import InputError, UsageError
from goldassay.families import family
from goldassay.graphs import Fuzzy, Literal
from goldassay.inputs import File, inputs, name_inputs, systems, warn_of_swapped

GOLD = [("cat", "pet"), ("dog", "pet")]


def encode(texts):
    return [[len(text), 1.0] for text in texts]


def test_names_of_predictions_are_in_the_report():
    report = goldassay.evaluate({"mine": [("cat", "pet")], "other": GOLD}, gold=GOLD, measures="literal")
    assert [run.label for run in report] == ["mine", "other"]
    assert report.metrics()["mine/literal.recall"] == 0.5
    assert not report.systems


def test_files_by_name_have_the_name_too_but_for_the_runs_of_a_system(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("child,parent\ncat,pet\n")
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    report = goldassay.evaluate({"mine": files[0], "other": str(files[1])}, gold=GOLD, measures="literal")
    assert [run.label for run in report] == ["mine", "other"]
    assert report["literal"]["other"].recall == 0.5
    runs = goldassay.evaluate({"mine": files}, gold=GOLD, measures="literal")
    assert [run.label for run in runs] == [str(file) for file in files]


def test_lists_of_inputs_by_name_are_repeated_runs():
    runs = {"mine": [[("cat", "pet")], GOLD], "other": [GOLD]}
    report = goldassay.evaluate(runs, gold=GOLD, measures="literal")
    assert [(system.name, system.rows) for system in report.systems] == [("mine", (0, 1)), ("other", (2,))]


def test_a_list_of_frames_is_several_predictions():
    frame = pl.DataFrame({"child": ["cat"], "parent": ["pet"]})
    assert len(goldassay.evaluate([frame, frame], gold=GOLD, measures="literal")) == 2


def test_several_golds_in_memory():
    report = goldassay.evaluate(GOLD, gold=[GOLD, [("cat", "pet")]], measures="literal", combine="union")
    assert report["literal"].f1 == 1


def test_parameters_of_measures_by_name():
    report = goldassay.evaluate(GOLD, gold=GOLD, measures={"fuzzy": {"threshold": 0.9}, "literal": {}}, encoder=encode)
    assert [score.spec for score in report.runs[0].scores] == ["fuzzy(threshold=0.9)", "literal"]
    assert report.metrics()["fuzzy(threshold=0.9).f1"] == 1
    with pytest.raises(goldassay.UsageError, match="Unknown parameter of fuzzy 'treshold'"):
        goldassay.evaluate(GOLD, gold=GOLD, measures={"fuzzy": {"treshold": 0.9}})


@pytest.mark.parametrize(
    ("measures", "messages"),
    [
        ({"fuzzy": 0.9}, "Expected a measure name"),
        ({"fuzzy": [{"threshold": 0.9}]}, "Expected a measure name"),
        ({Fuzzy: {}}, "Expected a measure name"),
        ({"fuzzy": {1: 0.9}}, "Unknown parameter of fuzzy 1"),
        ({"fuzzy(threshold=0.5)": {"threshold": 0.9}}, "duplicate parameter 'threshold'"),
        ([{"fuzzy": {"threshold": 0.9}}], "Not a measure"),
        (Fuzzy, r"(?s)Not a measure.*Fuzzy\(\)"),
        (3, "Not a measure"),
        ([], "No measure is given"),
        ({}, "No measure is given"),
    ],
)
def test_measures_that_cannot_be_read_in_full_are_refused(measures, messages):
    with pytest.raises(goldassay.UsageError, match=messages):
        goldassay.evaluate(GOLD, gold=GOLD, measures=measures, encoder=encode)


@pytest.mark.parametrize(
    ("more", "messages"),
    [
        ({"memory": 0}, "memory is invalid"),
        ({"memory": "4GB"}, "memory is invalid"),
        ({"memory": 1e9}, "memory is invalid"),
        ({"intervals": "bca"}, "intervals is invalid"),
        ({"against": "worst"}, "Unknown value of against 'worst'"),
        ({"unreadable": "skip"}, "Unknown value of unreadable 'skip'"),
        ({"by": None}, "by is invalid"),
        ({"progress": None}, "progress is invalid"),
    ],
)
def test_values_that_nothing_can_be_done_with_are_refused(more, messages):
    with pytest.raises(goldassay.UsageError, match=messages):
        goldassay.evaluate(GOLD, gold=GOLD, measures="literal", **more)


def test_memory_is_a_number_of_bytes_from_one_on():
    assert goldassay.evaluate(GOLD, gold=GOLD, measures="literal", memory=1)["literal"].f1 == 1


def test_a_path_may_be_an_option_of_a_reader(tmp_path):
    (tmp_path / "pets.csv").write_text("child,parent\ncat,pet\n", encoding="utf-8")
    report = goldassay.evaluate(
        [("d", "cat")], gold=[("d", "cat")], kind="labels", measures="hierarchical", hierarchy=tmp_path / "pets.csv"
    )
    assert report["hierarchical"].f1 == 1


def test_several_predictions_without_names_are_reported_apart():
    report = goldassay.evaluate([GOLD, GOLD[:1]], gold=GOLD, measures="literal")
    assert {name: score.recall for name, score in report["literal"].items()} == {
        "prediction 1": 1.0,
        "prediction 2": 0.5,
    }
    assert report.metrics()["prediction 2/literal.recall"] == 0.5
    runs = goldassay.evaluate({1: [GOLD, GOLD[:1]], 2: [GOLD]}, gold=GOLD, measures="literal")
    assert [run.label for run in runs] == ["1 1", "1 2", "2 1"]
    assert [system.name for system in runs.systems] == ["1", "2"]


def test_no_value_is_lost_where_two_predictions_have_one_name(tmp_path):
    (tmp_path / "a.csv").write_text("child,parent\ncat,pet\n", encoding="utf-8")
    report = goldassay.evaluate([tmp_path / "a.csv"] * 2, gold=GOLD, measures="literal")
    for ask in (report.metrics, lambda: report["literal"]):
        with pytest.raises(goldassay.UsageError, match=r"(?s)Several predictions have the same name.*a.csv"):
            ask()


def test_values_have_the_same_names_whether_the_other_prediction_can_be_read_or_not():
    report = goldassay.evaluate({"a": GOLD, "b": [("cat",)]}, gold=GOLD, measures="literal", unreadable="keep")
    assert list(report["literal"]) == ["a"]
    assert set(report.metrics()) == {"a/literal.precision", "a/literal.recall", "a/literal.f1"}


def test_a_measure_scores_what_can_be_read():
    assert Literal().score(pred=[("cat", "pet")], gold=GOLD).recall == 0.5
    assert Fuzzy().score(pred=[("cat", "pet")], gold=GOLD, encoder=encode).precision == 1


def test_a_text_that_is_no_file_is_one_in_a_list():
    with pytest.raises(goldassay.InputError, match=r"(?s)not found.*\['He has a fever\.'\]"):
        goldassay.evaluate("He has a fever.", gold=["fever"], kind="concepts")
    with pytest.raises(goldassay.InputError, match=r"(?s)not found.*\['He has a fever\."):
        goldassay.evaluate("He has a fever. " * 100, gold=["fever"], kind="concepts")
    with pytest.raises(goldassay.InputError, match="not found"):
        goldassay.evaluate(["missing.jsonl"], gold=["He has a fever."], kind="concepts")


WRITTEN = {
    "taxonomy": ("child,parent\r\ncat,pet\r\n", "```\ncat -> pet\n```", "- pet\n  - cat", '{"pet":\n ["cat"]}'),
    "axioms": ("Sure:\n- Every Cat is a Pet.", "Cat subClassOf Pet\n", "class,property,object\nCat,subClassOf,Pet"),
    "triples": ("(Oslo, capital of, Norway)\n", "Oslo | capital of | Norway\n\nDone."),
    "labels": ("d1: cat\n", "instance,label\nd1,cat"),
    "alignment": ("cat = chat\n", "source,target\ncat,chat"),
}


@pytest.mark.filterwarnings(
    "ignore:arrows are read:goldassay.SuspectInputWarning", "ignore:1 of 2 lines:goldassay.SuspectInputWarning"
)
@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, some in WRITTEN.items() for text in some])
def test_what_a_model_wrote_is_read_as_its_file_is(tmp_path, kind, text):
    (tmp_path / "answer.txt").write_text(text)
    files = goldassay.read(tmp_path / "answer.txt", kind=kind)
    given = goldassay.read(text, kind=kind)
    assert (len(given), given.item(0), given.format) == (1, files.item(0), files.format)
    if kind != "labels":
        lines = goldassay.read(text.splitlines(), kind=kind)
        assert (len(lines), lines.item(0)) == (1, files.item(0))
    assert (
        goldassay.evaluate(text, gold=given, kind=kind, measures="exact" if kind == "axioms" else None, chance=False)
        .runs[0]
        .scores[0]
        .precision
        == 1
    )


@pytest.mark.parametrize("kind", ["taxonomy", "axioms", "alignment"])
def test_a_list_of_texts_without_an_item_is_refused(kind):
    with pytest.raises(goldassay.InputError, match="not recognised"):
        goldassay.read(["cat", "dog"], kind=kind)


def test_a_list_of_labels_has_one_for_each_place():
    labels = goldassay.read(["cat", "dog"], kind="labels")
    assert [labels.item(row) for row in range(2)] == ["1: cat", "2: dog"]


@pytest.mark.parametrize(
    ("other", "count"),
    [("The dog barks.", 1), (None, 1), (float("nan"), 1), (Path("a.txt"), 2), (File("a.txt"), 2), (["It rains."], 2)],
)
def test_texts_are_one_input_unless_something_else_is_among_them(other, count):
    assert len(inputs(family("sentences"), ["The cat sleeps.", other])) == count


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_a_list_of_texts_of_which_one_is_absent_names_its_row(nothing):
    with pytest.raises(goldassay.InputError, match="Row 2 of the list cannot be read"):
        goldassay.evaluate(["He has a fever.", nothing], gold=["fever", "cough"], kind="concepts")


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        ("json", "{"),
        ("csv", "prediction,"),
        ("html", "<!doctype"),
        ("md", "| prediction"),
        ("tex", "% needs"),
        ("txt", " "),
        ("parquet", "PAR1"),
    ],
)
def test_a_report_is_saved_by_its_suffix(tmp_path, suffix, start):
    report = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    report.save(tmp_path / f"report.{suffix}")
    assert tmp_path.joinpath(f"report.{suffix}").read_bytes().lower().startswith(start.lower().encode())


def test_an_unknown_suffix_of_a_report_is_refused(tmp_path):
    report = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    with pytest.raises(goldassay.OutputError, match=r"(?s)not a report format.*\.json"):
        report.save(tmp_path / "report.docx")


def test_what_is_shown_of_values_is_short():
    report = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    shown = [report, report.runs[0], report.gold, report["literal"].matching]
    shown += [goldassay.read([("a", "b")], kind="alignment"), goldassay.read(["a b"], kind="concepts")]
    assert max(len(repr(one)) for one in shown) < 150
    assert repr(report.gold) == "<Graph of 2 items, the first: cat -> pet>"
    assert repr(report["literal"].matching) == "<LiteralMatching: 2 of 2 predicted, 2 of 2 gold items matched>"


def test_evidence_is_a_frame():
    frame = goldassay.evaluate([("cat", "pet")], gold=GOLD, measures="literal")["literal"].matching.to_frame()
    assert frame.filter(side="gold").select("item", "verdict").rows() == [
        ("cat -> pet", "hit"),
        ("dog -> pet", "missed"),
    ]


@pytest.fixture
def one_bad(tmp_path):
    tmp_path.joinpath("good.csv").write_text("child,parent\ncat,pet\n", encoding="utf-8")
    tmp_path.joinpath("bad.csv").write_text("child,parent\ncat,pet\ndog\n", encoding="utf-8")
    tmp_path.joinpath("gold.csv").write_text("child,parent\ncat,pet\ndog,pet\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("order", [("good.csv", "bad.csv"), ("bad.csv", "good.csv")])
def test_one_bad_prediction_of_several_is_a_row_with_its_error(one_bad, goldassay_command, order):
    paths = [str(one_bad / name) for name in order]
    result = goldassay_command("taxonomy", *paths, "--gold", str(one_bad / "gold.csv"), "-m", "literal")
    assert result.code == 2
    assert "0.6667" in result.out
    assert "not scored" in result.out
    assert f"! not scored: {one_bad / 'bad.csv'}:3:" in result.out


@pytest.mark.parametrize("layout", ["json", "csv", "markdown", "latex", "html"])
def test_every_layout_names_a_prediction_that_was_not_scored(one_bad, layout):
    paths = [one_bad / "good.csv", one_bad / "bad.csv"]
    report = goldassay.evaluate(paths, gold=one_bad / "gold.csv", measures="literal", unreadable="keep")
    assert [failure.label for failure in report.failures] == [str(one_bad / "bad.csv")]
    assert "bad.csv" in report.format(layout)
    # A table of LaTeX has no place for a sentence.
    assert layout == "latex" or "The parent is empty." in report.format(layout)
    report.save(one_bad / "report.json")
    assert goldassay.load(one_bad / "report.json").failures == report.failures


def test_a_bad_prediction_only_and_a_bad_gold_are_errors(one_bad, goldassay_command):
    bad, good, worse = (str(one_bad / f"{name}.csv") for name in ("bad", "good", "worse"))
    Path(worse).write_bytes(Path(bad).read_bytes())
    for words in ([bad, "--gold", good], [good, worse, "--gold", bad], [bad, worse, "--gold", good]):
        result = goldassay_command("taxonomy", *words, "-m", "literal")
        assert (result.code, result.out) == (2, "")
        assert f"{bad}:3:" in result.err
    with pytest.raises(goldassay.InputError):
        goldassay.evaluate([good, bad], gold=good, measures="literal")


def test_models_by_name_have_the_name_in_the_report():
    graph = goldassay.Graph.from_edges([("a", "b")])
    report = goldassay.evaluate({"first": graph, "second": graph}, gold=graph, measures="literal")
    assert [run.label for run in report] == ["first", "second"]
    assert graph.path is None


@pytest.mark.parametrize("gold", [[("a", "x")], "alignment"])
def test_a_model_of_another_family_is_refused(gold):
    alignment = goldassay.read([("a", "x")], kind="alignment")
    with pytest.raises(UsageError, match=r"(?s)not of the kind taxonomy.*Alignment.*Graph.*kind=\"taxonomy\""):
        goldassay.evaluate(alignment, gold=alignment if gold == "alignment" else gold, measures="literal")
    with pytest.raises(UsageError, match="not of the kind taxonomy"):
        goldassay.evaluate([("a", "x")], gold=alignment, measures="literal")
    with pytest.raises(UsageError, match="not of the kind taxonomy"):
        Literal().score(pred=alignment, gold=[("a", "x")])


def test_a_table_may_have_a_column_of_any_name():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"child": ["cat"], "parent": ["pet"], "called": ["Tom"]})
    assert goldassay.evaluate(table, gold=GOLD, measures="literal").runs[0].label == "prediction"


@pytest.mark.filterwarnings("ignore:prediction and gold have no")
def test_a_name_that_cannot_be_written_is_shown_as_it_is_spelt():
    # The shell makes half of a pair of surrogates of a byte that is no UTF-8.
    cat, dog = goldassay.Graph.from_edges([("cat", "pet")]), goldassay.Graph.from_edges([("dog", "pet")])
    report = goldassay.evaluate({"\udcff": cat, "a": dog}, gold=cat, measures="literal")
    assert [run.label for run in report.runs] == ["\\udcff", "a"]
    repeated = goldassay.evaluate({"\udcff": [cat, cat], "a": [dog, cat]}, gold=cat, measures="literal")
    for one in (report, repeated):
        assert "\\udcff" in one.format("csv")
    assert [system.name for system in repeated.systems] == ["\\udcff", "a"]


FEW_ROWS = {
    "taxonomy": [("cat", "pet"), ("dog", "pet")],
    "axioms": [("cat", "has", "tail"), ("dog", "has", "tail")],
    "alignment": [("cat", "chat"), ("dog", "chien")],
    "triples": [("d1", "cat", "has", "tail"), ("d1", "dog", "has", "tail")],
}


@pytest.mark.parametrize(("kind", "rows"), FEW_ROWS.items())
def test_rows_that_are_given_again_are_read_as_they_are_now(kind, rows):
    def found(gold):
        model = goldassay.read(gold, kind=kind)
        return [model.item(row) for row in range(len(model))]

    kept = list(rows)
    first = found(kept)
    assert found(kept) == first == found(list(map(tuple, kept)))
    kept.pop()
    assert found(kept) == first[:1]
    assert found(rows) == first
    # True equals 1.
    numbered, true = ([(*row[:-1], last) for row in rows] for last in (1, True))
    assert found(numbered) == found([(*row[:-1], "1") for row in rows])
    assert found(true) == found([(*row[:-1], "true") for row in rows])


FEW_RECORDS = {
    "concepts": [{"id": "d1", "concepts": ["cat", "dog"]}, {"id": "d2", "concepts": ["tail"]}],
    "triples": [{"id": "d1", "triples": [["cat", "has", "tail"]]}, {"id": "d2", "triples": [["dog", "has", "tail"]]}],
    "labels": [{"id": "d1", "labels": ["cat", "dog"]}, {"id": "d2", "labels": ["tail"]}],
    "alignment": ["cat = chat", "dog = chien"],
    "taxonomy": ["cat -> pet", "dog -> pet"],
}


@pytest.mark.parametrize(("kind", "records"), FEW_RECORDS.items())
def test_records_that_are_given_again_are_read_once_and_as_they_are_now(kind, records):
    def read(gold):
        return goldassay.read(gold, kind=kind)

    def found(gold):
        model = read(gold)
        return model.path, [model.item(row) for row in range(len(model))]

    kept = deepcopy(records)
    first = found(kept)
    assert read(kept) is read(deepcopy(kept))
    assert found(kept) == first
    kept.pop()
    assert found(kept) != first
    assert found(records) == first


@pytest.mark.parametrize("kind", ["concepts", "triples", "labels"])
def test_records_that_are_equal_in_python_are_read_as_they_are_written(kind, tmp_path):
    file, (first, *others) = tmp_path / "given.json", FEW_RECORDS[kind]
    for name in (1, 1.0, "1", "true"):
        records = [{**first, "id": name}, *others]
        file.write_text(json.dumps(records))
        given, written = (goldassay.read(one, kind=kind) for one in (records, file))
        assert [given.item(row) for row in range(len(given))] == [written.item(row) for row in range(len(written))]


def test_a_model_of_rows_that_several_callers_have_cannot_be_changed():
    rows = [("cat", "pet"), ("dog", "pet")]
    with pytest.raises(ValueError, match="read-only"):
        goldassay.read(rows).edges[0] = 1
    assert goldassay.evaluate(rows, gold=rows, measures="literal")["literal"].f1 == 1


def test_options_that_are_not_the_usual_ones_are_heeded_for_rows_that_were_read_before():
    rows = [("cat", "pet"), ("pet", "animal")]
    assert goldassay.read(rows).choices != goldassay.read(rows, text="iri").choices
    assert goldassay.read(rows).choices == goldassay.read(rows, text="label").choices


class Named:
    """An object that stands for a path."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        if self.path is None:
            raise RuntimeError("no path")
        return self.path


@pytest.mark.parametrize("kind", ["taxonomy", "alignment", "concepts", "unl"])
def test_an_object_that_names_a_path_is_one_or_is_refused(kind, tmp_path):
    with pytest.raises(InputError, match="not found"):
        goldassay.read(Named(bytes(tmp_path / "none.csv")), kind=kind)
    for other in (None, 5):
        with pytest.raises(UsageError, match="does not name a path"):
            goldassay.read(Named(other), kind=kind)


GRAPH = nx.DiGraph([("dog", "pet"), ("cat", "pet")])


@pytest.mark.parametrize("edges", [GRAPH.in_edges, GRAPH.edges(data=True), nx.MultiDiGraph(GRAPH).edges])
@pytest.mark.parametrize("named", [False, True])
def test_edges_of_a_graph_that_are_no_pairs_from_child_to_parent_are_refused(edges, named):
    with pytest.raises(UsageError, match="give the graph itself"):
        goldassay.evaluate({"mine": edges} if named else edges, gold=[("dog", "pet")], kind="taxonomy")
    assert goldassay.evaluate(GRAPH, gold=[("dog", "pet"), ("cat", "pet")], measures="literal")["literal"].f1 == 1


@pytest.mark.parametrize(
    "pairs",
    [
        {"dog": "pet", "cat": "pet"},
        {"pet": ["dog", "cat"]},
        {"pet": {"dog", "cat"}},
        {"http://a.org/dog": "http://a.org/pet"},
    ],
)
def test_a_dictionary_of_pairs_is_not_one_of_predictions(pairs):
    with pytest.raises(InputError, match="name it") as error:
        goldassay.evaluate(pairs, gold=[("dog", "pet")], kind="taxonomy")
    assert repr(next(iter(pairs))) in error.value.found
    # What the message says to try is read as the same gold is.
    assert goldassay.evaluate({"mine": pairs}, gold=pairs, kind="taxonomy", measures="literal")["literal"].f1 == 1


def test_a_set_of_children_is_a_list_of_them():
    edges = [("dog", "pet"), ("cat", "pet")]
    report = goldassay.evaluate(edges, gold={"pet": {"dog", "cat"}}, kind="taxonomy", measures="literal")
    assert report["literal"].f1 == 1


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        (["cat -> pet", "dog -> pet"], r"cat -> pet.*goldassay.read\(\[...\], kind=\"taxonomy\"\)"),
        ('[{"child": "cat", "parent": "pet"}]', r"json.loads"),
        ([0, 1], r"list\(enumerate"),
        (pd.DataFrame({"child": ["cat"], "parent": ["pet"]}).to_dict(), r"'child': \{0: 'cat'\}.*\{\"mine\""),
        (pd.DataFrame({"child": ["cat"], "parent": ["pet"]}).to_dict("list"), r"'child': cat.*\{\"mine\""),
        (nx.node_link_data(nx.DiGraph([("cat", "pet")])), r"not a prediction.*'directed': True.*\{\"mine\""),
    ],
)
def test_what_is_no_input_says_how_to_give_it(given, messages):
    with pytest.raises(goldassay.GoldassayError, match=f"(?s){messages}"):
        goldassay.evaluate(given, gold=[("cat", "pet")], kind="taxonomy")
    if isinstance(given, dict):
        report = goldassay.evaluate({"mine": given}, gold=[("cat", "pet")], kind="taxonomy", measures="literal")
        assert report["literal"].f1 == 1


def test_of_a_series_the_message_says_what_to_do_and_a_named_index_is_a_column():
    series = pd.Series({"dog": "pet"})
    with pytest.raises(UsageError, match="reset_index"):
        goldassay.evaluate(series, gold=[("dog", "pet")], kind="taxonomy")
    table = pd.DataFrame({"parent": ["pet"]}, index=pd.Index(["dog"], name="child"))
    for given in (table, table.reset_index(), table.reset_index().set_index(["child", "parent"])):
        assert goldassay.evaluate(given, gold=[("dog", "pet")], kind="taxonomy")["literal"].f1 == 1


TREE = {"animal": {"fish": ["salmon", "trout"], "mammal": ["dog"]}}
OF_DOCUMENTS = {"d1": [("Oslo", "capital of", "Norway")], "d2": [("Rome", "in", "Italy")]}
CONCEPTS = {"d1": ["cat", "dog"], "d2": ["bird"]}


@pytest.mark.parametrize(
    ("kind", "given"),
    [("taxonomy", TREE), ("axioms", TREE), ("triples", OF_DOCUMENTS), ("concepts", CONCEPTS), ("labels", CONCEPTS)],
)
@pytest.mark.filterwarnings("ignore")
def test_what_is_one_gold_standard_is_not_several_predictions(kind, given):
    with pytest.raises(InputError, match="name it") as refused:
        goldassay.evaluate(given, gold=given, kind=kind)
    assert refused.value.hint.startswith('if this is one prediction, name it: {"mine": {...}}')
    scores = goldassay.evaluate({"mine": given}, gold=given, kind=kind).metrics()
    assert {value for name, value in scores.items() if name.endswith(".f1")} == {1.0}


def test_predictions_by_names_that_gold_does_not_have_are_several():
    report = goldassay.evaluate({"first": TREE, "second": [("dog", "mammal")]}, gold=TREE, measures="literal")
    assert report.metrics()["first/literal.f1"] == 1.0


def test_example_of_inputs():
    assert inputs(family("taxonomy"), "a.csv") == ["a.csv"]
    assert inputs(family("taxonomy"), ["a.csv", "b.csv"]) == ["a.csv", "b.csv"]
    assert len(inputs(family("sentences"), ["The cat sleeps.", "The dog barks."])) == 1


def test_example_of_name_inputs():
    assert name_inputs(family("taxonomy"), ["a.csv", [("cat", "pet")]]) == [
        (None, "a.csv"),
        ("prediction 2", [("cat", "pet")]),
    ]


def test_example_of_systems():
    assert systems(family("taxonomy"), {"a": ["a1.csv", "a2.csv"], "b": ["b1.csv"]}) == {"a": [0, 1], "b": [2]}
    assert systems(family("taxonomy"), {"a": "a.csv"}) == {}


def test_example_of_warn_of_swapped():
    assert (
        warn_of_swapped("runs/gold.ttl", ["runs/learned.ttl"])
        == "runs/gold.ttl is scored against runs/learned.ttl; by their names gold and prediction are swapped"
    )
    assert warn_of_swapped("learned.ttl", ["gold.ttl"]) is None


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("taxonomy", [("a", "b")]),
        ("axioms", [("a", "b", "c")]),
        ("alignment", [("a", "b")]),
        ("concepts", CONCEPTS),
        ("triples", OF_DOCUMENTS),
        ("labels", [("a", "b")]),
        ("unl", ["[S:1] agt(kill, Peter) [/S]"]),
        ("sentences", [("1", "a")]),
    ],
)
@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def test_a_model_says_which_family_it_is_of(kind, given):
    """So that `kind` need not be repeated where what was read is scored."""
    model = goldassay.read(given, kind=kind)
    scores = goldassay.evaluate(model, gold=model).runs[0].scores
    assert {score.measure.family for score in scores} == {kind}
    assert scores[0].f1 == 1.0
