"""time_t has 32 bits in old C, as on the chip's Linux, and 64 in C11 and C++."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import ready

OLD = """\
#include <stdio.h>
#include <time.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/select.h>
long time();
int main(void)
{
    struct timeval t = { 12, 345678 }, a, b, wait = { 0, 2000 }; struct timespec s = { 7, 89 };
    struct rusage used; struct stat file; long late = 0x7fffffff;
    printf("%ld.%06ld %d\\n", t.tv_sec, t.tv_usec, 99);
    printf("%ld %ld %d\\n", s.tv_sec, s.tv_nsec, 99);
    gettimeofday(&a, 0); select(0, 0, 0, 0, &wait); gettimeofday(&b, 0);
    printf("%d ", (b.tv_sec - a.tv_sec) * 1000000 + b.tv_usec - a.tv_usec >= 2000);
    printf("%d %ld\\n", time(0) - b.tv_sec < 2, 1900L + gmtime(&late)->tm_year);
    used.ru_maxrss = file.st_ino = 0;
    printf("%d %d ", getrusage(RUSAGE_SELF, &used), stat("/", &file));
    printf("%ld %d\\n", used.ru_utime.tv_sec, file.st_ino != 0);
    return 0;
}
"""
SHORT = (
    "#include <time.h>\n#include <stdio.h>\nint main(void) { struct timespec t;\n"
    'clock_gettime(CLOCK_MONOTONIC, &t); printf("%d\\n", (int)sizeof t.tv_sec); return 0; }\n'
)


def rck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return ready.rck(*words, cwd=folder)


def printed(folder: Path, program: str, *options: str) -> str:
    return rck(folder, "run", "-q", "--tag", "none", *options, program).stdout


@pytest.mark.parametrize("flags", [(), ("-std=gnu89", "-O2"), ("-D_TIME_BITS=32", "-std=c11")])
def test_old_programs_print_times_as_long(tmp_path: Path, flags: tuple[str, ...]) -> None:
    (tmp_path / "old.c").write_text(OLD)
    built = rck(tmp_path, "cc", "-w", *flags, "-D_GNU_SOURCE", "old.c", "-o", "old")
    assert built.returncode == 0, built.stderr
    lines = printed(tmp_path, "old", "--share", ".").splitlines()
    assert lines == ["12.345678 99", "7 89 99", "1 1 2038", "0 0 0 1"]


def test_who_has_which_time(tmp_path: Path) -> None:
    (tmp_path / "short.c").write_text(SHORT)
    for flags, size in (
        ((), 4),
        (("-std=gnu11",), 8),
        (("-D_TIME_BITS=64",), 8),
        (("-pthread",), 4),
    ):
        assert rck(tmp_path, "cc", *flags, "short.c", "-o", "short").returncode == 0
        assert printed(tmp_path, "short") == f"{size}\n"
    (tmp_path / "short.cpp").write_text(SHORT)
    assert rck(tmp_path, "c++", "short.cpp", "-o", "short").returncode == 0
    assert printed(tmp_path, "short") == "8\n"
    assert "32 or 64" in rck(tmp_path, "cc", "-D_TIME_BITS=48", "short.c").stderr


def test_objects_of_both_kinds_are_refused(tmp_path: Path) -> None:
    (tmp_path / "part.c").write_text("#include <time.h>\nlong part(void) { return time(0) > 0; }\n")
    (tmp_path / "main.c").write_text(
        "#include <time.h>\nlong part(void);\nint main(void) { return time(0) > 0 && part(); }\n"
    )
    assert rck(tmp_path, "cc", "-std=c11", "-c", "part.c").returncode == 0
    assert rck(tmp_path, "ar", "rcs", "libpart.a", "part.o").returncode == 0
    assert rck(tmp_path, "cc", "-c", "main.c").returncode == 0
    refused = rck(tmp_path, "cc", "main.o", "-L.", "-lpart", "-o", "prog")
    assert refused.returncode == 64 and not (tmp_path / "prog").exists()
    assert "time_t has 32 bits in main.o and 64 in libpart.a" in refused.stderr
    assert "-D_TIME_BITS=64" in refused.stderr
    assert rck(tmp_path, "cc", "-D_TIME_BITS=64", "main.c", "-L.", "-lpart").stderr == ""
    # C++ has 64 bits in any case: it may call C of the other kind.
    (tmp_path / "cxx.cpp").write_text(
        "#include <chrono>\n#include <ctime>\nint now() { return std::time(0) > 0; }\n"
        'extern "C" long main2(void) { return now(); }\n'
    )
    assert rck(tmp_path, "c++", "main.o", "-x", "c++", "cxx.cpp", "-x", "c", "part.c").stderr == ""
