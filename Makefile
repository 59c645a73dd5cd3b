# Tavolo. `make help` lists the targets.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

PROTO_FILES := $(shell find protos -name '*.proto')
BUILT := $(VENV)/.installed build/.protos $(VENV)/.editable

.DEFAULT_GOAL := help
.PHONY: help setup run play test check bench protos release-protos lock clean system

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

bench: setup ## Every bench, as tables and JSON (under 10 minutes)
	$(BIN)/tavolo bench rules
	$(BIN)/tavolo bench cluster

clean: ## Removes everything that was built (not the data in .tavolo)
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
