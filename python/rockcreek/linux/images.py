"""The kernel and the root file system that `make linux` leaves in build/linux/images."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from rockcreek.errors import InputError, NotFoundError
from rockcreek.reading import documents
from rockcreek.toolchain.built import Sources

CHECKOUT = Path(__file__).resolve().parents[3]
_NAMES = ("bzImage", "root.cpio")
# Headers of guest/scc/include/scc that become parts of the kernel: registers, addresses, the host
# channel, caches.
HEADERS = ("registers.h", "memory_map.h", "host_channel.h", "cache.h")
_OWN = ("*.py", "*.toml", "*.config", "kernel/*/[!.]*", "root/*.c", "root/etc/*")
_OTHERS = ("scripts/linux_kernel.*", *(f"guest/scc/include/scc/{name}" for name in HEADERS))
SOURCES = Sources("linux", (*_OWN, *(f"../../{path}" for path in _OTHERS)), "linux")
_HINT = "in a checkout, 'make linux' fetches and builds it (half an hour on a busy host, once)"


@dataclass(frozen=True)
class Images:
    """Both files, whole and as they were built."""

    kernel: Path
    root: Path
    digest: str


def folder() -> Path:
    """RCK_LINUX, or build/linux of the checkout."""
    named = os.environ.get("RCK_LINUX")
    return Path(named) if named else CHECKOUT / "build/linux"


def find() -> Images:
    """The images; an error says how to get them."""
    place = folder() / "images"
    listing = place / "sha256"
    if not listing.is_file():
        raise NotFoundError(f"Linux is not there: no {listing}", path=str(listing), hint=_HINT)
    lines = [line.partition("  ") for line in documents.text(listing, hint=_HINT).splitlines()]
    wanted = {name: digest for digest, _, name in lines}
    for name in _NAMES:
        path = place / name
        try:
            found = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise NotFoundError(f"{path}: {error.strerror}", path=str(path), hint=_HINT) from error
        if wanted.get(name) != found:
            text = f"{path} is not the file that 'make linux' wrote"
            raise InputError(text, path=str(path), hint="'make linux' writes it again")
    if SOURCES.stale(listing):
        text = f"{place} was not built from what systems/linux is now"
        hint = "'make linux' builds it again; only what has changed is compiled"
        raise NotFoundError(text, path=str(place), hint=hint)
    digest = hashlib.sha256(listing.read_bytes()).hexdigest()
    return Images(place / _NAMES[0], place / _NAMES[1], digest)
