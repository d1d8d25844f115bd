"""A program of threads may have a function `fork` of its own; the C library's is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

import ready

OWN = "int fork(void) { return 7; }\n"
MAIN = """\
#include <pthread.h>
#include <stdio.h>
int fork(void), x;
static void *f(void *a) { x = 42; return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return printf("%d %d\\n", x, fork()) < 0;
}
"""


@pytest.mark.parametrize("options", [["-pthread"], ["-lpthread"], ["-fopenmp", "-flto"]])
def test_own_fork_is_the_programs(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "own.c").write_text(OWN)
    (tmp_path / "main.c").write_text(MAIN)
    ready.rck("cc", "-O1", "main.c", "own.c", "-o", "prog", *options, cwd=tmp_path, check=True)
    ran = ready.rck("run", "-q", "--tag", "none", "-n", "2", "prog", cwd=tmp_path, check=True)
    assert ran.stdout == "42 7\n"


def test_the_c_librarys_fork_is_absent(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(MAIN)
    ran = ready.rck("cc", "main.c", "-pthread", cwd=tmp_path)
    assert ran.returncode == 1
    assert "hint: threads on different cores have no fork: leave it out" in ran.stderr
