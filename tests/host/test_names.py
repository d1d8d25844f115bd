"""Names that a guest or a program has chosen do nothing in messages but show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ready
from rockcreek import printable
from rockcreek.errors import InputError

Guest = Callable[..., Path]

FORGES = b"\x1b[2Jforged\nrck: done"


def test_names_of_files(guest: Guest, run: Callable[..., Any], tmp_path: Path) -> None:
    (folder := tmp_path / "share").mkdir()
    program = guest(
        r"""
#include <unistd.h>
int main(void)
{
    return symlink("/etc/passwd", "\033[2Jforged\nrck: done") == 0;
}
"""
    )
    done = run(program, "--share", str(folder))
    assert done.code == 0
    assert r"/\x1b[2Jforged\nrck: done leads out of the shared folder" in done.stderr
    assert "\x1b" not in done.stderr
    assert "\nrck: done" not in done.stderr


def test_names_of_functions(guest: Guest, run: Callable[..., Any], tmp_path: Path) -> None:
    program = guest(
        r"""
__attribute__((noinline)) void function_with_a_name(int *p)
{
    *p = 1;
}
int main(int argc, char **argv)
{
    function_with_a_name((int *)(argc - 1));
    return 0;
}
"""
    )
    data = program.read_bytes()
    name = b"function_with_a_name"
    assert name in data
    program = tmp_path / "forged"
    program.write_bytes(data.replace(name, FORGES.ljust(len(name), b"x")))
    done = run(program, "--cores", "0")
    assert done.code == 76, done.stderr
    assert r"\x1b[2Jforged\nrck: done" in done.stderr
    assert "\x1b" not in done.stderr
    assert "\nrck: done" not in done.stderr


def test_names_of_programs(run: Callable[..., Any], tmp_path: Path) -> None:
    program = tmp_path / FORGES.decode()
    program.write_text("no program")
    done = run(program)
    assert done.code == 65
    assert r"\x1b[2Jforged\nrck: done" in done.stderr
    assert "\x1b" not in done.stderr
    assert "\nrck: done" not in done.stderr


@pytest.mark.parametrize(
    "bad", ["\x1b", "\r", "\x9b", "\u202e", "\u2028", "\udc9b", "\x7f", "\x00"]
)
def test_every_way_to_steer_a_terminal(bad: str) -> None:
    error = InputError(f"a{bad}b: no", path=f"a{bad}b", hint=f"{bad}")
    assert bad not in error.render()
    assert bad not in printable.name(bad)
    assert bad not in printable.message(bad)


def test_plain_text_stays() -> None:
    assert printable.message("Grüße, 世界 \n\tend") == "Grüße, 世界 \n\tend"


@pytest.mark.parametrize(
    "words",
    [("{}",), ("guide", "{}"), ("info", "{}"), ("run", "--until={}", "x"), ("cc", "{}.c")],
    ids=" ".join,
)
def test_words_of_the_command_line(words: tuple[str, ...]) -> None:
    given = [word.replace("{}", FORGES.decode()) for word in words]
    done = ready.rck(*given)
    assert done.returncode in (64, 66), done.stderr
    assert r"\x1b[2Jforged\nrck: done" in done.stderr
    assert "\x1b" not in done.stderr and "\nrck: done" not in done.stderr
