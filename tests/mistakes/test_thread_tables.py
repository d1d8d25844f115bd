"""The layouts by which threads' tables are read are those of the layer's headers."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import ready
from guest_programs import ROOT
from rockcreek.deadlocks import thread_tables as tables

STRUCTURES = {
    "crf_thread": tables.Record,
    "crf_turn": tables.Turn,
    "crf_control": tables.Control,
}
# Words of a structure or union within.
ELSEWHERE = {
    "first": "waiting.first",
    "last": "waiting.last",
    "others_last": "others.last",
}


def offsets() -> str:
    lines = ['#include "crf_private.h"', "#include <assert.h>", "#include <stddef.h>"]
    for name, structure in STRUCTURES.items():
        for field in structure._fields_:
            if field[0] != "until_high":
                where = getattr(structure, field[0]).offset
                lines.append(f"static_assert(offsetof(struct {name}, {field[0]}) == {where});")
    for field in tables.Object._fields_:
        where = getattr(tables.Object, field[0]).offset
        path = ELSEWHERE.get(field[0], field[0])
        lines.append(f"static_assert(offsetof(struct crf_object, {path}) == {where});")
    for name, structure in {"crf_thread": tables.Record, "crf_object": tables.Object}.items():
        size = ctypes.sizeof(structure)
        lines.append(f"static_assert(sizeof(struct {name}) == {size});")
    lines += [f"static_assert(CRF_{one.name} == {one.value});" for one in tables.ObjectKind]
    lines += [f"static_assert(CRF_{one.name} == {one.value});" for one in tables.State]
    return "\n".join(lines) + "\n"


def compiles(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "layout.c"
    source.write_text(text)
    systems = ROOT / "systems"
    paths = [systems / "crf", systems / "crf/include", ROOT / "guest/scc/include"]
    words = [word for path in paths for word in ("-I", str(path))]
    return ready.rck("cc", "-c", source, "-o", folder / "layout.o", *words)


def test_layouts_are_those_of_the_headers(tmp_path: Path) -> None:
    built = compiles(offsets(), tmp_path)
    assert built.returncode == 0, built.stderr


def test_a_field_elsewhere_is_noticed(tmp_path: Path) -> None:
    place = "offsetof(struct crf_thread, joiner) == "
    moved = offsets().replace(f"{place}16", f"{place}20")
    assert moved != offsets()
    assert compiles(moved, tmp_path).returncode != 0
