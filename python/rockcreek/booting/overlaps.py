"""Raw images of `rck boot --load` that overlap what is loaded after them."""

from __future__ import annotations

from collections.abc import Iterable

from rockcreek.chip import Chip
from rockcreek.errors import InputError
from rockcreek.software.image import Image

_HINT = "another --load, a kernel or its modules lie there, too: give it other addresses"


def check(chip: Chip, placed: Iterable[tuple[int, int, Image]]) -> None:
    """All is loaded; `placed`: core, address and image. Equal bytes at one place are no mistake."""
    for core, address, file in placed:
        found = chip.read_physical(core, address, len(file.data))
        if found is None or found == file.data:
            continue
        pairs = zip(found, file.data, strict=True)
        first = address + next(n for n, (is_there, own) in enumerate(pairs) if is_there != own)
        text = (
            f"{file.path}: core {core}: at {address:#010x} it is overwritten from {first:#010x} on"
        )
        raise InputError(text, path=str(file.path), hint=_HINT)
