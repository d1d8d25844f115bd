"""What guests asked of the host and did not get, and what the host did not keep of them."""

from __future__ import annotations

from rockcreek.chip import Chip
from rockcreek.errors import Dropped, RockcreekError, ShareRefusal
from rockcreek.inspection import backtrace


def refusals(chip: Chip) -> list[RockcreekError]:
    """The refusals of paths outside the shared folder, one message for each path."""
    cores: dict[str, list[int]] = {}
    for core, path in chip.refusals():
        cores.setdefault(path, []).append(core)
    return [
        ShareRefusal(
            f"{backtrace.name_cores(who, chip)}: {path} leads out of the shared folder: refused",
            path=path,
            cores=tuple(who),
            hint="share the folder that it leads to, or copy the file into the shared one",
        )
        for path, who in cores.items()
    ]


def dropped(chip: Chip) -> list[RockcreekError]:
    """A report of the marks that a result does not keep, if there are any."""
    count, hint = chip.marks_dropped(), "leave fewer marks, such as around the inner loop alone"
    if not count:
        return []
    what = f"marks: the first ones are kept, {count:,} more are only counted"
    return [Dropped(what, hint=hint)]
