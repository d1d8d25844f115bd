# The flight control example for rounds of 1.2 ms, 44 releases each, from a random phase for each seed: 10 seeds of
# 2300 rounds are 10^6 releases (about ten minutes). The sum at the end: releases, missed, too long, lost.

PERIODIC := systems/periodic/bare/executive.c systems/periodic/bare/clock.c \
	$(addprefix experiments/bare/,start.S paging.c print.c)

.PHONY: periodic-storm
periodic-storm: setup ## the flight control example from random phases (ROUNDS=2300 SEEDS=10)
	@mkdir -p out/periodic
	@$(BIN)/rck cc -O2 -ffreestanding -nostdlib -T experiments/bare/kernel.ld $(PERIODIC) \
		-DTABLE='"../sets/flight.h"' -o out/periodic/flight.elf
	@for seed in $$(seq $(or $(SEEDS),10)); do \
		$(BIN)/rck boot -q out/periodic/flight.elf --jitter $$seed --tag none \
			--append "rounds=$(or $(ROUNDS),2300) clock=32" || exit 1; \
	done | grep -v clock | tee out/periodic/storm.txt
	@awk '/^task/ { all += $$3; missed += $$4; longer += $$5; lost += $$8; } \
		END { print all, "releases:", missed, "missed,", longer, "too long,", lost, "lines lost"; \
			exit !all || missed + longer + lost }' out/periodic/storm.txt
