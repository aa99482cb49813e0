# Everything a developer or a first-time user types. A fresh machine needs Python 3.11 or later, pip and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TOOLS := build/tools/bin
WEIGHTS := dist/goldassay_minilm-1.0.0-py3-none-any.whl
# The interpreters that what is built is tried with, and those that every dependency must have wheels for.
PYTHONS ?= $(PYTHON)
VERSIONS ?= 3.11 3.12 3.13 3.14
READY := $(VENV)/.ready
EVERYTHING := $(VENV)/.everything
CHROMIUM := $(VENV)/chromium/chromium
export UNPACK := const fs = require("fs"), [from, to] = process.argv.slice(1); fs.writeFileSync(to, require("zlib").brotliDecompressSync(fs.readFileSync(from)))
GRAPHS := $(or $(GOLDASSAY_REFERENCE_DATA),../shared/data)/graphs

# Tests start the command some eighty times, and would compile its files each time if Python kept none.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test weights everything browser page fuzz pairs mutants packages released notebooks wheels recipes sbom image hook engines frameworks builders lowest release-check site check words docs shots gallery cards findings bench clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 15

$(READY): pyproject.toml | $(WEIGHTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --find-links dist --editable '.[all,overlap,plot]' --group test --group check
	touch $@

demo: $(READY)  ## score an example: the table, the signature, three explained misses
	$(BIN)/goldassay taxonomy examples/taxonomy/learned.ttl --gold examples/taxonomy/reference.owl --misses 3

test: $(READY)  ## run the whole suite, on all cores
	$(BIN)/python -m pytest --numprocesses auto --dist loadgroup

weights: $(WEIGHTS)  ## make the package of the weights of the default encoder: dist/goldassay_minilm-*.whl

# Made here, so that it need not be on an index.
$(WEIGHTS): packages/minilm/fetch.py packages/minilm/pyproject.toml
	$(PYTHON) -m venv build/weights
	build/weights/bin/python packages/minilm/fetch.py
	build/weights/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist packages/minilm
	touch $@

everything: $(EVERYTHING)  ## install optional test dependencies: spaCy, sentence-transformers and HermiT

$(EVERYTHING): $(READY)
	@# torch first: an index may have a build of this version without CUDA.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --find-links dist --editable '.[all,overlap,plot,spacy,sentence-transformers,reasoner,spark]'
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

fuzz: $(READY)  ## damage files in every way and read them, then guided by coverage: SECONDS=60 SEED=0; then the tests that draw their input, with new draws
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),60) --seed $(or $(SEED),0)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group fuzz
	$(BIN)/python -m tests.fuzz.guided --seconds $(or $(SECONDS),60)
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -q -x -m hypothesis

pairs: $(READY)  ## try all pairs of options of the commands and of arguments, of which the suite tries a sample
	PAIRS=all $(BIN)/python -m pytest -q tests/cli/test_pairs.py tests/test_arguments.py --numprocesses auto

mutants: $(READY)  ## run mutation testing, and list the surviving mutants (SAMPLE=200: a fixed sample)
	$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(ONLY)

$(TOOLS)/.ready: pyproject.toml
	$(PYTHON) -m venv build/tools
	$(TOOLS)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(TOOLS)/python -m pip install --quiet --disable-pip-version-check --group package
	touch $@

$(TOOLS)/.release: $(TOOLS)/.ready
	$(TOOLS)/python -m pip install --quiet --disable-pip-version-check --group release
	touch $@

packages: $(WEIGHTS) $(TOOLS)/.ready  ## build the source distribution, and the wheel from it, into dist
	rm -f dist/goldassay-[0-9]*
	$(TOOLS)/python -m build --outdir dist
	$(TOOLS)/python -m twine check --strict dist/*.whl dist/*.tar.gz

released: packages  ## install what was built where nothing else is, and try it: PYTHONS="python3.11 python3.13"
	for python in $(PYTHONS); do packages/try.sh $$python || exit 1; done

wheels: packages  ## see whether all dependencies have wheels: VERSIONS="3.13 3.14"
	for version in $(VERSIONS); do echo $$version; $(TOOLS)/python -m pip install --quiet --disable-pip-version-check --dry-run --ignore-installed \
		--target build/none --python-version $$version --only-binary :all: --find-links dist 'goldassay[all,duckdb,pandas,plot,serve]' || exit 1; done

recipes: $(TOOLS)/.release  ## check the Dockerfile, the action, the citation and the recipe of conda against what defines them
	$(TOOLS)/hadolint Dockerfile
	$(TOOLS)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(TOOLS)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(TOOLS)/pre-commit validate-manifest .pre-commit-hooks.yaml
	$(TOOLS)/uvx cffconvert --validate
	cd packages/conda && ../../$(TOOLS)/python -c 'from rattler_build import Stage0Recipe as R, VariantConfig as V; print(*R.from_file("recipe.yaml").render(V()))'

sbom: packages $(TOOLS)/.release  ## list all that comes with goldassay[all]: build/goldassay.cdx.json (CycloneDX), and the versions in dist/constraints.txt
	$(PYTHON) -m venv --clear --without-pip build/sbom
	$(TOOLS)/python -m pip --python build/sbom/bin/python install --quiet --disable-pip-version-check --only-binary :all: --find-links dist 'goldassay[all]'
	$(TOOLS)/cyclonedx-py environment --output-reproducible --output-file build/goldassay.cdx.json build/sbom/bin/python
	$(TOOLS)/python -m pip --python build/sbom/bin/python freeze --exclude goldassay --exclude goldassay-minilm > dist/constraints.txt

image: sbom  ## run the lines of the Dockerfile that install, and the program as a user other than root, without Docker
	packages/image.sh $(TOOLS)/pip $(PYTHON)

hook: packages $(TOOLS)/.release  ## try the hook of pre-commit, and uvx and pipx, with what was built
	$(TOOLS)/uvx --find-links dist --from dist/goldassay-[0-9]*.whl goldassay --version
	$(TOOLS)/pipx run --pip-args='--find-links $(CURDIR)/dist' --spec dist/goldassay-[0-9]*.whl goldassay --version
	packages/hook.sh $(TOOLS)/pre-commit

lowest: $(TOOLS)/.release $(WEIGHTS)  ## test with the oldest versions of libraries that pyproject.toml allows; warnings of theirs are ignored
	$(TOOLS)/uv venv --quiet --clear --python $(PYTHON) build/lowest
	$(TOOLS)/uv pip install --quiet --python build/lowest/bin/python --find-links dist --resolution lowest-direct --editable '.[all,overlap,duckdb,pandas]'
	$(TOOLS)/uv pip install --quiet --python build/lowest/bin/python --group test
	PATH=$(CURDIR)/build/lowest/bin:$$PATH build/lowest/bin/python -m pytest -q --numprocesses auto --dist loadgroup -W ignore::DeprecationWarning \
		-W ignore::FutureWarning -W ignore::PendingDeprecationWarning $(addprefix tests/,core formats graphs axioms alignments concepts triples labels unl cli engines/test_duckdb.py)

release-check: packages  ## all that is too slow for every change: half an hour; needs Java, and the owner of the repository in pyproject.toml
	$(TOOLS)/python packages/addresses.py --release
	$(MAKE) released wheels recipes image hook lowest
	$(MAKE) engines
	$(MAKE) mutants SAMPLE=200
	$(MAKE) frameworks builders

check: $(READY) words  ## lint, format, types and words
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

words: $(READY)  ## look for words that the documents do not use: docs/words.toml
	$(BIN)/python docs/words.py

docs: $(READY)  ## write the generated pages of the docs
	$(BIN)/python docs/generate.py

notebooks: $(READY)  ## run the tutorial notebooks, and keep what they show
	$(BIN)/python docs/notebooks.py

engines: $(EVERYTHING)  ## test DuckDB, a cluster of Spark, Spark Connect and all published values in full, in twenty minutes; needs Java
	GOLDASSAY_RELEASE=1 $(BIN)/python -m pytest tests/engines tests/published

frameworks: $(READY)  ## test goldassay in MLflow, DeepEval, Inspect and scikit-learn, which it installs (a gigabyte)
	$(PYTHON) -m venv build/frameworks
	build/frameworks/bin/python -m pip install --quiet --disable-pip-version-check --find-links dist --editable '.[mlflow,deepeval,inspect,report]' scikit-learn pytest
	build/frameworks/bin/python -m pytest -q --config-file /dev/null --rootdir . --noconftest --import-mode importlib -p no:asyncio -p no:deepeval tests/integrations/test_frameworks.py

BUILDERS = langchain-community==0.4.2 llama-index-core==0.14.25 graphiti-core==0.31.2 networkx==3.6.1 pytest

builders: $(READY)  ## test goldassay on what LangChain, LlamaIndex, Graphiti, KGGen and NetworkX write themselves, in these releases
	$(PYTHON) -m venv build/builders
	build/builders/bin/python -m pip install --quiet --disable-pip-version-check --find-links dist --editable . $(BUILDERS)
	build/builders/bin/python -m pip install --quiet --disable-pip-version-check --no-deps kg-gen==0.4.0
	build/builders/bin/python -m pytest -q --config-file /dev/null --rootdir . --noconftest --import-mode importlib tests/integrations/test_builders.py

site: $(READY) packages/page/node_modules  ## build the site of the docs: build/site/index.html; broken links and what axe finds are errors
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	$(BIN)/python docs/site_axe.py --pictures build/site_pictures

shots: $(READY)  ## make pages of every family, and pictures of them in three widths and both themes: build/shots
	$(BIN)/python docs/shots.py

gallery: $(READY)  ## make the pictures of the example gallery again
	$(BIN)/python docs/shots.py --gallery

cards: $(READY)  ## measure how measures track people, for `goldassay measures NAME`: needs the reference data; or with NAME=, RATINGS=, SCORES=
	$(BIN)/python docs/cards.py $(if $(NAME),"$(NAME)" "$(RATINGS)" "$(SCORES)")

findings: $(READY)  ## score published tables again, and write docs/findings.md: needs the reference data
	$(BIN)/python docs/findings.py

bench: $(READY)  ## run the benchmarks against other tools
	$(BIN)/python benchmarks/reading.py $(GRAPHS)/breast_neoplasm_taxonomy.owl
	$(BIN)/python benchmarks/edge_join.py pair $(GRAPHS)/breast_neoplasm_taxonomy.rdf $(GRAPHS)/breast_neoplasm_taxonomy.owl
	$(BIN)/python benchmarks/edge_join.py dense $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/edge_join.py kernels $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/resampling.py
	$(BIN)/python benchmarks/encoding.py $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/graph_scores.py $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv
	$(BIN)/python benchmarks/graph_scores.py $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv --whole
	$(BIN)/python benchmarks/axioms.py
	for task in read score scale; do $(BIN)/python benchmarks/alignments.py $$task; done
	$(BIN)/python benchmarks/concepts.py
	$(BIN)/python benchmarks/unl.py 20000
	$(BIN)/python benchmarks/selfcheck.py
	$(BIN)/python benchmarks/report_page.py $(GRAPHS)/wordnet_pred.tsv $(GRAPHS)/wordnet_gold.tsv

clean:  ## remove all generated files
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
