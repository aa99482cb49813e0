#!/bin/sh
# Install what was built into dist where nothing else is, and try it outside of the checkout: packages/try.sh PYTHON
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -m venv "$work/venv"
install() { "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --find-links "$root/dist" "$@"; }
cd "$work"
ours() { env -u GOLDASSAY_MODEL_PATH PYTHONPATH= GOLDASSAY_CACHE_DIR="$work/cache" HF_HOME="$work/hub" "$work/venv/bin/goldassay" "$@"; }

install --only-binary :all: goldassay
ours selfcheck
ours example
# Without extras, whatever needs one says which, and what can be done without it.
ours taxonomy examples/taxonomy/learned.ttl --gold examples/taxonomy/reference.owl --quiet > out 2>&1 && exit 1
for said in "pip install 'goldassay\[minilm\]'" "-m literal" "--encoder hashing"; do grep -q -- "$said" out || { cat out; exit 1; }; done
install --only-binary :all: 'goldassay[minilm]'
ours taxonomy examples/taxonomy/learned.ttl --gold examples/taxonomy/reference.owl -m fuzzy --quiet
# The source distribution gives the same program.
install --force-reinstall --no-deps --no-binary goldassay goldassay
ours selfcheck > /dev/null
"$work/venv/bin/python" --version
