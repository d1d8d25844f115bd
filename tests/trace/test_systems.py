"""What systems call their own are tracks: tasks and streams, families, shared objects."""

from __future__ import annotations

from pathlib import Path

import pytest

import perfetto_reader
import rockcreek
from guest_programs import ROOT, compile_program
from perfetto_reader import Trace

SYSTEMS = ROOT / "systems"


def _traced(path: Path, program: str, flags: list[str], cores: int, *arguments: str) -> Trace:
    built = compile_program(SYSTEMS / program, ["-O2", *flags])
    past_the_stack = {"TCPIP_SOCKETS": "bypass"}
    rockcreek.run(
        built, arguments, n=cores, trace=path, trace_only=("kind=marks",), env=past_the_stack
    )
    return perfetto_reader.read(path)


def _called(trace: Trace) -> set[str]:
    below_cores = [name.split("/") for name in trace.tracks if name.count("/") == 2]
    return {name for _, _, name in below_cores}


def _regions(trace: Trace) -> set[str]:
    tracks = [track for track in trace.tracks if track.endswith("/regions")]
    return {name for track in tracks for name, _, _ in trace.slices(track)}


def test_tasks_and_streams_of_lpel(tmp_path: Path) -> None:
    program = "lpel/programs/primes.c"
    libraries = ["-llpel", "-lrcce"]
    trace = _traced(tmp_path / "t.pftrace", program, libraries, 4, "100")
    assert _regions(trace) == {"source", "counter", "sink"}
    assert _called(trace) == {"regions", "ranges", "counts"}


def test_tasks_of_lpel_over_sockets(tmp_path: Path) -> None:
    program = "lpel/tests/pipe_messages.c"
    flags = [
        "-DVARIANT=LPEL_MESSAGES",
        f"-I{SYSTEMS / 'lpel/tests'}",
        "-llpel",
        "-lrcce",
        "-ltcpip",
    ]
    trace = _traced(tmp_path / "t.pftrace", program, flags, 4)
    assert _regions(trace) == {"source", "stage", "sink"}
    assert _called(trace) == {"regions", "first", "next"}


@pytest.mark.parametrize("sockets", [[], ["-ltcpip"]])
def test_families_of_svp(tmp_path: Path, sockets: list[str]) -> None:
    program, flags = "svp/programs/storm.c", ["-lsvp", *sockets]
    trace = _traced(tmp_path / "t.pftrace", program, flags, 6, "copy", "2", "12", "1")
    assert _regions(trace) == {"task", "count", "svp flush", "svp copy"}
    assert "svp families" in _called(trace)


def test_shared_objects_of_mesh(tmp_path: Path) -> None:
    program = "mesh/programs/storm.cpp"
    trace = _traced(tmp_path / "t.pftrace", program, ["-lmesh", "-lrcce"], 3, "20", "2", "1")
    objects = _called(trace)
    assert len(objects) >= 2
    assert all(name.startswith("object 0") for name in objects)
