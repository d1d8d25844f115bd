"""The record of packets between the host and the cores, as pcapng (draft-ietf-opsawg-pcapng): other
tools show it. Times are picoseconds of simulated time; IP packets without a frame around them.

`INBOUND` are those of the host: they, at their instants, are all that makes a run differ from
another one, so `replay` needs nothing else.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rockcreek.errors import InputError
from rockcreek.reading import documents

INBOUND, OUTBOUND = 1, 2
# A guest decides how much it sends.
MOST_BYTES = 1 << 28
LONGEST = 1500

_SECTION, _INTERFACE, _PACKET = 0x0A0D0D0A, 1, 6
_MAGIC = 0x1A2B3C4D
_LINKTYPE_RAW = 101
_OPTION_END, _IF_TSRESOL, _EPB_FLAGS = 0, 9, 2
# 10^-12 s.
_PICOSECONDS = 12
_LEAST_BLOCK, _PACKET_HEAD, _FLAGS_OPTION = 12, 20, 8


@dataclass(frozen=True)
class Packet:
    """A packet, when it passed, and which way."""

    time_ps: int
    data: bytes
    direction: int


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _option(code: int, value: bytes) -> bytes:
    return struct.pack("<HH", code, len(value)) + _padded(value)


def _block(kind: int, body: bytes) -> bytes:
    length = _LEAST_BLOCK + len(body)
    return struct.pack("<II", kind, length) + body + struct.pack("<I", length)


def header() -> bytes:
    """What the file begins with: a section, and its one interface."""
    section = struct.pack("<IHHq", _MAGIC, 1, 0, -1)
    options = _option(_IF_TSRESOL, bytes([_PICOSECONDS])) + _option(_OPTION_END, b"")
    interface = struct.pack("<HHI", _LINKTYPE_RAW, 0, LONGEST) + options
    return _block(_SECTION, section) + _block(_INTERFACE, interface)


def block_of(packet: Packet) -> bytes:
    """One packet of the file."""
    size, time = len(packet.data), packet.time_ps
    head = struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, size, size)
    flags = _option(_EPB_FLAGS, struct.pack("<I", packet.direction)) + _option(_OPTION_END, b"")
    return _block(_PACKET, head + _padded(packet.data) + flags)


def read(path: str | Path) -> list[Packet]:
    """The packets of a file that `--packets` has written."""
    data = documents.data(path, most=MOST_BYTES + (1 << 20))
    try:
        begin = header()
        if not data.startswith(begin):
            raise ValueError("it does not begin as a record of --packets does")
        packets = [*_packets(data, len(begin))]
        times = [packet.time_ps for packet in packets]
        if times != sorted(times):
            raise ValueError("its times go backwards")
    except ValueError as error:
        hint = "`rck linux --packets FILE` writes such a file"
        raise InputError(f"{path}: {error}", path=str(path), hint=hint) from error
    return packets


def _packets(data: bytes, at: int) -> Iterator[Packet]:
    while at < len(data):
        kind, length = _unpack("<II", data, at)
        if length % 4 or not _LEAST_BLOCK <= length <= len(data) - at:
            raise ValueError(f"the block at byte {at} has no end")
        if kind != _PACKET or length < _LEAST_BLOCK + _PACKET_HEAD:
            raise ValueError(f"the block at byte {at} is no packet of --packets")
        _, high, low, size, _ = _unpack("<IIIII", data, at + 8)
        begin, end = at + 8 + _PACKET_HEAD, at + length - 4
        if size > LONGEST or begin + size > end:
            raise ValueError(f"the packet at byte {at} is longer than its block")
        flags = begin + size + -size % 4
        if flags + _FLAGS_OPTION > end:
            raise ValueError(f"the packet at byte {at} has no direction")
        code, _, direction = _unpack("<HHI", data, flags)
        if code != _EPB_FLAGS or direction not in (INBOUND, OUTBOUND):
            raise ValueError(f"the packet at byte {at} has no direction")
        yield Packet(high << 32 | low, data[begin : begin + size], direction)
        at += length


def _unpack(form: str, data: bytes, at: int) -> tuple[int, ...]:
    if at + struct.calcsize(form) > len(data):
        raise ValueError(f"it ends within the block before byte {at}")
    return struct.unpack_from(form, data, at)


class Record:
    """A record that grows up to a bound."""

    def __init__(self) -> None:
        self._data = bytearray(header())
        self.dropped = 0

    def add(self, packet: Packet) -> None:
        block = block_of(packet)
        if self.dropped or len(self._data) + len(block) > MOST_BYTES:
            self.dropped += 1
            return
        self._data += block

    def data(self) -> bytes:
        """The file."""
        return bytes(self._data)
