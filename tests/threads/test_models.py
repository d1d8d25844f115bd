"""`rck run --threads-model` of programs that have no such model. Programs over each one: `also:` in
systems/crf/tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ready

PROCESSES = '#include "RCCE.h"\n#include "svm.h"\nint main(void) { svm_init(); return 0; }\n'
EMPTY = "int main(void) { return 0; }\n"


def refused(program: Path, *options: str) -> str:
    """What is said on stderr of a run that is refused."""
    ended = ready.rck("run", "-q", "-n", "1", *options, str(program))
    assert ended.returncode != 0
    return ended.stderr


@pytest.mark.parametrize(
    ("text", "flags", "said"),
    [
        (EMPTY, [], "the program is not linked for threads"),
        (PROCESSES, ["-DRCCE_MAILBOX", "-lsvm", "-lrcce"],
         "the program is one of processes, over systems/svm"),
    ],
)  # fmt: skip
def test_a_program_of_another_kind_is_told(
    guest: Callable[..., Path], text: str, flags: list[str], said: str
) -> None:
    assert said in refused(guest(text, flags), "--threads-model", "strong")


def test_a_model_that_there_is_not(guest: Callable[..., Path]) -> None:
    said = refused(guest(EMPTY, ["-pthread"]), "--env", "RCK_THREADS_MODEL=weak")
    assert "RCK_THREADS_MODEL=weak is no model" in said
    assert "hint: crf, strong, lazy or uncached" in said
