"""A guest that executes random bytes in ring 1, and what it must not reach."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from rockcreek import resources
from rockcreek.chip import Chip
from rockcreek.inspection import chip_state

VISOR = resources.GUEST / "rockyvisor/visor.elf"
GUEST = resources.GUEST / "rockyvisor/guest.elf"
CORES = (0, 1)
ANOTHER = 47  # a core that has nothing to do with the guest
PRIVATE = 1 << 24  # bytes of its memory
OURS = "of the hypervisor"  # in each line that tells of a fault of its own


@dataclass(frozen=True)
class Kept:
    """What the guest must not change."""

    tables: tuple[dict[int, dict[str, int]], ...]  # LUTs
    code: tuple[bytes | None, ...]  # the hypervisors'
    memory: bytes | None
    buffer: bytes


def run(seed: int, until: str, folder: Path) -> tuple[Kept, str]:
    snapshot = folder / f"{seed}-{until}"
    words = ["--tag", "none", "--cores", f"{CORES[0]}-{CORES[-1]}", "--until", until]
    words += ["--append", f"cores={CORES[0]}-{CORES[-1]} -- random {seed}", "--save", str(snapshot)]
    command = [sys.executable, "-m", "rockcreek", "boot", "-q", *words, str(VISOR)]
    ran = subprocess.run([*command, "--module", str(GUEST)], capture_output=True, check=False)
    chip = Chip.restore(str(snapshot))
    snapshot.unlink()
    with VISOR.open("rb") as file:
        text = ELFFile(file).get_section_by_name(".text")
        assert text is not None
        at, length = text["sh_addr"], text["sh_size"]
    kept = Kept(
        tuple(chip_state.lut(chip, core) for core in range(chip.description.core_count)),
        tuple(chip.read_linear(core, at, length) for core in CORES),
        chip.read_physical(ANOTHER, 0, PRIVATE),
        chip.mpb(ANOTHER // 2),
    )
    return kept, ran.stdout.decode(errors="replace")


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 100), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_random_bytes_reach_nothing_but_the_guest(seeds: range, tmp_path: Path) -> None:
    """The machine may end: by a port, or by a line that says what the guest cannot do."""
    before, _ = run(0, "15ms", tmp_path)
    assert all(before.code)
    assert before.memory is not None
    for seed in seeds:
        after, told = run(seed, "70ms", tmp_path)
        assert not re.search(f"rockyvisor: .*{OURS}", told), f"seed {seed}: {told}"
        assert after == before, f"seed {seed}"
