"""Compiling one source: the compiler's run, what of old C is made right, and the calls that threads
on several cores need in the place of atomic operations, kept beside the ordinary code.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

from . import scratch, thread_code
from .arguments import CommandLine, Input, Stage
from .code import absent, calls, library_notes, old_c, own_warnings, stack_addresses
from .commands import run
from .compiling import compile_command, is_assembly, is_cxx
from .paths import Toolchain

# Clang writes the files that a source includes into a file of this name. Then it takes the system's
# headers for dependencies, too, so not with options that are to leave them out.
HEADERS = {"CC_PRINT_HEADERS": "1"}
HEADERS_FILE = "CC_PRINT_HEADERS_FILE"
IGNORED_OPENMP = "[-Wsource-uses-openmp]"
DEPENDENCIES = re.compile(r"-M(?:|M|D|MD|P|G|F|T|Q)(?:=.*)?")


def compile_source(
    line: CommandLine, tools: Toolchain, source: Input, output: list[str], target: str | None
) -> int:
    """Compile one source with the options `output`; `target` names its object, if it makes one."""
    command = [*compile_command(line, tools, source), *output]
    if line.show or line.compiler != "clang" or source.text == "-" or is_assembly(source):
        return run(command, line).returncode
    with scratch.folder() as folder:
        work = Path(folder)
        headers = work / "headers"
        colour = ["-fcolor-diagnostics"] if sys.stderr.isatty() else []
        told = not {"-MM", "-MMD"} & set(line.compile_flags)
        environment = {**HEADERS, HEADERS_FILE: str(headers)} if told else {}
        ran = run([*command, *colour], line, capture=True, environment=environment)
        own = own_files(source, headers, tools)
        words = ran.stderr if ran.returncode else ""
        more = made_right(own, ran.stderr, work)
        if more:
            ran = run([*command, *colour, *more], line, capture=True)
        for name in () if "-w" in line.compile_flags else old_c.called_before_void(words):
            print(f"{source.text}: warning: '{name}' is called before it is defined as void",
                  file=sys.stderr)  # fmt: skip
        sys.stdout.write(ran.stdout)
        sys.stderr.write(library_notes.without_quotes(ran.stderr))
        if IGNORED_OPENMP in ran.stderr:
            print("hint: -fopenmp lets directives of OpenMP take effect", file=sys.stderr)
        if ran.returncode != 0:
            if old_c.needs_gcc(ran.stderr):
                print("hint: GCC alone has this: --with gcc, or RCK_CC_WITH=gcc", file=sys.stderr)
            if (way := absent.header(ran.stderr)) is not None:
                print(f"hint: {way}", file=sys.stderr)
            return ran.returncode
        found = look_at_addresses(line, source, command, ran.stderr)
        if look_at_calls(line, tools, source, own, more, ran.stderr, work) or found:
            return 1
        if target is None or not thread_code.needed(line, own if told else None, Path(target)):
            return 0
        return thread_code.keep(thread_line(line), tools, source, Path(target), more, work)


def look_at_addresses(line: CommandLine, source: Input, command: list[str], words: str) -> bool:
    """Warn of addresses of local variables that outlive their function, where the compiler has
    not said so in its `words`; true if that is an error by the options."""
    if line.stage is not Stage.LINK or is_cxx(source):
        return False
    if any(DEPENDENCIES.fullmatch(flag) for flag in line.compile_flags):
        return False
    if not stack_addresses.worth_a_look(line.compile_flags, read(Path(source.text))):
        return False
    looked = run([*command, *stack_addresses.LOOK], replace(line, verbose=False), capture=True)
    found = stack_addresses.warnings(looked.stderr, words)
    return own_warnings.print_found(line.compile_flags, found)


def look_at_calls(
    line: CommandLine,
    tools: Toolchain,
    source: Input,
    own: list[Path],
    more: list[str],
    words: str,
    work: Path,
) -> bool:
    """Warn of calls whose buffer fits neither their type nor their size; `own` are the files that
    the source is made of, itself first. True if that is an error by the options."""
    if not calls.worth_a_look(line.compile_flags, read(own[0]), map(read, own)):
        return False
    options = [*more, *calls.LOOK]
    changed = [*calls.tagged(line.compile_flags), *calls.with_casts_of_c(own[0], read(own[0]))]
    for number, (path, text) in enumerate(changed):
        place = work / f"tagged-{number}"
        place.write_text(text, errors="surrogateescape")
        options += ["-Xclang", "-remap-file", "-Xclang", f"{path};{place}"]
    flags = [*calls.HEADERS, *without_dependencies(line.compile_flags)]
    command = compile_command(replace(line, compile_flags=flags, verbose=False), tools, source)
    looked = run([*command, *options], replace(line, verbose=False), capture=True)
    found = calls.warnings(looked.stderr, words)
    return own_warnings.print_found(line.compile_flags, found)


def own_files(source: Input, headers: Path, tools: Toolchain) -> list[Path]:
    """The source, and what it includes that is not the tool chain's."""
    names = headers.read_text(errors="replace").splitlines() if headers.is_file() else []
    ours = (str(tools.sysroot), str(tools.compiler_include), *map(str, tools.linux_include))
    return [Path(source.text), *(Path(name) for name in names if not name.startswith(ours))]


def made_right(files: list[Path], words: str, work: Path) -> list[str]:
    """Options that make right what of old C Clang does not take, in a folder for what they need."""
    options: list[str] = []
    for number, path in enumerate(files):
        text = read(path)
        if old_c.REGISTER.search(text) and (named := old_c.with_outputs(text)) != text:
            place = work / f"named-{number}"
            place.write_text(named, errors="surrogateescape")
            options += ["-Xclang", "-remap-file", "-Xclang", f"{path};{place}"]
    declared = [f"void {name}();" for name in old_c.called_before_void(words)]
    declared += old_c.wide_and_undeclared(words)
    if declared:
        (work / "declared.h").write_text("\n".join(["#pragma GCC system_header", *declared, ""]))
        options += ["-include", str(work / "declared.h")]
    return options


def read(path: Path) -> str:
    """A text of any encoding; empty if it cannot be read (the compiler says why)."""
    try:
        return path.read_text(errors="surrogateescape")
    except OSError:
        return ""


def thread_line(line: CommandLine) -> CommandLine:
    """The command line of the second run: it writes no dependencies."""
    flags = without_dependencies([flag for flag in line.compile_flags if flag != "-c"])
    return replace(line, compile_flags=flags, verbose=False, threads=True)


def without_dependencies(flags: list[str]) -> list[str]:
    """Options of a run that writes no dependencies."""
    kept = list(flags)
    for number, flag in reversed(list(enumerate(kept))):
        if DEPENDENCIES.fullmatch(flag):
            del kept[number : number + (2 if flag in ("-MF", "-MT", "-MQ") else 1)]
    return kept
