"""Examples of report/render.py."""

import goldassay
from goldassay.report import render
from goldassay.report.render import escape, fence


def test_the_example_of_to_latex():
    gold = goldassay.Graph.from_edges([("cat", "animal")])
    assert (
        str(goldassay.evaluate(gold, gold=gold, measures="literal").format("latex", places=2))
        == "% needs \\usepackage{booktabs}\n% literal|edges:given|text:given|gold:1|pred:1|goldassay:0.2.0\n% wider than one of two columns of a page: use table*, or \\small\n\\begin{tabular}{llrrr}\n\\toprule\nPrediction & Measure & Precision & Recall & F1 \\\\\n\\midrule\nprediction & literal & 1.00 & 1.00 & 1.00 \\\\\n\\bottomrule\n\\end{tabular}"
    )


def test_the_example_of_escape():
    assert escape("50% of a_b") == "50\\% of a\\_b"


def test_the_example_of_fence():
    assert fence(["a", "```"]) == ["````text", "a", "```", "````"]


def test_lines_are_broken_at_200_columns_where_no_terminal_bounds_them(monkeypatch):
    gold = goldassay.Graph.from_edges([("cat", "animal")])
    monkeypatch.setattr(render, "legend", lambda report: ["a " * 300])
    text = goldassay.evaluate(gold, gold=gold, measures="literal").format("text")
    assert max(len(line) for line in text.splitlines() if line.strip("a ") == "") == 199
