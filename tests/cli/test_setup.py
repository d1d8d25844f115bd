"""`--clocks` and `--jitter`: what the platform chooses at the start of a chip."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rockcreek import description
from rockcreek.chip import Chip
from rockcreek.errors import ConfigError, UsageError

Rck = Callable[..., "object"]


def test_the_kernel_and_the_result_know_the_setup(engine, program, rck, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    answer = rck("run", "-q", "--clocks", "800/1600/1066", "--jitter", 7, "--json", path, program)
    assert (answer.code, answer.err) == (0, "")
    assert "mhz=800 " in engine.chips[-1].loaded[0][0]
    chip = json.loads(path.read_text())["chip"]
    assert (chip["clocks"], chip["jitter"]) == ("800/1600/1066", 7)


def test_without_options_nothing_varies(engine, program, rck, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    rck("run", "-q", "--json", path, program)
    chip = json.loads(path.read_text())["chip"]
    assert (chip["clocks"], chip["jitter"]) == ("533/800/800", None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--clocks", "fast"), "--clocks fast: not the MHz"),
        (("--jitter", "-1"), "--jitter -1: a seed is a number"),
        (("--threads", "0"), "threads: '0' is neither a number from 1 to 64 nor `auto`"),
        (("--threads", "some"), "'some' is neither a number nor `auto`"),
        *(
            (("--restore", "x", *option), f"--restore and {option[0]}: the snapshot says what runs")
            for option in (
                ("--clocks", "1/2/3"),
                ("--chip", "next"),
                ("--env", "A=B"),
                ("--stdin", "none"),
                ("--strace",),
                ("--threads-model", "lazy"),
                ("--reserve", "7"),
            )
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    engine, program, rck, options: tuple[str, ...], message: str
) -> None:
    arguments = options if "--restore" in options else (*options, program)
    answer = rck("run", *arguments)
    assert answer.code == 64
    assert message in answer.err


OWN = (
    ("--reserve", "7"), ("--reserve-program", "hello"), ("--strace",), ("--threads-model", "lazy"),
)  # fmt: skip
SETTLED = (
    ("--chip", "other"),
    ("--clocks", "533/800/800"),
    ("--jitter", "1"),
    ("--check", "races"),
)


@pytest.mark.parametrize(
    ("kernel", "option"),
    [
        *(("l4", option) for option in (OWN[0], ("--save", "s.rck"))),
        *(("linux", option) for option in (*OWN, ("--save", "s.rck"), *SETTLED)),
        *(("smp", option) for option in (*OWN, ("--messages",), ("--mount", "/=/m"))),
        ("smp", ("--view", "v.html")),
    ],
)
def test_a_kernel_refuses_what_it_does_not_serve(
    engine, program, rck, kernel: str, option: tuple[str, ...]
) -> None:
    """As the table of docs/guide/linux.md says."""
    answer = rck("run", "--kernel", kernel, *option, program)
    assert (answer.code, f"rck: {option[0]}" in answer.err) == (64, True), answer.err


def test_the_engine_says_which_clocks_there_are(program, rck) -> None:
    answer = rck("run", "--clocks", "500/800/800", program)
    assert answer.code == 78
    assert "a tile of 500 MHz does not exist; allowed: 800, 533, 400" in answer.err


def test_alternatives_are_chosen_by_name() -> None:
    chosen = description.load("scc").set_up(alternatives={"timing.memory.access": "guide"})
    assert Chip(chosen).time_ps == 0
    with pytest.raises(ConfigError, match="no alternative"):
        Chip(description.load("scc").set_up(alternatives={"timing.memory.access": "best"}))


def test_a_description_may_have_its_own_setup() -> None:
    chip = description.load("scc").set_up(clocks="266/800/800", jitter=3)
    again = description.parse(chip.text, origin="mine.toml")
    assert (again.core_mhz, again.jitter) == (266, 3)
    with pytest.raises(UsageError, match="a table `setup` of its own"):
        again.set_up(jitter=4)
