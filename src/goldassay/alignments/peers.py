"""The presets of alignments: whose numbers can be had, and how they are computed."""

from __future__ import annotations

from goldassay.core.preset import Example, Preset

RANKED = tuple(f"hit_at_k(k={k}, ties={{ties}}{{more}})" for k in (1, 5, 10))


def _ranked(ties: str, more: str = "") -> tuple[str, ...]:
    """List MRR and hits@1, 5 and 10 with one convention."""
    return (f"mrr(ties={ties}{more})", *(spec.format(ties=ties, more=more) for spec in RANKED))


TWO_LISTS = "SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t[('2', 0.5), ('1', 0.5)]\n"
ONTOALIGNER = tuple(f"hit_at_k(k={k}, ties=order, duplicates=count)" for k in (1, 5, 10))
PRESETS = (
    Preset(
        name="melt",
        peer="MELT",
        versions="since 2 August 2023; before, its macro F1 was the f1 of macro_overlap and not mean_f1",
        measures=("overlap(unjudged=keep, relation=exact)", "macro_overlap(unjudged=keep, relation=exact)"),
        differs=(
            "compares relations, too, where a prediction marked ? is wrong; its macro F1 is the mean of the F1 of test cases: "
            "mean_f1"
        ),
        example=Example(
            pred="source\ttarget\trelation\ncat\tchat\t<\n",
            gold="source\ttarget\trelation\ncat\tchat\t=\n",
            clean="overlap",
            peer="overlap(unjudged=keep, relation=exact)",
            value="f1",
            numbers=(1.0, 0.0),
        ),
    ),
    Preset(
        name="melt-residual",
        peer="MELT's ResidualRefiner with its BaselineStringMatcher",
        versions="since its first version of 2020; for labels without a language",
        measures=("residual(unjudged=keep, relation=exact, names=words, trivial=correct)",),
        needs="--source-ontology FILE --target-ontology FILE",
        differs=(
            "names are bags of words; what the baseline has wrong stays in the system, so that precision counts it; the baseline "
            "keeps one source of each name, and of a label with a language only the tag"
        ),
        example=Example(
            pred="source\ttarget\nx#Cat\ty#cat\nx#Dog\ty#Hund\n",
            gold="source\ttarget\nx#Dog\ty#Hund\nx#Cow\ty#Kuh\n",
            clean="residual",
            peer="residual(unjudged=keep, relation=exact, names=words, trivial=correct)",
            value="precision",
            numbers=(1.0, 0.5),
        ),
    ),
    Preset(
        name="alignment-api",
        peer="the Alignment API's ExtPREvaluator",
        versions="revision 1825 of 2013, with confidences and without relations",
        measures=tuple(
            f"relaxed({kind}assignment=greedy, confidence=true, undefined=1.0)"
            for kind in ("", "kind=effort, ", "kind=precision, ", "kind=recall, ")
        ),
        needs="--source-ontology FILE --target-ontology FILE",
        differs=(
            "takes the nearest prediction for each correspondence of gold, so that one may earn several times and precision may "
            "pass 1; none where the source of gold is not predicted, none for properties; near misses are multiplied by 1 - "
            "the difference of confidences; 0/0 is 1"
        ),
        example=Example(
            pred="source\ttarget\nA\t1\n",
            gold="source\ttarget\nA\t1\nA\t2\n",
            files={"target_ontology": "child\tparent\n2\t1\n"},
            clean="relaxed",
            peer="relaxed(assignment=greedy, confidence=true, undefined=1.0)",
            value="precision",
            numbers=(1.0, 1.5),
        ),
    ),
    Preset(
        name="deeponto",
        peer="DeepOnto's local ranking",
        versions="0.9, commit 9bc7cfa",
        measures=_ranked("order"),
        differs="candidates of equal scores stay in the order of the file",
        example=Example(
            pred=TWO_LISTS,
            gold=TWO_LISTS,
            clean="mrr",
            peer="mrr(ties=order)",
            value="mrr",
            numbers=(0.75, 0.5),
        ),
    ),
    Preset(
        name="ontoaligner-1.9.4",
        peer="OntoAligner",
        versions="from 1.9.4 on",
        measures=("overlap", *ONTOALIGNER, "mrr(ties=order, duplicates=count)"),
        reading={"scores": "any"},
        differs="in rankings equal scores stay in the order of the list, and a reference stated twice counts twice",
        example=Example(
            pred="source\ttarget\tscore\nA\t2\t0.5\nA\t1\t0.5\n",
            gold="source\ttarget\nA\t1\n",
            clean="mrr",
            peer="mrr(ties=order, duplicates=count)",
            value="mrr",
            numbers=(0.75, 0.5),
        ),
    ),
    Preset(
        name="ontoaligner-1.7",
        peer="OntoAligner",
        versions="1.7.0 to 1.9.3; before, duplicates among predictions were hits, too (compat.ontoaligner has that)",
        measures=("overlap(duplicates=count)", *ONTOALIGNER, "mrr(ties=order, duplicates=count)"),
        reading={"scores": "any"},
        differs="divides unique pairs by the lengths of the lists, duplicates included",
        example=Example(
            pred="source\ttarget\tscore\nA\t1\t0.9\nA\t1\t0.8\n",
            gold="source\ttarget\nA\t1\n",
            clean="overlap",
            peer="overlap(duplicates=count)",
            value="precision",
            numbers=(1.0, 0.5),
        ),
    ),
    Preset(
        name="bio-ml-2026",
        peer="the scoring kit of Bio-ML 2026, global matching",
        versions="commit f47beee",
        measures=("overlap(unjudged=count)", "overlap"),
        differs="counts cells marked ? as references; overlap without them is its coherence-aware score",
        example=Example(
            pred="source\ttarget\trelation\nA\t1\t=\n",
            gold="source\ttarget\trelation\nA\t1\t?\nB\t2\t=\n",
            clean="overlap",
            peer="overlap(unjudged=count)",
            value="recall",
            numbers=(0.0, 0.5),
        ),
    ),
    Preset(
        name="bio-ml-2026-local",
        peer="the scoring kit of Bio-ML 2026, local ranking",
        versions="commit f47beee",
        measures=_ranked("name"),
        needs="--block N, if the submission has N scored rows a query",
        differs="rounds scores to 12 places, and puts equal ones in the order of their names",
        example=Example(
            pred=TWO_LISTS,
            gold=TWO_LISTS,
            clean="mrr",
            peer="mrr(ties=name)",
            value="mrr",
            numbers=(0.75, 1.0),
        ),
    ),
    Preset(
        name="bio-ml-2026-typed",
        peer="the scoring kit of Bio-ML 2026, typed ranking; mrr and hits without relations are its entity-only ones",
        versions="commit f47beee; it gives candidates that a block lacks the score 0",
        measures=(
            *_ranked("name", ", typed=true"),
            "median_rank(ties=name, typed=true)",
            "near_ndcg(ties=name)",
            *_ranked("name"),
            "relation_choice(ties=name)",
        ),
        needs="--block N --target-ontology FILE",
        differs="rounds scores to 12 places, and puts equal ones in the order of relations and names",
        example=Example(
            pred="source\ttarget\trelation\tscore\nA\t1\t=\t0.5\nA\t1\t<\t0.5\n",
            gold="source\ttarget\trelation\nA\t1\t<\n",
            clean="mrr(typed=true)",
            peer="mrr(ties=name, typed=true)",
            value="mrr",
            numbers=(0.75, 0.5),
        ),
    ),
)
