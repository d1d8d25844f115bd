"""Building a program for the cores, and running it on the host's processor.

The very file that the chip runs is the one that the host runs: a static i586 program. So the
host needs an x86-64 (or i686) processor and Linux.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from programs import Built, Ending, Program, Verdict
from rockcreek.toolchain import arguments, compiling, linking
from rockcreek.toolchain.paths import ToolchainError, find_toolchain

COMPILE_TIMEOUT_S = 1800
# What GCC needs so that it makes the same kind of program as `rck cc`.
GCC = ["gcc", "-m32", "-march=pentium", "-mfpmath=387", "-fno-pic", "-fno-pie",
       "-fno-stack-protector", "-fcf-protection=none", "-static", "-nostdinc",
       "-Wa,--noexecstack"]  # fmt: skip


def build(program: Program, folder: Path) -> Built | Verdict:
    """Compile, link and run natively; a verdict if one of these is not possible."""
    if program.skip is not None:
        return Verdict(program, "skipped", program.skip)
    folder.mkdir(parents=True)
    binary = program.binary or folder / "program"
    if program.binary is None:
        why = compile_program(program, folder, binary)
        if why is not None:
            return Verdict(program, "skipped", why)
    native = run_natively(program, binary, folder / "native")
    if native is None:
        return Verdict(program, "skipped", f"runs longer than {program.patience_s} s natively")
    return Built(program, binary, native)


def compile_program(program: Program, folder: Path, binary: Path) -> str | None:
    """Make the program; why it could not be made."""
    objects = []
    for number, source in enumerate(program.sources):
        target = folder / f"{number}.o"
        try:
            line = compile_line(program, source)
        except ToolchainError as error:
            return f"refused by rck cc: {error}"
        done = _execute([*line, "-c", "-o", str(target)], source.parent)
        if done is not None:
            return f"not compiled by {program.compiler}: {done}"
        objects.append(str(target))
    # Without this header the host lets the program execute any of its memory, as an i586 does,
    # which has no NX bit. GCC's nested functions insist on it, for the stack.
    done = _link(program, objects, binary, folder, "nognustack")
    if done is not None and "executable stack" in done:
        done = _link(program, objects, binary, folder, "execstack")
    for path in objects:
        Path(path).unlink()
    return None if done is None else f"not linked: {done}"


def _link(
    program: Program, objects: list[str], binary: Path, folder: Path, stack: str
) -> str | None:
    """Link as rck cc does; what was wrong."""
    line = arguments.parse([*objects, *program.link, "-z", stack, "-o", str(binary)])
    inputs = [item.text for item in line.inputs]
    return _execute(linking.link_command(line, find_toolchain(), inputs), folder)


def compile_line(program: Program, source: Path) -> list[str]:
    """The compiler's command for one source, up to what it makes of it."""
    tools = find_toolchain()
    if program.compiler == "clang":
        line = arguments.parse(["-g0", *program.flags, str(source)])
        return compiling.compile_command(line, tools, line.sources[0])
    include = _gcc_include()
    folders = [include, tools.include, *tools.linux_include]
    search = [word for folder in folders for word in ("-isystem", str(folder))]
    return [*GCC, *search, *program.flags, str(source)]


def _gcc_include() -> str:
    """GCC's own headers."""
    done = subprocess.run(
        ["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def _execute(command: list[str], cwd: Path) -> str | None:
    """Run a compiler; the first line that says what is wrong."""
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, check=False, timeout=COMPILE_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return f"longer than {COMPILE_TIMEOUT_S} s"
    if done.returncode == 0:
        return None
    lines = done.stderr.decode(errors="replace").splitlines()
    errors = [line for line in lines if "error" in line or "undefined" in line]
    return (errors or lines or ["no message"])[0].rpartition("error: ")[2].strip()


def run_natively(program: Program, binary: Path, folder: Path) -> Ending | None:
    """The program's run on this host's processor; None if it does not end."""
    folder.mkdir()
    lay_files(program, folder)
    try:
        done = subprocess.run(
            [binary.name, *program.arguments], executable=binary, cwd=folder, env={},
            stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=program.patience_s,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    else:
        return Ending(done.stdout, done.stderr, done.returncode, files_left(folder))
    finally:
        shutil.rmtree(folder)


def lay_files(program: Program, folder: Path) -> None:
    """Put the program's files into the folder that it works in; guests see it as the root."""
    (folder / "tmp").mkdir()
    for name, path in program.files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, target)
        else:
            shutil.copyfile(path, target)


def files_left(folder: Path) -> tuple[tuple[str, str], ...]:
    """The files in a folder, but for those in tmp, whose names are often random."""
    return tuple(
        (str(path.relative_to(folder)), hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent != folder / "tmp"
    )


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder for the programs of a suite, gone afterwards."""
    return tempfile.TemporaryDirectory(prefix="rck-conformance-")
