"""Running the compiler and the linker.

A compilation is one run of the compiler per source, a link one run of LLD with every
library named: nothing is searched on the host, nothing is built on the way.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path, PurePath

from . import atomics, host_gcc, missing_library, stack, threads
from .arguments import (
    ASM_SOURCES,
    CXX_SOURCES,
    CommandLine,
    Input,
    Kind,
    Stage,
    parse,
)
from .host_gcc import Compiler
from .paths import Toolchain, ToolchainError, find_toolchain

EX_NOINPUT = 66
EX_SOFTWARE = 70

# The cores are P54C: the x87, no CMOV, MMX or SSE.
TARGET = ["--target=i586-linux-musl", "-march=pentium"]
# What a plain GCC for an embedded Linux does: fixed addresses, and frame
# pointers so that a fault report can show the callers.
CODE = ["-fno-pic", "-fno-pie", "-fno-omit-frame-pointer"]
# At -O3: a double that has no register keeps a place on the stack of its own. Clang's pass that
# lets values share places takes a double's to be aligned at four bytes, and an access that crosses
# eight costs three cycles.
FAST = ["-mllvm", "-no-stack-slot-sharing"]
# The traditional place of an i386 Linux program.
IMAGE_BASE = "0x08048000"


def cc_main(arguments: Sequence[str], *, cxx: bool = False) -> int:
    """``rck cc`` and ``rck c++``: compile and link; the exit code is the compiler's."""
    try:
        line = parse(list(arguments), cxx=cxx)
        return run_line(line, find_toolchain())
    except ToolchainError as error:
        print(f"rck {'c++' if cxx else 'cc'}: error: {error}", file=sys.stderr)
        if error.hint is not None:
            print(f"hint: {error.hint}", file=sys.stderr)
        return error.code


def ar_main(arguments: Sequence[str]) -> int:
    """``rck ar``: the archiver, with deterministic archives."""
    return run_tool("ar", arguments)


def ranlib_main(arguments: Sequence[str]) -> int:
    """``rck ranlib``: write an archive's index."""
    return run_tool("ranlib", arguments)


def run_tool(name: str, arguments: Sequence[str]) -> int:
    """One of the tools that need no options of ours."""
    try:
        zig = find_toolchain().zig
    except ToolchainError as error:
        print(f"rck {name}: error: {error}", file=sys.stderr)
        return EX_SOFTWARE
    return subprocess.run([zig, name, *arguments], check=False).returncode


def run_line(line: CommandLine, tools: Toolchain) -> int:
    """Do what a command line asks for."""
    if line.questions:
        asked = compiler_of(line, tools)
        return execute([*asked.command, *line.compile_flags], line)
    if not line.inputs:
        raise ToolchainError("no input files", "rck cc hello.c -o hello")
    for item in line.inputs:
        check_input(item)
    if not (tools.lib / "libc.a").is_file():
        raise ToolchainError(
            f"the sysroot is not there: {tools.sysroot}",
            "in a checkout, 'make setup' builds it",
        )
    if line.stage is Stage.COMPILE:
        return compile_only(line, tools)
    return compile_and_link(line, tools)


def check_input(item: Input) -> None:
    """Name a missing input before anything has been compiled."""
    if item.text.startswith("-") or item.kind is Kind.LINKER:
        return
    if not Path(item.text).exists():
        raise ToolchainError(f"{item.text}: no such file", code=EX_NOINPUT)


def compile_only(line: CommandLine, tools: Toolchain) -> int:
    """-c, -S, -E and the like: the compiler decides where the output goes."""
    sources = line.sources
    if not sources:
        raise ToolchainError("nothing to compile: the inputs are objects")
    if line.output is not None and len(sources) > 1:
        raise ToolchainError("-o names one file, but there are several sources")
    status = 0
    for source in sources:
        command = compile_command(line, tools, source)
        if line.output is not None:
            command += ["-o", line.output]
        failed = execute(command, line)
        if not failed and line.threads and "-c" in line.compile_flags:
            target = line.output or f"{PurePath(source.text).stem}.o"
            failed = call_atomics(line, tools, source, target)
        status = failed or status
    return status


def compile_and_link(line: CommandLine, tools: Toolchain) -> int:
    """Compile the sources to temporary objects, then link all inputs."""
    with tempfile.TemporaryDirectory(prefix="rck-cc-") as folder:
        inputs: list[str] = []
        for number, item in enumerate(line.inputs):
            if item.kind is Kind.LINKER:
                inputs.append(item.text)
                continue
            stem = PurePath(item.text).stem or "stdin"
            target = os.path.join(folder, f"{stem}-{number}.o")
            command = [*compile_command(line, tools, item), "-c", "-o", target]
            status = execute(command, line)
            if status == 0 and over_cores(line):
                status = call_atomics(line, tools, item, target)
            if status != 0:
                return status
            inputs.append(target)
        return link(line, tools, our_libraries(inputs))


def over_cores(line: CommandLine) -> bool:
    """Whether the program's threads run on several cores."""
    return line.threads and not threads.processes([item.text for item in line.inputs])


DEPENDENCIES = re.compile(r"-M(?:|M|D|MD|P|G|F|T|Q)(?:=.*)?")


def call_atomics(line: CommandLine, tools: Toolchain, source: Input, target: str) -> int:
    """Compile a source once more if it has atomic operations: with calls in their place; the same
    if it has variables that the linker would put behind the shared ones."""
    if line.show or line.compiler != "clang" or source.text == "-" or is_assembly(source):
        return 0
    flags = [flag for flag in line.compile_flags if flag != "-c"]
    for number, flag in reversed(list(enumerate(flags))):
        if DEPENDENCIES.fullmatch(flag):
            del flags[number : number + (2 if flag in ("-MF", "-MT", "-MQ") else 1)]
    again = replace(line, compile_flags=flags, verbose=False)
    command = [*compile_command(again, tools, source), "-w", "-S", "-emit-llvm", "-o", "-"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.stderr.write(ran.stderr)
        return ran.returncode
    shared = threads.shared_commons(ran.stdout)
    if shared == ran.stdout and not atomics.present(shared):
        return 0
    with tempfile.TemporaryDirectory(prefix="rck-cc-") as folder:
        text = Path(folder) / "calls.ll"
        try:
            text.write_text(atomics.replace(shared))
        except atomics.Unknown as error:
            raise ToolchainError(
                f"{source.text}: no call for the atomic operation {error}",
                "use a mutex of pthread.h",
            ) from error
        flags = [flag for flag in flags if not flag.startswith("-std=")]
        calls = Input(Kind.SOURCE, str(text), "ir")
        command = compile_command(replace(again, compile_flags=flags), tools, calls)
        return execute([*command, "-c", "-o", target], again)


def link(line: CommandLine, tools: Toolchain, inputs: list[str]) -> int:
    """Link, and if a library of ours was not named, say which."""
    command = link_command(line, tools, inputs)
    if sys.stderr.isatty():
        command.append("--color-diagnostics=always")
    words: list[str] = []
    status = execute(command, line, words)
    said = "".join(words)
    hint = (
        threads.hint(said, openmp=line.openmp)
        or stack.hint(said)
        or missing_library.hint(said, tools.lib)
    )
    if hint is not None:
        print(f"hint: {hint}", file=sys.stderr)
    return status


def our_libraries(inputs: list[str]) -> list[str]:
    """-lRCCE_bigflags_gory_nopwrmgmt, -liRCCE, libRCCE_bigflags_gory_nopwrmgmt.a and the like
    mean ours, which is one for all switches; unless the project brings an archive of this name, at
    this path or in a folder of -L."""
    folders = [word[2:] for word in inputs if word.startswith("-L") and len(word) > 2]
    folders += [value for word, value in pairwise(inputs) if word == "-L"]
    chosen = []
    for word in inputs:
        name = ORIGINAL_LIBRARY.fullmatch(word) or ORIGINAL_ARCHIVE.fullmatch(Path(word).name)
        paths = [Path(word), *(Path(folder) / f"lib{word[2:]}.a" for folder in folders)]
        theirs = any(path.is_file() for path in paths)
        chosen.append(f"-l{name[1]}rcce" if name and not theirs else word)
    return chosen


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
    if over_cores(line):
        command += threads.FRAMES
    command += line.compile_flags
    if line.verbose:
        command.append("-v")
    command += [*compiler.own, *include_flags(line, tools, compiler, is_cxx(source))]
    if source.language is not None:
        command += ["-x", source.language]
    elif source.text == "-":
        command += ["-x", "c"]
    return [*command, source.text]


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


def link_command(line: CommandLine, tools: Toolchain, inputs: list[str]) -> list[str]:
    """The LLD command for a program (or, with -r, one object)."""
    command = [str(tools.zig), "ld.lld", "-m", "elf_i386", "-static"]
    command += ["-o", line.output if line.output is not None else "a.out"]
    if "-r" in inputs:
        return [*command, *inputs]
    command += ["--build-id=none", "--eh-frame-hdr", "--gc-sections"]
    command += ["-z", "nostart-stop-gc", f"--image-base={IMAGE_BASE}"]
    if line.start_files:
        command.append(str(tools.lib / "crt1.o"))
    if line.threads and not threads.processes(inputs):
        inputs = threads.around(inputs, tools.lib)
    command += inputs
    command += ["-L", str(tools.lib)]
    if stack.LIBRARY in inputs:
        stack.SOURCES.check(stack.folder() / "liblwip.a")
        command += ["-L", str(stack.folder())]
    if line.default_libraries:
        command += [str(tools.lib / name) for name in DEFAULT_LIBRARIES]
    return command


# What the original's makefiles call its archives: flags, interface, power management.
ORIGINAL_LIBRARY = re.compile(r"-l(i?)RCCE(?:_\w+)?")
ORIGINAL_ARCHIVE = re.compile(r"lib(i?)RCCE(?:_\w+)?\.a")

# Archives give only what is missing, so the C++ library costs C nothing.
# libm comes before libc: its functions are the right ones.
DEFAULT_LIBRARIES = [
    "libc++.a",
    "libc++abi.a",
    "libunwind.a",
    "libm.a",
    "libc.a",
    "libzigc.a",
    "libcompiler_rt.a",
]


def execute(command: list[str], line: CommandLine, words: list[str] | None = None) -> int:
    """Run one command, or show it; what it says goes into ``words`` too."""
    if line.show or line.verbose:
        stream = sys.stdout if line.show else sys.stderr
        print(shlex.join(command), file=stream, flush=True)
    if line.show:
        return 0
    try:
        pipe = None if words is None else subprocess.PIPE
        ran = subprocess.run(command, check=False, stderr=pipe, text=True, errors="replace")
    except OSError as error:
        raise ToolchainError(f"cannot run {command[0]}: {error}") from error
    if words is not None:
        words.append(ran.stderr)
        sys.stderr.write(ran.stderr)
    # A compiler that dies by a signal: 128 + signal, as a shell says it.
    return ran.returncode if ran.returncode >= 0 else 128 - ran.returncode
