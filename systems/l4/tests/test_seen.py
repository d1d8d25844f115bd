"""What rck sees of tasks, threads and gates: who waits for whom, messages by gate, traces."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ready
import rockcreek
from rockcreek import resources
from rockcreek.errors import Deadlock
from rockcreek.microkernel import layouts
from rockcreek.microkernel.objects import Objects, TaskView
from rockcreek.software import image

SYSTEM = Path(__file__).parents[1]
BUILT = resources.GUEST / "l4"
STRUCTURES = {
    "object": layouts.Object,
    "node": layouts.Node,
    "slot": layouts.Slot,
    "thread": layouts.Thread,
    "gate": layouts.Gate,
    "log": layouts.Log,
}
Server = Callable[[str], Path]


def offsets() -> str:
    lines = ['#include "kernel/kernel.h"']

    def same(what: str, value: int) -> None:
        lines.append(f'_Static_assert({what} == {value}, "{what}");')

    for name, structure in STRUCTURES.items():
        for field in structure._fields_:
            if field[0] != "tls_high":
                same(f"offsetof(struct {name}, {field[0]})", getattr(structure, field[0]).offset)
    for field, path in {
        "directory": "space.directory",
        "slots": "slots",
        "threads": "threads",
    }.items():
        same(f"offsetof(struct task, {path})", getattr(layouts.Task, field).offset)
    same("sizeof(struct slot)", ctypes.sizeof(layouts.Slot))
    for state in layouts.State:
        same(state.name, state.value)
    for kind in layouts.Kind:
        prefix = "" if kind.name == "REPLY" else "L4_"
        same(f"{prefix}KIND_{kind.name}", kind.value)
    same("TIMED", layouts.TIMED)
    same("FAULT_PAGE", layouts.FAULT_PAGE)
    same("SLOTS", layouts.SLOTS)
    same("POOL_BASE", layouts.POOL_BASE)
    lines.append('#include "servers/far/far.h"')
    same("KEPT", layouts.FAR_KEPT)
    same("OF_A_GATE", layouts.FAR_GATE)
    same("L4_SLOT_LOG", layouts.SLOT_LOG)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("moved", [False, True], ids=["", "moved"])
def test_layouts_are_those_of_the_headers(moved: bool, tmp_path: Path) -> None:
    text = offsets()
    if moved:
        place = f"offsetof(struct thread, partner) == {layouts.Thread.partner.offset}"
        text = text.replace(place, place + "4")
    (tmp_path / "layout.c").write_text(text)
    paths = [SYSTEM, SYSTEM / "include", SYSTEM.parents[1] / "guest"]
    words = [word for path in paths for word in ("-I", str(path))]
    files = ["-c", str(tmp_path / "layout.c"), "-o", str(tmp_path / "layout.o")]
    built = ready.rck("cc", "-std=c11", *files, *words)
    assert (built.returncode == 0) is not moved, built.stderr


def test_tasks_that_have_each_other_have_names_that_end() -> None:
    objects = Objects(rockcreek.Chip("scc"), 0, image.read(f"{BUILT}/kernel.elf"), None)
    views = [TaskView(at, layouts.Task(), [], "", maker=3 - at) for at in (1, 2)]
    objects.tasks = {view.address: view for view in views}
    assert objects.task_name(1) == "?" + "'s task" * 3


def boot(
    tmp_path: Path, plan: str, modules: list[str], *options: str
) -> tuple[Any, dict[str, Any]]:
    (tmp_path / "plan.txt").write_text(plan)
    given = [f"{BUILT / name}.elf" for name in ("sigma0", "root")]
    given += [*modules, str(tmp_path / "plan.txt")]
    words = [word for module in given for word in ("--module", module)]
    result = tmp_path / "result.json"
    options = ("-q", "--timeout", "60s", "--json", str(result), *options)
    told = ready.rck("boot", *options, BUILT / "kernel.elf", *words)
    return told, json.loads(result.read_text())


def test_tasks_that_wait_for_ever_are_named(server: Server, tmp_path: Path) -> None:
    """On core 0 a call without reply, on core 1 two tasks that call each other."""
    plan = "task fs waits.elf\ntask client waits.elf uses fs\n"
    told, result = boot(
        tmp_path, plan, [str(server("tests/waits.c"))], "--cores", "0,1", "--messages"
    )
    assert told.returncode == Deadlock.exit_code, told.stderr
    for line in (
        "thread 1 of `client` (core 00) waits for a reply of thread 1 of `fs`",
        "thread 1 of `fs` (core 01) waits for the next receive of thread 1 of `client`",
        "call-cycle: core 01: 2 threads wait for each other:",
        "call-without-reply: core 00: thread 1 of `client` waits for thread 1 of `fs`, which has",
        "hint: a server must not call who calls it",
    ):
        assert line in told.stderr
    assert {one["thread"] for one in result["waiting"]["tasks"]} == {
        f"thread 1 of `{name}`" for name in ("sigma0", "root", "fs", "client")
    }
    gates = {(row["core"], row["from"], row["to"]): row for row in result["messages"]["gates"]}
    for core in (0, 1):
        row = gates[core, "client", "fs"]
        assert (row["calls"], row["sends"], row["faults"]) == (1, 1, 0)
        assert gates[core, "root", "sigma0"]["calls"] > 1
    # Gate 1 is the root task's.
    assert gates[1, "fs", "client, gate 2"]["calls"] == 1
    assert (0, "fs", "client, gate 2") not in gates


def test_a_call_to_another_core_names_who_is_called(server: Server, tmp_path: Path) -> None:
    plan = (
        "task io io.elf devices priority 15\ntask far far.elf uses io\n"
        "task bench far_client.elf uses far\n"
    )
    modules = [f"{BUILT}/io.elf", f"{BUILT}/far.elf", f"{server('bench/far.c')}=far_client.elf"]
    append = ("--append", "peer=47 listen=0", "--until", "3.005ms", "--cores", "0,47")
    told, result = boot(tmp_path, plan, modules, *append, "--messages")
    assert told.returncode == 0, told.stderr
    waits = {one["thread"]: one for one in result["waiting"]["tasks"] if one["core"] == 0}
    bench = waits["thread 1 of `bench`"]
    assert (bench["waits_for"], bench["on_core"]) == ("thread 1 of `bench`, by its gate 3", 47)
    gates = {(row["core"], row["from"], row["to"]): row for row in result["messages"]["gates"]}
    called = gates[0, "bench", "gate 3 of core 47, by far"]["calls"]
    # The other core has taken all but the last one.
    assert called > 30
    assert gates[47, "far", "bench, gate 2"]["calls"] in (called, called - 1)
    assert gates[0, "bench", "far"]["calls"] < 20


WAITS = """
#include <unistd.h>
int main(void)
{
    char c;
    int ends[2];
    pipe(ends);
    return read(ends[0], &c, 1);
}
"""


def test_a_program_is_named_with_its_line(guest: Callable[..., Path], tmp_path: Path) -> None:
    program = guest(WAITS)
    trace = tmp_path / "t.pftrace"
    result = rockcreek.run(
        program, kernel="l4", messages=True, trace=trace, trace_only=["shortest=0ns"]
    )
    line = f"thread 1 of `{program.name}` (core 00) waits for system call 3 by thread 1 of `posix`"
    assert line in str(result.errors[0])
    assert "main" in str(result.errors[0]).split(line)[1].splitlines()[0]
    gates = {(row["from"], row["to"]): row for row in result.messages["gates"]}
    row = gates[program.name, "posix, gate 2"]
    assert row["faults"] > row["calls"] == 0
    assert gates["posix", "io"]["calls"] > 0
    text = trace.read_bytes()
    assert f"system call: thread 1 of `{program.name}` to `posix, gate 2`".encode() in text
    assert b"invoke: thread 1 of `posix` to `io`" in text
