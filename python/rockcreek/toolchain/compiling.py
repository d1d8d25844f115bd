"""The compiler's command for a source: Clang's of the package ``ziglang``, or the host's GCC's."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import PurePath

from . import host_gcc, threads
from .arguments import ASM_SOURCES, CXX_SOURCES, CommandLine, Input
from .code import old_c
from .host_gcc import Compiler
from .paths import Toolchain, ToolchainError

# The cores are P54C: the x87, no CMOV, MMX or SSE.
TARGET = ["--target=i586-linux-musl", "-march=pentium"]
# What a plain GCC for an embedded Linux does: fixed addresses, and frame
# pointers so that a fault report can show the callers.
CODE = ["-fno-pic", "-fno-pie", "-fno-omit-frame-pointer"]
# At -O3: a double that has no register keeps a place on the stack of its own. Clang's pass that
# lets values share places takes a double's to be aligned at four bytes, and an access that crosses
# eight costs three cycles.
FAST = ["-mllvm", "-no-stack-slot-sharing"]
# C from C11 on has a time_t of 64 bits, C++ too; older C, and C without a standard, has the 32 bits
# of the chip's time, so that `%ld` prints it. -D_TIME_BITS chooses (build_backend/time_types.py).
ELEVEN = re.compile(r"(c|gnu|iso9899:)(11|1x|17|18|23|2x|2y|2011|2017|2018|2024)")
# Directives of OpenMP that mean nothing for want of -fopenmp: said once for each source.
NO_OPENMP = ["-Wsource-uses-openmp", "-Wno-error=source-uses-openmp"]
OLD_TIME = ["-D__ROCKCREEK_TIME32"]


def compiler_of(line: CommandLine, tools: Toolchain) -> Compiler:
    """Clang itself, without the defaults that ``zig cc`` adds (NDEBUG, traps
    on undefined behaviour, a libc built on demand); or the host's GCC."""
    if line.compiler == "gcc":
        return host_gcc.find()
    # Clang warns about options that a step does not use (-I for a .s file);
    # as with GCC, one set of flags serves all sources.
    own = ("-nostdinc++", "-Qunused-arguments")
    return Compiler((str(tools.zig), "clang", *TARGET), tools.compiler_include, own)


def compile_command(line: CommandLine, tools: Toolchain, source: Input) -> list[str]:
    """The compiler's command for one source, up to its output."""
    if line.compiler == "gcc" and is_cxx(source):
        raise ToolchainError(
            f"{source.text}: GCC does not compile C++ here: the C++ library is Clang's",
            "leave out --with gcc",
        )
    compiler = compiler_of(line, tools)
    command = [*compiler.command, *CODE]
    if not line.debug_given:
        command.append("-g")
    if line.compiler == "clang" and optimisation(line) in ("-O3", "-Ofast"):
        command += FAST
    if line.openmp and line.compiler != "clang":
        raise ToolchainError("OpenMP here is Clang's alone", "leave out --with gcc")
    if line.openmp:
        command += threads.OPENMP_FLAGS
    elif line.compiler == "clang" and not is_assembly(source):
        command += NO_OPENMP
    if not is_cxx(source) and not ELEVEN.fullmatch(standard(line)):
        command += OLD_TIME
    if over_cores(line):
        command += threads.FRAMES
    if line.compiler == "clang" and not is_assembly(source):
        command += old_c.lenient(line.compile_flags, cxx=is_cxx(source))
    command += line.compile_flags
    if line.verbose:
        command.append("-v")
    command += [*compiler.own, *include_flags(line, tools, compiler, is_cxx(source))]
    if source.language is not None:
        command += ["-x", source.language]
    elif source.text == "-":
        command += ["-x", "c"]
    return [*command, source.text]


def over_cores(line: CommandLine) -> bool:
    """Whether the program's threads run on several cores, as far as a compilation can know."""
    if line.core_threads:
        return False
    return line.threads and not threads.processes([item.text for item in line.inputs])


def standard(line: CommandLine) -> str:
    """The language's standard, as the last option says it; empty if none does."""
    flags = line.compile_flags
    values = [value for option, value in pairwise(flags) if option == "-std"]
    values += [flag[5:] for flag in flags if flag.startswith("-std=")]
    values += ["c89" for flag in flags if flag == "-ansi"]
    return values[-1] if values else ""


def optimisation(line: CommandLine) -> str:
    """The level that counts: the last one."""
    levels = [flag for flag in line.compile_flags if re.fullmatch(r"-O\w*", flag)]
    return levels[-1] if levels else "-O0"


def include_flags(line: CommandLine, tools: Toolchain, compiler: Compiler, cxx: bool) -> list[str]:
    """The system headers: C++, compiler, libc, and last the kernel's."""
    flags = ["-nostdinc"]
    if not line.standard_includes:
        return flags
    if cxx:
        defines = tools.include / "c++" / "defines.txt"
        if defines.is_file():
            flags += defines.read_text(encoding="utf-8").split("\n")[:-1]
        flags += ["-isystem", str(tools.include / "c++" / "v1")]
    flags += ["-isystem", str(compiler.include)]
    flags += ["-isystem", str(tools.include)]
    for folder in tools.linux_include:
        flags += ["-idirafter", str(folder)]
    return flags


def is_assembly(source: Input) -> bool:
    """Whether a source is assembly, by -x or by its suffix."""
    if source.language is not None:
        return source.language.startswith("assembler")
    return PurePath(source.text).suffix in ASM_SOURCES


def is_cxx(source: Input) -> bool:
    """Whether a source is C++, by -x or by its suffix."""
    if source.language is not None:
        return source.language.startswith("c++")
    return PurePath(source.text).suffix in CXX_SOURCES
