"""Linking: one run of LLD with every library named."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path

from . import scratch, stack, threads
from .arguments import CommandLine
from .code import absent, libraries, tentative, time_kinds
from .commands import run
from .paths import Toolchain, ToolchainError
from .thread_code import ThreadInputs, defined

# The traditional place of an i386 Linux program.
IMAGE_BASE = "0x08048000"
# What the original's makefiles call its archives: flags, interface, power management.
ORIGINAL_LIBRARY = re.compile(r"-l(i?)RCCE(?:_\w+)?")
ORIGINAL_ARCHIVE = re.compile(r"lib(i?)RCCE(?:_\w+)?\.a")

# Archives give only what is missing, so the C++ library costs C nothing.
# libm comes before libc: its functions are the right ones. libscc is what RCCE and the systems
# stand on (guest/scc), librck_gnu what GNU's C library has besides (guest/gnu).
DEFAULT_LIBRARIES = [
    "libscc.a",
    "libc++.a",
    "libc++abi.a",
    "libunwind.a",
    "librck_gnu.a",
    "libm.a",
    "libc.a",
    "libzigc.a",
    "libcompiler_rt.a",
]


def link(line: CommandLine, tools: Toolchain, inputs: list[str]) -> int:
    """Link a program, and if a library of ours was not named, say which."""
    inputs = our_libraries(absent.with_effect(inputs))
    inputs = libraries.with_needs(inputs, libraries.declared(tools.sysroot))
    ran = link_kind(line, tools, inputs)
    if names := tentative.twice(ran.stderr):
        ran = link_tentative(line, tools, inputs, names) or ran
    sys.stdout.write(untraced(ran.stdout, watched(tools)))
    sys.stderr.write(ran.stderr)
    if ran.returncode == 0:
        refuse_two_times(tools, ran.stdout)
    hint = (
        threads.hint(ran.stderr, processes=threads.processes(inputs))
        or stack.hint(ran.stderr)
        or libraries.hint(ran.stderr, tools.lib)
        or libraries.absent(ran.stderr)
        or absent.function(ran.stderr)
        or absent.option(ran.stderr)
    )
    if hint is not None:
        print(f"hint: {hint}", file=sys.stderr)
    return ran.returncode


def link_kind(
    line: CommandLine, tools: Toolchain, inputs: list[str]
) -> subprocess.CompletedProcess[str]:
    """A program is one of threads if it says so, or if it makes some."""
    if "-r" in inputs or line.core_threads or threads.processes(inputs):
        return run_link(line, tools, link_command(line, tools, inputs))
    if not line.threads:
        ran = run_link(line, tools, link_command(line, tools, inputs))
        if not threads.made(ran.stdout, ran.stderr, tools.sysroot):
            return ran
    return link_threads(line, tools, inputs)


def link_tentative(
    line: CommandLine, tools: Toolchain, inputs: list[str], names: list[str]
) -> subprocess.CompletedProcess[str] | None:
    """Link once more if all that is defined twice are variables without a value: they are one."""
    variables = tentative.variables(names, inputs)
    if not variables:
        return None
    if "-w" not in line.compile_flags:
        print(f"rck cc: warning: several files define {', '.join(names)} without a value: taken as "
              "one, as compilers did before GCC 10", file=sys.stderr)  # fmt: skip
    with scratch.folder() as folder:
        first = defined(variables, tools, line, Path(folder))
        return link_kind(line, tools, ["--allow-multiple-definition", first, *inputs])


def run_link(
    line: CommandLine, tools: Toolchain, command: list[str]
) -> subprocess.CompletedProcess[str]:
    """Run the linker; what it says is looked at before it is shown."""
    colour = ["--color-diagnostics=always"] if sys.stderr.isatty() else []
    names = [] if line.show else watched(tools)
    traced = [f"--trace-symbol={name}" for name in names]
    return run([*command, *colour, *traced], line, capture=True)


@cache
def watched(tools: Toolchain) -> dict[str, bool | None]:
    """Functions whose users the linker names: those that make threads, and those of the time,
    whether of 64 bits."""
    return {**dict.fromkeys(threads.MAKERS), **time_kinds.names(tools.include)}


def untraced(said: str, names: Iterable[str]) -> str:
    """What the linker says without what only this module asked for."""
    found = [(text, time_kinds.REFERENCE.fullmatch(text)) for text in said.splitlines()]
    return "".join(f"{text}\n" for text, match in found if match is None or match[3] not in names)


def refuse_two_times(tools: Toolchain, said: str) -> None:
    """No program is made of objects that differ in what a time_t is."""
    found = time_kinds.both(said.splitlines(), time_kinds.names(tools.include), tools.sysroot)
    if found is None:
        return
    raise ToolchainError(
        f"time_t has 32 bits in {Path(found[0]).name} and 64 in {Path(found[1]).name}",
        "compile all with -D_TIME_BITS=64, or all with -D_TIME_BITS=32 (times up to 2038)",
    )


def link_threads(
    line: CommandLine, tools: Toolchain, inputs: list[str]
) -> subprocess.CompletedProcess[str]:
    """Link a program of threads: its objects' code for threads, with the library's around it."""
    with scratch.folder() as folder:
        given = ThreadInputs(line, tools, Path(folder))
        ready = inputs if line.show else given.ready(inputs)
        whole = threads.around(ready, tools.lib, own=given.defined)
        return run_link(line, tools, link_command(line, tools, whole))


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


def link_command(line: CommandLine, tools: Toolchain, inputs: list[str]) -> list[str]:
    """The LLD command for a program (or, with -r, one object)."""
    # An output that is mapped ends the linker by SIGBUS when the disk is full.
    command = [str(tools.zig), "ld.lld", "-m", "elf_i386", "-static", "--no-mmap-output-file"]
    command += ["-o", line.output if line.output is not None else "a.out"]
    if "-r" in inputs:
        return [*command, *inputs]
    command += ["--build-id=none", "--eh-frame-hdr", "--gc-sections"]
    command += ["-z", "nostart-stop-gc", f"--image-base={IMAGE_BASE}"]
    if line.start_files:
        command.append(str(tools.lib / "crt1.o"))
    command += inputs
    command += ["-L", str(tools.lib)]
    if stack.LIBRARY in inputs:
        stack.SOURCES.check(stack.folder() / "liblwip.a")
        command += ["-L", str(stack.folder())]
    if line.default_libraries:
        command += [str(tools.lib / name) for name in DEFAULT_LIBRARIES]
    return command
