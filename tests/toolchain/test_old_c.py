"""C of the chip's time: warnings as GCC 12's, and what takes more than a warning."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import ready

OLD = """\
int common; char *text;
main()
{
    int *p = 0x10; int n = p; void (*f)() = h;
    g(n - 9);
    return printf("%s%d\\n", text = "old ", atoi("7") + common) * 0;
}
void g(n) int n; { printf("%d ", n); return; }
h() { return; }
"""
COUNTER = """\
#include <stdio.h>
static inline long long both(void) {
    register long long TSC __asm__("eax");
    __asm__ volatile (".byte 15, 49" : : : "eax", "edx");
    return TSC;
}
static inline long long halves(void) {
    register unsigned low asm("eax"), high asm("edx");
    asm volatile ("rdtsc");
    return (long long)high << 32 | low;
}
int main(void) { long long a = both(), b = halves(); printf("%d %d\\n", a > 0, b > a); return 0; }
"""


def rck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return ready.rck(*words, cwd=folder)


@pytest.mark.parametrize("flags", [(), ("-std=c99",), ("-std=gnu89", "-O2")])
def test_what_gcc_warns_about_builds(tmp_path: Path, flags: tuple[str, ...]) -> None:
    (tmp_path / "old.c").write_text(
        OLD.replace(" void (*f)() = h;", "") + "int common; char *text;"
    )
    warned = rck(tmp_path, "cc", *flags, "old.c", "-o", "old")
    assert warned.returncode == 0 and "warning" in warned.stderr
    assert "'g' is called before it is defined as void" in warned.stderr
    assert rck(tmp_path, "run", "-q", "--tag", "none", "old").stdout == "7 old 7\n"


def test_warnings_are_silenced_or_errors_as_asked(tmp_path: Path) -> None:
    (tmp_path / "old.c").write_text(OLD.replace(" void (*f)() = h;", ""))
    quiet = rck(tmp_path, "cc", "-w", "-c", "old.c")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    for flag in ("-Werror", "-Werror=implicit-int"):
        assert rck(tmp_path, "cc", flag, "-c", "old.c").returncode == 1


GCC_IS_QUIET = """\
int f();
int main(void) { int x = 3; if ((x == 3)) x = f(x); x = x; return x; }
int f(a) int a; { return a - 1; }
"""
STRICT = ("-Wall", "-Wextra", "-pedantic", "-std=c99", "-Werror")


def test_errors_are_what_gcc_warns_about(tmp_path: Path) -> None:
    """With -Werror, what Clang alone warns about, or GCC's name of a warning, is no error."""
    (tmp_path / "quiet.c").write_text(GCC_IS_QUIET)
    built = rck(tmp_path, "cc", *STRICT, "-Wlogical-op", "-c", "quiet.c")
    assert built.returncode == 0, built.stderr
    assert "warning: " in built.stderr and "error: " not in built.stderr
    asked = rck(tmp_path, "cc", *STRICT, "-Wstrict-prototypes", "-c", "quiet.c")
    assert asked.returncode == 1 and "[-Werror,-Wstrict-prototypes]" in asked.stderr
    (tmp_path / "loud.c").write_text("int main(void) { int unused; return 0; }\n")
    assert rck(tmp_path, "cc", *STRICT, "-c", "loud.c").returncode == 1


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_variables_that_registers_keep(tmp_path: Path, level: str) -> None:
    """RCCE's own counter of cycles among them."""
    (tmp_path / "counter.h").write_text(COUNTER)
    (tmp_path / "counter.c").write_text('#include "counter.h"\n')
    assert rck(tmp_path, "cc", level, "counter.c", "-o", "counter").returncode == 0
    assert rck(tmp_path, "run", "-q", "--tag", "none", "counter").stdout == "1 1\n"


def test_what_only_gcc_has_is_told(tmp_path: Path) -> None:
    (tmp_path / "nested.c").write_text("int main(void) { int f(void) { return 0; } return f(); }\n")
    refused = rck(tmp_path, "cc", "nested.c")
    assert refused.returncode == 1
    assert refused.stderr.endswith("hint: GCC alone has this: --with gcc, or RCK_CC_WITH=gcc\n")


def test_variables_without_a_value_in_several_files_are_one(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(
        "int shared[2]; int n;\nvoid set(void) { shared[1] = n = 3; }\n"
    )
    (tmp_path / "two.c").write_text(
        "#include <stdio.h>\nint shared[8]; int n; void set(void);\n"
        'int main(void) { set(); printf("%d %d\\n", shared[1] + shared[7], n); return 0; }\n'
    )
    for flags in ((), ("-fcommon",), ("-pthread",)):
        linked = rck(tmp_path, "cc", *flags, "one.c", "two.c", "-o", "both")
        assert linked.returncode == 0, linked.stderr
        assert ("several files define" in linked.stderr) == ("-fcommon" not in flags)
        assert rck(tmp_path, "run", "-q", "--tag", "none", "both").stdout == "3 3\n"
    assert rck(tmp_path, "cc", "-w", "one.c", "two.c").stderr == ""
    (tmp_path / "three.c").write_text("int n = 4;\n")
    (tmp_path / "four.c").write_text("int n = 5;\n")
    refused = rck(tmp_path, "cc", "two.c", "three.c", "four.c")
    assert refused.returncode == 1 and "duplicate symbol: n" in refused.stderr


OFFSETS = """\
#include <stdio.h>
#include <fcntl.h>
main()
{
    char c = '?';
    int fd = open("/tmp/f", O_RDWR | O_CREAT, 0600);
    write(fd, "abcdef", 6);
    lseek(fd, 3L, 0);
    read(fd, &c, 1);
    ftruncate(fd, 4L);
    printf("%c %d\\n", c, (int)lseek(fd, 0L, 2));
    return 0;
}
"""


def test_offsets_of_undeclared_functions(tmp_path: Path) -> None:
    """lseek without unistd.h, as with the 32-bit offsets of the chip's time."""
    (tmp_path / "seek.c").write_text(OFFSETS)
    assert rck(tmp_path, "cc", "seek.c", "-o", "seek").returncode == 0
    assert rck(tmp_path, "run", "-q", "--tag", "none", "seek").stdout == "d 4\n"
