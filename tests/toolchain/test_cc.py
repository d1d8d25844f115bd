"""`rck cc`: what it accepts, what it makes, and what it must never do."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

CC = (sys.executable, "-m", "rockcreek", "cc")
HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'


@pytest.fixture
def cc(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `rck cc` in a folder of its own."""

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*CC, *arguments],
            cwd=tmp_path, input=stdin, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def run_native(program: Path) -> str:
    """Run a guest program on this host, where it runs i386 programs."""
    try:
        ran = subprocess.run([program], capture_output=True, text=True, check=False)
    except OSError as error:
        assert error.errno == errno.ENOEXEC
        pytest.skip("this host does not run i386 programs")
    assert ran.returncode == 0, ran
    return ran.stdout


def test_an_empty_cache_is_enough(tmp_path: Path) -> None:
    """No libc is built at the user's: nothing but the program is written."""
    (tmp_path / "hello.c").write_text(HELLO)
    home = tmp_path / "home"
    home.mkdir()
    cache = {"HOME": str(home), "ZIG_GLOBAL_CACHE_DIR": str(home), "XDG_CACHE_HOME": str(home)}
    environment = {**os.environ, **cache}
    start = time.monotonic()
    subprocess.run([*CC, "hello.c", "-o", "hello"], cwd=tmp_path, env=environment, check=True)
    assert time.monotonic() - start < 10
    assert list(home.iterdir()) == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hello", "hello.c", "home"]


def test_a_program_is_static_i386_with_debug_lines(cc, tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    assert cc("hello.c", "-o", "hello").returncode == 0
    assert cc("hello.c", "-s", "-o", "stripped").returncode == 0
    with (tmp_path / "hello").open("rb") as file:
        elf = ELFFile(file)
        assert elf["e_machine"] == "EM_386" and elf["e_type"] == "ET_EXEC"
        assert not any(s["p_type"] in ("PT_INTERP", "PT_DYNAMIC") for s in elf.iter_segments())
        assert elf.get_section_by_name(".debug_line")
    with (tmp_path / "stripped").open("rb") as file:
        assert not ELFFile(file).get_section_by_name(".debug_line")


def test_c_and_cxx_and_assembly_and_archives_together(cc, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(
        "#include <stdio.h>\nint from_cxx(void), from_asm(void), from_archive(void);\n"
        'int main(void) { printf("%d\\n", from_cxx() + from_asm() + from_archive()); return 0; }\n'
    )
    (tmp_path / "part.cpp").write_text(
        "#include <map>\n#include <string>\n#include <stdexcept>\n"
        'extern "C" int from_cxx() {\n  std::map<std::string, int> m{{"a", 1}};\n'
        '  try { throw std::runtime_error("x"); } catch (std::exception &) { return m["a"]; }\n}\n'
    )
    (tmp_path / "part.s").write_text(".globl from_asm\nfrom_asm: movl $20, %eax\n ret\n")
    (tmp_path / "lib.c").write_text("int from_archive(void) { return 300; }\n")
    assert cc("-c", "lib.c").returncode == 0
    archive = [sys.executable, "-m", "rockcreek", "ar", "rcs", "libpart.a", "lib.o"]
    subprocess.run(archive, cwd=tmp_path, check=True)
    built = cc("-O2", "main.c", "part.cpp", "part.s", "-L.", "-lpart", "-lm", "-lpthread")
    assert built.returncode == 0, built.stderr
    assert run_native(tmp_path / "a.out") == "321\n"


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3", "-Os"])
def test_undefined_behaviour_does_not_trap(cc, tmp_path: Path, level: str) -> None:
    """As with a plain compiler: no sanitizer, no trap instructions."""
    (tmp_path / "odd.c").write_text(
        "#include <stdio.h>\n#include <limits.h>\n#include <string.h>\nvolatile int big = INT_MAX,"
        ' many = 33;\nint main(void) { char b[9]; memcpy(b + 1, "abcdefg", 8); volatile int sum ='
        " big + 1, shifted = 1 << many; volatile int *odd = (volatile int *)(b + 1);\n"
        '(void)sum; (void)shifted; (void)*odd; puts("done"); return 0; }\n'
    )
    assert cc(level, "odd.c", "-o", "odd").returncode == 0
    assert run_native(tmp_path / "odd") == "done\n"


def test_assert_works_at_every_level(cc, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "#include <assert.h>\nint main(int c, char**v) { assert(c > 9); }"
    )
    for level in ("-O0", "-O2"):
        preprocessed = cc(level, "-E", "a.c").stdout
        assert "__assert_fail" in preprocessed


def test_long_double_prints_all_its_digits(cc, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(
        "#include <stdio.h>\nint main(void) {\n"
        " volatile long double third = 1.0L / 3, big = 1e4000L; volatile double d = 0.1;\n"
        ' printf("%.21Lg %La %.5Le %.17g %a %g\\n", third, third, big, d, d, d);\n}\n'
    )
    assert cc("-O2", "p.c", "-o", "p").returncode == 0
    words = run_native(tmp_path / "p").split()
    assert (words[0], words[2]) == ("0.333333333333333333342", "1.00000e+4000")
    assert float.fromhex(words[1]) == pytest.approx(1 / 3, rel=1e-16)
    assert words[3:] == ["0.10000000000000001", "0x1.999999999999ap-4", "0.1"]


def test_sixty_four_bits_to_and_from_floating_point(cc, tmp_path: Path) -> None:
    """What the compiler's run-time library does: division and conversions."""
    (tmp_path / "w.c").write_text(
        "#include <stdio.h>\n#include <complex.h>\nint main(void) {\n"
        " volatile unsigned long long u = 18446744073709551557ull, v = 4294967311ull;\n"
        " volatile long long s = -9223372036854775807ll; volatile double d = 1.5e19;\n"
        " volatile long double l = 18446744073709551615.0L;\n"
        " volatile double complex z = 3 + 4 * I;\n"
        ' printf("%llu %llu %lld %.1f %.1f %llu %llu ", u / v, u % v, s / 1000003, (double)u,\n'
        "  (double)s, (unsigned long long)d, (unsigned long long)l);\n"
        ' z = z * z / (1 + 2 * I); printf("%.1f %.1f\\n", creal(z), cimag(z));\n}\n'
    )
    assert cc("-O1", "w.c", "-o", "w").returncode == 0
    assert run_native(tmp_path / "w").split() == [
        str(18446744073709551557 // 4294967311), str(18446744073709551557 % 4294967311),
        str(-(9223372036854775807 // 1000003)), "18446744073709551616.0",
        "-9223372036854775808.0", "15000000000000000000", "18446744073709551615", "8.2", "7.6",
    ]  # fmt: skip


def test_show_prints_commands_and_runs_none(cc, tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    shown = cc("--show", "hello.c", "-o", "hello")
    assert shown.returncode == 0
    compile_line, link_line = shown.stdout.splitlines()
    assert "clang" in compile_line and "-march=pentium" in compile_line
    assert "ld.lld" in link_line and "libm.a" in link_line
    assert not (tmp_path / "hello").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["@loop"], "names itself"),
        (["-shared", "hello.c"], "static"),
        (["-m64", "hello.c"], "32-bit"),
        (["-march=i686", "hello.c"], "P54C"),
        (["-msse2", "hello.c"], "without SSE2"),
        (["-mfpmath=sse", "hello.c"], "x87"),
        (["-fopenmp=libgomp", "hello.c"], "one library"),
        (["--with", "gcc", "-fopenmp", "hello.c"], "Clang's alone"),
        (["-fsanitize=address", "hello.c"], "rck run --check memory"),
        (["-fsanitize=memory", "hello.c"], "rck run --check unwritten"),
        (["-fsanitize=undefined,leak", "hello.c"], "rck run --check memory"),
        (["-fsanitize=fuzzer", "hello.c"], "sanitizer"),
        (["-fsanitize=thread", "hello.c"], "rck run --check races"),
        (["-pg", "hello.c"], "profiling"),
        ([], "no input files"),
        (["hello.c", "-o"], "needs a value"),
        (["-c", "-o", "x.o", "hello.c", "hello.c"], "several sources"),
    ],
)
def test_refusals_say_why(cc, tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    (tmp_path / "loop").write_text("-c @loop")
    refused = cc(*arguments)
    assert refused.returncode == os.EX_USAGE
    assert refused.stderr.startswith("rck cc: error: ") and words in refused.stderr


@pytest.mark.parametrize("command", ["cc", "c++"])
def test_a_missing_source_is_an_input_not_found(command: str) -> None:
    line = [*CC[:-1], command, "nothing.c"]
    refused = subprocess.run(line, capture_output=True, text=True, check=False)
    assert refused.returncode == os.EX_NOINPUT
    assert refused.stderr == f"rck {command}: error: nothing.c: no such file\n"


def test_directives_of_openmp_that_are_ignored_are_said(cc, tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text("int main(void) {\n#pragma omp parallel\n{}\nreturn 0; }\n")
    told = cc("-c", "-Wall", "-Werror", "sum.c")
    assert told.returncode == 0
    assert "hint: -fopenmp lets directives of OpenMP take effect" in told.stderr
    for option in ("-w", "-fopenmp", "-Wno-source-uses-openmp"):
        assert cc("-c", option, "sum.c").stderr == ""


def test_fortran_is_refused_by_name(cc, tmp_path: Path) -> None:
    (tmp_path / "hello.f90").write_text("end program\n")
    refused = cc("hello.f90")
    assert refused.returncode == os.EX_USAGE
    assert refused.stderr.startswith(
        "rck cc: error: hello.f90: Fortran is not compiled here\nhint:"
    )


def test_threads_without_what_is_not_there(cc, tmp_path: Path) -> None:
    (tmp_path / "forks.c").write_text(
        "#include <pthread.h>\n#include <unistd.h>\nint main(void) { return fork(); }\n"
    )
    refused = cc("-pthread", "forks.c")
    assert refused.returncode == 1 and "forks.c:3" in refused.stderr
    assert "hint: threads on different cores have no fork" in refused.stderr
    # A program of processes says -pthread too: it has its own main on each core.
    shown = cc("--show", "-pthread", "forks.c", "-lrcce")
    assert "libcrf" not in shown.stdout
    (tmp_path / "commit.c").write_text("void crf_release(void);\nint main(void) { crf_release(); }")
    assert "hint: commit and reconcile" in cc("commit.c").stderr


def test_atomic_instructions_of_threads(cc, tmp_path: Path) -> None:
    from rockcreek.errors import InputError
    from rockcreek.software import atomics, image

    text = (
        "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\nint y[9];\n"
        "int main(void)\n{\n  atomic_fetch_add(&x, 1);\n#ifdef LOCK\n"
        '  __asm__("lock incl %0" : "+m"(y[0]));\n#endif\n  return y[8]++ + 0x870187f0;\n}\n'
    )
    (tmp_path / "atomic.c").write_text(text)
    # Compiled for threads or not, what the compiler made is a call in a program of threads.
    for flags in ((), ("-pthread",)):
        assert cc("-O2", *flags, "-c", "atomic.c").returncode == 0
        assert cc("-pthread", "atomic.o").returncode == 0
        atomics.refuse_locked(image.read(tmp_path / "a.out"))
        assert cc("atomic.o", "-lrcce").stderr == ""
    assert cc("-O2", "-pthread", "-DLOCK", "atomic.c").returncode == 0
    with pytest.raises(InputError, match=r"(?m)`lock .*` in main \(.*atomic\.c:9\)$"):
        atomics.refuse_locked(image.read(tmp_path / "a.out"))


def test_threads_have_a_choice_of_models(cc, tmp_path: Path) -> None:
    from rockcreek.errors import InputError
    from rockcreek.software import image, thread_models

    (tmp_path / "hello.c").write_text(HELLO)
    assert cc("-pthread", "hello.c", "-o", "threads").returncode == 0
    assert cc("hello.c", "-o", "alone").returncode == 0
    chosen = thread_models.environment(image.read(tmp_path / "threads"), "lazy")
    assert chosen == {"RCK_THREADS_MODEL": "lazy"}
    with pytest.raises(InputError, match="not linked for threads"):
        thread_models.environment(image.read(tmp_path / "alone"), "crf")


def test_openmp_says_what_is_not_there(cc, tmp_path: Path) -> None:
    (tmp_path / "told.c").write_text(
        'int main(void)\n{\n#pragma omp error at(execution) severity(warning) message("so")\n}\n'
    )
    assert "OpenMP is here without error" in cc("-fopenmp", "told.c").stderr


def test_response_files(cc, tmp_path: Path) -> None:
    (tmp_path / "two words.c").write_text(HELLO)
    (tmp_path / "outer").write_text('-O2 @inner\n"two words.c"\n')
    (tmp_path / "inner").write_text("-o 'the program'")
    assert cc("@outer").returncode == 0
    assert (tmp_path / "the program").exists()


def test_the_compilers_errors_and_exit_code_pass_through(cc, tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int main(void) { return missing(); }\n")
    linked = cc("-Wno-implicit-function-declaration", "-std=c89", "bad.c")
    assert linked.returncode == 1 and "undefined symbol: missing" in linked.stderr
    (tmp_path / "bad.c").write_text("int main(void) { return 0 }\n")
    compiled = cc("bad.c")
    assert compiled.returncode == 1 and "bad.c:1:" in compiled.stderr


def test_a_link_names_our_library_that_was_not_named(cc, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(
        "#include <RCCE.h>\n#include <iRCCE.h>\n"
        "int RCCE_APP(int c, char **v) { RCCE_init(&c, &v); return iRCCE_init(); }\n"
    )
    assert cc("p.c", "-lrcce").stderr.endswith("add -lircce\n")
    assert cc("p.c").stderr.endswith("add -lircce -lrcce\n")
    assert "hint: this host's libraries are no code for the chip: make a libnone.a" in (
        cc("p.c", "-lircce", "-lrcce", "-lnone").stderr
    )
    assert cc("p.c", "-lircce", "-lrcce").stderr == ""
    assert "hint: the linker is LLD, which has no --no-such: leave out -Wl,--no-such\n" in (
        cc("p.c", "-lircce", "-lrcce", "-Wl,--no-such").stderr
    )
    (tmp_path / "p.c").write_text("int missing(void);\nint main(void) { return missing(); }\n")
    assert "hint" not in cc("p.c").stderr


def test_stages_of_the_compiler(cc, tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    assert "puts" in cc("-E", "hello.c").stdout
    assert cc("-S", "hello.c").returncode == 0 and "main:" in (tmp_path / "hello.s").read_text()
    assert cc("-c", "hello.c", "-MMD", "-MF", "hello.d").returncode == 0
    assert (tmp_path / "hello.d").read_text().startswith("hello.o:")
    assert cc("-x", "c", "-", "-o", "piped", stdin=HELLO).returncode == 0
    assert (tmp_path / "piped").exists()
    assert "i586" in cc("-dumpmachine").stdout


def test_what_build_systems_ask_is_answered_from_the_sysroot(cc, tmp_path: Path) -> None:
    library = Path(cc("-print-file-name=libc.a").stdout.strip())
    assert library.is_file() and library.parent.name == "lib"
    assert Path(cc("-print-libgcc-file-name").stdout.strip()).is_file()
    assert cc("-print-file-name=libnone.a").stdout == "libnone.a\n"
    assert str(library.parent) in cc("--print-search-dirs").stdout
    assert cc("-print-prog-name=ar").stdout.strip().endswith("rck-ar")
    assert cc("-print-prog-name=ld").stdout == "ld\n"
    assert cc("-print-sysroot").stdout.strip() == str(library.parent.parent)
    assert cc("-print-multi-os-directory").stdout == ".\n"
    version = cc("-v")
    assert version.returncode == 0 and "clang" in version.stderr + version.stdout


def test_make_takes_it_as_its_compiler(cc, tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    (tmp_path / "lib.c").write_text("int one(void) { return 1; }\n")
    (tmp_path / "Makefile").write_text(
        "hello: hello.o libone.a\n\t$(CC) $(LDFLAGS) $^ -o $@\nlibone.a: libone.a(lib.o)\n"
    )
    rck = f"{sys.executable} -m rockcreek"
    tools = [f"CC={rck} cc", f"AR={rck} ar", "CFLAGS=-O2 -Wall"]
    subprocess.run(["make", "-s", *tools], cwd=tmp_path, check=True)
    assert run_native(tmp_path / "hello") == "hello\n"


def test_options_of_other_compilers_are_taken(cc, tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    said = cc(
        "-O3", "-march=native", "-mtune=core2", "-fcf-protection=full", "-ftree-vectorize",
        "-ftree-vectorizer-verbose=2", "-fopt-info-vec", "-fno-tree-pre", "-fipa-pta", "-rdynamic",
        "-pie", "-fgraphite-identity", "-fvect-cost-model=unlimited", "-flto=8", "-fopenmp=libomp",
        "-fno-fat-lto-objects", "-flto-partition=none", "-mpreferred-stack-boundary=4", "hello.c",
        "-latomic", "-lgcc_s", "-lnsl", "-lgomp", "-Wl,-export-dynamic", "-o", "hello",
    )  # fmt: skip
    assert said.returncode == 0
    assert said.stderr == "rck cc: -march=native is -march=pentium here: the cores are P54C\n"
    assert cc("-O2", "-ftree-vectorize", "--show", "-c", "hello.c").stdout.count("-ftree-v") == 1
