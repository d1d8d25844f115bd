# CRuby for this host, then for the chip: twenty minutes of two processors, once.
.PHONY: ruby
ruby: setup ## fetch and build CRuby for the chip: rck ruby, rck irb (build/ruby); goes on where it was stopped
	@$(BIN)/python systems/ruby/cruby/build.py --jobs $(or $(JOBS),2)
