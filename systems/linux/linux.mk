# Linux and busybox: some twenty minutes of two processors, once.
.PHONY: linux
linux: setup ## fetch and build Linux for every core: rck linux (build/linux); goes on where it was stopped
	@$(BIN)/python systems/linux/build.py --jobs $(or $(JOBS),2)
