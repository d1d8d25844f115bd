"""Slices of cores from a trace that `rck run --trace FILE` wrote (Perfetto's format).

What is read: tracks of cores, slices with their names, partners and arrows. Counters, regions and
the rest are passed over. Fields are those of Perfetto's public `perfetto_trace.proto`, as
`crates/trace/src/format.rs` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rockcreek.reading import documents

MOST_SLICES = 1 << 21
_HINT = "`rck run --trace FILE` writes traces"
_CORE = re.compile(r"core (\d{1,5})")
_PS_PER_NS = 1000
# Wire types of protobuf: a number, eight bytes, a length and so many bytes, four bytes.
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_BEGIN, _END = 1, 2


@dataclass
class Slice:
    """A function on a core, from its call to its return."""

    core: int
    name: str
    begin_ps: int
    end_ps: int
    depth: int
    parent: Slice | None = None
    values: dict[str, int] = field(default_factory=dict)  # bytes, and to or from: a UE
    sends: tuple[int, ...] = ()  # numbers of arrows that begin here
    receives: tuple[int, ...] = ()


class _Malformed(ValueError):
    pass


@dataclass
class _Lane:
    """One sequence of packets: a core's."""

    core: int | None = None
    own: int = 0
    names: dict[int, str] = field(default_factory=dict)
    open: list[Slice] = field(default_factory=list)


def load(path: str | Path) -> list[Slice]:
    """The slices of all cores, in the order in which they end."""
    data = documents.data(path, hint=_HINT)
    lanes: dict[int, _Lane] = {}
    slices: list[Slice] = []
    try:
        for number, packet in _fields(data):
            if number != 1 or not isinstance(packet, bytes):
                raise _Malformed("a field that is no packet")
            done = _packet(packet, lanes)
            if done is not None:
                slices.append(done)
            if len(slices) > MOST_SLICES:
                raise documents.misfit(
                    str(path), "", f"has more than {MOST_SLICES:,} slices",
                    "record less: --trace-only time=1ms..3ms or shortest=10us",
                )  # fmt: skip
    except (_Malformed, UnicodeDecodeError) as error:
        raise documents.misfit(str(path), "", f"is no trace of rck ({error})", _HINT) from error
    if not any(lane.core is not None for lane in lanes.values()):
        raise documents.misfit(str(path), "", "is a trace without cores", _HINT)
    return slices


def _packet(packet: bytes, lanes: dict[int, _Lane]) -> Slice | None:
    """Takes one packet; the slice that it ends, if it ends one."""
    found = _message(packet)
    lane = lanes.setdefault(_number(found, 10), _Lane())
    for names in found.get(12, []):
        for entry in _message(names).get(2, []):
            name = _message(entry)
            lane.names[_number(name, 1)] = _text(name, 2)
    for default in found.get(59, []):
        for events in _message(default).get(11, []):
            lane.own = _number(_message(events), 11)
    for descriptor in found.get(60, []):
        _track(_message(descriptor), lane)
    for event in found.get(11, []):
        if lane.core is not None:
            return _event(_message(event), _number(found, 8) * _PS_PER_NS, lane)
    return None


def _track(descriptor: dict[int, list[int | bytes]], lane: _Lane) -> None:
    for thread in descriptor.get(4, []):
        match = _CORE.fullmatch(_text(_message(thread), 5))
        if match is not None:
            lane.core = int(match[1])


def _event(event: dict[int, list[int | bytes]], time_ps: int, lane: _Lane) -> Slice | None:
    kind = _number(event, 9)
    if kind not in (_BEGIN, _END) or _number(event, 11, lane.own) != lane.own:
        return None
    if kind == _END:
        if not lane.open:
            raise _Malformed("a slice that ends without a beginning")
        done = lane.open.pop()
        done.end_ps = max(time_ps, done.begin_ps)
        return done
    values = {}
    for note in event.get(4, []):
        pair = _message(note)
        values[_text(pair, 10)] = _number(pair, 4)
    assert lane.core is not None
    lane.open.append(
        Slice(
            core=lane.core,
            name=lane.names.get(_number(event, 10), "?"),
            begin_ps=time_ps,
            end_ps=time_ps,
            depth=len(lane.open),
            parent=lane.open[-1] if lane.open else None,
            values=values,
            sends=_numbers(event, 47),
            receives=_numbers(event, 48),
        )
    )
    return None


def _number(message: dict[int, list[int | bytes]], field_number: int, default: int = 0) -> int:
    found = message.get(field_number, [default])[-1]
    if not isinstance(found, int):
        raise _Malformed(f"field {field_number} is no number")
    return found


def _numbers(message: dict[int, list[int | bytes]], field_number: int) -> tuple[int, ...]:
    return tuple(one for one in message.get(field_number, []) if isinstance(one, int))


def _text(message: dict[int, list[int | bytes]], field_number: int) -> str:
    found = message.get(field_number, [b""])[-1]
    if not isinstance(found, bytes):
        raise _Malformed(f"field {field_number} is no text")
    return found.decode()


def _message(data: int | bytes) -> dict[int, list[int | bytes]]:
    if not isinstance(data, bytes):
        raise _Malformed("a number in place of a message")
    found: dict[int, list[int | bytes]] = {}
    for number, value in _fields(data):
        found.setdefault(number, []).append(value)
    return found


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Number and value of each field of a message."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if kind not in (_FIXED64, _BYTES, _FIXED32):
            raise _Malformed(f"a field of kind {kind}")
        size = 8 if kind == _FIXED64 else 4
        if kind == _BYTES:
            size, at = _varint(data, at)
        if size > len(data) - at:
            raise _Malformed("it ends within a field")
        piece = data[at : at + size]
        at += size
        # The arrows' numbers have eight bytes.
        yield key >> 3, piece if kind == _BYTES else int.from_bytes(piece, "little")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        if at >= len(data):
            raise _Malformed("it ends within a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise _Malformed("a number of more than ten bytes")
