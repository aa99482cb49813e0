# Everything a developer or a first-time user types. A fresh machine needs Python 3.11 or later, pip and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
EVERYTHING := $(VENV)/.everything
CHROMIUM := $(VENV)/chromium/chromium
export UNPACK := const fs = require("fs"), [from, to] = process.argv.slice(1); fs.writeFileSync(to, require("zlib").brotliDecompressSync(fs.readFileSync(from)))
GRAPHS := $(or $(GOLDASSAY_REFERENCE_DATA),../shared/data)/graphs

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test weights everything browser fuzz mutants released notebooks engines frameworks site check docs bench clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@# The package of the weights is made here, so that it need not be on an index.
	$(BIN)/python packages/minilm/fetch.py
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist packages/minilm
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --find-links dist --editable '.[all,overlap]' --group test --group check
	touch $@

demo: $(READY)  ## score an example: the table, the signature, three explained misses
	$(BIN)/goldassay taxonomy examples/taxonomy/learned.ttl --gold examples/taxonomy/reference.owl --misses 3

test: $(READY)  ## run the whole suite, on all cores
	$(BIN)/python -m pytest --numprocesses auto --dist loadgroup

weights: $(READY)  ## make the package of the weights of the default encoder: dist/goldassay_minilm-*.whl

everything: $(EVERYTHING)  ## install optional test dependencies: spaCy, sentence-transformers and HermiT

$(EVERYTHING): $(READY)
	@# torch alone first: an index may have a build of this version without CUDA.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --find-links dist --editable '.[all,overlap,spacy,sentence-transformers,reasoner,spark]'
	touch $@

browser: $(CHROMIUM)  ## fetch a browser from the npm registry, for the tests of the report page

$(CHROMIUM):
	mkdir -p $(@D)
	cd $(@D) && npm pack --silent @sparticuz/chromium@147.0.0 && tar -xzf sparticuz-chromium-*.tgz
	cd $(@D) && for part in chromium al2023.tar; do node -e "$$UNPACK" package/bin/$$part.br $$part; done
	cd $(@D) && tar -xf al2023.tar && chmod +x chromium && rm -rf package *.tar *.tgz

page: packages/page/node_modules  ## bundle the script of the report page from packages/page, and its licences
	cd packages/page && node build.mjs ../../src/goldassay/report/page/page.js

packages/page/node_modules: packages/page/package-lock.json
	cd packages/page && npm ci --silent --no-audit --no-fund
	touch $@

fuzz: $(READY)  ## damage files in every way and read them: SECONDS=60 SEED=0; then the tests that draw their input, with new draws
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),60) --seed $(or $(SEED),0)
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -q -x -m hypothesis

mutants: $(READY)  ## run mutation testing, and list the surviving mutants (SAMPLE=100: a fixed sample)
	$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(ONLY)

released: $(READY)  ## install the wheel where nothing else is, and let it check itself: without extras, then with the weights
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(PYTHON) -m venv --clear build/released
	build/released/bin/python -m pip install --quiet --disable-pip-version-check --find-links dist goldassay
	cd build && released/bin/goldassay selfcheck
	build/released/bin/python -m pip install --quiet --disable-pip-version-check --find-links dist 'goldassay[minilm]'
	cd build && released/bin/goldassay taxonomy ../examples/taxonomy/learned.ttl --gold ../examples/taxonomy/reference.owl -m fuzzy --quiet

check: $(READY)  ## lint, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(READY)  ## write the generated pages of the docs
	$(BIN)/python docs/generate.py

notebooks: $(READY)  ## run the tutorial notebooks, and keep what they show
	$(BIN)/python docs/notebooks.py

engines: $(EVERYTHING)  ## test DuckDB and a cluster of Spark in full, in five minutes; needs Java
	GOLDASSAY_RELEASE=1 $(BIN)/python -m pytest tests/engines

frameworks: $(READY)  ## test goldassay in MLflow, DeepEval, Inspect and scikit-learn, which it installs (a gigabyte)
	$(PYTHON) -m venv build/frameworks
	build/frameworks/bin/python -m pip install --quiet --disable-pip-version-check --find-links dist --editable '.[mlflow,deepeval,inspect,report]' scikit-learn pytest
	build/frameworks/bin/python -m pytest -q --config-file /dev/null --rootdir . --noconftest --import-mode importlib -p no:asyncio -p no:deepeval tests/integrations/test_frameworks.py

site: $(READY)  ## build the site of the docs: build/site/index.html; broken links and references are errors
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

shots: $(READY)  ## make pages of every family, and pictures of them in three widths and both themes: build/shots
	$(BIN)/python docs/shots.py

bench: $(READY)  ## run the benchmarks against other tools
	$(BIN)/python benchmarks/reading.py $(GRAPHS)/breast_neoplasm_taxonomy.owl
	$(BIN)/python benchmarks/edge_join.py pair $(GRAPHS)/breast_neoplasm_taxonomy.rdf $(GRAPHS)/breast_neoplasm_taxonomy.owl
	$(BIN)/python benchmarks/edge_join.py dense $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/edge_join.py alone $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/resampling.py
	$(BIN)/python benchmarks/encoding.py $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/graph_scores.py $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/graph_scores.py $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv --alone
	$(BIN)/python benchmarks/axioms.py
	for task in read score scale; do $(BIN)/python benchmarks/alignments.py $$task; done
	$(BIN)/python benchmarks/concepts.py
	$(BIN)/python benchmarks/unl.py 20000
	$(BIN)/python benchmarks/report_page.py $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv

clean:  ## remove all generated files
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
