"""Words before and behind a statement are no part of a name, in every form of a line; dashes and brackets of names stay."""

import pytest

import goldassay

FACTS = [
    ("Oslo", "capital of", "Norway"),
    ("Marie Curie", "born in", "Warsaw"),
    ("Mercury (planet)", "near", "Stage - II"),
    ("COVID-19", "has stage", "Phase (early)"),
]
FORMS = {
    "bars": "{0} | {1} | {2}",
    "bold bars": "**{0}** | *{1}* | **{2}**",
    "a statement as code": "`{0} | {1} | {2}`",
    "a bold statement": "**{0} | {1} | {2}**",
    "Cypher": "({0})-[{1}]->({2})",
    "named arrows": "{0} -[{1}]-> {2}",
    "arrows": "{0} → {1} → {2}",
    "semicolons": "{0}; {1}; {2}",
    "tuples": "({0}, {1}, {2})",
    "quoted tuples": '("{0}", "{1}", "{2}")',
}
EDGES = {"sentences": "{0} is a {2}", "arrows": "{0} -> {2}", "bars": "{0} | {2}"}
EQUAL = {"equations": "{0} = {2}", "arrows": "{0} -> {2}", "bars": "{0} | {2}"}
TAILS = (
    " — stated in the first sentence",
    " — stated",
    " - the text says so",
    " (stated in the text)",
    " (explicit)",
    " [inferred]",
    " (confidence: high)",
    ' (evidence: "as it is")',
    " because the text says so",
    " (0.9)",
    " (95%)",
    " ✅",
    "; see sentence 1",
)
HEADS = ("T1: ", "Triple 2: ", "1\\. ", "Edge 1: ", "- ")


def items(text, kind, folder, **options):
    (folder / "a.txt").write_text(text)
    model = goldassay.read(folder / "a.txt", kind=kind, **options)
    return sorted(model.item(at) for at in range(len(model)))


WRITTEN = [
    (kind, form, item)
    for kind, forms, item in (
        ("triples", FORMS, "1: {0} | {1} | {2}"),
        ("taxonomy", EDGES, "{0} -> {2}"),
        ("alignment", EQUAL, "{0} = {2}"),
    )
    for form in forms.values()
]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(("kind", "form", "item"), WRITTEN)
def test_what_is_around_a_statement_is_no_part_of_a_name(kind, form, item, tmp_path):
    expected = sorted(item.format(*row) for row in FACTS)
    around = [*(("", tail) for tail in ("", *TAILS)), *((head, "") for head in HEADS if kind != "alignment")]
    for head, tail in around:
        options = {"arrows": "child-parent"} if kind == "taxonomy" else {}
        text = "".join(f"{head}{form.format(*row)}{tail}\n" for row in FACTS)
        assert items(text, kind, tmp_path, **options) == expected, (head, tail)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_a_dash_in_a_cell_is_one_of_its_name(tmp_path):
    text = "a | shows | Star Wars — Episode IV\nb | shows | Alien — Covenant\n"
    assert items(text, "triples", tmp_path) == [
        "1: a | shows | Star Wars — Episode IV",
        "1: b | shows | Alien — Covenant",
    ]


@pytest.mark.parametrize("line", ['("Oslo", "capital of", "Norway") and ("more', "a | r | b)", "(a | r | b"])
def test_a_name_with_one_of_two_brackets_is_not_read_and_counted(line, tmp_path):
    (tmp_path / "a.txt").write_text(f"- c | r | d\n- {line}\n- e | r | f\n")
    model = goldassay.read(tmp_path / "a.txt", kind="triples")
    assert [model.item(at) for at in range(len(model))] == ["1: c | r | d", "1: e | r | f"]
    assert model.left_out["lines_of_prose"] == 1


MANCHESTER = """Class: Person
    SubClassOf: owns some 'Dog'

Class: 'Sports Car'
    SubClassOf: Vehicle, 'has part' some Wheel, 'Fast, Small Thing'

Class: Toy
    SubClassOf: owns some (Cat or Dog)

ObjectProperty: 'has part'
    Domain: 'Sports Car'
    Range: 'Big Wheel'

Individual: Rex
    Facts: 'lives in' Oslo, owns 'a Bone'
"""


def test_quoted_names_of_manchester_syntax_are_read_and_other_terms_counted(tmp_path):
    assert items(MANCHESTER, "axioms", tmp_path) == [
        "Person owns Dog",
        "Rex lives in Oslo",
        "Rex owns a Bone",
        "Sports Car has part Big Wheel",
        "Sports Car has part Wheel",
        "Sports Car subClassOf Fast, Small Thing",
        "Sports Car subClassOf Vehicle",
    ]
    model = goldassay.read(tmp_path / "a.txt", kind="axioms")
    assert model.left_out["lines_of_prose"] == 1
    assert "SubClassOf: owns some (Cat or Dog)" in model.notes[0]
    assert items(MANCHESTER, "taxonomy", tmp_path) == ["Sports Car -> Fast, Small Thing", "Sports Car -> Vehicle"]
