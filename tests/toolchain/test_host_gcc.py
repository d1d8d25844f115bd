"""`rck cc --with gcc`: the host's GCC with our headers and libraries, or what is missing."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

import ready
from rockcreek.toolchain import host_gcc
from rockcreek.toolchain.paths import ToolchainError

FIRST = "#!/bin/sh\n"
# Sixteen doubles in flight do not fit into eight registers: some are kept on the stack.
SPILLS = """
#include <RCCE.h>
#include <stdio.h>

static double x[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static __attribute__((noinline)) double mix(const double *restrict x, int n)
{
    double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5];
    double g = x[6], h = x[7], i = x[8], j = x[9], k = x[10], l = x[11];

    while (n-- > 0) {
        a += b * c; b += c * d; c += d * e; d += e * f; e += f * g; f += g * h;
        g += h * i; h += i * j; i += j * k; j += k * l; k += l * a; l += a * b;
        a *= 0.5; b *= 0.4; c *= 0.3; d *= 0.2; e *= 0.1; f *= 0.05;
        g *= 0.5; h *= 0.4; i *= 0.3; j *= 0.2; k *= 0.1; l *= 0.05;
    }
    return a + b + c + d + e + f + g + h + i + j + k + l;
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    printf("%.6f\\n", mix(x, 1000));
    return 0;
}
"""


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return ready.rck(*arguments, cwd=cwd, env={**os.environ, **environment})


@pytest.fixture
def gcc() -> host_gcc.Compiler:
    try:
        return host_gcc.find()
    except ToolchainError as error:
        pytest.skip(f"{error}: {error.hint}")


def misaligned(program: Path) -> int:
    """How many references to memory crossed their alignment, the kernel's included."""
    report = program.with_suffix(".json")
    ran = run("run", "-q", "--json", str(report), str(program), cwd=program.parent)
    assert ran.returncode == 0, ran.stderr

    core = json.loads(report.read_text())["statistics"]["cores"][0]["core"]
    return int(core["misaligned_references"])


@pytest.mark.usefixtures("gcc")
def test_gcc_compiles_what_runs_with_our_libraries(tmp_path: Path) -> None:
    (tmp_path / "spills.c").write_text(SPILLS)
    flags = ("-O2", "-std=c11", "spills.c", "-lrcce", "-o")
    for with_gcc in (("--with", "gcc"), ("--with=gcc",)):
        assert run("cc", *with_gcc, *flags, "by-gcc", cwd=tmp_path).stderr == ""
    assert run("cc", *flags, "by-clang", cwd=tmp_path).stderr == ""
    assert run("cc", *flags, "by-variable", cwd=tmp_path, RCK_CC_WITH="gcc").stderr == ""
    texts = {}
    for name in ("by-gcc", "by-clang", "by-variable"):
        with (tmp_path / name).open("rb") as file:
            elf = ELFFile(file)
            assert elf.header["e_machine"] == "EM_386"
            texts[name] = elf.get_section_by_name(".text").data()
    assert texts["by-gcc"] == texts["by-variable"] != texts["by-clang"]
    said = {name: run("run", "-q", name, cwd=tmp_path).stdout for name in texts}
    assert len(set(said.values())) == 1 and said["by-gcc"].strip()
    # Doubles on the stack are at their alignment.
    assert misaligned(tmp_path / "by-gcc") < 100


@pytest.mark.usefixtures("gcc")
def test_stages_and_the_compilers_own_errors(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int main(void) { return 0 }\n")
    refused = run("cc", "--with", "gcc", "bad.c", cwd=tmp_path)
    assert refused.returncode == 1 and "bad.c:1:" in refused.stderr
    assert "gcc" in run("cc", "--with", "gcc", "--version", cwd=tmp_path).stdout.lower()
    (tmp_path / "p.cpp").write_text("int main() {}\n")
    refused = run("c++", "--with", "gcc", "p.cpp", cwd=tmp_path)
    assert refused.returncode == os.EX_USAGE and "C++ library" in refused.stderr


def test_a_compiler_that_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    refused = run("cc", "--with", "icc", "p.c", cwd=tmp_path)
    assert refused.returncode == os.EX_USAGE and "one of clang, gcc" in refused.stderr


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (None, "no GCC on this machine"),
        (
            FIRST + 'echo "cc1: error: CPU you selected does not support 32 bits" >&2; exit 1\n',
            "does not compile for 32 bits: cc1: error: CPU",
        ),
    ],
)
def test_what_to_install_is_said(tmp_path: Path, script: str | None, words: str) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    if script is not None:
        (folder / "gcc").write_text(script)
        (folder / "gcc").chmod(0o755)
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    refused = run("cc", "--with", "gcc", "p.c", cwd=tmp_path, PATH=str(folder))
    assert refused.returncode == os.EX_USAGE
    assert refused.stderr.startswith("rck cc: error: ") and words in refused.stderr
    assert "hint: apt install gcc-" in refused.stderr
    assert not (tmp_path / "a.out").exists()
