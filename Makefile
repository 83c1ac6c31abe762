# Each target sets up what it needs in .venv and leaves a stamp there; `make clean` starts afresh.

MAKEFLAGS += --no-builtin-rules
.NOTPARALLEL:
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
LIT_FLAGS ?= -sv -j2
PYTEST_FLAGS ?= -n auto --dist loadfile

# torch-mlir has no wheel for every platform and Python; tests/mlir says when it is left out.
INSTALL_MLIR := $(PIP_INSTALL) -e '.[mlir]' || \
  echo 'note: torch-mlir cannot be installed here, tests of the Python bindings will be left out' >&2

# mpi4py finds the system's MPI when it runs; tests/mpi says when there is none.
INSTALL_MPI := $(PIP_INSTALL) -e '.[mpi]' || \
  echo 'note: mpi4py cannot be installed here, tests of MPI will be left out' >&2

BOTH_PASSES := lower-l2-tensor-collectives,materialize-dist-tensor-ctx

.PHONY: help
help:  ## List the targets (the default)
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'Python 3.11 or newer is found by itself; make PYTHON=... names another.'

.PHONY: demo
demo: $(VENV)/product  ## Print the example before and after both passes
	@echo '// ===== examples/chip_pipeline.mlir, as written ====='
	@$(BIN)/pld-opt examples/chip_pipeline.mlir
	@echo '// ===== after $(BOTH_PASSES) ====='
	@$(BIN)/pld-opt examples/chip_pipeline.mlir -p $(BOTH_PASSES)

.PHONY: test
test: lit pytest  ## Run all tests

.PHONY: lit
lit: $(VENV)/test  ## Run the lit tests
	$(BIN)/lit $(LIT_FLAGS) lit_tests

.PHONY: pytest
pytest: $(VENV)/test  ## Run the Python tests
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

.PHONY: check
check: $(VENV)/check  ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m basedpyright

.PHONY: format
format: $(VENV)/check  ## Format the Python code and sort its imports
	$(BIN)/ruff check --fix --select I .
	$(BIN)/ruff format .

.PHONY: clean
clean:  ## Remove .venv, build products and caches
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
	find lit_tests \( -name Output -o -name .lit_test_times.txt \) -prune -exec rm -rf {} +

# The environment. A larger set of packages holds the smaller ones, so its stamp makes theirs.

$(VENV)/product: pyproject.toml | $(VENV)/python-found
	$(PIP_INSTALL) -e .
	@touch $@

$(VENV)/test: pyproject.toml | $(VENV)/python-found
	$(PIP_INSTALL) -e '.[test]'
	$(INSTALL_MLIR)
	$(INSTALL_MPI)
	@touch $(VENV)/product $@

$(VENV)/check: pyproject.toml | $(VENV)/python-found
	$(PIP_INSTALL) -e '.[test,check]'
	$(INSTALL_MLIR)
	$(INSTALL_MPI)
	@touch $(VENV)/product $(VENV)/test $@

$(VENV)/python-found:
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "setting up $(VENV) with $$("$$python" --version)"; \
	    "$$python" -m venv $(VENV) && touch $@; exit; \
	  fi; \
	done; \
	echo 'error: no Python 3.11 or newer among: $(or $(PYTHON),python3 python3.14 ... python3.11);' \
	  'name one with make PYTHON=/path/to/python3' >&2; \
	exit 1
