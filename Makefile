# Two commands: `make app` starts Orthoscope, `make test` checks everything. The README has the same as plain lines.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: app test format pins bench clean

app: .venv/.compiled
	$(BIN)/streamlit run streamlit_app.py $(if $(WORKSPACE),-- --workspace "$(WORKSPACE)")

test: .venv/.compiled .venv/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	sh tests/browser/ensure_browser.sh $(BIN)/python
	$(BIN)/python -m pytest

format: .venv/.tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.compiled .venv/.tools
	$(BIN)/python -m benchmarks

# For whoever updates pins; needs uv.
pins:
	uv pip compile --no-header --universal --python-version 3.11 --fork-strategy fewest requirements.in -o requirements.txt
	uv pip compile --no-header --universal --python-version 3.11 --fork-strategy fewest requirements-dev.in -o requirements-dev.txt

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/.installed: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Orthoscope needs Python 3.11 or newer: make PYTHON=python3.12 app")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/.tools: .venv/.installed requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

.venv/.compiled: .venv/.installed $(wildcard analysis/kernels/*.py)
	$(BIN)/python -m analysis.kernels
	touch $@
