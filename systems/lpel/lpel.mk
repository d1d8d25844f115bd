# Nothing lost, doubled or left: 100,000 tasks on 48 cores less four donors, at random places, and
# with other clocks (TASKS=, SEED=; half an hour each).

TASKS ?= 100000
LPEL := systems/lpel/programs

.PHONY: lpel-storm
lpel-storm: setup ## a storm of tasks over LPEL (TASKS= SEED=)
	@mkdir -p out/lpel
	@$(BIN)/rck cc -O2 $(LPEL)/storm.c -llpel -lrcce -o out/lpel/storm
	@for clocks in 533/800/800 800/800/800 320/800/800; do \
		echo "$$clocks"; \
		$(BIN)/rck run -n 44 --tag none --clocks $$clocks --jitter $(SEED) \
			out/lpel/storm uncached $(TASKS) $(SEED) || exit 1; \
	done
