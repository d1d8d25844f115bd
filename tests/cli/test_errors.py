"""Bad input: one clear message, a hint, and the documented exit code each."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

import elf_files
from rockcreek import description, resources
from rockcreek.cli import app
from rockcreek.errors import ReportedError

# The real one: the fixture `engine` puts another in its place.
KERNEL_PATH = resources.kernel_path


def one_message(answer, code: int, *words: str) -> None:
    """The command ended with this code, one message with these words, and at most one hint."""
    assert answer.code == code, answer.err
    assert answer.err.count("rck: ") == 1, answer.err
    assert answer.err.count("hint: ") == 1, answer.err
    assert "Traceback" not in answer.err
    for word in words:
        assert word in answer.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-n", "49"], ["-n 49", "cores 0 to 47"]),
        (["-n", "0"], ["-n 0"]),
        (["-n", "many"], ["many"]),
        (["--cores", "0,48"], ["no core 48"]),
        (["--cores", "3,1,3"], ["core 3", "more than once"]),
        (["--cores", "0,x"], ["0,x"]),
        (["--cores", ""], ["empty"]),
        (["--cores", "1,2", "-n", "3"], ["contradict"]),
        (["--stdin", "7"], ["--stdin 7"]),
        (["--env", "novalue"], ["novalue", "NAME=VALUE"]),
        (["--env", "A=1", "--env", "A=2"], ["A is set twice"]),
        (["--timeout", "10 parsecs"], ["10 parsecs", "10ms"]),
        (["--jsno", "f"], ["--jsno", "--json"]),
        (["--tag", "colour"], ["colour"]),
    ],
)
def test_usage(engine, program, rck, options: list[str], words: list[str]) -> None:
    one_message(rck("run", *options, program), 64, *words)


def test_arguments_longer_than_the_kernel_takes(engine, program, rck) -> None:
    one_message(rck("run", program, "x" * 70000), 64, "too long", "65,534")


def test_no_program(engine, rck) -> None:
    one_message(rck("run"), 64, "PROG")


def test_unknown_command_names_the_nearest(rck) -> None:
    one_message(rck("rnu", "x"), 64, "'rnu'", "'run'")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("text", b"int main(void)\n", ["not an ELF", "text"]),
        ("script", b"#!/bin/sh\n", ["script"]),
        ("empty", b"", ["empty"]),
        ("x86-64", elf_files.elf64(), ["x86-64", "64 bits"]),
        ("arm", elf_files.elf32(machine=40), ["arm"]),
        ("object", elf_files.elf32(kind=elf_files.REL), ["object file", "rck cc"]),
        ("interp", elf_files.elf32(extra_segment=elf_files.INTERP), ["dynamically", "-static"]),
        ("pie", elf_files.elf32(kind=elf_files.DYN), ["position independent"]),
        ("short", elf_files.elf32(size=9999), ["cut short"]),
        ("headless", elf_files.elf32()[:40], ["damaged"]),
    ],
)
def test_files_that_are_no_program(
    engine, rck, tmp_path: Path, name: str, data: bytes, words: list[str]
) -> None:
    path = elf_files.write(tmp_path, name, data)
    one_message(rck("run", path), 65, str(path), *words)


def test_missing_program(engine, rck, tmp_path: Path) -> None:
    one_message(rck("run", tmp_path / "none"), 66, "none", "No such file")


def test_folder_as_program(engine, rck, tmp_path: Path) -> None:
    one_message(rck("run", tmp_path), 65, "folder")


def test_missing_share(engine, program, rck, tmp_path: Path) -> None:
    one_message(rck("run", "--share", tmp_path / "none", program), 66, "--share")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("columns = {", "colums = {"), ["topology.columns is missing"]),
        (('value = 6, unit = "tiles"', 'value = -6, unit = "tiles"'), ["topology.columns", "-6"]),
        (("[topology]", "[topology"), ["line 11"]),
        (('name = "scc"', 'name = "refuse-me"'), ["cache.line.value", "power of two"]),
    ],
)
def test_malformed_chip_description(
    engine, program, rck, tmp_path: Path, change: tuple[str, str], words: list[str]
) -> None:
    text = description.load("scc").text
    assert change[0] in text
    path = tmp_path / "chip.toml"
    path.write_text(text.replace(*change, 1))
    one_message(rck("run", "--chip", path, program), 78, str(path), *words)


def test_a_chip_description_need_not_end_in_toml(
    engine, program, rck, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mychip").write_text("no key")
    one_message(rck("run", "--chip", "mychip", program), 78, "mychip", "line 1")


def test_unknown_preset(engine, program, rck) -> None:
    one_message(rck("run", "--chip", "sccc", program), 66, "sccc", "scc")


def test_segfault_says_core_address_symbol_and_line(engine, program, rck) -> None:
    engine.lines[elf_files.CODE] = ("lookup", "/src/prog.c", 14)
    engine.script[7] = [("fault", {"eip": elf_files.CODE, "address": 16, "vector": 14, "code": 11})]
    answer = rck("run", "-q", "--cores", 7, program)
    one_message(answer, 76, "core 07 (tile 3,0): segmentation fault at address 0x00000010")
    assert "at lookup (prog.c:14), EIP 0x08048054" in answer.err


def test_illegal_instruction_is_named(engine, program, rck) -> None:
    engine.script[0] = [("fault", {"eip": elf_files.CODE, "vector": 6, "code": 4})]
    answer = rck("run", "-q", program)
    one_message(answer, 76, "illegal instruction `cmove eax, ecx` (a Pentium Pro", "rck cc")


def test_kernel_panic(engine, program, rck) -> None:
    engine.script[0] = [("fault", {"reason": 3, "eip": elf_files.CODE, "vector": 8})]
    one_message(rck("run", "-q", program), 76, "core 00", "kernel panic (exception 8)")


def test_cores_that_fault_alike_share_a_message(engine, program, rck) -> None:
    for core in (0, 1, 2, 9):
        engine.script[core] = [("fault", {"eip": 1, "address": 0, "vector": 14})]
    answer = rck("run", "-q", "--cores", "0,1,2,9", program)
    one_message(answer, 76, "cores 00-02,09: segmentation fault")


def test_a_fault_ends_a_run_whose_other_cores_wait(engine, program, rck, tmp_path) -> None:
    engine.script.update({0: [("spin",)], 1: [("fault", {"eip": 1, "vector": 13})]})
    engine.STEP_PS *= 1000
    try:
        answer = rck("run", "-q", "-n", 2, "--json", tmp_path / "r.json", program)
    finally:
        engine.STEP_PS //= 1000
    one_message(answer, 76, "core 01")
    document = json.loads((tmp_path / "r.json").read_text())
    assert document["end"] == "fault" and document["partial"]
    # 20 ms after the fault's own instant, whatever the slices were.
    assert document["time_ps"] == document["cores"][1]["end_ps"] + 20 * 10**9


def test_timeout_says_where_each_core_waits(engine, program, rck, tmp_path) -> None:
    stack = elf_files.BASE + 0x2000
    engine.registers.update(eip=elf_files.CODE, ebp=stack)
    engine.lines[elf_files.CODE] = ("RCCE_wait_until", "RCCE_flags.c", 30)
    engine.lines[elf_files.CODE + 1] = ("main", "prog.c", 8)
    back = elf_files.CODE + 2
    for core in (0, 1):
        engine.script[core] = [("spin",)]
    engine.memory[0, stack] = bytes(4)
    engine.memory[0, stack + 4] = back.to_bytes(4, "little")
    program.write_bytes(program_that_covers(back))
    answer = rck("run", "-q", "-n", 2, "--timeout", "50ms", "--json", tmp_path / "r", program)
    one_message(answer, 75, "stopped after 0.05 s (--timeout)", "2 of 2 cores had not ended")
    assert "core 00 (tile 0,0) in RCCE_wait_until (RCCE_flags.c:30)" in answer.err
    assert "called from main (prog.c:8)" in answer.err
    document = json.loads((tmp_path / "r").read_text())
    assert document["partial"] and document["end"] == "timeout"
    assert document["cores"][0]["waits"][1] == "main (prog.c:8)"


def test_deadlock(engine, program, rck) -> None:
    engine.script[0] = [("halt",)]
    engine.registers.update(state="halted")
    one_message(rck("run", "-q", program), 75, "deadlock", "core 00 (tile 0,0) halted in")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_the_run_and_keep_the_result(
    engine, program, rck, tmp_path, number: int, code: int
) -> None:
    engine.script[0] = [("out", 0x3F8, b"partial output\n"), ("signal", number), ("spin",)]
    answer = rck("run", "-q", "--json", tmp_path / "r.json", program)
    one_message(answer, code, "1 of 1 cores had not ended")
    assert answer.out == "partial output\n"
    assert json.loads((tmp_path / "r.json").read_text())["partial"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this host has no /dev/full")
def test_full_disk_on_stdout(engine, program, rck, full_stdout) -> None:
    engine.script[0] = [("out", 0x3F8, b"lost\n"), ("spin",)]
    with full_stdout():
        answer = rck("run", "-q", program)
    one_message(answer, 74, "stdout: No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this host has no /dev/full")
def test_full_disk_on_json(engine, program, rck) -> None:
    one_message(rck("run", "-q", "--json", "/dev/full", program), 74, "/dev/full", "No space")


def test_json_into_a_missing_folder_is_refused_before_the_run(engine, program, rck) -> None:
    one_message(rck("run", "--json", "/nowhere/r.json", program), 74, "/nowhere/r.json")
    assert not engine.chips


def test_a_bug_is_code_70(engine, program, rck, monkeypatch) -> None:
    monkeypatch.setattr(engine.Chip, "release", lambda *_: 1 / 0)
    answer = rck("run", program)
    assert answer.code == 70
    assert "this is a bug in rck" in answer.err and "hint: please report" in answer.err


def test_missing_kernel(engine, program, rck, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(resources, "GUEST", tmp_path / "none")
    monkeypatch.setattr(resources, "kernel_path", KERNEL_PATH)
    one_message(rck("run", program), 66, "guest kernel", "make setup")


def program_that_covers(address: int) -> bytes:
    return elf_files.elf32(bytes(address - elf_files.CODE + 16))


@pytest.fixture
def full_stdout():
    """A context in which file descriptor 1 is a full disk."""
    from contextlib import contextmanager

    @contextmanager
    def redirected():
        saved, full = os.dup(1), os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, 1)
        try:
            yield
        finally:
            os.dup2(saved, 1)
            os.close(saved)
            os.close(full)

    return redirected


def test_a_path_that_leads_out_of_the_share_is_named(engine, program, rck, tmp_path) -> None:
    engine.refused += [(0, "/link"), (3, "/link")]
    engine.script[0] = [("exit", 1)]
    answer = rck("run", "-q", "--share", tmp_path, program)
    one_message(answer, 1, "cores 00,03: /link leads out of the shared folder: refused")


def test_a_core_that_shuts_down_is_a_guest_fault(engine, program, rck) -> None:
    engine.script[0] = [("halt",)]
    engine.registers.update(state="shutdown", eip=elf_files.CODE, cpl=0)
    one_message(rck("run", "-q", program), 76, "core 00 (tile 0,0): the core shut down")


@pytest.mark.parametrize(("code", "shown"), [(74, 74), (66, 66), (0, 70), (1, 70), (99, 70)])
def test_an_error_of_another_process_keeps_its_exit_code(code: int, shown: int) -> None:
    error = ReportedError("r.json: No space left on device", code)
    assert (error.exit_code, error.render()) == (shown, "rck: r.json: No space left on device")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("can't start new thread"),
        SystemError("error return without exception set"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_python_makes_of_a_refused_allocation_is_told_as_that(
    rck, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refused(*_arguments: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr(app.app, "main", refused)
    one_message(rck("chip"), 71, "the host's memory does not suffice")
