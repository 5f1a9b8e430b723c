# SPDX-License-Identifier: Apache-2.0
#
# One word per thing to do. Every word sets up what it needs.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PY     := $(BIN)/python
# A test waits for its VM half of the time.
WORKERS ?= $(shell cores=$$(nproc 2>/dev/null || echo 2); echo $$((cores < 4 ? 2 * cores : cores)))
JDKS    ?= 11 17 21 25

# Images of containers set it. The tests start thousands of Python processes, and each would compile
# what it imports (0.7 s) and pytest the assertions of all tests.
unexport PYTHONDONTWRITEBYTECODE

NATIVE := $(shell find native -name '*.cpp' -o -name '*.h' -o -name '*.map' -o -name '*.cmake' -o -name CMakeLists.txt 2>/dev/null)
PYTEST := $(BIN)/pytest
# Several people may build in one tree; a build directory takes one build at a time.
LOCKED := $(shell command -v flock >/dev/null && echo "flock build/.lock")

.PHONY: setup build optimized jdks editors window demo test lint fix tidy generate e2e matrix bench scale fuzz stress docs asan tsan jni version agents packed-agents platforms wheels extension frozen vsix site release clean help FORCE

help:
	@echo "make setup     the virtual environment, the native build, an editable install"
	@echo "make demo      debug a Java program through our agent"
	@echo "make test      the tests that CI runs        make e2e     the slow ones too"
	@echo "make lint      every check that is not a test  make fix   repair what can be repaired"
	@echo "make matrix    the tests on JDK 11, 17, 21, 25  make asan  the agent under ASan and UBSan"
	@echo "make bench     the benchmark table           make fuzz    codec, options, packets: libFuzzer"
	@echo "make stress    anything goes, for minutes    make tsan    the same, for races in the agent"
	@echo "make jni       the agent's calls of JNI, checked by the VM (-Xcheck:jni)"
	@echo "make scale     what many threads, classes, objects cost, beside libjdwp"
	@echo "make build     rebuild the native parts      make docs    generate the reference"
	@echo "make agents    the agent for all systems, in dist/agents/  make platforms  tries them"
	@echo "make wheels    sdist and wheels, in dist/    make extension  the .vsix, in dist/"
	@echo "make frozen    jvmdebug without Python: dist/jvmdebug-linux-x64.tar.gz, tried"
	@echo "make vsix      the extension with that in it, for this platform"
	@echo "make site      the documentation as a site, in build/site"
	@echo "make release   all files of a release, checked; TAG=yes tags the commit"
	@echo "make editors   Emacs and Neovim for the end-to-end tests, in build/; make window: VS Code"
	@echo "make version   show the version; VERSION=1.2.3 sets it everywhere"
	@echo "make clean     remove everything that make made"

setup: $(VENV)/.built
build: $(VENV)/.built

# Steps of `make setup`. The first uses the system's Python and installs nothing with pip.
STEP := -m tools.progress

$(VENV)/.made:
	@echo "[1/4] compiler, Python headers, JDK"
	@$(PYTHON) -m tools.system_packages
	@test -x $(PY) || $(PYTHON) $(STEP) "[2/4] virtual environment in $(VENV)" 5 -- $(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.dependencies: $(VENV)/.made pyproject.toml
	@$(PY) -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(PY) $(STEP) "[3/4] Python packages for building and testing" 30 -- $(PY) -m pip install --no-compile --group dev
	@touch $@

# The editable install maps each module to a file: it is renewed when a module is added, moved or
# removed.
$(VENV)/.modules: $(VENV)/.made FORCE
	@find jvmdebug adapters -name '*.py' | sort > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(VENV)/.built: $(VENV)/.dependencies $(VENV)/.modules CMakeLists.txt $(NATIVE)
	@mkdir -p build
	@$(PY) $(STEP) "[4/4] agent and Python module, C++" $(if $(wildcard build/editable-*),0,80) -- $(LOCKED) $(PY) -m pip install -v --no-build-isolation --editable .
	@touch $@

jdks: $(VENV)/.dependencies
	@$(PY) -m tools.jdk fetch 17 25

# What tests/e2e/editors runs; what cannot be fetched is told, and its tests are skipped.
editors: $(VENV)/.dependencies
	@$(PY) -m tools.editors || true

# The VS Code and the browser of tests/e2e/vscode; what fails is told, and tried again by the tests.
window: $(VENV)/.made
	@! command -v npm >/dev/null || tests/e2e/vscode/provision.sh build/vscode || true

test: setup jdks
	$(PYTEST) -n $(WORKERS) --dist worksteal -m "not slow"

e2e: setup jdks editors
	$(PYTEST) -n $(WORKERS) --dist worksteal tests/e2e

matrix: setup
	@$(PY) -m tools.jdk fetch $(JDKS)
	@$(PY) -m tools.matrix -n $(WORKERS) --jdk $(JDKS) $(if $(PARTS),--part $(PARTS))

asan: setup jdks
	JVMDEBUG_TEST_SETS=all $(PY) -m tools.sanitized -n $(WORKERS)

jni: setup jdks
	$(PY) -m tools.checked_jni -n $(WORKERS)

tsan: setup jdks
	$(PY) -m tools.races
	$(PY) -m tools.races --fast

stress: setup jdks
	$(PY) -m tests.stress
	$(PY) -m tests.stress --fast
	$(PY) -m tests.stress --sampling --fast
	$(PY) -m tests.stress --probes --fast --minutes 3
	$(PY) -m tests.stress --programs --minutes 20 --quiet
	$(PY) -m tools.tests -q -n 1 tests/e2e/libraries/test_probes_everywhere.py

fuzz: setup
	$(PY) -m tools.fuzzed
	HYPOTHESIS_PROFILE=fuzz $(PYTEST) tests/fuzz --timeout=1800

# What is measured is optimized as in a wheel; a build directory of its own, so that `make build`
# stays quick.
optimized: setup
	@$(PY) $(STEP) "agent and Python module, optimized" 150 -- $(LOCKED) \
	  env SKBUILD_CMAKE_DEFINE="CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG" SKBUILD_BUILD_DIR=build/optimized \
	  $(PY) -m pip install -v --no-build-isolation --editable .

bench: optimized jdks
	$(PY) -m tests.bench

scale: optimized jdks
	$(PY) -m tests.scale

demo: setup
	$(PY) -m examples.demo

# The checks go on after a failure, so that one run shows everything there is to repair.
lint: setup
	@$(PY) -m tools.lint

tidy: setup
	$(PY) -m tools.tidy

fix: setup
	$(BIN)/ruff check --fix --quiet || true
	$(BIN)/ruff format
	git ls-files 'native/*.h' 'native/*.cpp' | grep -v /generated/ | xargs -r $(BIN)/clang-format -i

generate: setup
	$(PY) -m native.protocol.generate
	$(PY) -m tools.agent_classes
	$(PY) -m tools.dap_capabilities
	$(PY) -m tools.sync_api
	$(PY) -m tools.recipes
	$(PY) -m tools.api_reference
	$(PY) -m tools.jvmti_reference

docs: generate

version: setup
	@$(PY) -m tools.version $(VERSION)

# The compilers for other systems, of which only these two and a release have need.
$(VENV)/.agents: $(VENV)/.dependencies
	@$(PY) -m pip install --quiet --group agents
	@touch $@

agents: $(VENV)/.agents
	@mkdir -p build
	@$(LOCKED) $(PY) -m tools.agents $(NAMES)

# What a package carries: that of macOS on x86-64 has not been built (docs/reference/platforms.md).
PACKED_AGENTS := linux-x86_64 linux-aarch64 linux-musl-x86_64 linux-musl-aarch64 macos-arm64 windows-x86_64

packed-agents: $(VENV)/.agents
	@mkdir -p build
	@$(LOCKED) $(PY) -m tools.agents $(PACKED_AGENTS)

# Of those that are named, only these have an agent of their own.
platforms: setup $(VENV)/.agents
	@set -e; for each in $(filter linux-aarch64 windows-x86_64,$(or $(NAMES),linux-aarch64 windows-x86_64)); do \
	  $(LOCKED) $(PY) -m tools.agents $$each; done
	@$(PY) -m tools.platforms $(NAMES)

# What only a release needs is not part of `make setup`.
$(VENV)/.release: $(VENV)/.dependencies
	@$(PY) -m pip install --quiet --group release
	@touch $@

wheels: setup $(VENV)/.release
	@$(LOCKED) $(PY) -m tools.agents $(PACKED_AGENTS)
	@$(PY) -m tools.release --only sdist wheels pure

extension: $(VENV)/.dependencies
	@$(PY) -m tools.release --only extension

# In an environment of its own: MkDocs is no part of what is developed. A dead link is an error.
site:
	@test -x build/site-venv/bin/mkdocs || ($(PYTHON) -m venv build/site-venv && \
	  build/site-venv/bin/python -m pip install --quiet --upgrade 'pip>=25.1' && \
	  build/site-venv/bin/python -m pip install --quiet --group site)
	@NO_MKDOCS_2_WARNING=1 build/site-venv/bin/python -m mkdocs build --strict --config-file packaging/site/mkdocs.yml
	@echo "build/site/index.html"

# Both are of this machine's platform; hosted CI makes them for the others.
frozen: setup
	@$(PY) -m tools.frozen

vsix: setup
	@$(PY) -m tools.frozen --vsix

release: setup $(VENV)/.release
	@$(LOCKED) $(PY) -m tools.agents $(PACKED_AGENTS)
	@$(PY) -m tools.release $(if $(TAG),--tag)

clean:
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
