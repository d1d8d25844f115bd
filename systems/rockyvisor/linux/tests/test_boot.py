"""The Linux that `make smp-linux` has built, booted by the hypervisor to a program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.booting import cpio
from rockcreek.booting.cpio import Entry
from rockcreek.errors import NotFoundError
from rockcreek.linux import images

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def linux() -> None:
    """All of these tests boot what `make smp-linux` has built."""
    try:
        images.find(images.SMP_LINUX)
    except NotFoundError as error:
        pytest.skip(f"{error}; {error.hint}")


@pytest.fixture(scope="module")
def initrd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file system whose first program is init.c."""
    folder = tmp_path_factory.mktemp("initrd")
    command = [sys.executable, "-m", "rockcreek", "cc", str(HERE / "init.c"), "-o", "init"]
    subprocess.run(command, cwd=folder, check=True)
    entries = [Entry(name, cpio.DIRECTORY) for name in ("dev", "proc")]
    entries.append(Entry("dev/console", cpio.DEVICE, device=(5, 1)))
    entries.append(Entry("init", cpio.PROGRAM, (folder / "init").read_bytes()))
    file = folder / "root.cpio"
    file.write_bytes(cpio.archive(entries))
    return file


def boot(initrd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", "smp", "--initrd", str(initrd), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_linux_comes_to_a_program(initrd: Path) -> None:
    ran = boot(initrd, "--until", "10s", "--report")
    text = ran.stdout.replace("\r", "")
    assert ran.returncode == 0, text[-2000:] + ran.stderr
    assert "init: Linux 6.1" in text
    assert "init: 1 processors" in text
    assert "init: a child wrote 5 bytes and ended with 3" in text
    assert "init: all is well" in text
    assert not re.search("Oops|BUG:|WARNING:|Kernel panic", text)


def test_two_cores_are_two_processors(initrd: Path) -> None:
    ran = boot(initrd, "--cores", "0-1", "--until", "20s", "--pages")
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr
    assert "init: 2 processors" in ran.stdout
    assert "rockyvisor: page" not in ran.stdout
    head, *rows = ran.stderr[ran.stderr.index("page      cores") :].splitlines()
    assert head.endswith("what")
    assert len(rows) == 20
    # The kernel's image has what all look at; and each processor its own, which the other reads.
    assert re.search(r"  \w+, \w+, \w+, \w+, \w+ and \d+ more", ran.stderr)
    assert re.search(r"processor [01]'s own: \w+", ran.stderr)
    assert not re.search(r"Oops|BUG:|WARNING:|Kernel panic|\bstall", ran.stdout)


def test_four_cores_run_a_program_with_its_words_files_and_code(tmp_path: Path) -> None:
    source, program = HERE / "program.c", tmp_path / "program"
    command = [sys.executable, "-m", "rockcreek", "cc", "-pthread=core", str(source)]
    subprocess.run([*command, "-o", str(program)], check=True)
    command = [sys.executable, "-m", "rockcreek", "smp", "-q", "-n", "4", "--env", "A=b c"]
    command += ["--share", str(tmp_path), str(program), "one", "two words"]
    given = "".join(f"line {n}\n" for n in range(1000))
    ran = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    told = f"4 processors, A=b c, one, two words, 4 threads, {len(given)} bytes"
    assert ran.stdout == told, ran.stderr
    assert ran.returncode == 3
    assert (tmp_path / "copy").read_text() == given


def work(folder: Path, *words: str) -> list[str]:
    """What work.c prints in a machine that these words describe."""
    command = [sys.executable, "-m", "rockcreek", "cc", "-O2", "-pthread=core"]
    subprocess.run([*command, str(HERE / "work.c"), "-lm", "-o", str(folder / "work")], check=True)
    command = [sys.executable, "-m", "rockcreek", "smp", "-q", *words[:-1], str(folder / "work")]
    ran = subprocess.run([*command, words[-1]], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.fixture
def calling() -> str:
    """The option of the Linux that calls its hypervisor."""
    try:
        images.find(images.CALLING_LINUX)
    except NotFoundError as error:
        pytest.skip(f"{error}; {error.hint}")
    return "--hypercalls"


def test_a_linux_that_calls_its_hypervisor(initrd: Path, calling: str) -> None:
    ran = boot(initrd, calling, "--cores", "0-1", "--until", "20s")
    text = ran.stdout.replace("\r", "")
    assert ran.returncode == 0, text[-2000:] + ran.stderr
    assert "init: 2 processors" in text
    assert "init: all is well" in text
    assert not re.search("Oops|BUG:|WARNING:|Kernel panic", text)


@pytest.mark.parametrize("calls", [False, True], ids=["traps", "calls"])
def test_a_program_cannot_call_the_hypervisor(
    tmp_path: Path, request: pytest.FixtureRequest, calls: bool
) -> None:
    """INT 19h in ring 3 is the program's own fault: CLI by it would keep the core."""
    kernel = [request.getfixturevalue("calling")] if calls else []
    source, program = tmp_path / "call.c", tmp_path / "call"
    source.write_text('int main(void) { __asm__ volatile("int $0x19"); return 0; }\n')
    command = [sys.executable, "-m", "rockcreek", "cc", "-pthread=core", str(source)]
    subprocess.run([*command, "-o", str(program)], check=True)
    command = [sys.executable, "-m", "rockcreek", "smp", "-q", "-n", "2", *kernel, str(program)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 76, ran.stderr
    assert "signal 11" in ran.stderr + ran.stdout


def test_independent_work_is_faster_on_four_processors(tmp_path: Path) -> None:
    count, *times = work(tmp_path, "-n", "4", "4")
    assert count == "4 processors"
    assert len(times) == 2
    for line in times:
        found = re.fullmatch(r"(pairs|rows): (\S+) (\S+) ms, sum \d+", line)
        assert found is not None
        assert float(found[2]) / float(found[3]) > 3


@pytest.mark.parametrize(
    ("sources", "words"),
    [("family/*.c", "1 12"), ("bomb.c", "200"), ("starts.c", "400")],
    ids=["random", "200 at once", "400 programs"],
)
def test_processes_end_as_on_this_host(tmp_path: Path, sources: str, words: str) -> None:
    """Forks, pipes, futexes, signals, semaphores, shared and copied pages (make smp-storm).

    400 programs need more fresh frames than four cores have.
    """
    program = tmp_path / "program"
    command = [sys.executable, "-m", "rockcreek", "cc", "-O2", "-pthread=core"]
    subprocess.run([*command, *HERE.glob(sources), "-o", program], check=True)
    here = subprocess.run([program, *words.split()], capture_output=True, text=True, check=True)
    command = [sys.executable, "-m", "rockcreek", "smp", "-q", "-n", "4", "--memory", "48M"]
    ran = subprocess.run(
        [*command, program, *words.split()], capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.returncode) == (here.stdout, 0), ran.stderr


def test_a_linux_with_fewer_processors_than_cores_says_so(tmp_path: Path) -> None:
    told, count, *_ = work(tmp_path, "-n", "2", "--append", "nr_cpus=1", "1")
    assert told.startswith("rck smp: Linux uses 1 of 2 processors: it was built for fewer")
    assert count == "1 processors"


def test_two_processors_of_one_core_take_turns(initrd: Path) -> None:
    """One waits for the other with interrupts off."""
    ran = boot(initrd, "--vcpus", "2", "--until", "10s")
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr
    assert "init: 2 processors" in ran.stdout


def test_a_panic_ends_the_machine_with_1(initrd: Path) -> None:
    ran = boot(initrd, "--until", "10s", "--append", "init=/none rdinit=/none")
    assert "Kernel panic" in ran.stdout
    assert ran.returncode == 1, ran.stderr
