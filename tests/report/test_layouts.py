"""Every layout of reports of every kind is read by what will read it: no name breaks a row, ends a cell or becomes a command."""

import re
from dataclasses import replace

import pytest
from tests.report import checkers
from tests.report.checkers import plain, typeset
from tests.report.pages import ODD, REPORTS, report_of

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.report.cells import LONG
from goldassay.report.report import LAYOUTS
from goldassay.report.results import Benchmark, Failure, Published

pytestmark = [
    pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning"),
    pytest.mark.xdist_group("layouts"),  # the reports take longer to make than to look at
]
NAMES = [
    "a_b 50% &amp; #1 ${y}$ {z} ~~q~~ ^2 ^^M \\t <b>x</b> | *s* `c` ![i](u)",
    "[x](javascript:alert(1))",
    "](javascript:alert(1))",
    "*bold*",
    "_it_ __strong__",
    "<script>alert(1)</script>",
    "two\u2028lines\nand\ttabs \x1b[31m",
    "ends with \\",
    "a\\|b",
    "a\\\\|b",
    "```",
    "`",
    "# head",
    "1. one",
    "--- -- ''quoted'' ``so''",
    "[2pt]",
    "%",
    "=1+1",
    "&lt;",
    "n" * 2000,
]
EDGES = 12
"""As many as have values of all kinds: each page lists them for each name."""


def graph(found):
    """Make a graph of which some edges are in the gold standard."""
    return goldassay.Graph.from_edges([(f"child {n}", f"parent {n % 3}" if n < found else "x") for n in range(EDGES)])


GOLD = graph(EDGES)


def axioms(*properties):
    return Axioms.from_rows([("A", one, f"C{place}") for place, one in enumerate(properties)])


def of(preds, gold=GOLD, **options):
    return goldassay.evaluate(preds, gold=gold, **{"measures": ["literal", "motif"], **options})


EACH = {name: graph(place % EDGES) for place, name in enumerate(NAMES, 4)}
QUICK = goldassay.Resampling(resamples=200)
CHANCE = goldassay.Chance(draws=3)
UNREAD = Failure("%_& unread", "%_& unread: not <i>a</i> _table_ | at all")
VALUES = {"literal": {"f1": 0.5, "recall": 0.4}}
SYSTEMS = tuple(Published(system=name, source="<b>a</b> & _b_ 5%", values=VALUES) for name in NAMES)
TASK = Benchmark(
    name="a_b:c", title="100% & <b>", page="https://example.org/?a=1&b_=2#c", licence="x", published=SYSTEMS
)
SEVERAL = {
    "each": lambda: of(EACH),
    "each-tested": lambda: replace(of(EACH, measures="literal", intervals=QUICK, chance=CHANCE), failures=(UNREAD,)),
    "runs": lambda: of({name: [one, graph(7)] for name, one in EACH.items()}, measures="literal"),
    "run": lambda: of({name: [one] for name, one in EACH.items()}, measures="literal"),
    "golds": lambda: of(EACH, gold=[GOLD, graph(9)], measures="literal", combine="mean"),
    "task": lambda: replace(of(EACH, measures="literal"), task=TASK, failures=(UNREAD,)),
}
"""Where a name is, with the tables of all names: of two measures once, as their tables are long."""
TWO = dict(list(EACH.items())[:2])
OTHERS = {
    "two-tested": lambda: of(TWO, intervals=QUICK, chance=CHANCE),
    "two-runs": lambda: of({name: [one, graph(7)] for name, one in TWO.items()}),
    "single": lambda: of({NAMES[0]: graph(8)}),
    "groups": lambda: of({NAMES[0]: graph(8)}, measures="literal", by="depth", intervals=QUICK),
    "ranks": lambda: of(
        {name: Alignment.from_rows([("a", f"{n}", "=", n / 10) for n in range(place + 1)]) for place, name in enumerate("pq")},
        gold=Alignment.from_rows([("a", "3")]), kind="alignment", measures=["mrr", "mean_rank"],
    ),
    "undefined": lambda: of({"none": graph(0), "all": GOLD}, measures="literal(undefined=nan)", by="depth"),
    **{kind: lambda kind=kind: report_of(kind) for kind in REPORTS if kind != "large"},
}  # fmt: skip
KINDS = {**SEVERAL, **OTHERS}
CHECKS = {
    "text": checkers.check_text,
    "markdown": checkers.check_markdown,
    "latex": checkers.check_latex,
    "github": lambda text: checkers.check_markdown(text, html={"heading_open"}),
    "html": checkers.check_html,
    "csv": checkers.check_csv,
    "json": checkers.check_json,
}


@pytest.fixture(scope="module")
def made():
    return {kind: make() for kind, make in KINDS.items()}


def test_every_layout_has_a_checker():
    assert CHECKS.keys() == LAYOUTS.keys()


@pytest.mark.parametrize("layout", CHECKS)
@pytest.mark.parametrize("kind", KINDS)
def test_layouts_are_read_by_others(made, kind, layout):
    unchanged = {"formulas": True} if layout == "csv" else {}
    found = {plain(name) for name in CHECKS[layout](made[kind].format(layout, **unchanged))}
    if kind in SEVERAL:
        assert {plain(name) for name in NAMES if len(name) <= LONG or layout != "text" or kind == "runs"} <= found


@pytest.mark.parametrize("percent", [False, True])
def test_latex_typesets_every_table(made, percent, tmp_path):
    # A rank has no percentage.
    shares = [one for kind, one in made.items() if not percent or kind != "ranks"]
    typeset(tmp_path, [one.format("latex", percent=percent) for one in shares])


def test_what_has_no_remark_fits_a_column_and_what_has_one_does_not(tmp_path):
    gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal"), ("pet", "animal")])
    runs = {"mine": goldassay.Graph.from_edges([("cat", "animal"), ("dogs", "animal")]), "other": gold}
    tables = []
    for places in (3, 4, 6):
        for intervals in (False, True):
            report = goldassay.evaluate(runs, gold=gold, measures=["literal", "motif"], intervals=intervals)
            text = report.format("latex", places=places)
            tables += re.findall(r"(% wider[^\n]*\n)?(\\begin\{tabular\}.*?\\end\{tabular\})", text, re.DOTALL)
    boxes = [rf"\setbox0\hbox{{{table}}}\typeout{{WIDE \the\wd0}}" for _, table in tables]
    log = typeset(tmp_path, boxes, size="11pt,")
    widths = [float(one) for one in re.findall(r"WIDE ([\d.]+)pt", log)]
    assert len(widths) == len(tables)
    # The estimate is by characters, so that near the bound it may err.
    for (remark, table), width in zip(tables, widths, strict=True):
        assert (width > 219) == bool(remark) or abs(width - 219) < 15, table
    assert min(widths) < 200
    assert max(widths) > 240


def test_tables_fit_the_columns_of_the_acl(tmp_path):
    """A table without a remark in a column, one that asks for it over both, and one that is wider than these in a smaller font."""
    gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal"), ("pet", "animal")])
    runs = {"mine": goldassay.Graph.from_edges([("cat", "animal"), ("dogs", "animal")]), "a longer name": gold}
    drawn, remarks = [], set()
    for places, intervals in ((2, False), (4, False), (4, True)):
        report = goldassay.evaluate(runs, gold=gold, measures=["literal", "motif"], intervals=intervals)
        for remark, table, notes in re.findall(
            r"(% wider[^\n]*\n)?(\\begin\{tabular\}.*?\\end\{tabular\}\n?)((?:\\par[^\n]*\n?)*)",
            report.format("latex", places=places),
            re.DOTALL,
        ):
            star, small = "*" * bool(remark), "\\footnotesize" * ("a page:" in remark and "and" in remark)
            remarks.add(remark)
            drawn.append(rf"\begin{{table{star}}}\centering{small}{table}{notes}\end{{table{star}}}")
    log = typeset(tmp_path, drawn, size="11pt", layout=checkers.ACL)
    assert "Overfull" not in log
    assert len(remarks) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_notebooks_show_right_tables(made, kind):
    found = {plain(name) for name in checkers.check_html(made[kind]._repr_html_())}
    if kind in SEVERAL:
        assert {plain(name) for name in NAMES} <= found


@pytest.mark.parametrize("layout", [layout for layout in CHECKS if layout != "json"])
def test_names_of_groups_are_read_as_names(layout):
    one = goldassay.evaluate(axioms(*NAMES), gold=axioms(*NAMES[::2]), kind="axioms", measures="exact", by="property")
    written = one.format(layout)
    found = {plain(name) for name in CHECKS[layout](written)}
    if layout == "csv":
        assert {plain(group) for group in one.to_frame(wide=True)["group"].drop_nulls()} == {plain(n) for n in NAMES}
    elif layout not in {"html", "github"}:
        assert {plain(name) for name in NAMES} <= found
    assert ODD not in written.replace("&lt;", "<") or layout != "html"


@pytest.mark.parametrize("option", ["--misses", "--hubs"])
def test_listed_items_stay_in_their_block(goldassay_command, tmp_path, option):
    for name, shift in (("gold.csv", 0), ("pred.csv", 1)):
        rows = (f'"{item.replace(chr(34), "")}","parent {place + shift}"' for place, item in enumerate(NAMES[:-1]))
        tmp_path.joinpath(name).write_text("child,parent\n" + "\n".join(rows), encoding="utf-8")
    paths = [tmp_path / "pred.csv", "--gold", tmp_path / "gold.csv"]
    done = goldassay_command("taxonomy", *paths, "-m", "literal", option, 99, "--format", "markdown")
    assert done.code == 0
    checkers.check_markdown(done.out)
    if option == "--misses":
        blocks = [one.content for one in checkers.MarkdownIt().parse(done.out) if one.type == "fence"]
        assert len(blocks) == 1
        assert blocks[0].count("\nmissed  ") == len(NAMES) - 1


def test_curves_escape_names(goldassay_command, tmp_path):
    pred = tmp_path / "_a_|b <i>`c` \x1b[31m\\|.tsv"
    pred.write_text("source\ttarget\trelation\tconfidence\na\tb\t=\t0.5\n")
    (tmp_path / "gold.tsv").write_text("source\ttarget\na\tb\n")
    for layout in ("markdown", "text", "csv", "json"):
        done = goldassay_command("alignment", pred, "--gold", tmp_path / "gold.tsv", "--sweep", "--format", layout)
        assert done.code == 0, done.err
        assert layout in {"csv", "json"} or "\x1b" not in done.out
        if layout == "markdown":
            assert any(plain(str(pred)) == plain(name) for name in checkers.check_markdown(done.out))
