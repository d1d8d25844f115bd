"""The images that `make linux` and `make smp-linux` leave: a Linux a core, one Linux for many."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rockcreek.errors import InputError, NotFoundError, RockcreekError
from rockcreek.reading import documents
from rockcreek.toolchain.built import Sources

CHECKOUT = Path(__file__).resolve().parents[3]
KERNEL, ROOT, MAP = "bzImage", "root.cpio", "System.map"
# Headers of guest/scc/include/scc that become parts of the kernel: registers, addresses, the host
# channel, caches.
HEADERS = ("registers.h", "memory_map.h", "host_channel.h", "cache.h")
_OWN = ("*.py", "*.toml", "*.config", "kernel/*/[!.]*", "root/*.c", "root/etc/*")
_STEPS = "scripts/linux_kernel.*"
_UNPACKED = "python/rockcreek/booting/unpacked.py"
_OTHERS = (_STEPS, _UNPACKED, *(f"guest/scc/include/scc/{name}" for name in HEADERS))
SOURCES = Sources("linux", (*_OWN, *(f"../../{path}" for path in _OTHERS)), "linux")
_SMP = ("*.py", "*.toml", "*.config", "kernel/*.c", "../service.h", f"../../../{_STEPS}")
SMP_SOURCES = Sources("rockyvisor/linux", _SMP, "smp-linux")
CALLING_SOURCES = Sources("rockyvisor/linux", (*_SMP, "../hypercalls.h"), "smp-linux-hypercalls")


@dataclass(frozen=True)
class Recipe:
    """What a target of make builds, and where a user may have it."""

    sources: Sources
    names: tuple[str, ...]
    variable: str
    takes: str

    @property
    def hint(self) -> str:
        return f"in a checkout, 'make {self.sources.target}' fetches and builds it ({self.takes})"

    def folder(self) -> Path:
        """The variable's, or the checkout's."""
        named = os.environ.get(self.variable)
        return Path(named) if named else CHECKOUT / "build" / self.sources.target


LINUX = Recipe(SOURCES, (KERNEL, ROOT, MAP), "RCK_LINUX", "half an hour on a busy host, once")
_QUARTER = "a quarter of an hour on a busy host, once"
SMP_LINUX = Recipe(SMP_SOURCES, (KERNEL, MAP), "RCK_SMP_LINUX", _QUARTER)
CALLING_LINUX = Recipe(CALLING_SOURCES, (KERNEL, MAP), "RCK_SMP_LINUX_HYPERCALLS", _QUARTER)


@dataclass(frozen=True)
class Images:
    """The files, whole and as they were built."""

    files: Mapping[str, Path]
    digest: str

    @property
    def kernel(self) -> Path:
        return self.files[KERNEL]

    @property
    def root(self) -> Path:
        return self.files[ROOT]


def folder() -> Path:
    """RCK_LINUX, or build/linux of the checkout."""
    return LINUX.folder()


def place(name: str) -> Path:
    """Where an image of a Linux a core is, if it is there."""
    return LINUX.folder() / "images" / name


def find(recipe: Recipe = LINUX) -> Images:
    """The images; an error says how to get them."""
    folder, target = recipe.folder() / "images", recipe.sources.target
    listing = folder / "sha256"
    if not listing.is_file():
        text = f"Linux is not there: no {listing}"
        raise NotFoundError(text, path=str(listing), hint=recipe.hint)
    lines = documents.text(listing, hint=recipe.hint).splitlines()
    wanted = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    files = {name: folder / name for name in recipe.names}
    for name, path in files.items():
        try:
            found = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            text = f"{path}: {error.strerror}"
            raise NotFoundError(text, path=str(path), hint=recipe.hint) from error
        if wanted.get(name) != found:
            text = f"{path} is not the file that 'make {target}' wrote"
            raise InputError(text, path=str(path), hint=f"'make {target}' writes it again")
    if recipe.sources.stale(listing):
        text = f"{folder} was not built from what systems/{recipe.sources.system} is now"
        hint = f"'make {target}' builds it again; only what has changed is compiled"
        raise NotFoundError(text, path=str(folder), hint=hint)
    return Images(files, hashlib.sha256(listing.read_bytes()).hexdigest())


def usable() -> bool:
    """Whether the cores' Linux is there, of today's sources."""
    try:
        find()
    except RockcreekError:
        return False
    return True
