# Everything happens in .venv, which is made at the first need and again when what it holds changes.
# All paths are relative, so that the folder of the clone may have any name.

PYTHON ?= python3
DEALS  ?= 1M
SEED   ?= 1
OUT    ?=

STRATEGIES = random shortest greedy king-pile descending-step need-order need-order-deep
BIN        = .venv/bin
VENV       = .venv/.made

.PHONY: help run test lint slow results bench wheel clean

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /  make \1	/p' Makefile
	@echo 'PYTHON=... names the interpreter that .venv is made with ($(PYTHON)).'

run: $(VENV) ## the main job: all basic strategies on the same deals (DEALS=1M SEED=1 OUT=results/...)
	$(BIN)/calcsim run $(STRATEGIES) --deals '$(DEALS)' --seed '$(SEED)'$(if $(OUT), --out '$(OUT)')

test: $(VENV) ## the tests, on all cores
	@$(BIN)/python -m pytest

lint: $(VENV) ## style, formatting and types
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/python -m mypy

slow: $(VENV) ## the tests that take minutes
	@$(BIN)/python -m pytest -m slow

results: $(VENV) ## the published tables in results/, again (some minutes)
	@$(BIN)/python results/publish.py

bench: $(VENV) ## the speed of the engine
	@$(BIN)/python tests/bench/bench.py

# Old wheels go first: dist/ then holds the one that was just built.
wheel: $(VENV) ## the wheel, into dist/
	@rm -f dist/calcsim-*.whl
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist/calcsim-*.whl

clean: ## removes all that was made, except results
	rm -rf .venv dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -rf tests/bench/build tests/bench/twin tests/bench/*.o tests/bench/*.so
	find calcsim strategies tests -name __pycache__ -prune -exec rm -rf '{}' +

# From scratch each time (--clear): packages that are no longer wanted would otherwise stay. The
# stamp comes last, so that an installation that was broken off is not taken for a whole one.
$(VENV): pyproject.toml constraints.txt
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "calcsim needs Python 3.11 or newer, which '$(PYTHON)' is not: make PYTHON=/path/to/python3.11" >&2; \
	  exit 1; }
	@echo 'Making .venv with all that calcsim and its tests need (about a minute) ...'
	@'$(PYTHON)' -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  -c constraints.txt -e '.[test,dev]'
	@touch $@
