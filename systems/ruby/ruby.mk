# CRuby for this host, then for the chip: twenty minutes of two processors, once.
.PHONY: ruby
ruby: setup ## fetch and build CRuby for the chip: rck ruby, rck irb (build/ruby); goes on where it was stopped
	@$(BIN)/python systems/ruby/cruby/build.py --jobs $(or $(JOBS),2)

# Goes on where it was stopped; needs `make ruby`, which it does not run.
.PHONY: ruby-conformance
ruby-conformance: setup ## Ruby's own tests on one core: docs/ruby-conformance.md: hours (ARGS="--match test_array")
	@$(BIN)/python systems/ruby/conformance/run.py $(ARGS)

.PHONY: ruby-storm
ruby-storm: setup ## 100,000 random calls between objects of 16 cores (CALLS=; goes on where it was stopped): hours
	@$(BIN)/python systems/ruby/tests/storm.py --calls $(or $(CALLS),100000)
