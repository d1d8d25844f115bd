"""Instructions of a guest's kernel that must trap outside of ring 0 and do not.

A P54C runs some instructions in any ring that show or change what belongs to ring 0: a kernel in
ring 1 would see its hypervisor's tables, or lose a change of IF without notice (Popek and Goldberg
call them sensitive; Robin and Irvine list those of a Pentium [robin-irvine-2000]). `find` names
them in a kernel's code and says what to put in their place: instructions of equal length that
trap, so that no address changes. The replacements say by themselves what was there:

- of two bytes, the second byte becomes one of `SECOND_BYTE`, which make no instruction of a P54C:
  they raise #UD, and the bytes of operands stay where they are;
- of one byte, POPF becomes INSB and IRET becomes OUTSB, which raise #GP where IOPL is below the
  ring. Linux has both only with REP; a kernel that has a lone one is refused;
- PAUSE becomes 0F 0C, which raises #UD: a P54C executes PAUSE as NOP, and a virtual processor that
  waits with interrupts off would keep its core from the one for which it waits.

What is not in the kernel's image (a program's own CPUID or SGDT in ring 3, code that the guest
writes later) stays as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from rockcreek.errors import UsageError

if TYPE_CHECKING:
    from iced_x86 import Instruction

# Why an instruction is replaced, by its mnemonic.
REPLACED: Mapping[str, str] = {
    "IRETD": "would leave IF as it is",
    "POPFD": "would leave IF as it is",
    "SGDT": "shows the hypervisor's table",
    "SIDT": "shows the hypervisor's table",
    "SLDT": "shows the hypervisor's selector",
    "STR": "shows the hypervisor's selector",
    "SMSW": "shows the processor's own CR0",
    "LAR": "shows the privilege of the real descriptor",
    "LSL": "asks the real table",
    "VERR": "asks the real table",
    "VERW": "asks the real table",
    "CPUID": "shows what a guest has not got",
    "PAUSE": "would keep the core while it waits",
}
# Why another one is left alone.
LEFT: Mapping[str, str] = {
    "PUSHFD": "the real IF is the guest's",
    "MOV r, CS or SS": "Linux asks only whether the ring is 3",
    "PUSH CS or SS": "Linux asks only whether the ring is 3",
    "CMOV": "a P54C has none: it raises #UD",
}
# systems/rockyvisor/emulate/emulate.h has them, too.
ONE_BYTE: Mapping[int, int] = {0x9D: 0x6C, 0xCF: 0x6E}
SECOND_BYTE: Mapping[int, int] = {0x00: 0x04, 0x01: 0xA7, 0x02: 0x05, 0x03: 0x07, 0xA2: 0xA6}
PAUSE: Mapping[bytes, bytes] = {b"\xf3\x90": b"\x0f\x0c"}
_ESCAPE = 0x0F
_PREFIXES = frozenset(b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3")
_OPERAND_SIZE = 0x66
_REPEATS = frozenset(b"\xf2\xf3")


@dataclass(frozen=True)
class Symbols:
    """Names of code by address, ascending."""

    addresses: Sequence[int] = ()
    names: Sequence[str] = ()

    def name(self, address: int) -> str:
        """
        >>> Symbols((16, 32), ("first", "second")).name(35)
        'second+0x3'
        >>> Symbols().name(35)
        ''
        """
        at = bisect_right(self.addresses, address) - 1
        if at < 0:
            return ""
        offset = address - self.addresses[at]
        return f"{self.names[at]}+0x{offset:x}" if offset else self.names[at]


@dataclass(frozen=True)
class Site:
    """An instruction of the guest's kernel, by the address where the guest has it."""

    address: int
    mnemonic: str
    text: str
    before: bytes
    after: bytes
    symbol: str = ""

    @property
    def is_replaced(self) -> bool:
        return self.before != self.after


class CannotPatchError(Exception):
    """Code that cannot be made to trap, in words for the user."""


def replacement(code: bytes) -> bytes:
    """The trapping instruction of equal length.

    >>> replacement(bytes.fromhex("0f0100")).hex(" "), replacement(b"\\xcf").hex()
    ('0f a7 00', '6e')
    """
    if code in PAUSE:
        return PAUSE[code]
    at = next(n for n, byte in enumerate(code) if byte not in _PREFIXES)
    if code[at] == _ESCAPE:
        return code[: at + 1] + bytes([SECOND_BYTE[code[at + 1]]]) + code[at + 2 :]
    if at or code[at] not in ONE_BYTE:
        raise CannotPatchError(f"no trapping instruction is known for {code.hex(' ')}")
    return bytes([ONE_BYTE[code[at]]]) + code[1:]


def find(code: bytes, address: int, symbols: Symbols = Symbols()) -> Iterator[Site]:
    """The sensitive instructions of a stretch of 32-bit code that begins at `address`.

    Decoding starts anew at each symbol, so that data between functions hides nothing behind it.
    """
    for start, end in _stretches(address, len(code), symbols.addresses):
        for site in _decoded(code[start - address : end - address], start):
            name = symbols.name(site.address)
            yield Site(site.address, site.mnemonic, site.text, site.before, site.after, name)


def _stretches(address: int, size: int, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    cuts = {at for at in starts if address < at < address + size}
    marks = [address, *sorted(cuts), address + size]
    yield from pairwise(marks)


def _decoded(code: bytes, address: int) -> Iterator[Site]:
    try:
        import iced_x86
    except ImportError as error:
        text = f"reading a kernel's code needs {error.name}"
        raise UsageError(text, hint="pip install 'rockcreek[smp]'") from error
    wanted = {
        getattr(iced_x86.Mnemonic, name): name for name in (*REPLACED, "PUSHFD", "MOV", "PUSH")
    }
    wanted |= {
        getattr(iced_x86.Mnemonic, name): "CMOV"
        for name in dir(iced_x86.Mnemonic)
        if name.startswith(("CMOV", "FCMOV"))
    }
    wanted |= {iced_x86.Mnemonic.IRET: "IRET", iced_x86.Mnemonic.POPF: "POPF"}
    lone = {iced_x86.Mnemonic.INSB: "INSB", iced_x86.Mnemonic.OUTSB: "OUTSB"}
    for one in iced_x86.Decoder(32, code, ip=address):
        at = one.ip32 - address
        bytes_ = code[at : at + one.len]
        if one.mnemonic in lone and not _REPEATS & set(bytes_):
            text = f"0x{one.ip32:x}: a lone {lone[one.mnemonic]} stands for another instruction"
            raise CannotPatchError(text)
        name = wanted.get(one.mnemonic)
        if name in ("MOV", "PUSH"):
            name = _segment_shown(one, name)
        if name is None:
            continue
        after = bytes_ if name in LEFT else replacement(bytes_)
        yield Site(one.ip32, name, str(one), bytes_, after)


def _segment_shown(one: Instruction, name: str) -> str | None:
    """The key of `LEFT` if this stores CS or SS, whose lowest bits say the ring."""
    from iced_x86 import OpKind, Register

    operand = one.op_count - 1
    if one.op_kind(operand) != OpKind.REGISTER:
        return None
    if one.op_register(operand) not in (Register.CS, Register.SS):
        return None
    return "MOV r, CS or SS" if name == "MOV" else "PUSH CS or SS"
