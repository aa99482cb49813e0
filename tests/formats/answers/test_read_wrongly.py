"""Answers that were read wrongly without a word: each is read, refused or warned of, and names that look alike stay names."""

import pytest

import goldassay

KIN = ["dog -> mammal", "cat -> mammal", "mammal -> animal"]
FACTS = ["1: Oslo | capital of | Norway", "1: Bergen | located in | Norway"]
PAIRS = ["dog = Hund", "cow = Kuh"]


def read(tmp_path, kind, text):
    path = tmp_path / "answer.txt"
    path.write_text(text, encoding="utf-8")
    model = goldassay.read(path, kind=kind)
    return [model.item(row) for row in range(len(model))], model.warnings


TREES = {
    "levels in bold": "**Level 1: animal**\n\n**Level 2: mammal**\n- dog\n- cat\n",
    "levels without bullets": "Level 0: animal\nLevel 1: mammal\n- dog\n- cat\n",
    "levels behind names": "animal (level 1)\n  mammal (level 2)\n    dog (level 3)\n    cat (level 3)\n",
    "numbers behind names": "animal [1]\n  mammal [1.1]\n    dog [1.1.1]\n    cat [1.1.2]\n",
    "plurals": "dogs and cats are mammal\nmammal is a animal\n",
    "articles": "A dog and a cat are mammal.\nA mammal is a animal.\n",
    "ditto": '| Parent | Child |\n|---|---|\n| mammal | dog |\n| " | cat |\n| animal | mammal |\n',
    "another ditto": "| Child | Parent |\n|---|---|\n| dog | mammal |\n| cat | ↑ |\n| mammal | animal |\n",
    "slanted in a list": "| Child | Parent |\n|---|---|\n| *dog*<br>*cat* | *mammal* |\n| mammal | animal |\n",
    "slanted": "| Child | Parent |\n|---|---|\n| *dog* | mammal |\n| cat | *mammal* |\n| mammal | animal |\n",
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("form", TREES)
def test_a_tree_is_read(form, tmp_path):
    items, _ = read(tmp_path, "taxonomy", TREES[form])
    assert sorted(item.replace("dogs", "dog").replace("cats", "cat") for item in items) == sorted(KIN)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("root", ["None (root)", "- (root)", "\u2014 (root)", "N/A (root)", "\u22a4"])
@pytest.mark.parametrize(
    "form", ["| Child | Parent |\n|---|---|\n| dog | mammal |\n| mammal | {} |\n", "dog is a mammal\nmammal is a {}\n"]
)
def test_the_parent_of_a_root_is_none(form, root, tmp_path):
    items, _ = read(tmp_path, "taxonomy", form.format(root))
    assert items == ["dog -> mammal"]


NAMES_WITH_AND = [
    *("Arts and Crafts", "Search and rescue dogs", "Dungeons & Dragons", "Rock and roll", "Rules and Regulations"),
    *("Arts and crafts fairs", "Gas and electric cars", "Sales and marketing teams", "Analysis and design methods"),
    *("Kitchen and garden tools", "Police and fire departments", "Virus and worm attacks"),
]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("name", NAMES_WITH_AND)
def test_a_name_with_and_is_one(name, tmp_path):
    items, warnings = read(tmp_path, "taxonomy", f"{name} are hobbies.\nJudo is a kind of {name}.\n")
    assert items == [f"{name} -> hobbies", f"Judo -> {name}"]
    assert any("'and' is read" in one for one in warnings) == (" and " in name)


VERDICTS = [": Yes|: No", " (true)|(false)", " \u2705|\u274c", ": **Correct**|: **Incorrect**", "? Yes.|? No."]
STATED = {
    "taxonomy": (["dog is a mammal", "cat is a plant", "mammal is an animal"], ["dog -> mammal", "mammal -> animal"]),
    "axioms": (
        ["Dog SubClassOf Mammal", "Cat SubClassOf Plant", "Cow SubClassOf Mammal"],
        ["Dog subClassOf Mammal", "Cow subClassOf Mammal"],
    ),
    "triples": (
        ["(Oslo, capital of, Norway)", "(Bonn, capital of, Norway)", "(Bergen, located in, Norway)"],
        FACTS,
    ),
    "alignment": (["dog = Hund", "cat = Vogel", "cow = Kuh"], PAIRS),
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("kind", STATED)
def test_what_does_not_hold_is_left_out(kind, verdict, tmp_path):
    yes, no = verdict.split("|")
    lines, held = STATED[kind]
    written = zip(lines, (yes, no, yes), strict=True)
    items, warnings = read(tmp_path, kind, "".join(f"{line} {say}\n".replace(" :", ":") for line, say in written))
    assert sorted(items) == sorted(held)
    assert any("do not hold: 1 line: line 2" in one for one in warnings)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_names_below_one_that_does_not_hold_are_below_it(tmp_path):
    text = "- animal: yes\n  - dog: yes\n  - plant: no\n    - oak: yes\n"
    assert sorted(read(tmp_path, "taxonomy", text)[0]) == ["dog -> animal", "oak -> plant"]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", ["alignment", "triples"])
def test_most_lines_may_not_hold(kind, tmp_path):
    line = {"alignment": "dog = Hund", "triples": "(Oslo, capital of, Norway)"}[kind]
    text = f"{line}: yes\n" + "".join(f"{line.replace('o', 'oo')} {at}: no\n" for at in "abcd")
    assert len(read(tmp_path, kind, text)[0]) == 1


@pytest.mark.parametrize(
    ("kind", "text", "items"),
    [
        ("taxonomy", "gas\n- nitric oxide (NO)\n- nitrous acid ester (NO)\n", ["nitric oxide (NO) -> gas", "nitrous acid ester (NO) -> gas"]),
        ("labels", "d1: yes\nd2: no\nd3: yes\n", ["d1: yes", "d2: no", "d3: yes"]),
        ("triples", "(Shop, is open, Yes)\n(Bar, is open, No)\n", ["1: Bar | is open | No", "1: Shop | is open | Yes"]),
        ("triples", "Shop - is open - Yes\nBar - is open - No\n", ["1: Bar | is open | No", "1: Shop | is open | Yes"]),
        ("triples", "Shop:\n- open: Yes\n- big: No\n- old: no\n", ["1: Shop | big | No", "1: Shop | old | no", "1: Shop | open | Yes"]),
        ("triples", "Oslo\n- S: 10 E\n- P: 0\n- O: 60 N\n", ["1: Oslo | O | 60 N", "1: Oslo | P | 0", "1: Oslo | S | 10 E"]),
        ("triples", "| subject | predicate | object |\n|---|---|---|\n| a | p | x |\n| a | q | \u2191 |\n| b | q | \u2193 |\n", ["1: a | p | x", "1: a | q | \u2191", "1: b | q | \u2193"]),
        ("labels", "| id | label |\n|---|---|\n| d1 | \u2191 |\n| d2 | same |\n| d3 | \u2191 |\n", ["d1: \u2191", "d2: same", "d3: \u2191"]),
        ("labels", "d1: severity (level 1)\nd2: severity (level 2)\n", ["d1: severity (level 1)", "d2: severity (level 2)"]),
        ("concepts", "- Windows [10.0]\n- biosafety (level 2)\n", ["1: Windows [10.0]", "1: biosafety (level 2)"]),
        ("taxonomy", "HTTP\n- HTTP (1.0)\n- HTTP (1.1)\n", ["HTTP (1.0) -> HTTP", "HTTP (1.1) -> HTTP"]),
        ("taxonomy", "charger\n- AC charger (level 2)\n- DC charger (level 3)\n", ["AC charger (level 2) -> charger", "DC charger (level 3) -> charger"]),
        ("taxonomy", "intervals\n- [0, 1)\n- (0, 1]\n", ["(0, 1] -> intervals", "[0, 1) -> intervals"]),
    ],
)  # fmt: skip
def test_a_name_that_looks_like_a_mark_is_one(kind, text, items, tmp_path):
    assert sorted(read(tmp_path, kind, text)[0]) == items


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    "line",
    [
        "S: {} | P: {} | O: {}",
        "- S: {}, R: {}, O: {}",
        "1. (S: {}; P: {}; O: {})",
        "Subject: {}, Predicate: {}, Object: {}",
        "(subject: {}, predicate: {}, object: {})",
        "Head: {} -> Relation: {} -> Tail: {}",
        "S: {} -> P: {} -> O: {}",
        "s={}, p={}, o={}",
        "subject={}; predicate={}; object={}",
    ],
)
def test_fields_of_triples_on_one_line(line, tmp_path):
    rows = (("Oslo", "capital of", "Norway"), ("Bergen", "located in", "Norway"))
    items, _ = read(tmp_path, "triples", "".join(line.format(*row) + "\n" for row in rows))
    assert sorted(items) == sorted(FACTS)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("lead", ["概念\uff1a", "**关键词**\uff1a", "キーワード\uff1a", "主要概念: ", "關鍵詞\uff1a"])
@pytest.mark.parametrize("mark", ["、", "\uff0c", "\uff1b", ", "])
def test_lists_of_the_east(lead, mark, tmp_path):
    items, _ = read(tmp_path, "concepts", f"{lead}{mark.join(('糖尿病', '高血压', '胰岛素'))}\n")
    assert sorted(items) == ["1: 糖尿病", "1: 胰岛素", "1: 高血压"]


@pytest.mark.parametrize(
    "text",
    [
        "```latex\n\\begin{forest}\n[animal\n  [mammal [dog] [cat]]\n]\n\\end{forest}\n```\n",
        "\\Tree [.animal [.mammal dog cat ] ]\n",
        "[animal\n  [mammal\n    [dog]\n    [cat]]]\n",
        "```\n(animal\n  (mammal\n    (dog)\n    (cat)))\n```\n",
    ],
)
def test_trees_in_brackets_are_refused(text, tmp_path):
    with pytest.raises(goldassay.InputError):
        read(tmp_path, "taxonomy", text)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    ("kind", "text", "gold", "name"),
    [
        ("concepts", "- Oslo (city)\n- Norway (country)\n", "id,concept\n1,Oslo\n1,Norway\n", "Norway (country)"),
        ("concepts", "Concepts: sport and art\n", "id,concept\n1,sport\n1,art\n", "sport and art"),
        ("taxonomy", "dog, cat -> mammal\nmammal -> animal\nbird -> animal\n", "child,parent\ndog,mammal\ncat,mammal\nmammal,animal\n", "dog, cat"),
        ("alignment", "dog (source) = Hund (target)\n", "source,target\ndog,Hund\n", "Hund (target)"),
        ("triples", "(Oslo (city), in, Norway)\n(Bonn (city), in, Norway)\n", "subject,predicate,object\nOslo,in,Norway\nBonn,in,Norway\n", "Bonn (city)"),
    ],
)  # fmt: skip
def test_names_with_those_of_gold_inside_are_warned_of(kind, text, gold, name, tmp_path):
    (tmp_path / "pred.txt").write_text(text)
    (tmp_path / "gold.csv").write_text(gold)
    measure = {"concepts": "concept_exact", "taxonomy": "literal", "alignment": "overlap", "triples": "triples"}[kind]
    report = goldassay.evaluate(
        tmp_path / "pred.txt", gold=tmp_path / "gold.csv", kind=kind, measures=measure, selfcheck=False
    )
    assert any("of the other side" in one and repr(name) in one for one in report.warnings)
