"""``goldassay example``: files to begin with."""

from __future__ import annotations

import shlex
import shutil
from importlib import resources
from importlib.resources.abc import Traversable
from os.path import isdir
from pathlib import Path
from typing import Annotated

import typer

from goldassay.cli.screen import say

NEXT = {
    "taxonomy": ("taxonomy {0}/learned.ttl --gold {0}/reference.owl -m literal",),
    "axioms": ("axioms {0}/pred.ttl --gold {0}/gold.ttl",),
    "alignments": ("alignment {0}/pred.sssom.tsv --gold {0}/gold.rdf",),
    "concepts": ("concepts {0}/parrot.jsonl --gold {0}/gold.jsonl -m concept_exact",),
    "triples": ("triples {0}/pred.jsonl --gold {0}/gold.jsonl",),
    "labels": ("labels {0}/pred.tsv --gold {0}/gold.tsv --hierarchy {0}/subjects.csv",),
    "unl": ("unl {0}/produced.unl --gold {0}/expected.unl", "sentences {0}/produced.tsv --gold {0}/expected.tsv"),
    "builders": ("triples {0}/kg.json --gold {0}/gold.jsonl -m triples",),
    "sampling": ("estimate {0}/todo.csv",),
}
"""The folders of examples, and commands for each that need no weights."""


def example(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write to; it is created.")] = Path(
        "examples"
    ),
) -> None:
    """Write example files of each family into a folder, and print the commands that score them."""
    within = resources.files("goldassay") / "examples"
    # In a checkout they are next to src.
    source = within if isdir(str(within)) else Path(__file__).resolve().parents[3] / "examples"
    write_folder({name: source / name for name in NEXT}, folder)
    say("Next, try one of:")
    for name, commands in NEXT.items():
        for words in commands:
            say(f"  goldassay {words.format(shlex.quote((folder / name).as_posix()))}")


def write_folder(trees: dict[str, Traversable], folder: Path) -> None:
    """Copy trees of the package into a new folder, each under its name."""
    from goldassay.report.files import check_folder, explain_system

    check_folder(folder)
    with explain_system(folder, "folder"):
        for name, tree in trees.items():
            with resources.as_file(tree) as path:
                shutil.copytree(path, folder / name, dirs_exist_ok=True)
