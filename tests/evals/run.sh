#!/usr/bin/env bash
# The golden questions over the samples with the built-in model: the gate that needs no download.
set -euo pipefail
repo="$(cd "$(dirname "$0")/../.." && pwd)"
python3 "$repo/evals/check.py"
if "$repo/scripts/eval.sh" gate; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed" && exit 1; fi
