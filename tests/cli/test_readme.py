"""What the README shows is what the command prints."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_first_example(karat_command, minilm, monkeypatch):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command, shown = re.search(r"```console\n\$ karat (.*?)\n(.*?)```", readme, re.DOTALL).groups()
    monkeypatch.chdir(ROOT)
    printed = karat_command(*shlex.split(command)).out
    assert [line.rstrip() for line in printed.splitlines()] == shown.splitlines()
