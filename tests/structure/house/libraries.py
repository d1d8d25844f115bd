"""What guest libraries and systems may know of each other: nothing but what headers show."""

from __future__ import annotations

import re

from house.files import C, House
from house.imports import INCLUDE, included

_WEAK = re.compile(r"__attribute__\s*\(\(\s*[^)]*\bweak\b|^\s*#\s*pragma\s+weak\b", re.M)
_EXTERN = re.compile(r"^extern\s[^;{]*\([^;{]*\);", re.M)
# How the chip and the kernel are reached, and where alone that is written down; Linux is a kernel
# of its own, of another licence.
_LAYER = ("guest/scc/", "guest/kernel/", "systems/linux/")
_WAYS = re.compile(r"/proc/rck/launch|\"/dev/rck|\.byte\s+0x0f,\s*0x0a|\w*LOCK_FREE\b", re.I)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def weak_symbols(house: House) -> dict[str, int]:
    """Weak symbols in the systems' sources: a library that asks in this way whether another one is
    linked depends on it without saying so."""
    return {
        path: count
        for path in house.code(C)
        if path.startswith("systems/")
        and (count := len(_WEAK.findall(_COMMENT.sub(" ", house.text(path)))))
    }


def extern_functions(house: House) -> dict[str, int]:
    """Functions that a source of a library declares itself: their header would say whose they are.
    An alias is a second name of the source's own."""
    return {
        path: count
        for path in house.code((".c", ".cpp"))
        if path.startswith(("systems/", "guest/")) and "/tests/" not in path
        and (
            count := len(
                [found for found in _EXTERN.findall(house.text(path)) if "alias(" not in found]
            )
        )
    }  # fmt: skip


def own_ways(house: House) -> dict[str, int]:
    """Sources of the guest and the systems that read the launcher's file, open kernel devices,
    name a lock's free value or have CL1INVMB's bytes, besides the layer that does it for all."""
    return {
        path: count
        for path in house.code(C)
        if path.startswith(("systems/", "guest/"))
        and not path.startswith(_LAYER)
        and "/tests/" not in path
        and (count := len(_WAYS.findall(_COMMENT.sub(" ", house.text(path)))))
    }


def upward(house: House) -> list[str]:
    """Includes by which the guest knows a system: systems stand above it."""
    guest, systems = (
        tuple(path for path in house.code(C) if path.startswith(root) and "/tests/" not in path)
        for root in ("guest/", "systems/")
    )
    return [
        f"{path} includes {name}"
        for path in guest
        for quote, name in INCLUDE.findall(house.text(path))
        if included(path, name, "guest", guest, shown=quote == "<") is None
        and any(other.endswith(f"/{name}") for other in systems)
    ]
