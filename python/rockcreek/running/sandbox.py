"""The sandbox of `rck run` and `rck boot`: when all is set up, the process keeps only what running
guests needs (crates/sandbox). Never for a Python caller: it holds for good, and for all of a
process.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path

from rockcreek.errors import HostLimit

AUTO, ON, OFF = "auto", "on", "off"
MODES = (AUTO, ON, OFF)
# What libraries read of the system, wherever Python lies; itself as /proc shows it.
_SYSTEM = (
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime",
    "/usr/share/zoneinfo", "/proc/self", "/proc/meminfo", "/sys/devices/system/cpu",
    "/dev/urandom",
)  # fmt: skip
_DEVICES = ("/dev/null", "/dev/tty")


def begin(
    mode: str, *, read: Iterable[str], write: Iterable[str], say: Callable[[str], None]
) -> None:
    """Confine this process to reading these files and to writing in these folders."""
    if mode == OFF:
        return
    from rockcreek import _native

    try:
        guards_paths = _native.confine([*_readable(), *read], [*_DEVICES, *write])
        missing = None if guards_paths else "this kernel has no Landlock: paths are not guarded"
    except OSError as error:
        missing = str(error)
    if missing is not None and mode == ON:
        raise HostLimit(
            f"--sandbox on: {missing}", hint="run with --sandbox auto to do without what is missing"
        )
    if missing is not None:
        say(f"rck: sandbox: {missing}")


def around(output: str | os.PathLike[str]) -> str:
    """What must stay writable for a file that is yet to be written: its folder, where it is made
    under another name first; a device or pipe itself."""
    path = os.path.realpath(output)
    special = os.path.exists(path) and not os.path.isfile(path)
    return path if special else os.path.dirname(path)


def _readable() -> list[str]:
    package = Path(__file__).resolve().parents[1]
    python = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()}
    # A package that lies elsewhere is known by the path that it was imported from.
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    imported = {str(Path(file).parent) for file in files if file is not None}
    return sorted({*_SYSTEM, str(package), *python, *imported})
