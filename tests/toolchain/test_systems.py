"""A folder below systems/ is built, installed and tested without being named anywhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from build_backend import guest

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = ROOT / "python/rockcreek/_guest"
TOML = """\
[[headers]]
from = "include"
to = "sysroot/include"

[[output]]
kind = "archive"
path = "sysroot/lib/libtiny.a"
sources = ["*.c"]
flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Iinclude"]
"""
README = "A tiny system. It follows [rcce-2010] and differs in everything.\n"
LIBRARY = """\
#include "tiny.h"
#include "RCCE.h"

int tiny_twice_the_rank(void)
{
    return 2 * RCCE_ue();
}
"""
PROGRAM = """\
// cc: -I{out}/sysroot/include -L{out}/sysroot/lib -I${{system}}/programs -ltiny -lrcce
// run: -n 2 --tag none --cores 0,1
// expect-match: ^2$
#include <twice.c>
"""
TWICE = """\
#include <stdio.h>
#include "RCCE.h"
#include "tiny.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    printf("%d\\n", tiny_twice_the_rank());
    return RCCE_finalize();
}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with a system in it, and nothing of the guest but what is installed."""
    system = tmp_path / "tree/systems/tiny"
    for name, text in {
        "README.md": README,
        "guest.toml": TOML,
        "tiny.c": LIBRARY,
        "include/tiny.h": "int tiny_twice_the_rank(void);\n",
        "programs/twice.c": TWICE,
        "tests/twice.c": PROGRAM.format(out=tmp_path / "tree/out"),
    }.items():
        (system / name).parent.mkdir(parents=True, exist_ok=True)
        (system / name).write_text(text)
    shutil.copytree(INSTALLED / "sysroot", tmp_path / "tree/out/sysroot")
    return tmp_path / "tree"


def build(tree: Path) -> None:
    guest.Builder(tree / "out", 1, tree).build()


def test_its_library_and_headers_are_installed(tree: Path) -> None:
    build(tree)
    sysroot = tree / "out/sysroot"
    assert (sysroot / "include/tiny.h").is_file()
    program = tree / "systems/tiny/programs/twice.c"
    link = [sys.executable, "-m", "rockcreek", "cc", str(program), "-o", str(tree / "twice")]
    link += [f"-I{sysroot}/include", f"-L{sysroot}/lib"]
    subprocess.run([*link, "-ltiny", "-lrcce"], check=True)
    # A change of its header makes it anew; the guest's objects do not depend on it.
    library = (sysroot / "lib/libtiny.a").read_bytes()
    (tree / "systems/tiny/include/tiny.h").write_text("long tiny_twice_the_rank(void);\n")
    with pytest.raises(SystemExit, match=r"tiny\.c"):
        build(tree)
    assert (sysroot / "lib/libtiny.a").read_bytes() == library


def test_an_output_like_another_says_only_what_differs(tree: Path) -> None:
    toml = tree / "systems/tiny/guest.toml"
    second = '[[output]]\nkind = "archive"\npath = "sysroot/lib/libtinier.a"\n'
    toml.write_text(TOML + second + 'like = "sysroot/lib/libtiny.a"\nflags = ["-DTINIER"]\n')
    first, other = guest.description_of(toml.parent)["output"]
    assert other == {**first, "path": other["path"], "flags": [*first["flags"], "-DTINIER"]}
    toml.write_text(TOML + second + 'like = "libtiny.a"\n')
    with pytest.raises(SystemExit, match=r"like libtiny\.a: no such output before"):
        guest.description_of(toml.parent)


def test_a_link_without_it_is_told_its_name(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rockcreek.toolchain.code import libraries

    build(tree)
    words = "ld.lld: error: undefined symbol: tiny_twice_the_rank\nundefined symbol: RCCE_ue\n"
    hint = libraries.hint(words, tree / "out/sysroot/lib")
    assert hint is not None and hint.endswith("add -ltiny -lrcce")


def test_its_tests_are_found_and_run(tree: Path) -> None:
    build(tree)
    shutil.copyfile(ROOT / "conftest.py", tree / "conftest.py")
    shutil.copyfile(ROOT / "pyproject.toml", tree / "pyproject.toml")
    (tree / "tests").mkdir()
    for name in ("guest_programs.py", "ready.py", "skipped.py", "ways.py"):
        shutil.copyfile(ROOT / "tests" / name, tree / "tests" / name)

    def pytest_says() -> str:
        command = [sys.executable, "-m", "pytest", "-v", "-p", "no:xdist", "systems"]
        return subprocess.run(
            command, cwd=tree, capture_output=True, text=True, check=False
        ).stdout  # fmt: skip

    assert "systems/tiny/tests/twice.c::twice PASSED" in pytest_says()
    # A test that includes a program is compiled anew when the program changes.
    twice = tree / "systems/tiny/programs/twice.c"
    twice.write_text(TWICE.replace("tiny_twice_the_rank()", "3"))
    assert "systems/tiny/tests/twice.c::twice FAILED" in pytest_says()


SYSTEMS_TOML = sorted(ROOT.glob("systems/*/guest.toml"))


def faults(system: Path) -> list[str]:
    """What the rules of systems/README.md find wrong with a folder."""
    found = []
    readme = (system / "README.md").read_text() if (system / "README.md").is_file() else ""
    sources = (ROOT / "docs/sources.bib").read_text()
    keys = re.findall(r"\[([a-z][a-z0-9-]+)\](?!\()", readme)
    if not any(f"{{{key}," in sources for key in keys):
        found.append("README.md names no publication of docs/sources.bib")
    if not re.search(r"differ", readme, re.I):
        found.append("README.md does not say how it differs from the publication")
    toml = system / "guest.toml"
    bare = (system / "bare").is_dir()  # kernels of its own, built by its makefile or a study
    rows = toml.read_text() if toml.is_file() else ""
    built = f"lib{system.name}.a" in rows or 'kind = "image"' in rows
    # Or a make target fetches and builds what it extends.
    fetched = any("scripts.foreign" in path.read_text() for path in system.rglob("build.py"))
    # Or another system compiles its sources into a library of its own.
    part = any(f'"../{system.name}/' in other.read_text() for other in SYSTEMS_TOML)
    if not (bare or built or part or fetched):
        found.append(f"guest.toml builds no lib{system.name}.a")
    tests = [*system.glob("tests/**/*.c"), *system.glob("tests/**/test_*.py")]
    if not tests:
        found.append("no tests")
    return found


def test_systems_keep_the_rules(tree: Path) -> None:
    folders = [path for path in (ROOT / "systems").iterdir() if path.is_dir()]
    assert {path.name: faults(path) for path in folders if faults(path)} == {}
    tiny = tree / "systems/tiny"
    assert faults(tiny) == []
    (tiny / "README.md").write_text("A tiny system.\n")
    (tiny / "guest.toml").write_text("")
    shutil.rmtree(tiny / "tests")
    assert len(faults(tiny)) == 4
