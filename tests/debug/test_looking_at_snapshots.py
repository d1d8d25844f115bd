"""`rck show` and `rck set` on a snapshot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ready
from guest_programs import compile_program

PROGRAM = """
volatile int value = 0x12345678;

int main(void)
{
    while (value != 42)
        ;
    return 7;
}
"""


def rck(*arguments: object, code: int = 0) -> str:
    done = ready.rck(*arguments)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def show(*arguments: object) -> Any:
    return json.loads(rck("show", *arguments, "--json"))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A snapshot of a program that waits for a change of its variable, and its address."""
    from rockcreek.software import image

    folder = tmp_path_factory.mktemp("look")
    source = folder / "wait.c"
    source.write_text(PROGRAM)
    program = compile_program(source, ())
    rck("run", "-q", "--cores", 3, "--until", "3ms", "--save", folder / "s.rck", program)
    return folder / "s.rck", image.load_program(program).symbols["value"]


def test_show(saved: tuple[Path, int]) -> None:
    file, value = saved
    assert show("mem", file, hex(value), 4, "--core", 3)["bytes"] == "78563412"
    core = show("core", file, "--core", 3)
    assert core["state"] == "running" and core["cpl"] == 3 and len(core["x87"]["st"]) == 8
    assert "eip" in rck("show", "core", file, "--core", 3)
    crb = show("crb", file, "--tile", 1)
    assert crb["GLCFG0"]["offset"] == 0x10 and crb["GLCFG0"]["fields"]["INTR"] == 0
    assert "GLCFG1" in rck("show", "crb", file)
    lut = show("lut", file, "--core", 3)
    assert lut["248"]["SUB"] is not None and "0xf8" in rck("show", "lut", file, "--core", 3)
    assert len(show("mpb", file)["bytes"]) == 2 * 256
    lines = show("cache", file, "--core", 3)
    assert {line["cache"] for line in lines} == {"l1i", "l1d", "l2"}
    assert rck("show", "core", file, "--core", 48, code=64)
    told = rck("show", "mem", file, "0xf9000000", "--physical", code=64)
    assert "no memory at 0xf9000000" in told and "entry 0xf9" in told


def test_symbols_stand_for_addresses(saved: tuple[Path, int], tmp_path: Path) -> None:
    file, value = saved
    assert show("mem", file, "value", 4, "--core", 3)["address"] == value
    other = tmp_path / "other.rck"
    rck("set", "mem", file, "value", "2a000000", "--core", 3, "--output", other, "--force")
    rck("run", "-q", "--restore", other, code=7)
    assert "no symbol 'valu'" in rck("show", "mem", file, "valu", code=64)


def test_caches_are_shown_and_changed(saved: tuple[Path, int], tmp_path: Path) -> None:
    file, _value = saved
    dirty = next(line for line in show("cache", file, "--core", 3) if line["dirty"])
    at = dirty["address"]
    before = show("cache", file, hex(at + 5), "--core", 3)
    assert {line["address"] for line in before} == {at} and before[0]["bytes"]
    behind = show("mem", file, hex(at), 32, "--core", 3, "--physical")["bytes"]
    other = tmp_path / "other.rck"
    rck("set", "cache", file, hex(at), "c0ffee", "--core", 3, "--output", other, "--force")
    after = show("cache", other, hex(at), "--core", 3)
    assert after[0]["bytes"] == "c0ffee" + before[0]["bytes"][6:]
    assert show("mem", other, hex(at), 32, "--core", 3, "--physical")["bytes"] == behind
    assert "nothing is cached" in rck("show", "cache", file, "--core", 40)
    told = rck("set", "cache", file, "0x3f000000", "00", "--core", 3, code=64)
    assert "does not hold all of these bytes" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "mem", "99999999999"], "does not fit into 32 bits"),
        (["show", "mem", "0xfffffff0", "0x20", "--physical"], "no addresses beyond"),
        (["show", "mem", "0x10", "1", "--core", "3"], "nothing mapped at 0x10"),
        (["show", "mem", "0x8048000", "0x20000000"], "too many at once"),
        (["show", "mpb", "99999"], "the message-passing buffer has 16384 bytes"),
        (["show", "lut", "--core", "48"], "there are 0 to 47"),
        (["set", "mem", "0x8048000", ""], "not a row of hexadecimal bytes"),
        (["set", "lut", "0x28", "0x1234567890"], "does not fit into 32 bits"),
        (["set", "lut", "300", "1"], "entries are 0 to 255"),
        (["set", "crb", "GLCFG0.INTR", "2"], "values are 0 to 1"),
        (["set", "core", "eax", "0x123456789"], "does not fit into 32 bits"),
    ],
)
def test_what_cannot_be_is_said(saved: tuple[Path, int], arguments: list[str], words: str) -> None:
    verb, what, *rest = arguments
    before = saved[0].read_bytes()
    assert words in rck(verb, what, saved[0], *rest, code=64)
    assert saved[0].read_bytes() == before


def test_registers_that_keep_their_bits_are_told_of(
    saved: tuple[Path, int], tmp_path: Path
) -> None:
    done = ready.rck("set", "crb", str(saved[0]), "TILEID", "5", "--output", str(tmp_path / "o"))
    assert done.returncode == 0 and "not all of its bits can be written" in done.stderr


def test_set_changes_what_a_restored_run_does(saved: tuple[Path, int], tmp_path: Path) -> None:
    file, value = saved
    other = tmp_path / "other.rck"
    before = file.read_bytes()
    rck("set", "mem", file, hex(value), "2a000000", "--core", 3, "--output", other, "--force")
    assert file.read_bytes() == before
    rck("run", "-q", "--restore", other, code=7)

    rck("set", "core", file, "eax", "0x1234", "--core", 3, "--output", other, "--force")
    assert show("core", other, "--core", 3)["eax"] == 0x1234
    rck("set", "core", file, "xmm0", 1, code=64)
    rck("set", "mpb", file, 32, "0102", "--tile", 5, "--output", other, "--force")
    assert show("mpb", other, 32, 2, "--tile", 5)["bytes"] == "0102"
    rck("set", "mpb", file, 1 << 20, "01", code=64)
    rck("set", "lut", file, 0x30, 0x12345, "--core", 3, "--output", other, "--force")
    assert show("lut", other, "--core", 3)["48"]["value"] == 0x12345
    rck("set", "crb", file, "GLCFG1.NMI", 1, "--tile", 9, "--output", other, "--force")
    assert show("crb", other, "--tile", 9)["GLCFG1"]["fields"]["NMI"] == 1
    assert "no configuration register" in rck("set", "crb", file, "FOO", 1, code=64)
    assert "no field" in rck("set", "crb", file, "GLCFG1.FOO", 1, code=64)
