"""The addresses of the project, from `[tool.goldassay]` of pyproject.toml, in each place that names them.

python packages/addresses.py            # fill them in
python packages/addresses.py --check    # end with 1 where one is another
python packages/addresses.py --release  # also where one is not known yet, or dist/ has a link that leads nowhere on an index
"""

from __future__ import annotations

import re
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
UNKNOWN = "OWNER"
"""What stands for the owner of the repository as long as it has none."""
RELATIVE = re.compile(r"\]\((?!https?://|#|mailto:)([^)\s]+)\)")


class Place(NamedTuple):
    """Where a file names an address: the pattern of it, and what it is made of."""

    file: str
    pattern: str
    made_of: str


PLACES = (
    Place("CITATION.cff", r"(?<=\nrepository-code: )\S+", "{repository}"),
    Place("CITATION.cff", r"(?<=\nurl: )\S+", "{documentation}"),
    Place("SECURITY.md", r"https://\S+/security/advisories/new", "{repository}/security/advisories/new"),
    Place("docs/how-to/build.md", r"(?<=- uses: )\S+/goldassay@v\S+", "{slug}@v{version}"),
    Place("docs/how-to/build.md", r"(?<=- repo: )\S+", "{repository}"),
    Place("docs/how-to/build.md", r"(?<=    rev: )v\S+", "v{version}"),
    Place("packages/conda/recipe.yaml", r"(?<=  homepage: )\S+", "{documentation}"),
    Place("packages/conda/recipe.yaml", r"(?<=  repository: )\S+", "{repository}"),
    Place("Dockerfile", r"(?<=image[.]source=)\S+", "{repository}"),
)


def addresses() -> dict[str, str]:
    """Read the addresses."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["goldassay"]
    version = re.search(
        r'__version__ = "([^"]+)"', (ROOT / "src/goldassay/core/version.py").read_text(encoding="utf-8")
    )
    slug = found["repository"].removeprefix("https://github.com/")
    return {**found, "slug": slug, "version": version[1] if version else ""}


def filled() -> dict[str, str]:
    """Return the files that name addresses, with the addresses filled in.

    Raises:
        ValueError: If a place is not found in its file.
    """
    known, texts = addresses(), {}
    for place in PLACES:
        text = texts.get(place.file) or (ROOT / place.file).read_text(encoding="utf-8")
        texts[place.file], count = re.subn(place.pattern, place.made_of.format_map(known), text)
        if count != 1:
            raise ValueError(f"{place.file} has {count} of {place.pattern!r}, and should have one")
    return texts


def unpublishable() -> Iterator[str]:
    """List what an index would show of the packages in dist/ that leads nowhere; also if there are none."""
    packages = [*(ROOT / "dist").glob("*.whl"), *(ROOT / "dist").glob("*.tar.gz")]
    if not packages:
        yield "dist/ has no packages: make packages"
    for path in packages:
        about = about_of(path)
        yield from (f"{path.name}: a relative link: {link}" for link in RELATIVE.findall(about))
        if UNKNOWN in about:
            yield f"{path.name}: {UNKNOWN}"


def about_of(path: Path) -> str:
    """Read the metadata of a wheel or a source distribution: what an index shows."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            [name] = [one for one in wheel.namelist() if one.endswith(".dist-info/METADATA")]
            return wheel.read(name).decode()
    with tarfile.open(path) as archive:
        [member] = [one for one in archive if re.fullmatch(r"[^/]+/PKG-INFO", one.name)]
        stream = archive.extractfile(member)
        return stream.read().decode() if stream else ""


def main(arguments: list[str]) -> int:
    """Fill in, or say what is wrong."""
    texts = filled()
    other = [name for name, text in texts.items() if (ROOT / name).read_text(encoding="utf-8") != text]
    if not arguments:
        for name in other:
            (ROOT / name).write_text(texts[name], encoding="utf-8")
        return 0
    wrong = [f"{name}: an address is not that of pyproject.toml: python packages/addresses.py" for name in other]
    if arguments == ["--release"]:
        unknown = [f"{name} = {value!r}" for name, value in addresses().items() if UNKNOWN in value]
        wrong += [f"pyproject.toml: write the owner of the repository: {one}" for one in unknown]
        wrong += unpublishable()
    for line in wrong:
        sys.stderr.write(f"{line}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
