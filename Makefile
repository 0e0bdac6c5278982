# Two commands set everything up: `make demo` to see it work, `make test` to run every check and test.
# Assumed: python3 (3.11 or newer) with venv, and make. Everything else goes into .venv.

VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements.lock
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
WORKERS ?= 2
# The newest python3 that can make an environment; override with `make PYTHON=… test`.
PYTHON ?= $(shell for python in python3.14 python3.13 python3.12 python3.11 python3; do \
	"$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo "$$python"; break; }; done)

.PHONY: help demo test check bench soak screenshots clean

help: ## say what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 24

demo: $(VENV)/.demo ## install, then play the demo in this terminal
	@$(BIN)/roundwatch demo $(DEMO)

test: $(VENV)/.dev ## install, then run every check and every test, those of the built wheel too
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup

check: test ## the same as CI

bench: $(VENV)/.dev .bench-venv/.made ## run the measurements, one after the other
	@for script in tests/benchmarks/bench_*.py; do \
		echo "== $$script"; $(BIN)/python -m "tests.benchmarks.$$(basename "$$script" .py)" || exit 1; done

# mitmproxy, which the proxy is measured against, has an environment of its own: its pins are not ours.
.bench-venv/.made: tests/benchmarks/requirements.txt
	@"$(PYTHON)" -m venv .bench-venv
	@.bench-venv/bin/python -m pip --disable-pip-version-check --quiet --quiet install --requirement $< \
		&& touch .bench-venv/.made || echo "mitmproxy cannot be installed here: the proxy is measured without it" >&2

soak: $(VENV)/.dev ## run the long fault and endurance tests, one after the other
	@for script in tests/soak/soak_*.py; do \
		echo "== $$script"; $(BIN)/python -m "tests.soak.$$(basename "$$script" .py)" || exit 1; done

screenshots: $(VENV)/.dev ## make the pictures in screenshots/ from the running app
	$(BIN)/python tests/screenshots.py

clean: ## remove the environment and what tools left behind
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage .bench-venv

# Stamps: an environment is renewed when what it was made from changes.
$(VENV)/.demo: pyproject.toml $(LOCK) | $(VENV)/.made
	@$(PIP) install --no-build-isolation --constraint $(LOCK) --editable '.[demo]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(LOCK) $(VENV)/.demo | $(VENV)/.made
	@$(PIP) install --constraint $(LOCK) --group dev
	@touch $@

# pip reads dependency groups since 25.1; setuptools of the lock builds the project, so nothing is fetched unpinned.
$(VENV)/.made:
	@test -n "$(PYTHON)" || { \
		echo "roundwatch needs Python 3.11 or newer with venv; python3 here is: $$(python3 --version 2>&1)." >&2; \
		echo "Install one (Debian: apt-get install python3 python3-venv) or name one: make PYTHON=/path/to/python3.12 …" >&2; \
		exit 1; }
	@echo "making $(VENV) with $(PYTHON); the first time this takes a minute"
	@"$(PYTHON)" -m venv $(VENV)
	@$(PIP) install --constraint $(LOCK) --upgrade pip setuptools
	@touch $@
