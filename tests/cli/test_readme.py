"""What the README shows is what the command prints."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def example(number):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command, shown = re.findall(r"```console\n\$ goldassay (.*?)\n(.*?)```", readme, re.DOTALL)[number]
    return shlex.split(command), shown.splitlines()


def lines(result):
    return [line.rstrip() for line in result.out.splitlines()]


def test_the_first_example(goldassay_command, minilm, monkeypatch):
    command, shown = example(0)
    monkeypatch.chdir(ROOT)
    assert lines(goldassay_command(*command)) == shown


def test_the_comparison(goldassay_command, minilm, reference_data, monkeypatch):
    command, shown = example(1)
    monkeypatch.chdir(reference_data / "graphs")
    assert lines(goldassay_command(*command)) == shown
