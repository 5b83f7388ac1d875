# One command each. `make demo` and `make test` work on a fresh machine with Python 3.11 or 3.12.
PYTHON ?= $(shell for p in python3.12 python3.11 python3; do command -v $$p >/dev/null 2>&1 \
	&& $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
GAME ?= napoleon-tw
SOURCES := proto games workers services
PROTOS := $(wildcard proto/junto/*/*.proto proto/junto/*/*/*.proto)
STAMP := .venv/.junto-installed

# Tests start hundreds of processes: without byte code on disk each of them would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test check soak bench lock proto clean

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(STAMP)  ## make .venv with Junto and everything it needs, and compile the kernels

$(STAMP): requirements.lock pyproject.toml hatch_build.py $(PROTOS)
	@test -n "$(PYTHON)" || { echo "Junto needs Python 3.11 or 3.12: install one, or say make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "setting up .venv with $$($(PYTHON) --version); the first time this takes a few minutes, also for its kernels"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet --progress-bar off -r requirements.lock & pid=$$!; \
		while kill -0 $$pid 2>/dev/null; do printf '.'; sleep 2; done; echo; wait $$pid
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-build-isolation --no-deps --editable .
	@$(BIN)/junto warmup
	@touch $@

demo: $(STAMP)  ## play a deal through the public API and tell its story (GAME=napoleon-tw)
	@$(BIN)/junto demo --game $(GAME)

test: $(STAMP)  ## run the tests, about seven minutes on two cores
	$(BIN)/junto warmup
	$(BIN)/pytest -n 2 --dist loadgroup -m "not soak and not processes"
	$(BIN)/pytest -m "not soak and processes"

check: $(STAMP)  ## lint, types, API lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/buf lint proto/junto.binpb --path junto/v1

soak: $(STAMP)  ## the long runs that `make test` leaves out
	$(BIN)/pytest -m soak

bench: $(STAMP)  ## run every benchmark; one JSON object a line
	@for name in playouts worlds apply pool commits start deadlines profile_decisions; do $(BIN)/junto bench $$name --json || exit 1; done

proto: $(STAMP)  ## write the Python code of the .proto files again
	$(BIN)/python hatch_build.py

lock: $(STAMP)  ## pin the newest versions that pyproject.toml allows
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --no-emit-index-url --no-annotate --no-header --upgrade \
		--quiet --output-file requirements.lock
	sed -i '1i # The exact versions that are tested. Made by `make lock`.' requirements.lock

clean:  ## remove what `setup` and the tests made
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis proto/junto/_buf proto/junto.binpb
	find $(SOURCES) -name '*_pb2*.py*' -delete
