"""Names of one word, CMake's toolchain file, pkg-config, and what mpicc says of itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.toolchain import build_systems, mpi

BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
MESON = "meson==1.12.1"  # for a test, where the host has none


def run(folder: Path, *words: str) -> str:
    ran = subprocess.run(
        words, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_names_of_one_word(tmp_path: Path) -> None:
    (tmp_path / "part.c").write_text("int part(void) { return 7; }\n")
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "part.h"\n'
        'int main(void) { printf("%d\\n", part()); return 0; }\n'
    )
    (tmp_path / "part.h").write_text("int part(void);\n")
    run(tmp_path, "rck-cc", "-c", "part.c")
    run(tmp_path, "rck-ar", "rc", "libpart.a", "part.o")
    run(tmp_path, "rck-ranlib", "libpart.a")
    run(tmp_path, "rck-cc", "-MMD", "main.c", "-L.", "-lpart", "-o", "prog")
    assert (tmp_path / "prog.d").read_text() == "prog: main.c part.h\n"
    assert run(tmp_path, "rck-mpirun", "-q", "--tag", "none", "-n", "1", "prog", ":", "prog") == (
        "7\n7\n"
    )
    for name in ("c++", "mpicc", "mpicxx", "pkg-config"):
        assert f"rck {name}" in run(tmp_path, f"rck-{name}", "--help")
    wrong = subprocess.run(
        ["rck-cc", "-fbogus", "main.c"], cwd=tmp_path, env=ENVIRONMENT, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert wrong.stderr == "rck cc: error: unknown argument: '-fbogus'\n"


def test_mpicc_says_what_it_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for question, words in {
        "-show": f"rck-cc -I{tmp_path}/include -O2 -L{tmp_path}/lib",
        "-compile_info": f"rck-cc -I{tmp_path}/include -O2\n",
        "-link_info": f"rck-cc -O2 -L{tmp_path}/lib",
        "--showme:compile": f"-I{tmp_path}/include -O2\n",
    }.items():
        mpi.answer(question, ["-O2"], tmp_path, cxx=False)
        assert capsys.readouterr().out.startswith(words)


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="needs pkg-config")
def test_pkg_config_knows_the_chips_libraries(tmp_path: Path) -> None:
    libraries = run(tmp_path, "rck-pkg-config", "--libs-only-l", "ircce")
    assert libraries.split() == ["-lircce", "-lrcce"]
    listed = run(tmp_path, "rck-pkg-config", "--list-all")
    assert {line.split()[0] for line in listed.splitlines()} == {"rcce", "ircce"}


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_cmakes_toolchain_file(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.10)\nproject(t C)\ninclude(CheckCSourceRuns)\n"
        'check_c_source_runs("int main(void) { return sizeof(void *) != 4; }" SMALL)\n'
        "if(NOT SMALL)\n  message(FATAL_ERROR no)\nendif()\nfind_library(RCCE rcce REQUIRED)\n"
        "add_library(part SHARED part.c)\nadd_executable(prog main.c)\n"
        "target_link_libraries(prog part ${RCCE})\nenable_testing()\n"
        "add_test(NAME t COMMAND prog)\n"
    )
    (tmp_path / "part.c").write_text("int part(void) { return 0; }\n")
    (tmp_path / "main.c").write_text("int part(void);\nint main(void) { return part(); }\n")
    toolchain = run(tmp_path, "rck", "cmake").strip()
    assert Path(toolchain) == build_systems.CMAKE
    run(tmp_path, "cmake", "-G", "Unix Makefiles", "--toolchain", toolchain, "-B", "b")
    run(tmp_path, "cmake", "--build", "b")
    assert "100% tests passed" in run(tmp_path / "b", "ctest")
    assert Path(run(tmp_path, "rck", "meson").strip()).is_file()


def installed_meson(folder: Path) -> str:
    """Meson's program: the host's, or one that pip installs for the test."""
    found = shutil.which("meson")
    if found:
        return found
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "pip"), "install", "-q", MESON]
    if subprocess.run(pip, capture_output=True, check=False).returncode:
        pytest.skip("no meson, and none can be installed")
    return str(folder / "bin" / "meson")


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("ninja") and shutil.which("pkg-config")), reason="needs both")
def test_mesons_cross_file(tmp_path: Path) -> None:
    meson = installed_meson(tmp_path / "meson")
    (tmp_path / "meson.build").write_text(
        "project('t', 'c', 'cpp', default_options: ['cpp_std=c++17'])\n"
        "cc = meson.get_compiler('c')\nassert(cc.sizeof('void *') == 4)\n"
        "assert(not cc.has_function('no_such_function'))\n"
        "assert(cc.run('int main(void) { return sizeof(long) - 1; }').returncode() == 3)\n"
        "assert(dependency('rcce').found())\n"
        "part = static_library('part', 'part.c', dependencies: dependency('openmp'))\n"
        "prog = executable('prog', 'main.cpp', link_with: part,\n"
        "                  dependencies: [dependency('threads'), dependency('openmp')])\n"
        "test('t', prog)\n"
    )
    (tmp_path / "part.c").write_text(
        "int part(void) {\n  int sum = 0;\n#pragma omp parallel for reduction(+ : sum)\n"
        "  for (int n = 0; n < 10; n++)\n    sum += n;\n  return sum;\n}\n"
    )
    (tmp_path / "main.cpp").write_text(
        '#include <thread>\nextern "C" int part(void);\nint main() {\n  int sum = 0;\n'
        "  std::thread other([&] { sum = part(); });\n  other.join();\n  return sum != 45;\n}\n"
    )
    cross = run(tmp_path, "rck", "meson").strip()
    run(tmp_path, meson, "setup", "--cross-file", cross, "b")
    run(tmp_path, "ninja", "-C", "b")
    assert "Ok: 1 Fail: 0" in " ".join(run(tmp_path, meson, "test", "-C", "b").split())
