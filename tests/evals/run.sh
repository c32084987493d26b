#!/usr/bin/env bash
# The golden questions: over the samples with the built-in model, which needs no download; then all that `make eval` gates.
set -euo pipefail
repo="$(cd "$(dirname "$0")/../.." && pwd)"
passed=0 failed=0
check() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }
check python3 "$repo/evals/check.py"
check "$repo/scripts/eval.sh" gate
check "$repo/scripts/eval.sh"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
