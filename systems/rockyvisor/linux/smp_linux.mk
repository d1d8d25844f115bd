# One Linux for many processors: some ten minutes of two processors, once.
.PHONY: smp-linux
smp-linux: setup ## fetch and build Linux for many processors: rck smp (build/smp-linux); goes on where it was stopped
	@$(BIN)/python systems/rockyvisor/linux/build.py --jobs $(or $(JOBS),2)
