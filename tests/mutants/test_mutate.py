"""What is changed, and that a change is made where it is listed."""

import ast
from collections import Counter

import pytest
from tests.mutants import targets
from tests.mutants.__main__ import equivalent, still_open
from tests.mutants.mutate import changed, mutants, probed

SOURCE = """
LIMIT: float = 0.5

class Box(Base):
    higher: ClassVar[bool] = True

    def inside(self, x: int | None = None) -> bool:
        \"\"\"Whether x > 0.\"\"\"
        if not self.full and 0 <= x < 9:
            return -x in self.items
        return x if self.higher else "1"
"""


def test_every_operator_comparison_condition_and_number_is_changed():
    assert [f"{one.scope}: {one.before} -> {one.after}" for one in mutants("a.py", SOURCE)] == [
        ": LIMIT: float = 0.5 -> LIMIT: float = 1.5",
        "Box: higher: ClassVar[bool] = True -> higher: ClassVar[bool] = False",
        "Box.inside: not self.full and 0 <= x < 9 -> not self.full or 0 <= x < 9",
        "Box.inside: not self.full and 0 <= x < 9 -> not not self.full and 0 <= x < 9",
        "Box.inside: 0 <= x < 9 -> 0 < x < 9",
        "Box.inside: 0 <= x < 9 -> 0 <= x <= 9",
        "Box.inside: 0 <= x < 9 -> 1 <= x < 9",
        "Box.inside: 0 <= x < 9 -> 0 <= x < 10",
        "Box.inside: -x in self.items -> -x not in self.items",
        "Box.inside: -x in self.items -> +x in self.items",
        "Box.inside: return x if self.higher else '1' -> return x if not self.higher else '1'",
    ]


def test_a_change_is_made_where_it_is_listed():
    for one in mutants("a.py", SOURCE):
        plain, other = (
            ast.unparse(ast.parse(SOURCE)),
            ast.unparse(changed(SOURCE, one.place)),
        )
        differing = [
            (here, there) for here, there in zip(plain.splitlines(), other.splitlines(), strict=True) if here != there
        ]
        assert len(differing) == 1, one.key


@pytest.mark.parametrize("body", ["x + 1", "x + 1 if y else x + 1"])
def test_equal_changes_of_a_scope_are_numbered(body):
    keys = [one.key for one in mutants("a.py", f"def f(x, y):\n    return {body}")]
    assert len(keys) == len(set(keys))


def test_a_change_knows_its_function():
    of_module, of_class, *of_method = mutants("a.py", SOURCE)
    assert (of_module.function, of_class.function) == (None, None)
    assert {one.function for one in of_method} == {("Box.inside", 7)}


RUN = """
LIMIT = 5

def f(x):
    total = 0
    while x > 2:
        total += x if x % 2 else -1
        x -= 2
    if not total:
        return 7
    return [total, 8][0] if LIMIT else 9
"""


@pytest.mark.parametrize(
    ("given", "value", "unseen"),
    [(1, 7, {7: 5, 8: 2, 11: 4}), (4, -1, {10: 1, 11: 1}), (5, 8, {7: 2, 10: 1, 11: 1})],
)
def test_a_probe_says_what_is_run_and_changes_nothing(given, value, unseen):
    hit = set()
    names = {"__probe__": hit.add}
    exec(compile(probed("a.py", RUN), "a.py", "exec"), names)  # noqa: S102 - it is the text above
    of_import = {place for _, place in hit}
    assert [one.scope for one in mutants("a.py", RUN) if one.place in of_import] == [""]
    hit.clear()
    assert names["f"](given) == value
    found = [one for one in mutants("a.py", RUN) if one.function and ("a.py", one.place) not in hit]
    assert Counter(one.line for one in found) == unseen


def test_every_change_of_the_lists_is_one():
    listed = equivalent() | still_open()
    files = {key.partition(" ")[0] for key in listed}
    there = {one.key for name in files for one in mutants(name, (targets.SOURCE / name).read_text("utf-8"))}
    assert sorted(listed - there) == []


def test_every_file_that_has_tests_of_another_name_is_there():
    named = (*targets.LEFT_OUT, *targets.TOGETHER, *targets.ALSO)
    assert [name for name in named if not (targets.SOURCE / name).exists()] == []
