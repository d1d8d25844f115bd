"""What faults do to a run: each kind to its end, and the same in every way of executing it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from guest_programs import compile_program
from rockcreek.faults import campaign, plan
from rockcreek.results.result import Result
from rockcreek.sweep import workers

HERE = Path(__file__).parent
# After the first messages; the run without faults ends at 0.69 ms.
DURING = "450us"
UNTIL_PS = 8 * 10**9


@pytest.fixture(scope="module")
def program() -> Path:
    return compile_program(HERE / "pingpong.c", ["-O2", "-lrcce"])


@pytest.fixture(scope="module")
def checked() -> Path:
    return compile_program(HERE / "pingpong.c", ["-O2", "-lrcce", "-DCHECKED"])


def run(program: Path, text: str, **terms: Any) -> Result:
    return rockcreek.run(program, n=2, faults=plan.read([text]), **terms)


def noticed(result: Result) -> list[str]:
    assert result.faults is not None
    return [core["noticed"] for core in result.faults["cores"]]


def test_a_core_that_dies_leaves_the_others_waiting(program: Path) -> None:
    result = run(program, f"die:core=1@{DURING}")
    assert (result.end, result.cores[1].reason) == ("deadlock", "dead")
    assert result.cores[1].end_ps == 450 * 10**6
    assert noticed(result)[1] == "died" and noticed(result)[0].startswith("waits in RCCE_")
    assert "UE 1 died at 450.000 us" in result.errors[0].message


def test_a_run_goes_on_without_a_core_that_nobody_needs(guest) -> None:
    alone = guest('#include <stdio.h>\nint main(void) { puts("x"); return 0; }')
    result = rockcreek.run(alone, n=2, faults=plan.read(["die:core=1@1us"]))
    assert (result.end, result.exit_code, result.cores[1].reason) == ("exited", 0, "dead")


def test_a_core_that_hangs_is_waited_for(program: Path) -> None:
    result = run(program, f"hang:core=0@{DURING}")
    assert (result.end, noticed(result)[0]) == ("deadlock", "hangs")


def test_a_dead_link_loses_what_crosses_it(program: Path) -> None:
    # Cores 0 and 1 share a tile; UE 1 on core 2 is one tile to the east.
    faults = plan.read([f"link:x=0,y=0,direction=east,state=dead@{DURING}"])
    result = rockcreek.run(program, cores=[0, 2], faults=faults)
    assert result.end == "deadlock" and result.faults is not None
    assert result.faults["lost_packets"] > 0
    assert "waits for an answer that is lost" in noticed(result)


def test_a_slow_link_costs_time_and_changes_nothing_else(program: Path) -> None:
    text = "link:x=0,y=0,direction=east,state=slow,delay=200ns@400us"
    usual = rockcreek.run(program, cores=[0, 2])
    slow = rockcreek.run(program, cores=[0, 2], faults=plan.read([text]))
    assert slow.stdout == usual.stdout and slow.exit_code == 0
    assert slow.time_ps > usual.time_ps + 10**7


def test_a_lossless_lossy_link_is_as_if_it_were_well(program: Path) -> None:
    text = "link:x=0,y=0,direction=east,state=lossy,loss=0@400us"
    usual = rockcreek.run(program, cores=[0, 2])
    result = rockcreek.run(program, cores=[0, 2], faults=plan.read([text]))
    assert (result.time_ps, result.stdout) == (usual.time_ps, usual.stdout)


def test_a_lock_sticks(guest) -> None:
    locks = guest(
        '#include "RCCE.h"\nint main(int c, char **v) { RCCE_init(&c, &v);'
        " for (int n = 0; n < 1000; n++) { RCCE_acquire_lock(0); RCCE_release_lock(0); }"
        " return RCCE_finalize(); }",
        ["-lrcce"],
    )
    result = run(locks, "lock:core=0,state=taken@500us")
    assert result.end == "deadlock"
    assert noticed(result) == ["waits in RCCE_acquire_lock"] * 2


@pytest.mark.parametrize(
    ("volts", "errs"), [("", False), (",volts=0.8", False), (",volts=0.7", True)]
)
def test_a_core_errs_only_if_its_clock_needs_more_than_its_voltage(
    program: Path, volts: str, errs: bool
) -> None:
    # 533 MHz need 0.8 V; with another stack pointer the kernel cannot go on.
    text = f"undervoltage:core=0,register=esp,bit=31{volts}@{DURING}"
    result = run(program, text, until_ps=UNTIL_PS)
    assert result.faults is not None
    (fault,) = result.faults["faults"]
    assert (fault["happened"], result.exit_code != 0) == (errs, errs)
    assert fault["time_ps"] == 450 * 10**6


def test_what_a_flip_found_is_told(program: Path, checked: Path) -> None:
    # The second half of the message buffer of UE 0: words of the message under way.
    text = f"seed=3; mpb:core=0,offset=0x800,bit=6@{DURING}"
    result = run(program, text, until_ps=UNTIL_PS)
    assert result.faults is not None
    (fault,) = result.faults["faults"]
    assert fault["happened"] and fault["before"] ^ fault["after"] == 1 << 6
    assert fault["time_ps"] == fault["at_ps"] == 450 * 10**6


def test_a_probability_of_zero_breaks_nothing(program: Path) -> None:
    usual = rockcreek.run(program, n=2)
    result = run(program, f"die:probability=0@{DURING}")
    assert (result.state_hash, result.stdout) == (usual.state_hash, usual.stdout)


MIXED = (
    "seed=5; mpb:offset=0..0x7ff@300us..600us; l1d@300us..600us; l2@300us..600us;"
    " register:register=any@300us..600us; dram:controller=0,offset=0..0xffffff@500us;"
    " undervoltage:core=1,volts=0.6@505us;"
    " lock:core=1,state=free@510us; link:x=0,y=0,direction=east,state=lossy,loss=0.0005@520us;"
    " link:x=0,y=0,direction=west,state=slow,delay=30ns@530us; hang:core=0@900us"
)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_way_gives_the_same(program: Path, seed: int) -> None:
    def outcome(**way: Any) -> dict[str, Any]:
        result = rockcreek.run(
            program,
            cores=[0, 2],
            faults=plan.read([MIXED]),
            fault_seed=seed,
            until_ps=2 * 10**9,
            **way,
        )
        document = result.to_dict()
        del document["host"]
        return document

    usual = outcome()
    assert any(one["happened"] for one in usual["faults"]["faults"])
    for way in ({"threads": 2 + seed % 2 * 2}, {"translate": False}, {"skip": False}):
        assert outcome(**way) == usual, way


def _campaign(program: Path) -> campaign.Campaign:
    return campaign.Campaign(_Run(program), plan.read([str(HERE / "plan.toml")]))


class _Run:
    def __init__(self, program: Path) -> None:
        self.program = program

    def __call__(self, faults: Any, seed: int | None, until_ps: int | None) -> Result:
        return rockcreek.run(self.program, n=2, until_ps=until_ps, faults=faults, fault_seed=seed)


def test_a_campaign_repeats_itself(checked: Path) -> None:
    series = _campaign(checked)
    measure = series.measure()
    each_kind_once = 8
    alone, two = partial(workers.perform, jobs=1), partial(workers.perform, jobs=2)
    first = series.each(measure, each_kind_once, alone, lambda _: None)
    again = series.each(measure, each_kind_once, two, lambda _: None)
    assert [one.to_dict() for one in first] == [one.to_dict() for one in again]
    assert len({one.outcome for one in first}) > 1
    assert json.dumps(campaign.table(first)) == json.dumps(campaign.table(again))
