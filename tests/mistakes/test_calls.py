"""Buffers of another type than their call says, and sizes of pointers, are told when a program is
compiled; calls that only look alike are silent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rockcreek.toolchain import mpi
from rockcreek.toolchain.code import calls
from rockcreek.toolchain.driver import cc_main
from rockcreek.toolchain.mpi import mpicc_main

RCCE = """
#include "iRCCE.h"
#include "RCCE_collectives.h"
#include <string.h>
typedef double real;
struct pair { int first, second; };
#define ALL RCCE_COMM_WORLD
void all(char *bytes, real *reals, void *any, iRCCE_SEND_REQUEST *request)
{
    double x[4], grid[2][2], *p = x;
    int i = 0, *q = &i;
    unsigned u = 0;
    float f = 0;
    long l = 0;
    long long ll = 0;
    struct pair pair = {0, 0};
#ifdef MENDED
    RCCE_reduce((char *)x, (char *)p, 4, RCCE_DOUBLE, RCCE_SUM, 0, ALL);
    RCCE_reduce((char *)&u, (char *)&l, 1, RCCE_INT, RCCE_SUM, 0, ALL);
    RCCE_reduce(((char *)q), ((char *)&f), 1, RCCE_INT, RCCE_SUM, 0, ALL);
    RCCE_reduce(bytes, NULL, 1, RCCE_DOUBLE, RCCE_SUM, 0, ALL);
    RCCE_allreduce((char *)&pair, (char *)any, 2, RCCE_INT, RCCE_SUM, ALL);
    RCCE_allreduce((char *)grid, (char *)grid[1], 2, RCCE_DOUBLE, RCCE_SUM, ALL);
    RCCE_send((char *)p, sizeof *p, 1);
    RCCE_send((char *)&p, sizeof p, 1);
    RCCE_recv((char *)x, sizeof x, 1);
    RCCE_recv((char *)&i, sizeof(int), 1);
    iRCCE_isend((char *)x, sizeof(x), 1, request);
#else
    RCCE_reduce((char *)x, (char *)p, 4, RCCE_INT, RCCE_SUM, 0, ALL); /* 'double' 'int' */
    RCCE_reduce((char *)x, (char *)q, 4, RCCE_DOUBLE, RCCE_SUM, 0, ALL); /* 'int' 'double' */
    RCCE_allreduce((char *)grid, NULL, 4, RCCE_FLOAT, RCCE_SUM, ALL); /* 'double' 'float' */
    RCCE_allreduce((char *)reals, NULL, 4, RCCE_FLOAT, RCCE_SUM, ALL); /* 'double' 'float' */
    RCCE_allreduce((char *)&ll, (char *)&ll, 1, RCCE_LONG, RCCE_SUM, ALL); /* 'long long' 'long' */
    RCCE_coll_allreduce((char *)&f, NULL, 1, RCCE_INT, RCCE_SUM, ALL); /* 'float' 'int' */
    if (RCCE_send((char *)p, sizeof(p), 1)) /* of a pointer */
        return;
    RCCE_recv(bytes, sizeof(bytes), 1); /* of a pointer */
    RCCE_bcast((char *)&i, sizeof(&i), 0, ALL); /* of a pointer */
    iRCCE_isend((char *)reals, sizeof reals, 1, request); /* of a pointer */
#endif
    memcpy(bytes, any, 4);
}
"""
MPI = """
#include <mpi.h>
#include <stddef.h>
void all(char *bytes, void *any, MPI_Datatype made)
{
    double x[4], grid[2][2], *p = x;
    int i = 0;
    long long ll = 0;
    struct { int first, second; } pair = {0, 0};
#ifdef MENDED
    MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(grid, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(bytes, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(any, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(x, sizeof x, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(x, 1, made, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&i, 1, MPI_UNSIGNED_LONG, 1, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &i, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
#else
    MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* 'double' 'int' */
    MPI_Bcast(grid, 4, MPI_FLOAT, 0, MPI_COMM_WORLD); /* 'double' 'float' */
    MPI_Allreduce(&i, &ll, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); /* 'long long' 'long' */
    MPI_Send(p, sizeof(p), MPI_BYTE, 1, 0, MPI_COMM_WORLD); /* of a pointer */
#endif
}
"""
CASTS = """
#include "RCCE.h"
void all(double *p)
{
    double x[4];
    RCCE_allreduce(reinterpret_cast<char *>(x), NULL, 4, RCCE_INT, RCCE_SUM, RCCE_COMM_WORLD);
    RCCE_send(static_cast<char *>(static_cast<void *>(p)), sizeof(p), 1);
    RCCE_allreduce(reinterpret_cast<char *>(x), NULL, 4, RCCE_DOUBLE, RCCE_SUM, RCCE_COMM_WORLD);
}
"""
WARNED = re.compile(r"^\S+:(\d+):\d+: warning: (.*)", re.MULTILINE)
NAMES = ("type-safety", "sizeof-pointer-memaccess")
NAMED = re.compile(r"'[\w ]+'|of a pointer")


@pytest.mark.parametrize("ending", ["c", "cpp"])
@pytest.mark.parametrize("library", ["rcce", "mpi"])
def test_a_buffer_that_does_not_fit_its_call(
    tmp_path: Path, library: str, ending: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if library == "mpi" and not mpi.there():
        pytest.skip("MPI has not been built (make mpi)")
    text, compiled = (RCCE, cc_main) if library == "rcce" else (MPI, mpicc_main)
    source = tmp_path / f"calls.{ending}"
    source.write_text(text)
    words = ["-MMD", "-c", str(source), "-o", str(tmp_path / "calls.o")]
    assert compiled(words) == 0
    warned = [(int(at), NAMED.findall(said)) for at, said in WARNED.findall(capfd.readouterr().err)]
    marked = [(at, line) for at, line in enumerate(text.splitlines(), 1) if "*/" in line]
    assert warned == [(at, NAMED.findall(line.split("/*")[1])) for at, line in marked]
    for more in (["-DMENDED"], ["-w"], ["-Wno-type-safety"]):
        assert compiled([*words, *more]) == 0
        assert capfd.readouterr().err == ""


def test_casts_of_cxx_and_warnings_as_errors(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "casts.cpp").write_text(CASTS)
    made = tmp_path / "casts.o"
    words = ["-c", str(tmp_path / "casts.cpp"), "-o", str(made)]
    assert cc_main([*words, "-Werror"]) == 1 and not made.exists()
    told = [line.split("casts.cpp:")[1] for line in capfd.readouterr().err.splitlines()]
    assert [line.split(": ")[:2] for line in told] == [["6:44", "error"], ["7:67", "error"]]
    assert told[0].endswith("[-Werror,-Wtype-safety]")
    for flags in (["-Werror", "-Wno-error"], ["-Werror", *map("-Wno-error={}".format, NAMES)]):
        assert cc_main([*words, *flags]) == 0
        assert capfd.readouterr().err.count(": warning: ") == 2


def test_what_the_compiler_has_said_is_not_said_again() -> None:
    said = "a.c:3:8: warning: 'memcpy' call operates on ... [-Wsizeof-pointer-memaccess]"
    assert len(list(calls.warnings(said, ""))) == 1
    assert not list(calls.warnings(said, f"In file included from b.c:1:\n{said}\n"))
