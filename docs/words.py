"""Look for words that the documents do not use: `make words`. The list, and what to write instead, is words.toml."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`|\]\([^)\s]+\)", re.MULTILINE | re.DOTALL)
"""What a page shows: code, and where links lead."""


def check() -> list[str]:
    """List each word that should go: file, line, word, and what to write instead."""
    words = {
        re.compile(rf"(?<![a-z])(?:{word})(?![a-z])", re.IGNORECASE): plain for word, plain in LIST["words"].items()
    }
    some = re.compile(rf"(?<![a-z])(?:{'|'.join(LIST['words'])})(?![a-z])", re.IGNORECASE)
    found = []
    for path, name in files():
        text = (
            CODE.sub(_blank, path.read_text(encoding="utf-8"))
            if path.suffix == ".md"
            else path.read_text(encoding="utf-8")
        )
        for phrase in LIST["exceptions"].get(name, {}):
            text = text.replace(phrase, " " * len(phrase))
        # Nearly all files have no such word: one look at the whole of a file says so.
        for number, line in enumerate(text.splitlines() if some.search(text) else (), 1):
            found += [
                f"{name}:{number}: '{hit[0]}': {plain}" for word, plain in words.items() for hit in word.finditer(line)
            ]
    return found


def files() -> Iterator[tuple[Path, str]]:
    """List the files to look at, with their names."""
    for start in LIST["files"]:
        for path in sorted((ROOT / start).rglob("*")) or [ROOT / start]:
            if not path.is_file() or "node_modules" in path.parts:
                continue
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in {".md", ".py", ".toml", ".yml", ""} and not name.startswith(tuple(LIST["without"])):
                yield path, name


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


if __name__ == "__main__":
    hits = check()
    sys.stdout.write("".join(f"{hit}\n" for hit in hits))
    sys.exit(bool(hits))
