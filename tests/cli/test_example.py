"""``goldassay example``: files to begin with, and commands that work."""

import shlex

import pytest

from goldassay.cli.example import NEXT


def test_each_command_that_is_printed_works(goldassay_command, tmp_path):
    made = goldassay_command("example", tmp_path / "my files")
    head, *lines = made.out.splitlines()
    assert (made.code, made.err, head, len(lines)) == (0, "", "Next, try one of:", sum(map(len, NEXT.values())))
    for line in lines:
        assert goldassay_command(*shlex.split(line)[1:], "--quiet").code == 0


@pytest.mark.parametrize("there", ["file", "folder"])
def test_nothing_is_overwritten(goldassay_command, tmp_path, there):
    path = tmp_path / "here"
    path.write_text("mine") if there == "file" else path.mkdir() or (path / "mine").write_text("mine")
    done = goldassay_command("example", path)
    assert (done.code, done.out) == (2, "")
    assert "The folder already exists and is not empty." in done.err
    assert (path if there == "file" else path / "mine").read_text() == "mine"
