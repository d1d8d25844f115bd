"""A message that a stop cuts off is one under way, at whatever instant; and a chip in the middle of
its requests can be looked at."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import rockcreek
from guest_programs import compile_program
from rockcreek.cli import main

BYTES = 1 << 18
SOURCE = f"""
#include "RCCE.h"
static char data[{BYTES}];
int RCCE_APP(int count, char **words)
{{
    RCCE_init(&count, &words);
    for (int n = 0; n < 200; n++)
        if (RCCE_ue())
            RCCE_recv(data, sizeof data, 0);
        else
            RCCE_send(data, sizeof data, 1);
    RCCE_finalize();
    return 0;
}}
"""
# Instants in ps, no multiple of anything in the program.
INSTANTS = tuple(9_000_000_000 + n * 777_777_777 for n in range(9))
VIEWS_OF_A_MESSAGE = (("core", "--core"), ("cache", "--core"))
VIEWS = (*VIEWS_OF_A_MESSAGE, ("lut", "--core"), ("crb", "--tile"), ("mpb", "--tile"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("transfer") / "transfer.c"
    source.write_text(SOURCE)
    return compile_program(source, ["-lrcce"])


@pytest.mark.parametrize("until_ps", INSTANTS[::3])
def test_a_transfer_is_no_cycle(program: Path, until_ps: int) -> None:
    result = rockcreek.run(program, n=2, until_ps=until_ps)
    assert result.waiting is not None
    assert result.waiting["cycles"] == []
    kinds = {found["kind"] for found in result.waiting["findings"]}
    assert kinds <= {"transfer-under-way"}
    for one in result.waiting["transfers"]:
        assert (one["from"], one["to"], one["size"]) == (0, 1, BYTES)
        assert 0 <= one["moved"] <= BYTES


def test_what_has_moved_grows(program: Path) -> None:
    """Within one message: it takes some 5 ms."""
    moved = []
    for n in range(12):
        result = rockcreek.run(program, n=2, until_ps=20_000_000_000 + n * 200_000_000)
        assert result.waiting is not None
        moved += [one["moved"] for one in result.waiting["transfers"]]
    assert len(set(moved)) > 3
    falls = sum(b < a for a, b in pairwise(moved))
    assert falls <= 1, moved


def test_a_deadlock_stays_one(guest) -> None:
    """Both receive: nothing can ever change."""
    program = guest(SOURCE.replace("RCCE_send(data, sizeof data, 1)",
                                   "RCCE_recv(data, sizeof data, 1)"), ["-lrcce"])  # fmt: skip
    result = rockcreek.run(program, n=2)
    assert result.waiting is not None
    assert [found["kind"] for found in result.waiting["findings"]] == ["receive-ring"]


def test_any_instant_can_be_shown(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As text and as JSON in turns: cores and caches at each instant, all else at the first two."""
    chip = rockcreek.load(program, n=2)
    asked = {False: 0, True: 0}
    for n, until_ps in enumerate(INSTANTS):
        while chip.run_slice(until_ps) == "slice":
            pass
        path = str(tmp_path / f"s{n}")
        chip.save(path, "")
        as_json = n % 2 == 1
        format_option = ["--json"] if as_json else []
        for view, option in VIEWS if n < 2 else VIEWS_OF_A_MESSAGE:
            for number in ("0", "1") if option == "--core" else ("0",):
                assert main(["show", view, path, option, number, *format_option]) == 0
        asked[as_json] += capsys.readouterr().out.count('"read": ' if as_json else "read mpb")
    assert all(asked.values()), "no instant was within a request"
