# Linux and busybox: some ten minutes of two processors, once.
.PHONY: linux linux-test
linux: setup ## fetch and build Linux for every core: rck linux (build/linux); goes on where it was stopped
	@$(BIN)/python systems/linux/build.py --jobs $(or $(JOBS),2)

linux-test: setup ## boot the Linux that `make linux` has built, and run programs on it
	@$(BIN)/python -m pytest -m slow systems/linux/tests $(ARGS)

.PHONY: linux-cost
linux-cost: setup ## twenty programs under our own kernel and under Linux: a table (ARGS="--only NPB")
	@$(BIN)/python systems/linux/cost/cost.py $(ARGS)

# Goes on where it was stopped; needs `make linux`, which it does not run.
.PHONY: linux-busybox
linux-busybox: setup ## busybox's own tests on a core under Linux: docs/linux-busybox.md (ARGS="--match ^tar")
	@$(BIN)/python systems/linux/conformance/run.py $(ARGS)
