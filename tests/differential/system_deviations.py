"""Where unicorn (its core is that of QEMU 5) and a P54C are known to differ, each with its reason.

A difference is known if one of the rules applies. A rule names the instruction and what must
differ, so that it hides nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iced_x86 import (
    Code,
    Decoder,
    FlowControl,
    Instruction,
    InstructionInfoFactory,
    Mnemonic,
    OpAccess,
    OpKind,
    Register,
    RegisterExt,
)

from system_cases import segment_limit

if TYPE_CHECKING:
    from system_cases import Case
    from system_oracle import Outcome

PROTECTION, INVALID_OPCODE, INVALID_TSS, PAGE_FAULT = 13, 6, 10, 14
# unicorn's own errors: memory that is not there.
UNMAPPED = range(-11, -5)
WRITES = (
    OpAccess.WRITE, OpAccess.COND_WRITE, OpAccess.READ_WRITE, OpAccess.READ_COND_WRITE,
)  # fmt: skip
PORT = {
    Mnemonic.IN, Mnemonic.OUT, Mnemonic.INSB, Mnemonic.INSW, Mnemonic.INSD, Mnemonic.OUTSB,
    Mnemonic.OUTSW, Mnemonic.OUTSD,
}  # fmt: skip
OUTPUT_STRINGS = {Mnemonic.OUTSB, Mnemonic.OUTSW, Mnemonic.OUTSD}
RETURNS = {Mnemonic.RETF, Mnemonic.IRET, Mnemonic.IRETD}
BIT_TESTS = {Mnemonic.BT, Mnemonic.BTS, Mnemonic.BTR, Mnemonic.BTC}
VIRTUAL_FLAG = 1 << 17


@dataclass
class Difference:
    """Two outcomes of a case that are not the same, and what differs."""

    case: Case
    ours: Outcome
    theirs: Outcome
    names: list[str]

    @property
    def instruction(self) -> Instruction:
        return Decoder(32 if self.case.wide else 16, self.case.code).decode()

    @property
    def vectors(self) -> tuple[int | None, int | None]:
        return self.ours.vector, self.theirs.vector

    def fails_where_they_go_on(self, *vectors: int) -> bool:
        """We raise one of these; they finish, or find no page there."""
        ours, theirs = self.vectors
        return ours in vectors and theirs in (None, PAGE_FAULT)

    def goes_on_where_they_fail(self, *vectors: int) -> bool:
        ours, theirs = self.vectors
        return ours is None and theirs in vectors


def _near_transfer(instruction: Instruction) -> bool:
    flow = instruction.flow_control
    return flow != FlowControl.NEXT and not _far(instruction)


def _far(instruction: Instruction) -> bool:
    return instruction.is_call_far or instruction.is_call_far_indirect or (
        instruction.is_jmp_far or instruction.is_jmp_far_indirect
    ) or instruction.mnemonic in (Mnemonic.RETF, Mnemonic.IRET, Mnemonic.IRETD)  # fmt: skip


def _writes_code_segment(difference: Difference) -> bool:
    used = InstructionInfoFactory().info(difference.instruction).used_memory()
    return any(one.segment == Register.CS and one.access in WRITES for one in used)


def _bit_beyond_limit(difference: Difference) -> bool:
    """A register numbers a bit of memory; it lies outside of its data segment."""
    instruction = difference.instruction
    bit, base, index = instruction.op1_register, instruction.memory_base, instruction.memory_index
    if instruction.mnemonic not in BIT_TESTS or instruction.op_kind(1) != OpKind.REGISTER:
        return False
    if instruction.op_kind(0) != OpKind.MEMORY:
        return False
    values = difference.ours.registers
    value = {getattr(Register, name.upper(), None): number for name, number in values.items()}
    full = RegisterExt.full_register32
    size = RegisterExt.size(bit)
    number = value[full(bit)] & (1 << 8 * size) - 1
    number -= (number >> 8 * size - 1) << 8 * size
    address = instruction.memory_displacement + number // (8 * size) * size
    address += value[full(base)] if base else 0
    address += value[full(index)] * instruction.memory_index_scale if index else 0
    short = 2 in (RegisterExt.size(base), RegisterExt.size(index), instruction.memory_displ_size)
    address &= 0xFFFF if short else 0xFFFFFFFF
    return address + size - 1 > segment_limit(value[instruction.memory_segment])


def _opcode(difference: Difference) -> bytes:
    """The instruction without its prefixes."""
    return difference.case.code.lstrip(b"\x26\x2e\x36\x3e\x64\x65\x66\x67")


def _register_only(difference: Difference, name: str, mask: int) -> bool:
    """Nothing differs but these bits of this register."""
    ours, theirs = difference.ours.registers[name], difference.theirs.registers[name]
    return difference.names == [name] and (ours ^ theirs) & ~mask == 0


RULES: list[tuple[str, Callable[[Difference], bool]]] = [
    (
        "unicorn has no memory there, ours repeats",
        lambda d: d.theirs.vector in UNMAPPED,
    ),
    (
        "unicorn raises software interrupts before it looks at their gates",
        lambda d: d.instruction.mnemonic in (Mnemonic.INT, Mnemonic.INT3, Mnemonic.INTO)
        and d.ours.vector == PROTECTION and d.theirs.vector == d.instruction.immediate8,
    ),
    (
        "unicorn asks no I/O permission map",
        lambda d: d.instruction.mnemonic in PORT
        and (d.fails_where_they_go_on(PROTECTION) or d.names == ["memory"]),
    ),
    (
        "unicorn leaves ESI alone in OUTS",
        lambda d: d.instruction.mnemonic in OUTPUT_STRINGS
        and d.names in (['esi'], ['esi', 'memory']),
    ),
    (
        "QEMU checks no limit at a near transfer",
        lambda d: _near_transfer(d.instruction) and d.fails_where_they_go_on(PROTECTION),
    ),
    (
        "QEMU checks no limit at a far transfer in real and virtual-8086 mode",
        lambda d: _far(d.instruction) and d.case.mode in ("real", "virtual-8086")
        and d.fails_where_they_go_on(PROTECTION),
    ),
    (
        "QEMU checks no limit at a far return",
        lambda d: (
            d.instruction.mnemonic in RETURNS
            and d.fails_where_they_go_on(PROTECTION)
            and d.theirs.registers["eip"] > segment_limit(d.theirs.registers["cs"])
        ),
    ),
    (
        "unicorn fetches the next instruction before it stops",
        lambda d: d.instruction.flow_control != FlowControl.NEXT
        and d.goes_on_where_they_fail(PAGE_FAULT),
    ),
    (
        "QEMU lets a program write to its code segment",
        lambda d: _writes_code_segment(d) and d.fails_where_they_go_on(PROTECTION),
    ),
    (
        "QEMU checks no limit where a register numbers a bit",
        lambda d: _bit_beyond_limit(d) and d.fails_where_they_go_on(PROTECTION),
    ),
    (
        "QEMU takes 8F with any register field for POP",
        lambda d: _opcode(d)[:1] == b"\x8f" and d.fails_where_they_go_on(INVALID_OPCODE),
    ),
    (
        "QEMU reads the operand of FF /7 before it refuses it",
        lambda d: _opcode(d)[:1] == b"\xff" and _opcode(d)[1] & 0x38 == 0x38
        and d.vectors == (INVALID_OPCODE, PAGE_FAULT),
    ),
    (
        "QEMU takes LES and LDS of a register for a newer prefix",
        lambda d: _opcode(d)[:1] in (b"\xc4", b"\xc5") and _opcode(d)[1] >= 0xC0
        and d.ours.vector == INVALID_OPCODE,
    ),
    (
        "QEMU lets LTR load a null selector",
        lambda d: d.instruction.mnemonic == Mnemonic.LTR and d.vectors == (PROTECTION, None),
    ),
    (
        "bits 19 to 16 of what LAR gives are undefined",
        lambda d: d.instruction.mnemonic == Mnemonic.LAR and len(d.names) == 1
        and _register_only(d, d.names[0], 0x000F0000),
    ),
    (
        "QEMU takes IRET's VM flag in an outer ring too",
        lambda d: d.instruction.mnemonic == Mnemonic.IRETD and d.case.ring > 0
        and d.theirs.registers["eflags"] & VIRTUAL_FLAG != 0 and d.ours.vector is not None,
    ),
    (
        "QEMU 5 finds a 16-bit task's selectors at other places",
        lambda d: d.vectors == (None, INVALID_TSS) and d.ours.registers["cs"] == 9 << 3,
    ),
    (
        "QEMU enters conforming code by a gate with the code's level in CS",
        lambda d: d.instruction.is_call_far or d.instruction.is_call_far_indirect
        if d.names == ["cs"] else False,
    ),
    (
        "QEMU pushes VM",
        lambda d: d.instruction.mnemonic == Mnemonic.PUSHFD and d.case.mode == "virtual-8086"
        and d.names == ["memory"],
    ),
    (
        "QEMU's ENTER with 16-bit operands changes the upper half of EBP",
        lambda d: d.instruction.mnemonic == Mnemonic.ENTER
        and _register_only(d, "ebp", 0xFFFF0000),
    ),
    (
        "BSWAP of 16 bits is undefined",
        lambda d: d.instruction.code == Code.BSWAP_R16,
    ),
    (
        "the upper half of SMSW's register is undefined",
        lambda d: d.instruction.code == Code.SMSW_R32M16 and d.vectors == (None, None)
        and len(d.names) == 1,
    ),
]  # fmt: skip


def deviation(difference: Difference) -> str | None:
    """The reason for a difference, or None."""
    for reason, applies in RULES:
        if applies(difference):
            return reason
    return None
