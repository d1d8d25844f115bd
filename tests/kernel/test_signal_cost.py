"""What a signal writes stays in the core's caches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import rockcreek

PROGRAM = """
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t seen;

static void note(int number)
{
    (void)number;
    seen = seen + 1;
}

int main(int argc, char **argv)
{
    int times = atoi(argv[1]);

    signal(SIGUSR1, note);
    for (int n = 0; n < times; n++)
        raise(SIGUSR1);
    return argc == 2 && seen == times ? 0 : 1;
}
"""
FEW, MORE = 20, 220


def test_a_handler_of_one_argument_costs_no_write_to_memory(guest: Callable[..., Path]) -> None:
    program = guest(PROGRAM, ["-O2"])
    # Its frame begins elsewhere with a longer environment.
    for environment in ({}, {"A": "x" * 13}, {"A": "x" * 29}):
        few, more = (
            rockcreek.run(program, [str(times)], n=1, env=environment) for times in (FEW, MORE)
        )
        assert (few.exit_code, more.exit_code) == (0, 0)
        writes = [run.statistics["cores"][0]["cache"]["writes_to_bus"] for run in (few, more)]
        assert writes[1] - writes[0] < (MORE - FEW) / 2, environment
