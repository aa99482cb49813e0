"""The rows of evidence add up to the counts of the score: for every measure and every variant of it, as in a spreadsheet."""

import math
from collections import defaultdict
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import given

import goldassay
from goldassay.alignments.measures.overlap import OVER_CASES
from goldassay.alignments.relations import RELATIONS
from goldassay.concepts.match import OVER_DOCUMENTS as OVER_LISTS
from goldassay.core.context import Context
from goldassay.labels.match import OVER_INSTANCES
from goldassay.labels.measures.flat import OVER_LABELS
from goldassay.triples.measures.measure import OVER_DOCUMENTS

ENCODER = goldassay.get_encoder("hashing")
pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
SIDES = ("pred", "gold")
AVERAGES = {
    "triples": (itemgetter("document"), OVER_DOCUMENTS),
    "concepts": (itemgetter("document"), OVER_LISTS),
    "labels": (itemgetter("id"), OVER_INSTANCES),
    "flat": (itemgetter("label"), OVER_LABELS),
    "macro_overlap": (lambda row: "", OVER_CASES),
}
"""What means are taken over: what says it of a row, and how they are taken."""
OF_NO_ROW = {
    "slack": "how far a matching may be from the best one",
    "documents_empty": "a document without items on both sides has no row",
}
"""Counts that no row adds to, and why."""
STRUCTURE = ("vertices", "edges", "components", "roots", "leaves", "depth", "self_loops", "isolated", "nodes")
"""What `fowlkes_mallows` also counts are whole taxonomies, and its rows are levels."""
SPREAD = {"near_ndcg", "lca"}
"""What a row of these adds is of its list, or of the ways between labels, and its verdict is of the item by itself."""


def evaluated(measure, pred, gold):
    return measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))


def rows_of(score):
    return score.matching.to_frame().to_dicts()


def counted(rows, side):
    return [row for row in rows if row["side"] == side and row["verdict"] != "uncounted"]


def added(rows, column="credit"):
    return sum(row[column] for row in rows)


def grouped(rows, key):
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def over(above, below):
    return above / below if below else 0.0


def once(pred, gold):
    """Give one row for each pair of items that answer each other, and for each item without an answer."""
    return [*pred, *(row for row in gold if row["counterpart"] is None)]


def sums_of_groups(pred, gold, key):
    """Add up what is right and what is counted of groups of rows."""
    sides = [grouped(rows, key) for rows in (pred, gold)]
    names = sorted({*sides[0], *sides[1]})
    return {
        f"{what}_{side}": np.array([added(groups.get(name, []), column) for name in names])
        for side, groups in zip(SIDES, sides, strict=True)
        for what, column in (("hit", "credit"), ("n", "weight"))
    }


def of_units(measure, score, pred, gold):
    """Divide within documents, instances, test cases or labels, and add up the values."""
    if not {"sum_precision", "documents_precision"} & {*score.counts}:
        return {}
    key, average = AVERAGES[measure.name if measure.name in AVERAGES else measure.family]
    sums = sums_of_groups(pred, gold, key)
    if measure.family in ("triples", "concepts"):
        # A document without items has no row.
        without = len(score.matching.pairs) - len(sums["n_pred"])
        sums = {name: np.append(column, np.zeros(without)) for name, column in sums.items()}
    if getattr(measure, "recall", None) == "source":
        sums["hit_gold"] = sums["hit_pred"]
    columns = average.sum_columns(sums, undefined=measure.undefined, beta=getattr(measure, "beta", 1.0))
    return {name: column.sum() for name, column in columns.items() if name not in sums}


def of_ranks(measure, score, pred, gold):
    total = dict.fromkeys(("queries", "references"), added(gold, "weight"))
    ranks = grouped(gold, lambda row: over(row["credit"], row["weight"]))
    return {"gain": added(gold), **total, **{f"rank_{rank!r}": added(rows, "weight") for rank, rows in ranks.items()}}


def of_taxonomic(measure, score, pred, gold):
    sides = {"pred": pred, "gold": gold}
    overlaps = {f"overlap_{side}": added(rows) for side, rows in sides.items()}
    judged = {f"judged_{side}": added(rows, "weight") for side, rows in sides.items()}
    sizes = {f"n_{side}": len(rows) for side, rows in sides.items()}
    return {**overlaps, **judged, **sizes, "common": sum(row["counterpart"] is not None for row in gold)}


def of_ancestors(measure, score, pred, gold):
    above = {row["item"]: row["ancestors"] for row in pred}
    f1 = sum(2 * row["matched"] / (row["ancestors"] + above.get(row["item"], 0)) for row in gold)
    either = len({row["item"] for row in (*pred, *gold)})
    return {"overlap_pred": added(pred), "overlap_gold": added(gold), "sum_f1": f1, "either": either}


def of_terms(measure, score, pred, gold):
    found = {"hit": added(gold)}
    assert added(pred) == pytest.approx(added(gold))
    for name in ("near", "line"):
        known = [row[name] for row in (*pred, *gold) if not math.isnan(row[name])]
        found |= {name: sum(known), f"{name}_terms": len(known)}
    return found


def of_motifs(measure, score, pred, gold):
    return {f"{row['side']}_{row['item'].split()[0]}": row["count"] for row in (*pred, *gold)}


def of_levels(measure, score, pred, gold):
    return {"weighted": added(gold), "weights": added(gold, "weight")}


def of_vocabulary(measure, score, pred, gold):
    names = {"class": "classes", "relation": "relations", "datatype": "datatypes"}
    found = {f"{what}_{name}": 0 for what in ("covered", "gold", "extra") for name in names.values()}
    for row in (*pred, *gold):
        name = names[row["item"].split()[0]]
        if row["side"] == "gold":
            found[f"covered_{name}"] += row["credit"]
            found[f"gold_{name}"] += row["weight"]
        else:
            found[f"extra_{name}"] += row["weight"] - row["credit"]
    return found


def of_relations(measure, score, pred, gold):
    found = {"right": added(gold), "references": added(gold, "weight")}
    for kind, name in enumerate(RELATIONS):
        right, there = ([row for row in rows if row["relation"] == name] for rows in (gold, pred))
        found |= {f"right_{kind}": added(right), f"wanted_{kind}": added(right, "weight")}
        found[f"chosen_{kind}"] = added(there, "weight")
    return found


def of_sources(measure, score, pred, gold):
    return {"rejected": added(gold), "nulls": added(gold, "weight")}


def of_facts(measure, score, pred, gold):
    return {"supported": added(gold), "facts": added(gold, "weight")}


def of_checks(measure, score, pred, gold):
    def without(word):
        return sum(word not in (row["error"] or "") for row in pred)

    names = "conforming", "both"
    found = {**dict.fromkeys(names, added(pred)), "triples_with_text": added(pred, "weight")}
    return {
        **found,
        "known_relations": without("relation"),
        "subjects": without("subject"),
        "objects": without("object"),
    }


def of_graphs(measure, score, pred, gold):
    rows = once(pred, gold)
    right = added(rows)
    return {"documents": len(rows), "sum": right if measure.higher_is_better else len(rows) - right}


def of_scripts(measure, score, pred, gold):
    names = ("precision", "recall", "f1", "correct", "incorrect", "partial", "missed", "spurious")
    rows = [row for row in (*pred, *gold) if not math.isnan(row["f1"])]
    found = {name: sum(row[name] for row in rows) for name in names}
    return {**found, **{f"sum_{name}": one for name, one in found.items()}, "pairs": len(rows)}


def of_triples_by_name(measure, score, pred, gold):
    def name(row):
        return row["item"].split(": ", 1)[1]

    sums = sums_of_groups(pred, gold, name)
    hits, here, there = sums["hit_pred"], sums["n_pred"], sums["n_gold"]
    shares = {
        "precision": hits / np.maximum(here, 1),
        "recall": hits / np.maximum(there, 1),
        "f1": 2 * hits / (here + there),
    }
    return {**{f"sum_{one}": column.sum() for one, column in shares.items()}, "distinct": len(hits)}


def of_whole_documents(measure, score, pred, gold):
    rows = {row["document"]: row for row in rows_of(score)}.values()
    names = score.matching.sums
    found = {name: sum(row[name] for row in rows) for name in names}
    return {**found, **{f"sum_{name}": one for name, one in found.items()}}


def of_stages(measure, score, pred, gold):
    stages = "found", "resolved", "linked", "related", "directed"
    lost = {f"lost_{name}": sum(row["weight"] for row in gold if row["lost"] == name) for name in stages}
    put = {f"replaced_{name}": sum(name in (row["replaced"] or "").split(", ") for row in pred) for name in stages}
    return {**lost, **put}


def of_nodes(measure, score, pred, gold):
    assert added(pred) == pytest.approx(added(gold))
    found = {"hit": added(gold), "n_pred_weight": added(pred, "weight"), "n_gold_weight": added(gold, "weight")}
    answered = {name for name, rows in grouped(pred, itemgetter("id")).items() if added(rows, "weight") > 0}
    every = [row for row in rows_of(score) if row["side"] == "gold"] if measure.uninformative == "miss" else gold
    targets = {
        name
        for name, rows in grouped(every, itemgetter("id")).items()
        if measure.uninformative == "miss" or added(rows, "weight") > 0
    }
    sizes = {"answered": len(answered), "targets": len(targets), "answered_targets": len(answered & targets)}
    return {**found, **sizes, **of_units(measure, score, pred, gold)}


def of_instances(measure, score, pred, gold):
    groups = grouped([*pred, *gold], lambda row: row["id"])
    right = sum(all(row["verdict"] == "hit" for row in rows) for rows in groups.values())
    return {"right": right, "instances": len(groups)}


RULES = {
    "taxonomic": of_taxonomic,
    "ancestor_f1": of_ancestors,
    "edges": of_terms,
    "motif": of_motifs,
    "fowlkes_mallows": of_levels,
    "coverage": of_vocabulary,
    "relation_choice": of_relations,
    "rejection_rate": of_sources,
    "facts": of_facts,
    "conformance": of_checks,
    "grounding": of_checks,
    "graph_match": of_graphs,
    "ged": of_graphs,
    "webnlg": of_scripts,
    "edc": of_scripts,
    "full_triples": of_triples_by_name,
    "text2kgbench": of_whole_documents,
    "pive": of_whole_documents,
    "stages": of_stages,
    "weighted_fmax": of_nodes,
    "smin": of_nodes,
    "exact_match": of_instances,
}
"""How the counts follow from rows, besides hits and sizes of both sides, and means over documents, instances, cases or labels."""


def recomputed(measure, score, pred, gold):
    """Give the counts that a reader of the rows finds."""
    found = {f"hit_{side}": added(rows) for side, rows in zip(SIDES, (pred, gold), strict=True)}
    found |= {f"n_{side}": added(rows, "weight") for side, rows in zip(SIDES, (pred, gold), strict=True)}
    rule = RULES.get(
        measure.name, of_ranks if {"gain", "queries"} & set(score.counts) or "rank" in measure.name else of_units
    )
    return {**found, **rule(measure, score, pred, gold)}


@pytest.fixture(scope="module")
def pairs(laboratories):
    """Draw raw models of both sides, once for all measures of a family: to draw takes longer than to look."""
    return {name: drawn_of(lab.records) for name, lab in laboratories.items()}


def drawn_of(records):
    found = []

    @given(records, records)
    def draw(pred, gold):
        found.append((pred, gold))

    draw()
    return found


def test_the_rows_add_up_to_the_score_and_none_fails_where_it_is_perfect(each, laboratories, pairs):
    lab, drawn = laboratories[each[0].family], pairs[each[0].family]
    for row in range(max(len(each), len(drawn))):
        measure, (pred, gold) = each[row % len(each)], map(lab.build, drawn[row % len(drawn)])
        the_rows_add_up(measure, evaluated(measure, pred, gold))
        score = evaluated(measure, gold, gold)
        rows = the_rows_add_up(measure, score)
        if dict(score.values) == dict(measure.perfect):
            assert [one for side in SIDES for one in counted(rows, side) if one["verdict"] != "hit"] == []
            assert [len(score.matching.failed(side)) for side in SIDES] == [0, 0]


def the_rows_add_up(measure, score):
    rows = rows_of(score)
    pred, gold = (counted(rows, side) for side in SIDES)
    assert score.matching.sizes == (len(pred), len(gold))
    found = recomputed(measure, score, pred, gold)
    unknown = {name for name in score.counts if name not in found and not is_of_no_row(measure, name)}
    assert unknown == set(), measure
    for name, count in score.counts.items():
        same = name not in found or math.isclose(found[name], count, rel_tol=1e-6, abs_tol=1e-9)
        assert same or (math.isnan(found[name]) and math.isnan(count)), (measure, name, found[name], count)
    for row in rows:
        the_verdict_says_what_is_added(measure, row)
    return rows


def is_of_no_row(measure, name):
    return name in OF_NO_ROW or (measure.name == "fowlkes_mallows" and name.endswith(STRUCTURE))


def the_verdict_says_what_is_added(measure, row):
    credit, weight = row["credit"], row["weight"]
    if row["verdict"] == "uncounted":
        assert (credit, weight) == (0, 0)
    elif row["verdict"] in ("missed", "invented") and measure.name not in SPREAD:
        assert credit == 0


def test_a_root_that_does_not_count_is_no_error_and_labels_as_given_match_only_themselves():
    edges = [("cat", "pet"), ("dog", "pet")]
    gold = goldassay.labels.Labels.from_rows([("i", "pet"), ("j", "cat"), ("k", "cat")], edges=edges)
    pred = goldassay.labels.Labels.from_rows([("i", "pet"), ("j", "pet"), ("k", "dog")], edges=edges)
    verdicts = {
        spec: [row["verdict"] for side in SIDES for row in evaluated(goldassay.parse(spec), pred, gold).matching.to_frame().filter(side=side).to_dicts()]
        for spec in ("hierarchical", "hierarchical(root=include)", "hierarchical(root=include,ancestors=given)")
    }  # fmt: skip
    assert list(verdicts.values()) == [
        ["uncounted", "uncounted", "invented", "uncounted", "missed", "missed"],
        ["hit", "hit", "partial", "hit", "partial", "partial"],
        ["hit", "invented", "invented", "hit", "missed", "missed"],
    ]


def test_an_instance_of_which_gold_counts_nothing_is_not_missed():
    gold = goldassay.labels.Labels.from_rows([("i", "pet"), ("j", "cat")], edges=[("cat", "pet")])
    pred = goldassay.labels.Labels.from_rows([("j", "cat")], edges=[("cat", "pet")])
    notes = [
        evaluated(goldassay.parse(spec), pred, gold).note for spec in ("hierarchical", "hierarchical(root=include)")
    ]
    assert notes == [None, "1 of the 2 instances of gold has no prediction that counts, and is missed"]
    listed = goldassay.read([{"id": "i", "label": []}, {"id": "j", "label": ["cat"]}], kind="labels")
    found = evaluated(goldassay.parse("exact_match"), listed, listed)
    assert (found.accuracy, found.note) == (1.0, None)
