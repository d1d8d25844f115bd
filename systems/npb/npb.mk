# One target for each benchmark: make npb-cg CLASS=W CORES=16

CLASS ?= S
CORES ?= 1
NPB := ep cg is

.PHONY: $(NPB:%=npb-%)
$(NPB:%=npb-%): npb-%: setup ## one of the NAS parallel benchmarks (CLASS=S CORES=1)
	@mkdir -p out/npb
	@$(BIN)/rck cc -O3 systems/npb/programs/$*.c -lnpb -lrcce -o out/npb/$*
	@$(BIN)/rck run -n $(CORES) --tag none out/npb/$* $(CLASS)
