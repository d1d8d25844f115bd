"""System mode as a second emulator has it: a short run of `system_oracle.py`."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

unicorn = pytest.importorskip("unicorn", reason="skipped: unicorn is not installed")
import system_oracle  # noqa: E402
from system_cases import make  # noqa: E402
from system_deviations import deviation  # noqa: E402
from system_instructions import random_case  # noqa: E402

# `make fuzz` has more.
CASES = 1500


@pytest.mark.skipif(shutil.which("cargo") is None, reason="skipped: there is no cargo")
def test_system_mode_is_that_of_a_second_emulator() -> None:
    tally = system_oracle.hold(seed=1, cases=CASES)
    assert not tally.unknown, "\n".join(map(system_oracle.describe, tally.unknown[:3]))
    assert tally.cases == CASES
    # Most cases say something: they neither fault nor differ for a known reason.
    assert tally.faults < 0.6 * CASES
    assert sum(tally.known.values()) < 0.1 * CASES


def test_a_difference_that_nobody_knows_is_found() -> None:
    """The comparison sees each part of the state."""
    code, mode = random_case(1)
    case = make(1, code, mode)
    theirs = system_oracle.Unicorn().run(case)
    for name in ("eax", "eip", "eflags", "ss", "cr0"):
        changed = dict(theirs.registers)
        changed[name] ^= 0x10000 if name != "ss" else 8
        ours = system_oracle.Outcome(theirs.vector, changed, theirs.memory)
        if theirs.vector is None or name == "eax":
            difference = system_oracle.compare(case, ours, theirs)
            assert difference is not None and difference.names == [name]
            assert deviation(difference) is None
    other = system_oracle.Outcome(None, theirs.registers, b"\x01" + theirs.memory[1:])
    same = system_oracle.Outcome(None, theirs.registers, theirs.memory)
    difference = system_oracle.compare(case, other, same)
    assert difference is not None and difference.names == ["memory"]


def test_a_bit_beyond_the_limit_is_known_and_no_other_is() -> None:
    """BT with a register reaches out of a segment, of which QEMU asks no limit."""
    number = 31_000_023_575
    code, mode = random_case(number)
    case = make(number, code, mode)
    theirs = system_oracle.Unicorn().run(case)
    # Neither exception changes the registers that make the address.
    ours = system_oracle.Outcome(13, theirs.registers, theirs.memory)
    difference = system_oracle.compare(case, ours, theirs)
    assert difference is not None and deviation(difference) is not None
    inside = dict(theirs.registers, ecx=0)
    assert deviation(replace(difference, ours=replace(ours, registers=inside))) is None
