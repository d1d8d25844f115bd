"""The sysroot: where each function comes from, and the tools that put it together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from build_backend import archive, elf, sysroot

ROOT = Path(__file__).resolve().parents[2]

SYSROOT = ROOT / "python/rockcreek/_guest/sysroot"
LIBRARY = SYSROOT / "lib"


def definitions(name: str) -> set[str]:
    return {n for member in archive.read(LIBRARY / name) for n in member.defines()}


def math_names() -> set[str]:
    return set(sysroot.math_functions((SYSROOT / "include/math.h").read_text()))


def test_no_math_function_comes_from_the_compiler_package() -> None:
    names = math_names()
    assert {"sin", "sincosf", "powl", "nexttoward"} <= names
    for library in sysroot.ZIG_MATH:
        assert not definitions(library) & names
    assert names <= definitions("libm.a") | definitions("libc.a")


def test_nothing_is_defined_both_in_libm_and_in_libc() -> None:
    assert not definitions("libm.a") & definitions("libc.a")


def test_every_library_is_there() -> None:
    for name in (*sysroot.LIBRARIES, *sysroot.EMPTY, "libm.a", "librcce.a", "crt1.o"):
        assert (LIBRARY / name).is_file(), name
    for header in ("stdio.h", "math.h", "RCCE.h", "scc/registers.h", "c++/v1/vector"):
        assert (SYSROOT / "include" / header).is_file(), header


def test_an_archive_is_read_as_it_was_written(tmp_path: Path) -> None:
    members = archive.read(LIBRARY / "libm.a")
    long_name = archive.Member("a_name_of_more_than_sixteen_letters.o", members[0].data + b"x")
    archive.write(tmp_path / "copy.a", [*members, long_name])
    assert archive.read(tmp_path / "copy.a") == [*members, long_name]
    archive.write(tmp_path / "again.a", [*members, long_name])
    assert (tmp_path / "again.a").read_bytes() == (tmp_path / "copy.a").read_bytes()


def test_a_renamed_definition_keeps_the_rest(tmp_path: Path) -> None:
    (tmp_path / "two.c").write_text(
        "int one(void) { return 1; }\nint two(void) { return one(); }\n"
    )
    (tmp_path / "main.c").write_text(
        "int first(void), two(void);\nint main(void) { return first() + two(); }\n"
    )
    cc = [sys.executable, "-m", "rockcreek", "cc"]
    subprocess.run([*cc, "-c", "two.c", "main.c"], cwd=tmp_path, check=True)
    changed = elf.rename_definitions(
        (tmp_path / "two.o").read_bytes(), lambda name: "first" if name == "one" else name
    )
    assert {s.name for s in elf.symbols(changed) if s.defined} == {"first", "two"}
    (tmp_path / "two.o").write_bytes(changed)
    subprocess.run([*cc, "main.o", "two.o", "-o", "prog"], cwd=tmp_path, check=True)


def test_no_path_of_this_host_is_in_what_is_shipped() -> None:
    for path in (*LIBRARY.glob("*.a"), SYSROOT.parent / "kernel.elf"):
        assert str(ROOT).encode() not in path.read_bytes(), path


def test_the_guest_is_built_without_an_installed_package() -> None:
    # -S: no package is found but the standard library, as in a clone before `make setup` ends.
    command = [sys.executable, "-S", "-c", "import build_backend.guest as g; print(g.TOOLCHAIN)"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert str(ROOT / "python" / "rockcreek" / "toolchain") in done.stdout
