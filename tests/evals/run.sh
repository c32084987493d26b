#!/usr/bin/env bash
# The golden questions: the command that asks them; over the samples with the built-in model, which needs no download; then
# all that `make eval` gates.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
repo="$(cd "$here/../.." && pwd)"
passed=0 failed=0
check() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }
check python3 "$repo/evals/check.py"
check "$here/command.sh"
check "$repo/scripts/eval.sh" gate
check "$repo/scripts/eval.sh"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
