"""What `rck linux run` types at the consoles, and how the kernel's image is put together."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest
from scripts.foreign import StepError

from rockcreek import resources
from rockcreek.errors import InputError
from rockcreek.linux import program
from rockcreek.software import image

SYSTEM = Path(__file__).parents[1]
sys.path.insert(0, str(SYSTEM))
import kernel_image  # noqa: E402


def lines(
    folder: Path, *command: str, network: bool | None = None, env: dict[str, str] | None = None
) -> list[str]:
    found = program.in_folder(command, str(folder), env or {}, network=network)
    return found.typed((4, 5), 533).decode().splitlines()


def test_a_command_learns_of_its_job_and_keeps_the_network(tmp_path: Path) -> None:
    assert lines(tmp_path, "uname", "-a b", env={"A": "b c"}) == [
        "launch 2 0.533 4 5",
        "mount 0 /host",
        "cd /host",
        "run A='b c' exec uname '-a b'",
    ]


@pytest.mark.parametrize(("network", "free"), [(None, True), (True, False)])
def test_a_program_of_rcce_gets_the_message_buffers(
    tmp_path: Path, network: bool | None, free: bool
) -> None:
    (tmp_path / "ring").write_bytes(resources.example("ring").read_bytes())
    (tmp_path / "ring").chmod(0o755)
    typed = lines(tmp_path, "./ring", "3", network=network)
    assert ("free" in typed) == free
    assert typed[-1] == "run exec ./ring 3"


def test_a_program_of_the_original_rcce_gets_its_launchers_words(tmp_path: Path) -> None:
    own = image.read(resources.example("ring"))
    other = own.data.replace(b".note.rockcreek", b".note.otherwise")
    (tmp_path / "ring").write_bytes(other)
    (tmp_path / "ring").chmod(0o755)
    assert lines(tmp_path, "./ring", "3")[-1] == "run exec ./ring 2 0.533 4 5 3"


def test_a_script_and_a_missing_file_are_no_programs_of_ours(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("#!/bin/sh\n")
    for name in ("./script", "./none", "script", "/bin/sh"):
        found = program.in_folder((name,), str(tmp_path), {}, network=None)
        assert found.file is None


def test_a_file_from_anywhere_is_a_program(tmp_path: Path) -> None:
    """Linux has it in /program, and begins in the shared folder, if there is one."""
    file = tmp_path / "ring"
    file.write_bytes(resources.example("ring").read_bytes())
    file.chmod(0o755)
    alone = program.of_file(str(file), ("3",), None, {})
    assert alone.shares == (str(tmp_path),)
    typed = alone.typed((0,), 533).decode()
    assert typed.endswith("cd /tmp\nmount 0 /program ro\nrun exec /program/ring 3\n")
    both = program.of_file(str(file), (), "/share", {})
    assert both.shares == ("/share", str(tmp_path))
    typed = both.typed((0,), 533).decode()
    assert "mount 0 /host\ncd /host\nmount 1 /program ro\nrun exec /program/ring\n" in typed


def test_a_file_that_nobody_may_execute(tmp_path: Path) -> None:
    """Linux refuses it: said before the boot, or helped by a copy where rck's kernel runs it."""
    file = tmp_path / "ring"
    file.write_bytes(resources.example("ring").read_bytes())
    file.chmod(0o644)
    with pytest.raises(InputError, match="nobody may execute it"):
        lines(tmp_path, "./ring")
    typed = program.of_file(str(file), ("3",), None, {}).typed((0,), 533).decode()
    assert (
        "cp /program/ring /tmp/program && chmod 700 /tmp/program && exec /tmp/program 3\n" in typed
    )


def elf(start: int, entry: int) -> bytes:
    """A kernel of eight bytes in two segments, eight bytes apart."""
    header = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    header += struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, entry, 52, 0, 0, 52, 32, 2, 0, 0, 0)
    table = b""
    for n in range(2):
        at = start + 8 * n
        table += struct.pack("<8I", 1, 116 + 4 * n, 0xC0000000 + at, at, 4, 4, 5, 4)
    return header + table + b"abcdefgh"


def packed() -> bytes:
    head = bytearray(1024)
    head[0x1F1] = 1
    struct.pack_into("<I", head, 0x214, 0x100000)
    return bytes(head) + b"packed"


def test_an_image_has_the_kernel_as_it_is_in_memory() -> None:
    made = kernel_image.unpacked(packed(), elf(0x100000, 0x100000))
    assert made[1024:] == b"abcd\0\0\0\0efgh\0\0\0\0"
    assert struct.unpack_from("<I", made, 0x1F4) == (1,)


def test_a_kernel_that_runs_elsewhere_is_refused() -> None:
    for start, entry in ((0x1000000, 0x1000000), (0x100000, 0x100010)):
        with pytest.raises(StepError, match="not at 0x100000"):
            kernel_image.unpacked(packed(), elf(start, entry))
