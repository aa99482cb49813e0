"""What a preset lets the user say."""

import pytest

from goldassay.core.errors import UsageError
from goldassay.core.preset import preset_of, presets_in, read_as
from goldassay.families import family

PRESETS = [one for one in family("alignment").measures.presets if one.reading] or [
    one
    for kind in ("taxonomy", "axioms", "triples", "labels", "concepts", "unl")
    for one in family(kind).measures.presets
    if one.reading
]


def test_its_own_options_may_be_reported_again_and_others_added_but_none_changed():
    preset = PRESETS[0]
    (name, value), *_ = preset.reading.items()
    assert read_as(preset, {}, measured=False) == dict(preset.reading)
    assert read_as(preset, {name: value, "encoding": "latin-1"}, measured=False) == {
        **preset.reading,
        "encoding": "latin-1",
    }
    with pytest.raises(UsageError, match=f"sets {name}"):
        read_as(preset, {name: "something else"}, measured=False)
    with pytest.raises(UsageError, match="defines its measures"):
        read_as(preset, {}, measured=True)


def test_a_preset_is_found_by_its_name_or_refused_with_a_hint():
    presets = family("alignment").measures.presets
    assert preset_of(presets, "melt", kind="alignment").name == "melt"
    with pytest.raises(UsageError, match="preset of alignment") as refused:
        preset_of(presets, "melts", kind="alignment")
    assert "melt" in str(refused.value)


def test_the_example_of_presets_in():
    assert [preset.name for preset in presets_in("goldassay.unl")] == ["unl-wiki"]
