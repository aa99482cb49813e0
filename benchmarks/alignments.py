"""Scoring alignments next to plain scripts over dictionaries, on the same random correspondences, in one run.

    python benchmarks/alignments.py read [--cells 100000]        an OAEI RDF file: ElementTree, goldassay, and goldassay
                                                                  where cells are not written alike, in seconds of processor
    python benchmarks/alignments.py score [--predictions 1050000 --references 100000]
                                                                  each measure: dictionaries, goldassay's functions, goldassay
    python benchmarks/alignments.py few                           the functions on lists of ten: microseconds of processor a call
    python benchmarks/alignments.py scale [--predictions 10000000 --references 1000000]
                                                                  from Parquet to P/R/F, Hit@1/5/10, MRR and the sweep

Every figure is the median of its runs; every contender runs in a process of its own, and reports its peak memory. If
OntoAligner is installed, its own functions take part.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

RUNS = 3
FEW_CALLS = 2000
ALIGN = "{http://knowledgeweb.semanticweb.org/heterogeneity/alignment}"
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"


def write_random(folder, predictions, references):
    """Write random predictions, about ten a source, and references of which four fifths are among them."""
    import polars as pl

    rng = np.random.default_rng(0)
    sources = rng.integers(0, max(1, predictions // 10), predictions)
    targets = rng.integers(0, max(1, predictions // 10), predictions)
    known = rng.choice(predictions, int(references * 0.8), replace=False)
    fresh = references - len(known)

    def frame(source, target, score):
        return pl.DataFrame({"source": source, "target": target, "score": score}).with_columns(
            source=pl.lit("http://purl.obolibrary.org/obo/MA_") + pl.col("source").cast(pl.String),
            target=pl.lit("http://purl.obolibrary.org/obo/NCI_") + pl.col("target").cast(pl.String),
        )

    frame(sources, targets, np.round(rng.random(predictions), 4)).write_parquet(folder / "pred.parquet")
    gold = (np.append(sources[known], np.arange(fresh)), np.append(targets[known], np.arange(fresh)))
    frame(*gold, np.ones(references)).write_parquet(folder / "gold.parquet")


def write_oaei(path, cells):
    from goldassay.alignments import Alignment, write_alignment

    rng = np.random.default_rng(0)
    rows = [
        (f"http://mouse.owl#MA_{n}", f"http://human.owl#NCI_C{n * 7}", "=", round(s, 4))
        for n, s in enumerate(rng.random(cells))
    ]
    write_alignment(Alignment.from_rows(rows), path)
    # With a comment the cells are not all written alike, and an XML parser reads them.
    path.with_name("parsed.rdf").write_text(path.read_text().replace("<Alignment>", "<Alignment><!-- -->"))


def element_tree(path):
    cells = []
    for cell in ET.parse(path).getroot().iter(f"{ALIGN}Cell"):  # noqa: S314 - the file is our own
        source, target = (cell.find(f"{ALIGN}entity{side}").get(f"{RDF}resource") for side in (1, 2))
        cells.append((source, target, cell.findtext(f"{ALIGN}relation"), float(cell.findtext(f"{ALIGN}measure"))))
    return len(cells)


def goldassay_read(path):
    from goldassay.alignments import read_alignment

    return len(read_alignment(path))


def records(path):
    import polars as pl

    return pl.read_parquet(path).to_dicts()


def plain_report(predicts, references):
    """Follow the page of OntoAligner: sets of pairs, made anew for every number."""

    def matched():
        return len({(p["source"], p["target"]) for p in predicts} & {(r["source"], r["target"]) for r in references})

    def precision():
        return matched() / len(predicts)

    def recall():
        return matched() / len(references)

    def f1():
        above, below = precision() * recall(), precision() + recall()
        return 2 * above / below if below else 0

    return [matched(), precision(), recall(), f1()]


def plain_ranks(predicts, references):
    lists = {}
    for p in predicts:
        candidates = lists.setdefault(p["source"], {})
        candidates[p["target"]] = max(p["score"], candidates.get(p["target"], 0.0))
    for r in references:
        order = sorted(lists.get(r["source"], {}).items(), key=lambda item: item[1], reverse=True)
        targets = [target for target, _ in order]
        yield targets.index(r["target"]) + 1 if r["target"] in targets else float("inf")


def plain_hit(predicts, references):
    return sum(rank <= 10 for rank in plain_ranks(predicts, references)) / len(references)


def plain_mrr(predicts, references):
    return sum(1 / rank for rank in plain_ranks(predicts, references)) / len(references)


def by_functions(home):
    module = __import__(home, fromlist=["mrr"])
    return {
        "report": module.evaluation_report,
        "hit@10": lambda predicts, references: module.hit_at_k(predicts, references, 10),
        "mrr": module.mrr,
    }


def by_columns():
    from goldassay.alignments import HitAtK, Mrr, Overlap

    return {
        "report": lambda pred, gold: Overlap().score(pred=pred, gold=gold).values["f1"],
        "hit@10": lambda pred, gold: HitAtK(k=10, ties="order").score(pred=pred, gold=gold).values["hit"],
        "mrr": lambda pred, gold: Mrr(ties="order").score(pred=pred, gold=gold).values["mrr"],
    }


def score(contender, folder):
    """Time each measure on inputs that are in memory already."""
    if contender == "goldassay's columns":
        from goldassay.alignments import read_alignment

        pred, gold = (read_alignment(folder / f"{side}.parquet") for side in ("pred", "gold"))
        measures = by_columns()
    else:
        pred, gold = (records(folder / f"{side}.parquet") for side in ("pred", "gold"))
        measures = functions_of(contender)
    before = peak()
    found = {}
    for name, measure in measures.items():
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            measure(pred, gold)
            times.append(time.perf_counter() - start)
        found[name] = statistics.median(times)
    return {**found, "input_mb": before, "peak_mb": peak()}


def few(contender):
    """Time the functions on lists of ten dictionaries, in microseconds of processor a call."""
    rng = np.random.default_rng(0)
    pred = [{"source": f"a{n % 5}", "target": f"b{rng.integers(10)}", "score": float(rng.random())} for n in range(10)]
    gold = [{"source": one["source"], "target": one["target"]} for one in pred[:8]]
    gold += [{"source": f"c{n}", "target": "d"} for n in range(2)]
    found = {}
    for name, measure in functions_of(contender).items():
        timer = timeit.Timer(lambda measure=measure: measure(pred, gold), timer=time.process_time)
        found[name] = statistics.median(timer.repeat(9, FEW_CALLS)) / FEW_CALLS * 1e6
    return found


def functions_of(contender):
    if contender == "dictionaries":
        return {"report": plain_report, "hit@10": plain_hit, "mrr": plain_mrr}
    return by_functions({"OntoAligner": "ontoaligner.utils.metrics"}.get(contender, "goldassay.compat.ontoaligner"))


def scale(folder):
    """Go from Parquet files to every number, step by step."""
    start = time.perf_counter()
    from goldassay.alignments import HitAtK, Mrr, Overlap, read_alignment
    from goldassay.core.context import Context

    steps = {}

    def step(name):
        steps[name] = round(time.perf_counter() - start - sum(steps.values()), 2)

    gold = read_alignment(folder / "gold.parquet")
    pred = read_alignment(folder / "pred.parquet")
    step("read")
    context = Context()
    overlap = Overlap().evaluate(pred=pred, gold=gold, context=context)
    step("P/R/F")
    for measure in (*(HitAtK(k=k) for k in (1, 5, 10)), Mrr()):
        measure.evaluate(pred=pred, gold=gold, context=context)
        step(str(measure))
    curve = Overlap().curve_of(overlap.matching)
    step("sweep")
    return {**steps, "all": sum(steps.values()), "cpu": time.process_time(), "peak_mb": peak(), "best": curve.best.f1}


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 2**10


def one(task, contender, folder):
    match task:
        case "read":
            read = element_tree if contender == "ElementTree" else goldassay_read
            path = folder / ("parsed.rdf" if contender == "goldassay's parser" else "a.rdf")
            # The first time, and later ones as in a run over many files: imports are paid once.
            timer = timeit.Timer(lambda: read(path), timer=time.process_time)
            first, second = timer.repeat(2, 1)
            then = statistics.median(timer.repeat(max(9, min(500, int(0.5 / second))), 1))
            found = {"first": first, "then": then, "peak_mb": peak()}
        case "score":
            found = score(contender, folder)
        case "few":
            found = few(contender)
        case "scale":
            found = scale(folder)
    print(json.dumps(found))


FUNCTIONS = [
    "dictionaries",
    *(["OntoAligner"] if importlib.util.find_spec("ontoaligner") else []),
    "goldassay's functions",
]
CONTENDERS = {
    "read": ["ElementTree", "goldassay", "goldassay's parser"],
    "score": [*FUNCTIONS, "goldassay's columns"],
    "few": FUNCTIONS,
    "scale": ["goldassay"],
}


def side_by_side(task, arguments):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if task == "read":
            write_oaei(folder / "a.rdf", arguments.cells)
        elif task != "few":
            few, many = (1_050_000, 100_000) if task == "score" else (10_000_000, 1_000_000)
            write_random(folder, arguments.predictions or few, arguments.references or many)
        for contender in CONTENDERS[task]:
            command = [sys.executable, __file__, task, "--one", contender, name]
            runs = [json.loads(subprocess.check_output(command)) for _ in range(1 if task == "score" else RUNS)]
            median = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
            print(f"{contender:<18}", "  ".join(f"{key} {value:,.4g}" for key, value in median.items()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=list(CONTENDERS))
    parser.add_argument("--cells", type=int, default=100_000)
    parser.add_argument("--predictions", type=int)
    parser.add_argument("--references", type=int)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        one(chosen.task, chosen.one[0], Path(chosen.one[1]))
    else:
        side_by_side(chosen.task, chosen)
