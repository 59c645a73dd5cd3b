# Tavolo. `make help` lists the targets.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

PROTO_FILES := $(shell find protos -name '*.proto')
BUILT := $(VENV)/.installed build/.protos $(VENV)/.editable

.DEFAULT_GOAL := help
.PHONY: help setup run play test check invariants bench protos release-protos lock clean system

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

setup: $(BUILT) ## Virtual environment from the lock file, stubs, the project editable; nothing when nothing changed

$(VENV)/.installed: requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@touch $@

build/.protos: $(PROTO_FILES) protos/generate.py $(VENV)/.installed
	$(BIN)/python protos/generate.py
	@touch $@

$(VENV)/.editable: pyproject.toml build/.protos
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

protos: ## Stubs from protos/ into build/gen, whether they changed or not
	@rm -f build/.protos
	@$(MAKE) --no-print-directory setup

run: setup ## The whole cluster on this machine; says where to point the browser
	$(BIN)/tavolo up

play: setup ## A terminal client: sign in and play scopa against a computer player
	$(BIN)/tavolo play

test: setup ## Every test
	$(BIN)/python -m pytest

check: setup ## Style, types, import contracts, protos (lint, compatibility), manifests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy services tests protos deploy
	$(BIN)/lint-imports
	$(BIN)/buf lint protos
	$(BIN)/buf breaking protos --against protos/released.json
	$(BIN)/python deploy/validate.py

invariants: setup ## 20,000 random hands of every game, held to what the games keep (about an hour on two cores)
	$(BIN)/python -m tests.rules.invariants $(ARGS)

bench: setup ## Every bench, as tables and JSON (under 10 minutes)
	$(BIN)/tavolo bench rules
	$(BIN)/tavolo bench cluster

release-protos: setup ## The protos as they are become the ones that later ones must be compatible with
	@if [ -e protos/released.json ] && ! git diff HEAD -- CHANGELOG.md | grep -qiE '^\+.*protocol'; then \
		echo "CHANGELOG.md has no new line about the protocol: say first what integrators will notice"; exit 1; fi
	$(BIN)/buf build protos --exclude-source-info -o protos/released.json

lock: ## requirements.lock anew, from the ranges in pyproject.toml
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT \
		&& $(PYTHON) -m venv "$$folder" \
		&& "$$folder/bin/python" -m pip install --quiet --disable-pip-version-check pip-tools \
		&& "$$folder/bin/python" -m piptools compile --quiet --extra dev --strip-extras --no-header \
			--no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
			--output-file requirements.lock pyproject.toml

system: ## What tests need that is no Python package: promtool (Debian, Ubuntu; as root or with sudo)
	@command -v promtool >/dev/null || { \
		sudo=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$sudo apt-get update -qq && $$sudo apt-get install -y -qq --no-install-recommends prometheus; }

clean: ## Removes everything that was built (not the data in .tavolo)
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
