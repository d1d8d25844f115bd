"""Programs in the manner of the chip's own time: they build unchanged, run, and are right."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RCK = f"{sys.executable} -m rockcreek"
PLACES = {2: "23,24", 6: "1,46,12,35,7,30", 48: ",".join(map(str, range(48)))}


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
    line = [*RCK.split(), "run", "-q", "--tag", "none", "--timeout", "120s", "-nue", str(ues)]
    line += ["-f", str(hosts), "-clock", "0.533", str(program), *arguments]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return sorted(run.stdout.splitlines())


@pytest.mark.parametrize("ues", [2, 6])
def test_pingpong(project: Path, ues: int) -> None:
    told = launch(project / "pingpong/pingpong", ues, "3")
    assert told == ["pingpong: passed, time passes"]


@pytest.mark.parametrize("ues", [2, 6, 48])
def test_lu(project: Path, ues: int) -> None:
    assert launch(project / "lu/lu", ues) == ["lu: VERIFICATION SUCCESSFUL"]


@pytest.mark.parametrize("ues", [2, 6])
def test_gory(project: Path, ues: int) -> None:
    assert launch(project / "gory/gory", ues) == ["gory: passed"]


def test_power(project: Path) -> None:
    # Cores 1 and 12 are in one voltage domain, the others in domains of their own.
    told = launch(project / "power/power", 6)
    sizes = [int(line.split("size ")[1].split(":")[0]) for line in told]
    assert sum(sizes) == 6 and len(sizes) > 1
    assert all("divider 8, passed, same cycles" in line for line in told)


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
    ):
        subprocess.run([*RCK.split(), *line.split()], cwd=tmp_path, check=True)


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
    line = [*RCK.split(), "cc", "-O2", "-nostdlib", "-ffreestanding", "-static"]
    subprocess.run([*line, str(HERE / "foreign/foreign.c"), "-o", str(program)], check=True)
    assert launch(program, 2, "word") == ["UE 0: left", "UE 1: found, word"]
