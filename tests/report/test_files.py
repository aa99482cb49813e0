import stat

import pytest

import goldassay
from goldassay.report.files import write_whole


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


def test_a_full_disk_is_said(tmp_path):
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
