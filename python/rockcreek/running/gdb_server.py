"""`--gdb`: where the chip listens, and which command the user is asked to type."""

from __future__ import annotations

from collections.abc import Callable

from rockcreek.chip import Chip


def listen(
    chip: Chip,
    where: str,
    *,
    wait: bool,
    tell_rest: bool = True,
    program: str,
    say: Callable[[str], None],
) -> None:
    """Listen at `[HOST:]PORT`; a port alone is one of this host's that nobody else reaches."""
    host, _, port = where.rpartition(":")
    address = chip.gdb_listen(f"{host or 'localhost'}:{port}", wait=wait, tell_rest=tell_rest)
    doing = "waiting for gdb" if wait else "gdb may attach"
    say(f"rck: {doing}: gdb {program} -ex 'target remote {address}'")
