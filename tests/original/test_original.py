"""Programs in the manner of the chip's own time: they build unchanged, run, and are right."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ready

HERE = Path(__file__).parent
RCK = f"{sys.executable} -m rockcreek"
PLACES = {
    1: "47",
    2: "23,24",
    4: "9,40,31,2",
    6: "1,46,12,35,7,30",
    9: "17,3,44,20,36,5,11,28,0",
    16: ",".join(map(str, range(40, 8, -2))),
    48: ",".join(map(str, range(48))),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, built as its users built it, with our compiler in place of theirs."""
    if shutil.which("make") is None:
        pytest.skip("needs make")
    folder = tmp_path_factory.mktemp("original") / "project"
    shutil.copytree(HERE / "project", folder)
    built = subprocess.run(
        ["make", f"CC={RCK} cc", f"AR={RCK} ar"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    assert "warning" not in built.stderr, built.stderr
    return folder


def launch(program: Path, ues: int, *arguments: str) -> list[str]:
    """As the launcher of old: a hosts file, the clock in GHz; the lines that came out."""
    hosts = program.with_suffix(f".{ues}.hosts")
    hosts.write_text("".join(f"rck{int(core):02}\n" for core in PLACES[ues].split(",")))
    line = ["run", "-q", "--tag", "none", "--timeout", "120s", "-nue", str(ues)]
    line += ["-f", str(hosts), "-clock", "0.533", str(program), *arguments]
    run = ready.rck(*line)
    assert run.returncode == 0, run.stderr
    return sorted(run.stdout.splitlines())


@pytest.mark.parametrize("ues", [2, 6])
def test_pingpong(project: Path, ues: int) -> None:
    told = launch(project / "pingpong/pingpong", ues, "3")
    assert told == ["pingpong: passed, time passes"]


@pytest.mark.parametrize("ues", [2, 4, 16, 48])
def test_lu(project: Path, ues: int) -> None:
    assert launch(project / "lu/lu", ues) == ["lu: VERIFICATION SUCCESSFUL"]


# RCCE for one UE, so that the host's own compiler can build a program with it.
ALONE = """
#include <stdlib.h>
#include <string.h>
#define RCCE_APP main
#define RCCE_COMM_WORLD 0
#define RCCE_DOUBLE 0
#define RCCE_SUM 0
static inline int RCCE_init(int *c, char ***v) { (void)c; (void)v; return 0; }
static inline int RCCE_finalize(void) { return 0; }
static inline int RCCE_ue(void) { return 0; }
static inline int RCCE_num_ues(void) { return 1; }
static inline int RCCE_send(char *b, size_t n, int ue) { (void)b; (void)n; (void)ue; abort(); }
static inline int RCCE_recv(char *b, size_t n, int ue) { (void)b; (void)n; (void)ue; abort(); }
static inline int RCCE_allreduce(char *in, char *out, int n, int type, int op, int comm)
{ (void)type; (void)op; (void)comm; memcpy(out, in, (size_t)n * sizeof(double)); return 0; }
"""
STEPS = "1"


@pytest.fixture(scope="module")
def norms(project: Path) -> list[str]:
    """What the host's processor computes for bt; without a compiler, what one core does."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return launch(project / "bt/bt", 1, STEPS)[0].split()
    alone = project / "alone"
    alone.mkdir()
    (alone / "RCCE.h").write_text(ALONE)
    program = alone / "bt"
    sources = [str(path) for path in (project / "bt").glob("*.c")]
    line = [gcc, "-O2", f"-I{alone}", *sources, "-lm", "-o", str(program)]
    subprocess.run(line, check=True)
    run = subprocess.run([program, STEPS], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[0].split()


@pytest.mark.parametrize("ues", [1, 4, 9, 16])
def test_bt(project: Path, norms: list[str], ues: int) -> None:
    told = launch(project / "bt/bt", ues, STEPS, *norms)
    assert told[1:] == ["bt: nearer than before, VERIFICATION SUCCESSFUL"]


def test_bt_verifies(project: Path, norms: list[str]) -> None:
    wrong = f"{float(norms[3]) * (1 + 1e-9):.13e}"
    told = launch(project / "bt/bt", 4, STEPS, *norms[:3], wrong, norms[4])
    assert told[1:] == ["bt: nearer than before, VERIFICATION FAILED"]


@pytest.mark.parametrize("ues", [2, 6])
def test_gory(project: Path, ues: int) -> None:
    assert launch(project / "gory/gory", ues) == ["gory: passed"]


def test_power(project: Path) -> None:
    # Cores 1 and 12 are in one voltage domain, the others in domains of their own.
    told = launch(project / "power/power", 6)
    sizes = [int(line.split("size ")[1].split(":")[0]) for line in told]
    assert sum(sizes) == 6 and len(sizes) > 1
    assert all("divider 8, passed, same cycles" in line for line in told)


def test_power_prints_the_dividers(project: Path) -> None:
    told = launch(project / "power/power", 2, "print")
    found = re.findall(r"tile (\d+): clock divider (\d+)", "\n".join(told))
    # Cores 23 and 24: the voltage domains of tiles 11 and 12.
    slow = {4, 5, 10, 11, 12, 13, 18, 19}
    assert dict(found) == {str(tile): "8" if tile in slow else "3" for tile in range(24)}


@pytest.mark.parametrize("ues", [2, 6])
def test_ircce(project: Path, ues: int) -> None:
    assert launch(project / "ircce/ircce", ues) == ["ircce: passed"]


@pytest.mark.parametrize("ues", [2, 6, 48])
def test_below_the_library(project: Path, ues: int) -> None:
    assert launch(project / "below/below", ues) == ["below: passed"]


def test_an_archive_of_the_project_s_own_is_taken(tmp_path: Path) -> None:
    (tmp_path / "mine.c").write_text("int mine(void) { return 7; }\n")
    (tmp_path / "main.c").write_text("int mine(void);\nint main(void) { return mine() - 7; }\n")
    for line in (
        "cc -c mine.c",
        "ar rcs libRCCE_bigflags_gory_nopwrmgmt.a mine.o",
        "cc main.c -L. -lRCCE_bigflags_gory_nopwrmgmt -o main",
        "cc main.c ./libRCCE_bigflags_gory_nopwrmgmt.a -o main",
    ):
        ready.rck(*line.split(), cwd=tmp_path, check=True)


def test_the_archive_s_path_of_old_means_ours(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(
        '#include "iRCCE.h"\nint main(void) { return iRCCE_init(); }\n'
    )
    archives = "lib/SCC_LINUX/libiRCCE.a ../bin/SCC_LINUX/libRCCE_smallflags_nongory_pwrmgmt.a"
    ready.rck("cc", "main.c", *archives.split(), "-o", "main", cwd=tmp_path, check=True)
    run = ready.rck("cc", "main.c", "lib/libother.a", "-o", "main", cwd=tmp_path)
    assert run.returncode != 0 and "libother.a" in run.stderr


def foreign_compiler(folder: Path) -> Path | None:
    """foreign.c built by the host's own gcc, if that can build for the i586."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = folder / "foreign"
    flags = "-m32 -march=i586 -O2 -static -nostdlib -ffreestanding -fno-pic -no-pie".split()
    flags += ["-fno-stack-protector", "-fcf-protection=none"]
    line = [gcc, *flags, str(HERE / "foreign/foreign.c"), "-o", str(program)]
    built = subprocess.run(line, capture_output=True, text=True, check=False)
    return program if built.returncode == 0 else None


def test_a_binary_of_another_tool_chain(tmp_path: Path) -> None:
    program = foreign_compiler(tmp_path)
    if program is None:
        pytest.skip("skipped: no gcc that builds for the i586")
    assert launch(program, 2, "word") == ["UE 0: left", "UE 1: found, word"]


def test_the_same_binary_by_our_compiler(tmp_path: Path) -> None:
    program = tmp_path / "foreign"
    flags = ("-O2", "-nostdlib", "-ffreestanding", "-static")
    ready.rck("cc", *flags, HERE / "foreign/foreign.c", "-o", program, check=True)
    assert launch(program, 2, "word") == ["UE 0: left", "UE 1: found, word"]
