#!/usr/bin/env bash
# Prints what ran and a last line that counts; fails if anything failed, or if nothing ran.
. "$(dirname "$0")/lib.sh"

awk -F '\t' '
  { printf "  %-45s %5d passed %5d failed\n", $1, $2, $3; passed += $2; failed += $3 }
  END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' "$CODECITE_TALLY"
