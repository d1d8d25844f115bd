"""Running the programs as guests: 48 different ones on a chip, or one with its own folder.

A batch is one virtual chip whose cores each boot their kernel with a program of their own, as
`rck run -n 1` boots one. A program that does not end in time, or needs files, runs alone.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from builder import files_left, lay_files
from programs import Built, Ending
from rockcreek import resources
from rockcreek import run as run_alone
from rockcreek.chip import Chip
from rockcreek.consoles.console import PORT_STDOUT
from rockcreek.software import image, kernel_command_line

# Of host time, for each second that the native run may take.
BATCH_SLOWDOWN = 6
ALONE_SLOWDOWN = 60


def run_batch(batch: Sequence[Built]) -> tuple[list[Ending | None], int]:
    """How each program of a batch ended, and the instructions of all; None: not in time."""
    chip = Chip("scc")
    mhz = chip.description.core_mhz
    kernel = image.read(resources.kernel_path())
    for core, built in enumerate(batch):
        program = image.load_program(built.binary)
        line = kernel_command_line.command_line(
            core=core,
            cores=[core],
            mhz=mhz,
            argv=[program.name, *built.program.arguments],
            env={},
            stdin=False,
            strace=False,
            share=False,
        )
        chip.load(core, kernel.data, line, [(program.data, program.name)])
    chip.release(range(len(batch)))
    output: list[tuple[bytearray, bytearray]] = [(bytearray(), bytearray()) for _ in batch]
    deadline = time.monotonic() + BATCH_SLOWDOWN * max(one.program.patience_s for one in batch)
    while chip.run_slice() == "slice" and time.monotonic() < deadline:
        _collect(chip, output)
    _collect(chip, output)
    exits = chip.exits()
    endings: list[Ending | None] = []
    for core, (stdout, stderr) in enumerate(output):
        if core not in exits:
            endings.append(None)
            continue
        code = exits[core].code if exits[core].reason == "exit" else -exits[core].code
        endings.append(Ending(bytes(stdout), bytes(stderr), code))
    return endings, chip.instructions


def _collect(chip: Chip, output: list[tuple[bytearray, bytearray]]) -> None:
    for _, core, port, data in chip.output():
        output[core][port != PORT_STDOUT].extend(data)


def run_one(built: Built, folder: Path) -> tuple[Ending | str, int]:
    """A run with one core and the program's files as its root folder; a text: why it has no end."""
    folder.mkdir()
    lay_files(built.program, folder)
    limit = ALONE_SLOWDOWN * built.program.patience_s
    result = run_alone(built.binary, built.program.arguments, share=folder, timeout_s=limit)
    files = files_left(folder)
    shutil.rmtree(folder)
    (core,) = result.cores
    if core.reason not in ("exit", "signal"):
        return f"{result.end}: {result.errors[0] if result.errors else core.reason}", (
            result.instructions
        )
    code = core.exit_code
    if code is None:
        code = -_signal_number(core.signal)
    return Ending(result.stdout, result.stderr, code, files), result.instructions


def _signal_number(name: str | None) -> int:
    import signal

    return signal.Signals[name].value if name and name in signal.Signals.__members__ else 0
