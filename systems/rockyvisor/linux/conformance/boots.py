"""Boots of `rck smp`, each of which runs many programs one after the other (each.c)."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from scripts.side_by_side import side_by_side

HERE = Path(__file__).resolve().parent
RCK = (sys.executable, "-m", "rockcreek")
CORES = 4
MEMORY = "48M"
RUNNER = ".each"
PATIENCE_S = 300  # of a processor of the host, without a word of the machine
LOOK_S = 5  # between two looks at what it has used
LAST_WORDS = 1500  # characters


@dataclass(frozen=True)
class Plan:
    programs: Path  # the folder
    batch: int  # programs of a boot
    jobs: int  # boots at a time
    seconds: int  # simulated, of a processor, that each process of a program may work


@dataclass(frozen=True)
class Ending:
    how: str  # exit | signal | late | machine
    code: int
    said: str
    seconds: float


def build_runner(programs: Path) -> None:
    """The program that runs the others."""
    command = [*RCK, "cc", "-O2", "-pthread=core", str(HERE / "each.c"), "-o", RUNNER]
    subprocess.run(command, cwd=programs, check=True)


def run_all(names: list[str], plan: Plan, ended: Callable[[str, Ending], None]) -> None:
    """All of them, some in each boot; those behind one that ends the machine have another boot.

    Each is told as it ends, from several threads.
    """
    while names:
        batches = [names[at : at + plan.batch] for at in range(0, len(names), plan.batch)]
        done: set[str] = set()
        for part in side_by_side(lambda part: boot(part, plan, ended), batches, plan.jobs):
            done |= part
        if not done:
            raise SystemExit(f"smp-conformance: no boot came to a test, of {len(names)}")
        names = [name for name in names if name not in done]


def boot(names: list[str], plan: Plan, ended: Callable[[str, Ending], None]) -> set[str]:
    """Runs these, until the machine ends; which have ended."""
    listed = f".list-{threading.get_ident()}"
    (plan.programs / listed).write_text("".join(f"{name}\n" for name in names))
    command = [*RCK, "smp", "-q", "-n", str(CORES), "--memory", MEMORY, "--share",
               str(plan.programs), str(plan.programs / RUNNER), listed,
               str(plan.seconds)]  # fmt: skip
    done: set[str] = set()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace",
    ) as machine:  # fmt: skip
        try:
            assert machine.stdout is not None
            lines: queue.Queue[str | None] = queue.Queue()
            threading.Thread(target=_read, args=(machine.stdout, lines), daemon=True).start()
            for name, ending in read_endings(lines, lambda: used(machine.pid)):
                done.add(name)
                ended(name, ending)
        finally:
            machine.kill()
    (plan.programs / listed).unlink()
    return done


def _read(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def used(process: int) -> float:
    """Seconds of a processor that a process of this host has used; endless if it has ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return float("inf")
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def read_endings(
    lines: queue.Queue[str | None], used: Callable[[], float]
) -> Iterator[tuple[str, Ending]]:
    """What the lines say. The program that runs when they end has ended the machine.

    >>> lines = queue.Queue()
    >>> for line in ["@@ begin a", "no", "@@ end a exit 1", "@@ begin b", "rck: error", None]:
    ...     lines.put(line and line + chr(10))
    >>> [(name, end.how, end.code, end.said) for name, end in read_endings(lines, lambda: 0)]
    [('a', 'exit', 1, 'no'), ('b', 'machine', 0, 'rck: error')]
    """
    running, said, began, at_last_word = "", "", 0.0, 0.0
    while True:
        try:
            line = lines.get(timeout=LOOK_S)
        except queue.Empty:
            if used() - at_last_word < PATIENCE_S:
                continue
            line, said = None, f"{said}no word in {PATIENCE_S} s of a processor of the host"
        if line is None:
            break
        at_last_word = used()
        words = line.split()
        if words[:2] == ["@@", "begin"]:
            running, said, began = words[2], "", time.monotonic()
        elif words[:2] == ["@@", "end"]:
            seconds = time.monotonic() - began
            yield words[2], Ending(words[3], int(words[4]), said.strip(), seconds)
            running = ""
        else:
            said = (said + line)[-LAST_WORDS:]
    if running:
        yield running, Ending("machine", 0, said.strip(), time.monotonic() - began)
