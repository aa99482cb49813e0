"""What a family says of itself, and what follows from it."""

from dataclasses import dataclass, replace

import pytest

from goldassay.alignments import FAMILY as ALIGNMENTS
from goldassay.alignments import Alignment, MacroOverlap, Overlap
from goldassay.axioms import FAMILY as AXIOMS
from goldassay.core.errors import UsageError
from goldassay.core.family import Extra, Reading, claims_nothing, reference
from goldassay.core.inspection import ModelInspection, format_counts
from goldassay.graphs import FAMILY as GRAPHS
from goldassay.graphs import Graph
from goldassay.unl import FAMILY as UNL


def test_an_encoder_may_be_needed_by_default_or_by_a_parameter():
    assert [family.measures.encode for family in (GRAPHS, AXIOMS, ALIGNMENTS, UNL)] == [True, True, False, False]


def alignment(*cases):
    @dataclass
    class Cases:
        case_names: tuple[str, ...]

    return Cases(cases)


def test_several_test_cases_have_a_default_of_their_own():
    assert ALIGNMENTS.measures.default_for(alignment("a")) == (Overlap(),)
    assert ALIGNMENTS.measures.default_for(alignment("a", "b")) == (Overlap(), MacroOverlap())
    assert GRAPHS.measures.default_for(alignment("a", "b")) == GRAPHS.measures.default
    assert ALIGNMENTS.measures.default_for(Alignment.from_rows([("a", "b")])) == (Overlap(),)


def test_flags_of_a_family_are_parameters_of_its_measures():
    for family in (AXIOMS, ALIGNMENTS):
        for name in family.measures.flags:
            assert family.measures.flag(name).name == name


def test_a_family_claims_no_file_unless_it_says_so():
    assert not claims_nothing("csv", ["child", "parent"])
    assert Extra(name="x", help="X.").repeat is False


def test_an_entry_of_another_package_is_its_own_reference():
    assert reference("@misc{x}") == "@misc{x}"
    assert reference("lo2024ollm").startswith("@inproceedings{lo2024ollm")
    with pytest.raises(UsageError, match="no entry 'unknown2000'"):
        reference("unknown2000")


def test_a_model_is_inspected():
    graph = Graph.from_edges([(f"child {number}", "parent") for number in range(5)])
    lines = list(ModelInspection("taxonomy", "edge", graph).lines())
    assert lines[:3] == ["None: taxonomy, memory", "  5 edges", "  left out: nothing"]
    assert sum(line.startswith("  for example") for line in lines) == 3
    found = ModelInspection("taxonomy", "edge", graph).to_dict()
    assert (found["items"], found["examples"]) == (5, [graph.item(row) for row in range(3)])
    assert format_counts({"a_b": 1000, "c": 0}) == "1,000 a b"


def test_what_is_counted_once_is_no_plural():
    words = ("blank_nodes", "properties", "classes", "names_of_other_branches", "without_text", "a_class")
    ones = "1 blank node, 1 property, 1 class, 1 name of other branches, 1 without text, 1 a class"
    assert format_counts(dict.fromkeys(words, 1)) == ones
    others = ("properties_without_domain", "edges_to_owl_thing", "names_in_other_languages")
    ones = "1 property without domain, 1 edge to owl thing, 1 name in other languages"
    assert format_counts(dict.fromkeys(others, 1)) == ones
    assert format_counts(dict.fromkeys(words[:3], 2)) == "2 blank nodes, 2 properties, 2 classes"


def test_a_family_promises_nothing_that_it_does_not_say():
    fields = Reading.__dataclass_fields__
    assert (fields["folders"].default, fields["texts"].default) == (False, False)


@pytest.mark.parametrize(
    ("part", "change", "gap"),
    [
        (None, {"item": ""}, "'item'"),
        ("measures", {"classes": ()}, "'measures.classes'"),
        ("measures", {"default": ()}, "'measures.default'"),
        ("measures", {"other": (Overlap(),)}, "Overlap in 'measures.classes', but it is in"),
        ("measures", {"counted": {"wieght": ("weighted", "yes")}}, "the option 'wieght' of 'measures.counted'"),
        ("measures", {"flags": ("ontologies",)}, "a measure with the parameter 'ontologies' of 'measures.flags'"),
        ("reading", {"pairing": ("on_unpared",)}, "the option 'on_unpared' of 'reading.pairing'"),
        ("reading", {"naming": {"txet": ("label",)}}, "the option 'txet' of 'reading.naming'"),
    ],
)
def test_a_family_with_a_gap_is_refused_by_its_name(part, change, gap):
    change = {part: replace(getattr(GRAPHS, part), **change)} if part else change
    with pytest.raises(TypeError, match=f"^the family 'taxonomy' does not declare {gap}"):
        replace(GRAPHS, **change)
