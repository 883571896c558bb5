# The two that matter: `make run` (set up, then chat) and `make test` (set up, then everything).
# Each needs only Python 3.11 or newer, make and git; both are quick the second time, because a set-up
# leaves a stamp in the environment that is older than nothing it was made from.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
SYNC := VIRTUAL_ENV=$(abspath $(VENV)) $(UV) pip sync --quiet --require-hashes
INSTALL := VIRTUAL_ENV=$(abspath $(VENV)) $(UV) pip install --quiet --no-deps --editable .
PYTEST := $(BIN)/python -m pytest

.DELETE_ON_ERROR:
.PHONY: run setup test cover check soak unprivileged lint format types contracts generated aio bench lock wheel clean

run: $(VENV)/.run
	@$(BIN)/memoranda chat

setup: $(VENV)/.test

# The suite comes last, so that its closing line is the last thing said.
test: lint types contracts generated unprivileged
	$(PYTEST) -n auto --dist worksteal -q

# Counting lines costs a third of the time, so it is a run of its own.
cover: $(VENV)/.test
	$(PYTEST) -n auto --dist worksteal --cov --cov-report=term -q

check: lint contracts generated
	HYPOTHESIS_PROFILE=fast $(PYTEST) -n auto --dist worksteal -q -m "not soak and not wheel and not slow"

soak: $(VENV)/.test
	HYPOTHESIS_PROFILE=soak $(PYTEST) -n auto --dist worksteal -q -m "not wheel"

lint: $(VENV)/.test
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --diff .

format: $(VENV)/.test
	$(BIN)/ruff check --quiet --fix . || true
	$(BIN)/ruff format --quiet .

types: $(VENV)/.test
	$(BIN)/mypy

# No cache: it keeps what an import meant when the module it names did not exist yet.
contracts: $(VENV)/.test
	$(BIN)/lint-imports --no-logo --no-cache

# The async face is made from the blocking one, so that there is one to read and one to test.
generated: $(VENV)/.test
	@$(BIN)/python scripts/make_aio.py --check

aio: $(VENV)/.test
	$(BIN)/python scripts/make_aio.py

unprivileged: $(VENV)/.test
	$(BIN)/python scripts/unprivileged.py

bench: $(VENV)/.test
	$(PYTEST) -c bench/pytest.ini --rootdir=bench bench

lock: $(VENV)/.uv
	$(BIN)/python scripts/lock.py --uv $(UV) $(if $(UPGRADE),--upgrade)

wheel: $(VENV)/.uv
	rm -rf dist
	$(UV) build --quiet --offline --no-index --out-dir dist

clean:
	rm -rf $(VENV) dist build htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache \
		.import_linter_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.uv: requirements/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"Memoranda needs Python 3.11 or newer: make PYTHON=/path/to/python3 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@

# A sync makes the environment exactly the set named: the run set takes the test tools away. So this rule
# drops the other's stamp, and the other, whose set holds this one, sets both.
$(VENV)/.run: $(VENV)/.uv requirements/run.txt pyproject.toml
	@rm -f $(VENV)/.test
	$(SYNC) requirements/run.txt
	$(INSTALL)
	@touch $@

$(VENV)/.test: $(VENV)/.uv requirements/test.txt pyproject.toml
	@rm -f $@
	$(SYNC) requirements/test.txt
	$(INSTALL)
	@touch $(VENV)/.run $@
