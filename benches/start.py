"""Is it faster to boot the kernels of a run, or to restore a snapshot of booted ones?

    .venv/bin/python benches/start.py PROGRAM [CORES]

Processor time of this host. Booted means that every core has reached its program; a restored run
would still have to give each core its program and command line, which is not counted.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rockcreek import resources
from rockcreek.chip import Chip
from rockcreek.software import image, kernel_command_line

STEP_US = 10


def timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def loaded(cores: tuple[int, ...], program: bytes) -> Chip:
    """A chip whose kernels are about to boot."""
    chip = Chip()
    kernel = image.read(resources.kernel_path()).data
    for core in cores:
        line = kernel_command_line.command_line(
            core=core, cores=cores, mhz=chip.description.core_mhz, argv=["prog"], env={},
            stdin=False, strace=False, share=False,
        )  # fmt: skip
        chip.load(core, kernel, line, [(program, "prog")])
    chip.release(cores)
    return chip


def boot_us(chip: Chip, cores: tuple[int, ...]) -> int:
    """The simulated instant at which every core has been in its program."""
    waiting, now_us = set(cores), 0
    while waiting:
        now_us += STEP_US
        chip.step_until(us=now_us)
        waiting -= {core for core in waiting if chip.core(core)["cpl"] == 3}
    return now_us


def main() -> None:
    cores = tuple(range(int(sys.argv[2]) if len(sys.argv) > 2 else 48))
    program = Path(sys.argv[1]).read_bytes()
    until_us = boot_us(loaded(cores, program), cores)
    chips: list[Chip] = []
    load_s = timed(lambda: chips.append(loaded(cores, program)))
    boot_s = timed(lambda: chips[0].step_until(us=until_us))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "booted.rck")
        chips[0].save(path)
        restore_s = timed(lambda: Chip.restore(path))
        size = Path(path).stat().st_size
    print(
        f"{len(cores)} kernels, {chips[0].instructions:,} instructions, {until_us} us simulated:\n"
        f"  load {load_s * 1000:.0f} ms and boot {boot_s * 1000:.0f} ms;"
        f" restore {restore_s * 1000:.0f} ms ({size:,} bytes)"
    )


if __name__ == "__main__":
    main()
