"""50 tries of a hostile Linux program, side by side under both kernels: the page hostile.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import rockcreek

HERE = Path(__file__).parent
PAGE = HERE / "hostile.md"
# Where each kernel lies in a program's addresses.
KERNELS = {"rck": "C0100000", "l4": "F0100000"}
TRIES = 50
TABLE = "| try | our ordinary kernel | the microkernel |\n| --- | --- | --- |\n"


def told(program: Path, kernel: str) -> dict[str, str]:
    """What came of each try."""
    result = rockcreek.run(program, [KERNELS[kernel]], kernel=kernel, tag="none", cores=[0])
    *lines, last = result.stdout.decode().splitlines()
    assert last == "the program goes on"
    return dict(line.rsplit(": ", 1) for line in lines)


def test_50_tries_under_both_kernels(compile_guest: Callable[..., Path]) -> None:
    program = compile_guest(HERE / "hostile.c")
    ours, theirs = told(program, "rck"), told(program, "l4")
    assert list(ours) == list(theirs)
    assert len(ours) == TRIES
    # RCCE's programs share the buffers.
    assert [name for name, what in theirs.items() if what == "reached"] == [
        "write another core's message buffer"
    ]
    reached = sum(what == "reached" for what in ours.values())
    page = PAGE.read_text().partition(TABLE)[0] + TABLE
    page += "".join(f"| {name} | {ours[name]} | {theirs[name]} |\n" for name in ours)
    page += f"\nUnder our ordinary kernel {reached} of {TRIES} reach something,"
    page += " under the microkernel 1.\n"
    assert PAGE.read_text() == page
