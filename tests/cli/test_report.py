import sys

import pytest

for package in ("jinja2", "altair", "vl_convert"):
    pytest.importorskip(package)


@pytest.mark.parametrize("name", ["out.pdf", "out", "missing/out.html", "folder.html"])
def test_a_page_that_cannot_be_written_is_refused_before_any_work(goldassay_command, files, name):
    (files / "folder.html").mkdir()
    before = sorted(files.rglob("*"))
    result = goldassay_command("taxonomy", files / "nothing.csv", "-g", files / "gold.csv", "--report", files / name)
    assert result.code == 2
    assert "nothing.csv" not in result.err
    assert name in result.err
    assert "Traceback" not in result.err
    assert sorted(files.rglob("*")) == before


def test_an_absent_package_names_the_pip_line(goldassay_command, files, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = goldassay_command(
        "taxonomy", files / "nothing.csv", "-g", files / "gold.csv", "--report", files / "x.html"
    )
    assert result.code == 2
    assert "pip install 'goldassay[report]'" in result.err
    assert "nothing.csv" not in result.err


def test_the_command_writes_the_page(goldassay_command, files):
    path = files / "page.html"
    result = goldassay_command(
        "taxonomy", files / "good.csv", files / "poor.csv", "-g", files / "gold.csv", "-m", "literal", "--ci",
        "--report", path, "--percent", "--places", "1",
    )  # fmt: skip
    assert (result.code, result.err) == (0, f"wrote {path}\n")
    page = path.read_text()
    assert "100.0" in page
    assert "95% interval" in page
    assert ">matching<" in page


def test_saved_reports_compare_into_a_page(goldassay_command, files):
    for name in ("good", "poor"):
        goldassay_command(
            "taxonomy", files / f"{name}.csv", "-g", files / "gold.csv", "-m", "literal", "--ci", "--format", "json",
            "-o", files / f"{name}.json",
        )  # fmt: skip
    result = goldassay_command("compare", files / "good.json", files / "poor.json", "--report", files / "both.html")
    assert (result.code, result.err) == (0, f"wrote {files / 'both.html'}\n")
    assert "2 predictions against gold.csv" in (files / "both.html").read_text()
