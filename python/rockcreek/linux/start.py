"""Chips on which Linux runs: booted once, kept, and continued with a line typed at each core.

What waits at a core's COM1 is systems/linux/root/console.c, which knows a few words (program.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from rockcreek import description as descriptions
from rockcreek.booting.boot_job import BootJob, execute
from rockcreek.booting.linux_image import parse_size
from rockcreek.booting.load_plan import parse_cores
from rockcreek.consoles.console import Sink
from rockcreek.errors import GuestFault, InputError, RockcreekError, UsageError
from rockcreek.linux import images, kept
from rockcreek.linux.program import Program
from rockcreek.outputs import make_folder
from rockcreek.results.result import END_UNTIL, Result
from rockcreek.running.options import TermValues

# A console says so when its core is ready for a line.
READY = b" is ready\r\n"
_PANIC = "Kernel panic"
# Of each Linux, unless somebody says otherwise.
MEMORY = "64M"
# Longer than a boot of up to six cores takes; more were not tried.
BOOT_PS = 3 * 10**12


@dataclass(frozen=True)
class Choice:
    """Which Linux: where, with how much memory, with which words on its command line."""

    cores: tuple[int, ...]
    memory: str
    words: str

    @property
    def command_line(self) -> str:
        return f"console=ttyS0 quiet {self.words}".strip()


def choose(n: int | None, cores: str | None) -> tuple[int, ...]:
    """Core numbers from -n and --cores."""
    chip_cores = descriptions.load("scc").core_count
    if cores is not None:
        if n is not None:
            raise UsageError("-n and --cores exclude each other", hint="--cores 0,4-7 names cores")
        return parse_cores(cores, chip_cores, "--cores")
    count = 1 if n is None else n
    if not 1 <= count <= chip_cores:
        raise UsageError(f"-n {count}: the chip has 1 to {chip_cores} cores", hint="-n 8")
    return tuple(range(count))


def check_memory(text: str) -> str:
    """The size, if a core has so much memory for itself."""
    values = descriptions.load("scc").values
    slots = values["board"]["private_slots"]["value"]
    most = slots * values["tile"]["lut_segment"]["value"]
    if parse_size(text) > most:
        hint = "each Linux has memory of its own core only"
        raise UsageError(f"--memory {text}: a core has {most >> 20}M", hint=hint)
    return text


def snapshot(choice: Choice, *, fresh: bool, terms: TermValues, say: Callable[[str], None]) -> Path:
    """The snapshot of these cores, with all consoles ready; made if it is not there."""
    found = images.find()
    path = kept.path(found, choice.cores, (choice.memory, choice.command_line))
    if path.is_file() and not fresh:
        return path
    make_folder(path.parent)
    noun = "core" if len(choice.cores) == 1 else "cores"
    say(f"rck: booting Linux on {len(choice.cores)} {noun}, once; the chip is kept in {path}")
    heard = Sink("boot")
    job = BootJob(
        [str(found.kernel)],
        cores=",".join(map(str, choice.cores)),
        append=choice.command_line,
        initrd=str(found.root),
        platform="scc",
        memory=choice.memory,
        until_ps=BOOT_PS,
        save=path,
        stdout=heard,
        stderr=heard,
        force=True,
    )
    result = execute(replace(job, **terms))
    ready = bytes(heard.captured).count(READY)
    if result.end != END_UNTIL or ready != len(choice.cores):
        path.unlink(missing_ok=True)
        if result.errors and not isinstance(result.errors[0], GuestFault):
            raise result.errors[0]
        raise no_boot(path, ready, choice, result.time_ps, bytes(heard.captured))
    return path


def no_boot(path: Path, ready: int, choice: Choice, time_ps: int, heard: bytes) -> RockcreekError:
    """What a Linux that does not boot has said of it."""
    text = heard.decode(errors="replace")
    panics = [line for line in text.splitlines() if _PANIC in line]
    return InputError(
        f"Linux is ready on {ready} of {len(choice.cores)} cores after {time_ps / 1e12:.3g} "
        f"simulated seconds; the last it wrote: {panics[0] if panics else text[-400:]!r}",
        path=str(path),
        hint=f"--memory gives a core more memory than {choice.memory}",
    )


def check_core(choice: Choice, core: int) -> None:
    """Whether somebody can sit there."""
    if core not in choice.cores:
        raise UsageError(f"core {core} boots no Linux", hint="--cores names those that do")


def check_keys(*, reached: bool) -> None:
    """Whether anybody can end the shell: at a terminal, or from where the chip is reached."""
    images.find()
    if not (reached or sys.stdin.isatty()):
        raise UsageError(
            "a shell needs a terminal: nobody could end this one",
            hint="what a file says runs by: rck linux run --stdin FILE sh",
        )


def lines(choice: Choice, program: Program) -> dict[int, bytes]:
    """The text that is typed at the console of each core."""
    mhz = descriptions.load("scc").core_mhz
    return {core: program.typed(choice.cores, mhz, core) for core in choice.cores}


def run(
    path: Path,
    typed: dict[int, bytes],
    program: Program,
    *,
    messages: bool,
    terms: TermValues,
) -> Result:
    """The program on every core; the cores end with its exit code."""
    first, *others = program.shares
    job = BootJob(
        [str(images.place(images.KERNEL))],
        restore=path,
        typed=typed,
        share=first,
        mounts=others,
        runs=program.file,
        arguments=program.command[1:],
        messages=messages,
    )
    return execute(replace(job, **terms))


def shell(path: Path, core: int, *, share: str, terms: TermValues) -> Result:
    """A terminal at one core's shell, until Ctrl-]."""
    typed = {core: b"shell\n"}
    kernel = str(images.place(images.KERNEL))
    job = BootJob([kernel], restore=path, typed=typed, console=core, share=share)
    return execute(replace(job, **terms))
