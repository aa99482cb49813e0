"""Presets: every example shows what it says, and a preset is its measures and options."""

import json
import re

import pytest

import goldassay
from goldassay.core.preset import Preset
from goldassay.families import families

PRESETS = [
    pytest.param(kind, preset, id=preset.name)
    for kind, family in families().items()
    for preset in family.measures.presets
]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(("kind", "preset"), PRESETS)
def test_the_smallest_example_shows_the_difference(tmp_path, kind, preset):
    example = preset.example
    paths = {}
    for name, text in {"pred": example.pred, "gold": example.gold, **example.files}.items():
        paths[name] = tmp_path / f"{name}{example.suffix}"
        paths[name].write_text(text)
    files = {name: str(paths[name]) for name in example.files}
    clean = goldassay.evaluate(paths["pred"], gold=paths["gold"], kind=kind, measures=example.clean, **files)
    other_tool = goldassay.evaluate(
        paths["pred"], gold=paths["gold"], kind=kind, as_=preset.name, encoder="hashing", **files
    )
    specs = [str(families()[kind].measures.parse(spec)) for spec in (example.clean, example.preset)]
    found = clean[specs[0]].values[example.value], other_tool[specs[1]].values[example.preset_value or example.value]
    assert found == pytest.approx(example.numbers)
    assert abs(found[0] - found[1]) > 0.01
    assert [score.spec for score in other_tool.runs[0].scores] == [
        str(families()[kind].measures.parse(spec)) for spec in preset.measures
    ]


def test_presets_have_names_of_their_own():
    names = [param.values[1].name for param in PRESETS]
    assert len(set(names)) == len(names) > 5
    assert all(isinstance(param.values[1], Preset) for param in PRESETS)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"as_": "meld"}, "Unknown preset of alignment 'meld'"),
        ({"as_": "melt", "measures": "overlap"}, "defines its measures"),
        ({"as_": "ontoaligner-1.9.4", "scores": "unit"}, "sets scores to 'any'"),
    ],
)
def test_what_a_preset_cannot_be_combined_with(options, match):
    pred = [("A", "1")]
    with pytest.raises(goldassay.UsageError, match=match):
        goldassay.evaluate(
            goldassay.alignments.Alignment.from_rows(pred),
            gold=goldassay.alignments.Alignment.from_rows(pred),
            kind="alignment",
            **options,
        )


def test_presets_on_the_command_line(goldassay_command, tmp_path):
    listed = goldassay_command("presets").out
    assert "alignment-api" in listed
    shown = goldassay_command("presets", "melt").out
    assert "goldassay alignment PRED --gold FILE --as melt" in shown
    assert "f1: 1.0000 by overlap, 0.0000 by overlap(unjudged=keep, relation=exact)" in shown
    assert goldassay_command("presets", "meld").code == 2
    (tmp_path / "pred.tsv").write_text("source\ttarget\trelation\ncat\tchat\t<\n")
    (tmp_path / "gold.tsv").write_text("source\ttarget\trelation\ncat\tchat\t=\n")
    command = ("alignment", tmp_path / "pred.tsv", "--gold", tmp_path / "gold.tsv", "--as", "melt")
    result = goldassay_command(*command, "--format", "csv")
    assert result.code == 0
    assert "overlap(unjudged=keep, relation=exact)" in result.out
    assert goldassay_command(*command, "-m", "overlap").code == 2


@pytest.mark.parametrize(("kind", "preset"), PRESETS)
def test_the_command_gives_what_evaluate_does(goldassay_command, tmp_path, kind, preset):
    example = preset.example
    flags = []
    for name, text in {"gold": example.gold, **example.files}.items():
        path = tmp_path / f"{name}{example.suffix}"
        path.write_text(text)
        flags += [f"--{name.replace('_', '-')}", path]
    (tmp_path / f"pred{example.suffix}").write_text(example.pred)
    command = (kind, tmp_path / f"pred{example.suffix}", *flags, "--as", preset.name, "--format", "json", "--quiet")
    encoder = ("--encoder", "hashing") if families()[kind].measures.encode else ()
    result = goldassay_command(*command, *encoder)
    assert result.code == 0
    spec = str(families()[kind].measures.parse(example.preset))
    (score,) = (score for score in json.loads(result.out)["runs"][0]["scores"] if score["measure"] == spec)
    assert score["values"][example.preset_value or example.value] == pytest.approx(example.numbers[1])


@pytest.mark.parametrize(("kind", "preset"), PRESETS)
def test_what_a_preset_needs_are_flags_of_its_command(goldassay_command, kind, preset):
    shown = goldassay_command(kind, "--help").out
    assert [flag for flag in re.findall(r"--[\w-]+", preset.needs) if not re.search(rf"{flag}\b", shown)] == []
