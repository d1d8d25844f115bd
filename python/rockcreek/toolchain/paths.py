"""Where the compiler and the sysroot are."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

EX_USAGE = 64


class ToolchainError(Exception):
    """The tool chain cannot do what was asked; the text says why."""

    def __init__(self, message: str, hint: str | None = None, code: int = EX_USAGE) -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code


@dataclass(frozen=True)
class Toolchain:
    """The places that every command line of the tool chain names."""

    zig: Path
    """The executable of the package ``ziglang``: Clang and LLD in one."""

    compiler_include: Path
    """Clang's own headers (``stddef.h``, ``float.h`` ...)."""

    linux_include: tuple[Path, ...]
    """Headers of the Linux kernel's interface, searched last."""

    sysroot: Path
    """Headers in ``include``, libraries in ``lib``."""

    @property
    def include(self) -> Path:
        """The headers of libc, libm and RCCE."""
        return self.sysroot / "include"

    @property
    def lib(self) -> Path:
        """The libraries and the start-up object."""
        return self.sysroot / "lib"


def package_sysroot() -> Path:
    """The sysroot inside the installed (or checked out) package."""
    return Path(__file__).resolve().parent.parent / "_guest" / "sysroot"


def find_zig() -> Path:
    """The executable of ``ziglang``, found without importing the package."""
    spec = importlib.util.find_spec("ziglang")
    places = spec.submodule_search_locations if spec is not None else None
    for place in places or ():
        for name in ("zig", "zig.exe"):
            zig = Path(place) / name
            if zig.is_file():
                return zig
    raise ToolchainError(
        "the compiler package 'ziglang' is not installed in this Python",
        "pip install ziglang==0.17.1",
    )


def find_toolchain(sysroot: Path | None = None) -> Toolchain:
    """Locate compiler and sysroot; the sysroot itself may still be empty."""
    zig = find_zig()
    library = zig.parent / "lib"
    linux = library / "libc" / "include"
    return Toolchain(
        zig=zig,
        compiler_include=library / "include",
        linux_include=(linux / "x86-linux-any", linux / "any-linux-any"),
        sysroot=sysroot if sysroot is not None else package_sysroot(),
    )
