"""What the guide's pages have a reader type, on the real Linux and where none was built."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from systems.linux.tests.booted import TESTS, env_of, free_port, rck, wait_for

PAGES = ("linux.md", "ten-minutes.md")


def commands(page: str) -> list[str]:
    """Without the build and what is only said."""
    text = (TESTS.parents[2] / "docs/guide" / page).read_text()
    blocks = text.split("```text\n")[1:]
    lines = [line for block in blocks for line in block.partition("```")[0].splitlines()]
    return [line.partition("   ")[0] for line in lines]


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_the_page_are_understood_where_no_linux_was_built(
    page: str, tmp_path: Path
) -> None:
    """Words that make sense lead to the images, which are asked for last."""
    found = [line for line in commands(page) if line.startswith("rck linux")]
    found = [line for line in found if not line.startswith(("rck linux top", "rck linux clean"))]
    assert len(found) >= 3
    env = {**os.environ, "RCK_LINUX": str(tmp_path)}
    (tmp_path / "pingpong").touch()
    for line in found:
        command = [sys.executable, "-m", "rockcreek", *shlex.split(line)[1:]]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=env, cwd=tmp_path
        )
        assert done.returncode == 66 and "Linux is not there" in done.stderr, (line, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_page_work(page: str, place: Path) -> None:
    (place / "pingpong").unlink()
    # smp is another Linux, with tests of its own.
    ends = [line for line in commands(page) if not {"--forward", "smp"} & set(line.split())]
    found = [line for line in ends if line.startswith(("rck linux run", "rck run", "install"))]
    assert len(found) >= 3
    for line in found:
        done = subprocess.run(
            ["sh", "-c", line],
            capture_output=True,
            text=True,
            check=False,
            env=env_of(place),
            cwd=place,
        )
        assert done.returncode == 0, (line, done.stderr)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ssh") is None, reason="no ssh on this host")
def test_ten_minutes_with_two_cores(place: Path) -> None:
    """The session of the page: what it has a reader do in two terminals."""
    lines, port = commands("ten-minutes.md"), str(free_port())
    (begin,) = [line for line in lines if "--socket" in line]
    at_host = [line for line in lines if line.startswith("ssh ")]
    at_core = [line for line in lines if line.startswith("devmem ")]
    assert (len(at_host), len(at_core)) == (2, 2)
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "rockcreek", *shlex.split(begin.replace("2222", port))[1:]]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=env_of(place), cwd=place
    ) as shell:
        wait_for(master, b"# ")
        options = "-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=known"
        login = at_host[1].replace("2222", port).replace("ssh ", f"ssh {options} ", 1)
        done = subprocess.run(
            ["sh", "-c", login], capture_output=True, text=True, check=False, cwd=place
        )
        assert done.stdout == "rck01\n", done.stderr
        looked = rck(place, "linux", "top", "chip.sock", "--json", "top.json", "--force")
        assert looked.returncode == 0, looked.stderr
        assert len(json.loads((place / "top.json").read_text())["cores"]) == 2
        for line in (*at_core, at_core[0]):
            os.write(master, f"{line}\n".encode())
        assert b"\n0x00A8E2" in (seen := wait_for(master, b"\n0x00A8E3")), seen
        os.write(master, b"poweroff\n")
        wait_for(master, b"Power down")
        os.write(master, b"\x1d")
        assert shell.wait(60) == 0
