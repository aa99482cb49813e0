import sys
from typing import NamedTuple

import pytest

from goldassay.__main__ import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def goldassay_command(monkeypatch, capsys, tmp_path):
    """Run the command line in this process, with a cache of its own."""
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["goldassay", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture
def files(tmp_path):
    """A gold standard and two predictions as edge lists."""
    written = {
        "gold.csv": "child,parent\nleukemia,cancer\ncancer,disease\nflu,disease\n",
        "good.csv": "child,parent\nleukemia,cancer\nflu,disease\n",
        "poor.csv": "child,parent\nleukemia,cancer\ntraffic,delay\nrain,delay\n",
    }
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    return tmp_path
