"""What pairs of options do: the outcome of command lines, and the options without an effect on it."""

import contextlib
import io
import os
import re
import sys
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from tests import signals
from tests.cli.samples import PLACES

from goldassay.__main__ import main

SECONDS = re.compile(r"\d+\.\d\d")


SAVED = ("--format", "json", "-o", "earlier.json")
"""Saves the score of gold against itself, which the baseline is."""
SHOWN = {"percent", "formulas", "against", "draws"}
"""Options of what is shown: where another option brings small files of its own, these may have nothing to show."""
ALWAYS = {"engine": "an engine counts the same numbers elsewhere"}
"""Options without a visible effect by design, and why."""
DRAWN = ("level", "resamples", "ci_method", "ci_unit", "seed", "against")
OF_TABLE = "a table is read whole, also if only its predicates are compared"
TOGETHER = {
    ("ci", "runs"): "repeated runs always have intervals",
    ("chance", "null"): "a null model implies chance",
    ("completeness", "judged"): "judged items imply this completeness",
    **{(name, "combine"): "a mean over gold standards has no interval, as the report says" for name in DRAWN},
    **{(name, "as_"): "the preset reads so, too" for name in ("fold_case", "strip_key", "text")},
    **{(f"{name}_column", "propose_synonyms"): OF_TABLE for name in ("id", "subject", "object")},
    **{
        (name, "unit"): "there is one document: no test and no draws, as the report says"
        for name in ("against", "draws")
    },
    ("null", "draws"): "most families have one null model, which --draws --chance takes, too",
    ("formulas", "layout_csv"): "names of predictions and measures are no formulas here",
    ("terms", "as_"): "the preset reads so, too",
    ("encoder", "quiet"): "that it has no effect on exact measures is a note, which --quiet hides",
}
"""Options without an effect next to another one, and why."""


def implied(name, *pair):
    """Whether an option has no effect in a pair for a reason that is listed."""
    return name in ALWAYS or any((name, other) in TOGETHER for other in pair)


class Outcome(NamedTuple):
    """What a command line did: its exit code, what it printed, and the files that it wrote."""

    code: int
    out: str
    err: str
    files: tuple[tuple[str, bytes], ...]

    @property
    def refused(self):
        """Whether the command line was refused, with a reason."""
        return self.code == 2


def merged(*arguments):
    """Join the arguments of options: files are united, unless no file may is there; of others the last count."""
    found = {}
    for one in arguments:
        for name, words in one.items():
            before = found.get(name)
            if isinstance(words, list) and name in PLACES and before:
                found[name] = [*before, *(word for word in words if word not in before)] if words else []
            elif before != []:
                found[name] = words
    return found


class Runner:
    """Runs command lines of one command in this process, each once, in a folder with its files."""

    def __init__(self, case, folder):
        self.case, self.folder, self.seen = case, folder, {}
        for name, text in case.files.items():
            (folder / name).write_text(text)
        if case.gate:
            gold = case.usual.get("gold") or case.usual["preds"][:1] * 2
            self.run(*case.command, *spelt({**case.usual, "preds": gold}), *SAVED)

    def outcome(self, *names, without=None, files=None):
        """Run the command with some options and all that these need, one of them left out, and with the files of one only, if named."""
        samples = self.case.samples
        needs = {}
        for name in sorted(names):
            own = samples[name].needs
            needs = merged(needs, own if files in (None, name) else {key: own[key] for key in own if key not in PLACES})
        arguments = {**self.case.usual, **needs}
        if without:
            option = samples[without].option or without
            arguments.pop(option, None) if option not in PLACES else None
            arguments |= {
                name: words for name, words in self.case.usual.items() if name == option and name not in needs
            }
        for name in names:
            if name != without:
                option = samples[name].option or name
                # A gold standard is added to those that are needed.
                arguments[f"one more {option}" if option in ("gold", "measure") else option] = samples[name].words
        return self.run(*self.case.command, *spelt(arguments))

    def run(self, *words):
        """Run a command line."""
        if words not in self.seen:
            for file in self.folder.glob("out*"):
                file.unlink()
            code, out, err = called(words, self.folder)
            files = tuple((file.name, file.read_bytes()) for file in sorted(self.folder.glob("out*")))
            self.seen[words] = Outcome(code, out, SECONDS.sub("0.00", err), files)
        return self.seen[words]

    def ignored(self, *names):
        """List the options among some that have no effect next to the others, whichever of their files are used."""
        needs = [self.case.samples[name].needs for name in names]
        if any(any(one.get(name) for one in needs) and [] in [one.get(name) for one in needs] for name in PLACES):
            return []  # files that one needs can only be named where another allows none
        ways = dict.fromkeys(
            (None, *(name for name in names if any(self.case.samples[name].needs.get(one) for one in PLACES)))
        )
        found = [self._ignored(names, files) for files in ways]
        idle = SHOWN if self.shows_nothing(*names) else ()
        return [name for name in names if name not in idle and all(name in one for one in found)]

    def shows_nothing(self, *names):
        """Whether a sample has files of its own in which there may be nothing to show."""
        needs = [self.case.samples[name].needs for name in names]
        return self.case.small and any(one in own for own in needs for one in PLACES)

    def _ignored(self, names, files):
        whole = self.outcome(*names, files=files)
        if whole.refused:
            return [] if files is None else list(names)
        return [name for name in names if whole == self.outcome(*names, without=name, files=files)]

    def pairs(self):
        """List all pairs of samples of different options."""
        samples = self.case.samples
        options = {name: one.option or name for name, one in samples.items()}
        return [pair for pair in combinations(samples, 2) if options[pair[0]] != options[pair[1]]]


def spelt(arguments):
    """Write arguments as words of a command line, files in their places."""
    words = [*arguments.get("preds", ())]
    for file in arguments.get("gold", ()):
        words += ["--gold", file]
    for name, own in arguments.items():
        if name not in PLACES:
            words += own
    return words


def called(words, folder):
    """Run the command line in a folder, and give its exit code and what it printed."""
    here, argv = Path.cwd(), sys.argv
    out, err = io.StringIO(), io.StringIO()
    os.chdir(folder)
    sys.argv = ["goldassay", *words]
    try:
        with signals.kept(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as stop:
        return stop.code or 0, out.getvalue(), err.getvalue()
    finally:
        os.chdir(here)
        sys.argv = argv
