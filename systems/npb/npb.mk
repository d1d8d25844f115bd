# One target for each benchmark: make npb-cg CLASS=W CORES=16

CLASS ?= S
CORES ?= 1
NPB := bt cg ep ft is lu mg
NPB_PROGRAMS := systems/npb/programs

.PHONY: $(NPB:%=npb-%)
$(NPB:%=npb-%): npb-%: setup ## one of the NAS parallel benchmarks (CLASS=S CORES=1)
	@mkdir -p out/npb
	@$(BIN)/rck cc -O3 $(wildcard $(NPB_PROGRAMS)/$*.c $(NPB_PROGRAMS)/$*/*.c) -lnpb -lrcce -o out/npb/$*
	@$(BIN)/rck run -n $(CORES) --tag none out/npb/$* $(CLASS)
