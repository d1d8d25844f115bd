"""Requests that stop and start one core of a running chip: as the management PC of the SCC did it,
by the reset bits of the tile's configuration register GCBCFG, and memory written before.
"""

from __future__ import annotations

import re

from rockcreek.chip import Chip
from rockcreek.description import templates
from rockcreek.inspection import config_registers

# A module in a request: its name, and its bytes in hexadecimal.
_MODULE = re.compile(r"(\S+)=((?:[0-9a-fA-F]{2})*)")


def stop(chip: Chip, core: int) -> None:
    """The core and its L2 go into reset; what they had not written back is lost."""
    tile, place = divmod(core, chip.description.cores_per_tile)
    register = config_registers.find("GCBCFG")
    value = chip.crb(tile, register.offset)
    for field in register.fields:
        if field.name in ("RESET_CORE", "RESET_L2"):
            value |= 1 << field.lsb << place
    chip.set_crb(tile, register.offset, value)


def start(chip: Chip, core: int, image: bytes, line: str, modules: str) -> None:
    """The core begins anew: with a multiboot image as that says, without one at its reset
    vector. A core that runs is stopped first, unless the image is refused."""
    parts = [_MODULE.fullmatch(part) for part in modules.split()]
    if None in parts or (parts and not image):
        raise ValueError("modules are NAME=HEXADECIMAL, with spaces between, and need an image")
    if image:
        given = [(bytes.fromhex(part[2]), part[1]) for part in parts if part is not None]
        chip.load(core, image, templates.filled(line, core, chip.description), given)
    if chip.core(core)["state"] != "reset":
        stop(chip, core)
    chip.release([core])
