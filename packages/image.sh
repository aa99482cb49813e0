#!/bin/sh
# Do what the Dockerfile does, in a folder: the RUN lines of its first stage, then its program as somebody who is not root.
# packages/image.sh PIP [PYTHON]: PIP installs, and PYTHON is the interpreter of the program.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
pip=$(realpath "$1")
python=${2:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/wheels"
cp "$root"/dist/*.whl "$root"/dist/constraints.txt "$work/wheels"
cp -r "$root/examples" "$work/data"
chmod 755 "$work"
sed -n '/ AS installed/,/^FROM [^ ]*$/{ /^RUN/,/[^\\]$/p; }' "$root/Dockerfile" | sed -e 's/^RUN //' \
    -e "s|python -m pip|$pip --quiet|" -e "s|python -m venv|$python -m venv|" \
    -e "s|/opt/goldassay|$work/goldassay|g" -e "s|/wheels|$work/wheels|g" > "$work/run.sh"
grep -q install "$work/run.sh"
sh -eu "$work/run.sh"
du -sh "$work/goldassay" | cut -f 1
cd "$work/data"
run() { env -i PATH="$work/goldassay/bin:/usr/bin:/bin" GOLDASSAY_CACHE_DIR="$work/none" "$@"; }
if [ "$(id -u)" = 0 ] && run setpriv --reuid 1000 --regid 1000 --clear-groups python --version; then
    run setpriv --reuid 1000 --regid 1000 --clear-groups goldassay taxonomy taxonomy/learned.ttl --gold taxonomy/reference.owl -m fuzzy --quiet
else
    echo "not tried as somebody who is not root: $python cannot be run by others"
    run goldassay taxonomy taxonomy/learned.ttl --gold taxonomy/reference.owl -m fuzzy --quiet
fi
