"""The die as lines of a terminal: a block for each core, bright where it executes much.

Colours are those of the pictures; where nobody wants any (NO_COLOR) characters take their place.
"""

from __future__ import annotations

import os

from rockcreek.chip import Chip

_SHADES = " .:+#"
_RESET = "\x1b[0m"


class LiveDie:
    """Draws the instructions per cycle of each core since it drew last."""

    def __init__(self, chip: Chip, cores: tuple[int, ...]) -> None:
        self._chip, self._cores = chip, cores
        self._before: dict[int, tuple[int, int]] = dict.fromkeys(cores, (0, 0))
        self._plain = bool(os.environ.get("NO_COLOR"))

    def lines(self) -> list[str]:
        """One for each row of tiles, north first."""
        shares = self._shares()
        chip = self._chip.description
        rows = []
        for y in reversed(range(chip.rows)):
            tiles = []
            for x in range(chip.columns):
                first = (y * chip.columns + x) * chip.cores_per_tile
                inside = range(first, first + chip.cores_per_tile)
                tiles.append("".join(self._block(shares.get(core)) for core in inside))
            rows.append("  " + " ".join(tiles))
        return rows

    def _shares(self) -> dict[int, float]:
        counted = self._chip.statistics()["cores"]
        found = {}
        for core in self._cores:
            instructions, cycles = counted[core]["core"]["instructions"], counted[core]["cycles"]
            before = self._before[core]
            self._before[core] = (instructions, cycles)
            spent = cycles - before[1]
            found[core] = (instructions - before[0]) / spent if spent > 0 else 0.0
        return found

    def _block(self, share: float | None) -> str:
        if share is None:
            return "  "
        share = min(1.0, share)
        if self._plain:
            return 2 * _SHADES[round(share * (len(_SHADES) - 1))]
        from rockcreek.pictures import svg

        return f"\x1b[48;2;{';'.join(map(str, svg.rgb(share)))}m  {_RESET}"
