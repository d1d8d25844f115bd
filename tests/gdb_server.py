"""Runs that serve gdb, and the program of the sessions: core 5 sends core 2 a number."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from guest_programs import RCK

SEND = """
#include <stdio.h>
#include <RCCE.h>

int payload = 4711;

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), got = 0;
    if (me == 5) {
        RCCE_send((char *)&payload, sizeof payload, 2);
    } else if (me == 2) {
        RCCE_recv((char *)&got, sizeof got, 5);
        printf("got %d\\n", got);
    }
    RCCE_finalize();
    return 0;
}
"""


@contextmanager
def listening(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`rck` with these arguments, and the address at which it serves gdb."""
    run = subprocess.Popen(
        [*RCK, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert run.stderr is not None
        line = run.stderr.readline()
        found = re.search(r"target remote ([0-9.:]+)", line)
        assert found, line
        yield run, found[1]
    finally:
        run.kill()
        run.wait()
