"""A program may define functions by names of the C library: no library calls the program's ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import ready
from rockcreek import _native
from rockcreek.toolchain.code.object_files import symbols

# None is a name that ISO C keeps for itself.
NAMES = """
accept access advance basename bcopy bind bzero chdir clock_gettime close closedir connect dprintf
dup dup2 error fcntl fileno fstat fsync ftruncate getcwd getline getpid gettimeofday getuid index
insque ioctl isatty kill link listen lseek madvise mkdir mmap mprotect munmap nanosleep open
opendir pause pipe poll pread putw pwrite raise read readv recv remove_all rindex sbrk sched_yield
sched_getcpu select send setsockopt shm_open sigaction sigprocmask sleep socket stat step
strcasecmp strdup strnlen stpcpy swab symlink syscall tdelete time tsearch uname unlink usleep
warn write writev
""".split()
OWN = "".join(f"int {name}(int a) {{ return a + 1; }}\n" for name in NAMES)
OWN += "int mine(void) { return read(1) + time(2); }\n"
BODY = """
static void use(void)
{
    char text[64]; time_t now = 86400; double x = 2.5;
    FILE *file = fopen("file", "w+");
    if (!file || fprintf(file, "%d %.2f\\n", 42, x) < 0 || fflush(file) || fseek(file, 0, SEEK_SET))
        puts("no file");
    else if (!fgets(text, sizeof text, file) || fputs(text, stdout) < 0 || fclose(file))
        puts("no line");
    char *more = malloc(300000); more = realloc(more, 600000); free(more);
    printf("%d %s", mine(), asctime(gmtime(&now)));
}
"""
PROGRAMS = {
    "plain": ("", "use();", [], 1),
    "threads": (
        """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void use(void);
static void *f(void *a) { pthread_mutex_lock(&m); use(); pthread_mutex_unlock(&m); return a; }
""",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);", ["-pthread"], 2,
    ),
    "openmp": (
        "static void use(void);\n",
        """int n = 0;
#pragma omp parallel num_threads(2) reduction(+:n)
{
n++;
#pragma omp critical
n += 0;
#pragma omp single
use();
}
""", ["-fopenmp"], 2,
    ),
    "rcce": (
        '#include "RCCE.h"\n',
        """RCCE_init(&c, &v); RCCE_barrier(&RCCE_COMM_WORLD); if (!RCCE_ue()) use();
if (!RCCE_ue()) RCCE_send((char *)&c, 4, 1); else RCCE_recv((char *)&c, 4, 0);
RCCE_finalize();""", ["-lrcce"], 2,
    ),
    "ircce": (
        '#include "RCCE.h"\n#include "iRCCE.h"\n',
        "RCCE_init(&c, &v); iRCCE_init(); if (!RCCE_ue()) use(); RCCE_finalize();",
        ["-lircce", "-lrcce"], 2,
    ),
}  # fmt: skip


def rck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return ready.rck(*words, cwd=folder)


@pytest.mark.parametrize("kind", PROGRAMS)
def test_no_library_calls_a_programs_own_functions(tmp_path: Path, kind: str) -> None:
    head, body, flags, cores = PROGRAMS[kind]
    (tmp_path / "prog.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\nint mine(void);\n"
        f"{head}{BODY}int main(int c, char **v) {{ {body} return 0; }}\n"
    )
    (tmp_path / "own.c").write_text(OWN)
    built = rck(
        tmp_path, "cc", "-w", "-O1", "-fno-builtin", "prog.c", "own.c", *flags, "-o", "prog"
    )
    assert built.returncode == 0, built.stderr
    ran = rck(tmp_path, "run", "-q", "--tag", "none", "-n", str(cores), "--share", ".", "prog")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "42 2.50\n5 Fri Jan  2 00:00:00 1970\n"


def test_a_function_is_named_as_programs_name_it(tmp_path: Path) -> None:
    """Tools that look for the function at an address find the name that programs use."""
    (tmp_path / "prog.c").write_text(
        '#include <stdio.h>\nint main(void) { return puts("") < 0 || getchar() != EOF; }\n'
    )
    assert rck(tmp_path, "cc", "prog.c", "-o", "prog").returncode == 0
    data = (tmp_path / "prog").read_bytes()
    names = ["puts", "getchar"]
    addresses = {symbol.name: symbol.value for symbol in symbols(data)}
    found = _native.Symbols(data).places([addresses[name] for name in names])
    assert [name for name, _, _ in found] == names


HEAP = """
static char heap[1 << 20]; static size_t at; int asked;
void *malloc(size_t n) { void *p = heap + at; at += (n + 15) & ~15; asked++; return p; }
void free(void *p) {}
void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }
void *realloc(void *p, size_t n) { void *q = malloc(n); return p ? memcpy(q, p, n) : q; }
"""


@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.parametrize("functions", [2, 4])
def test_a_programs_own_heap_serves_the_libraries(
    tmp_path: Path, functions: int, *, threads: bool
) -> None:
    body = 'char *s = strdup("own"); printf("%s %d\\n", s, asked);'
    if threads:
        body = f"pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); {body}"
    (tmp_path / "prog.c").write_text(
        "#include <stdio.h>\n#include <string.h>\n#include <pthread.h>\n"
        + "".join(HEAP.splitlines(keepends=True)[: functions + 2])
        + f"static void *f(void *a) {{ return a; }}\nint main(void) {{ {body} return 0; }}\n"
    )
    built = rck(tmp_path, "cc", "-w", "prog.c", "-o", "prog")
    assert built.returncode == 0, built.stderr
    ran = rck(tmp_path, "run", "-q", "--tag", "none", "-n", "2" if threads else "1", "prog")
    assert (ran.stdout, ran.stderr) == ("own 1\n", "")


def test_own_variables_replace_the_librarys(tmp_path: Path) -> None:
    (tmp_path / "prog.c").write_text(
        "#include <stdio.h>\n#include <unistd.h>\nint opterr = 0;\n"
        'int main(void) { char *v[] = {"a", "-q", 0}; int c = getopt(2, v, "r");\n'
        'printf("%c\\n", c); return 0; }\n'
    )
    built = rck(tmp_path, "cc", "-w", "prog.c", "-o", "prog")
    assert built.returncode == 0, built.stderr
    ran = rck(tmp_path, "run", "-q", "--tag", "none", "-n", "1", "prog")
    assert (ran.stdout, ran.stderr) == ("?\n", "")
