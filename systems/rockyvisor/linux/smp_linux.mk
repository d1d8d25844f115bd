# One Linux for many processors: some ten minutes of two processors, once.
.PHONY: smp-linux
smp-linux: setup ## fetch and build Linux for many processors: rck smp (build/smp-linux); goes on where it was stopped
	@$(BIN)/python systems/rockyvisor/linux/build.py --jobs $(or $(JOBS),2)

.PHONY: smp-linux-test
smp-linux-test: setup ## boot the Linux that `make smp-linux` has built under RockyVisor
	@$(BIN)/python -m pytest -m slow systems/rockyvisor/linux/tests $(ARGS)
