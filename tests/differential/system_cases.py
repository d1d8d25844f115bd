"""Random cases of system mode: one instruction in real, protected or virtual-8086 mode.

Each case begins in real mode. A prologue of known length loads tables, CR0, selectors, flags and
registers by real instructions, and ends in the frame of an IRET (or a far jump) that leads to the
instruction under test. So the same bytes set up any emulator.
"""

from __future__ import annotations

import random
import struct
from dataclasses import dataclass, field

MEMORY_BYTES = 1 << 21
GDT, LDT, IDT = 0x1000, 0x1400, 0x1800
TSS, OTHER_TSS, SMALL_TSS = 0x2000, 0x2400, 0x2600
POINTERS, FRAME = 0x3000, 0x3100
REAL_PROLOGUE, PROTECTED_PROLOGUE = 0x4000, 0x4100
STACKS = (0x5F00, 0x6F00, 0x7F00)
DIRECTORY, TABLE = 0x8000, 0x9000
# Where no far pointer of a case leads by chance: there stands who was interrupted.
HANDLERS, REAL_HANDLER_SEGMENT = 0x1F0000, 0xEFF1
CODE, DATA = 0x10000, 0x20000
DATA_BYTES = 0x10000
SEGMENT_BYTES = 0x10000
# What both sides must leave alike: tables, tasks, frames; stacks and page tables; data.
AREAS = ((GDT, 0x3000), (0x5000, 0x5000), (DATA, DATA_BYTES))

REAL, PROTECTED_32, PROTECTED_16, VIRTUAL = "real", "protected-32", "protected-16", "virtual-8086"
VM, IOPL_SHIFT = 1 << 17, 12
PE, WP, PG, CACHES_OFF = 1, 1 << 16, 1 << 31, 0x60000000
PRESENT, WRITABLE, USER = 1, 2, 4

# Access bytes. All are marked accessed: QEMU marks no code segment that a far transfer loads.
DATA_RW, DATA_RO, DATA_DOWN = 0x93, 0x91, 0x97
CODE_RX, CODE_X, CODE_CONFORMING = 0x9B, 0x99, 0x9F


def descriptor(base: int, limit: int, access: int, big: bool = True, pages: bool = False) -> bytes:
    flags = (0x4 if big else 0) | (0x8 if pages else 0)
    return struct.pack(
        "<HHBBBB", limit & 0xFFFF, base & 0xFFFF, base >> 16 & 0xFF, access,
        flags << 4 | limit >> 16, base >> 24,
    )  # fmt: skip


def gate(selector: int, offset: int, access: int, count: int = 0) -> bytes:
    return struct.pack("<HHBBH", offset & 0xFFFF, selector, count, access, offset >> 16)


def flat(access: int) -> bytes:
    return descriptor(0, 0xFFFFF, access, pages=True)


def small(base: int, access: int) -> bytes:
    return descriptor(base, 0xFFFF, access, big=False)


def dpl(access: int, level: int) -> int:
    return access | level << 5


# Slot numbers below are positions in this list.
GDT_ENTRIES: list[bytes] = [
    bytes(8),
    *(flat(dpl(CODE_RX, level)) for level in range(4)),  # 1-4: code of each ring
    *(flat(dpl(DATA_RW, level)) for level in range(4)),  # 5-8: data of each ring
    *(small(CODE, dpl(CODE_RX, level)) for level in range(4)),  # 9-12: 16-bit code
    *(small(DATA, dpl(DATA_RW, level)) for level in range(4)),  # 13-16: 16-bit data
    flat(dpl(DATA_RO, 3)),  # 17
    descriptor(DATA, 0xFFF, dpl(DATA_DOWN, 3)),  # 18: expand-down
    flat(dpl(CODE_X, 3)),  # 19: not readable
    flat(dpl(CODE_CONFORMING, 0)),  # 20
    flat(dpl(CODE_CONFORMING, 3)),  # 21
    flat(dpl(DATA_RW, 3) & 0x7F),  # 22: not present
    flat(dpl(CODE_RX, 3) & 0x7F),  # 23: not present
    descriptor(TSS, 0xFFF, 0x89),  # 24: the task that runs
    descriptor(OTHER_TSS, 0x67, dpl(0x89, 3)),  # 25: 32-bit task
    descriptor(SMALL_TSS, 0x2B, dpl(0x81, 3)),  # 26: 16-bit task
    descriptor(LDT, 0x3F, 0x82),  # 27: the LDT
    gate(1 << 3, CODE + 0x800, dpl(0x8C, 3)),  # 28: call gate into ring 0
    gate(1 << 3, CODE + 0x800, dpl(0x8C, 3), 3),  # 29: with three parameters
    gate(2 << 3, CODE + 0x800, dpl(0x8C, 3)),  # 30: into ring 1
    gate(9 << 3, 0x800, dpl(0x84, 3), 1),  # 31: 16-bit
    gate(25 << 3, 0, dpl(0x85, 3)),  # 32: task gate
    gate(1 << 3, CODE + 0x800, dpl(0x8C, 3) & 0x7F),  # 33: gate that is not present
    gate(1 << 3, CODE + 0x800, dpl(0x8C, 0)),  # 34: gate for ring 0
    gate(20 << 3, CODE + 0x800, dpl(0x8C, 3)),  # 35: into conforming code
    gate(5 << 3, CODE + 0x800, dpl(0x8C, 3)),  # 36: into data
    descriptor(OTHER_TSS, 0x67, dpl(0x8B, 3)),  # 37: a busy task
    descriptor(OTHER_TSS, 0x20, dpl(0x89, 3)),  # 38: a task that is too small
    descriptor(0, 0x7FF, dpl(CODE_RX, 3)),  # 39: code that ends early
    bytes(8),
]
LDT_ENTRIES: list[bytes] = [
    bytes(8),
    flat(dpl(CODE_RX, 3)),
    flat(dpl(DATA_RW, 3)),
    flat(dpl(DATA_RW, 0)),
    small(DATA, dpl(DATA_RW, 3)),
    flat(dpl(CODE_CONFORMING, 0)),
]
TASK_32, LDT_SLOT, TABLE_DATA = 24, 27, 5


def segment_limit(selector: int) -> int:
    """The limit of a descriptor in bytes."""
    entries = LDT_ENTRIES if selector & 4 else GDT_ENTRIES
    entry = entries[selector >> 3] if selector >> 3 < len(entries) else bytes(8)
    limit = int.from_bytes(entry[:2], "little") | (entry[6] & 0xF) << 16
    return limit << 12 | 0xFFF if entry[6] & 0x80 else limit


@dataclass
class Case:
    """One instruction, what stands around it, and how it is reached."""

    seed: int
    mode: str
    ring: int
    code: bytes
    registers: list[int]  # EAX to EDI
    eflags: int
    cr0: int
    steps: int
    patches: list[tuple[int, bytes]] = field(default_factory=list)

    @property
    def next_place(self) -> tuple[int, int]:
        """CS and EIP of what stands behind the instruction."""
        eip = (CODE if self.wide else 0) + len(self.code)
        if self.mode in (REAL, VIRTUAL):
            return CODE >> 4, eip
        return ((1 if self.wide else 9) + self.ring) << 3 | self.ring, eip

    @property
    def wide(self) -> bool:
        return self.mode == PROTECTED_32


def selector(rng: random.Random) -> int:
    slot = rng.randrange(len(GDT_ENTRIES) + 2)
    if rng.random() < 0.15:
        return rng.randrange(8) << 3 | 4 | rng.randrange(4)
    return slot << 3 | rng.choice((0, 1, 2, 3, 3))


def words(*values: int) -> bytes:
    return b"".join(struct.pack("<I", value & 0xFFFFFFFF) for value in values)


def task(eip: int, registers: int) -> bytes:
    """A 32-bit TSS of ring 0 with inner stacks; CR3 is that of all."""
    return words(
        0, STACKS[0], 5 << 3, STACKS[1], 6 << 3 | 1, STACKS[2], 7 << 3 | 2, DIRECTORY, eip, 0x2,
        *(registers + n for n in range(4)), STACKS[0] - 64, registers + 5, registers + 6,
        registers + 7, 5 << 3, 1 << 3, 5 << 3, 5 << 3, 5 << 3, 5 << 3, LDT_SLOT << 3, 0x68 << 16,
    )  # fmt: skip


def small_task() -> bytes:
    values = [0, STACKS[0], 13 << 3, 0, 0, 0, 0, 0x900, 0x2, 1, 2, 3, 4, 0x5000, 6, 7, 8]
    selectors = [13 << 3, 9 << 3, 13 << 3, 13 << 3, LDT_SLOT << 3]
    return struct.pack("<22H", *values, *selectors)


def image() -> bytes:
    """The memory that all cases begin with."""
    memory = bytearray(MEMORY_BYTES)

    def put(address: int, data: bytes) -> None:
        memory[address : address + len(data)] = data

    for vector in range(256):
        put(4 * vector, struct.pack("<HH", vector, REAL_HANDLER_SEGMENT))
        put(IDT + 8 * vector, gate(1 << 3, HANDLERS + vector, 0x8E))
    put(GDT, b"".join(GDT_ENTRIES))
    put(LDT, b"".join(LDT_ENTRIES))
    put(TSS, task(0, 0) + b"\xa5" * 0x380)
    put(OTHER_TSS, task(CODE + 0x900, 0x1000))
    put(SMALL_TSS, small_task())
    put(HANDLERS, b"\xf4" * 256)
    put(CODE, b"\xf4" * SEGMENT_BYTES)
    put(DIRECTORY, words(TABLE | PRESENT | WRITABLE | USER))
    for page in range(MEMORY_BYTES >> 12):
        put(TABLE + 4 * page, words(page << 12 | PRESENT | WRITABLE | USER))
    put(POINTERS, struct.pack("<HI", 8 * len(GDT_ENTRIES) - 1, GDT))
    put(POINTERS + 8, struct.pack("<HI", 0x7FF, IDT))
    put(POINTERS + 16, struct.pack("<HI", 0x3FF, 0))
    return bytes(memory)


def _protected_prologue(case: Case, frame: bytes) -> tuple[list[tuple[int, bytes]], int]:
    """Real mode to protected mode to the frame's IRET."""
    first = (
        b"\x0f\x01\x16" + struct.pack("<H", POINTERS)  # lgdt
        + b"\x0f\x01\x1e" + struct.pack("<H", POINTERS + 8)  # lidt
        + b"\x66\xb8" + words(DIRECTORY) + b"\x0f\x22\xd8"  # mov cr3
        + b"\x66\xb8" + words(case.cr0) + b"\x0f\x22\xc0"  # mov cr0
        + b"\x66\xea" + words(PROTECTED_PROLOGUE) + struct.pack("<H", 1 << 3)
    )  # fmt: skip
    second = (
        b"\x66\xb8" + struct.pack("<H", TABLE_DATA << 3)
        + b"\x8e\xd8\x8e\xd0"  # mov ds, ax; mov ss, ax
        + b"\x66\xb8" + struct.pack("<H", LDT_SLOT << 3) + b"\x0f\x00\xd0"  # lldt
        + b"\x66\xb8" + struct.pack("<H", TASK_32 << 3) + b"\x0f\x00\xd8"  # ltr
        + b"\xbc" + words(FRAME)
        + b"\x61\x0f\xa9\x0f\xa1\x07\x1f\xcf"  # popad; pop gs, fs, es, ds; iretd
    )  # fmt: skip
    edi, esi, ebp, ebx = (case.registers[n] for n in (7, 6, 5, 3))
    saved = words(edi, esi, ebp, 0, ebx, case.registers[2], case.registers[1], case.registers[0])
    patches = [(REAL_PROLOGUE, first), (PROTECTED_PROLOGUE, second), (FRAME, saved + frame)]
    return patches, 7 + 8 + 6


def _real_prologue(case: Case, segments: list[int]) -> tuple[list[tuple[int, bytes]], int]:
    es, ss, ds, fs, gs = segments
    code = (
        b"\x0f\x01\x16" + struct.pack("<H", POINTERS)  # lgdt
        + b"\x0f\x01\x1e" + struct.pack("<H", POINTERS + 16)  # lidt
        + b"\x66\xb8" + words(CACHES_OFF | 0x10) + b"\x0f\x22\xc0"  # mov cr0
        + b"\x66\xbc" + words(FRAME)
        + b"\x66\x61\x0f\xa9\x0f\xa1\x07\x66\x9d"  # popad; pop gs, fs, es; popfd
        + b"\x2e\x66\x0f\xb2\x26" + struct.pack("<H", FRAME + 0x80)  # lss esp
        + b"\x2e\x8e\x1e" + struct.pack("<H", FRAME + 0x88)  # mov ds
        + b"\xea" + struct.pack("<HH", 0, CODE >> 4)
    )  # fmt: skip
    registers = case.registers
    saved = words(registers[7], registers[6], registers[5], 0, registers[3], registers[2],
                  registers[1], registers[0])  # fmt: skip
    frame = saved + struct.pack("<HHH", gs, fs, es) + words(case.eflags)
    patches = [
        (REAL_PROLOGUE, code),
        (FRAME, frame),
        (FRAME + 0x80, words(registers[4]) + struct.pack("<HHH", ss, 0, ds)),
    ]
    return patches, 13


def _windows(rng: random.Random, wide: bool) -> list[int]:
    """Registers: pointers into the data where addresses are made of them, selectors elsewhere."""
    base = DATA if wide else 0

    def pointer() -> int:
        return base + rng.randrange(0x100, 0xE000) & (~3 if rng.random() < 0.7 else ~0)

    def value() -> int:
        return rng.choice((selector(rng), rng.getrandbits(32), rng.randrange(256), pointer()))

    return [
        value(), value(), value(), pointer(), base + 0xE800, pointer(), pointer(), pointer(),
    ]  # fmt: skip


def _data(rng: random.Random, wide: bool) -> bytes:
    """What lies in the data: far pointers, selectors, gates' targets, flags, noise."""
    base = CODE if wide else 0

    def entry() -> int:
        kind = rng.randrange(6)
        if kind == 0:
            return rng.getrandbits(32)
        if kind == 1:
            return base + rng.randrange(0x1000)
        if kind == 2:
            return selector(rng) << 16 | rng.randrange(0x1000)
        if kind == 3:
            return rng.randrange(0x1000) << 16 | selector(rng)
        return selector(rng)

    return words(*(entry() for _ in range(64))) * (DATA_BYTES // 256)


def make(seed: int, instruction: bytes, mode: str) -> Case:
    """A case around an instruction. The same seed gives the same case."""
    rng = random.Random(seed)
    ring = {REAL: 0, VIRTUAL: 3}.get(mode, rng.choice((0, 0, 1, 2, 3, 3)))
    wide = mode == PROTECTED_32
    registers = _windows(rng, wide)
    eflags = 2 | rng.getrandbits(12) & 0xCD5 & ~0x300 | rng.randrange(4) << IOPL_SHIFT
    cr0 = CACHES_OFF | PE | 0x10
    if rng.random() < 0.5:
        cr0 |= PG | rng.choice((0, WP))
    case = Case(seed, mode, ring, instruction, registers, eflags, cr0, 0)
    if mode == REAL:
        segments = [DATA >> 4, DATA >> 4, DATA >> 4, DATA >> 4, DATA >> 4]
        patches, steps = _real_prologue(case, segments)
    else:
        patches, steps = _protected_prologue(case, _frame(case))
    case.steps = steps + 1
    case.patches = [*patches, (CODE, instruction), (DATA, _data(rng, wide))]
    if case.cr0 & PG and mode != REAL:
        case.patches.append(_pages(rng))
    return case


def _pages(rng: random.Random) -> tuple[int, bytes]:
    """Other rights for some pages of the data."""
    first = DATA >> 12
    rights = [rng.choice((7, 7, 7, 5, 3, 1, 6, 0)) for _ in range(DATA_BYTES >> 12)]
    rights[0xE] = 7
    return TABLE + 4 * first, words(*(first + n << 12 | bits for n, bits in enumerate(rights)))


def _frame(case: Case) -> bytes:
    """What the prologue pops: GS, FS, ES, DS, then the frame of IRET."""
    if case.mode == VIRTUAL:
        flags = case.eflags | VM
        segment = DATA >> 4
        return words(
            0, 0, 0, 0, 0, CODE >> 4, flags, case.registers[4], segment, segment, segment, segment,
            segment,
        )  # fmt: skip
    ring = case.ring
    code, data = (1, 5) if case.wide else (9, 13)
    code, data = (code + ring) << 3 | ring, (data + ring) << 3 | ring
    start = CODE if case.wide else 0
    stack = words(case.registers[4], data) if ring else b""
    return words(data, data, data, data, start, code, case.eflags) + stack
