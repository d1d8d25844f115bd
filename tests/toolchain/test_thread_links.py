"""A program that makes threads is one of threads, whatever its makefile says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ready

RCK = (sys.executable, "-m", "rockcreek")
JOINED = (
    "#include <pthread.h>\n#include <stdio.h>\nint x;\n"
    "static void *f(void *a) { x = 42; return a; }\n"
    "int main(void) { pthread_t t; if (pthread_create(&t, 0, f, 0)) return 1;\n"
    '  pthread_join(t, 0); printf("%d\\n", x); return 0; }\n'
)
# A flag and a count that only calls carry between cores, and a common variable.
FLAG = (
    "#include <stdatomic.h>\n#include <stdio.h>\n#include <threads.h>\n"
    "atomic_int go;\nint common;\n"
    "static int f(void *a) { while (!atomic_load(&go)) { }\n"
    "  common = 5; atomic_fetch_add(&go, 1); return 0; }\n"
    "int main(void) { thrd_t t; thrd_create(&t, f, 0); atomic_store(&go, 1); thrd_join(t, 0);\n"
    '  printf("%d %d\\n", go, common); return 0; }\n'
)
STD_THREAD = (
    "#include <iostream>\n#include <memory>\n#include <thread>\n"
    "int main() { auto s = std::make_shared<int>(3); int n = 0;\n"
    "  std::thread t([&n, s] { n = *s + s.use_count(); }); t.join();\n"
    '  std::cout << n << " " << s.use_count() << "\\n"; }\n'
)
REDUCTION = (
    "#include <omp.h>\n#include <stdio.h>\nint main(void) { int s = 0;\n"
    "#pragma omp parallel reduction(+:s)\n  s += 1;\n"
    '  printf("%d\\n", s == omp_get_max_threads()); return 0; }\n'
)


@pytest.fixture
def rck(tmp_path: Path) -> Callable[..., str]:
    """Runs `rck` in a folder with the programs; what it printed."""
    for name, text in {
        "joined.c": JOINED, "flag.c": FLAG, "std_thread.cpp": STD_THREAD, "reduction.c": REDUCTION,
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)

    def run(*words: str, code: int = 0) -> str:
        ran = ready.rck(*words, cwd=tmp_path)
        assert ran.returncode == code, ran.stderr
        return ran.stdout + ran.stderr

    return run


def on_two(rck: Callable[..., str], program: str) -> str:
    return rck("run", "-q", "--tag", "none", "-n", "2", program)


def test_libraries_of_threads_instead_of_the_flag(rck) -> None:
    rck("cc", "joined.c", "-lpthread", "-o", "joined")
    assert on_two(rck, "joined") == "42\n"
    # Objects in an archive, found by -L and -l, with atomic operations and a common variable.
    rck("cc", "-O1", "-fcommon", "-c", "flag.c")
    rck("ar", "rcs", "libflag.a", "flag.o")
    rck("cc", "-L.", "-lflag", "-lpthread", "-o", "flag")
    assert on_two(rck, "flag") == "2 5\n"
    rck("cc", "-fopenmp", "-c", "reduction.c")
    rck("cc", "reduction.o", "-o", "reduction")
    assert on_two(rck, "reduction") == "1\n"


def test_threads_of_cxx_need_no_flag(rck) -> None:
    rck("c++", "-O1", "std_thread.cpp", "-o", "std_thread")
    assert on_two(rck, "std_thread") == "5 1\n"


def test_optimising_links_keep_what_threads_share(rck) -> None:
    rck("cc", "-O2", "-flto", "flag.c", "-o", "flag")
    assert on_two(rck, "flag") == "2 5\n"


def test_programs_without_threads_stay_alone(rck, tmp_path: Path) -> None:
    (tmp_path / "own.c").write_text(
        "int pthread_create(int n) { return n; }\n"
        "int main(void) { return pthread_create(3) - 3; }\n"
    )
    (tmp_path / "timer.c").write_text(
        "#include <pthread.h>\n#include <time.h>\nstatic pthread_mutex_t m;\n"
        "int main(void) { return pthread_mutex_lock(&m) + timer_delete(0) - timer_delete(0); }\n"
    )
    for name in ("own", "timer"):
        rck("cc", f"{name}.c", "-lpthread", "-o", name)
        assert b"crf_text_first" not in (tmp_path / name).read_bytes(), name


def test_objects_that_were_joined_are_refused(rck) -> None:
    rck("cc", "-c", "flag.c", "-o", "flag.o")
    rck("cc", "-c", "-Dmain=other", "-Dgo=gone", "-Dcommon=theirs", "flag.c", "-o", "other.o")
    rck("cc", "-r", "flag.o", "other.o", "-o", "both.o")
    assert "both.o: joined by -r" in rck("cc", "both.o", "-pthread", code=64)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_cmake_finds_threads_and_openmp(rck, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.10)\nproject(t C)\nfind_package(Threads REQUIRED)\n"
        "find_package(OpenMP REQUIRED)\nadd_executable(joined joined.c)\n"
        "target_link_libraries(joined Threads::Threads)\nadd_executable(reduction reduction.c)\n"
        "target_link_libraries(reduction OpenMP::OpenMP_C)\n"
    )
    for line in (
        [
            "cmake",
            "-G",
            "Unix Makefiles",
            "-B",
            "b",
            f"-DCMAKE_C_COMPILER={';'.join((*RCK, 'cc'))}",
        ],
        ["cmake", "--build", "b"],
    ):
        ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    assert on_two(rck, "b/joined") == "42\n"
    assert on_two(rck, "b/reduction") == "1\n"


@pytest.mark.parametrize(
    "words", [["-lrckmpi", "-lrcce"], ["-lircce", "-pthread"], ["-pthread=core"]]
)
def test_threads_of_a_core(rck: Callable[..., str], words: list[str]) -> None:
    """Programs of processes, and all that ask for it, have threads on each core."""
    rck("cc", "joined.c", *words, "-o", "joined")
    assert on_two(rck, "joined") == "42\n42\n"
    rck("c++", "-O1", "std_thread.cpp", *words, "-o", "std_thread")
    assert on_two(rck, "std_thread") == "5 1\n5 1\n"


def test_openmp_is_refused_in_a_program_of_processes(rck: Callable[..., str]) -> None:
    said = rck("cc", "-fopenmp", "reduction.c", "-lrckmpi", "-lrcce", "-o", "mixed", code=1)
    assert "processes on all cores have no team of OpenMP" in said
