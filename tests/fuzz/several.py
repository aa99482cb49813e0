"""What takes or gives more than one file: folders of test cases, kept dictionaries, workbooks, files that are converted and compared; and functions as measures."""

import contextlib
import io
import math
import random
import tempfile
import warnings
import zipfile
import zlib
from functools import cache
from pathlib import Path

from tests.fuzz.objects import GOLDS, MEASURES, leaf

import goldassay
from goldassay.alignments.read import results_of_melt
from goldassay.cli import convert, diff
from goldassay.cli.items import family_of
from goldassay.concepts.texts.dictionary import Dictionary, read_dictionary
from goldassay.concepts.texts.variants import USUAL
from goldassay.core.errors import GoldassayError
from goldassay.core.parameters import parameters_of
from goldassay.families import families

NAMES = "concept,name\nD1,asthma\nD1,bronchial asthma\nD2,knee pain\nD3,HIV\n"
SENTENCE = "No bronchial asthma, HIV or pain of the knee."
CASES = ("one", "two")


def converted(path: Path) -> None:
    """A file that is converted has no other items than before: none is removed and none is added.

    What the commands run is called here, without their command lines, which take longer than the files: `command` draws these.
    """
    kind = family_of(str(path), None).kind
    to = path.with_name("converted." + ("csv", "jsonl", "parquet")[zlib.crc32(path.read_bytes()) % 3])
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            convert._run(str(path), str(to), None, swap=False, quiet=False, kind=kind)
            diff._run(str(path), str(to), None, most=20, kind=kind)
        finally:
            to.unlink(missing_ok=True)
    assert "\n0 removed, 0 added, " in out.getvalue(), out.getvalue()


def workbook(path: Path) -> None:
    """A workbook of a spreadsheet is refused by every family, and read by none."""
    kinds = (*GOLDS, "unl")
    model = goldassay.read(path, kind=kinds[zlib.crc32(path.read_bytes()) % len(kinds)])
    assert not path.read_bytes().startswith(b"PK\x03\x04"), model


def make_workbook(folder: Path) -> None:
    """Write a sheet as a spreadsheet does."""
    row = "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in ("child", "parent"))
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.xml": '<workbook><sheets><sheet name="a" sheetId="1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData><row>{row}</row></sheetData></worksheet>",
    }
    for name, packing in {"plain": zipfile.ZIP_STORED, "packed": zipfile.ZIP_DEFLATED}.items():
        with zipfile.ZipFile(folder / f"{name}.xlsx", "w", packing) as archive:
            for part, text in parts.items():
                archive.writestr(part, text)


def cases(path: Path) -> None:
    """MELT's results, one alignment of which, or one reference, is this file; the others are whole."""
    data = path.read_bytes()
    with tempfile.TemporaryDirectory(dir=path.parent) as name:
        results, references = Path(name, "results"), Path(name, "references")
        whole = b"source,target,score\nhttp://a/1,http://b/1,0.5\n"
        sides = [whole, data] if zlib.crc32(data) % 2 else [data, whole]
        suffixes = [".csv" if side is whole else path.suffix for side in sides]
        for case in CASES:
            system = results / case / "AML"
            system.mkdir(parents=True)
            (references / case).mkdir(parents=True)
            first = case == CASES[0]
            (system / f"systemAlignment{suffixes[0] if first else '.csv'}").write_bytes(sides[0] if first else whole)
            (references / case / f"reference{suffixes[1]}").write_bytes(sides[1])
        preds, gold = results_of_melt(str(results), references=str(references))
    assert [*gold.case_names] == [*CASES]
    [pred] = preds
    goldassay.evaluate(pred, gold=gold, kind="alignment", measures="overlap")


@cache
def whole_dictionary() -> Dictionary:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "names.csv")
        path.write_text(NAMES)
        return read_dictionary(path)


def make_kept(folder: Path) -> None:
    """Keep a dictionary, as a large one is."""
    whole_dictionary().save(folder / "kept", {})
    for file in (folder / "kept").iterdir():
        file.rename(folder / file.name)
    (folder / "kept").rmdir()


def kept(path: Path, files: dict[str, bytes]) -> None:
    """A dictionary that was kept finds what it found, or is damaged and says so."""
    with tempfile.TemporaryDirectory(dir=path.parent) as name:
        for other, data in (files | {path.name: path.read_bytes()}).items():
            Path(name, other).write_bytes(data)
        found = Dictionary.load(Path(name), USUAL)
        assert found.find(SENTENCE) == whole_dictionary().find(SENTENCE), "other names"
        assert found.notes == whole_dictionary().notes, "other notes"


def named_files() -> list[tuple[str, str, str]]:
    """List the parameters of measures that name a file: the family, the measure and the parameter."""
    return [
        (kind, measure.name, name)
        for kind, one in families().items()
        for measure in one.measures.classes
        for name, declared in parameters_of(measure).items()
        if declared.metavar == "FILE"
    ]


PREDS = {
    "taxonomy": [("tom", "pet"), ("dog", "pet")],
    "axioms": [("SubClassOf", "tom", "pet"), ("SubClassOf", "cat", "pet")],
    "alignment": [("cat", "Katze"), ("fish", "Fisch")],
    "triples": [{"id": "1", "triples": [["tom", "is", "pet"], ["cat", "is", "pet"]]}],
    "labels": [("cat", "GO:1", 0.5), ("dog", "GO:2", 0.25)],
}
WHOLE = {"literal", "exact", "triples", "stages"}
"""Measures that gold has whole against itself, for any file of names."""


def parameter(path: Path) -> None:
    """A file that a measure names, or an ontology of an alignment: values lie in their bounds, and gold has all of itself.

    What one measure refuses another may read; refused is what each of some refuses.
    """
    every = [*named_files(), ("alignment", "overlap", "source_ontology"), ("alignment", "overlap", "target_ontology")]
    some, refusals = random.Random(zlib.crc32(path.read_bytes())).sample(every, 5), []
    for one in some:
        try:
            scored_with(str(path), *one)
        except GoldassayError as error:
            refusals.append(error)
    if len(refusals) == len(some):
        raise refusals[0]


def scored_with(path: str, kind: str, name: str, parameter: str) -> None:
    pred, gold = PREDS[kind], GOLDS[kind] if kind != "labels" else PREDS[kind][:1]
    of_reader = parameter.endswith("_ontology")
    given = {parameter: path, "by": "type"} if of_reader else {}
    if kind == "labels":
        given["hierarchy"] = str(Path(__file__).parent / "corpus" / "hierarchy" / "go.csv")
    for one in (pred, gold):
        measures = name if of_reader else {name: {parameter: path}}
        score = goldassay.evaluate(one, gold=gold, kind=kind, measures=measures, **given).runs[0].scores[0]
        for value, (low, high) in score.measure.values.items():
            found = score.values[value]
            assert math.isnan(found) or low - 1e-9 <= found <= high + 1e-9, (score.spec, value, found)
        assert one is pred or name not in WHOLE or set(score.values.values()) == {1.0}, score


def function(path: Path) -> None:
    """What a function returns is its value in the report, or is refused."""
    draw = random.Random(zlib.crc32(path.read_bytes()))
    one = draw.choice((leaf, lambda draw: draw.uniform(-9, 9)))
    given = {name: one(draw) for name in draw.sample(("a", "b", "value"), draw.randrange(3))} or one(draw)
    own = tuple(given) if isinstance(given, dict) else ("value",)
    values = draw.choice((own, own, own, ("a",)))
    kind = draw.choice(list(GOLDS))
    measure = goldassay.measure(lambda pred, gold: given, kind=kind, name="own", values=values)
    report = goldassay.evaluate(GOLDS[kind], gold=GOLDS[kind], kind=kind, measures=[measure, *MEASURES[kind]])
    expected = given if isinstance(given, dict) else {"value": given}
    found = dict(report["own"].values)
    assert found == {name: float(value) for name, value in expected.items()}
    assert all(map(math.isfinite, found.values()))
    assert report.format("json")
