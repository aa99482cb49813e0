"""Scores of labels in hierarchies that HEMKit, hiclass 5.0.8 and cafaeval 1.3.0 gave on the same files, to the last digit."""

import json
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

import goldassay
from goldassay.labels import Hierarchical, Labels, Lca, Smin, WeightedFmax, WuPalmer, read_labels
from goldassay.labels.reading import LabelReading

SETS = ("do_cancer", "go_nucleus")
EXACT = {"rel": 1e-12, "abs": 1e-12}


@pytest.fixture(scope="module", params=SETS)
def case(request, reference_data):
    """The files of one set, what was expected, prediction and gold."""
    folder = reference_data / "hierarchies" / "labels"
    reading = LabelReading(hierarchy=str(folder / f"{request.param}_hierarchy.tsv"))
    return {
        "folder": folder,
        "name": request.param,
        "expected": json.loads((folder / "expected" / f"{request.param}.json").read_text("utf-8")),
        "pred": read_labels(folder / f"{request.param}_pred" / "system.tsv", reading),
        "gold": read_labels(folder / f"{request.param}_gold.tsv", reading),
    }


def values(measure, case, pred=None):
    return measure.score(pred=pred or case["pred"], gold=case["gold"]).values


@pytest.mark.parametrize(
    ("root", "key"), [("include", "ancestor_sets_with_root"), ("exclude", "ancestor_sets_without_root")]
)
def test_ancestor_sets(case, root, key):
    messages = case["expected"][key]
    score = Hierarchical(root=root).score(pred=case["pred"], gold=case["gold"])
    assert [score.counts[name] for name in ("hit_pred", "n_pred", "n_gold")] == [
        messages[name] for name in ("tp", "n_pred", "n_gold")
    ]
    assert dict(score.values) == pytest.approx(
        {
            **messages["micro"],
            "macro_precision": messages["macro"]["precision"],
            "macro_recall": messages["macro"]["recall"],
            "macro_f1": messages["macro"]["mean_f1"],
        },
        **EXACT,
    )
    sums = score.matching.sums
    rows = {name: row for row, name in enumerate(score.matching.pair.names)}
    order = [rows[f"i{number}"] for number in range(1, len(rows) + 1)]
    per_instance = np.column_stack([sums[name][order] for name in ("hit_pred", "n_pred", "n_gold")])
    assert per_instance.astype(int).tolist() == messages["per_instance_[tp,pred,gold]"]
    missing = case["expected"]["instances_without_prediction"]
    assert score.note.startswith(f"{missing} of the {case['expected']['instances']} instances of gold have no")


def answered(case):
    """Both sides without the instances that have no prediction from 0.3 on: what hiclass and HEMKit were given."""
    kept = {f"i{number}" for number in case["expected"]["answered_instances"]}
    sides = []
    for side in (case["pred"], case["gold"]):
        rows = np.isin(side.ids[side.instances].astype(object), list(kept)) & (side.scores >= 0.3)
        listed = zip(side.ids[side.instances[rows]], side.hierarchy.names[side.labels[rows]], strict=True)
        sides.append(Labels.from_rows(listed, hierarchy=side.hierarchy))
    return sides


def by_average(score):
    names = ("precision", "recall", "f1")
    return {
        "micro": {name: score.values[name] for name in names},
        "macro": {name: score.values[f"macro_{name}"] for name in names},
    }


def assert_averages(score, messages):
    found = by_average(score)
    assert all(found[name] == pytest.approx(messages[name], **EXACT) for name in ("micro", "macro"))


def test_hiclass_with_all_paths(case):
    pred, gold = answered(case)
    messages = case["expected"]["hiclass_all_paths_answered_instances"]
    assert len(gold.ids) == messages["instances"]
    assert_averages(Hierarchical(root="include").score(pred=pred, gold=gold), messages)


def test_hiclass_arrays(case):
    arrays = json.loads((case["folder"] / f"{case['name']}_one_path.json").read_text("utf-8"))
    width = max(map(len, [*arrays["true"], *arrays["pred"]]))
    pred, gold = (
        Labels.from_arrays([[*path, *[""] * (width - len(path))] for path in arrays[side]]) for side in ("pred", "true")
    )
    score = Hierarchical(root="include", ancestors="given").score(pred=pred, gold=gold)
    assert_averages(score, case["expected"]["hiclass_one_path"])


def hemkit(stem, hierarchy, gold, pred):
    reading = LabelReading(hierarchy=f"{stem}{hierarchy}")
    return read_labels(f"{stem}{pred}", reading), read_labels(f"{stem}{gold}", reading)


def test_hemkit(case):
    pred, gold = hemkit(case["folder"] / f"{case['name']}_hemkit_", *("hier.txt", "gold.txt", "pred.txt"))
    messages = case["expected"]["hemkit_answered_instances"]
    score = Hierarchical(root="artificial").score(pred=pred, gold=gold)
    found = {
        name: score.values[f"macro_{value}"] for name, value in (("hP", "precision"), ("hR", "recall"), ("hF", "f1"))
    }
    assert found == pytest.approx({name: messages[name] for name in found}, **EXACT)
    assert found == pytest.approx(
        {name: case["expected"]["formula_hemkit_artificial_top"][name] for name in found}, **EXACT
    )
    lca = Lca().score(pred=pred, gold=gold)
    assert list(lca.values.values()) == pytest.approx([messages[f"lca_{name}"] for name in "PRF"], **EXACT)


def test_hemkits_own_example(reference_data):
    stem = reference_data / "graphs" / "hemkit" / "hemkit_example_"
    pred, gold = hemkit(stem, "cat_hier.txt", "Golden.txt", "result.txt")
    corner = json.loads(
        (reference_data / "hierarchies" / "labels" / "expected" / "corner_cases.json").read_text("utf-8")
    )
    score = Hierarchical(root="artificial").score(pred=pred, gold=gold)
    found = [score.values[name] for name in ("macro_precision", "macro_recall", "macro_f1")]
    assert [*found, *Lca().score(pred=pred, gold=gold).values.values()] == pytest.approx(
        corner["hemkit_example_[hP,hR,hF,lcaP,lcaR,lcaF]"], **EXACT
    )


@pytest.mark.parametrize(
    ("depth", "key"), [("shortest", "depth_shortest"), ("longest", "depth_longest"), ("path", "nltk_form")]
)
def test_wu_palmer(case, depth, key):
    messages = case["expected"]["wu_palmer_formula"][key]
    # The form of NLTK's formula, by the shortest way to the common ancestor; NLTK itself is `depth=nltk`: tests/labels/test_measures.py.
    assert list(values(WuPalmer(depth=depth), case).values()) == pytest.approx(
        [messages[name] for name in ("best_match_precision_macro", "best_match_recall_macro", "f1_of_macro")], **EXACT
    )


@pytest.mark.parametrize(
    ("depth", "key"), [("shortest", "depth_shortest"), ("longest", "depth_longest"), ("path", "nltk_form")]
)
def test_wu_palmer_of_first_labels(case, depth, key):
    messages = case["expected"]["wu_palmer_formula"][key]
    first = []
    for side in (case["pred"], case["gold"]):
        # "First" is the first in the alphabet.
        rows = np.flatnonzero(side.scores >= 0.3)
        rows = rows[np.argsort(side.hierarchy.names[side.labels[rows]], kind="stable")]
        rows = rows[np.unique(side.instances[rows], return_index=True)[1]]
        first.append(replace(side, instances=side.instances[rows], labels=side.labels[rows], scores=side.scores[rows]))
    score = WuPalmer(depth=depth).score(pred=first[0], gold=first[1])
    # With one label a side, precision is the mean over pairs; an instance without a prediction has 0.
    assert score.precision == pytest.approx(messages["first_label_pairs_mean"], **EXACT)
    if "first_label_pairs" in messages:
        rows = {name: row for row, name in enumerate(score.matching.pair.names)}
        found = [score.matching.sums["sum_precision"][rows[f"i{number}"]] for number in range(1, len(rows) + 1)]
        assert found == pytest.approx(messages["first_label_pairs"], **EXACT)


CAFAEVAL = {
    "default": {},
    "no_orphans": {"root": "exclude"},
    "norm_pred": {"norm": "pred"},
    "norm_gt": {"norm": "gold"},
    "prop_fill": {"propagation": "fill"},
    "max_terms_2": {},
}
ROWS = {
    "f": (WeightedFmax(weights="one"), ("pr", "rc", "f", "cov")),
    "f_w": (WeightedFmax(), ("pr_w", "rc_w", "f_w", "cov_w")),
    "f_micro": (WeightedFmax(weights="one", average="micro"), ("pr_micro", "rc_micro", "f_micro", "cov")),
    "f_micro_w": (WeightedFmax(average="micro"), ("pr_micro_w", "rc_micro_w", "f_micro_w", "cov_w")),
    "s": (Smin(weights="one"), ("s", "ru", "mi")),
}


def cut_like_cafaeval(case):
    """Keep the labels that cafaeval keeps for max_terms=2: of each target the first three, in the order of the file."""
    kept = defaultdict(list)
    for row, owner in enumerate(case["pred"].instances.tolist()):
        kept[owner].append(row)
    rows = np.array(sorted(row for some in kept.values() for row in some[:3]))
    pred = case["pred"]
    return replace(pred, instances=pred.instances[rows], labels=pred.labels[rows], scores=pred.scores[rows])


@pytest.mark.parametrize("variant", CAFAEVAL)
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("given", [True, False], ids=["ic-from-file", "ic-from-gold"])
def test_cafaeval(case, variant, row, given):
    ic = str(case["folder"] / f"{case['name']}_ia.tsv") if given else None
    measure, names = ROWS[row]
    measure = replace(measure, step=0.01, ic=ic, **CAFAEVAL[variant])
    messages = case["expected"]["cafaeval"][variant][row]
    pred = cut_like_cafaeval(case) if variant == "max_terms_2" else None
    score = measure.score(pred=pred or case["pred"], gold=case["gold"])
    assert list(score.values.values()) == pytest.approx([messages[name] for name in names], **EXACT)
    assert score.note.startswith(f"the best threshold is {messages['tau']:.4g}")


def test_the_table_of_cafaeval(case):
    table = case["expected"]["cafaeval"]["table_th_step_0.05"]
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    ic = str(case["folder"] / f"{case['name']}_ia.tsv")
    for weights, end in (("one", ""), ("ic", "_w")):
        fmax = WeightedFmax(weights=weights, ic=ic, step=0.05)
        levels = fmax.levels(pred=case["pred"], gold=case["gold"])
        thresholds = fmax.thresholds(levels)
        sums = goldassay.core.counts.Counts(levels.sums(thresholds))
        ratio = goldassay.core.counts.Division()
        found = {
            **dict(zip(("pr", "rc", "f", "cov"), fmax.divide(sums, ratio).values(), strict=True)),
            **dict(zip(("s", "ru", "mi"), Smin().divide(sums, ratio).values(), strict=True)),
        }
        micro = replace(fmax, average="micro").divide(sums, ratio)
        found |= {f"{name}_micro": value for name, value in zip(("pr", "rc", "f"), micro.values(), strict=False)}
        for name, column in found.items():
            messages = [row.get(f"{name}{end}") for row in rows]
            if None not in messages:
                assert column[::-1].tolist() == pytest.approx(messages, **EXACT), name
        assert thresholds[::-1].tolist() == pytest.approx([row["tau"] for row in rows], **EXACT)
        curve = fmax.curve(pred=case["pred"], gold=case["gold"])
        assert curve.precision[::-1].tolist() == pytest.approx([row[f"pr{end}"] for row in rows], **EXACT)


CORNERS = {
    "docstring": [],
    "one_level": [],
    "shorter_prediction": [],
    "repeated_label_on_path": [],
    "nothing_right": [],
    # hiclass divides by 0 here; what is 0/0 has the value of `undefined` and is named.
    "empty_prediction": [],
    "all_predictions_empty": ["precision"],
}


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases_of_hiclass(reference_data, name):
    path = reference_data / "hierarchies" / "labels" / "expected" / "corner_cases.json"
    messages = json.loads(path.read_text("utf-8"))[name]
    gold = Labels.from_arrays(messages["true"])
    pred = (
        Labels.from_arrays(messages["pred"])
        if any(map(any, messages["pred"]))
        else Labels.from_rows([], hierarchy=gold.hierarchy)
    )
    score = Hierarchical(root="include", ancestors="given").score(pred=pred, gold=gold)
    assert [value for value in score.undefined if not value.startswith("macro")] == CORNERS[name]
    for key, value in messages.items():
        if key in {"true", "pred"} or isinstance(value, str):
            continue
        assert score.values[key.removeprefix("micro_")] == pytest.approx(value, **EXACT), key
