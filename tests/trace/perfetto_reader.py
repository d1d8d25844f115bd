"""Reads traces with the format's own protobuf classes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as format

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


@dataclass
class Event:
    """One event of a track, with its name in words."""

    kind: int
    time_ns: int
    name: str
    values: dict[str, int]
    flows: list[int]
    ends: list[int]
    number: float


@dataclass
class Trace:
    """Tracks by their names from the top, as `tile 0,0/core 01/regions`."""

    size: int
    tracks: dict[str, list[Event]] = field(default_factory=lambda: defaultdict(list))

    def events(self) -> list[Event]:
        return [event for track in self.tracks.values() for event in track]

    def slices(self, track: str) -> list[tuple[str, int, int]]:
        """Name and both instants of each slice; fails if slices do not nest."""
        open_slices: list[tuple[str, int]] = []
        found = []
        for event in self.tracks[track]:
            if event.kind == BEGIN:
                open_slices.append((event.name, event.time_ns))
            elif event.kind == END:
                found.append((*open_slices.pop(), event.time_ns))
        assert not open_slices, f"{track}: {open_slices} never end"
        return found


def read(path: Path) -> Trace:
    """All of a file. Times of a sequence and of a track must be in order."""
    data = path.read_bytes()
    whole = format.Trace.FromString(data)
    trace = Trace(len(data))
    packets = whole.packet
    descriptors = {p.track_descriptor.uuid: p.track_descriptor
                   for p in packets if p.HasField("track_descriptor")}  # fmt: skip
    processes = {d.process.pid: d.process.process_name for d in descriptors.values()
                 if d.HasField("process")}  # fmt: skip
    names: dict[int, dict[int, str]] = defaultdict(dict)
    usual: dict[int, int] = {}
    last: dict[tuple[str, int], int] = defaultdict(int)

    def called(uuid: int) -> str:
        track = descriptors[uuid]
        if track.HasField("process"):
            return str(track.process.process_name)
        if track.HasField("thread"):
            return f"{processes[track.thread.pid]}/{track.thread.thread_name}"
        above = f"{called(track.parent_uuid)}/" if track.HasField("parent_uuid") else ""
        return above + str(track.name)

    for packet in packets:
        sequence = packet.trusted_packet_sequence_id
        if packet.HasField("trace_packet_defaults"):
            usual[sequence] = packet.trace_packet_defaults.track_event_defaults.track_uuid
        names[sequence].update((e.iid, e.name) for e in packet.interned_data.event_names)
        if not packet.HasField("track_event"):
            continue
        event: Any = packet.track_event
        uuid = event.track_uuid if event.HasField("track_uuid") else usual[sequence]
        for key in (("sequence", sequence), ("track", uuid)):
            assert packet.timestamp >= last[key] or key == ("sequence", _COUNTERS), key
            last[key] = packet.timestamp
        number = event.counter_value or event.double_counter_value
        values = {a.name: a.int_value for a in event.debug_annotations}
        trace.tracks[called(uuid)].append(
            Event(event.type, packet.timestamp, names[sequence].get(event.name_iid, ""), values,
                  list(event.flow_ids), list(event.terminating_flow_ids), number)
        )  # fmt: skip
    return trace


# The sequence of all counter tracks: each track is in order.
_COUNTERS = 0xFFFF_FFFF
