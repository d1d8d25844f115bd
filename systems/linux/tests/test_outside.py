"""A real Linux as a host reaches it: its web server, ssh, and records of all packets."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from systems.linux.tests.booted import env_of, free_port, result

pytestmark = pytest.mark.slow


@contextmanager
def reached(
    place: Path, port: int, *words: str, cores: str = "1", to: str = "rck01:80"
) -> Iterator[None]:
    """While the cores run this, a port of one of them is this port of the host."""
    command = [sys.executable, "-m", "rockcreek", "linux", "run", "-q", "--cores", cores, "--force"]
    command += ["--forward", f"{port}={to}", *words]
    with subprocess.Popen(command, cwd=place, env=env_of(place)) as running:
        yield
        assert running.wait(600) == 0


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
    """10 MB to the core and back, and on to the farthest core by the network between them."""
    data = random.Random(1).randbytes(10_000_000)
    (place / "page").write_bytes(data)
    (place / "over").unlink(missing_ok=True)
    digest = hashlib.md5(data, usedforsecurity=False).hexdigest()
    port, waiting = free_port(), "while [ ! -e over ]; do sleep 0.1; done"
    core, at = "root@127.0.0.1", str(port)
    with reached(place, port, "sh", "-c", waiting, cores="0,47", to="rck00:22"):
        try:
            assert ssh(place, "ssh", "-p", at, core, "whoami; uname -n") == "root\nrck00\n"
            ssh(place, "scp", "-O", "-P", at, "page", f"{core}:/tmp")
            on = "ssh rck47 'cat > /tmp/on; uname -n; md5sum < /tmp/on' < /tmp/page"
            assert ssh(place, "ssh", "-p", at, core, on).split() == ["rck47", digest, "-"]
            served = "httpd -h /tmp && ssh rck47 'wget -q -O - http://rck00/page | md5sum'"
            assert ssh(place, "ssh", "-p", at, core, served).split()[0] == digest
            ssh(place, "scp", "-O", "-P", at, f"{core}:/tmp/page", "back")
        finally:
            (place / "over").touch()
    assert (place / "back").read_bytes() == data


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
