"""Watches a program on two cores: when each ended, and how far the chip was each 100 us."""

import sys

import rockcreek

chip = rockcreek.load(sys.argv[1], n=2)
chip.observe("exit", lambda event: print(f"core {event.core} ended at {event.time_ps} ps"))
chip.observe_every(10**8, lambda: print("at", chip.time_ps // 10**6, "us"))
print(chip.run(until_ps=150 * 10**6), f"{chip.instructions} instructions so far")
print(chip.run())
