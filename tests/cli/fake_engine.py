"""A small scripted stand-in for `rockcreek._native`, for tests of the front end alone.

A test gives each core a list of steps: ("out", port, bytes), ("read",), ("exit", code),
("fault", record), ("signal", number) to this process, ("spin",) or ("halt",). One slice performs
one step of every core, a microsecond apart. Nothing of the chip is modelled.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

SERIAL_1, SERIAL_2 = 0x3F8, 0x2F8
NO_VECTOR = 0xFFFF_FFFF
STEP_PS = 10**6
CACHE_COUNTERS = (
    "l1i_fills_from_l2",
    "l1i_fills_from_memory",
    "l1d_fills_from_l2",
    "l1d_fills_from_memory",
    "l1d_fills_mpbt",
    "l2_fills",
)

# What the cores do; a test sets it before it runs something.
script: dict[int, list[tuple[Any, ...]]] = {}
# Linear memory and registers that the debug interface shows.
memory: dict[tuple[int, int], bytes] = {}
registers: dict[str, int] = {}
lines: dict[int, tuple[str, str, int]] = {}
refused: list[tuple[int, str]] = []
chips: list[Chip] = []


class DescriptionError(ValueError):
    pass


class ImageError(ValueError):
    pass


_CACHE = ("l2_fills", "reads_from_bus", "uncached_fetches")
_CORE = (
    "instructions", "waiting_cycles", "halted_cycles", "dtlb_misses", "x87_instructions",
)  # fmt: skip
_STALLS = ("memory_ps", "mpb_ps", "crb_ps", "system_ps")


class Chip:
    def __init__(self, description_toml: str, options: dict[str, Any] | None = None) -> None:
        if "refuse-me" in description_toml:
            raise DescriptionError("cache.line.value: 33 is not a power of two")
        self.loaded: dict[int, tuple[str, list[tuple[bytes, str]]]] = {}
        self.shared: list[str] = []
        self.given: dict[int, bytes] = {}
        self._steps: dict[int, list[tuple[Any, ...]]] = {}
        self._out: list[tuple[int, int, int, bytes]] = []
        self._exits: dict[int, dict[str, int]] = {}
        self._time = 0
        self._wait: set[int] = set()
        chips.append(self)

    def set_skipping(self, on: bool) -> None:
        pass

    def set_translating(self, on: bool) -> None:
        pass

    def set_threads(self, threads: int) -> None:
        self.threads = threads

    def share(self, directory: str) -> None:
        self.shared.append(directory)

    def starved_of_files(self) -> int | None:
        return None

    def load(
        self, core: int, kernel: bytes, command_line: str, modules: list[tuple[bytes, str]]
    ) -> None:
        self.loaded[core] = (command_line, modules)

    def release(self, cores: list[int]) -> None:
        self._steps = {core: list(script.get(core, [("exit", 0)])) for core in cores}

    def run(self, until_ps: int | None, host_ms: int) -> str:
        if until_ps is not None and self._time + STEP_PS > until_ps:
            self._time = until_ps
            return "until"
        self._time += STEP_PS
        alive = [core for core in self._steps if core not in self._exits]
        if not alive:
            return "ended"
        if all(self._steps[core] and self._steps[core][0] == ("halt",) for core in alive):
            return "idle"
        for core in alive:
            self._step(core)
        if self._wait:
            return "input"
        return "ended" if set(self._exits) == set(self._steps) else "slice"

    def _step(self, core: int) -> None:
        if core in self._wait:
            return
        kind, *rest = self._steps[core][0]
        if kind in ("spin", "halt"):
            return
        self._steps[core].pop(0)
        if kind == "out":
            self._out.append((self._time, core, rest[0], rest[1]))
        elif kind == "signal":
            os.kill(os.getpid(), rest[0])
        elif kind == "read":
            self._wait.add(core)
        elif kind == "exit":
            self._exits[core] = _record(1, rest[0], self._time)
        elif kind == "fault":
            self._exits[core] = _record(2, 11, self._time) | rest[0]

    def output(self) -> list[tuple[int, int, int, bytes]]:
        out, self._out = self._out, []
        return out

    def input(self, core: int, data: bytes, eof: bool) -> None:
        self.given[core] = self.given.get(core, b"") + data
        self._wait.discard(core)
        if not eof:
            self._steps[core].insert(0, ("read",))

    def needs_input(self) -> list[int]:
        return sorted(self._wait)

    def exits(self) -> dict[int, dict[str, int]]:
        return dict(self._exits)

    def refusals(self) -> list[tuple[int, str]]:
        return list(refused)

    def restarts(self) -> list[tuple[int, int, int, int]]:
        return []

    def marks_dropped(self) -> int:
        return 0

    def marks(self) -> list[tuple[int, int, int]]:
        return [(STEP_PS, 0, 7)]

    def time_ps(self) -> int:
        return self._time

    def instructions(self) -> int:
        return self._time // 1000

    def statistics(self) -> dict[str, Any]:
        def counted(cache: int) -> dict[str, Any]:
            return {
                "cycles": 9,
                "cache": dict.fromkeys(_CACHE, 0) | dict.fromkeys(CACHE_COUNTERS, cache),
                "core": dict.fromkeys(_CORE, 1),
                "stalls": dict.fromkeys(_STALLS, 1),
            }

        link = dict.fromkeys(("east", "west", "north", "south"), 1)
        mesh = {"packets": 5, "flits": 5, "waited_ps": 0, "link_flits": [link] * 24}
        return {"cores": [counted(1), *[counted(0)] * 47], "mesh": mesh, "memory": []}

    def core(self, core: int) -> dict[str, Any]:
        return {"eip": 0, "ebp": 0, "esp": 0, "cpl": 3, "state": "running"} | registers

    def read_linear(self, core: int, address: int, length: int) -> bytes | None:
        return memory.get((core, address))

    def read_physical(self, core: int, address: int, length: int) -> bytes | None:
        return None

    def set_probes(
        self, core: int, addresses: list[int], calls: bool = False, step: bool = False
    ) -> None:
        pass

    def set_snapshots(self, core: int, addresses: list[int]) -> None:
        pass

    def snapshots(self, core: int) -> list[tuple[int, int, int | None, int, dict[str, Any], int]]:
        return []

    def take_calls(self, all: bool) -> list[tuple[int, int, int, list[int]]]:
        return []

    def probe_counts(self) -> dict[int, dict[int, int]]:
        return {}

    def undervoltage(self) -> tuple[list[tuple[int, int, int, int, int | None]], int]:
        return [], 0

    def refused_voltages(self) -> tuple[list[tuple[int, int, int, int]], int]:
        return [], 0

    def set_strict_voltage(self, on: bool) -> None:
        pass

    def state_hash(self) -> str:
        return hashlib.sha256(repr(self._exits).encode()).hexdigest()

    def start_cycle_profile(self) -> None:
        pass

    def finish_cycle_profile(self) -> list[tuple[int, list[tuple[int, bool, str, int, int]]]]:
        return []

    def start_trace(
        self, entries: list[int] | None, shortest_ps: int, kept: list[int], every_ps: int
    ) -> None:
        pass

    def commit_log(self, path: str) -> None:
        pass

    def finish_log(self) -> None:
        pass


def _record(reason: int, code: int, time_ps: int) -> dict[str, int]:
    return {
        "reason": reason,
        "code": code,
        "eip": 0,
        "address": 0,
        "vector": NO_VECTOR,
        "time_ps": time_ps,
    }


def is_host_code_denied() -> bool:
    return False


def compare_logs(a: str, b: str) -> str | None:
    same = Path(a).read_bytes() == Path(b).read_bytes()
    return None if same else "core 0, instruction 3: eax 1 / 2"


class Symbols:
    """Places as `lines` has them."""

    is_cut_short = False

    def __init__(self, elf: bytes) -> None:
        del elf

    def places(self, addresses: list[int]) -> list[tuple[str | None, str | None, int | None]]:
        return [lines.get(address, (None, None, None)) for address in addresses]


def returns_of(code: bytes, address: int, function: int) -> list[int]:
    return []


def disassemble(code: bytes, address: int) -> str:
    return "cmove eax, ecx" if code.startswith(b"\x0f\x44") else ""


def is_memory_short() -> bool:
    return False


def reset() -> None:
    for table in (script, memory, registers, lines):
        table.clear()
    refused.clear()
    chips.clear()
