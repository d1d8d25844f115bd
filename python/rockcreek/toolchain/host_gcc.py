"""The host's GCC as the compiler of ``rck cc --with gcc``.

Programs of the chip's time were compiled by GCC and ICC, whose x87 code differs from Clang's:
Clang keeps doubles on the stack at four bytes where it has no register for them, GCC at eight.
Headers, libraries and linker stay ours.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .paths import ToolchainError

# The host's own, and the cross-compiler's name where the host is no PC.
NAMES = ("gcc", "i686-linux-gnu-gcc")
MACHINE = ("-m32", "-march=pentium")
# What distributions switch on, and a P54C does not have (ENDBR32) or our libc not (guards).
# Values in registers keep their extra bits whatever -std says, as in Clang.
OWN = ("-fcf-protection=none", "-fno-stack-protector", "-U_FORTIFY_SOURCE",
       "-fexcess-precision=fast")  # fmt: skip
PROBE = "int answer(void) { return 42; }\n"


@dataclass(frozen=True)
class Compiler:
    """What a compilation's command is made of."""

    command: tuple[str, ...]
    """The executable, and the target."""

    include: Path
    """The compiler's own headers."""

    own: tuple[str, ...]
    """Options that this compiler needs and others do not know."""


@cache
def find() -> Compiler:
    """The first GCC that compiles for the i586."""
    why = ""
    for name in NAMES:
        path = shutil.which(name)
        if path is None:
            continue
        command = [path, *MACHINE]
        probe = [*command, *OWN, "-x", "c", "-", "-c", "-o", "/dev/null"]
        ran = subprocess.run(probe, input=PROBE, capture_output=True, text=True, check=False)
        if ran.returncode == 0:
            asked = subprocess.run(
                [*command, "-print-file-name=include"], capture_output=True, text=True, check=True
            )
            return Compiler(tuple(command), Path(asked.stdout.strip()), OWN)
        why = why or f"{path} does not compile for 32 bits: {_first_line(ran.stderr)}"
    raise ToolchainError(
        why or f"--with gcc: no GCC on this machine ({' or '.join(NAMES)})", _what_to_install()
    )


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "no reason given"


def _what_to_install() -> str:
    if platform.machine() in ("x86_64", "AMD64", "i686"):
        debian, fedora = "gcc-multilib", "gcc glibc-devel.i686"
    else:
        debian, fedora = "gcc-i686-linux-gnu", "gcc-i686-linux-gnu"
    return f"apt install {debian}, or dnf install {fedora}; or leave out --with gcc"
