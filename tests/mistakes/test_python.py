"""Values of a wrong kind that a Python program gives for a run are refused in words, or taken for
what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rockcreek
from rockcreek.errors import UsageError

PROGRAM = """
#include <stdio.h>
int main(int count, char **words)
{
    for (int n = 1; n < count; n++)
        printf("%s;", words[n]);
    for (int c = getchar(); c != EOF; c = getchar())
        putchar(c);
    return 0;
}
"""
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"n": "4"}, "n='4': is not a whole number"),
    ({"n": 1.5}, "n=1.5: is not a whole number"),
    ({"n": True}, "n=True: is not a whole number"),
    ({"n": float("inf")}, "n=inf: is not a whole number"),
    ({"cores": 3}, "cores=3: is not a list of numbers"),
    ({"check": True}, "check=True: is not a list"),
    ({"arguments": "5 6"}, "arguments='5 6': is one text, not a list of them"),
    ({"cores": "0,1"}, "cores='0,1': is not a list of numbers"),
    ({"check": "rases"}, "check='rases': 'rases' is no check"),
    ({"check": ("memory", "rases")}, "'rases' is no check"),
    ({"until_ps": -5}, "until_ps=-5: is negative"),
    ({"timeout_s": "5"}, "timeout_s='5': is not a number of seconds"),
    ({"faults": "mpb:core=1,bit=3@2ms"}, "is not a plan"),
]


@pytest.mark.parametrize(("given", "what"), WRONG, ids=lambda one: str(one)[:30])
def test_what_is_wrong_is_refused(guest, given: dict[str, Any], what: str) -> None:
    program: Path = guest(PROGRAM)
    with pytest.raises(UsageError) as error:
        rockcreek.run(program, **given)
    assert what in str(error.value)
    assert error.value.hint


def test_what_is_meant_is_taken(guest) -> None:
    result = rockcreek.run(
        guest(PROGRAM), [5, 2.5, Path("a")], n=1.0, stdin="text", check="coherence,memory",
        until_ps=1e9, cores=iter([0]),
    )  # fmt: skip
    assert result.stdout == b"5;2.5;a;text"
    assert result.findings is not None
