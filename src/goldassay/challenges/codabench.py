"""A challenge as a bundle for Codabench, and the program that scores submissions there.

The format is version 2 of Codabench's competition bundles (docs.codabench.org: Yaml-Structure, Competition-Bundle-Structure). Gold
is only in ``reference_data``, which Codabench gives only to the scoring program.
"""

from __future__ import annotations

import io
import json
import math
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib import resources
from os.path import isdir, isfile
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.challenges.challenge import Challenge, Phase, load
from goldassay.challenges.scoring import score
from goldassay.core.errors import GoldassayError, UsageError
from goldassay.core.family import reference
from goldassay.core.text import json_text, visible
from goldassay.core.version import __version__
from goldassay.families import family
from goldassay.formats.source import check_file, open_file
from goldassay.report import Report
from goldassay.report.files import check_writable, write_whole

IMAGE = "python:3.12-slim"
"""The image in which submissions are scored; the scoring program installs goldassay in it if it is not there."""
LONGEST = 36
"""Characters of a title and a key that Codabench keeps."""
INSTALLATION = 600
"""Seconds for which the scoring program may install goldassay, where the image lacks it."""
COMMAND = "python3 /app/program/scoring.py /app/input/res /app/input/ref /app/output"
PROGRAM = f'''"""Score what is in the first folder by the gold in the second, and write into the third."""

import subprocess
import sys

try:
    from goldassay.challenges.codabench import main
except ImportError:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "goldassay[minilm,report,scipy]=={__version__}"], check=True)
    from goldassay.challenges.codabench import main

sys.exit(main(*sys.argv[1:]))
'''
TERMS = "Take part by the rules of the organisers."


class Column(NamedTuple):
    """A column of the leaderboard."""

    key: str
    title: str
    measure: str
    value: str
    higher_is_better: bool


def columns_of(challenge: Challenge) -> list[Column]:
    """List the columns of the leaderboard: first the value that ranks, then all others."""
    ranked = (challenge.rank.measure, challenge.rank.value)
    pairs = [(str(one), value, one) for one in challenge.measures for value in one.values]
    found: list[Column] = []
    for spec, value, measure in sorted(pairs, key=lambda pair: pair[:2] != ranked):
        title = (f"{spec} {value}" if len(spec) + len(value) < LONGEST else f"{measure.name} {value}")[:LONGEST]
        key = re.sub(r"\W+", "_", title).strip("_").lower()
        if any(one.key == key for one in found):
            title, key = (f"{text[: LONGEST - 4]}{mark}{len(found)}" for text, mark in ((title, " "), (key, "_")))
        found.append(Column(key, title, spec, value, measure.higher_is_better))
    return found


def write_bundle(challenge: Challenge, path: Path, *, image: str = IMAGE) -> list[str]:
    """Write the bundle of a challenge, whole or not at all."""
    check_writable(path)
    _check_phases(challenge)
    files = {**_public(challenge, image), **_private(challenge)}

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    write_whole(path, lambda stream: stream.write(made.getbuffer()))
    return list(files)


def main(predictions: str, references: str, output: str) -> int:
    """Score a submission as Codabench asks: read two folders, and write ``scores.json`` and ``detailed_results.html``."""
    try:
        challenge = load(Path(references, "challenge.toml"))
        report = score(challenge, challenge.phases[0].name, Path(predictions))
        scores = json.dumps(dict(_scores(challenge, report)))
        page = report.format("html", places=challenge.digits)
        for name, text in (("scores.json", scores), ("detailed_results.html", page)):
            write_whole(Path(output, name), lambda stream, text=text: stream.write(text.encode()))  # type: ignore[misc]
    except GoldassayError as error:
        sys.stderr.write(visible(f"{error}\n"))
        return 2
    except Exception as error:  # noqa: BLE001 - a message may quote gold
        sys.stderr.write(f"The submission could not be scored: {type(error).__name__}. Contact the organiser.\n")
        return 70
    return 0


def _scores(challenge: Challenge, report: Report) -> Iterator[tuple[str, float]]:
    """Return the value of each column; what is undefined has none."""
    for column in columns_of(challenge):
        score = report[column.measure]
        if score.merit(column.value) > -math.inf:
            yield column.key, score.values[column.value]


def _check_phases(challenge: Challenge) -> None:
    hiding = [phase.name for phase in challenge.phases if phase.hidden]
    if challenge.ladder is not None or hiding:
        raise UsageError(
            "Codabench shows every value at once.",
            found="ladder" if challenge.ladder is not None else f"hidden = true in the phase {hiding[0]!r}",
            hint="leave it out, or run the leaderboard yourself: goldassay serve CHALLENGE",
        )
    last = challenge.phases[-1]
    before: Phase | None = None
    for phase in challenge.phases:
        if phase.start is None or (phase.end is None and phase is not last):
            lacking = "a start" if phase.start is None else "an end, since another phase comes after it"
            raise UsageError(f"The phase {phase.name!r} lacks what Codabench needs.", expected=lacking)
        if before is not None and before.end is not None and phase.start < before.end:
            dates = f"{phase.name} starts {phase.start}, {before.name} ends {before.end}"
            raise UsageError("The phases overlap; Codabench needs them one after the other.", found=dates)
        before = phase


def _public(challenge: Challenge, image: str) -> dict[str, str | bytes]:
    """Make the files that participants may see."""
    kit, files = _tables(_hide_from_participants(challenge.written), challenge.path.parent)
    return {
        "competition.yaml": _yaml(_competition(challenge, image)),
        "logo.png": resources.files(__package__).joinpath("logo.png").read_bytes(),
        "pages/overview.md": f"# {challenge.title}\n\n{challenge.description}\n",
        "pages/evaluation.md": "\n\n".join(_evaluation(challenge)) + "\n",
        "pages/terms.md": f"{challenge.terms or TERMS}\n",
        "scoring_program/metadata.yaml": _yaml({"command": COMMAND}),
        "scoring_program/scoring.py": PROGRAM,
        **{f"starting_kit/{name}": content for name, content in {"challenge.toml": kit, **files}.items()},
    }


def _private(challenge: Challenge) -> dict[str, str | bytes]:
    """Make the files of gold: a folder for each phase, with the challenge of only that phase."""
    found: dict[str, str | bytes] = {}
    for number, (phase, table) in enumerate(zip(challenge.phases, challenge.written["phases"], strict=True)):
        if not phase.gold:
            raise UsageError(
                f"The phase {phase.name!r} has no gold in this file.", hint="this is the participants' copy"
            )
        gold_standards = {f"gold/{row}-{gold.name}": gold for row, gold in enumerate(phase.gold)}
        toml, files = _tables(
            {**challenge.written, "phases": [{**table, "gold": list(gold_standards)}]}, challenge.path.parent
        )
        content = {"challenge.toml": toml, **files}
        for name, gold in gold_standards.items():
            content |= dict(_content(name, gold))
        found |= {f"reference_data/{number}/{name}": data for name, data in content.items()}
    return found


def _hide_from_participants(written: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what reading a submission does not need: gold, and the files that measures take."""
    flags = {name.replace("_", "-") for name in family(written["kind"]).measures.flags}
    options = {word: value for word, value in written.get("options", {}).items() if word not in flags}
    phases = [{key: value for key, value in phase.items() if key != "gold"} for phase in written["phases"]]
    return {**written, "options": options, "phases": phases}


def _tables(written: Mapping[str, Any], folder: Path) -> tuple[str, dict[str, str | bytes]]:
    """Write a challenge as TOML, and give the files that its options name, under the names that it then has for them."""
    options: dict[str, Any] = {}
    files: dict[str, str | bytes] = {}
    for number, (word, value) in enumerate(written.get("options", {}).items()):
        options[word] = value
        if isinstance(value, str) and isfile(folder / value):
            options[word] = f"files/{number}-{Path(value).name}"
            files |= dict(_content(options[word], folder / value))
    return _toml({**written, "options": options}), files


def _content(name: str, path: Path) -> Iterator[tuple[str, bytes]]:
    """Read a file, or those of a folder."""
    if isdir(path):
        for one in sorted(path.rglob("*")):
            if isfile(one):
                yield from _content(f"{name}/{one.relative_to(path).as_posix()}", one)
        return
    check_file(path)
    with open_file(path) as stream:
        yield name, stream.read()


def _toml(tables: Mapping[str, Any]) -> str:
    """Write tables whose values are texts, numbers, truth values, and lists of them: of these JSON is TOML."""
    plain = {key: value for key, value in tables.items() if not _is_table(value)}
    lines = [_line(key, value) for key, value in plain.items()]
    for key, value in tables.items():
        if isinstance(value, dict):
            lines += ["", f"[{key}]", *(_line(*pair) for pair in value.items())]
        elif key not in plain:
            for one in value:
                lines += ["", f"[[{key}]]", *(_line(*pair) for pair in one.items())]
    return "\n".join([*lines, ""])


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _line(key: str, value: Any) -> str:
    return f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")


def _yaml(document: Mapping[str, Any]) -> str:
    """Write YAML: JSON is YAML, too."""
    return json_text(document, indent=2) + "\n"


def _competition(challenge: Challenge, image: str) -> dict[str, Any]:
    tasks = [
        {
            "index": number,
            "name": f"{challenge.name} {phase.name}",
            "description": phase.description or phase.name,
            "scoring_program": "scoring_program",
            "reference_data": f"reference_data/{number}",
        }
        for number, phase in enumerate(challenge.phases)
    ]
    return {
        "version": 2,
        "title": challenge.title,
        "description": challenge.description,
        "image": "logo.png",
        "terms": "pages/terms.md",
        "docker_image": image,
        "make_programs_available": False,
        "make_input_data_available": False,
        "enable_detailed_results": True,
        "show_detailed_results_in_submission_panel": True,
        "show_detailed_results_in_leaderboard": True,
        "pages": [
            {"title": "Overview", "file": "pages/overview.md"},
            {"title": "Evaluation", "file": "pages/evaluation.md"},
        ],
        "phases": [_phase(challenge, number, phase, image) for number, phase in enumerate(challenge.phases)],
        "tasks": tasks,
        "leaderboards": [_leaderboard(challenge)],
    }


def _phase(challenge: Challenge, number: int, phase: Phase, image: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "index": number,
        "name": phase.name,
        "description": phase.description or phase.name,
        "start": _moment(phase.start),
        "end": _moment(phase.end),
        "max_submissions": challenge.most_submissions(phase.name),
        "max_submissions_per_day": phase.submissions_a_day,
        "execution_time_limit": challenge.limits.seconds + (INSTALLATION if image == IMAGE else 0),
        "starting_kit": "starting_kit",
        "accepts_only_result_submissions": True,
        "tasks": [number],
    }
    return {key: value for key, value in found.items() if value is not None}


def _moment(time: datetime | None) -> str | None:
    """Write a time as Codabench reads it: in UTC, and as a text, since of a time in YAML it keeps only the day."""
    return None if time is None else f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def _leaderboard(challenge: Challenge) -> dict[str, Any]:
    columns = [
        {
            "title": one.title,
            "key": one.key,
            "index": number,
            "sorting": "desc" if one.higher_is_better else "asc",
            "precision": challenge.places,
        }
        for number, one in enumerate(columns_of(challenge))
    ]
    return {"title": "Results", "key": "main", "submission_rule": "Force_Best", "columns": columns}


def _evaluation(challenge: Challenge) -> Iterator[str]:
    rank, limits = challenge.rank, challenge.limits
    order = "highest" if rank.higher_is_better else "lowest"
    yield f"# Evaluation\n\nSubmissions are ranked by `{rank.value}` of `{rank.measure}`, the {order} first."
    what = "the folder" if challenge.prediction.endswith("/") else "the file"
    yield f"A submission is a zip with {what} `{challenge.prediction}`, of at most {limits.megabytes} MB. Try it before you send it:"
    yield "```sh\npip install goldassay\ngoldassay challenge validate challenge.toml submission.zip\n```"
    yield "`challenge.toml` is in the starting kit."
    for measure in challenge.measures:
        yield f"## {measure.title}: `{measure}`"
        yield f"$$ {measure.formula} $$\n\n```bibtex\n{reference(measure.citation)}\n```"
