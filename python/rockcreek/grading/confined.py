"""A process that compiles or runs what others wrote: `python -m rockcreek.grading.confined`.

It takes limits and, where the host's kernel has Landlock, all paths but those of the tool chain
(read) and one scratch folder from itself, for good, and becomes the command. Nothing of a
submission has been read before.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path

from rockcreek import _native, resources

# What compilers and `rck run` read of the system, wherever Python lies; itself as /proc shows it.
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/dev/urandom", "/proc/self",
    "/proc/meminfo", "/sys/devices/system/cpu",
)  # fmt: skip


def command(
    words: Sequence[str], scratch: Path, *, seconds: int, memory: int, output: int, paths: bool
) -> list[str]:
    """The command that does this under limits: seconds of processor time, bytes."""
    limits = [str(scratch), str(seconds), str(memory), str(output), "paths" if paths else "all"]
    return [sys.executable, "-m", __name__, *limits, *words]


def environment(scratch: Path) -> dict[str, str]:
    """The environment of the confined process: it names only the scratch folder."""
    folder = str(scratch)
    return {
        "PATH": os.defpath,
        "HOME": folder,
        "TMPDIR": folder,
        "ZIG_GLOBAL_CACHE_DIR": folder,
        "ZIG_LOCAL_CACHE_DIR": folder,
        "LC_ALL": "C.UTF-8",
    }


def _readable() -> list[str]:
    # Python looks for a package in the folder around it.
    package, presets = str(resources.PACKAGE.parent), str(resources.preset_folder())
    return [*_SYSTEM, package, presets, sys.prefix, sys.base_prefix]


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
    if paths == "paths" and not _native.confine_paths(_readable(), ["/dev/null", scratch]):
        sys.exit("rck: grade: the kernel does not guard paths")
    os.execv(words[0], words)


if __name__ == "__main__":
    main(sys.argv[1:])
