"""A process that compiles or runs what others wrote: `python -m rockcreek.grading.confined`.

It takes limits and, where the host's kernel has Landlock, all paths but those of the tool chain
(read) and one scratch folder from itself, for good, and becomes the command. Nothing of a
submission has been read before.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from rockcreek import resources

# What compilers and `rck run` read of the system, wherever Python lies; itself as /proc shows it.
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/dev/urandom", "/proc/self",
    "/proc/meminfo", "/sys/devices/system/cpu",
)  # fmt: skip
# Landlock (Linux 5.13): system calls, alike on all processors, and rights by their bits.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _WRITE, _READ, _READ_FOLDER, _TRUNCATE = 1, 2, 4, 8, 1 << 14
_ALL_OF_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
_OF_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE
_NO_NEW_PRIVILEGES, _PATH_BENEATH, _VERSION = 38, 1, 1
NO_LANDLOCK = 97


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def command(
    words: Sequence[str], scratch: Path, *, seconds: int, memory: int, output: int, paths: bool
) -> list[str]:
    """The command that does this under limits: seconds of processor time, bytes."""
    limits = [str(scratch), str(seconds), str(memory), str(output), "paths" if paths else "all"]
    return [sys.executable, "-m", __name__, *limits, *words]


def environment(scratch: Path) -> dict[str, str]:
    """What it knows of its surroundings: nothing but where it may write."""
    folder = str(scratch)
    return {
        "PATH": os.defpath,
        "HOME": folder,
        "TMPDIR": folder,
        "ZIG_GLOBAL_CACHE_DIR": folder,
        "ZIG_LOCAL_CACHE_DIR": folder,
        "LC_ALL": "C.UTF-8",
    }


def has_landlock() -> bool:
    """Whether this host's kernel guards paths."""
    return sys.platform == "linux" and _abi() > 0


def _abi() -> int:
    return int(ctypes.CDLL(None, use_errno=True).syscall(_CREATE, None, 0, _VERSION))


def _readable() -> list[str]:
    # Python looks for a package in the folder around it.
    package, presets = str(resources.PACKAGE.parent), str(resources.preset_folder())
    return [*_SYSTEM, package, presets, sys.prefix, sys.base_prefix]


def restrict(read: Iterable[str], write: Iterable[str]) -> None:
    """Takes all other paths from this process, and from those that it makes."""
    libc = ctypes.CDLL(None, use_errno=True)
    every = _ALL_OF_ABI[min(3, _abi())]
    handled = ctypes.c_uint64(every)
    rules = libc.syscall(_CREATE, ctypes.byref(handled), 8, 0)
    _check(rules)
    for paths, rights in ((read, _EXECUTE | _READ | _READ_FOLDER), (write, every)):
        for path in paths:
            if not os.path.exists(path):
                continue
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
            allowed = rights if os.path.isdir(path) else rights & _OF_FILES
            rule = _Beneath(allowed & every, folder)
            _check(libc.syscall(_ADD, rules, _PATH_BENEATH, ctypes.byref(rule), 0))
            os.close(folder)
    _check(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _check(libc.syscall(_RESTRICT, rules, 0))
    os.close(rules)


def _check(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def main(arguments: Sequence[str]) -> None:
    """Confines this process, and becomes the command."""
    scratch, seconds, memory, output, paths, *words = arguments
    for kind, limit in (
        (resource.RLIMIT_CPU, int(seconds)),
        (resource.RLIMIT_AS, int(memory)),
        (resource.RLIMIT_FSIZE, int(output)),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        least = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (least, least))
    if paths == "paths":
        restrict(_readable(), ["/dev/null", scratch])
    os.execv(words[0], words)


if __name__ == "__main__":
    main(sys.argv[1:])
