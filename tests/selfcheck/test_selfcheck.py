"""The self-check passes here, finds what is wrong, and says which measures show good from bad."""

import json
import sys
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.chance import SEPARATES
from goldassay.concepts import Concepts
from goldassay.core.context import Context
from goldassay.core.errors import MissingDependencyError
from goldassay.encoders import get_encoder
from goldassay.families import families, family
from goldassay.graphs import Fuzzy, Graph, Literal, Motif
from goldassay.graphs.nulls import NOISES, add_edges, drop_edges, move_down, move_up, rename_nodes, rewire
from goldassay.labels import Labels
from goldassay.selfcheck import Fitness, check_installation, fitness, installation, machine
from goldassay.selfcheck.installation import DROPPED, ROW, SLACK, STEPS
from goldassay.triples import TripleSet
from goldassay.unl import Texts, document_of

GRAPH = Graph.from_edges([(f"n{i}", f"n{i // 2}") for i in range(1, 41)])


def pairs(graph):
    return {(str(graph.texts[a]), str(graph.texts[b])) for a, b in graph.edges.tolist()}


# ---- the installation


def test_this_installation_is_well():
    checks = list(check_installation())
    assert [check for check in checks if check.outcome == "differs"] == []
    assert {check.group for check in checks if check.outcome == "well"} == {"encoder", "number", "law"}


def test_every_measure_of_every_family_is_held_against_itself():
    messages = {check.name.split(" of a model")[0] for check in check_installation() if check.group == "law"}
    assert messages == {str(measure()) for chosen in families().values() for measure in chosen.measures.classes}


@pytest.fixture
def pinned(monkeypatch):
    """The pinned numbers, to be changed by a test."""
    document = json.loads(installation.files("goldassay.selfcheck").joinpath("pinned.json").read_text(encoding="utf-8"))
    monkeypatch.setattr(installation.json, "loads", lambda text: document)
    return document


def test_a_number_that_differs_is_named(pinned):
    pinned["cases"][0]["values"]["precision"] += 1e-9
    wrong = [check for check in check_installation() if check.outcome == "differs"]
    assert [check.group for check in wrong] == ["number"]
    assert "precision is 0.15, pinned 0.150000001" in wrong[0].detail


def test_a_row_of_an_encoder_that_differs_is_named(pinned):
    pinned["encoders"]["hashing"]["rows"][1][0] += 2e-4
    wrong = [check for check in check_installation() if check.outcome == "differs"]
    assert [(check.group, check.name) for check in wrong] == [("encoder", "hashing")]
    assert "bowed string instrument" in wrong[0].detail


def test_a_law_that_breaks_is_named(monkeypatch):
    monkeypatch.setattr(Literal, "divide", lambda *_: {"precision": 0.9, "recall": 1.0, "f1": 1.0})
    wrong = [check for check in check_installation() if check.outcome == "differs" and check.group == "law"]
    assert [check.name for check in wrong] == ["literal of a model against itself"]
    assert wrong[0].detail == "precision is 0.9, not 1"


def test_an_encoder_that_is_not_installed_is_left_out(monkeypatch):
    def only_hashing(name):
        if name != "hashing":
            raise installation.MissingDependencyError("There is no onnxruntime.")
        return get_encoder(name)

    monkeypatch.setattr(installation, "get_encoder", only_hashing)
    checks = list(check_installation())
    left_out = [check for check in checks if check.outcome == "left out"]
    assert {"encoder", "number"} <= {check.group for check in left_out}
    assert all(check.outcome != "differs" for check in checks)


def test_the_machine_names_python_and_packages():
    found = machine()
    assert found["python"] == sys.version.split()[0]
    assert found["numpy"] == np.__version__


def test_the_command_ends_with_1_where_something_differs(monkeypatch, goldassay_command):
    right, wrong = (installation.Check("number", "literal", word, "precision is 0") for word in ("well", "differs"))
    monkeypatch.setattr("goldassay.selfcheck.check_installation", lambda: iter([right, wrong]))
    result = goldassay_command("selfcheck")
    assert result.code == 1
    assert "differs   number: literal: precision is 0" in result.out
    assert result.out.rstrip().endswith("1 checks well, 1 differ, 0 left out")
    monkeypatch.setattr("goldassay.selfcheck.check_installation", lambda: iter([right]))
    result = goldassay_command("selfcheck")
    assert result.code == 0
    assert result.out.rstrip().endswith("all well")


# ---- noise


@pytest.mark.parametrize("name", NOISES)
def test_no_noise_changes_nothing_and_gold_stays_as_it_is(name):
    before = (GRAPH.edges.tolist(), GRAPH.texts.tolist())
    assert pairs(NOISES[name](GRAPH, 0.0, np.random.default_rng(0))) == pairs(GRAPH)
    NOISES[name](GRAPH, 1.0, np.random.default_rng(0))
    assert (GRAPH.edges.tolist(), GRAPH.texts.tolist()) == before


def test_each_noise_does_what_it_says():
    rng = np.random.default_rng
    assert len(drop_edges(GRAPH, 0.25, rng(0))) == 30
    assert pairs(drop_edges(GRAPH, 0.25, rng(0))) < pairs(GRAPH)
    more = add_edges(GRAPH, 0.5, rng(0))
    assert len(pairs(more)) == len(more) == 60
    assert pairs(GRAPH) < pairs(more)
    two = Graph.from_edges(
        [("n1", "part of", "n2"), *((child, "is a", parent) for child, parent in sorted(pairs(GRAPH)))]
    )
    added = add_edges(two.take(np.arange(1, len(two))), 0.5, rng(0))
    assert {added.relation_names[row] for row in added.relations.tolist()} == {"is a"}
    wired = rewire(GRAPH, GRAPH, rng(0), share=1.0)
    for end in (0, 1):
        assert np.bincount(wired.edges[:, end]).tolist() == np.bincount(GRAPH.edges[:, end]).tolist()
    assert 0 < len(pairs(rewire(GRAPH, GRAPH, rng(0), share=0.2)) - pairs(GRAPH)) <= 8
    named = rename_nodes(GRAPH, 0.5, rng(0)).texts.tolist()
    assert sum(text.startswith("n") and text[1:].isdigit() for text in named) == len(named) - round(len(named) / 2)
    chain = Graph.from_edges([("a", "b"), ("b", "c"), ("d", "b")])
    assert pairs(move_up(chain, 1.0, rng(0))) == {("a", "c"), ("b", "c"), ("d", "c")}
    assert pairs(move_down(chain, 1.0, rng(0))) <= {("a", "d"), ("a", "b"), ("b", "c"), ("d", "a"), ("d", "b")}
    assert pairs(move_down(chain, 1.0, rng(0))) != pairs(chain)


def test_a_greater_share_drops_what_a_smaller_one_drops_and_more():
    less, more = (pairs(drop_edges(GRAPH, share, np.random.default_rng(0))) for share in (0.3, 0.6))
    assert more < less


LEAVES = [(f"i{i}", f"n{i}") for i in range(60)]
WORDS = [chr(97 + i % 26) * (3 + i // 26) for i in range(60)]
MODELS = {
    "taxonomy": ("literal", GRAPH),
    "axioms": ("exact", Axioms.from_rows([(f"C{i}", f"p{i}", f"D{i}", "object") for i in range(60)])),
    "alignment": ("overlap", Alignment.from_rows([(f"s{i}", f"t{i}") for i in range(60)])),
    "labels": ("hierarchical", Labels.from_rows(LEAVES, edges=[(leaf, "top") for _, leaf in LEAVES])),
    "concepts": ("concept_exact", Concepts.from_lists([(f"d{i}", [f"c{i}"]) for i in range(60)])),
    "triples": ("triples", TripleSet.from_lists({f"d{i}": [(f"s{i}", "is", f"o{i}")] for i in range(60)})),
    "unl": (
        "unl_uws",
        document_of("".join(f"[S:{i}] agt({w}(icl>do), b{w}(icl>x)) [/S]" for i, w in enumerate(WORDS))),
    ),
    "sentences": (
        "levenshtein",
        Texts(ids=tuple(map(str, range(60))), wordings=tuple((f"The {w} sees {w[::-1]}s of {w}.",) for w in WORDS)),
    ),
}
"""A measure and a gold standard of every family."""


@pytest.mark.parametrize("kind", families())
def test_every_family_falls_step_by_step(kind):
    chosen, measure, gold = family(kind), *MODELS[kind]
    found = list(
        fitness(
            chosen, gold, [chosen.measures.parse(measure)], context=Context(encoder=get_encoder("hashing")), draws=5
        )
    )
    steps = [one for one in found if one.steps]
    assert {one.change for one in steps} == set(chosen.trust.noises)
    assert steps
    assert all(one.fit for one in found), found
    assert all(one.values[0] < 1 for one in steps)


# ---- fitness


def by_change(measure, encoder="hashing"):
    context = Context(encoder=get_encoder(encoder))
    return {one.change: one for one in fitness(family("taxonomy"), GRAPH, [measure], context=context, draws=5)}


def test_a_literal_score_shows():
    found = by_change(Literal())
    assert (found["itself"].values, found["itself"].verdict) == ((1.0,), "as it should")
    assert {one.worst for one in found.values()} == {1.0}
    assert all(one.fit for one in found.values())
    assert found["drop"].values == tuple(sorted(found["drop"].values, reverse=True))
    assert found.keys() == {"itself", *family("taxonomy").trust.nulls, *NOISES}


def test_gold_that_does_not_score_perfectly_against_itself_is_not_fit(monkeypatch):
    monkeypatch.setattr(Literal, "divide", lambda *_: {"precision": 0.5, "recall": 0.5, "f1": 0.5})
    found = by_change(Literal())["itself"]
    assert (found.values, found.verdict, found.fit) == ((0.5,), "should be 1", False)


def test_a_score_that_accepts_everything_does_not_show():
    found = by_change(Fuzzy(threshold=-1.0, inclusive=True))
    assert found["itself"].fit
    assert not any(one.fit for change, one in found.items() if change != "itself")
    assert found["shuffle-texts"].verdict == "does not separate"
    assert found["drop"].verdict == "does not separate"


def test_a_distance_is_read_in_its_own_direction():
    found = by_change(Motif())
    assert found["itself"].values == (0.0,)
    assert found["itself"].fit
    assert found["random-edges"].fit
    assert "shuffle-texts" not in found


def test_a_score_that_rises_again_is_not_fit(monkeypatch):
    values = iter([0.5, 0.4, 0.45, 0.3, 0.2])
    monkeypatch.setitem(NOISES_OF_FAMILY, "drop", lambda graph, share, rng: drop_edges(graph, 1 - next(values), rng))
    found = by_change(Literal())["drop"]
    assert (found.fit, found.verdict) == (False, "rises again")


NOISES_OF_FAMILY = {}


@pytest.fixture(autouse=True)
def _own_noises(monkeypatch):
    NOISES_OF_FAMILY.clear()
    NOISES_OF_FAMILY.update(NOISES)
    object.__setattr__(family("taxonomy").trust, "noises", NOISES_OF_FAMILY)
    yield
    object.__setattr__(family("taxonomy").trust, "noises", NOISES)


def test_the_command_says_what_does_not_show(tmp_path, goldassay_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "gold.csv"
    file.write_text("child,parent\n" + "".join(f"n{i},n{i // 2}\n" for i in range(1, 41)))
    measures = ["-m", "literal", "-m", "nodes(threshold=-1.0)"]
    done = goldassay_command("selfcheck", "--gold", file, *measures, "--encoder", "hashing", "--no-cache")
    assert done.code == 0, done.err
    assert "falls step by step" in done.out
    assert "! nodes(threshold=-1.0) does not separate good from bad predictions on this gold standard: drop" in done.out
    assert "! literal" not in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines() if not line.startswith(("!", str(file))))


def test_bars_fall_with_the_score_whichever_way_is_better():
    better_high = Fitness(
        measure="f1", change="drop", values=(1.0, 0.5, 0.0), verdict="", fit=True, worst=1.0, best=1.0
    )
    better_low = replace(better_high, values=(1.0, 2.0, 5.0), worst=float("inf"))
    assert replace(better_low, values=(0.5, 1.5), best=0.5).bars == "█▁"
    assert better_high.bars == "█▄▁"
    assert better_low.bars == "█▆▁"


def test_a_drawing_is_next_to_every_change():
    found = list(fitness(family("taxonomy"), GRAPH, [Literal()], context=Context()))
    assert all(len(one.bars) == len(one.values) for one in found)
    by_change = {one.change: one.bars for one in found if one.steps}
    assert by_change["drop"] == "".join(sorted(by_change["drop"], reverse=True))


def test_measures_without_a_gold_standard_are_refused(goldassay_command):
    wrong = goldassay_command("selfcheck", "-m", "literal")
    assert wrong.code == 2
    assert "goldassay selfcheck --gold FILE" in wrong.err


def test_a_gold_standard_is_read_with_options_of_its_reader(tmp_path, goldassay_command):
    gold, tree = tmp_path / "gold.csv", tmp_path / "tree.csv"
    gold.write_text("id,label\n" + "".join(f"d{one},{name}\n" for one, name in enumerate(["cat", "dog", "oak"] * 4)))
    tree.write_text("child,parent\ncat,animal\ndog,animal\noak,plant\n")
    needed = goldassay_command("selfcheck", "-g", gold, "--kind", "labels", "-m", "hierarchical")
    assert (needed.code, "--option hierarchy=FILE" in needed.err) == (2, True)
    done = goldassay_command(
        "selfcheck", "-g", gold, "--kind", "labels", "-m", "hierarchical", "--option", f"hierarchy={tree}"
    )
    assert (done.code, "12 labels" in done.out) == (0, True)


def test_what_needs_something_absent_is_left_out_and_named(monkeypatch, tmp_path):
    def without_nltk(*_):
        raise MissingDependencyError("The package 'nltk' is needed to cut texts into words, and it is not installed.")

    monkeypatch.setattr(installation, "_values", without_nltk)
    monkeypatch.setenv("GOLDASSAY_MODEL_PATH", str(tmp_path))
    checks = list(check_installation())
    left_out = [check for check in checks if check.outcome == "left out"]
    assert not [check for check in checks if check.outcome == "differs"]
    assert {"encoder", "law", "number"} <= {check.group for check in left_out}
    assert any("nltk" in check.detail for check in left_out)


class Fixed:
    """A measure with known values; the best is 0."""

    headline, values = "value", {"value": (0.0, 1.0)}

    def __init__(self, scores):
        self.coming = iter(scores)

    def best(self, name):
        return {"value": 0.0}[name]

    def evaluate(self, **_):
        return SimpleNamespace(values={"value": next(self.coming)})


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ([0, 0, 0, 0, SEPARATES], "falls step by step"),
        ([0.9, 0.9, 0.9, 0.9, SEPARATES / 2], "does not separate"),
        ([2 * SLACK, SLACK, 0.5, 0.6, 0.7], "falls step by step"),
        ([0.5, 0.4, 0.5, 0.6, 0.7], "rises again"),
    ],
)
def test_noise_is_judged_by_its_last_step_and_by_rises(scores, verdict):
    judged = installation._check_noise(family("taxonomy"), GRAPH, Fixed(scores), "drop", context=Context(), seed=0)
    assert (judged.verdict, judged.fit, judged.values) == (verdict, verdict.startswith("falls"), tuple(scores))


@pytest.mark.parametrize(("expected", "fit"), [(SEPARATES, True), (SEPARATES / 2, False)])
def test_a_null_model_that_is_as_far_as_is_asked_separates(expected, fit):
    found = installation._check_chance(Fixed([]), "rewire", expected)
    assert (found.fit, found.verdict) == (fit, "separates" if fit else "does not separate")


@pytest.mark.parametrize(
    ("off", "fingerprint", "outcome", "detail"),
    [
        (0, "same", "well", ""),
        (ROW, "same", "well", ""),
        (2 * ROW, "same", "differs", "the row of 'dog' differs by 0.0002 from the pinned one"),
        (np.nan, "same", "differs", "the row of 'dog' differs by nan from the pinned one"),
        (ROW, "0123456789", "well", "fingerprint 01234567, pinned abcdefgh; the rows are the same"),
    ],
)
def test_an_encoder_may_differ_by_rounding_only(off, fingerprint, outcome, detail):
    pinned = {"texts": ["cat", "dog"], "rows": [[1.0], [0.0]], "fingerprint": "abcdefghij"}
    encoder = SimpleNamespace(
        encode=lambda _: np.array([[1.0, 5.0], [off, 5.0]]),
        fingerprint="abcdefghij" if fingerprint == "same" else fingerprint,
    )
    check = installation._encoder_check("mine", encoder, pinned)
    assert (check.outcome, check.detail) == (outcome, detail)


@pytest.mark.parametrize("shares", [STEPS, DROPPED])
def test_noise_grows_from_step_to_step(shares):
    assert shares[0] > 0
    assert shares[-1] <= 1
    assert all(less < more for less, more in pairwise(shares))
