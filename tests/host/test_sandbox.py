"""What the process that ran a guest can still do: the sandbox, tried from inside."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Guest = Callable[..., Path]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")

# Runs the command as its console script does, in a process of its own; then tries.
TRIES = """
    import ctypes, json, os, signal, socket, subprocess, sys, threading
    from rockcreek import cli
    wanted = json.loads(sys.argv[2])
    sys.argv[1:] = json.loads(sys.argv[1])
    listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen()
    idle = socket.socket()
    parent = os.getppid()
    cli._end = sys.exit
    try:
        cli.run()
    except SystemExit as ended:
        code = ended.code
    libc = ctypes.CDLL(None, use_errno=True)
    def called(function, *arguments):
        if function(*arguments) == -1:
            raise OSError(ctypes.get_errno(), "refused")
    def in_thread(call):
        found = []
        def body():
            try:
                call(); found.append("done")
            except OSError as error:
                found.append(error.strerror)
        thread = threading.Thread(target=body); thread.start(); thread.join()
        if found != ["done"]:
            raise OSError(1, found[0])
    def write(path):
        with open(path, "w") as file:
            file.write("x")
    tries = {
        "read": lambda: open("/etc/passwd").close(),
        "read in a thread": lambda: in_thread(lambda: open("/etc/passwd").close()),
        "read through /proc": lambda: open("/proc/self/root/etc/passwd").close(),
        "list": lambda: os.listdir("/etc"),
        "write": lambda: write(OUTSIDE),
        "delete": lambda: os.unlink(VICTIM),
        "execute": lambda: os.execv("/bin/true", ["true"]),
        "start": lambda: subprocess.run(["/bin/true"]),
        "fork": os.fork,
        "socket": socket.socket,
        "connect": lambda: idle.connect(listener.getsockname()),
        "ptrace": lambda: called(libc.ptrace, 16, parent, 0, 0),
        "signal": lambda: os.kill(parent, 0),
        "mount": lambda: called(libc.mount, b"none", b"/", b"tmpfs", 0, None),
        "chroot": lambda: os.chroot("/"),
        "type": lambda: called(libc.ioctl, 0, 0x5412, b"x"),
        "write in its output folder": lambda: write(INSIDE),
        "start a thread": lambda: in_thread(lambda: None),
    }
    told = {"code": code}
    for name, call in tries.items():
        if wanted and name not in wanted:
            continue
        try:
            call()
            told[name] = "done"
        except OSError as error:
            told[name] = "refused" if error.errno in (1, 13) else repr(error)
    print(json.dumps(told), file=sys.stderr)
"""
STAYS = {"write in its output folder", "start a thread"}


def tried(
    program: Path, folder: Path, *options: str, wanted: tuple[str, ...] = ()
) -> dict[str, Any]:
    (folder / "out").mkdir()
    (folder / "victim").write_text("x")
    paths = {"OUTSIDE": folder / "new", "VICTIM": folder / "victim", "INSIDE": folder / "out/new"}
    head = "".join(f"{name} = {str(path)!r}\n" for name, path in paths.items())
    arguments = ["run", "-q", *options, "--json", str(folder / "out/r.json"), str(program)]
    script = head + textwrap.dedent(TRIES)
    command = [sys.executable, "-c", script, json.dumps(arguments), json.dumps(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("{")]
    assert lines, done.stderr
    return dict(json.loads(lines[-1]))


@pytest.fixture
def program(guest: Guest) -> Path:
    return guest("int main(void) { return 0; }")


def test_a_run_keeps_what_it_needs_and_no_more(program: Path, tmp_path: Path) -> None:
    told = tried(program, tmp_path, "--sandbox", "auto", "--threads", "2", "-n", "2")
    assert told.pop("code") == 0
    assert {name for name, what in told.items() if what == "done"} == STAYS, told
    assert {told[name] for name in told if name not in STAYS} == {"refused"}, told
    assert (tmp_path / "out/r.json").exists()


def test_it_can_be_left_out(program: Path, tmp_path: Path) -> None:
    wanted = ("read", "write", "socket")
    told = tried(program, tmp_path, "--sandbox", "off", wanted=wanted)
    assert [told[name] for name in wanted] == ["done"] * 3


def test_guests_files_and_all_outputs_work_inside(
    guest: Guest, run: Callable[..., Any], tmp_path: Path
) -> None:
    program = guest(
        r"""
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    int wrong = mkdir("d", 0755) | mkdir("e", 0755);
    int f = open("d/f", O_RDWR | O_CREAT, 0644);
    wrong |= write(f, "abc", 3) != 3;
    wrong |= rename("d/f", "e/g") | symlink("g", "e/l") | truncate("e/g", 1);
    wrong |= rename("d", "e/d") | rmdir("e/d") | unlink("e/l");
    DIR *all = opendir("e");
    int names = 0;
    while (readdir(all))
        names++;
    printf("wrong %d, names %d\n", wrong, names);
    return 0;
}
"""
    )
    (share := tmp_path / "share").mkdir()
    (out := tmp_path / "out").mkdir()
    files = {
        "--trace": "t.pftrace", "--flame": "f.txt", "--profile": "p.json", "--save": "s.rck",
        "--commit-log": "c.log", "--output-dir": "cores", "--socket": "sock",
    }  # fmt: skip
    options = [part for name, file in files.items() for part in (name, str(out / file))]
    done = run(program, "--sandbox", "on", "--share", str(share), "-n", "1", *options)
    assert done.code == 0, done.stderr
    assert (out / "cores/core00-com1.log").read_text() == "wrong 0, names 3\n"
    assert all((out / file).exists() for name, file in files.items() if name != "--socket")
