# codecite: one command per job. Each calls a script in scripts/ that can be run again at any time and says what it does.
#
# PG_CONFIG=/path/to/pg_config   build for and run on that Postgres
# CODECITE_PROFILE=release       build with full optimisation (default: dev, whose dependencies are optimised)

.DEFAULT_GOAL := help
.PHONY: help setup build install up down reset url psql demo test lint matrix bench eval quality soak image fuzz clean

help: ## show this list
	@echo "codecite. First: make demo"; echo
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 18

setup: ## what is needed, each only if missing: packages, Postgres + pgvector, ONNX Runtime, model
	@scripts/packages.sh
	@scripts/postgres.sh
	@scripts/models.sh

build: setup ## build the extension and the command `codecite`
	@scripts/install.sh build

install: setup ## build, then put the extension into Postgres
	@scripts/install.sh

up: install ## start the private server, with a database that has the extension
	@scripts/server.sh up

down: ## stop the private server
	@scripts/server.sh down

reset: ## make the database anew (what is ingested is lost)
	@scripts/server.sh reset

url: ## print the connection string
	@scripts/server.sh url

psql: ## open psql in the database
	@scripts/server.sh psql

demo: ## from nothing to five answered questions
	@scripts/demo.sh

test: ## every test on the default Postgres, and lint
	@scripts/test.sh

lint: setup ## rustfmt, clippy, cargo-deny, shellcheck
	@scripts/lint.sh

matrix: setup ## the extension and its SQL tests on the other Postgres versions
	@scripts/matrix.sh

bench: up ## speed
	@scripts/bench.sh

eval: up ## quality of answers on the golden questions
	@scripts/eval.sh

quality: ## the larger embedding model, all-mpnet-base-v2
	@scripts/quality.sh

soak: up ## an hour of what takes longer than a test may
	@scripts/soak.sh

image: ## the steps of the image and of the Debian package, proved in Debian roots; needs root
	@scripts/image.sh

fuzz: ## coverage-guided fuzzing of the readers, ten minutes each; needs a nightly compiler
	@scripts/fuzz.sh

clean: ## stop the server and remove .codecite (with every corpus in it) and target
	@scripts/clean.sh
