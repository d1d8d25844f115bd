"""Words for clocks without enough voltage, and for commands that the voltage regulator refused."""

from __future__ import annotations

from rockcreek.chip import Chip
from rockcreek.errors import GuestFault
from rockcreek.inspection.backtrace import name_cores

# The regulator's steps.
_VOLTS = 0.00625

Violation = tuple[int, int, int, int, int | None]  # ps, tile, divider, level, needed level
Refused = tuple[int, int, int, int]  # ps, core, domain, level


class Notices:
    """Reports the first clock without its voltage, and the first refused command, of a run."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def news(self, chip: Chip) -> list[str]:
        """What has not been reported yet."""
        violations, refused = chip.undervoltage()[0][:1], chip.refused_voltages()[0][:1]
        texts = [tell_violation(chip, one) for one in violations]
        texts += [tell_refused(chip, one) for one in refused]
        new = [text for text in texts if text not in self._told]
        self._told.update(new)
        return new


def fault(chip: Chip, cores: list[int]) -> GuestFault:
    """Cores that failed under `--strict-voltage`: what of the first of their tiles was wrong."""
    tiles = {core // chip.description.cores_per_tile for core in cores}
    violations, _ = chip.undervoltage()
    found = next((one for one in violations if one[1] in tiles), None)
    text = "" if found is None else f"\n    {tell_violation(chip, found)}"
    return GuestFault(
        f"{name_cores(cores, chip)}: failed for want of voltage (--strict-voltage){text}",
        cores=tuple(cores),
        eip=None,
        address=None,
        signal=None,
        hint="raise a domain's voltage, and wait for it, before its clock; lower it after that",
    )


def tell_violation(chip: Chip, found: Violation) -> str:
    """A tile whose clock needs more than its voltage: where, when, how much."""
    time_ps, tile, divider, level, needed = found
    count = chip.description.cores_per_tile
    cores = name_cores(list(range(tile * count, (tile + 1) * count)), chip)
    wants = "more than any level gives" if needed is None else f"{needed * _VOLTS:.3f} V"
    return (
        f"{cores}: divider {divider} needs {wants}; the domain has {level * _VOLTS:.3f} V,"
        f" at {time_ps / 10**9:.3f} ms"
    )


def tell_refused(chip: Chip, found: Refused) -> str:
    """A command that the voltage regulator refused."""
    time_ps, core, domain, level = found
    return (
        f"{name_cores([core], chip)}: the voltage regulator refused {level * _VOLTS:.3f} V for"
        f" domain {domain}, at {time_ps / 10**9:.3f} ms: outside its range"
    )
