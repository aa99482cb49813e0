"""What models write above and below an answer: titles, notes and remarks are no items, in every family, and what is in doubt is named."""

import pytest

import goldassay

TREE = "- organism\n  - animal\n    - dog\n    - cat\n  - plant\n    - rose\n"
EDGES = ["animal -> organism", "cat -> animal", "dog -> animal", "plant -> organism", "rose -> plant"]
WORDS = (
    "Final Answer", "Output", "Results", "Answer", "Solution", "Response", "Task", "Ergebnis", "R\u00e9ponse finale", "Taxonomie", "\u5206\u7c7b",
    "Taxonomy", "Taxonomy Structure", "Hierarchical Structure", "Taxonomy of Living Things", "TAXONOMY",
)  # fmt: skip
STYLES = (
    "# {}\n\n",
    "### {}\n",
    "**{}**\n\n",
    "**{}:**\n",
    "{}\n\n",
    "[{}]\n\n",
    "=== {} ===\n\n",
    "{}\n-----\n\n",
    "{}\n=====\n\n",
    "## Answer\n\n### {}\n\n",
)
NOTES = (
    "Explanation: The items were taken from the text.", "Reasoning: the words are ordered.", "Confidence: high", "Step 1: read the text.", "Remark: none",
    "Legend: a = b", "**Key points:** they are alike.", "**Analysis:** they are alike.", "\u26a0\ufe0f Note: this is a guess", "*Note*: cats are nice.",
    "Total: 4", "Summary: four items", "Hinweis: vier", "Remarque : trois", "\u6ce8\u610f\uff1a\u56db",
)  # fmt: skip
BODIES = {
    "taxonomy": TREE,
    "alignment": "cat = chat\ndog = chien\nhorse = cheval\n",
    "labels": "d1: sport\nd2: art\nd3: law\n",
    "triples": "(cat, is a, pet)\n(dog, is a, pet)\n(dog, likes, bone)\n",
    "axioms": "(Cat, hasOwner, Person)\n(Dog, hasOwner, Person)\n",
    "concepts": "q1: aspirin, fever\nq2: insulin\n",
}


def read(path, text, kind):
    path.write_text(text)
    model = goldassay.read(path, kind=kind)
    return sorted(model.item(row) for row in range(len(model))), model


@pytest.mark.parametrize("style", [*STYLES, "Here's the hierarchy\n\n", "<answer>\n"])
@pytest.mark.parametrize("words", WORDS)
def test_a_title_above_one_tree_is_no_root(words, style, tmp_path):
    items, model = read(tmp_path / "answer.txt", style.format(words) + TREE, "taxonomy")
    assert items == EDGES
    assert model.left_out.keys() & {"lines_of_prose", "lines_of_thoughts"}


@pytest.mark.parametrize("style", ["# {}\n\n", "**{}**\n", "{}:\n", "{}\n"])
def test_a_root_that_may_be_a_title_is_named(style, tmp_path):
    items, model = read(tmp_path / "answer.txt", style.format("living thing") + TREE, "taxonomy")
    assert items == sorted([*EDGES, "organism -> living thing"])
    assert "line 1" in " ".join(model.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "# Output\n- printer\n- screen\n",
        "Solution\n  Aqueous\n    brine\n",
        "Root: Output\n- printer\n  - laser\n",
        "- Answer\n  - yes\n    - sure\n",
    ],
)
def test_a_root_that_is_called_like_a_result_stays(text, tmp_path):
    items, _ = read(tmp_path / "answer.txt", text, "taxonomy")
    assert any(edge.endswith((" -> Output", " -> Solution", " -> Answer")) for edge in items)


@pytest.mark.parametrize("form", ["{note}\n\n{body}", "{body}\n{note}\n", "{note}\n\n{body}\n{note}\n"])
@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("kind", BODIES)
def test_notes_around_an_answer_are_no_items(kind, note, form, tmp_path):
    expected, _ = read(tmp_path / "body.txt", BODIES[kind], kind)
    items, model = read(tmp_path / "answer.txt", form.format(note=note, body=BODIES[kind]), kind)
    assert items == expected
    assert model.left_out["lines_of_prose"]


@pytest.mark.parametrize(
    ("body", "remark"),
    [
        ("cat -> chat\ndog -> chien\n", "Certainty: high"),
        ("cat = chat\ndog = chien\n", "Method: by hand"),
        ("cat: chat\ndog: chien\n", "Method: I looked them up."),
    ],
)
@pytest.mark.parametrize("form", ["{1}\n{0}", "{0}{1}\n"])
@pytest.mark.parametrize("kind", ["alignment", "labels"])
def test_remarks_with_a_colon_around_other_pairs_are_named(kind, body, remark, form, tmp_path):
    items, model = read(tmp_path / "answer.txt", form.format(body, remark), kind)
    assert len(items) == 2
    assert "no pairs: 1 line around the others" in " ".join(model.warnings)


def test_pairs_with_a_colon_among_others_are_pairs(tmp_path):
    items, model = read(tmp_path / "answer.txt", "cat = a\ndog: b\nhen = c\nfox = d\nox: e\n", "alignment")
    assert len(items) == 5
    assert not model.warnings


LISTS = (
    "- **q1**: aspirin, fever\n- **q2**: insulin", "### q1\n- aspirin\n- fever\n\n### q2\n- insulin", "- q1\n  - aspirin\n  - fever\n- q2\n  - insulin",
    "q1:\n1. aspirin\n2. fever\n\nq2:\n1. insulin", "id,concepts\nq1,aspirin; fever\nq2,insulin", "q1: aspirin, fever\nq2: insulin",
    "| id | concepts |\n|---|---|\n| q1 | aspirin, fever |\n| q2 | insulin |",
)  # fmt: skip


@pytest.mark.parametrize("suffix", ["txt", "out", "md"])
@pytest.mark.parametrize(
    "fence", ["```\n{}\n```\n", "```text\n{}\n```\n", "Here are the concepts:\n\n```markdown\n{}\n```\n\nDone.\n"]
)
@pytest.mark.parametrize("body", LISTS)
def test_lists_of_concepts_in_a_fence_are_read(body, fence, suffix, tmp_path):
    items, _ = read(tmp_path / f"answer.{suffix}", fence.format(body), "concepts")
    assert items == ["q1: aspirin", "q1: fever", "q2: insulin"]


def test_a_text_in_a_fence_stays_a_text(tmp_path):
    _, model = read(tmp_path / "answer.txt", "```\nThe patient has a fever.\nAspirin is given.\n```\n", "concepts")
    assert any("noun phrases" in note for note in model.notes)


QUOTED = ("A and B", "The Who", "a -> b", "$100", "[bracket]", "{brace}", "'single'", "\U0001f600 emoji", "*star*", "_under_", "(x)", "a. b.", "x,", "- dash", "Every dog")  # fmt: skip
SHAPES = {
    "taxonomy": ('"{}" -> "pet"\ncat -> pet\n', '"{}" is a "pet"\ncat is a pet\n', '- pet\n  - "{}"\n  - cat\n', '**"{}"** -> pet\ncat -> pet\n'),
    "triples": ('("{}", "is a", "pet")\n(cat, is a, pet)\n', '- ("pet", "has", "{}")\n'),
    "alignment": ('"{}" = "pet"\ncat = dog\n', 'cat = "{}"\nhen = dog\n', '("cat", "{}")\n'),
    "labels": ('d1: "{}"\nd2: pet\n', 'd1 -> "{}"\nd2 -> pet\n'),
}  # fmt: skip


@pytest.mark.parametrize("name", QUOTED)
@pytest.mark.parametrize(("kind", "shape"), [(kind, shape) for kind, some in SHAPES.items() for shape in some])
def test_what_is_in_quotes_is_the_name(kind, shape, name, tmp_path):
    plain, _ = read(tmp_path / "plain.txt", shape.format("bird"), kind)
    items, _ = read(tmp_path / "answer.txt", shape.format(name), kind)
    # A label with an arrow is a path.
    called = name.replace("->", ">") if kind == "labels" else name
    assert items == sorted(one.replace("bird", called) for one in plain)


@pytest.mark.parametrize("name", ["**bird**", "`bird`", "__bird__"])
def test_bold_and_code_in_quotes_are_marks(name, tmp_path):
    items, _ = read(tmp_path / "answer.txt", f'"{name}" -> "pet"\ncat -> "pet"\n', "taxonomy")
    assert items == ["bird -> pet", "cat -> pet"]


MARKS = (
    "{}",
    "**{}**",
    "*{}*",
    "_{}_",
    "`{}`",
    '"{}"',
    "\u201c{}\u201d",
    "\u00ab{}\u00bb",
    "\u300c{}\u300d",
    "\U0001f600 {}",
    "***{}***",
)
ARTICLES = ("", "A ", "An ", "The ", "a ", "the ", "Every ")


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(
    "sentence",
    [
        *(f"{one}{{}} is a {{}}." for one in ARTICLES),
        "- The {} is a type of {}",
        "Ein {} ist ein {}.",
        "{} is a kind of the {}",
    ],
)
def test_articles_and_marks_around_a_name_are_no_part_of_it(sentence, mark, tmp_path):
    pairs = (("hen", "bird"), ("bird", "animal"))
    text = "\n".join(sentence.format(*map(mark.format, pair)) for pair in pairs)
    assert read(tmp_path / "answer.txt", text, "taxonomy")[0] == ["bird -> animal", "hen -> bird"]


ERRORS = (
    '{"error":{"message":"Rate limit","type":"x","code":429}}',
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    '[{"error":{"code":400,"message":"x","status":"INVALID"}}]',
)


@pytest.mark.parametrize("suffix", ["json", "txt", "out"])
@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_of_a_service_is_refused(error, kind, suffix, tmp_path):
    with pytest.raises(goldassay.InputError, match="an error of a service"):
        read(tmp_path / f"answer.{suffix}", error, kind)


@pytest.mark.parametrize("nothing", ["None", '"None"', "N/A", "null", "-"])
@pytest.mark.parametrize(
    ("form", "suffix"), [("q1:\n- aspirin\n- {}\n\nq2:\n- {}\n", "txt"), ("- aspirin\n- {}\n", "md")]
)
def test_names_of_nothing_next_to_concepts_are_counted(form, suffix, nothing, tmp_path):
    items, model = read(tmp_path / f"answer.{suffix}", form.format(nothing, nothing), "concepts")
    assert len(items) == 1
    assert any("next to others: not read" in line and line.startswith("1 name") for line in model.warnings)


@pytest.mark.parametrize("statement", ["{} = {}", "{} -> {}", "({}, {})", "{} is equivalent to {}"])
def test_statements_below_headings_are_their_own(statement, tmp_path):
    rows = [("cat", "chat"), ("dog", "chien"), ("cow", "vache")]
    bullets = [f"- {statement.format(*row)}" for row in rows]
    text = "\n".join(["Animals:", *bullets[:2], "", "Farm:", bullets[2]])
    assert read(tmp_path / "answer.txt", text, "alignment")[0] == sorted(" = ".join(row) for row in rows)


def test_labels_below_ids_may_have_marks(tmp_path):
    text = "d1:\n- Sport -> Football\n- art\n\nd2:\n- law\n"
    assert len(read(tmp_path / "answer.txt", text, "labels")[0]) == 3


def test_many_lines_with_a_colon_above_pairs_are_left_out_in_linear_time(tmp_path):
    path = tmp_path / "answer.txt"
    remarks = [f"aa{one}x: bb{one}y" for one in range(20_000)]
    pairs = [f"cc{one}x = dd{one}y" for one in range(60_000)]
    path.write_text("\n".join(remarks + pairs))
    found = goldassay.read(path, kind="alignment")
    assert len(found) == 60_000
    assert any("20,000 lines around the others" in line for line in found.warnings)
