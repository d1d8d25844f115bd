"""LPEL: the programs, what may go wrong, and networks of boxes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.guest_programs import compile_program, run_program

from rockcreek.toolchain import stack

SYSTEM = Path(__file__).resolve().parents[1]
PROGRAMS = SYSTEM / "programs"
SNET = SYSTEM / "snet.py"
FLAGS = ("-O2", "-llpel", "-lrcce", "-ltcpip", "-lm")
STACK = ("-llwip", *FLAGS)
FARM = (str(PROGRAMS / "farm.c"), str(PROGRAMS / "copy.c"))
MORE = {
    "des": (*FARM, str(PROGRAMS / "des_cipher.c")),
    "hist": (*FARM, str(PROGRAMS / "picture.c")),
    "filt": (*FARM, str(PROGRAMS / "picture.c")),
    "fft": FARM,
}


def _run(
    program: Path,
    *arguments: str,
    cores: int = 3,
    more: tuple[str, ...] = (),
    flags: tuple[str, ...] = FLAGS,
) -> str:
    compiled = compile_program(program, (*more, *flags))
    options = ["-n", str(cores), "--tag", "none", "-q"]
    if flags == FLAGS:
        options += ["--env", "TCPIP_SOCKETS=bypass"]
    ran = run_program(compiled, *arguments, options=options)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    ("name", "variant", "messages", "total"),
    [
        pytest.param("fft", "stacks", 1, 1, marks=pytest.mark.slow),
        ("fft", "messages", 3, 6),
        ("des", "uncached", 2, 3),
        ("des", "messages", 5, 15),
    ],
)
def test_programs_deliver_the_right_data(
    name: str, variant: str, messages: int, total: int
) -> None:
    cores = 3 if variant == "messages" else 5
    printed = _run(
        PROGRAMS / f"{name}.c", variant, str(messages), "2", cores=cores, more=MORE[name]
    )
    assert f"sink {name} messages {messages} sum {total} began" in printed
    assert "left 0 blocks 0 bytes damaged 0" in printed


@pytest.mark.slow
@pytest.mark.parametrize(("name", "total"), [("hist", 1830), ("filt", 30848)])
def test_pictures_are_the_same_whatever_carries_them(name: str, total: int) -> None:
    for variant in ("uncached", "stacks", "messages"):
        printed = _run(PROGRAMS / f"{name}.c", variant, "3", "2", cores=5, more=MORE[name])
        assert f"sink {name} messages 3 sum {total} began" in printed
        assert "left 0 blocks 0 bytes damaged 0" in printed


@pytest.mark.slow
@pytest.mark.skipif(not stack.there(), reason="needs lwIP, which `make tcpip` builds")
@pytest.mark.parametrize(("name", "cores"), [("fft", 2), ("des", 48)])
def test_messages_over_tcp(name: str, cores: int) -> None:
    printed = _run(
        PROGRAMS / f"{name}.c", "messages", "5", "40", cores=cores, more=MORE[name], flags=STACK
    )
    assert f"sink {name} messages 5 sum 15 began" in printed
    assert "left 0 blocks 0 bytes damaged 0" in printed


def test_messages_without_sockets() -> None:
    program = compile_program(SYSTEM / "tests/pipe_messages.c", ("-O2", "-DVARIANT=LPEL_MESSAGES",
        f"-I{SYSTEM / 'tests'}", "-llpel", "-lrcce"))  # fmt: skip
    ran = run_program(program, options=["-n", "2", "--tag", "none", "-q"])
    assert ran.returncode == 1
    assert "LPEL_MESSAGES goes over TCP/IP, which this program does not have" in ran.stderr
    assert "hint: make tcpip, and link with -llpel -lrcce -llwip -ltcpip" in ran.stderr


def test_the_cipher_is_the_standard_s() -> None:
    assert _run(PROGRAMS / "des.c", "vector", cores=1, more=MORE["des"]) == "des: right\n"


def test_primes_are_those_of_rcce() -> None:
    assert _run(PROGRAMS / "primes.c", "500", cores=5) == "95 primes below 500\n"
    assert _run(PROGRAMS / "primes_rcce.c", "500", cores=5) == "95 primes below 500\n"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("loops", "task 'worm': over 2 ms without a call of LPEL"),
        ("null", "task 'worm': a memory fault, by the instruction at"),
        ("stack", "the stack of task 'worm' was too small: it has 4 KB"),
        ("twice", "was freed before"),
        ("inside", "lpel_write inside lpel_compute"),
        ("much", "donors exhausted: no 1028 KB left in 1 segments of 16 MB"),
        ("deadlock", "task 'worm' waits for stream 'back', whose writer is bird"),
        ("entries", "no free LUT entry: 147 of 160 segments have one"),
        ("donors", "1000 segments of 16 MB wanted, 4 donors have 164"),
        ("donor", "donor 1 runs this program itself"),
        ("ends", "stream 'back' has two readers: tasks 'worm' and 'bird'"),
    ],
)
def test_wrong_programs_are_named(wrong: str, said: str) -> None:
    ran = run_program(
        compile_program(SYSTEM / "tests/wrong.c", FLAGS),
        wrong,
        options=["-n", "3", "--tag", "none", "-q"],
    )
    assert ran.returncode == 1
    assert said in ran.stderr
    assert "hint: " in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("overwritten", "was overwritten"),
        ("own", "is no block of shared memory"),
        ("nothing", "writes no message to stream 'there'"),
        ("reads", "reads stream 'there', whose reader is bird"),
        ("blocks", "lpel_malloc of 1342177280 bytes"),
        ("capacity", "stream 'there' for 0 messages"),
        ("home", "task 'worm' on rank 99 of 3"),
        ("conductor", "cannot run on rank 0, the conductor"),
        ("started", "task 'worm' was started before"),
        ("aliases", "65 segments are too many"),
        ("values", "the configuration's outside is -1, not 0 to 3"),
        ("outside", "no worker is left"),
        ("early", "lpel_yield outside of a task"),
    ],
)
def test_more_wrong_programs_are_named(wrong: str, said: str) -> None:
    test_wrong_programs_are_named(wrong, said)


def test_a_larger_chip_is_refused() -> None:
    program = compile_program(PROGRAMS / "primes.c", FLAGS)
    ran = run_program(program, options=["--chip", "scc-128", "-n", "50", "--tag", "none", "-q"])
    assert ran.returncode == 1
    assert "LPEL needs an SCC of 48 cores\nhint: leave out --chip" in ran.stderr


def _film(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "film.snet").write_text(text)
    made = subprocess.run(
        [sys.executable, SNET, tmp_path / "film.snet", "--out", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    include = ("-I", str(tmp_path), str(tmp_path / "film.c"))
    program = compile_program(PROGRAMS / "film.c", (*include, *FLAGS))
    return run_program(program, "4", options=["-n", "5", "--tag", "none", "-q"])


def test_a_film_passes_star_split_and_branches(tmp_path: Path) -> None:
    ran = _film(tmp_path, (SYSTEM / "nets/film.snet").read_text())
    light = sum(sum(_frame(n)) for n in range(4))
    assert ran.stdout == f"frames 4 light {light}\nleft 0 blocks\n", ran.stderr


def test_a_record_without_a_way_is_told_with_its_labels(tmp_path: Path) -> None:
    text = (SYSTEM / "nets/film.snet").read_text().replace("(edges | plain)", "(edges | edges)")
    ran = _film(tmp_path, text)
    assert ran.returncode != 0
    assert "<parallel> (10:" in ran.stderr
    assert "has no way for a record of" in ran.stderr


def _frame(n: int) -> list[int]:
    """What film.c makes of frame n, by other means."""
    frame = [200 if (x - 8 - 8 * n) ** 2 + (y - 20) ** 2 < 150 else 40
             for y in range(64) for x in range(64)]  # fmt: skip
    done: list[int] = []
    for part in range(4):
        band = frame[part * 1024 : part * 1024 + 1024]
        for _ in range(4 - part):
            around = [_around(band, i) for i in range(1024)]
            band = [(sum(a) + 4 * v) // 8 for a, v in zip(around, band, strict=True)]
        if max(band) - min(band) > 16:
            around = [_around(band, i) for i in range(1024)]
            done += [abs(b - a) // 2 + abs(d - c) // 2 for a, b, c, d in around]
        else:
            done += [0] * 1024
    return done


def _around(band: list[int], i: int) -> tuple[int, int, int, int]:
    x, y = i % 64, i // 64
    return (
        band[y * 64 + max(x - 1, 0)],
        band[y * 64 + min(x + 1, 63)],
        band[max(y - 1, 0) * 64 + x],
        band[min(y + 1, 15) * 64 + x],
    )
