# The flight control example for many rounds of 1.2 ms, 44 releases each (ROUNDS=23000 are 10^6)

PERIODIC := systems/periodic/bare/executive.c systems/periodic/bare/clock.c \
	$(addprefix experiments/bare/,start.S paging.c print.c)

.PHONY: periodic-storm
periodic-storm: setup ## the flight control example from a random phase (ROUNDS=1000 SEED=1)
	@mkdir -p out/periodic
	@$(BIN)/rck cc -O2 -ffreestanding -nostdlib -T experiments/bare/kernel.ld $(PERIODIC) \
		-DTABLE='"../sets/flight.h"' -o out/periodic/flight.elf
	@$(BIN)/rck boot out/periodic/flight.elf --jitter $(SEED) \
		--append "rounds=$(or $(ROUNDS),1000) clock=32" | grep -v clock
