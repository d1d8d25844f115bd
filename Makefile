# Rockcreek: everything starts here. `make help` lists the targets.
#
# All that a target makes lies in this checkout: .venv (Python packages and the
# command rck), target (Rust), build and python/rockcreek/_guest (the guest),
# out (results). Stamps make a repeated set-up instant; a change of Rust, C or
# Python sources rebuilds what depends on it.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

VENV := .venv
BIN := $(VENV)/bin
# The Python that makes the virtual environment; must be 3.11 or newer.
PYTHON ?= python3
# Simulations that the demo runs side by side.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(min(os.cpu_count() or 1, 8))')

# Folders are prerequisites too: a file that goes away changes its folder.
ENGINE_SOURCES := $(shell find crates machine/isa machine/registers 2>/dev/null)
GUEST_SOURCES := $(shell find guest systems examples build_backend \
	python/rockcreek/toolchain -mindepth 1 -name __pycache__ -prune -o -print)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' \
		$(MAKEFILE_LIST)

.PHONY: setup
setup: $(VENV)/.guest $(VENV)/.engine ## make all: .venv with rck, the engine, the guest

$(VENV)/.packages: requirements/setup.txt scripts/prerequisites.sh
	@python=$$(scripts/prerequisites.sh "$(PYTHON)") && \
	echo "setup: packages into $(VENV) ($$python)" && \
	"$$python" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --requirement requirements/setup.txt
	@touch $@

# Where PYTHONDONTWRITEBYTECODE is set (many containers) each start of rck would compile all modules.
.PHONY: bytecode
bytecode: $(VENV)/.packages
	@$(BIN)/python -m compileall -q python/rockcreek

# A stamp is as old as the beginning of what it stands for: what changes meanwhile is newer.
$(VENV)/.guest: $(VENV)/.packages $(GUEST_SOURCES) | bytecode
	@touch $@.begun
	@$(BIN)/python -m build_backend.guest
	@mv $@.begun $@

# The backend builds the guest too: after it, so that it finds it there.
$(VENV)/.engine: $(VENV)/.packages pyproject.toml Cargo.toml Cargo.lock \
		$(ENGINE_SOURCES) | $(VENV)/.guest
	@scripts/prerequisites.sh "$(PYTHON)" >/dev/null
	@echo "setup: the engine"; touch $@.begun
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-build-isolation --no-deps --editable .
	@mv $@.begun $@

.PHONY: demo
demo: setup ## the ping-pong of core 0 with all others: out/demo/
	@$(BIN)/rck repro pingpong --out out/demo --jobs $(JOBS) $(ARGS)

.PHONY: test
test: setup ## run all tests (ARGS="-k barrier" chooses)
	@scripts/test.sh $(ARGS)

.PHONY: slow
slow: setup ## the tests that take long: NPB on up to 36 cores, a full memory, the governor
	@$(BIN)/python -m pytest -m slow --durations=0 $(ARGS)

.PHONY: check
check: setup ## formatters, linters, type checks, other hosts
	@scripts/check.sh

# SECONDS_EACH for each of fuzz/'s targets (0: none), then a million cases against this processor in
# about a minute; SEED and CASES choose, CASE replays one and does nothing else.
SEED ?= 1
CASES ?= 1000000
SECONDS_EACH ?= 10

.PHONY: fuzz
fuzz: ## bad input for every reader; core against this processor (SEED= CASES= CASE=)
	@SECONDS_EACH=$(if $(CASE),0,$(SECONDS_EACH)) SEED=$(SEED) scripts/fuzz.sh \
		$(if $(CASE),replay --case $(CASE),run --cases $(CASES)) \
		--seed $(SEED)

.PHONY: failures
failures: setup ## every host call of a command fails, one after the other (half an hour; ARGS="--case run")
	@PYTHONPATH=tests:tests/cli $(BIN)/python -m failures.sweep_all $(ARGS)

.PHONY: stress
stress: ## what hits a core at 10,000 instants each; then `make jitters`, `make storm` and `make soak`
	@cargo test --quiet --locked --package rockcreek-chip --test suite \
		instants:: -- --ignored --nocapture
	@$(MAKE) jitters
	@$(MAKE) storm
	@$(MAKE) soak

.PHONY: jitters
jitters: setup ## waiting programs under many jitters, in all ways of executing them (ARGS="--first 100"): half an hour
	@CASES=1000 cargo test --quiet --locked --package rockcreek-chip --test suite \
		waiting::a_request_at_the_instant
	@$(BIN)/python tests/chip/jitters.py $(ARGS)

.PHONY: soak
soak: setup ## the host's memory while 8 cores rewrite their code (SECONDS=...): an hour
	@$(BIN)/python tests/host/soak.py --seconds $(or $(SECONDS),3600)

.PHONY: storm
storm: setup ## 10 million messages (MESSAGES=..., SEED=...), many placements and clocks: hours
	@$(BIN)/python tests/storm/stress.py --messages $(or $(MESSAGES),10000000) --seed $(or $(SEED),1)
	@$(BIN)/python tests/storm/stress.py --report docs/storm.md

.PHONY: invokes
invokes: setup ## 10 million random invocations of the microkernel (INVOCATIONS=...): an hour
	@$(BIN)/python systems/l4/tests/random_invokes.py --invocations $(or $(INVOCATIONS),10000000)
	@$(BIN)/python systems/l4/tests/random_invokes.py --report systems/l4/tests/invokes.md

.PHONY: traces
traces: setup ## what a trace of the whole chip costs, and what is in it: a minute
	@PYTHONPATH=tests:tests/trace $(BIN)/python tests/trace/whole_chip.py

.PHONY: shared-storm
shared-storm: setup ## all cores for few shared pages, 1,000 random programs of threads (ARGS="--share 0.01"): hours
	@$(BIN)/python tests/storm/shared.py $(ARGS)

.PHONY: threads-others
threads-others: setup ## programs of threads that others wrote, fetched and run unchanged: a minute or two (ARGS="tachyon")
	@$(BIN)/python systems/crf/others/others.py $(ARGS)

.PHONY: others
others: setup ## public programs by their own build systems, against this host's GCC; goes on where it stopped: docs/others.md: hours (ARGS="lua5.4")
	@$(BIN)/python tests/others/run.py $(if $(ARGS),$(ARGS),--page)

.PHONY: races
races: setup ## racy and clean programs of threads under --check races, over each model (minutes)
	@$(BIN)/python -m pytest -q tests/races -m "slow or not slow"

.PHONY: threads-conformance
threads-conformance: setup ## POSIX's and OpenMP's tests of threads that others wrote: docs/threads-conformance.md: half an hour
	@$(BIN)/python systems/crf/conformance/run.py $(ARGS)

.PHONY: verify
verify: setup ## every study in small, with and without skipping of waits
	@$(BIN)/rck repro --all --quick --verify --out out/verify --jobs $(JOBS)

# Half an hour on an idle host; without valgrind and qemu-i386 it says what it lacks and goes on.
.PHONY: bench
bench: setup ## the host's speed against other tools: docs/performance.md (ARGS="--quick")
	@$(BIN)/python -m benches $(ARGS)

# Fetches packages into build/bench-real; goes on where it was stopped (ARGS="--only sqlite --turns 1").
.PHONY: bench-real
bench-real: setup ## the speed of programs that others wrote, beside other tools: docs/performance.md
	@$(BIN)/python -m benches.real $(ARGS)

.PHONY: check-coherence
check-coherence: setup ## our own programs under the checker: docs/checked.md (ARGS="--only ring")
	@$(BIN)/python tests/check/sweep.py $(ARGS)

.PHONY: clusters
clusters: setup ## sweeps on Dask whose processes are killed
	@$(BIN)/python -m pytest -m slow tests/sweep $(ARGS)

.PHONY: copies
copies: setup ## break the fast copies of the chip's rules: each must fail the test of its rule
	@$(BIN)/python tests/mutants/run_copies.py $(ARGS)

.PHONY: faults
faults: setup ## two campaigns of 500 faults each: docs/faults.md (ARGS="--runs 100")
	@$(BIN)/python tests/faults/campaign.py $(ARGS)

.PHONY: mutants
mutants: setup ## break rules of the chip, one by one: each must fail a test
	@$(BIN)/python tests/mutants/run_mutants.py $(ARGS)

.PHONY: guest-mutants
guest-mutants: setup ## break rules of the guest's libraries, one by one: each must fail a test (ARGS="svm")
	@$(BIN)/python tests/mutants/run_guest.py $(ARGS)

# Fetches packages (Debian's by apt-get) into build/conformance; an hour for all suites.
.PHONY: conformance
conformance: setup ## programs that others wrote, against native runs (ARGS="torture")
	@$(BIN)/python tests/conformance/run.py $(ARGS)
	$(if $(ARGS),,@$(BIN)/python tests/conformance/run_kernels.py)

# Goes on where it was stopped; ARGS="--anew" begins again.
.PHONY: threads
threads: setup ## guest and random programs in every way of executing: docs/threads.md (SECONDS=)
	@$(BIN)/python tests/threads/campaign.py --seconds $(or $(SECONDS),3600) $(ARGS)

# Fetches packages as above; builds Linux with the host's GCC (flex, bison, bc).
.PHONY: bare-metal
bare-metal: setup ## kernels that others wrote, booted: memtest86+, Linux
	@$(BIN)/python tests/conformance/run_kernels.py $(ARGS)

.PHONY: fresh
fresh: ## demo and test as a stranger would: clone, empty HOME
	@scripts/fresh.sh

.PHONY: guest
guest: $(VENV)/.guest ## build the guest alone: sysroot, libraries, kernel

.PHONY: wheel
wheel: $(VENV)/.packages ## build the wheel into dist/, with MPI if `make mpi` has built it
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m build_backend.wheel dist

# Into an empty environment, then without a network: docs/newcomer.md.
.PHONY: newcomer
newcomer: wheel ## the wheel's way from pip to the first picture, timed
	@$(BIN)/python tests/newcomer/newcomer.py $(ARGS)

.PHONY: pictures
pictures: setup ## the guide's pictures of runs: docs/images/guide (minutes; ARGS="ring")
	@$(BIN)/python scripts/guide_pictures.py $(ARGS)

$(VENV)/.sphinx: $(VENV)/.packages requirements/guide.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --requirement requirements/guide.txt
	@touch $@

# After its packages are there it asks nothing of the network, and neither does the site.
.PHONY: guide
guide: $(VENV)/.packages $(VENV)/.sphinx ## the guide as a site: build/guide/site; any warning fails
	@echo "guide: its pages and references"
	@PYTHONPATH=python $(BIN)/python -m docs.site.stage build/guide/pages
	@echo "guide: the site (a minute)"; rm -rf build/guide/site
	@PYTHONPATH=python $(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going \
		--conf-dir docs/site --doctree-dir build/guide/doctrees build/guide/pages build/guide/site
	@$(BIN)/python -m docs.site.offline build/guide/site
	@echo "guide: build/guide/site/index.html"

# Installs Debian's chromium if there is none and this user may; SCREENSHOTS names a folder for pictures.
.PHONY: browser
browser: setup ## the page of `rck view` in a real browser (SCREENSHOTS=DIR)
	@RCK_CHROMIUM=$$(scripts/chromium.sh --install) RCK_SCREENSHOTS=$(SCREENSHOTS) \
		$(BIN)/python -m pytest tests/view/test_browser.py $(ARGS)

.PHONY: lock
lock: $(VENV)/.packages ## resolve requirements/*.in anew
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@PATH="$(CURDIR)/$(BIN):$$PATH" scripts/lock.sh --upgrade

include systems/npb/npb.mk
include systems/jcell/jcell.mk
include systems/lino/lino.mk
include systems/periodic/periodic.mk
include systems/rckmpi/rckmpi.mk
include systems/mesh/mesh.mk
include systems/lpel/lpel.mk
include systems/tcpip/tcpip.mk
include systems/planner/planner.mk
include systems/svp/svp.mk
include systems/ruby/ruby.mk
include systems/linux/linux.mk
include systems/rockyvisor/linux/smp_linux.mk

.PHONY: clean
clean: ## remove everything that was built
	rm -rf $(VENV) target build dist out python/rockcreek/_guest \
		python/rockcreek/_machine python/rockcreek/_experiments python/rockcreek/_guide python/rockcreek/_mpi \
		python/rockcreek/_native*.so
