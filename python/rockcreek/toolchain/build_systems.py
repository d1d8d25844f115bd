"""What CMake, Meson and pkg-config read (`projects/`), and what build systems ask of a compiler.

Clang would name the host's libraries and tools: it does not know our sysroot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .arguments import CommandLine
from .paths import Toolchain

EX_NOINPUT = 66
PROJECTS = Path(__file__).resolve().parent / "projects"
CMAKE = PROJECTS / "rockcreek.cmake"
MESON = PROJECTS / "rockcreek.ini"
NAMES = ("pkg-config", "pkgconf")
LIBGCC = "libcompiler_rt.a"
TOOLS = {"ar": "rck-ar", "ranlib": "rck-ranlib", "gcc": "rck-cc", "g++": "rck-c++"}


def answers(line: CommandLine, tools: Toolchain) -> list[str]:
    """The answers that are ours, in the order of the questions; empty if there are none."""
    asked = [word.removeprefix("-") if word.startswith("--") else word
             for word in line.compile_flags]  # fmt: skip
    return [said for word in asked if (said := answer(word, tools)) is not None]


def answer(question: str, tools: Toolchain) -> str | None:
    """One answer. As GCC does it, a file or tool that is not there is named as it was asked for."""
    name = question.partition("=")[2]
    if question.startswith("-print-file-name="):
        for folder in (tools.lib, tools.sysroot, tools.compiler_include.parent):
            if name and (folder / name).exists():
                return str(folder / name)
        return name
    if question == "-print-libgcc-file-name":
        return str(tools.lib / LIBGCC)
    if question.startswith("-print-prog-name="):
        tool = Path(sys.executable).with_name(TOOLS.get(name, name))
        return str(tool) if name in TOOLS and tool.exists() else name
    if question == "-print-search-dirs":
        programs = Path(sys.executable).parent
        places = {
            "install": tools.sysroot,
            "programs": f"={programs}",
            "libraries": f"={tools.lib}",
        }
        return "\n".join(f"{what}: {where}" for what, where in places.items())
    if question == "-print-sysroot":
        return str(tools.sysroot)
    if question in ("-print-multi-os-directory", "-print-multi-directory"):
        return "."
    return "" if question == "-print-multiarch" else None


def pkg_config_main(arguments: Sequence[str]) -> int:
    """The host's pkg-config over the chip's libraries, and those of PKG_CONFIG_PATH."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        print("rck pkg-config: error: there is no pkg-config on this machine", file=sys.stderr)
        print("hint: apt install pkgconf, or name the libraries: -lrcce", file=sys.stderr)
        return EX_NOINPUT
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": str(PROJECTS / "pkgconfig")}
    return subprocess.run([found, *arguments], env=environment, check=False).returncode
