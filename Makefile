# Every target sets up what it needs in .venv; nothing but Python 3.11 or later and pip has to be there.
# Targets: demo, test, test-editors, vsix, nightly, tidy, bench.

PYTHON ?= python3
VENV   ?= .venv
PY      = $(VENV)/bin/python
PIP     = $(PY) -m pip --disable-pip-version-check install --quiet
PYTEST  = $(PY) -m pytest
# Processes that share the tests.
JOBS   ?= 2

# A stamp per kind of set-up: installed again only when the metadata changed.
INSTALLED = $(VENV)/.installed
DEVELOP   = $(VENV)/.develop

.PHONY: demo test test-editors vsix nightly tidy bench clean
.DEFAULT_GOAL := test

$(PY):
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "warpcost needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(PY)
	$(PIP) --editable .
	@touch $@

$(DEVELOP): pyproject.toml | $(PY)
	$(PIP) --editable '.[dev]'
	@$(PIP) --editable '.[oracles]' || echo 'libclang cannot be installed here: what needs it in tests/oracles is skipped, and says so'
	@touch $@ $(INSTALLED)

# `check` ends with 1 when it has findings, and these kernels are written to have some: only 2 is a failure here.
demo: $(INSTALLED)
	@$(VENV)/bin/warpcost check examples/*.cu || test $$? -eq 1

test: $(DEVELOP)
	$(PYTEST) tests --ignore=tests/editors --ignore=tests/bench -m 'not nightly' -n $(JOBS) --dist worksteal

# Real editors; they and a browser are unpacked into .cache/editors first, beside the system (tests/editors/tools).
test-editors: $(DEVELOP)
	$(PY) -m tests.editors.tools
	$(PYTEST) tests/editors -m 'not nightly' -n $(JOBS) --dist worksteal

vsix: $(DEVELOP)
	$(PY) editor_clients/vscode/build.py

nightly: $(DEVELOP)
	$(PYTEST) tests --ignore=tests/editors --ignore=tests/bench -m nightly -n $(JOBS) --dist worksteal
	$(PY) -m tests.editors.tools
	$(PYTEST) tests/editors -m nightly -n $(JOBS) --dist worksteal

tidy: $(DEVELOP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PYTEST) -q tests/test_tidy.py

bench: $(DEVELOP)
	@for script in tests/bench/bench_*.py; do \
	  if [ -e "$$script" ]; then echo "== $$script"; $(PY) "$$script" || exit 1; fi; done

clean:
	rm -rf $(VENV) .cache .pytest_cache .ruff_cache .mypy_cache .hypothesis build dist
