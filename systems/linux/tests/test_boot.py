"""The real Linux on the chip, where `make linux` has built it: `make linux-test`."""

from __future__ import annotations

import json
import os
import pty
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rockcreek import resources
from rockcreek.errors import RockcreekError
from rockcreek.linux import images

pytestmark = pytest.mark.slow
TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with programs, and a place of its own for snapshots."""
    try:
        built = images.find()
    except RockcreekError as error:
        pytest.skip(f"{error}; {error.hint}")
    folder = tmp_path_factory.mktemp("linux")
    (folder / "kept").mkdir()
    (folder / "kept/images").symlink_to(built.kernel.parent)
    for name in ("ring", "pingpong"):
        (folder / name).write_bytes(resources.example(name).read_bytes())
        (folder / name).chmod(0o755)
    yield folder


def rck(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "RCK_LINUX": str(place / "kept")}
    command = [sys.executable, "-m", "rockcreek", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=env, cwd=place, timeout=900
    )


def result(place: Path, *words: str) -> dict[str, Any]:
    rck(place, "linux", "run", "--json", "r.json", "--force", "-q", *words)
    found: dict[str, Any] = json.loads((place / "r.json").read_text())
    return found


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


def test_cores_ping_each_other(place: Path) -> None:
    script = "hostname | grep -q rck01 && sleep 8 || ping -c 3 rck01"
    said = rck(place, "linux", "run", "-q", "-n", "2", "sh", "-c", script)
    assert said.returncode == 0
    assert "3 packets transmitted, 3 packets received" in said.stdout


def test_at_a_terminal_time_passes_as_for_who_sits_there(place: Path) -> None:
    """An idle Linux would be hours ahead in seconds, and take a processor for it."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "rockcreek", "linux", "shell", "1", "-q"]
    env = {**os.environ, "RCK_LINUX": str(place / "kept")}
    begin = time.monotonic()
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env) as shell:
        wait_for(master, b"# ")
        time.sleep(3)
        os.write(master, b"cut -d. -f1 /proc/uptime | sed s/^/up:/\n")
        seen = wait_for(master, b"\nup:", b"\n")
        os.write(master, b"\x1d")
        assert shell.wait(60) == 0
    seconds = int(seen.rpartition(b"up:")[2].split()[0])
    assert 3 <= seconds <= 10 + time.monotonic() - begin


def wait_for(terminal: int, *texts: bytes) -> bytes:
    """What is written up to the last of these."""
    seen, at = b"", 0
    for text in texts:
        while seen.find(text, at) < 0:
            seen += os.read(terminal, 1024)
        at = seen.find(text, at) + len(text)
    return seen


@contextmanager
def reached(
    place: Path, port: int, *words: str, cores: str = "1", to: str = "rck01:80"
) -> Iterator[None]:
    """While the cores run this, a port of one of them is this port of the host."""
    command = [sys.executable, "-m", "rockcreek", "linux", "run", "-q", "--cores", cores, "--force"]
    command += ["--forward", f"{port}={to}", *words]
    env = {**os.environ, "RCK_LINUX": str(place / "kept")}
    with subprocess.Popen(command, cwd=place, env=env) as running:
        yield
        assert running.wait(300) == 0


def test_clients_of_this_host_read_from_a_web_server_of_a_core(place: Path) -> None:
    data = bytes(range(256)) * 1200
    (place / "page").write_bytes(data)
    (place / "over").unlink(missing_ok=True)
    port = free_port()
    server = "httpd -h /host -p 80; while [ ! -e over ]; do sleep 0.1; done"
    with reached(place, port, "sh", "-c", server):
        with ThreadPoolExecutor() as clients:
            pages = list(clients.map(fetch, [f"http://127.0.0.1:{port}/page"] * 2))
        (place / "over").touch()
    assert pages == [data, data]


def test_a_record_of_packets_makes_the_run_again(place: Path) -> None:
    (place / "answer").write_bytes(b"HTTP/1.0 200 OK\r\n\r\nfrom the core\n" * 1000)
    port, script = free_port(), ("sh", "-c", "nc -l -p 80 < answer")
    with reached(place, port, "--packets", "p.pcapng", "--json", "first.json", *script):
        said = fetch(f"http://127.0.0.1:{port}/")
    assert said.startswith(b"from the core\n")
    again = result(place, "--cores", "1", "--replay-packets", "p.pcapng", *script)
    first = json.loads((place / "first.json").read_text())
    assert (again["state_hash"], again["errors"]) == (first["state_hash"], [])


# Nothing of this host's own settings, and nobody is asked.
_SSH = (
    "-F none -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=known -o BatchMode=yes "
    "-o ConnectTimeout=120 -o ConnectionAttempts=100"
).split()


def ssh(place: Path, *words: str) -> str:
    done = subprocess.run(
        [words[0], *_SSH, *words[1:]], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("ssh") is None, reason="no ssh on this host")
def test_ssh_logs_in_copies_both_ways_and_goes_on_to_another_core(place: Path) -> None:
    data = bytes(range(256)) * 1200
    (place / "page").write_bytes(data)
    (place / "over").unlink(missing_ok=True)
    port, waiting = free_port(), "while [ ! -e over ]; do sleep 0.1; done"
    core, at = "root@127.0.0.1", str(port)
    with reached(place, port, "sh", "-c", waiting, cores="0,1", to="rck00:22"):
        try:
            assert ssh(place, "ssh", "-p", at, core, "whoami; uname -n") == "root\nrck00\n"
            assert ssh(place, "ssh", "-p", at, core, "ssh rck01 uname -n") == "rck01\n"
            ssh(place, "scp", "-O", "-P", at, "page", f"{core}:/tmp")
            ssh(place, "scp", "-O", "-P", at, f"{core}:/tmp/page", "back")
        finally:
            (place / "over").touch()
    assert (place / "back").read_bytes() == data


def test_a_program_reads_what_stdin_names(place: Path) -> None:
    (place / "words").write_text("of a file\n" * 1000)
    said = rck(place, "linux", "run", "-q", "-n", "2", "--stdin", "words", "wc", "-l")
    assert sorted(said.stdout.splitlines()) == ["[00] 1000", "[01] 1000"], said.stderr


def test_top_knows_memory_and_packets_of_each_linux(place: Path) -> None:
    sender = "hostname | grep -q rck01 && ping rck00 >/dev/null &"
    script = f"{sender} until [ -e seen ]; do sleep 1; done"
    command = [sys.executable, "-m", "rockcreek", "linux", "run", "-q", "-n", "2"]
    command += ["--socket", "s", "sh", "-c", script]
    env = {**os.environ, "RCK_LINUX": str(place / "kept")}
    with subprocess.Popen(command, cwd=place, env=env) as running:
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


_BESIDE_A_HOSTILE_CORE = """
if hostname | grep -q rck01; then
    ./hostile 0 2000 && touch sent && until [ -e answered ]; do sleep 0.1; done
else
    until [ -e sent ]; do sleep 0.1; done
    ping -c 3 rck01 && ifconfig mb0 | grep "RX packets"; touch answered
fi
"""


def test_random_packets_of_another_core_do_linux_no_harm(place: Path) -> None:
    """The driver counts what is no packet, and the network goes on."""
    source = str(TESTS.parent / "programs/hostile.c")
    assert rck(place, "cc", "-O2", source, "-o", "hostile").returncode == 0
    (place / "beside").write_text(_BESIDE_A_HOSTILE_CORE)
    said = rck(place, "linux", "run", "-q", "--tag", "none", "-n", "2", "sh", "beside")
    assert said.returncode == 0, said.stderr
    assert "3 packets received" in said.stdout
    counters = said.stdout.partition("RX packets:")[2]
    assert int(counters.split()[0]) > 500 and int(counters.partition("frame:")[2].split()[0]) > 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def fetch(url: str) -> bytes:
    """A page, once the server is there: until then connections are refused."""
    end = time.monotonic() + 300
    while True:
        try:
            with urllib.request.urlopen(url, timeout=120) as page:
                data: bytes = page.read()
                return data
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


_TO_THE_DEAD = """
hostname | grep -q rck01 && exit 0
i=0; while [ $i -lt 20 ]; do ping -c 1 -W 1 -s 1400 rck01 >/dev/null; i=$((i + 1)); done
wget -T 5 -O /dev/null http://rck01/page 2>&1 | tail -1
ifconfig mb0 | grep "TX packets"
"""


def test_a_core_that_died_leaves_counters_and_no_hang(place: Path) -> None:
    """The dead core's ring is full soon; TCP gives up, and the driver counts what it drops."""
    (place / "to-the-dead").write_text(_TO_THE_DEAD)
    said = rck(place, "linux", "run", "-q", "--tag", "none", "-n", "2", "sh", "to-the-dead")
    assert said.returncode == 0, said.stderr
    timed_out, counters = said.stdout.splitlines()
    assert "timed out" in timed_out
    assert int(counters.partition("overruns:")[2].split()[0]) > 0, counters


def test_no_mapping_reaches_a_message_buffer_while_the_network_uses_it(place: Path) -> None:
    compiled = rck(place, "cc", str(TESTS / "mapping.c"), "-o", "mapping")
    assert compiled.returncode == 0, compiled.stderr
    said = rck(place, "linux", "run", "-q", "--network", "./mapping")
    assert said.stdout == "below: allowed\nacross: busy\nwithin: busy\nlast: busy\nabove: allowed\n"
    free = rck(place, "linux", "run", "-q", "--no-network", "./mapping")
    assert free.stdout.count("allowed") == 5


def commands_of_the_guide() -> list[str]:
    """What its page has a reader type, but for shells, the build and what is only said."""
    page = (TESTS.parents[2] / "docs/guide/linux.md").read_text()
    blocks = page.split("```text\n")[1:]
    lines = [line for block in blocks for line in block.partition("```")[0].splitlines()]
    ends = [line for line in lines if "--forward" not in line]
    return [line for line in ends if line.startswith(("rck linux run", "rck run", "install"))]


def test_the_commands_of_the_guide_work(place: Path) -> None:
    (place / "pingpong").unlink()
    found = commands_of_the_guide()
    assert len(found) >= 9
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {**os.environ, "RCK_LINUX": str(place / "kept"), "PATH": path}
    for line in found:
        done = subprocess.run(
            ["sh", "-c", line], capture_output=True, text=True, check=False, env=env, cwd=place
        )
        assert done.returncode == 0, (line, done.stderr)
