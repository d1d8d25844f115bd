"""`rck linux top`, without a Linux: what is reckoned, what is shown, and a chip that runs."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from rockcreek import resources
from rockcreek.errors import UsageError
from rockcreek.linux import meter, screen
from rockcreek.linux.meter import Counts, Look

AT, PS_PER_S = 0xC0200000, 10**12
RCK = (sys.executable, "-m", "rockcreek")


class Chip:
    """Core 1 runs Linux, core 3 another kernel, core 5 has no page there; the others stand."""

    ended = False

    def __init__(self) -> None:
        self.is_held = False
        words = {AT: (0x4D4B4352, AT + 64, AT + 68, AT + 72), AT + 64: (100,), AT + 68: (40,)}
        self._words = words | {AT + 72: (AT + 80,), AT + 80: (7, 5)}

    def hold(self) -> int:
        self.is_held = True
        return PS_PER_S

    def go(self) -> None:
        self.is_held = False

    def ask(self, what: str) -> dict[str, Any]:
        assert (what, self.is_held) == ("activity", True)
        keys = ("cycles", "halted_cycles", "instructions", "packets")
        rows = [(1000 if core in (1, 3, 5) else 0, 250, 500, 30) for core in range(48)]
        return {"cores": [dict(zip(keys, row, strict=True)) for row in rows]}

    def read(self, address: int, length: int, *, core: int, linear: bool) -> bytes:
        assert linear
        if core == 5:
            raise UsageError("read: there is no memory at 0xc0200000", hint="")
        words = self._words[address] if core == 1 else (0,) * 4
        assert len(words) * 4 == length
        return struct.pack(f"<{len(words)}I", *words)


def test_a_look_reads_what_only_linux_counts_where_it_runs() -> None:
    chip: Any = Chip()
    look = meter.Meter(chip, AT).look()
    assert not chip.is_held
    assert {core: one.linux for core, one in look.cores.items()} == {
        1: (100, 40, 12),
        3: None,
        5: None,
    }
    without = meter.Meter(chip, None).look()
    assert {one.linux for one in without.cores.values()} == {None}


def test_rates_are_by_simulated_time_and_a_reset_counts_from_nothing() -> None:
    before = {
        0: Counts(1000, 900, 50, 10, (100, 50, 0xFFFF_FFFF)),
        1: Counts(1000, 0, 900, 10, None),
    }
    after = {
        0: Counts(3000, 1400, 450, 40, (100, 40, 1)),
        1: Counts(200, 100, 60, 4, None),
    }
    load = meter.between(Look(0, before), Look(PS_PER_S // 2, after))
    first, second = load["cores"]
    assert (first["load"], first["memory_used"], first["memory"]) == (0.75, 60 * 4096, 100 * 4096)
    assert (first["mesh_packets_per_s"], first["mb0_packets_per_s"]) == (60, 4)
    assert (second["load"], second["memory"], second["mesh_packets_per_s"]) == (0.5, None, 8)
    assert load["instructions"] == 460


def test_48_cores_fit_the_screen_of_a_terminal() -> None:
    counts = Counts(10**9, 0, 10**9, 10**9, (16384, 1, 10**9))
    load = meter.between(Look(0, {}), Look(PS_PER_S, dict.fromkeys(range(48), counts)))
    shown = screen.lines(load)
    assert len(shown) <= 23
    assert max(map(len, shown)) <= 80
    assert shown[-1].count("100%") == 3


def test_a_running_chip_is_measured(tmp_path: Path) -> None:
    program = str(resources.example("npb_is"))
    running = [*RCK, "run", "-q", "-n", "4", "--socket", "s", "--socket-wait", program]
    command = [*RCK, "linux", "top", "s", "--every", "0.1"]
    with subprocess.Popen(running, cwd=tmp_path, stdout=subprocess.DEVNULL) as run:
        waited = [*RCK, "attach", "--wait", "60", "s", "time"]
        subprocess.run(waited, cwd=tmp_path, check=True, capture_output=True)
        done = subprocess.run(
            [*command, "--json", "l.json"], cwd=tmp_path, capture_output=True, check=False
        )
        run.kill()
    assert done.returncode == 0, done.stderr
    load = json.loads((tmp_path / "l.json").read_text())
    assert [core["core"] for core in load["cores"]] == [0, 1, 2, 3]
    assert all(0 < core["load"] <= 1 and core["memory"] is None for core in load["cores"])
    gone = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert gone.returncode != 0 and "--socket" in gone.stderr
