"""What each core is started with: the kernel command line, and the launcher's arguments.

The command line is blank-separated `key=value`; values are percent-encoded, lists are
comma-separated. guest/kernel reads it from its multiboot information.

Finished binaries of the original RCCE expect the launcher's part behind argv[0] (number of units
of execution, clock in GHz, core numbers). Programs built by `rck cc` carry a note and get
it from the kernel, so that their argv is what the user gave.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from rockcreek.errors import UsageError
from rockcreek.software.image import Image

# What the kernel takes (COMMAND_LINE_MAX in guest/kernel/boot/multiboot.c), but for the final zero.
COMMAND_LINE_MAX = 65534

# The SCC has no more cores.
_MOST_LISTED = 48

_PLAIN = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    b"!\"#$&'()*+-./:;<=>?@[\\]^_`{|}~"
)


def encode(text: str) -> str:
    """Percent-encode what has a meaning of its own on the command line.

    >>> encode("a b,c%")
    'a%20b%2Cc%25'
    """
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in os.fsencode(text))


def program_arguments(
    image: Image,
    arguments: Sequence[str],
    cores: Sequence[int],
    mhz: int,
    *,
    original: bool = False,
) -> list[str]:
    """The guest's argv; `original`: as the original launcher, which asks no symbols."""
    argv = [image.name]
    if not image.has_our_note and (original or "RCCE_init" in image.symbols):
        argv += [str(len(cores)), f"{mhz / 1000:.3f}", *map(str, cores)]
    return argv + list(arguments)


def core_list(cores: Sequence[int]) -> dict[str, str]:
    """The cores of a run as words of the command line; many of them as ranges, with their number.

    Each byte costs the kernel time: a list of hundreds of numbers would be most of a start.

    >>> core_list([0, 10, 12])
    {'ues': '0,10,12'}
    >>> core_list([*range(100), 200])
    {'ues': '0-99,200', 'count': '101'}
    """
    if len(cores) <= _MOST_LISTED:
        return {"ues": ",".join(map(str, cores))}
    spans: list[list[int]] = []
    for core in cores:
        if spans and core == spans[-1][1] + 1:
            spans[-1][1] = core
        else:
            spans.append([core, core])
    words = (str(first) if first == last else f"{first}-{last}" for first, last in spans)
    return {"ues": ",".join(words), "count": str(len(cores))}


def command_line(
    *,
    core: int,
    cores: Sequence[int],
    mhz: int,
    argv: Sequence[str],
    env: Mapping[str, str],
    stdin: bool,
    terminal: bool = False,
    strace: bool,
    share: bool,
    mounts: Sequence[str] = (),
    chosen: bool = False,
) -> str:
    """The kernel command line of one core; `chosen`: who takes it out of reset names a program."""
    fields = {
        "core": str(core),
        **core_list(cores),
        "rank": str(cores.index(core)),
        "mhz": str(mhz),
        "stdin": str(2 if stdin and terminal else int(stdin)),
        "strace": str(int(strace)),
        "share": str(int(share)),
        **({"mounts": ",".join(map(encode, mounts))} if mounts else {}),
        **({"chosen": "1"} if chosen else {}),
        "argv": ",".join(map(encode, argv)),
        "env": ",".join(encode(f"{name}={value}") for name, value in env.items()),
    }
    line = " ".join(f"{key}={value}" for key, value in fields.items())
    if len(line) > COMMAND_LINE_MAX:
        raise UsageError(
            f"arguments and environment are too long: {len(line):,} bytes as the kernel's"
            f" command line, {COMMAND_LINE_MAX:,} at most",
            hint="give the program a file to read, in a folder named by --share",
        )
    return line
