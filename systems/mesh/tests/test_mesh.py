"""Errors in words, and an example that computes what its twin with RCCE does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.guest_programs import compile_program, run_program

SYSTEM = Path(__file__).resolve().parents[1]
PROGRAMS = SYSTEM / "programs"
LIBRARIES = ["-O2", "-lmesh", "-lrcce"]

MISTAKES = {
    "shared-released": "object 1, generation 0, was used after its release",
    "never-assigned": "a Shared or ControlPtr was used that was never assigned",
    "no-core": "there is no UE -1 among 2",
    "no-space": "there is no UE 2 among 2",
    "local": "local() of an object of UE 1",
    "both": "object 1: this core shares it and wants to exclude all others",
    "inside": "object 1: this core excludes all others from it already",
    "several": "object 1: replicas cannot have several writers at once",
    "elsewhere": "object 2: its instance is on another core",
    "move": "object 1: only an object of a MigrationSpace can be moved",
    "huge": "an object of 9437184 bytes",
    "full": "no 5242880 bytes for a shared object",
    "handler": "object 1: a method that runs by a message would wait for its lock",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told(mistake: str) -> None:
    program = compile_program(SYSTEM / "tests" / "bad.cpp", LIBRARIES)
    ran = run_program(program, mistake, options=["-n", "2", "--tag", "none", "-q"])
    assert ran.returncode != 0
    assert f"mesh: UE 0 (core 0): {MISTAKES[mistake]}" in ran.stderr
    assert "\nhint: " in ran.stderr


@pytest.mark.parametrize("program", ["storm", "costs", "flush", "barnes"])
def test_bad_arguments_are_told(program: str) -> None:
    built = compile_program(PROGRAMS / f"{program}.cpp", LIBRARIES)
    ran = run_program(built, "0", options=["-n", "3", "--tag", "none", "-q"])
    assert ran.returncode != 0
    assert "mesh: UE " in ran.stderr


def test_a_larger_chip_is_refused() -> None:
    program = compile_program(PROGRAMS / "render.cpp", LIBRARIES)
    ran = run_program(program, options=["--chip", "scc-128", "-n", "50", "--tag", "none", "-q"])
    assert ran.returncode != 0
    assert "MESH needs an SCC of 48 cores\nhint: leave out --chip" in ran.stderr


@pytest.mark.parametrize("cores", ["1", "5"])
def test_the_example_and_its_twin_agree(cores: str) -> None:
    options = ["-n", cores, "--tag", "none", "-q"]
    twin = compile_program(PROGRAMS / "render_rcce.c", ["-O2", "-lrcce"])
    example = compile_program(PROGRAMS / "render.cpp", LIBRARIES)
    wanted = run_program(twin, "12", options=options).stdout
    assert run_program(example, "12", options=options).stdout == wanted


@pytest.mark.slow
def test_a_storm_on_all_cores() -> None:
    built = compile_program(PROGRAMS / "storm.cpp", LIBRARIES)
    ran = run_program(built, "2000", "16", "5", options=["-n", "48", "--tag", "none", "-q"])
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith("left: 0 shared objects, 0 bytes, 0 objects\n")
