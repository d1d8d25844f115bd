"""`rck run`: options, tags, order of output, exit codes, JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

Rck = Callable[..., "object"]


def test_one_core_passes_its_bytes_on_untagged(engine, program, rck) -> None:
    engine.script[0] = [("out", 0x3F8, b"no newline"), ("exit", 0)]
    answer = rck("run", "-q", program)
    assert (answer.code, answer.out, answer.err) == (0, "no newline", "")


def test_lines_are_tagged_and_complete_and_in_simulated_order(engine, program, rck) -> None:
    engine.script[0] = [("out", 0x3F8, b"fir"), ("out", 0x3F8, b"st\nrest"), ("exit", 0)]
    engine.script[1] = [("out", 0x3F8, b"second\n"), ("exit", 0)]
    answer = rck("run", "-q", "-n", 2, program)
    assert answer.out == "[01] second\n[00] first\n[00] rest\n"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("none", "hello\n"),
        ("core", "[00] hello\n"),
        ("time", "[00      1.000000 us] hello\n"),
    ],
)
def test_tags(engine, program, rck, tag: str, expected: str) -> None:
    engine.script[0] = [("out", 0x3F8, b"hello\n"), ("exit", 0)]
    assert rck("run", "-q", "--tag", tag, program).out == expected


def test_guest_stderr_goes_to_stderr(engine, program, rck) -> None:
    engine.script[0] = [("out", 0x2F8, b"oops\n"), ("exit", 0)]
    answer = rck("run", "-q", program)
    assert (answer.out, answer.err) == ("", "oops\n")


def test_output_goes_to_files(engine, program, rck, tmp_path: Path) -> None:
    out, err = engine.SERIAL_1, engine.SERIAL_2
    for core in (0, 1):
        engine.script[core] = [("out", out, b"a%d\n" % core), ("out", err, b"oops"), ("exit", 0)]
    logs = tmp_path / "logs"
    answer = rck("run", "-q", "-n", "2", "--output-dir", str(logs), str(program))
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    found = {path.name: path.read_bytes() for path in logs.iterdir()}
    texts = {"com1": lambda n: b"a%d\n" % n, "com2": lambda _n: b"oops"}
    assert found == {f"core0{n}-{p}.log": text(n) for n in (0, 1) for p, text in texts.items()}
    again = rck("run", "-q", "-n", "2", "--output-dir", str(logs), str(program))
    assert (again.code, "exists already" in again.err) == (74, True)


def test_everything_behind_prog_belongs_to_prog(engine, program, rck) -> None:
    assert rck("run", "-q", program, "-n", "3", "--json", "a b,c%").code == 0
    line, modules = engine.chips[-1].loaded[0]
    assert "argv=prog,-n,3,--json,a%20b%2Cc%25 " in line
    assert modules[0][1] == "prog"


def test_command_line_of_each_core(engine, program, rck) -> None:
    rck("run", "-q", "--cores", "0,10,47", "--env", "A=1", "--strace", program)
    assert sorted(engine.chips[-1].loaded) == [0, 10, 47]
    assert engine.chips[-1].loaded[10][0] == (
        "core=10 ues=0,10,47 rank=1 mhz=533 stdin=0 strace=1 share=0 argv=prog env=A=1"
    )


@pytest.mark.parametrize(
    ("ends", "code"),
    [({0: 0, 1: 0}, 0), ({0: 0, 1: 3}, 3), ({0: 9, 1: 3}, 9), ({0: 0, 1: 255}, 255)],
)
def test_exit_code_is_that_of_the_lowest_failing_core(
    engine, program, rck, ends: dict[int, int], code: int
) -> None:
    engine.script.update({core: [("exit", end)] for core, end in ends.items()})
    assert rck("run", "-q", "-n", 2, program).code == code


def test_lowest_numbered_core_counts_not_lowest_rank(engine, program, rck) -> None:
    engine.script.update({5: [("exit", 5)], 2: [("exit", 2)]})
    assert rck("run", "-q", "--cores", "5,2", program).code == 2


def test_summary(engine, program, rck) -> None:
    engine.script[1] = [("exit", 4)]
    err = rck("run", "-n", 2, program).err
    assert err.startswith("rck: 2 cores: ")
    for words in (
        "simulated in",
        "MIPS",
        "slower",
        "0 messages",
        "L1D 3",
        "exit codes: 0 (core 0)",
    ):
        assert words in err
    assert len(err.splitlines()) == 3


def test_stdin_goes_to_the_first_core(engine, program, rck, stdin_file) -> None:
    stdin_file(b"some input")
    engine.script.update({0: [("read",), ("exit", 0)], 1: [("exit", 0)]})
    rck("run", "-q", "-n", 2, program)
    assert engine.chips[-1].given == {0: b"some input"}
    assert "stdin=1" in engine.chips[-1].loaded[0][0]
    assert "stdin=0" in engine.chips[-1].loaded[1][0]


def test_stdin_all_gives_every_core_everything(engine, program, rck, stdin_file) -> None:
    stdin_file(b"some input")
    engine.script.update({core: [("read",), ("exit", 0)] for core in (0, 1)})
    rck("run", "-q", "-n", 2, "--stdin", "all", program)
    assert engine.chips[-1].given == {0: b"some input", 1: b"some input"}


def test_prompt_is_shown_before_input(engine, program, rck, stdin_file) -> None:
    stdin_file(b"")
    engine.script[0] = [("out", 0x3F8, b"name? "), ("read",), ("out", 0x3F8, b"hi\n"), ("exit", 0)]
    assert rck("run", "-q", "--tag", "core", program).out == "[00] name? hi\n"


def test_json_is_identical_apart_from_host(engine, program, rck, tmp_path: Path) -> None:
    documents = []
    for name in ("a.json", "b.json"):
        assert rck("run", "-q", "-n", 2, "--json", tmp_path / name, program, "x").code == 0
        documents.append(json.loads((tmp_path / name).read_text()))
    hosts = [document.pop("host") for document in documents]
    assert documents[0] == documents[1]
    assert hosts[0]["command"] and hosts[0]["wall_s"] >= 0
    assert documents[0]["schema"] == {"name": "rockcreek-result", "version": 1}
    assert documents[0]["program"]["arguments"] == ["x"]
    assert str(tmp_path) not in json.dumps(documents[0])
    assert rck("compare", tmp_path / "a.json", tmp_path / "b.json").code == 0


def test_an_existing_file_is_not_overwritten_without_force(
    engine, program, rck, tmp_path: Path
) -> None:
    target = tmp_path / "r.json"
    target.write_text("precious")
    answer = rck("run", "-q", "--json", target, program)
    assert (answer.code, target.read_text()) == (74, "precious")
    assert "--force" in answer.err
    assert rck("run", "-q", "--force", "--json", target, program).code == 0
    assert json.loads(target.read_text())["exit_code"] == 0


def test_until_ends_the_run_partially(engine, program, rck, tmp_path: Path) -> None:
    engine.script[0] = [("spin",)]
    answer = rck("run", "--until", "5us", "--json", tmp_path / "r.json", program)
    document = json.loads((tmp_path / "r.json").read_text())
    assert answer.code == 0
    assert document["partial"] and document["end"] == "until"
    assert document["time_ps"] == 5_000_000
    assert document["cores"][0]["reason"] == "running"


@pytest.fixture
def stdin_file(tmp_path: Path) -> Callable[[bytes], None]:
    """Put a file under file descriptor 0 for the rest of the test."""
    saved = os.dup(0)

    def put(data: bytes) -> None:
        path = tmp_path / "stdin"
        path.write_bytes(data)
        fd = os.open(path, os.O_RDONLY)
        os.dup2(fd, 0)
        os.close(fd)

    yield put
    os.dup2(saved, 0)
    os.close(saved)


def test_python_api_returns_output_and_cores(engine: ModuleType, program: Path) -> None:
    import rockcreek

    engine.script[1] = [("out", 0x3F8, b"hi\n"), ("exit", 3)]
    result = rockcreek.run(program, n=2)
    assert result.stdout == b"[01] hi\n"
    assert [core.exit_code for core in result.cores] == [0, 3]
    assert result.exit_code == 3
    with pytest.raises(rockcreek.RockcreekError, match="core 1 returned 3"):
        result.check()
