# One Linux for many processors: some ten minutes of two processors, once.
.PHONY: smp-linux
smp-linux: setup ## fetch and build Linux for many processors: rck smp (build/smp-linux); goes on where it was stopped
	@$(BIN)/python systems/rockyvisor/linux/build.py --jobs $(or $(JOBS),2)

.PHONY: smp-linux-hypercalls
smp-linux-hypercalls: setup ## as smp-linux, one that calls its hypervisor: rck smp --hypercalls
	@$(BIN)/python systems/rockyvisor/linux/build_calling.py --jobs $(or $(JOBS),2)

# Some 50 in a boot; goes on where it was stopped (ARGS="--failed").
.PHONY: smp-conformance
smp-conformance: setup ## POSIX's tests of threads and semaphores by `rck smp -n 4`: docs/smp-conformance.md (needs make smp-linux)
	@$(BIN)/python systems/rockyvisor/linux/conformance/run.py $(ARGS)

.PHONY: smp-storm
smp-storm: setup ## 48 processors want one lock and 1,000 pages, 500 random programs in `rck smp`: docs/smp-storm.md: an hour
	@$(BIN)/python tests/storm/smp.py $(ARGS)

.PHONY: smp-linux-test
smp-linux-test: setup ## boot the Linux that `make smp-linux` has built under RockyVisor
	@$(BIN)/python -m pytest -m slow systems/rockyvisor/linux/tests $(ARGS)
