"""`--threads`: so many threads as help, on a chip and a clock that are given what to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

import rockcreek
from rockcreek.results.host_profile import HostProfile
from rockcreek.running.thread_choice import FIRST_TRIAL_S, ThreadChoice

ROOT = Path(__file__).resolve().parents[2]
SLICE_S = 0.02
MANY = 4


@dataclass
class Host:
    """A chip whose speed depends on its threads, in simulated ps a second, and the host's clock."""

    speeds: dict[int, float]
    threads: int = 1
    time_ps: float = 0
    now: float = 0
    set_to: list[int] = field(default_factory=list)

    def set_threads(self, threads: int) -> None:
        self.threads = threads
        self.set_to.append(threads)

    def run(self, choice: ThreadChoice, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += SLICE_S
            self.time_ps += SLICE_S * self.speeds[self.threads]
            choice.after_slice()


def choice_on(host: Host) -> ThreadChoice:
    return ThreadChoice(cast(Any, host), MANY, host.threads, clock=lambda: host.now)


@pytest.mark.parametrize(("speed", "threads"), [(1.5e9, MANY), (1.02e9, 1), (0.8e9, 1)])
def test_those_threads_go_on_that_do_more(speed: float, threads: int) -> None:
    host = Host({1: 1e9, MANY: speed})
    host.run(choice_on(host), FIRST_TRIAL_S + 3)
    assert host.threads == threads


def test_a_short_run_stays_on_one_thread() -> None:
    host = Host({1: 1e9, MANY: 9e9})
    host.run(choice_on(host), FIRST_TRIAL_S - 2 * SLICE_S)
    assert host.set_to == []


def test_a_program_that_changes_is_measured_again() -> None:
    host = Host({1: 1e9, MANY: 2e9})
    choice = choice_on(host)
    host.run(choice, FIRST_TRIAL_S + 3)
    assert host.threads == MANY
    host.speeds[MANY] = 0.5e9
    host.run(choice, 25)
    assert host.threads == 1


def test_trials_cost_little() -> None:
    host = Host({1: 1e9, MANY: 0.5e9})
    host.run(choice_on(host), 120)
    assert host.time_ps > 0.97 * 120e9


@pytest.mark.parametrize("seconds", [2, 5, 60])
def test_threads_that_were_asked_for_and_do_not_help_cost_little(seconds: float) -> None:
    host = Host({1: 1e9, MANY: 0.75e9}, threads=MANY)
    host.run(choice_on(host), seconds)
    assert host.threads == 1
    assert host.time_ps > 0.95 * seconds * 1e9


def test_a_start_that_threads_do_not_help_costs_them_two_seconds() -> None:
    host = Host({1: 1e9, MANY: 0.9e9}, threads=MANY)
    choice = choice_on(host)
    host.run(choice, 0.6)
    assert host.threads == 1
    host.speeds[MANY] = 2e9
    host.run(choice, 2.5)
    assert host.threads == MANY


def test_threads_that_were_asked_for_and_help_stay() -> None:
    host = Host({1: 1e9, MANY: 2e9}, threads=MANY)
    host.run(choice_on(host), 5)
    assert host.threads == MANY
    assert set(host.set_to) == {1, MANY}


def test_threads_may_change_in_the_middle(compile_guest: Callable[..., Path]) -> None:
    ring = str(compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"]))
    plain, changing = (rockcreek.load(ring, ["20"], n=4) for _ in range(2))
    assert plain.run() == "ended"
    status, turns = "slice", 0
    while status == "slice":
        turns += 1
        changing.set_threads(1 + turns % 2)
        status = changing.run_slice(host_ms=2)
    assert status == "ended"
    assert turns > 2
    assert changing.state_hash() == plain.state_hash()


def test_counts_stay_when_threads_change(compile_guest: Callable[..., Path]) -> None:
    ring = str(compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"]))
    interpreted = []
    for changes in (False, True):
        chip = rockcreek.load(ring, ["20"], n=4)
        profile = HostProfile(chip)
        status, turns = "slice", 0
        while status == "slice":
            turns += 1
            chip.set_threads(1 + turns % 2 if changes else 1)
            status = chip.run_slice(host_ms=2)
        assert (status, turns > 2) == ("ended", True)
        interpreted.append(profile.finish()["instructions"]["interpreted"])
    assert interpreted[1] > 0.8 * interpreted[0] > 0
