import os
import stat
import threading
from pathlib import Path

import polars as pl
import pytest

import goldassay
from goldassay.report.files import (
    check_outputs,
    check_writable,
    csv_of,
    layout_for,
    separated,
    write_then_move,
    write_whole,
)


def test_a_failed_write_leaves_what_was_there(tmp_path):
    path = tmp_path / "out.tsv"
    path.write_text("before")

    def fail(stream):
        stream.write(b"half")
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        write_whole(path, fail)
    assert path.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["out.tsv"]


def test_a_full_disk_is_reported(tmp_path):
    def fail(stream):
        raise OSError(28, "No space left on device")

    with pytest.raises(goldassay.OutputError, match="No space left"):
        write_whole(tmp_path / "out.tsv", fail)
    assert list(tmp_path.iterdir()) == []


def test_the_file_has_the_usual_rights(tmp_path):
    write_whole(tmp_path / "out.tsv", lambda stream: stream.write(b"x"))
    (tmp_path / "plain").write_text("x")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("out.tsv", "plain")}
    assert len(modes) == 1


@pytest.mark.parametrize("place", [".", "missing/out.tsv"])
def test_a_place_that_cannot_be_written_is_refused(tmp_path, place):
    with pytest.raises(goldassay.OutputError):
        write_whole(tmp_path / place, lambda stream: stream.write(b"x"))


def test_a_link_stays_a_link_and_the_mode_is_kept(tmp_path):
    (tmp_path / "real.tsv").write_text("before")
    (tmp_path / "real.tsv").chmod(0o600)
    (tmp_path / "link.tsv").symlink_to("real.tsv")
    write_whole(tmp_path / "link.tsv", lambda stream: stream.write(b"after"))
    assert (tmp_path / "link.tsv").is_symlink()
    assert (tmp_path / "real.tsv").read_text() == "after"
    assert stat.S_IMODE((tmp_path / "real.tsv").stat().st_mode) == 0o600


def test_a_fifo_is_written_to_and_stays(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    write_whole(path, lambda stream: stream.write(b"whole"))
    reader.join(300)
    assert got == [b"whole"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_device_stays_a_device():
    write_whole("/dev/null", lambda stream: stream.write(b"x"))
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_an_output_that_is_an_input_is_refused(tmp_path):
    (tmp_path / "gold.csv").write_text("a,b")
    (tmp_path / "link.csv").symlink_to("gold.csv")
    os.link(tmp_path / "gold.csv", tmp_path / "hard.csv")
    for name in ("gold.csv", "link.csv", "hard.csv"):
        with pytest.raises(goldassay.OutputError, match="--explain would overwrite an input"):
            check_outputs({"--explain": tmp_path / name}, [str(tmp_path / "gold.csv")])
    with pytest.raises(goldassay.OutputError, match="overwrite an input"):
        check_outputs({"-o": tmp_path / "gold.csv"}, [tmp_path])
    check_outputs({"-o": tmp_path / "new.csv"}, [tmp_path, "fuzzy(threshold=0.5)"])


def test_two_outputs_of_one_path_are_refused(tmp_path):
    with pytest.raises(goldassay.OutputError, match="--output and --explain name the same file"):
        check_outputs({"--output": tmp_path / "a.csv", "--explain": tmp_path / "b" / ".." / "a.csv"}, [])


def test_a_dash_is_no_name_of_an_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(goldassay.OutputError, match="'-' is not supported as an output file"):
        write_whole("-", lambda stream: stream.write(b"x"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("folder", [False, True])
def test_what_another_writes_is_whole_or_not_there(tmp_path, folder):
    def write(next_to, *, fails):
        if folder:
            Path(next_to).mkdir()
        Path(next_to, *(["part"] if folder else [])).write_text("x")
        if fails:
            raise OSError(28, "No space left on device")

    write_then_move(tmp_path / "whole", lambda path: write(path, fails=False))
    assert Path(tmp_path / "whole", *(["part"] if folder else [])).read_text() == "x"
    with pytest.raises(goldassay.OutputError, match="No space left on device"):
        write_then_move(tmp_path / "other", lambda path: write(path, fails=True))
    assert [one.name for one in tmp_path.iterdir()] == ["whole"]


@pytest.mark.parametrize(("name", "found"), [("n" * 300, "File name too long"), ("a\0b", "null byte")])
def test_a_name_that_no_file_can_have_is_refused_with_the_reason(tmp_path, name, found):
    with pytest.raises(goldassay.OutputError, match="Invalid file name") as caught:
        check_writable(f"{tmp_path}/{name}")
    assert found in caught.value.found


def test_the_example_of_csv_of():
    assert (
        csv_of(pl.DataFrame({"item": ["=1+1", "=", ""], "similarity": [-0.5, 1.0, 0.0]}))
        == "item,similarity\n'=1+1,-0.5\n=,1.0\n,0.0\n"
    )


def test_the_example_of_separated():
    assert separated(pl.DataFrame({"a": ["", "x"], "b": [1, 2]}), ";") == "a;b\n;1\nx;2\n"


@pytest.mark.parametrize("name", ["a.tsv", "a.jsonl", "a.xlsx", "a.yaml", "a.md", "a.html"])
def test_a_name_of_something_else_is_refused_unless_a_layout_is_given(name):
    with pytest.raises(goldassay.OutputError, match=rf"--output writes no \{Path(name).suffix} file") as caught:
        layout_for(None, Path(name), ("csv", "text"))
    assert "a.csv" in (caught.value.hint or "")
    assert layout_for("text", Path(name), ("csv", "text")) == "text"


@pytest.mark.parametrize(("name", "layout"), [("a.csv", "csv"), ("a.TXT", "text"), ("a", "text"), ("run.2", "text")])
def test_a_name_asks_for_a_layout(name, layout):
    assert layout_for(None, Path(name), ("text", "csv")) == layout
