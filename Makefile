# The commands of the README. Each first brings .venv up to date; where it is, that takes no time.
# PYTHON names another Python 3.11:  make refresh PYTHON=/opt/python3.11/bin/python3.11

PYTHON := python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install --quiet --use-pep517 --no-build-isolation
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-strip-extras --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

.PHONY: refresh dashboard test lint fuzz chaos bench dagster docs screenshots lock
.DELETE_ON_ERROR:

refresh: $(VENV)/.installed  ## run the pipeline once and publish
	@$(BIN)/megawatch refresh

dashboard: $(VENV)/.installed  ## open the page
	@$(BIN)/megawatch dashboard

test: $(VENV)/.developing  ## run the tests, a file at a time on each core; PYTEST_ADDOPTS narrows them
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: $(VENV)/.developing  ## style, security, import boundaries, types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

MINUTES := 10
fuzz: $(VENV)/.developing  ## fuzz every reader for so many minutes each; what broke stands in build/fuzz.json
	@$(BIN)/python -m tests.fuzz.campaign --minutes $(MINUTES) --to build/fuzz.json

chaos: $(VENV)/.developing  ## days of the replay under faults, kills and damage; SEED and DAYS choose which
	@$(BIN)/python -m tests.chaos.campaign $(if $(SEED),--seed $(SEED)) $(if $(DAYS),--days $(DAYS))

bench: $(VENV)/.developing  ## what things cost, held against their bounds; all figures stand in build/bench.json
	@$(BIN)/python -m tests.bench

dagster: $(VENV)/.developing .dagster/dagster.yaml  ## Dagster's page and scheduler, over a DAGSTER_HOME that can be deleted
	@VIRTUAL_ENV="$(CURDIR)/$(VENV)" DAGSTER_HOME="$(CURDIR)/.dagster" $(BIN)/dg dev

docs: $(VENV)/.installed  ## write docs/data-dictionary.md anew from the schemas
	@$(BIN)/python -m pipelines.dictionary

screenshots: $(VENV)/.developing  ## take the README's pictures anew, on the replay world; needs chromium and ../shared
	@$(BIN)/python -m tests.browser.screenshots

lock: $(VENV)/.developing  ## lock what pyproject.toml asks for; versions stay where they fit
	@$(LOCK) --group build --output-file requirements-build.lock
	@$(LOCK) pyproject.toml --constraint requirements-build.lock --output-file requirements.lock
	@$(LOCK) pyproject.toml --constraint requirements-build.lock --extra dev --output-file requirements-dev.lock

# ---- .venv: exactly what the lock files say, checked by hash; the project itself in place --------------------
# First what builds packages, so that none of it is fetched unchecked while others are installed.

$(VENV)/.locked: requirements-build.lock requirements.lock
	@command -v "$(PYTHON)" >/dev/null || { echo "There is no $(PYTHON) here. On Debian 12: apt-get install python3.11 python3.11-venv. Elsewhere: make PYTHON=path/to/python3.11" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "$(PYTHON) does not run, or is not Python 3.11." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip' 2>/dev/null || { echo "$(PYTHON) comes without venv. On Debian: apt-get install python3.11-venv" >&2; exit 1; }
	@echo "Installing what requirements.lock names into $(VENV), about a minute"
	@"$(PYTHON)" -m venv --clear $(VENV)
	@$(PIP) --require-hashes -r requirements-build.lock
	@$(PIP) --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	@$(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/.installed requirements-dev.lock
	@echo "Installing what requirements-dev.lock names besides into $(VENV)"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

.dagster/dagster.yaml: docs/dagster.yaml
	@mkdir -p .dagster
	@cp docs/dagster.yaml $@
