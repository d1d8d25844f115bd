"""Running the compiler and the linker.

A compilation is one run of the compiler per source, a link one run of LLD with every
library named: nothing is searched on the host, nothing is built on the way.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from rockcreek import printable

from . import scratch
from .arguments import CommandLine, Input, Kind, Stage, dependencies_of, object_suffix, parse
from .build_systems import answers
from .commands import execute
from .compiling import compiler_of
from .linking import link
from .paths import Toolchain, ToolchainError, find_toolchain
from .sources import compile_source

EX_NOINPUT = 66
EX_SOFTWARE = 70
FORTRAN = {".f", ".f77", ".for", ".f90", ".f95", ".f03", ".f08"}


def cc_main(arguments: Sequence[str], *, cxx: bool = False) -> int:
    """``rck cc`` and ``rck c++``: compile and link; the exit code is the compiler's."""
    try:
        line = parse(list(arguments), cxx=cxx)
        return run_line(line, find_toolchain())
    except ToolchainError as error:
        text = f"rck {'c++' if cxx else 'cc'}: error: {error}"
        print(printable.with_words(text, arguments), file=sys.stderr)
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
    if line.questions or (line.verbose and not line.inputs):
        return reply(line, tools)
    if not line.inputs:
        raise ToolchainError("no input files", "rck cc hello.c -o hello")
    for item in line.inputs:
        check_input(item, line.output)
    if not (tools.lib / "libc.a").is_file():
        raise ToolchainError(
            f"the sysroot is not there: {tools.sysroot}",
            "in a checkout, 'make setup' builds it",
        )
    if line.stage is Stage.COMPILE:
        return compile_only(line, tools)
    return compile_and_link(line, tools)


def reply(line: CommandLine, tools: Toolchain) -> int:
    """Answer what needs no input: ours about places, the compiler all else."""
    said = [] if line.compiler == "gcc" else answers(line, tools)
    if said:
        print("\n".join(said))
        return 0
    more = [] if line.questions else ["--version"]
    return execute([*compiler_of(line, tools).command, *line.compile_flags, *more], line)


def check_input(item: Input, output: str | None) -> None:
    """Before anything has been compiled: an input that is missing, or that the output would end."""
    if PurePath(item.text).suffix.lower() in FORTRAN:
        raise ToolchainError(
            f"{item.text}: Fortran is not compiled here", "f2c translates Fortran 77 to C"
        )
    if item.text.startswith("-") or item.kind is Kind.LINKER:
        return
    if not Path(item.text).exists():
        raise ToolchainError(f"{item.text}: no such file", code=EX_NOINPUT)
    if output is not None and os.path.isfile(output) and os.path.samefile(item.text, output):
        raise ToolchainError(f"{item.text}: is the output, too", "name another file after -o")


def compile_only(line: CommandLine, tools: Toolchain) -> int:
    """-c, -S, -E and the like: the compiler decides where the output goes."""
    sources = line.sources
    if not sources:
        raise ToolchainError("nothing to compile: the inputs are objects")
    if line.output is not None and len(sources) > 1:
        raise ToolchainError("-o names one file, but there are several sources")
    status = 0
    for source in sources:
        status = compile_one(line, tools, source) or status
    return status


def compile_one(line: CommandLine, tools: Toolchain, source: Input) -> int:
    """One source. An object or assembly of one file is made aside; the compiler itself writes what
    goes to stdout, or goes to several files."""
    suffix = object_suffix(line)
    target = line.output or f"{PurePath(source.text).stem or '-'}{suffix}"
    if line.show or suffix is None or target == "-":
        output = ["-o", line.output] if line.output is not None else []
        return compile_source(line, tools, source, output, None)
    with scratch.folder() as folder:
        made = os.path.join(folder, f"made{suffix}")
        output = ["-o", made, *dependencies_of(line, target)]
        status = compile_source(line, tools, source, output, made if suffix == ".o" else None)
        if status == 0:
            scratch.deliver(made, target)
    return status


def compile_and_link(line: CommandLine, tools: Toolchain) -> int:
    """Compile the sources to temporary objects, then link all inputs."""
    with scratch.folder() as folder:
        inputs: list[str] = []
        for number, item in enumerate(line.inputs):
            if item.kind is Kind.LINKER:
                inputs.append(item.text)
                continue
            stem = PurePath(item.text).stem or "stdin"
            target = os.path.join(folder, f"{stem}-{number}.o")
            output = ["-c", "-o", target, *dependencies(line, stem)]
            status = compile_source(line, tools, item, output, target)
            if status != 0:
                return status
            inputs.append(target)
        program = line.output if line.output is not None else "a.out"
        if line.show or program == "-":
            return link(line, tools, inputs)
        made = os.path.join(folder, "made")
        status = link(replace(line, output=made), tools, inputs)
        if status == 0:
            scratch.deliver(made, program, executable="-r" not in inputs)
        return status


def dependencies(line: CommandLine, stem: str) -> list[str]:
    """Where -MD writes for a source that is compiled and linked in one step, and for what: GCC 12
    names both after the program."""
    flags = line.compile_flags
    if not {"-MD", "-MMD"} & set(flags):
        return []
    file = line.output or stem
    more = [] if "-MF" in flags else ["-MF", f"{PurePath(file).with_suffix('')}.d"]
    named = any(flag.startswith(("-MT", "-MQ")) for flag in flags)
    return more if named else [*more, "-MT", line.output or f"{stem}.o"]
