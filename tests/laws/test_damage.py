"""One bad record moves nothing else: every other record keeps its number, so that a score falls by the share of the record at most."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest

import goldassay

SIZE = 12
WORDS = [f"word{letter}" for letter in "abcdefghijkl"]
pytestmark = [
    pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning"),
    pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning"),
]


class Kind(NamedTuple):
    """A way to write records.

    Attributes:
        kind: The family.
        name: The name of the file.
        write: Writes one record of a word.
        measure: What is scored: each record counts the same.
        header: The first line.
        options: Options of the reader.
        without: Damages that are not tried.
    """

    kind: str
    name: str
    write: Callable[[int, str], str]
    measure: str
    header: str = ""
    options: Mapping[str, str] = MappingProxyType({})
    without: tuple[str, ...] = ()


def lines(record: Callable[[int, str], object]) -> Callable[[int, str], str]:
    return lambda at, word: json.dumps(record(at, word))


TRIPLE = [["a", "r", "b"]]
SKIP = {"on_error": "skip"}
BLANK = ("empty",)
"""A blank line is no record: where records have no ids, one that is emptied has no number."""
FIRST = (*BLANK, "an empty object", "deep")
"""The reader of concepts looks for columns in the first object."""
KINDS = {
    "triples, JSON Lines without ids": Kind(
        "triples", "a.jsonl", lines(lambda _, w: {"triples": [["a", "r", w]]}), "triples", without=BLANK
    ),
    "triples, JSON Lines of lists": Kind(
        "triples",
        "a.jsonl",
        lines(lambda _, w: [["a", "r", w]]),
        "triples",
        options={"input_format": "json-lines"},
        without=BLANK,
    ),
    "triples, JSON Lines with ids": Kind(
        "triples", "a.jsonl", lines(lambda at, w: {"id": f"d{at}", "triples": [["a", "r", w]]}), "triples"
    ),
    "triples, JSON Lines with ids from 0": Kind(
        "triples", "a.jsonl", lines(lambda at, w: {"id": at, "triples": [["a", "r", w]]}), "triples"
    ),
    "triples, JSON Lines by order": Kind(
        "triples",
        "a.jsonl",
        lines(lambda at, w: {"id": f"d{at}", "triples": [["a", "r", w]]}),
        "triples",
        options={"ids": "order"},
        without=BLANK,
    ),
    "triples, JSON Lines, no suffix": Kind(
        "triples", "answers", lines(lambda _, w: {"triples": [["a", "r", w]]}), "triples", without=BLANK
    ),
    "triples, one a line": Kind(
        "triples", "a.jsonl", lines(lambda at, w: {"id": at, "subject": "a", "predicate": "r", "object": w}), "triples"
    ),
    "triples, lists": Kind("triples", "a.txt", lines(lambda _, w: [["a", "r", w]]), "triples"),
    "triples, REBEL": Kind("triples", "a.txt", lambda _, w: f"<triplet> a <subj> {w} <obj> r", "triples"),
    "triples, CSV": Kind("triples", "a.csv", lambda at, w: f"d{at},a,r,{w}", "triples", "id,subject,predicate,object"),
    "concepts, JSON Lines without ids": Kind(
        "concepts",
        "a.jsonl",
        lines(lambda _, w: {"concepts": [w]}),
        "concept_exact(average=micro)",
        options=SKIP,
        without=FIRST,
    ),
    "concepts, JSON Lines with ids": Kind(
        "concepts",
        "a.jsonl",
        lines(lambda at, w: {"id": at, "concepts": [w]}),
        "concept_exact(average=micro)",
        without=FIRST,
        options=SKIP,
    ),
}
DAMAGES: dict[str, Callable[[str], bytes]] = {
    "not UTF-8": lambda text: b"\xff" + text.encode(),
    "not UTF-8 in the middle": lambda text: (
        text[: len(text) // 2].encode() + b"\xe9\xff" + text[len(text) // 2 :].encode()
    ),
    "cut": lambda text: text[: len(text) // 2].encode(),
    "empty": lambda _: b"",
    "a comment": lambda _: b"# nothing",
    "null": lambda _: b"null",
    "an empty object": lambda _: b"{}",
    "a number": lambda _: b"7",
    "deep": lambda _: b"[" * 5000,
    "words": lambda _: b"I could not find any.",
}


def written(path, kind, records):
    path.write_bytes(b"\n".join([*([kind.header.encode()] if kind.header else []), *records]) + b"\n")
    return path


CASES = [(kind, damage) for kind in KINDS for damage in DAMAGES if damage not in KINDS[kind].without]


@pytest.mark.parametrize("place", [0, 1, SIZE - 1])
@pytest.mark.parametrize(("kind", "damage"), CASES)
def test_a_damaged_record_costs_its_own_share_at_most(tmp_path, kind, damage, place):
    kind, damage = KINDS[kind], DAMAGES[damage]
    records = [kind.write(at, word) for at, word in enumerate(WORDS)]
    gold = written(tmp_path / f"gold_{kind.name}", kind, [record.encode() for record in records])
    pred = written(
        tmp_path / f"pred_{kind.name}",
        kind,
        [damage(record) if at == place else record.encode() for at, record in enumerate(records)],
    )
    report = scored(pred, gold, kind)
    if report is None:
        return
    score = next(iter(report.runs[0].scores))
    assert score.counts["hit_gold"] >= SIZE - 1
    assert score.counts["n_gold"] == SIZE
    # What an odd record says may be one wrong answer.
    assert score.counts["n_pred"] <= SIZE


@pytest.mark.parametrize("blank", [b"", b"   ", b"\r"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if not KINDS[kind].name.endswith(".txt")])
def test_a_blank_line_moves_nothing(tmp_path, kind, blank):
    kind = KINDS[kind]
    records = [kind.write(at, word).encode() for at, word in enumerate(WORDS)]
    gold = written(tmp_path / f"gold_{kind.name}", kind, records)
    pred = written(tmp_path / f"pred_{kind.name}", kind, [records[0], blank, *records[1:5], blank, blank, *records[5:]])
    for one, other in ((pred, gold), (gold, pred)):
        counts = next(iter(scored(one, other, kind).runs[0].scores)).counts
        assert (counts["hit_gold"], counts["n_gold"], counts["n_pred"]) == (SIZE, SIZE, SIZE)


def scored(pred, gold, kind):
    """Score; None where a table is refused with the line."""
    try:
        return goldassay.evaluate(pred, gold=gold, kind=kind.kind, measures=kind.measure, **kind.options)
    except goldassay.InputError as error:
        if kind.name.endswith(".csv") and error.line is not None:
            return None
        raise


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_sentences_without_ids_keep_their_numbers(tmp_path, name):
    from goldassay.unl.read_sentences import SentenceReading, read_sentences

    rows = [json.dumps({"text": word}) for word in WORDS] if name == "a.jsonl" else WORDS
    rows[3] = '{"text": "a' if name == "a.jsonl" else '"a" b'
    path = tmp_path / name
    path.write_text("\n".join([*(["text"] if name == "a.csv" else []), *rows]) + "\n")
    texts = read_sentences(path, SentenceReading(on_error="skip"))
    assert texts.ids == tuple(str(at) for at in range(1, SIZE + 1) if at != 4)
    assert texts.wordings[3] == (WORDS[4],)
