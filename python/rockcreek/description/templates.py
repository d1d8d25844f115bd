"""Command lines that differ by core: `--append "tile={tile} core={core}"`."""

from __future__ import annotations

import re

from rockcreek.description import Description

_NAME = re.compile(r"\{(core|mhz|tile)\}")


def filled(text: str, core: int, chip: Description) -> str:
    """The command line of one core. What else stands in braces is the kernel's.

    >>> from rockcreek.description import load
    >>> filled("core={core} at={tile} mhz={mhz} {other}", 47, load("scc"))
    'core=47 at=5,3 mhz=533 {other}'
    """
    x, y = chip.tile_of(core)
    values = {"core": str(core), "mhz": str(chip.core_mhz), "tile": f"{x},{y}"}
    return _NAME.sub(lambda match: values[match[1]], text)
