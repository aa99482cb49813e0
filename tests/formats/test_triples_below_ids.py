"""One answer with triples of several documents: below their ids, or behind them."""

import pytest

import goldassay

GIVEN = {"d1": ["(Oslo, capital of, Norway)", "(Bergen, in, Norway)"], "d2": ["(Nile, in, Egypt)"]}
EXPECTED = ["d1: Bergen | in | Norway", "d1: Oslo | capital of | Norway", "d2: Nile | in | Egypt"]
HEADS = [
    "## {}",
    "Document {}:",
    "### Document {}",
    "**{}**",
    "**{}:**",
    "**Document {}**",
    "[{}]",
    "doc_id: {}",
    "{}:",
    "# {}:",
]


def triples_of(path, text):
    path.write_text(text)
    found = goldassay.read(path, kind="triples")
    return sorted(map(found.item, range(len(found)))), found


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("item", ["- {}", "{}", "1. {}"])
@pytest.mark.parametrize("mark", [", ", " | "])
def test_ids_above_triples_are_documents(tmp_path, head, item, mark):
    parts = (
        "\n".join([head.format(name), *(item.format(one.replace(", ", mark)) for one in some)])
        for name, some in GIVEN.items()
    )
    assert triples_of(tmp_path / "a.txt", "\n\n".join(parts))[0] == EXPECTED


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("left_out", [0, 499])
def test_many_documents_of_one_triple_are_documents_and_some_may_have_none(tmp_path, head, left_out):
    parts = [f"{head.format(f'd{at}')}\n- (Oslo, in, Norway)" for at in range(500)]
    parts[left_out] = head.format(f"d{left_out}")
    _, found = triples_of(tmp_path / "a.txt", "\n\n".join(parts))
    assert len(found) == 499
    assert len(found.ids) == 500


def test_ids_before_triples_are_documents(tmp_path):
    text = "\n".join(f"{name}: {one}" for name, some in GIVEN.items() for one in some)
    assert triples_of(tmp_path / "a.txt", text)[0] == EXPECTED


def test_what_is_around_the_documents_is_counted(tmp_path):
    parts = ("\n".join([f"## {name}", *some]) for name, some in GIVEN.items())
    found, read = triples_of(tmp_path / "a.txt", "\n\n".join(["Here they are:", *parts, "That is all!"]))
    assert found == EXPECTED
    assert read.left_out["lines_of_prose"] == 2


def test_subjects_above_facts_are_no_documents(tmp_path):
    text = "## Apollo-11\n- launched: 1969\n- by: NASA\n\n## Apollo-12\n- launched: 1969"
    assert triples_of(tmp_path / "a.txt", text)[0][0] == "1: Apollo-11 | by | NASA"


def test_an_id_that_comes_again_is_none(tmp_path):
    text = "## d1\n(Oslo, in, Norway)\n\n## d2\n(Nile, in, Egypt)\n\n## d1\n(Bergen, in, Norway)"
    assert all(one.startswith("1: ") for one in triples_of(tmp_path / "a.txt", text)[0])
