"""Simulated time that passes no faster than the host's, for chips that somebody outside waits for.

A chip at rest is through an hour in a second, and takes a processor for it: whoever types at its
terminal or calls one of its ports would always be late.
"""

from __future__ import annotations

import time

# Simulated time between two looks at the host's clock.
EVERY_PS = 2 * 10**10
_PS_PER_S = 10**12


class Pace:
    """By how much a chip is ahead of the host's clock since the last look at both."""

    def __init__(self, now_ps: int) -> None:
        self._then_ps, self._then_s = now_ps, time.monotonic()

    def ahead_s(self, now_ps: int) -> float:
        """The host's time that is to be waited for now. What the chip was slower is forgotten: it
        is not made up for."""
        ahead_s = (now_ps - self._then_ps) / _PS_PER_S - (time.monotonic() - self._then_s)
        self.restart(now_ps)
        return max(0.0, ahead_s)

    def restart(self, now_ps: int) -> None:
        """From here on, after a wait."""
        self._then_ps, self._then_s = now_ps, time.monotonic()
