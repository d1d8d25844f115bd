"""One core of a running chip is stopped, and started with another image, from outside."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import rockcreek
from guest_programs import RCK
from rockcreek.socket_server.requests import Refused, answer

Kernel = Callable[[str], Path]


def printed(chip: rockcreek.Chip) -> str:
    chip.run()
    return b"".join(data for _, _, _, data in chip.output()).decode()


def test_a_core_is_stopped_and_started_anew(kernel: Kernel) -> None:
    chip = rockcreek.Chip("scc")
    image = kernel("hello").read_bytes().hex()
    request = {"do": "start", "core": 5, "image": image, "line": "c={core} t={tile}"}
    answer(chip, request)
    assert printed(chip) == "core 5: c=5 t=2,0\n"
    answer(chip, {**request, "line": "again", "modules": "/root=74657874 b="})
    assert printed(chip) == "core 5: again\n/root: text\nb: \n"
    answer(chip, {"do": "start", "core": 4, "image": kernel("crash").read_bytes().hex()})
    with pytest.raises(Refused, match="core 4 cannot be loaded"):
        answer(chip, {"do": "start", "core": 4, "image": image[:200]})
    assert chip.core(4)["state"] == "running"
    answer(chip, {"do": "stop", "core": 5})
    assert chip.core(5)["state"] == "reset"
    assert printed(chip) == "last words\n"
    assert chip.core(4)["state"] == "shutdown"
    answer(chip, {**request, "core": 4})
    assert printed(chip) == "core 4: c=4 t=2,0\n"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"core": 48}, "there is no core 48"),
        ({"core": 1, "image": "00"}, "core 1 cannot be loaded"),
        ({"core": 1, "image": 7}, "image must be bytes in hexadecimal"),
        ({"core": 1, "line": 7}, "line must be a text"),
        ({"core": 1, "modules": "a=00"}, "need an image"),
        ({"core": 1, "image": "00", "modules": "a"}, "modules are NAME=HEXADECIMAL"),
    ],
)
def test_what_cannot_be_started(request_: dict[str, object], words: str) -> None:
    chip = rockcreek.Chip("scc")
    with pytest.raises(Refused, match=words):
        answer(chip, {"do": "start", **request_})
    assert chip.core(1)["state"] == "reset"


def test_the_command_reads_the_files(kernel: Kernel, tmp_path: Path) -> None:
    """A core that booted nothing gets a kernel of the caller's."""
    module = tmp_path / "m"
    module.write_text("text")
    large = tmp_path / "large"
    large.write_bytes(bytes(1 << 21))
    hello, path = kernel("hello"), tmp_path / "s"
    command = [*RCK, "boot", "-q", "--tag", "core", f"{hello}:core=0"]
    command += ["--socket", path, "--socket-wait"]
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        until = time.monotonic() + 60
        while not path.exists() and time.monotonic() < until:
            time.sleep(0.05)
        attach = [*RCK, "attach", "--wait", "10", str(path)]
        words = ["core=5", f"image={hello}", "line=0x10", f"module={module}=m"]
        for asked, problem in (
            (["start", "core=x"], "start: core=x is not the number of a core"),
            (["start", f"image={large}"], "a request has at most 4,194,304 bytes, and this one"),
            (["start", *words], None),
            (["go"], None),
        ):
            done = subprocess.run([*attach, *asked], capture_output=True, text=True, check=False)
            assert done.returncode == (64 if problem else 0), done.stderr
            assert (problem or "") in done.stderr
        told, errors = run.communicate(timeout=60)
    assert run.returncode == 0, errors
    assert sorted(told.splitlines()) == ["[00] core 0: ", "[05] core 5: 0x10", "[05] m: text"]
    missing = subprocess.run(
        [*attach[:-3], str(path), "start", "image=none"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert missing.returncode == 66
