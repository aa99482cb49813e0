"""What is released: source distribution and wheel hold all that they need and no more, and what other recipes say agrees."""

import importlib.util
import re
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

import goldassay
from goldassay.cli.example import NEXT

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
WITHIN_ALL = ("abbreviations", "excel", "minilm", "owl", "report", "scipy", "tasks", "triples")
NOT_RELEASED = {".ci/run", ".github/workflows/release.yml"}
MOST_BYTES = {"whl": 2_000_000, "tar.gz": 4_000_000}


def contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")))))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return Path(next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("sdist")))))


def test_the_wheel_holds_every_file_of_the_package_and_no_other(wheel):
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.joinpath("goldassay").rglob("*") if path.is_file()}
    expected = {name for name in files if "__pycache__" not in name}
    expected |= {
        f"goldassay/{path.relative_to(ROOT).as_posix()}"
        for name in NEXT
        for path in ROOT.joinpath("examples", name).iterdir()
    }
    about = f"goldassay-{goldassay.__version__}.dist-info"
    assert set(contents(wheel)) == expected | {
        f"{about}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    assert {"goldassay/references.bib", "goldassay/py.typed"} <= expected


def test_the_source_distribution_holds_what_the_repository_holds(sdist):
    with tarfile.open(sdist) as archive:
        found = {name.partition("/")[2] for name in archive.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is not a clone, so that nothing says what belongs to the project")
    tracked = {name for name in listed.stdout.splitlines() if ROOT.joinpath(name).exists()}
    assert tracked - found == NOT_RELEASED
    assert {"packages/page/src/main.js", "packages/minilm/fetch.py", "examples/taxonomy/learned.ttl"} <= found
    assert not [
        name for name in found if re.search(r"\.venv|node_modules|safetensors|__pycache__|^dist/|^build/", name)
    ]


def test_the_source_distribution_gives_the_same_wheel(sdist, wheel, tmp_path):
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # noqa: S202 - ours, and looked at
    [unpacked] = tmp_path.iterdir()
    again = next(WheelBuilder(str(unpacked)).build(directory=str(tmp_path)))
    assert contents(again) == contents(wheel)


def module_of(name):
    spec = importlib.util.spec_from_file_location(f"goldassay_{name}", ROOT / "packages" / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("site", ["", "https://example.org/docs/"])
def test_an_index_shows_no_relative_link(site):
    hook = module_of("readme")
    text = hook.readme(ROOT.joinpath("README.md").read_text("utf-8"), site)
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert all(target.startswith("https://") for target in targets)
    assert (f"{site}chance.html" in targets, f"{site}gallery/index.html" in targets) == (bool(site), bool(site))
    assert "goldassay taxonomy" in text


def test_the_wheel_says_what_an_index_shows(wheel):
    about = contents(wheel)[f"goldassay-{goldassay.__version__}.dist-info/METADATA"].decode()
    assert "Description-Content-Type: text/markdown" in about
    assert [one for one in re.findall(r"\]\(([^)]*)\)", about) if not one.startswith("https://")] == []
    assert "# goldassay" in about


def test_addresses_are_written_once_and_filled_in(monkeypatch, tmp_path, capsys):
    found = module_of("addresses")
    assert found.main(["--check"]) == 0
    places = {place.file for place in found.PLACES} | {"pyproject.toml", "tests/test_packages.py"}
    places |= {f"packages/{name}.py" for name in ("addresses", "readme")}
    listed = subprocess.run(
        ["git", "grep", "-lE", r"\bOWNER(/|\.github)"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert {*listed.stdout.split()} <= places
    for name in {place.file for place in found.PLACES} | {"pyproject.toml", "src/goldassay/core/version.py"}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8").replace("OWNER", "someone"), "utf-8")
    monkeypatch.setattr(found, "ROOT", tmp_path)
    assert found.main(["--check"]) == 0
    capsys.readouterr()
    project = tmp_path / "pyproject.toml"
    project.write_text(project.read_text("utf-8").replace("github.com/someone/", "github.com/others/"), "utf-8")
    assert found.main(["--check"]) == 1
    assert "SECURITY.md: an address is not that of pyproject.toml" in capsys.readouterr().err
    assert found.main([]) == 0
    assert "https://github.com/others/goldassay/security/advisories/new" in (tmp_path / "SECURITY.md").read_text(
        "utf-8"
    )
    assert "uses: others/goldassay@v" in (tmp_path / "docs" / "how-to" / "build.md").read_text("utf-8")
    assert found.main(["--check"]) == 0


def test_a_release_without_addresses_or_with_relative_links_is_refused(monkeypatch, wheel, sdist, tmp_path, capsys):
    found = module_of("addresses")
    (tmp_path / "dist").mkdir()
    monkeypatch.setattr(found, "filled", dict)
    monkeypatch.setattr(found, "addresses", lambda: {"repository": "https://github.com/someone/goldassay"})
    monkeypatch.setattr(found, "ROOT", tmp_path)
    assert found.main(["--release"]) == 1
    assert "make packages" in capsys.readouterr().err
    for path in (wheel, sdist):
        (tmp_path / "dist" / path.name).write_bytes(path.read_bytes())
    assert found.main(["--release"]) == 0
    monkeypatch.setattr(found, "about_of", lambda _: "see [docs](docs/start.md) of https://github.com/OWNER/x")
    monkeypatch.setattr(found, "addresses", lambda: {"repository": "https://github.com/OWNER/goldassay"})
    assert found.main(["--release"]) == 1
    refused = capsys.readouterr().err
    for part in ("write the owner of the repository", "a relative link: docs/start.md", f"{wheel.name}: OWNER"):
        assert part in refused


def test_an_index_shows_the_addresses_once_they_are_known(wheel):
    hook = module_of("readme")
    known = {"repository": "https://github.com/someone/goldassay", "documentation": "https://example.org"}
    assert hook.urls_of(known)["Repository"] == known["repository"]
    assert hook.urls_of({**known, "repository": "https://github.com/OWNER/x"}).keys() == {"Homepage"}
    about = contents(wheel)[f"goldassay-{goldassay.__version__}.dist-info/METADATA"].decode()
    assert "Project-URL: " in about


def test_the_weights_are_published_before_goldassay():
    jobs = yaml.safe_load(ROOT.joinpath(".github", "workflows", "release.yml").read_text("utf-8"))["jobs"]
    assert {name: job.get("needs") for name, job in jobs.items()} == {
        "build": None,
        "weights": "build",
        "goldassay": "weights",
        "page": "goldassay",
    }
    for name in ("weights", "goldassay"):
        assert jobs[name]["permissions"] == {"id-token": "write"}
        [upload] = [step for step in jobs[name]["steps"] if step["uses"].startswith("pypa/gh-action-pypi-publish@")]
        assert "password" not in upload.get("with", {}), "no secret is stored"


def test_the_image_is_pinned():
    lines = ROOT.joinpath("Dockerfile").read_text("utf-8").splitlines()
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert len(bases) == 2
    assert all(re.fullmatch(r"python:3[.]\d+-slim@sha256:[0-9a-f]{64}", base) for base in bases)
    assert any("--constraint /wheels/constraints.txt" in line for line in lines)


def test_what_is_uploaded_is_small(sdist, wheel):
    for path, ending in ((wheel, "whl"), (sdist, "tar.gz")):
        assert path.stat().st_size < MOST_BYTES[ending]


def test_the_extra_all_lists_flatly_what_the_others_need():
    extras = PROJECT["optional-dependencies"]
    assert set(extras["all"]) == {one for name in WITHIN_ALL for one in extras[name]}


def test_every_extra_that_a_message_or_a_page_names_exists():
    pages = [
        *ROOT.joinpath("docs").rglob("*.md"),
        *ROOT.joinpath("src").rglob("*.py"),
        ROOT / "Dockerfile",
        ROOT / "README.md",
    ]
    texts = [path.read_text("utf-8") for path in pages if "decisions" not in path.parts]
    named = {name for text in texts for name in re.findall(r"goldassay\[([\w-]+)\]", text)}
    named |= {name for text in texts for name in re.findall(r'extra="([\w-]+)"', text)}
    assert named - set(PROJECT["optional-dependencies"]) == set()
    assert {"all", "minilm", "plot", "report"} <= named


def test_citation_package_and_recipe_are_of_one_version():
    assert f"\nversion: {goldassay.__version__}\n" in ROOT.joinpath("CITATION.cff").read_text(encoding="utf-8")
    recipe = yaml.safe_load(ROOT.joinpath("packages", "conda", "recipe.yaml").read_text("utf-8"))
    assert recipe["context"] == {"version": goldassay.__version__, "python_min": PROJECT["requires-python"].strip(">=")}


def test_the_recipe_of_conda_needs_what_the_package_needs():
    recipe = yaml.safe_load(ROOT.joinpath("packages", "conda", "recipe.yaml").read_text("utf-8"))
    python, *others = recipe["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert others == [f"{one.name} {one.specifier}" for one in map(Requirement, PROJECT["dependencies"])]
    [command] = recipe["build"]["python"]["entry_points"]
    assert dict([command.split(" = ")]) == PROJECT["scripts"]


def test_the_weights_are_named_as_the_makefile_makes_them():
    minilm = tomllib.loads(ROOT.joinpath("packages", "minilm", "pyproject.toml").read_text("utf-8"))["project"]
    name = f"dist/{minilm['name'].replace('-', '_')}-{minilm['version']}-py3-none-any.whl"
    assert f"\nWEIGHTS := {name}\n" in ROOT.joinpath("Makefile").read_text("utf-8")
