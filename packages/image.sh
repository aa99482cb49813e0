#!/bin/sh
# Do what the Dockerfile does, in a folder: the RUN lines of its first stage, then its program as somebody who is not root.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/wheels"
cp "$root"/dist/*.whl "$work/wheels"
sed -n '/ AS installed/,/^FROM python[^ ]*$/{ /^RUN/,/[^\\]$/p; }' "$root/Dockerfile" | sed -e 's/^RUN //' \
    -e "s|/opt/goldassay|$work/goldassay|g" -e "s|/wheels|$work/wheels|g" > "$work/run.sh"
grep -q install "$work/run.sh"
sh -eu "$work/run.sh"
chmod 755 "$work" && cp -r "$root/examples" "$work/data"
cd "$work/data"
alone="env -i PATH=$work/goldassay/bin:/usr/bin:/bin GOLDASSAY_CACHE_DIR=$work/none"
[ "$(id -u)" != 0 ] || alone="setpriv --reuid 1000 --regid 1000 --clear-groups $alone"
$alone goldassay taxonomy taxonomy/learned.ttl --gold taxonomy/reference.owl -m fuzzy --quiet
du -sh "$work/goldassay" | cut -f 1
