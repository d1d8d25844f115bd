"""The notices that a run prints while it goes on.

They report resets of cores, voltages that are too low, dropped clients, and that all code is
interpreted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rockcreek.chip import Chip
from rockcreek.inspection import undervoltage
from rockcreek.running.progress import Progress

# The largest number of triple faults that are reported; a core may do nothing else.
MAX_RESTARTS = 100


class News:
    """News printed between slices, each item once."""

    def __init__(self, chip: Chip, progress: Progress) -> None:
        self._chip, self._progress = chip, progress
        self.restarts: list[tuple[int, int, int, int]] = []
        self._voltages = undervoltage.Notices()
        self._tells_interpreting = True

    def tell(self, clients: Iterable[str]) -> None:
        """Print what the last slice has brought, with notices about clients."""
        self._tell_restarts()
        for text in (*self._voltages.news(self._chip), *clients):
            self._say(text)
        if self._tells_interpreting and self._chip.is_host_code_denied():
            self._tells_interpreting = False
            self._say(
                "this host lets no memory become code: the run is interpreted, with the same"
                " results, several times slower"
            )

    def _say(self, text: str) -> None:
        self._progress.clear()
        print(f"rck: {text}", file=sys.stderr, flush=True)

    def _tell_restarts(self) -> None:
        """Cores that a triple fault has reset: each is reported, up to a number."""
        for restart in self._chip.restarts():
            if len(self.restarts) == MAX_RESTARTS:
                return
            self.restarts.append(restart)
            core, time_ps, vector, eip = restart
            tile = self._chip.description.tile_of(core)
            self._say(
                f"core {core:02} (tile {tile[0]},{tile[1]}): reset by a triple fault,"
                f" the last one vector {vector}, EIP {eip:#010x}, at {time_ps / 10**9:.3f} ms"
            )
            if len(self.restarts) == MAX_RESTARTS:
                self._say("further resets of this kind are not told")
