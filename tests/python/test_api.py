"""The Python interface: typed from outside, watched without being changed, shown in notebooks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

import outside
import rockcreek
from rockcreek.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = "int main(void) { volatile int n = 0; for (;;) n++; }"


@pytest.fixture(scope="module")
def ring(compile_guest: Callable[..., Path]) -> str:
    return str(compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"]))


@pytest.fixture(scope="module")
def result(ring: str) -> rockcreek.Result:
    return rockcreek.run(ring, ["3"], n=2, messages=True, power=True).check()


def test_strangers_pass_the_type_checker(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", outside.__file__],
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_strangers_work(ring: str) -> None:
    assert sorted(core for core, _ in outside.exits(ring)) == [0, 1]
    assert all(count > 0 for count in outside.cycles(ring))


def test_observers_change_nothing(ring: str) -> None:
    plain = rockcreek.load(ring, ["3"], n=2)
    assert plain.run() == "ended"
    watched = rockcreek.load(ring, ["3"], n=2)
    output: list[bytes] = []
    instants: list[int] = []
    watched.observe("output", lambda event: output.append(bytes(event.value)))
    watched.observe_every(10**8, lambda: instants.append(watched.time_ps))
    assert watched.run() == "ended"
    assert instants == [n * 10**8 for n in range(1, len(instants) + 1)]
    assert len(instants) > 1
    assert b"".join(output) == b"".join(piece for *_, piece in plain.output())
    assert watched.state_hash() == plain.state_hash()
    assert watched.statistics() == plain.statistics()


def test_run_until(ring: str) -> None:
    chip = rockcreek.load(ring, ["3"], n=2)
    assert chip.run(until_ps=10**6) == "until"
    assert chip.time_ps == 10**6
    assert chip.run(until_event="exit") == "event"
    assert chip.run() == "ended"
    with pytest.raises(UsageError, match="no event 'exits'"):
        chip.observe("exits", print)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="0 ps"):
        chip.observe_every(0, print)


def test_interrupt_leaves_the_chip_whole(
    guest: Callable[..., Path], request: pytest.FixtureRequest
) -> None:
    # Whoever started the tests in the background may have had SIGINT ignored.
    before_this = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before_this))
    chip = rockcreek.load(guest(ENDLESS))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        chip.run()
    before = chip.time_ps
    assert before > 0
    assert chip.run(until_ps=before + 10**9) == "until"
    assert chip.time_ps == before + 10**9


def test_time_goes_on_while_a_core_only_computes(guest: Callable[..., Path]) -> None:
    chip = rockcreek.load(guest(ENDLESS))
    assert chip.run_slice(host_ms=200) == "slice"
    first, instructions = chip.time_ps, chip.instructions
    assert chip.run_slice(host_ms=200) == "slice"
    # So many more instructions took as much more time, but for the window that is under way.
    more = (chip.instructions - instructions) * 1876
    assert chip.time_ps - first > more / 4 > 10**8


def test_frames(result: rockcreek.Result) -> None:
    (row,) = result.rows("runs")
    assert row["ues"] == 2
    assert row["time_s"] == result.time_ps * 1e-12
    arrow, pandas = result.to_arrow(), result.to_pandas()
    assert arrow.column("cycles").to_pylist() == list(pandas["cycles"])
    statistics = result.statistics["cores"]
    assert list(pandas["cycles"]) == [statistics[core]["cycles"] for core in (0, 1)]
    assert result.to_pandas("messages")["bytes"].sum() == row["message_bytes"]
    with pytest.raises(UsageError, match="no table"):
        result.rows("links")


def test_missing_packages_name_their_install(
    result: rockcreek.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pandas", "pyarrow", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    from rockcreek.sweep.workers import _distributed

    for call, extra in (
        (result.to_pandas, "notebook"),
        (result.to_arrow, "table"),
        (_distributed, "sweep"),
    ):
        with pytest.raises(rockcreek.RockcreekError) as error:
            call()
        assert error.value.hint == f"pip install 'rockcreek[{extra}]'"


def test_shown_in_notebooks(result: rockcreek.Result) -> None:
    page = result._repr_html_()
    assert "ring" in page
    assert page.count("<svg") == 2
    for metric in ("ipc", "waiting", "misses", "instructions", "energy"):
        picture = ET.fromstring(result.die(metric))
        titles = [element.text or "" for element in picture.iter() if element.tag.endswith("title")]
        cores = [title.split(",")[0] for title in titles if title.startswith("core ")]
        assert cores == ["core 0", "core 1"]
    with pytest.raises(UsageError, match="no metric"):
        result.die("speed")
