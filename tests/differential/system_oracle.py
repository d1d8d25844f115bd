"""Holds the core against a second emulator (unicorn, which is QEMU's) where no processor can be
asked: real mode, virtual-8086 mode, rings 0 to 2, segment loads and far transfers.

    python tests/differential/system_oracle.py --seed 1 --cases 20000
    python tests/differential/system_oracle.py --case 12345          one case, with its state

Compared are the general registers, EIP, EFLAGS, selectors, control registers and memory after one
instruction; of an exception its vector and the registers. unicorn shows neither CR2, nor error
codes, nor how an exception is delivered: `guest/testrom` has these. What differs for a known reason
is in `system_deviations.py`; it is counted by reason, and everything else is an error.
"""

from __future__ import annotations

import argparse
import collections
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parent))

from system_cases import (
    AREAS,
    HANDLERS,
    MEMORY_BYTES,
    REAL,
    REAL_HANDLER_SEGMENT,
    REAL_PROLOGUE,
    TABLE,
    Case,
    image,
    make,
)
from system_deviations import Difference, deviation
from system_instructions import random_case

# What a case can change lies below.
TOUCHED = 0x40000
# Of page table entries.
ACCESSED = 0x20
ROOT = Path(__file__).resolve().parents[2]
GENERAL = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi")
SELECTORS = ("es", "cs", "ss", "ds", "fs", "gs")
CONTROL = ("cr0", "cr2", "cr3", "cr4")


@dataclass
class Outcome:
    """What came of a case: a fault's vector, or the state behind the instruction."""

    vector: int | None
    registers: dict[str, int]
    memory: bytes


class BareCore:
    """Our core, in a process of its own."""

    WORDS = 8 + 2 + 6 + 6 + 4 + 1

    def __init__(self) -> None:
        subprocess.run(
            ["cargo", "build", "--quiet", "--locked", "--package", "rockcreek-differential"],
            cwd=ROOT, check=True,
        )  # fmt: skip
        self.process = subprocess.Popen(
            [ROOT / "target/debug/bare-core"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        memory = image()
        self._send(struct.pack("<I", len(memory)) + memory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def _send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def run(self, case: Case) -> Outcome:
        request = struct.pack("<I", len(case.patches))
        for address, data in case.patches:
            request += struct.pack("<II", address, len(data)) + data
        request += struct.pack("<III", REAL_PROLOGUE, case.steps, len(AREAS))
        request += b"".join(struct.pack("<II", *area) for area in AREAS)
        self._send(request)
        assert self.process.stdout is not None
        length = 4 * self.WORDS + sum(size for _, size in AREAS)
        answer = self.process.stdout.read(length)
        assert len(answer) == length, "the core has ended"
        values = struct.unpack(f"<{self.WORDS}I", answer[: 4 * self.WORDS])
        names = (*GENERAL, "eip", "eflags", *SELECTORS)
        registers = dict(zip(names, values, strict=False))
        registers |= dict(zip(CONTROL, values[22:26], strict=True))
        vector = 8 if values[26] else self._vector(case, registers)
        return Outcome(vector, registers, answer[4 * self.WORDS :])

    @staticmethod
    def _vector(case: Case, registers: dict[str, int]) -> int | None:
        """The handler in which the core stands shows what happened."""
        segment, base = (REAL_HANDLER_SEGMENT, 0) if case.mode == REAL else (1 << 3, HANDLERS)
        inside = registers["cs"] & ~3 == segment & ~3 and base <= registers["eip"] < base + 256
        return registers["eip"] - base if inside else None


class Unicorn:
    """The second emulator."""

    def __init__(self) -> None:
        import unicorn
        from unicorn import x86_const

        self.module = unicorn
        self.pristine = image()
        self.uc = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_16)
        self.uc.ctl_set_cpu_model(x86_const.UC_CPU_X86_PENTIUM)
        self.uc.mem_map(0, MEMORY_BYTES)
        self.uc.mem_write(0, self.pristine)
        self.uc.hook_add(unicorn.UC_HOOK_INTR, self._interrupt)
        self.fresh = self.uc.context_save()
        self.vector: int | None = None
        self.numbers = {
            name: getattr(x86_const, f"UC_X86_REG_{name.upper()}")
            for name in (*GENERAL, "eip", "eflags", *SELECTORS, *CONTROL)
        }

    def _interrupt(self, uc: Any, number: int, _: object) -> None:
        self.vector = number
        uc.emu_stop()

    def run(self, case: Case) -> Outcome:
        uc = self.uc
        uc.context_restore(self.fresh)
        uc.mem_write(0, self.pristine[:TOUCHED])
        for address, data in case.patches:
            uc.mem_write(address, data)
        uc.ctl_flush_tb()
        self.vector = None
        try:
            uc.emu_start(REAL_PROLOGUE, 1 << 40, count=case.steps)
        except self.module.UcError as error:
            self.vector = 6 if error.errno == self.module.UC_ERR_INSN_INVALID else self.vector
            if error.errno not in (self.module.UC_ERR_INSN_INVALID, self.module.UC_ERR_EXCEPTION):
                self.vector = -error.errno
        registers = {name: uc.reg_read(number) for name, number in self.numbers.items()}
        for name in SELECTORS:
            registers[name] &= 0xFFFF
        memory = b"".join(bytes(uc.mem_read(address, size)) for address, size in AREAS)
        return Outcome(self.vector, registers, memory)


def compare(case: Case, ours: Outcome, theirs: Outcome) -> Difference | None:
    """What differs, or None."""
    if ours.vector != theirs.vector:
        return Difference(case, ours, theirs, ["vector"])
    names: list[str] = [*GENERAL, "eip", "eflags", *SELECTORS, "cr0", "cr3", "cr4"]
    if ours.vector is not None:
        names = [name for name in GENERAL if name != "esp"]
    found = [name for name in names if ours.registers[name] != theirs.registers[name]]
    if ours.vector is None and _comparable(case, ours) != _comparable(case, theirs):
        found.append("memory")
    return Difference(case, ours, theirs, found) if found else None


def _comparable(case: Case, outcome: Outcome) -> bytes:
    """Memory without what a fetch of the next instruction does to page tables."""
    if (outcome.registers["cs"], outcome.registers["eip"]) == case.next_place:
        return outcome.memory
    memory = bytearray(outcome.memory)
    entries = AREAS[0][1] + TABLE - AREAS[1][0]
    for entry in range(entries, entries + 4 * (MEMORY_BYTES >> 12), 4):
        memory[entry] &= ~ACCESSED
    return bytes(memory)


def address_of(index: int) -> int:
    """The address of a byte of the compared areas."""
    for start, size in AREAS:
        if index < size:
            return start + index
        index -= size
    raise IndexError(index)


def describe(difference: Difference) -> str:
    """A difference in words."""
    case, ours, theirs = difference.case, difference.ours, difference.theirs
    lines = [
        f"case {case.seed}: {case.code.hex(' ')}, {difference.instruction}",
        f"  {case.mode} mode, ring {case.ring}; {', '.join(difference.names)} differ",
        f"  vector: ours {ours.vector}, theirs {theirs.vector}",
    ]
    for name in ours.registers:
        mark = "*" if name in difference.names else " "
        lines.append(f" {mark}{name:6} {ours.registers[name]:08x} {theirs.registers[name]:08x}")
    bytes_ = [
        n
        for n, pair in enumerate(zip(ours.memory, theirs.memory, strict=True))
        if pair[0] != pair[1]
    ]
    for n in bytes_[:8]:
        lines.append(f"  [{address_of(n):05x}] {ours.memory[n]:02x} {theirs.memory[n]:02x}")
    return "\n".join(lines)


@dataclass
class Tally:
    """How many cases ended how."""

    cases: int = 0
    faults: int = 0
    known: collections.Counter[str] = field(default_factory=collections.Counter)
    unknown: list[Difference] = field(default_factory=list)


def hold(seed: int, cases: int, first: int = 0) -> Tally:
    """Run cases on both sides."""
    tally = Tally()
    other = Unicorn()
    with BareCore() as core:
        for number in range(first, first + cases):
            code, mode = random_case(seed * 1_000_000_007 + number)
            case = make(seed * 1_000_000_007 + number, code, mode)
            ours, theirs = core.run(case), other.run(case)
            tally.cases += 1
            tally.faults += ours.vector is not None
            difference = compare(case, ours, theirs)
            if difference is None:
                continue
            reason = deviation(difference)
            if reason is None:
                tally.unknown.append(difference)
            else:
                tally.known[reason] += 1
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--case", type=int, help="one case alone, with its state")
    options = parser.parse_args()
    if options.case is not None:
        number = options.case
        code, mode = random_case(number)
        case = make(number, code, mode)
        with BareCore() as core:
            ours, theirs = core.run(case), Unicorn().run(case)
        print(describe(Difference(case, ours, theirs, [])))
        return 0
    tally = hold(options.seed, options.cases)
    for difference in tally.unknown[:10]:
        print(describe(difference))
    for reason, count in tally.known.most_common():
        print(f"{count:8} {reason}")
    print(
        f"{tally.cases} cases, {tally.faults} ended by an exception,"
        f" {sum(tally.known.values())} differ for a known reason, {len(tally.unknown)} different"
    )
    return 1 if tally.unknown else 0


if __name__ == "__main__":
    raise SystemExit(main())
