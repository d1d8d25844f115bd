"""Headers of GNU's libraries that public programs include."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

import ready

QUEUES = """\
#include <stdio.h>
#include <sys/queue.h>
struct item {
    int n;
    SLIST_ENTRY(item) s; LIST_ENTRY(item) l; STAILQ_ENTRY(item) q; TAILQ_ENTRY(item) t;
} i[5];
SLIST_HEAD(slist, item) s = SLIST_HEAD_INITIALIZER(s);
LIST_HEAD(list, item) l = LIST_HEAD_INITIALIZER(l);
STAILQ_HEAD(queue, item) q = STAILQ_HEAD_INITIALIZER(q);
TAILQ_HEAD(tail, item) t = TAILQ_HEAD_INITIALIZER(t);
__BEGIN_DECLS
int main(void)
{
    struct item *at, *then;
    for (int n = 0; n < 5; n++) {
        i[n].n = n;
        SLIST_INSERT_HEAD(&s, &i[n], s);
        LIST_INSERT_HEAD(&l, &i[n], l);
        STAILQ_INSERT_TAIL(&q, &i[n], q);
        TAILQ_INSERT_TAIL(&t, &i[n], t);
    }
    SLIST_REMOVE(&s, &i[2], item, s);
    SLIST_INSERT_AFTER(&i[0], &i[2], s);
    LIST_REMOVE(&i[4], l);
    LIST_INSERT_BEFORE(&i[0], &i[4], l);
    STAILQ_REMOVE(&q, &i[4], item, q);
    STAILQ_INSERT_TAIL(&q, &i[4], q);
    STAILQ_REMOVE_HEAD(&q, q);
    STAILQ_INSERT_AFTER(&q, &i[4], &i[0], q);
    TAILQ_REMOVE(&t, &i[4], t);
    TAILQ_INSERT_BEFORE(&i[1], &i[4], t);
    SLIST_FOREACH(at, &s, s) printf("%d", at->n);
    LIST_FOREACH_SAFE(at, &l, l, then) printf("%s%d", at == LIST_FIRST(&l) ? " " : "", at->n);
    STAILQ_FOREACH(at, &q, q) printf("%s%d", at == STAILQ_FIRST(&q) ? " " : "", at->n);
    TAILQ_FOREACH_REVERSE(at, &t, tail, t) printf("%s%d", at == &i[3] ? " " : "", at->n);
    return 0;
}
__END_DECLS
"""


def made(folder: Path, name: str, text: str, *flags: str) -> str:
    (folder / name).write_text(text)
    command = "c++" if name.endswith("cpp") else "cc"
    ready.rck(command, name, "-o", "prog", *flags, cwd=folder, check=True)
    ran = ready.rck("run", "-q", "--tag", "none", "-n", "1", "prog", cwd=folder, check=True)
    return ran.stdout


def test_lists_and_queues(tmp_path: Path) -> None:
    assert made(tmp_path, "queues.c", QUEUES, "-Wall", "-Werror") == "43102 32140 12340 32140"


def test_every_header_of_cxx(tmp_path: Path) -> None:
    text = (
        "#include <bits/stdc++.h>\n#include <fpu_control.h>\nusing namespace std;\n"
        "int main() { fpu_control_t word; _FPU_GETCW(word); map<string, int> m;\n"
        'cout << ++m["a"] << hex << (word & _FPU_EXTENDED); return 0; }\n'
    )
    for standard in ("-std=c++11", "-std=c++17", "-std=c++20"):
        assert made(tmp_path, "all.cpp", text, standard) == "1300"


def test_macros_of_any_header(tmp_path: Path) -> None:
    """As with GNU's headers, that of strings alone brings them."""
    text = (
        "#include <string.h>\n__BEGIN_DECLS\nint puts(const char *) __THROW;\n__END_DECLS\n"
        "int main(void) { return puts(__STRING(one)) < 0; }\n"
    )
    assert made(tmp_path, "any.c", text) == "one\n"


# What programs take from a header alone, because GNU's includes others.
ALONE = {
    "stdlib.h": "uint n; u_char c; int32_t i; fd_set s; struct timeval t;",
    "malloc.h": "ptrdiff_t d; FILE *file; char *none = NULL;",
    "netdb.h": "u_long n; time_t t; fd_set s;",
    "regex.h": "ssize_t n; u_int u;",
    "semaphore.h": "size_t n; uid_t u;",
    "spawn.h": "struct sched_param p; ushort u;",
    "sys/file.h": "int mode = O_CREAT | LOCK_EX;",
    "sys/param.h": "int number = SIGINT; mode_t m;",
    "sys/un.h": "static int like(char *a) { return strcmp(a, a); }",
    "ftw.h": "struct stat s; key_t k;",
}


def test_headers_include_what_gnus_include(tmp_path: Path) -> None:
    for number, (header, text) in enumerate(ALONE.items()):
        (tmp_path / f"{number}.c").write_text(f"#include <{header}>\n{text}\n")
    names = [f"{number}.c" for number in range(len(ALONE))]
    ready.rck("cc", "-fsyntax-only", "-Werror", *names, cwd=tmp_path, check=True)
    (tmp_path / "strict.c").write_text(
        "#include <stdlib.h>\ntypedef short int32_t; int select(double);\n"
    )
    ready.rck("cc", "-std=c99", "-fsyntax-only", "strict.c", cwd=tmp_path, check=True)


# Each function's result is glibc's: seen with GCC 12 on Debian 12.
FUNCTIONS = {
    "random": (
        """#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char state[64], other[128]; struct random_data r = {0}; int n; double d; long l;
    struct drand48_data x;
    initstate_r(7, state, sizeof state, &r); random_r(&r, &n); printf("%d ", n);
    initstate_r(1, other, sizeof other, &r); random_r(&r, &n); printf("%d ", n);
    setstate_r(state, &r); random_r(&r, &n); printf("%d ", n);
    srand48_r(3, &x); drand48_r(&x, &d); lrand48_r(&x, &l); printf("%.6f %ld ", d, l);
    mrand48_r(&x, &l); printf("%ld\\n", l);
    return 0;
}
""", "1539280666 1804289383 119640454 0.783235 1854724446 1338777140\n"),
    "obstack": (
        """#include <stdio.h>
#include <stdlib.h>
#include <obstack.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
#include <stdarg.h>
static void say(struct obstack *s, const char *format, ...)
{ va_list a; va_start(a, format); obstack_vprintf(s, format, a); va_end(a); }
int main(void)
{
    struct obstack s; obstack_init(&s);
    char *first = obstack_copy0(&s, "first", 5);
    for (int i = 0; i < 9000; i++) obstack_1grow(&s, 'a' + i % 26);
    obstack_1grow(&s, 0); char *many = obstack_finish(&s);
    obstack_printf(&s, "%d", 4); say(&s, "%d", 2); obstack_1grow(&s, 0);
    char *text = obstack_finish(&s);
    printf("%s %c%s %s", first, many[0], many + 8995, text);
    obstack_free(&s, many); printf(" %s", (char *)obstack_copy0(&s, "again", 5));
    obstack_free(&s, 0); return puts("") < 0;
}
""", "first azabcd 42 again\n"),
    "error": (
        """#include <errno.h>
#include <error.h>
#include <stdio.h>
static void name(void) { fputs("name: ", stderr); }
int main(void)
{
    dup2(1, 2); error_print_progname = name; error(0, ENOENT, "%d", 3);
    error_at_line(0, 0, "file", 7, "bad"); printf("%u\\n", error_message_count); return 0;
}
""", "name: 3: No such file or directory\nname: file:7: bad\n2\n"),
    "backtrace": (
        """#include <execinfo.h>
#include <stdio.h>
__attribute__((noinline)) static int deep(int n)
{
    void *at[20]; int left = n ? deep(n - 1) : backtrace(at, 20);
    if (!n) left = left > 5 && backtrace_symbols(at, left)[0][0] == '[';
    return left + 0 * n;
}
int main(void) { return printf("%d\\n", deep(4)) < 0; }
""", "1\n"),
    "traps": (
        """#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static jmp_buf out;
static void caught(int n) { longjmp(out, n); }
int main(void)
{
    volatile double zero = 0; signal(SIGFPE, caught);
    printf("%d ", feenableexcept(FE_DIVBYZERO));
    printf("%d ", fegetexcept());
    if (!setjmp(out)) { zero = 1 / zero; puts("no trap"); } else puts("trap");
    return 0;
}
""", "0 4 trap\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(tmp_path: Path, name: str) -> None:
    text, expected = FUNCTIONS[name]
    assert made(tmp_path, f"{name}.c", text, "-w", "-D_GNU_SOURCE") == expected


GNU = Path(__file__).with_name("gnu")
HOST = shutil.which("gcc")


@pytest.mark.skipif(
    HOST is None or platform.libc_ver()[0] != "glibc", reason="needs a host with GNU's C library"
)
@pytest.mark.parametrize(
    "name", ["command_lines", "contexts", "dates", "tree_walk", "vectors", "words"]
)
def test_same_as_gnus_library(tmp_path: Path, name: str) -> None:
    source = str(GNU / f"{name}.c")
    native, shared = tmp_path / "native", tmp_path / "shared"
    native.mkdir()
    shared.mkdir()
    subprocess.run(
        [str(HOST), "-w", "-D_GNU_SOURCE", source, "-o", str(tmp_path / "host"), "-lm"], check=True
    )
    said = subprocess.run(
        [str(tmp_path / "host")], cwd=native, capture_output=True, text=True, check=True
    )
    ready.rck("cc", "-w", "-D_GNU_SOURCE", source, "-o", "prog", "-lm", cwd=tmp_path, check=True)
    ran = ready.rck(
        "run",
        "-q",
        "--tag",
        "none",
        "-n",
        "1",
        "--share",
        "shared",
        "prog",
        cwd=tmp_path,
        check=True,
    )
    assert ran.stdout.splitlines() == said.stdout.splitlines()


def test_numa_is_not_available(tmp_path: Path) -> None:
    text = (
        "#include <numa.h>\n#include <stdio.h>\n#include <gnu/libc-version.h>\n"
        'int main(void) { printf("%d %d", numa_available(), *gnu_get_libc_version() > 48);'
        " return numa_available() < 0 ? 0 : numa_max_node(); }\n"
    )
    assert made(tmp_path, "numa.c", text, "-lnuma") == "-1 1"


SHARED = "#include <atomic>\n#include <memory>\nstd::atomic<std::shared_ptr<int>> pointer;\n"
SSE = "#include <xmmintrin.h>\n__m128 one(void) { return _mm_set1_ps(1); }\n"


def test_what_is_absent_names_the_way(tmp_path: Path) -> None:
    """A header that is not there is not found, and a hint says what to use."""
    for text, flags, hint in (
        ("#include <rpc/types.h>\n", ["-c"], "hint: rpc/types.h is not here: Sun's RPC"),
        ("#include <sys/sysctl.h>\n", ["-c"], "hint: sys/sysctl.h is not here: Linux has"),
        ("int main(void) { return mallinfo(); }\n", ["-w"], "hint: mallinfo is not here: the C"),
        ("#include <mpi.h>\n", ["-c"], "hint: mpi.h is not here: `rck mpicc` compiles"),
        (SHARED, ["-c", "-xc++", "-std=c++20"], "hint: libc++ has no std::atomic of a shared_ptr"),
        (SSE, ["-c"], "hint: the cores are P54C, without MMX, SSE and AVX"),
    ):
        (tmp_path / "asks.c").write_text(text)
        ran = ready.rck("cc", *flags, "asks.c", cwd=tmp_path)
        assert ran.returncode == 1
        assert hint in ran.stderr


def test_old_places_of_headers_give_no_warning(tmp_path: Path) -> None:
    names = ("sys/poll.h", "sys/fcntl.h", "sys/signal.h", "sys/errno.h", "sys/termios.h", "wait.h")
    text = "".join(f"#include <{name}>\n" for name in names) + "int main(void) { return 0; }\n"
    assert made(tmp_path, "old.c", text, "-Wall", "-Werror") == ""
