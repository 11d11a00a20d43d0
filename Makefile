# Everything a person types, in one page. `make run` and `make test` need Python 3.11-3.14 with venv and pip.

VENV := .venv
BIN := $(VENV)/bin
# The first interpreter here that is supported and can make a virtual environment.
PYTHON = $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
	>/dev/null 2>&1 && { echo $$p; break; }; done)
# Tests start hundreds of processes. Without byte code each of them, and each worker, compiles what it loads.
test soak coverage: export PYTHONDONTWRITEBYTECODE =
.PHONY: run test check fix soak coverage snapshots pictures recording map site bench clean help

run: $(VENV)/.run ## the local server and the TUI, signed in
	@$(BIN)/chinwag local

# Many tests wait for processes and a server that is far away: more of them than there are cores go on at once.
# All in one run: each worker collects all tests, which takes it seconds, and the last one of a run leaves cores idle.
test: $(VENV)/.dev ## the whole suite
	@$(BIN)/pytest -q -n 5 --dist worksteal -m "not soak"

check: $(VENV)/.dev ## format, lint, types, import contracts: what CI checks before the tests
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache >/dev/null || $(BIN)/lint-imports --no-cache

fix: $(VENV)/.dev ## what the formatter and the linter can mend by themselves
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

soak: $(VENV)/.dev ## the long random runs, outside the five minutes of `make test`
	@CHINWAG_HYPOTHESIS=soak $(BIN)/pytest -q -n 2 -W 'error:left open by:ResourceWarning' --timeout 7200 --ignore tests/e2e
	@CHINWAG_WAY=all $(BIN)/pytest -q -n 5 --timeout 7200 tests/e2e
	@CHINWAG_STALLS=1 $(BIN)/pytest -q -n 5 --timeout 7200 tests/e2e

coverage: $(VENV)/.dev ## which lines and branches the tests run; fails below the floors of docs/testing.md
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt coverage pytest-cov
	@$(BIN)/pytest -q -n 2 -m "not soak" -p pytest_cov --cov --cov-branch --cov-report= --timeout 240 \
		--ignore tests/shape --ignore tests/faults --ignore tests/security
	@$(BIN)/coverage report --include='server_lite/*' --fail-under=94 --format=total
	@$(BIN)/coverage report --include='tui/*' --fail-under=90 --format=total

snapshots: $(VENV)/.dev ## accept today's screens as right, after looking at them
	@$(BIN)/pytest -q tests/snapshot --snapshot-update

pictures: $(VENV)/.dev ## the pictures of the README
	@$(BIN)/python docs/pictures.py

recording: $(VENV)/.dev ## the recording of the README
	@$(BIN)/python docs/recording.py

map: $(VENV)/.dev ## what is generated: docs/map.md, docs/api-coverage.md, docs/keys.md, man pages, completions
	@$(BIN)/python docs/map.py
	@$(BIN)/python docs/api_coverage.py
	@$(BIN)/python docs/manual.py
	@$(BIN)/python docs/keys.py

bench: $(VENV)/.dev ## side-by-side measurements, and docs/performance.md of them; asserts nothing
	@for b in $(filter-out benchmarks/__init__.py benchmarks/machine.py benchmarks/results.py,$(wildcard benchmarks/*.py)); do \
		echo "== $$b"; $(BIN)/python $$b; done
	@$(BIN)/python docs/performance.py

site: $(VENV)/.dev ## the documents as a site, in site/; in an environment of its own
	@$(BIN)/python -m venv .cache/site
	@.cache/site/bin/python -m pip install --quiet --disable-pip-version-check '.[docs]'
	@NO_MKDOCS_2_WARNING=1 .cache/site/bin/mkdocs build --quiet --strict

clean: ## remove everything that was installed or made, but no data of a run
	@rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .cache site

help: ## this list
	@sed -n 's/^\([a-z]*\):.* ## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name what; do \
		printf '  make %-10s %s\n' "$$name" "$$what"; done

# A virtual environment that was begun and not finished, or whose Python is gone, is made anew.
$(VENV)/.made:
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
		python=$(PYTHON); \
		test -n "$$python" || { echo "Chinwag needs Python 3.11, 3.12, 3.13 or 3.14 with the venv module (on Debian: python3-venv)." >&2; exit 1; }; \
		echo "Making a virtual environment in $(VENV) …"; \
		rm -rf $(VENV); \
		$$python -m venv $(VENV) || { rm -rf $(VENV); echo "Could not make $(VENV) with $$python: see above." >&2; exit 1; }; }
	@touch $@

$(VENV)/.run: pyproject.toml constraints-run.txt | $(VENV)/.made
	@.ci/install $(VENV) constraints-run.txt Chinwag
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/.made
	@.ci/install $(VENV) constraints.txt "Chinwag and its tools"
	@touch $@ $(VENV)/.run
