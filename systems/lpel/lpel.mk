# Nothing lost, doubled or left: 100,000 tasks on 48 cores less four donors, at random places, and
# with other clocks (TASKS=, SEED=; half an hour each); then a tenth of them on 48 cores that
# share nothing, over TCP.

TASKS ?= 100000
LPEL := systems/lpel/programs

.PHONY: lpel-storm
lpel-storm: setup ## a storm of tasks over LPEL, and one over TCP, which needs make tcpip (TASKS= SEED=)
	@mkdir -p out/lpel
	@$(BIN)/rck cc -O2 $(LPEL)/storm.c -llpel -lrcce -o out/lpel/storm
	@$(BIN)/rck cc -O2 $(LPEL)/storm_messages.c -llpel -lrcce -llwip -ltcpip -o out/lpel/storm_messages
	@for clocks in 533/800/800 800/800/800 320/800/800; do \
		echo "$$clocks"; \
		$(BIN)/rck run -n 44 --tag none --clocks $$clocks --jitter $(SEED) \
			out/lpel/storm uncached $(TASKS) $(SEED) || exit 1; \
		$(BIN)/rck run -n 48 --tag none --clocks $$clocks --jitter $(SEED) \
			out/lpel/storm_messages $$(($(TASKS) / 10)) $(SEED) || exit 1; \
	done
