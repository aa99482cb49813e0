#!/bin/sh
# Try the hook of the last commit in another repository: packages/hook.sh PRE-COMMIT
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root"/examples/taxonomy/learned.ttl "$root"/examples/taxonomy/reference.owl "$work"
cd "$work"
git init -q
git add .
export PRE_COMMIT_HOME="$work/.cache"
run() {
    cat > hooks.yaml <<END
repos:
  - repo: $root
    rev: $(git -C "$root" rev-parse HEAD)
    hooks:
      - id: goldassay
        files: ^learned[.]ttl$
        args: [taxonomy, --gold, reference.owl, -m, literal, --quiet, --fail-under, literal.f1=$1]
END
    "$program" run --config hooks.yaml
}
run 0.1
if run 0.9; then exit 1; fi
