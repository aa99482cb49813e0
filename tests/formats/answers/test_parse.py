"""Answers as what they state: the rows of their tables."""

from unittest import mock

import goldassay
from goldassay.formats.answers.means import OF_EDGES
from goldassay.formats.answers.parse import rows_stating, statements_of
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.choose_columns import Roles

TABLE = Parsed("a table", (), set(), table=[["child", "parent"], ["dog", "pet"], ["cat", ""], ["cow", "pet"]])


def test_a_row_without_an_end_states_nothing():
    found = [(row, [(one.subject, one.object) for one in stated]) for row, stated in rows_stating(TABLE, OF_EDGES)]
    assert found == [(["dog", "pet"], [("dog", "pet")]), (["cat", ""], []), (["cow", "pet"], [("cow", "pet")])]
    assert [one.subject for one in statements_of(TABLE, OF_EDGES)] == ["dog", "cow"]


def test_a_table_whose_columns_say_nothing_states_nothing():
    assert list(rows_stating(TABLE._replace(table=[["a", "b"], ["dog", "pet"]]), OF_EDGES)) == []


def test_the_columns_of_a_table_are_chosen_once_and_not_for_each_row(tmp_path):
    def tables(rows):
        bodies = ("".join(f"{name}{at},pet\n" for at in range(rows)) for name in ("dog", "cat"))
        return "".join(f"```csv\nchild,parent\n{body}```\n" for body in bodies)

    def chosen(rows):
        (tmp_path / "answer.txt").write_text(tables(rows))
        with mock.patch.object(Roles, "chosen", autospec=True, side_effect=Roles.chosen) as choose:
            assert len(goldassay.read(tmp_path / "answer.txt", kind="taxonomy")) == 2 * rows
        return choose.call_count

    assert chosen(40) == chosen(5)
