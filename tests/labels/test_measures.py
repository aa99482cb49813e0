import hashlib
import math
import warnings
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.corpus.reader import wordnet

import goldassay
from goldassay.core.errors import InputError, UsageError
from goldassay.labels import Hierarchical, Hierarchy, Labels, Lca, Smin, WeightedFmax, WuPalmer
from goldassay.labels.match import Pair
from goldassay.labels.measures.thresholds import weights_of

PETS = [("cat", "feline"), ("lion", "feline"), ("feline", "animal"), ("dog", "animal"), ("cat", "pet"), ("dog", "pet")]


def labels(*rows, edges=PETS, ids=()):
    return Labels.from_rows(rows, edges=edges, ids=ids)


# ---- random hierarchies and labels, and the formulas written out


@st.composite
def problems(draw):
    size = draw(st.integers(2, 7))
    above = [draw(st.lists(st.integers(0, node - 1), max_size=3, unique=True)) if node else [] for node in range(size)]
    edges = [(f"n{node}", f"n{parent}") for node, parents in enumerate(above) for parent in parents]
    hierarchy = Hierarchy.from_edges(edges, nodes=[f"n{node}" for node in range(size)])
    one = st.tuples(
        st.sampled_from(["a", "b", "c", "d"]),
        st.integers(0, size - 1).map(lambda node: f"n{node}"),
        st.sampled_from([0.1, 0.29, 0.3, 0.31, 0.6, 0.9, 1.0]),
    )
    sides = [draw(st.lists(one, max_size=8, unique_by=lambda row: row[:2])) for _ in range(2)]
    parents = {f"n{node}": {f"n{parent}" for parent in parents} for node, parents in enumerate(above)}
    pred, gold = (Labels.from_rows(rows, hierarchy=hierarchy) for rows in sides)
    return parents, sides[0], sides[1], pred, gold


def ancestors(parents, node):
    return {node}.union(*(ancestors(parents, parent) for parent in parents[node]))


def augmented(parents, rows, *, root, threshold=-math.inf):
    sets = {}
    for instance, label, score in rows:
        if score >= threshold:
            sets.setdefault(instance, set()).update(ancestors(parents, label))
    if root == "exclude":
        sets = {instance: {node for node in some if parents[node]} for instance, some in sets.items()}
    return {instance: some for instance, some in sets.items() if some}


def values(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return dict(measure.score(pred=pred, gold=gold).values)


def ratio(above, below):
    return above / below if below else 0.0


def f1(precision, recall):
    return ratio(2 * precision * recall, precision + recall)


def mean(numbers):
    return ratio(math.fsum(numbers), len(numbers))


@given(problems(), st.sampled_from(["exclude", "include", "artificial"]))
def test_hierarchical_is_its_formula(problem, root):
    parents, here, there, pred, gold = problem
    ours, theirs = augmented(parents, here, root=root, threshold=0.3), augmented(parents, there, root=root)
    if root == "artificial":
        ours, theirs = ({i: some | {"top"} for i, some in side.items()} for side in (ours, theirs))
    both = sorted(ours.keys() | theirs.keys())
    hits = {i: len(ours.get(i, set()) & theirs.get(i, set())) for i in both}
    precision = ratio(sum(hits.values()), sum(map(len, ours.values())))
    recall = ratio(sum(hits.values()), sum(map(len, theirs.values())))
    each = [(ratio(hits[i], len(ours.get(i, ()))), ratio(hits[i], len(theirs.get(i, ())))) for i in both]
    assert values(Hierarchical(root=root), pred, gold) == pytest.approx(
        {
            "precision": precision,
            "recall": recall,
            "f1": f1(precision, recall),
            "macro_precision": mean([p for p, _ in each]),
            "macro_recall": mean([r for _, r in each]),
            "macro_f1": mean([f1(p, r) for p, r in each]),
        }
    )


@given(problems(), st.sampled_from(["exclude", "include", "artificial"]), st.sampled_from(["closure", "given"]))
def test_the_curve_of_hierarchical_is_the_measure_at_each_threshold(problem, root, above):
    *_, pred, gold = problem
    curve = Hierarchical(root=root, ancestors=above).curve(pred=pred, gold=gold)
    for threshold in (0.05, 0.1, 0.3, 0.5, 0.9, 1.0, 1.5):
        cut = values(Hierarchical(threshold=threshold, root=root, ancestors=above), pred, gold)
        assert dict(curve.at(threshold).values) == pytest.approx(cut)


def ways(parents, node, end):
    if node == end:
        return [0]
    return [steps + 1 for parent in parents[node] for steps in ways(parents, parent, end)]


def depth(parents, node, best):
    return 1 + best([depth(parents, parent, best) for parent in parents[node]], default=0)


def similar(parents, left, right, how):
    found = [0.0]
    for node in ancestors(parents, left) & ancestors(parents, right):
        if how == "path":
            twice = 2 * depth(parents, node, min)
            found.append(twice / (twice + min(ways(parents, left, node)) + min(ways(parents, right, node))))
        else:
            best = max if how == "longest" else min
            below = depth(parents, left, best) + depth(parents, right, best)
            found.append(2 * depth(parents, node, best) / below)
    return max(found)


@given(problems(), st.sampled_from(["path", "longest", "shortest"]))
def test_wu_palmer_is_its_formula(problem, how):
    parents, here, there, pred, gold = problem
    here = [row for row in here if row[2] >= 0.3]
    sums = []
    for mine, others in ((here, there), (there, here)):
        by_instance = {}
        for instance, label, _ in mine:
            near = max((similar(parents, label, other, how) for i, other, _ in others if i == instance), default=0.0)
            by_instance.setdefault(instance, []).append(near)
        sums.append(math.fsum(map(mean, by_instance.values())))
    count = len({row[0] for row in here} | {row[0] for row in there})
    precision, recall = (ratio(total, count) for total in sums)
    assert values(WuPalmer(depth=how), pred, gold) == pytest.approx(
        {"precision": precision, "recall": recall, "f1": f1(precision, recall)}
    )


class OfWordNet(wordnet.Synset):
    """A noun of NLTK's WordNet whose hypernyms are given: its corpus cannot be had without a network."""

    def __init__(self, name, nouns, parents):
        super().__init__(SimpleNamespace(get_version=lambda: "3.0"))
        self._name, self._pos = name, wordnet.NOUN
        self._hypernyms = self.hypernyms = lambda: [nouns[parent] for parent in sorted(parents[name])]
        self._instance_hypernyms = self.instance_hypernyms = list


def nouns_of(parents):
    nouns = {}
    nouns.update((name, OfWordNet(name, nouns, parents)) for name in parents)
    return nouns


def by_nltk(parents, mine, others):
    """Sum over instances the mean over labels of the best similarity to a label of the other side."""
    nouns, by_instance = nouns_of(parents), {}
    for instance, label, _ in mine:
        similarities = [nouns[label].wup_similarity(nouns[other]) or 0.0 for i, other, _ in others if i == instance]
        by_instance.setdefault(instance, []).append(max(similarities, default=0.0))
    return math.fsum(map(mean, by_instance.values()))


@given(problems())
def test_wu_palmer_by_nltk_is_what_nltk_gives(problem):
    parents, here, there, pred, gold = problem
    here = [row for row in here if row[2] >= 0.3]
    count = len({row[0] for row in here} | {row[0] for row in there})
    precision, recall = (ratio(by_nltk(parents, *sides), count) for sides in ((here, there), (there, here)))
    assert values(WuPalmer(depth="nltk"), pred, gold) == pytest.approx(
        {"precision": precision, "recall": recall, "f1": f1(precision, recall)}
    )


@pytest.mark.parametrize(
    ("edges", "path", "nltk"),
    [
        # c is the nearest; NLTK takes q, since the shortest way from q to a root is longer.
        ([("c", "r"), ("c", "q"), ("q", "p"), ("p", "r"), ("a", "c"), ("b", "c")], 4 / 6, 6 / 10),
        # Both take c: 3 deep by the shortest way, and 4 by the longest, which is the depth of NLTK.
        ([("c", "m"), ("m", "r"), ("c", "q"), ("q", "p"), ("p", "r"), ("a", "c"), ("b", "c")], 6 / 8, 8 / 10),
    ],
)
def test_depths_where_nltk_and_wu_and_palmer_differ(edges, path, nltk):
    pred, gold = labels(("i", "a"), edges=edges), labels(("i", "b"), edges=edges)
    parents = {name: {parent for child, parent in edges if child == name} for name in {*sum(edges, ())}}
    nouns = nouns_of(parents)
    assert values(WuPalmer(), pred, gold)["f1"] == pytest.approx(path)
    score = WuPalmer(depth="nltk").score(pred=pred, gold=gold)
    assert score.f1 == pytest.approx(nouns["a"].wup_similarity(nouns["b"])) == pytest.approx(nltk)
    assert "depth=nltk" in str(score.signature)


def content(parents, rows):
    sets = augmented(parents, rows, root="include")
    found = {}
    for node, above in parents.items():
        has = sum(node in some for some in sets.values())
        could = sum(above <= some for some in sets.values())
        found[node] = -math.log2((has + 1) / (could + 1))
    return found


@given(problems())
def test_information_content_is_counted_in_gold(problem):
    parents, _, there, pred, gold = problem
    found = weights_of(Pair.of(pred=pred, gold=gold), None)
    expected = content(parents, there)
    assert dict(zip(gold.hierarchy.names.tolist(), found.tolist(), strict=True)) == pytest.approx(expected, abs=1e-11)


def filled(parents, rows, *, fill):
    """Pass scores on upwards, from the children to their parents."""
    own = {}
    for instance, label, score in rows:
        own.setdefault(instance, {})[label] = score

    def score_of(given, node):
        if fill and node in given:
            return given[node]
        below = [score_of(given, child) for child, above in parents.items() if node in above]
        return max([given.get(node, -math.inf), *below])

    return {
        instance: {node: score for node in parents if (score := score_of(given, node)) > -math.inf}
        for instance, given in own.items()
    }


WAYS = st.fixed_dictionaries(
    {
        "weights": st.sampled_from(["ic", "one"]),
        "propagation": st.sampled_from(["max", "fill"]),
        "root": st.sampled_from(["include", "exclude"]),
        "targets": st.sampled_from(["all", "gold"]),
        "norm": st.sampled_from(["cafa", "pred", "gold"]),
    }
)


@given(problems(), WAYS, st.sampled_from(["macro", "micro"]))
def test_fmax_and_smin_are_their_formulas(problem, how, average):
    weights, propagation, root, targets, norm = (
        how[name] for name in ("weights", "propagation", "root", "targets", "norm")
    )
    parents, here, there, pred, gold = problem
    weight = content(parents, there) if weights == "ic" else dict.fromkeys(parents, 1.0)
    theirs = augmented(parents, there, root=root)
    nodes = filled(parents, here, fill=propagation == "fill")
    if targets == "gold":
        nodes = {i: some for i, some in nodes.items() if i in {row[0] for row in there}}
    if root == "exclude":
        nodes = {i: {n: s for n, s in some.items() if parents[n]} for i, some in nodes.items()}

    def sum_of(some):
        return math.fsum(weight[node] for node in some)

    full = {i for i, some in theirs.items() if sum_of(some) > 1e-9}
    best_f, best_s = -1.0, math.inf
    for cut in sorted({score for some in nodes.values() for score in some.values()}):
        ours = {i: {n for n, s in some.items() if s >= cut} for i, some in nodes.items()}
        answered = {i for i, some in ours.items() if sum_of(some) > 1e-9}
        hits = {i: sum_of(ours.get(i, set()) & theirs.get(i, set())) for i in answered | full}
        size = {"cafa": (answered, full), "pred": (answered, answered), "gold": (full, full)}[norm]
        precision = ratio(math.fsum(hits[i] / sum_of(ours[i]) for i in answered), len(size[0]))
        recall = ratio(math.fsum(hits[i] / sum_of(theirs[i]) for i in full), len(size[1]))
        hit, claimed, wanted = sum(hits.values()), sum(map(sum_of, ours.values())), sum(map(sum_of, theirs.values()))
        if average == "micro":
            precision, recall = ratio(hit, claimed), ratio(hit, wanted)
        best_f = max(best_f, f1(precision, recall))
        count = len(answered) if norm == "pred" else len(full)
        # By predictions, a threshold that none reaches has no mean.
        best_s = min(best_s, math.hypot(wanted - hit, claimed - hit) / count if count else best_s)
    assume(best_f >= 0)
    assert values(WeightedFmax(**how, average=average), pred, gold)["fmax"] == pytest.approx(best_f, abs=1e-9)
    assert values(Smin(**how), pred, gold)["s"] == pytest.approx(0 if best_s == math.inf else best_s, abs=1e-9)


@given(problems(), st.sampled_from(["macro", "micro"]), st.sampled_from(["include", "exclude"]))
def test_the_best_point_of_the_curve_is_the_score(problem, average, root):
    *_, pred, gold = problem
    assume(len(pred))
    for measure in (WeightedFmax(weights="one", average=average, root=root), Smin(weights="one", root=root)):
        curve = measure.curve(pred=pred, gold=gold)
        assume(curve.best)
        assert curve.best.values[measure.headline] == pytest.approx(values(measure, pred, gold)[measure.headline])
        # A prediction that is cut there only has the values of the point.
        for row, threshold in enumerate(curve.thresholds.tolist()):
            kept = pred.scores >= threshold
            cut = replace(pred, instances=pred.instances[kept], labels=pred.labels[kept], scores=np.ones(kept.sum()))
            assert dict(curve.point(row).values) == pytest.approx(values(measure, cut, gold))


def test_a_measure_of_the_best_threshold_can_be_swept():
    edges = [("cat", "pet"), ("dog", "pet")]
    gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=edges)
    pred = Labels.from_rows([("d1", "cat", 0.9), ("d2", "cat", 0.4)], edges=edges)
    found = goldassay.sweep(
        pred, gold=gold, kind="labels", measures=["smin(weights=one)", "weighted_fmax(weights=one)"]
    )
    assert [one.threshold for one in found] == [None, None]
    assert found[0].curve.values["s"].tolist() == pytest.approx([1.0, math.hypot(0.5, 0.5)])
    assert found[1].to_dict()["best"]["fmax"] == pytest.approx(0.75)


def way_up(parents, node):
    return [node, *(way_up(parents, next(iter(parents[node]))) if parents[node] else ["top"])]


@given(st.data())
def test_lca_of_one_label_a_side_in_a_tree_is_the_way_between_them(data):
    size = data.draw(st.integers(2, 9))
    parents = {f"n{node}": {f"n{data.draw(st.integers(0, node - 1))}"} if node else set() for node in range(size)}
    hierarchy = Hierarchy.from_edges([(node, parent) for node, above in parents.items() for parent in above])
    left, right = (f"n{data.draw(st.integers(0, size - 1))}" for _ in range(2))
    pred, gold = (Labels.from_rows([("i", one)], hierarchy=hierarchy) for one in (left, right))
    ours, theirs = way_up(parents, left), way_up(parents, right)
    lowest = next(node for node in ours if node in theirs)
    ours, theirs = ours[: ours.index(lowest) + 1], theirs[: theirs.index(lowest) + 1]
    assert values(Lca(), pred, gold) == pytest.approx(
        {"precision": 1 / len(ours), "recall": 1 / len(theirs), "f1": f1(1 / len(ours), 1 / len(theirs))}
    )


# ---- worked by hand


def test_lca_keeps_as_few_ancestors_as_join_all_labels():
    edges = [("a", "x"), ("b", "x"), ("c", "y"), ("d", "y"), ("x", "r"), ("y", "r")]
    gold, pred = labels(("i", "a"), ("i", "c"), edges=edges), labels(("i", "b"), ("i", "d"), edges=edges)
    # a and b match in x, c and d in y: {a, c, x, y} against {b, d, x, y}; the root above counts on no side.
    assert values(Lca(), pred, gold)["f1"] == 0.5
    assert values(Hierarchical(root="include"), pred, gold)["f1"] == 3 / 5


@pytest.mark.parametrize(("left", "right"), [("0", "1"), ("1", "0")])
def test_a_label_with_the_number_0_is_not_the_root_above_all(left, right):
    edges = [("7", "0"), ("8", "1")]
    found = values(Lca(), labels(("i", left), edges=edges), labels(("i", right), edges=edges))
    # {0, top} against {1, top}.
    assert found == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_the_curve_of_artificial_roots_has_no_threshold_that_nothing_reaches():
    gold, pred = labels(("i", "cat"), ("j", "dog")), labels(("i", "cat", 0.5))
    curve = Hierarchical(root="artificial").curve(pred=pred, gold=gold)
    assert curve.thresholds.tolist() == [0.5]
    assert dict(curve.at(0.0).values) == values(Hierarchical(root="artificial", threshold=0.0), pred, gold)


# The smallest of many random hierarchies on each of which some rule decides: which joins are the shortest, which ancestors are
# chosen, and over which of several ways. Shared nodes, nodes of the prediction and nodes of gold.
WAYS = [
    ("7<4 3<5 2<6", "4", "3", (1, 2, 3)),
    ("2<1 3<1 5<2 4<2 4<3", "4", "5", (1, 2, 2)),
    ("2<1 3<2 5<1 5<2 5<3 4<1 4<3", "4", "2", (0, 1, 1)),
    ("1<4 8<4 8<1 2<4 7<4 5<1 6<7 6<5 3<5", "8", "6 7", (0, 1, 1)),
    ("4<2 3<2 3<4 6<2 1<2 5<4 5<6", "1 4", "3 5", (1, 2, 3)),
    ("1<3 2<4 5<3", "2 5", "2", (2, 4, 3)),
    ("6<3 1<6 2<3 5<6 4<1", "2", "2 6", (2, 2, 3)),
    ("7<2 6<2 6<7 3<6 1<7 4<6 5<7 5<6 5<3", "1 5 6", "2", (1, 4, 1)),
    ("2<3 1<3 1<2 7<2 8<2 6<7 4<2 5<8 5<4", "2 4 6 7", "5", (2, 4, 3)),
    ("2<6 5<6 5<2 3<6 3<2 4<6 4<3 1<6", "1 2 6", "1 4 5", (3, 3, 5)),
    ("8<3 2<8 5<8 5<2 1<2 1<5 7<1 6<8 6<5 4<3", "1 4 6", "1", (3, 5, 5)),
    ("6<5 1<5 1<6 3<6 3<1 4<1 4<3 8<5 7<3 2<6 9<6 9<1", "8", "3 4 7 9", (1, 2, 7)),
    ("5<3 2<3 4<3 1<3 1<4", "3 4", "1 2 5", (2, 2, 5)),
    (
        "6<1 9<1 8<1 8<9 4<6 3<1 3<8 3<4 7<1 11<6 11<9 2<8 2<4 2<11 10<9 10<4 5<10 5<4",
        "6 8 9",
        "1 2 4 6 9 10",
        (1, 2, 5),
    ),
    (
        "9<7 3<7 3<9 8<7 8<9 8<3 4<3 4<8 10<7 1<3 1<4 2<4 2<10 2<1 11<9 11<4 11<10 6<8 6<4 5<11 5<2",
        "1 4 6 7 8 11",
        "1 2 5 7",
        (2, 4, 3),
    ),
    (
        "13<15 6<15 6<13 14<6 7<15 7<14 12<13 12<6 9<15 9<12 10<13 10<6 10<7 4<7 4<10 11<6 11<9 3<7 3<9 8<9 2<4 2<10 1<4 1<8 5<11 5<8",
        "1 5 8 14",
        "9 13",
        (1, 5, 1),
    ),
]


@pytest.mark.parametrize(("edges", "ours", "theirs", "counts"), WAYS)
def test_lca_over_several_ways(edges, ours, theirs, counts):
    pairs = [tuple(edge.split("<")) for edge in edges.split()]
    pred, gold = (labels(*(("i", one) for one in side.split()), edges=pairs) for side in (ours, theirs))
    shared, size, wanted = counts
    found = values(Lca(), pred, gold)
    assert (found["precision"], found["recall"]) == (shared / size, shared / wanted)


def test_lca_of_an_instance_without_a_prediction_is_0():
    gold, pred = labels(("i", "cat"), ("j", "dog")), labels(("i", "cat"), ("k", "dog"))
    assert values(Lca(), pred, gold) == pytest.approx({"precision": 1 / 3, "recall": 1 / 3, "f1": 1 / 3})


def test_lca_leaves_out_labels_above_others():
    gold, pred = labels(("i", "cat"), ("i", "feline")), labels(("i", "cat"))
    assert values(Lca(), pred, gold) == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_two_roots_match_in_the_artificial_one():
    edges = [("a", "r"), ("b", "s")]
    found = values(Lca(), labels(("i", "a"), edges=edges), labels(("i", "b"), edges=edges))
    assert found["precision"] == pytest.approx(1 / 3)
    assert values(WuPalmer(), labels(("i", "a"), edges=edges), labels(("i", "b"), edges=edges))["f1"] == 0.0


@pytest.mark.parametrize("measure", [Hierarchical, Lca, WuPalmer])
def test_the_tie_at_the_threshold_counts(measure):
    gold = labels(("i", "cat"))
    for score, expected in ((0.3, 1.0), (np.nextafter(0.3, 0), 0.0)):
        assert values(measure(threshold=0.3), labels(("i", "cat", score)), gold)["f1"] == expected


def test_an_instance_without_a_prediction_is_missed_and_reported():
    gold = labels(("i", "cat"), ("j", "dog"))
    score = Hierarchical().score(pred=labels(("i", "cat")), gold=gold)
    assert (score.precision, score.recall, score.values["macro_precision"]) == (1.0, 2 / 3, 0.5)
    assert score.note == "1 of the 2 instances of gold has no prediction that counts, and is missed"


def test_predicted_instances_that_gold_does_not_have_are_wrong():
    gold, pred = labels(("i", "cat")), labels(("i", "cat"), ("new", "dog"))
    assert values(Hierarchical(root="include"), pred, gold)["precision"] == 4 / 7
    assert values(WeightedFmax(weights="one"), pred, gold)["precision"] == 0.5
    assert values(WeightedFmax(weights="one", targets="gold"), pred, gold)["precision"] == 1.0
    assert values(Smin(weights="one"), pred, gold)["misinformation"] == 3.0
    assert values(Smin(weights="one", targets="gold"), pred, gold)["s"] == 0.0


def test_only_a_label_that_is_no_root_counts_by_default():
    gold, pred = labels(("i", "cat")), labels(("i", "dog"))
    assert values(Hierarchical(), pred, gold)["f1"] == 0.0
    # cat, feline, animal, pet against dog, animal, pet.
    assert values(Hierarchical(root="include"), pred, gold)["precision"] == 2 / 3
    assert values(Hierarchical(root="artificial"), pred, gold)["precision"] == 3 / 4


def test_by_the_shortest_depths_similarity_may_exceed_1():
    edges = [("m", "r"), ("c", "m"), ("a", "c"), ("a", "r"), ("b", "c")]
    pred, gold = labels(("i", "a"), edges=edges), labels(("i", "b"), edges=edges)
    assert values(WuPalmer(depth="shortest"), pred, gold)["f1"] == 1.0
    chain = [("n1", "n0"), ("n2", "n1"), ("n3", "n2"), ("a", "n3"), ("a", "n0"), ("b", "n3"), ("b", "n0")]
    pred, gold = labels(("i", "a"), edges=chain), labels(("i", "b"), edges=chain)
    assert values(WuPalmer(depth="shortest"), pred, gold)["f1"] == 2.0
    assert values(WuPalmer(), pred, gold)["f1"] == pytest.approx(0.8)
    assert values(WuPalmer(depth="longest"), pred, gold)["f1"] == pytest.approx(0.8)


def test_a_step_takes_thresholds_below_1_only():
    gold = labels(("i", "cat"))
    pred = labels(("i", "cat", 1.0), ("i", "dog", 0.995))
    assert values(WeightedFmax(weights="one"), pred, gold)["fmax"] == 1.0
    assert values(WeightedFmax(weights="one", step=0.01), pred, gold)["precision"] == 4 / 5


def test_content_of_a_file_moves_the_number_and_the_signature(tmp_path):
    (tmp_path / "ic.tsv").write_text("cat\t4\nfeline\t1\nanimal\t0\nnobody\t9\n")
    gold, pred = labels(("i", "cat")), labels(("i", "lion"))
    score = WeightedFmax(ic=str(tmp_path / "ic.tsv")).score(pred=pred, gold=gold)
    assert (score.precision, score.recall) == (1.0, 1 / 5)
    assert "ic:sha256-" in str(score.signature)
    assert score.note == "the best threshold is 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label\tic\ncat\tmany\n", "not a number of 0 or more"),
        ("cat\t-1\n", "not a number of 0 or more"),
        ("label\tic\ncat\tnan\n", "not a number of 0 or more"),
        ("unicorn\t2\n", "for any label of the hierarchy"),
        ("a\tb\tc\td\n", "No column is recognised"),
    ],
)
def test_content_that_cannot_be_read(tmp_path, text, message):
    (tmp_path / "ic.tsv").write_text(text)
    gold = labels(("i", "cat"))
    with pytest.raises(InputError, match=message):
        WeightedFmax(ic=str(tmp_path / "ic.tsv")).score(pred=gold, gold=gold)


def test_what_has_no_curve_says_so():
    gold = labels(("i", "cat"))
    for measure in (Lca(), WuPalmer()):
        with pytest.raises(UsageError, match=r"no curve|no threshold|no parameter"):
            measure.curve(pred=gold, gold=gold)


def test_the_best_of_thresholds_has_no_interval():
    gold = labels(("i", "cat"), ("j", "dog"))
    report = goldassay.evaluate(
        gold, gold=gold, kind="labels", measures=["hierarchical", "weighted_fmax"], intervals=True
    )
    assert report["hierarchical"].intervals
    assert not report["weighted_fmax"].intervals


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("measure", [Hierarchical(), Lca(), WuPalmer(), WeightedFmax(), Smin()], ids=str)
def test_groups(measure):
    gold = labels(("i", "cat"), ("j", "dog"), ("k", "lion"), ("l", "animal"), ids=["m"])
    pred = labels(("i", "lion"), ("new", "pet"))
    score = goldassay.evaluate(pred, gold=gold, kind="labels", measures=measure).runs[0].scores[0]
    for by, expected in (
        ("depth", ["0", "1", "2", "3"]),
        ("branch", ["dog", "feline", "none", "several"]),
        ("root", ["animal", "none", "pet", "several"]),
        ("instance", ["i", "j", "k", "l", "m", "new"]),
    ):
        found = goldassay.breakdown(score, by=by)["group"].to_list()
        assert set(found) <= set(expected), by
        assert len(found) >= 3


def test_an_instance_is_grouped_by_gold_and_by_the_prediction_only_where_gold_has_no_label():
    gold, pred = labels(("l", "animal"), ("k", "dog")), labels(("l", "lion"), ("k", "pet"), ("new", "cat"))
    score = Lca().score(pred=pred, gold=gold)
    for by, expected in (
        ("depth", {"1": 1, "2": 1, "3": 1}),
        ("branch", {"none": 1, "dog": 1, "several": 1}),
        ("root", {"animal": 1, "several": 2}),
    ):
        found = goldassay.breakdown(score, by=by)
        assert dict(zip(found["group"], found["instances"], strict=True)) == expected


@given(problems())
def test_the_nearest_label_is_that_which_shares_most(problem):
    parents, ours, theirs, pred, gold = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        matching = Hierarchical().score(pred=pred, gold=gold).matching
    for side, here, there in (("pred", ours, theirs), ("gold", theirs, ours)):
        for row, (instance, label, _) in enumerate(here):
            above = ancestors(parents, label)
            shares = [
                2 * len(above & others) / (len(above) + len(others))
                for other, name, _ in there
                if other == instance
                for others in [ancestors(parents, name)]
            ]
            found = matching.evidence(side, np.array([row]))
            assert found.similarity[0] == pytest.approx(max(shares, default=math.nan), nan_ok=True)
            if shares:
                other, name, _ = there[found.counterpart[0]]
                others = ancestors(parents, name)
                assert other == instance
                assert 2 * len(above & others) / (len(above) + len(others)) == max(shares)
            else:
                assert found.counterpart[0] == -1


def test_of_equally_near_labels_the_first_is_named():
    edges = [("cat", "pet"), ("dog", "pet")]
    pred, gold = labels(("i", "pet"), edges=edges), labels(("i", "cat"), ("i", "dog"), edges=edges)
    assert Hierarchical(root="include").score(pred=pred, gold=gold).matching.evidence(
        "pred", np.array([0])
    ).counterpart.tolist() == [0]


@pytest.mark.parametrize(("root", "credit"), [("exclude", 0.0), ("include", 0.5)])
def test_what_a_label_earns_counts_roots_where_the_measure_does(root, credit):
    edges = [("cat", "pet"), ("dog", "pet")]
    score = Hierarchical(root=root).score(
        pred=labels(("i", "dog"), edges=edges), gold=labels(("i", "cat"), edges=edges)
    )
    assert (score.matching.pred.credit.tolist(), score.matching.gold.credit.tolist()) == ([credit], [credit])


def test_a_root_earns_where_roots_count_and_what_is_cut_off_earns_nothing():
    edges = [("cat", "pet"), ("dog", "pet")]
    pred, gold = labels(("i", "pet"), ("j", "dog", 0.1), edges=edges), labels(("i", "pet"), ("j", "dog"), edges=edges)
    score = Hierarchical(root="include").score(pred=pred, gold=gold)
    assert (score.matching.pred.credit.tolist(), score.matching.gold.credit.tolist()) == ([1.0, 0.0], [1.0, 0.0])


def test_evidence_names_the_nearest_label_of_the_instance():
    gold = labels(("i", "cat"), ("i", "dog"), ("j", "dog"))
    score = Hierarchical(root="include").score(pred=labels(("i", "lion")), gold=gold)
    [invented] = score.matching.invented()
    # lion, feline, animal against cat, feline, animal, pet: 2 * 2 / (3 + 4).
    assert (invented.item, invented.counterpart, invented.verdict) == ("i: lion", "i: cat", "partial")
    assert invented.similarity == pytest.approx(4 / 7)
    missed = {one.item: one.counterpart for one in score.matching.missed()}
    assert missed == {"i: cat": "i: lion", "i: dog": "i: lion", "j: dog": None}


# ---- the hierarchy


def test_a_cycle_is_named():
    with pytest.raises(InputError, match="has a cycle") as caught:
        Hierarchy.from_edges([("x", "a"), ("a", "b"), ("b", "c"), ("c", "a"), ("d", "top")])
    ring = caught.value.found.split(" -> ")
    assert ring[0] == ring[-1]
    assert set(ring) == {"a", "b", "c"}
    with pytest.raises(InputError, match="has a cycle"):
        Hierarchy.from_edges([("a", "a")])


def test_a_long_cycle_is_cut():
    with pytest.raises(InputError, match="has a cycle") as caught:
        Hierarchy.from_edges([(f"n{i}", f"n{(i + 1) % 50}") for i in range(50)])
    assert caught.value.found.endswith("...")


def test_golds_hierarchy_decides():
    gold = labels(("i", "a"), ("j", "b"), edges=[("a", "b")])
    same, other = labels(("i", "a"), edges=[("a", "b")]), labels(("i", "a"), edges=[("b", "a"), ("top", "b")])
    for root in ("include", "exclude", "artificial"):
        assert values(Hierarchical(root=root), other, gold) == values(Hierarchical(root=root), same, gold)


@pytest.mark.parametrize("root", ["include", "exclude"])
def test_a_label_that_golds_hierarchy_does_not_have_is_wrong(root):
    gold = labels(("i", "cat"), edges=[("cat", "pet")])
    pred = labels(("i", "lion"), ("i", "cat"), edges=[("pet", "animal"), ("lion", "pet"), ("cat", "pet")])
    found = values(Hierarchical(root=root), pred, gold)
    assert (found["precision"], found["recall"]) == ({"include": 2 / 3, "exclude": 0.5}[root], 1.0)


@pytest.mark.parametrize("bound", ["SMALL", "CLOSED"])
def test_what_lies_above_a_label_is_the_same_in_a_hierarchy_that_is_not_closed_at_once(bound, monkeypatch):
    edges = [(f"c{row}", f"c{row // 2}") for row in range(1, 40)]
    asked = np.array([3, 17, 39])
    found = [Hierarchy.from_edges(edges).closure(asked)]
    monkeypatch.setattr(f"goldassay.labels.hierarchy.{bound}", 5)
    found.append(Hierarchy.from_edges(edges).closure(asked))
    assert len(found[0].nodes) > len(found[1].nodes)
    rows = [one.spread(asked) for one in found]
    assert rows[0][0].tolist() == rows[1][0].tolist()
    for name in ("nodes", "steps"):
        here, there = (getattr(one, name)[places] for one, (_, places) in zip(found, rows, strict=True))
        assert here.tolist() == there.tolist()


@given(problems())
def test_the_closure_holds_every_ancestor_at_its_shortest_way(problem):
    parents, *_, pred, _ = problem
    hierarchy = pred.hierarchy
    closure = hierarchy.closure(np.arange(len(hierarchy)))
    names = hierarchy.names.tolist()
    for row, name in enumerate(names):
        some = slice(closure.starts[row], closure.starts[row + 1])
        found = dict(zip((names[node] for node in closure.nodes[some]), closure.steps[some].tolist(), strict=True))
        assert found == {node: min(ways(parents, name, node)) for node in ancestors(parents, name)}
    assert hierarchy.levels.tolist() == [depth(parents, name, max) for name in names]
    assert hierarchy.shallowest.tolist() == [depth(parents, name, min) for name in names]
    for top, node in product(range(len(names)), repeat=2):
        assert hierarchy.below([top])[node] == (names[top] in ancestors(parents, names[node]))


# ---- find_warnings


def messages(pred, gold):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        goldassay.evaluate(pred, gold=gold, kind="labels", measures="hierarchical")
    return "\n".join(str(one.message) for one in caught)


def test_what_is_suspicious_is_reported():
    gold = labels(("i", "cat"), ("j", "dog"))
    assert "1 of the 2 instances of gold has no prediction, for example j" in messages(labels(("i", "cat")), gold)
    assert "1 of the 3 instances of the prediction has no gold labels" in messages(
        labels(("i", "cat"), ("j", "cat"), ("k", "cat")), gold
    )
    assert "share no instance, for example 'x' against 'i'" in messages(labels(("x", "cat")), gold)
    assert "all labels of the prediction are roots" in messages(labels(("i", "animal"), ("j", "pet")), gold)
    assert "1 of about 3 labels of the prediction are not in the hierarchy" in messages(
        labels(("i", "cat"), ("j", "dog"), ("j", "unicorn")), gold
    )
    other = [*PETS, ("wolf", "thing")]
    assert "different hierarchies: only gold's is used" in messages(
        labels(("i", "cat"), ("j", "dog"), edges=other), gold
    )
    assert "1 predicted label that it does not have counts as wrong" in messages(
        labels(("i", "wolf"), edges=other), gold
    )
    assert "labels" not in messages(gold, gold)


def test_the_signature_has_eight_digits_of_the_table_of_information_content(tmp_path):
    path = tmp_path / "ic.tsv"
    path.write_text("label\tic\ncat\t1.5\nlion\t2\n")
    score = Smin(ic=str(path)).score(pred=labels(("i", "cat")), gold=labels(("i", "cat")))
    assert score.signature.fields["ic"] == "sha256-" + hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def test_a_threshold_that_nothing_reaches_is_not_the_best():
    pred, gold = labels(("i", "dog", 0.5)), labels(("i", "cat"))
    # cat and feline are missed, dog is wrong. From 0.51 on nothing is predicted, and no instance is left to divide by.
    score = Smin(weights="one", norm="pred", step=0.01).score(pred=pred, gold=gold)
    assert dict(score.values) == {"s": math.hypot(2, 1), "uncertainty": 2.0, "misinformation": 1.0}
    assert score.note == "the best threshold is 0.01"


def test_a_label_at_the_best_threshold_earns():
    score = WeightedFmax(weights="one").score(
        pred=labels(("i", "cat", 0.4), ("i", "dog", 0.1)), gold=labels(("i", "cat"))
    )
    assert score.note == "the best threshold is 0.4"
    assert score.matching.pred.credit.tolist() == [1.0, 0.0]


def test_wu_palmer_says_which_instances_are_missed():
    gold, pred = labels(("i", "cat"), ("j", "dog")), labels(("i", "cat"), ("new", "dog"))
    assert WuPalmer().score(pred=pred, gold=gold).note == Hierarchical().score(pred=pred, gold=gold).note
    assert WuPalmer().score(pred=gold, gold=gold).note is None


def test_what_a_shortcut_earns_as_an_item_is_at_most_1():
    edges = [("b", "q"), ("q", "r"), ("a", "b"), ("a", "r"), ("x", "b"), ("x", "r")]
    score = WuPalmer(depth="shortest").score(pred=labels(("i", "a"), edges=edges), gold=labels(("i", "x"), edges=edges))
    # b is at depth 3, a and x are at depth 2.
    assert (score.precision, score.matching.pred.credit.tolist()) == (2 * 3 / (2 + 2), [1.0])


def test_scores_are_filled_where_a_node_has_none_of_its_own():
    pred, gold = labels(("i", "lion", 0.9), ("i", "feline", 0.2)), labels(("i", "lion"))
    curve = WeightedFmax(weights="one", propagation="fill").curve(pred=pred, gold=gold)
    assert curve.thresholds.tolist() == [0.9, 0.2]


def test_a_label_without_information_is_no_answer(tmp_path):
    (tmp_path / "ic.tsv").write_text("label\tic\ncat\t1\ndog\t0\npet\t0\n")
    edges = [("cat", "pet"), ("dog", "pet")]
    pred, gold = labels(("i", "dog", 0.5), edges=edges), labels(("i", "cat"), edges=edges)
    curve = WeightedFmax(ic=str(tmp_path / "ic.tsv")).curve(pred=pred, gold=gold)
    assert [curve.counts[name].tolist() for name in ("answered", "answered_targets")] == [[0.0], [0.0]]


@pytest.mark.parametrize("name", ["flat", "exact_match", "hierarchical", "lca", "wu_palmer", "weighted_fmax", "smin"])
def test_labels_that_the_threshold_does_not_let_count_are_not_invented(name, tmp_path):
    gold = labels(("a", "cat"), ("b", "dog"), ("c", "lion"))
    pred = labels(("a", "cat", 0.9), ("a", "lion", 0.1), ("b", "lion", 0.8), ("c", "cat", 0.2))
    report = goldassay.evaluate(pred, gold=gold, measures=name)
    score = report[name]
    matching = score.matching
    rows = matching.to_frame().filter(side="pred")
    uncounted = rows.filter(verdict="uncounted")["item"].to_list()
    assert len(rows) - len(uncounted) == matching.sizes[0]
    assert set(uncounted).isdisjoint(one.item for one in matching.invented())
    assert len(matching.invented()) == len(matching.failed("pred"))
    assert not any(f"- invented {item}" in report.format("github") for item in uncounted)
    report.with_evidence().save(tmp_path / "report.json")
    loaded = goldassay.load(tmp_path / "report.json")[name].matching
    assert [one.item for one in loaded.invented()] == [one.item for one in matching.invented()]
    if name in ("flat", "hierarchical", "lca", "wu_palmer"):
        assert uncounted == ["a: lion", "c: cat"]
