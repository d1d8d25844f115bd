"""Notebooks and scripts: programs from texts, cells of C, short reprs, hints, parameters."""

from __future__ import annotations

import inspect
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rockcreek

HELLO = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    printf("%s of %d\\n", argv[1], argc - 1);
    return argc > 2 ? 3 : 0;
}
"""


class Shell:
    """What IPython hands over."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {}
        self.magics: dict[tuple[str, str], Callable[..., Any]] = {}

    def register_magic_function(
        self, func: Callable[..., Any], magic_kind: str, magic_name: str
    ) -> None:
        self.magics[magic_kind, magic_name] = func


@pytest.fixture
def shell() -> Shell:
    found = Shell()
    rockcreek.load_ipython_extension(found)
    return found


def test_a_cell_runs(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    rck = shell.magics["line_cell", "rck"]
    result = rck('-n 2 --cc "-O1" --result two one', HELLO)
    printed = sorted(capsys.readouterr().out.splitlines())
    assert printed == ["[00] one of 1", "[01] one of 1"]
    assert isinstance(result, rockcreek.Result)
    assert shell.user_ns == {"two": result}
    assert (result.exit_code, len(result.cores)) == (0, 2)
    assert len(repr(result)) < 200
    assert repr(result).startswith("<Result cell: exited after ")
    assert len(repr(result.die())) < 100
    assert str(result.die()).startswith("<svg")


def test_what_a_cell_says_of_mistakes(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    rck = shell.magics["line_cell", "rck"]
    for line, text, told in (
        ("-n 2", "int main(void) { retrn 0; }", "cell.c:1:18: error"),
        ("-n 99", HELLO, "has cores 0 to 47"),
        ("-n x", HELLO, "'x' is not a valid integer"),
        ("--cores 1-", HELLO, "'1-' is no list"),
        ('--cc "', HELLO, "No closing quotation"),
        ("--nothing", HELLO, "No such option"),
    ):
        with pytest.raises(rockcreek.RockcreekError, match=told) as error:
            rck(line, text)
        (shown,) = error.value._render_traceback_()  # type: ignore[attr-defined]
        assert "\nhint: " in shown and "Traceback" not in shown
    assert rck("--help") is None
    assert "%%rck -n 48" in capsys.readouterr().out


def test_a_notebook_of_48_cores_stays_small(shell: Shell) -> None:
    result = shell.magics["line_cell", "rck"]("-n 48 --messages --result all -- one", HELLO)
    shown = [result._repr_html_(), str(result.die()), str(result.timeline())]
    # 15 cells, each with the largest of these, make a file below 2 MB.
    assert 15 * max(map(len, shown)) < 2_000_000


def test_compile(tmp_path: Path) -> None:
    source = tmp_path / "hello.c"
    source.write_text(HELLO)
    made = rockcreek.compile(source, ["-O1"], output=tmp_path / "there")
    assert made == tmp_path / "there"
    assert rockcreek.run(made, ["a"]).stdout == b"a of 1\n"
    elsewhere = rockcreek.compile([source])
    assert elsewhere.name == "hello" and elsewhere.parent != tmp_path
    assert rockcreek.run(elsewhere, ["a", "b"]).exit_code == 3
    both, one_flag = {"sources": "a.c", "text": "x"}, {"text": HELLO, "flags": "-O2"}
    for wrong in ({}, both, one_flag, {"sources": HELLO}):
        with pytest.raises(rockcreek.UsageError):
            rockcreek.compile(**wrong)  # type: ignore[arg-type]
    with pytest.raises(rockcreek.RockcreekError, match="no such file"):
        rockcreek.compile(tmp_path / "none.c")


def test_exceptions_carry_their_hints() -> None:
    with pytest.raises(rockcreek.NotFoundError) as error:
        rockcreek.run("nothing-is-here")
    assert error.value.hint is not None
    assert f"\nhint: {error.value.hint}" in "".join(traceback.format_exception(error.value))
    plain = rockcreek.RockcreekError("what", hint="do this")
    again = pickle.loads(pickle.dumps(plain))
    assert (again.message, again.__notes__) == ("what", ["hint: do this"])


@pytest.mark.parametrize("call", [rockcreek.run, rockcreek.load, rockcreek.compile])
def test_every_parameter_is_described(call: Callable[..., Any]) -> None:
    told = inspect.getdoc(call) or ""
    for name in inspect.signature(call).parameters:
        assert f"`{name}`" in told, f"{call.__name__} does not describe {name}"
