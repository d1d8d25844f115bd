"""Encodings for the cases of system mode: what reads or changes privileged state or segments."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

from system_cases import PROTECTED_32, REAL, VIRTUAL, selector

# Opcodes with a ModRM byte: all forms of the byte are generated.
WITH_MODRM = [
    b"\x8e", b"\x8c", b"\xc4", b"\xc5", b"\x0f\xb2", b"\x0f\xb4", b"\x0f\xb5",  # segment loads
    b"\x0f\x00", b"\x0f\x01", b"\x0f\x02", b"\x0f\x03", b"\x63",  # tables and selectors
    b"\x62", b"\xff", b"\x8f", b"\x0f\xc7",  # BOUND, far and near transfers, POP, CMPXCHG8B
    b"\x89", b"\x8b", b"\x01", b"\x03", b"\x39", b"\x87", b"\x86", b"\x8d",
    b"\x0f\xb6", b"\x0f\xbf", b"\x0f\xa3", b"\x0f\xab", b"\x0f\xb1", b"\x0f\xc1",
]  # fmt: skip
# Opcodes without operands in further bytes.
PLAIN = [
    b"\x06", b"\x07", b"\x0e", b"\x16", b"\x17", b"\x1e", b"\x1f",  # PUSH, POP of selectors
    b"\x0f\xa0", b"\x0f\xa1", b"\x0f\xa8", b"\x0f\xa9",
    b"\x9c", b"\x9d", b"\xcf", b"\xcb", b"\xc3", b"\xfa", b"\xfb", b"\xf4", b"\x0f\x06",
    b"\x60", b"\x61", b"\xc9", b"\xec", b"\xed", b"\xee", b"\xef", b"\x6c", b"\x6d", b"\x6e",
    b"\x6f", b"\xa4", b"\xa5", b"\xaa", b"\xab", b"\xac", b"\xad", b"\xd7",
    b"\x98", b"\x99", b"\x9e", b"\x9f", b"\x0f\x08", b"\x0f\x09", b"\x50", b"\x54", b"\x58",
    b"\x5c", b"\x0f\xc8",
]  # fmt: skip
SEGMENT_PREFIXES = [b"\x26", b"\x2e", b"\x36", b"\x3e", b"\x64", b"\x65"]


def _modrm(rng: random.Random, wide: bool) -> bytes:
    """A ModRM byte, SIB and displacement of an address that lies in the data."""
    register = rng.randrange(8)
    if rng.random() < 0.25:
        return bytes([0xC0 | register << 3 | rng.randrange(8)])
    base = rng.choice((3, 5, 6, 7))  # EBX, EBP, ESI, EDI hold pointers
    small = struct.pack("<b", rng.randrange(-128, 128))
    if wide:
        return bytes([0x40 | register << 3 | base]) + small
    return bytes([0x40 | register << 3 | rng.choice((4, 5, 6, 7))]) + small


def _far(rng: random.Random, wide: bool) -> bytes:
    offset = rng.randrange(0x1000)
    if wide:
        return struct.pack("<IH", 0x10000 + offset, selector(rng))
    return struct.pack("<HH", offset, selector(rng))


def _immediate(rng: random.Random, size: int) -> bytes:
    return rng.getrandbits(8 * size).to_bytes(size, "little")


def _control(rng: random.Random, _: bool) -> bytes:
    opcode = rng.choice((0x20, 0x20, 0x21, 0x23))
    register = rng.choice((0, 2, 3, 4)) if opcode < 0x21 else rng.choice((0, 1, 2, 3))
    return bytes([0x0F, opcode, 0xC0 | register << 3 | rng.choice((0, 1, 2))])


def _any_modrm(rng: random.Random, wide: bool) -> bytes:
    return rng.choice(WITH_MODRM) + _modrm(rng, wide)


def _system(rng: random.Random, wide: bool) -> bytes:
    return rng.choice((b"\x8e", b"\xc4", b"\x0f\x00", b"\x0f\x01")) + _modrm(rng, wide)


def _plain(rng: random.Random, _: bool) -> bytes:
    return rng.choice(PLAIN)


def _direct(rng: random.Random, wide: bool) -> bytes:
    return rng.choice((b"\x9a", b"\xea")) + _far(rng, wide)


def _indirect(rng: random.Random, wide: bool) -> bytes:
    modrm = _modrm(rng, wide)[0] & 0x47 | rng.choice((0x18, 0x28))
    return b"\xff" + bytes([modrm]) + _immediate(rng, 1)


def _return(rng: random.Random, _: bool) -> bytes:
    return rng.choice((b"\xca", b"\xc2")) + struct.pack("<H", rng.randrange(0, 64, 2))


def _enter(rng: random.Random, _: bool) -> bytes:
    return b"\xc8" + struct.pack("<HB", rng.randrange(64), rng.randrange(4))


def _byte(rng: random.Random, _: bool) -> bytes:
    """Ports and interrupts."""
    return rng.choice((b"\xe4", b"\xe5", b"\xe6", b"\xe7", b"\xcd")) + _immediate(rng, 1)


def _near(rng: random.Random, wide: bool) -> bytes:
    return rng.choice((b"\xe8", b"\xe9")) + _immediate(rng, 4 if wide else 2)


def _short(rng: random.Random, _: bool) -> bytes:
    return rng.choice((b"\xeb", b"\x74", b"\xe2", b"\xe3")) + _immediate(rng, 1)


Maker = Callable[[random.Random, bool], bytes]
MAKERS: dict[Maker, int] = {
    _any_modrm: 10,
    _system: 6,
    _plain: 8,
    _direct: 4,
    _indirect: 2,
    _return: 1,
    _enter: 1,
    _byte: 1,
    _near: 1,
    _short: 1,
    _control: 2,
}
# What follows their opcodes has the size of the operand, not of the address.
BY_OPERAND_SIZE = (_direct, _near)


def instruction(rng: random.Random, mode: str) -> bytes:
    """One instruction with its prefixes; operand and address size change now and then."""
    wide = mode == PROTECTED_32
    prefixes = b""
    if rng.random() < 0.2:
        prefixes += rng.choice(SEGMENT_PREFIXES)
    operand_wide, address_wide = wide, wide
    if rng.random() < 0.25:
        prefixes += b"\x66"
        operand_wide = not wide
    if rng.random() < 0.05:
        prefixes += b"\x67"
        address_wide = not wide
    maker = rng.choices(list(MAKERS), list(MAKERS.values()))[0]
    return prefixes + maker(rng, operand_wide if maker in BY_OPERAND_SIZE else address_wide)


MODES = {REAL: 3, VIRTUAL: 3, PROTECTED_32: 6, "protected-16": 2}


def random_case(seed: int) -> tuple[bytes, str]:
    """The instruction and the mode of a case."""
    rng = random.Random(f"instruction {seed}")
    mode = rng.choices(list(MODES), list(MODES.values()))[0]
    return instruction(rng, mode), mode
