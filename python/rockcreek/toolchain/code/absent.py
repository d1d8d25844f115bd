"""What GNU's C library has and this one has not: what to use in its place.

A header that is missing is no file with an error in it: a configure script, `__has_include` and
CMake's checks find out, and the program takes its other way.
"""

from __future__ import annotations

import re

NO_WINDOWS = "programs here are Linux's: unistd.h, termios.h, pthread.h"
NO_GRAPHICS = "the chip has no graphics processor: OpenMP, pthreads, RCCE and MPI use its cores"
HEADERS = {
    "mpi.h": "`rck mpicc` compiles programs of MPI",
    **dict.fromkeys(("windows.h", "conio.h", "dos.h", "process.h"), NO_WINDOWS),
    **dict.fromkeys(("cuda.h", "cuda_runtime.h", "CL/cl.h", "CL/opencl.h"), NO_GRAPHICS),
    "printf.h": "printf() takes no conversions of a program's own here: format into a string first",
    "sys/sysctl.h": "Linux has no sysctl() since 2020: read /proc, or sysconf()",
    "a.out.h": "programs here are ELF: elf.h",
    "stab.h": "programs here carry DWARF, no stabs",
    "rpc/rpc.h": "Sun's RPC has left GNU's library, too: use sockets (-ltcpip), or libtirpc",
    "numaif.h": "the chip's memory has no nodes to choose from; numa.h is there, with"
    " numa_available() = -1",
    "sgtty.h": "termios.h has it by POSIX's names",
    "re_comp.h": "regex.h has regcomp() and regexec()",
    "regexp.h": "regex.h has regcomp() and regexec()",
    "sys/vm86.h": "a program of the chip runs in protected mode alone",
}
FAMILIES = {"rpc/": "rpc/rpc.h", "rpcsvc/": "rpc/rpc.h"}
NO_COUNTS = "the C library's malloc counts nothing: count in the program"
FUNCTIONS = {
    "mallinfo": NO_COUNTS,
    "mallinfo2": NO_COUNTS,
    "malloc_stats": NO_COUNTS,
    "register_printf_function": HEADERS["printf.h"],
    "register_printf_specifier": HEADERS["printf.h"],
    "sysctl": HEADERS["sys/sysctl.h"],
    "re_comp": HEADERS["re_comp.h"],
}
NO_FILE = re.compile(r"'([^']+)' file not found")
NO_FEATURE = re.compile(r"requires target feature '(?:mmx|x?sse[\w.]*|avx\w*|fma)'")
NO_ATOMIC = re.compile(r"is_trivially_copyable<std::((?:shared|weak)_ptr)<")
NO_OPTION = re.compile(r"error: unknown argument '([^']+)'(?:, did you mean '([^']+)')?")
UNDEFINED = re.compile(r"undefined symbol: (\w+)")
# What GNU's linkers take besides, which changes nothing of a static program: LLD refuses these
# options and warns of these words of -z.
WITHOUT_EFFECT = re.compile(
    r"--?(?:(?:no-)?(?:warn|error)-(?:rwx-segments|execstack)|hash-size=.*|reduce-memory-overheads"
    r"|sort-common=.*|no-sort-common|copy-dt-needed-entries|no-(?:strip|print-map)-discarded"
    r"|dynamic-list-data|(?:no-)?ld-generated-unwind-info|warn-(?:alternate-em|section-align|textrel"
    r"|constructors|multiple-gp)|no-warn-search-mismatch|(?:no-)?accept-unknown-input-arch"
    r"|spare-dynamic-tags=.*|traditional-format|gpsize=.*|disable-multiple-abs-defs"
    r"|(?:no-)?threads|thread-count=.*|detect-odr-violations|(?:no-)?ctf-variables"
    r"|ctf-share-types=.*|(?:en|dis)able-linker-version)|-d[cp]"
)
Z_WITHOUT_EFFECT = re.compile(
    r"call-nop=.*|nodump|loadfltr|(?:no)?unique(?:-symbol)?|ibt(?:plt)?|lam-report=.*|x86-64-\w+"
    r"|(?:no)?(?:indirect-extern-access|mark-plt|memory-seal)|report-relative-reloc"
    r"|noextern-protected-data|bndplt|isa-level-report=.*|one-rosegment"
)


def header(words: str) -> str | None:
    """What to do about the first header that the compiler did not find, or what the C++ library or
    the cores have not got.

    >>> header("fatal error: 'rpc/types.h' file not found")[:18]
    'rpc/types.h is not'
    """
    for name in NO_FILE.findall(words):
        family = next((real for part, real in FAMILIES.items() if name.startswith(part)), name)
        if family in HEADERS:
            return f"{name} is not here: {HEADERS[family]}"
    if (found := NO_ATOMIC.search(words)) is not None:
        return f"libc++ has no std::atomic of a {found[1]}: guard a std::{found[1]} by a std::mutex"
    if NO_FEATURE.search(words):
        return "the cores are P54C, without MMX, SSE and AVX: write it in plain C"
    return None


def function(words: str) -> str | None:
    """What to use in the place of the first function that the linker did not find."""
    for name in UNDEFINED.findall(words):
        if name in FUNCTIONS:
            return f"{name} is not here: {FUNCTIONS[name]}"
    return None


def with_effect(options: list[str]) -> list[str]:
    """Options of a linker without those that change nothing here.

    >>> with_effect(["--no-warn-rwx-segments", "-z", "ibt", "-znodump", "-z", "now", "--cref"])
    ['-z', 'now', '--cref']
    """
    kept: list[str] = []
    for word in options:
        if kept[-1:] == ["-z"] and Z_WITHOUT_EFFECT.fullmatch(word):
            kept.pop()
        elif not WITHOUT_EFFECT.fullmatch(word) and not (
            word.startswith("-z") and Z_WITHOUT_EFFECT.fullmatch(word[2:])
        ):
            kept.append(word)
    return kept


def option(words: str) -> str | None:
    """What to do about the first option that the linker does not know.

    >>> option("ld.lld: error: unknown argument '--no-such'")
    'the linker is LLD, which has no --no-such: leave out -Wl,--no-such'
    """
    if (found := NO_OPTION.search(words)) is None:
        return None
    other = f", or write -Wl,{found[2]}" if found[2] else ""
    return f"the linker is LLD, which has no {found[1]}: leave out -Wl,{found[1]}{other}"
