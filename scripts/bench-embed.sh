#!/usr/bin/env bash
# How fast the model embeds in Rust, beside Python's onnxruntime of the same version on the same file, one thread each, in turns.
. "$(dirname "$0")/lib.sh"

cargo_env "$(chosen_pg_config)"
cd "$repo"
packages="$state/python/embed"
if ! PYTHONPATH="$packages" python3 -c 'import numpy, onnxruntime, tokenizers' 2>/dev/null; then
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$packages" \
    "onnxruntime==$onnxruntime_version" "tokenizers==0.23.2" numpy ||
    note "Python's onnxruntime could not be installed: measured without it"
fi
cargo build --quiet "${cargo_workspace[@]}" --release --example throughput
say "Embedding, one thread (target: Rust within 10 % of Python)"
export CODECITE_ONNXRUNTIME="$state/onnxruntime/$onnxruntime_version/libonnxruntime.so" CODECITE_MODEL_DIR="$state/models/$model_name"
if PYTHONPATH="$packages" python3 -c 'import numpy, onnxruntime, tokenizers' 2>/dev/null; then
  CODECITE_PYTHON="$(command -v python3)"
  export CODECITE_PYTHON PYTHONPATH="$packages"
fi
"${CARGO_TARGET_DIR:-$repo/target}/release/examples/throughput"
