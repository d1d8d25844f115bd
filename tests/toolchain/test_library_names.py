"""Names that the libraries define: a program's own function has none of them by chance.

A name is in a public header, or begins as its library's names do, or is one that C keeps for
implementations.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from build_backend import archive, elf

import rockcreek

SYSROOT = Path(rockcreek.__file__).parent / "_guest/sysroot"
# How a library's own names begin; GOMP_: what GCC calls for OpenMP.
PREFIXES = {
    "crf": "crf_|svm_|GOMP_", "ircce": "ircce_|iRCCE_", "jcell": "jcell_", "lino": "lino_",
    "lpel": "lpel_|snet_", "lpel_tcpip": "lpel_", "mesh": "mesh_", "npb": "npb_",
    "pipeline": "pipeline_", "planner": "planner_", "rcce": "rcce_|RCCE_",
    "rcce_bare": "rcce_|RCCE_", "rcce_sync": "rcce_sync_", "rck_gnu": "_",
    "rck_power": "rck_power_", "rckmpi": "rckmpi_|PMI_", "scc": "scc_", "svm": "svm_",
    "svp": "svp_", "svp_linux": "svp_", "svp_tcpip": "svp_", "tcpip": "tcpip_",
}  # fmt: skip
RESERVED = r"_[_A-Z]"
# The original's sources have it as a global function, and programs of its time declare it; tables
# and a function of older C libraries, which such programs declare, too.
ORIGINAL = {"id_compare", "getwd", "sys_errlist", "sys_nerr", "sys_siglist"}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DECLARED = re.compile(r"\b(\w+)\)?\s*(?=[(;,=\[])")


def public_names() -> set[str]:
    found: set[str] = set()
    for path in (SYSROOT / "include").rglob("*.h"):
        if "c++" not in path.parts:
            text = COMMENT.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
            found.update(DECLARED.findall(text))
    return found


@pytest.fixture(scope="module")
def declared() -> set[str]:
    return public_names()


@pytest.mark.parametrize("library", PREFIXES)
def test_names_are_public_or_the_librarys_own(library: str, declared: set[str]) -> None:
    own = re.compile(f"{RESERVED}|{PREFIXES[library]}")
    members = archive.read(SYSROOT / f"lib/lib{library}.a")
    defined = {name for member in members for name in elf_names(member)}
    assert defined
    alien = {name for name in defined - declared - ORIGINAL if not own.match(name)}
    assert not alien, f"lib{library}.a: give these the library's prefix: {sorted(alien)}"


def elf_names(member: archive.Member) -> set[str]:
    return {symbol.name for symbol in elf.symbols(member.data) if symbol.defined and symbol.name}


def test_each_library_is_looked_at() -> None:
    made = {path.stem.removeprefix("lib") for path in (SYSROOT / "lib").glob("lib*.a")
            if archive.read(path)}  # fmt: skip
    compilers = {"c", "c++", "c++abi", "unwind", "m", "zigc", "compiler_rt", "mpi", "lwip"}
    assert made - compilers == set(PREFIXES)
