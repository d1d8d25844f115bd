"""A host that lets no memory become code: hot code is interpreted, with the same results."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# Linux 6.3: memory that was writable does not become executable in this process.
PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1

LOOP = r"""
#include <stdio.h>
int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 300000; i++)
        sum = sum * 31 + i;
    printf("%u\n", sum);
    return 0;
}
"""


def refuse() -> None:
    libc = ctypes.CDLL(None)
    assert libc.prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) == 0


def can_refuse() -> bool:
    code = "import ctypes,sys; sys.exit(ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) != 0)"
    linux = sys.platform == "linux" and platform.machine() == "x86_64"
    return linux and subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


pytestmark = pytest.mark.skipif(not can_refuse(), reason="needs PR_SET_MDWE of Linux 6.3, x86-64")


def test_hot_code_is_interpreted(guest: Callable[..., Path], run: Callable[..., Any]) -> None:
    program = guest(LOOP)
    free, held = run(program), run(program, limit=refuse)
    assert (held.code, held.stdout) == (0, free.stdout), held.stderr
    assert held.result["state_hash"] == free.result["state_hash"]
    assert held.stderr.count("this host lets no memory become code") == 1
    assert "lets no memory" not in free.stderr


def test_no_translate_asks_for_no_such_memory(
    guest: Callable[..., Path], run: Callable[..., Any]
) -> None:
    held = run(guest(LOOP), "--no-translate", limit=refuse)
    assert held.code == 0, held.stderr
    assert "lets no memory" not in held.stderr
