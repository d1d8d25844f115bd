"""The real Linux on the chip, where `make linux` has built it: `make linux-test`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from systems.linux.tests.booted import TESTS, env_of, rck, result, wait_for

pytestmark = pytest.mark.slow


def test_a_command_runs_on_each_core(place: Path) -> None:
    said = rck(place, "linux", "run", "-q", "-n", "2", "sh", "-c", "hostname; echo no >&2; exit 3")
    assert said.returncode == 3
    assert sorted(said.stdout.splitlines()) == ["[00] rck00", "[01] rck01"]
    assert sorted(said.stderr.splitlines()) == ["[00] no", "[01] no"]


def test_the_state_is_the_same_every_time_on_one_and_two_threads(place: Path) -> None:
    hashes = {
        result(place, "-n", "2", "--threads", threads, "uname")["state_hash"]
        for threads in ("1", "2", "1")
    }
    assert len(hashes) == 1


@pytest.mark.parametrize("words", [("./ring", "50"), ("./pingpong",)])
def test_programs_of_rcce_run_unchanged(place: Path, words: tuple[str, ...]) -> None:
    bare = rck(place, "run", "-q", "-n", "2", *words)
    under = rck(place, "linux", "run", "-q", "-n", "2", *words)
    assert (bare.returncode, under.returncode) == (0, 0), under.stderr
    assert [line.split()[:2] for line in under.stdout.splitlines()] == [
        line.split()[:2] for line in bare.stdout.splitlines()
    ]


def test_messages_are_counted_as_under_our_own_kernel(place: Path) -> None:
    counted = []
    for kernel in ("rck", "linux"):
        words = ("run", "-q", "-n", "2", "--messages", "--json", f"{kernel}.json", "--force")
        rck(place, *words, "--kernel", kernel, "ring", "50")
        counted.append(json.loads((place / f"{kernel}.json").read_text())["messages"])
    assert counted[0] == counted[1]


def test_the_page_of_a_run_shows_linux_as_well(place: Path) -> None:
    """The samples begin where the snapshot of the booted chip was taken."""
    words = ("run", "-n", "2", "--kernel", "linux", "--view", "ring.html", "--json", "view.json")
    ran = rck(place, *words, "ring", "50")
    assert ran.returncode == 0, ran.stderr
    found = json.loads((place / "view.json").read_text())
    assert found["samples"]["start_ps"] == found["host"]["began_ps"] > 10**12
    assert found["messages"]["messages"] and len(found["samples"]["end_ps"]) > 1
    assert (place / "ring.html").stat().st_size > 10_000


def test_at_a_terminal_time_passes_as_for_who_sits_there(place: Path) -> None:
    """An idle Linux would be hours ahead in seconds, and take a processor for it."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "rockcreek", "linux", "shell", "1", "-q"]
    begin = time.monotonic()
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=env_of(place)
    ) as shell:
        wait_for(master, b"# ")
        time.sleep(3)
        os.write(master, b"cut -d. -f1 /proc/uptime | sed s/^/up:/\n")
        seen = wait_for(master, b"\nup:", b"\n")
        os.write(master, b"\x1d")
        assert shell.wait(60) == 0
    seconds = int(seen.rpartition(b"up:")[2].split()[0])
    assert 3 <= seconds <= 10 + time.monotonic() - begin


def test_who_leaves_the_shell_finds_the_next_one(place: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "rockcreek", "linux"]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=env_of(place)
    ) as shell:
        wait_for(master, b"# ")
        os.write(master, b"exit\n")
        wait_for(master, b"exit", b"# ")
        os.write(master, b"echo the first $((1 + 1))\n")
        wait_for(master, b"the first 2")
        os.write(master, b"\x1d")
        assert shell.wait(60) == 0


def test_a_program_reads_what_stdin_names(place: Path) -> None:
    (place / "words").write_text("of a file\n" * 1000)
    said = rck(place, "linux", "run", "-q", "-n", "2", "--stdin", "words", "wc", "-l")
    assert sorted(said.stdout.splitlines()) == ["[00] 1000", "[01] 1000"], said.stderr


@pytest.mark.parametrize(
    ("asked", "readers"),
    [((), "0"), (("first",), "0"), (("1",), "1"), (("all",), "01"), (("none",), "")],
)
def test_the_cores_that_read_stdin_under_our_kernel_read_it_here(
    place: Path, asked: tuple[str, ...], readers: str
) -> None:
    (place / "echo.c").write_text(
        "#include <stdio.h>\nint main(void)\n{\n    int c;\n\n    while ((c = getchar()) != EOF)\n"
        '        putchar(c);\n    return puts("end") < 0;\n}\n'
    )
    assert rck(place, "cc", "echo.c", "-o", "echo").returncode == 0
    (place / "words").write_text("words\n")
    options = [word for core in asked for word in ("--stdin", core)]
    command = [sys.executable, "-m", "rockcreek", "run", "-q", "-n", "2", *options]
    said = {}
    for kernel in ("rck", "linux"):
        with (place / "words").open() as words:
            ran = subprocess.run(
                [*command, "--kernel", kernel, "echo"], stdin=words, capture_output=True, text=True,
                check=False, env=env_of(place), cwd=place, timeout=900,
            )  # fmt: skip
        assert (ran.returncode, ran.stderr) == (0, "")
        said[kernel] = sorted(ran.stdout.splitlines())
    assert said["linux"] == said["rck"]
    assert [line[2] for line in said["rck"] if "words" in line] == list(readers)


def test_mounted_folders_are_where_our_kernel_has_them(place: Path) -> None:
    (place / "lines").mkdir()
    (place / "lines/one").write_text("of a folder\n")
    (place / "show.c").write_text(
        '#include <stdio.h>\nint main(void)\n{\n    char text[64] = "";\n'
        '    FILE *file = fopen("/lines/one", "r");\n\n'
        "    return !file || !fgets(text, 64, file) ||\n           "
        'fputs(text, stdout) < 0 || fopen("/lines/two", "w");\n}\n'
    )
    assert rck(place, "cc", "show.c", "-o", "show").returncode == 0
    for kernel in ("rck", "linux"):
        said = rck(place, "run", "-q", "--kernel", kernel, "--mount", "lines=/lines", "show")
        assert (said.returncode, said.stdout) == (0, "of a folder\n"), said.stderr


def test_two_folders_of_the_host_are_two_clients(place: Path) -> None:
    """The host has one session for both: neither takes the other's files for its own."""
    (place / "words").write_text("of a file\n")
    (place / "both").write_text("#!/bin/sh\nexec 3<words\ncat\ncat <&3\ncat both | head -n 1\n")
    (place / "both").chmod(0o755)
    said = rck(place, "linux", "run", "-q", "--stdin", "words", "./both")
    assert said.stdout == "of a file\nof a file\n#!/bin/sh\n", said.stderr
    assert (said.returncode, said.stderr) == (0, "")


def test_top_knows_memory_and_packets_of_each_linux(place: Path) -> None:
    sender = "hostname | grep -q rck01 && ping rck00 >/dev/null &"
    script = f"{sender} until [ -e seen ]; do sleep 1; done"
    command = [sys.executable, "-m", "rockcreek", "linux", "run", "-q", "-n", "2"]
    command += ["--socket", "s", "sh", "-c", script]
    with subprocess.Popen(command, cwd=place, env=env_of(place)) as running:
        rck(place, "attach", "--wait", "300", "s", "time")
        cores = [{"mb0_packets_per_s": 0}]
        end = time.monotonic() + 300
        while not all(core["mb0_packets_per_s"] for core in cores) and time.monotonic() < end:
            rck(place, "linux", "top", "s", "--every", "1", "--json", "load.json", "--force")
            cores = json.loads((place / "load.json").read_text())["cores"]
        (place / "seen").touch()
        assert running.wait(300) == 0
    assert [core["core"] for core in cores] == [0, 1]
    for core in cores:
        assert 0 < core["load"] <= 1 and core["mb0_packets_per_s"] > 0, core
        assert 2e6 < core["memory_used"] < core["memory"] < 64 << 20, core


def test_no_mapping_reaches_a_message_buffer_while_the_network_uses_it(place: Path) -> None:
    compiled = rck(place, "cc", str(TESTS / "mapping.c"), "-o", "mapping")
    assert compiled.returncode == 0, compiled.stderr
    said = rck(place, "linux", "run", "-q", "--network", "./mapping")
    assert said.stdout == "below: allowed\nacross: busy\nwithin: busy\nlast: busy\nabove: allowed\n"
    free = rck(place, "linux", "run", "-q", "--no-network", "./mapping")
    assert free.stdout.count("allowed") == 5
