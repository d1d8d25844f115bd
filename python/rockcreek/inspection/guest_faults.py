"""Words for a guest's end by signal or panic: what, which core, where, what to do.

Cores that end in the same way at the same place share one message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from rockcreek.chip import Chip, Exit
from rockcreek.errors import GuestFault
from rockcreek.inspection import fault_hints, no_code, undefined, undervoltage
from rockcreek.inspection.backtrace import Locator, Place, name_cores
from rockcreek.software import thread_models
from rockcreek.software.image import Image

# Signal numbers of the i386 Linux ABI that the guest kernel reports.
SIGNALS = {
    1: "SIGHUP",
    2: "SIGINT",
    3: "SIGQUIT",
    4: "SIGILL",
    5: "SIGTRAP",
    6: "SIGABRT",
    7: "SIGBUS",
    8: "SIGFPE",
    9: "SIGKILL",
    10: "SIGUSR1",
    11: "SIGSEGV",
    12: "SIGUSR2",
    13: "SIGPIPE",
    14: "SIGALRM",
    15: "SIGTERM",
}
_WORDS = {
    "SIGILL": "illegal instruction",
    "SIGTRAP": "breakpoint trap",
    "SIGABRT": "aborted (abort or a failed assertion)",
    "SIGBUS": "bus error",
    "SIGFPE": "arithmetic fault",
    "SIGSEGV": "segmentation fault",
}
_KERNEL_ENDS = {
    "panic": "kernel panic",
    "shutdown": "the core shut down (a fault while a fault was handled)",
}
_VECTORS = {0: "division by zero or overflow", 16: "x87 fault", 13: "general protection"}
_VECTOR_PAGE_FAULT = 14
# Of addresses: a null pointer's.
_FIRST_PAGE = 4096
_INSTRUCTION_BYTES = 15
# The stack of a program (guest/kernel/memory/layout.h), and how far below it an access still means
# that it is full: a function's variables may be larger than a page.
_STACK_TOP, _STACK_BYTES, _BELOW = 0xBFFFF000, 8 << 20, 1 << 20
# Variables of one function that are taken for variables.
_LARGEST = 1 << 30
# Calls that are followed on a stack that is full.
_DEEPEST = 1 << 16
# Functions that call each other in turn and are told as one round of calls.
_LONGEST_ROUND = 8
# Instructions that came after the chip's i586, by what a disassembler calls them.
_LATER = (
    (re.compile(r"^f?cmov|^fu?comip?\b"), "a Pentium Pro instruction"),
    (re.compile(r"\b[xyz]mm\d"), "an SSE or AVX instruction"),
    (re.compile(r"\bmm\d"), "an MMX instruction"),
    (re.compile(r"^(sysenter|sysexit|rdpmc|nop \w*word|ud[012])"), "not an i586 instruction"),
)


def signal_name(number: int) -> str:
    """`SIGSEGV` for 11."""
    return SIGNALS.get(number, f"signal {number}")


def explain(
    chip: Chip, exits: Mapping[int, Exit], locator: Locator, program: Image
) -> list[GuestFault]:
    """One fault for each group of cores that ended alike, lowest core first."""
    groups: dict[tuple[str, int, int], list[int]] = {}
    for core in sorted(exits):
        end = exits[core]
        if end.reason not in ("exit", "dead"):
            groups.setdefault((end.reason, end.code, end.eip), []).append(core)
    return [_explain(chip, cores, exits[cores[0]], locator, program) for cores in groups.values()]


def _explain(
    chip: Chip, cores: list[int], end: Exit, locator: Locator, program: Image
) -> GuestFault:
    if end.reason == "undervoltage":
        return undervoltage.fault(chip, cores)
    panic = end.reason in _KERNEL_ENDS
    signal = None if panic else signal_name(end.code)
    what = _KERNEL_ENDS.get(end.reason) or _WORDS.get(str(signal), f"killed by {signal}")
    wrong = undefined.explain(program.bytes_at(end.eip, _INSTRUCTION_BYTES))
    detail, hint = _detail(end, signal, program, panic=panic)
    place = locator.of_fault(cores[0], end.eip, panic=panic)
    if not panic:
        what, detail, hint, place = _by_library(signal, what, detail, hint, place)
    if signal == "SIGILL" and wrong is not None:
        (what, hint), detail = wrong, ""
    esp = locator.stack_pointer(cores[0], end.eip)
    of_main = _is_stack_full(end, esp, panic=panic)
    if of_main or _is_a_threads_stack_full(end, esp, program):
        place = locator.of_fault(cores[0], end.eip, panic=panic, deepest=_DEEPEST)
        whose = f"the stack of {_STACK_BYTES >> 20} MB" if of_main else "the stack of this thread"
        what = "stack overflow"
        detail = f": {whose} is full, {len(place.frames):,} calls deep"
        hint = "end the recursion, or put large arrays into static or allocated memory"
        if not of_main:
            hint += "; pthread_attr_setstacksize gives a thread a larger stack"
    if not panic and not program.holds_code(end.eip):
        known = no_code.explain(cores[0], end, locator, program, place)
        detail, hint, place = known or (detail, hint, place)
    lines = [f"{name_cores(cores, chip)}: {what}{detail}", *_chain(place)]
    lines[1:2] = [f"{line}, EIP 0x{end.eip:08x}" for line in lines[1:2]]
    return GuestFault(
        "\n".join(lines),
        cores=tuple(cores),
        eip=end.eip,
        address=end.address if end.vector == _VECTOR_PAGE_FAULT else None,
        signal=signal,
        hint=hint,
    )


def _by_library(
    signal: str | None, what: str, detail: str, hint: str | None, place: Place
) -> tuple[str, str, str | None, Place]:
    """What happened, details, what to do, and where: better known where a library's function has
    ended the program or faulted for what it was given."""
    known = fault_hints.end(place.frames)
    if known is not None or signal == "SIGABRT":
        what, hint = known or (what, hint)
        return what, "", hint, replace(place, frames=fault_hints.own_first(place.frames))
    called = fault_hints.of_call(place.frames)
    if called is not None:
        name, hint = called
        detail, hint = detail.replace(" (a null pointer?)", ""), f"{name}: {hint}"
    return what, detail, hint, place


def _is_stack_full(end: Exit, esp: int | None, *, panic: bool) -> bool:
    """Whether it is an access just below the stack, or by a stack pointer that is there."""
    bottom = _STACK_TOP - _STACK_BYTES
    if panic or end.vector != _VECTOR_PAGE_FAULT or end.address >= bottom:
        return False
    near = esp is not None and bottom - _LARGEST < esp < bottom and esp <= end.address + _BELOW
    return near or bottom - _BELOW <= end.address


def _is_a_threads_stack_full(end: Exit, esp: int | None, program: Image) -> bool:
    """Whether the stack pointer of a program of threads is where no memory is."""
    if end.vector != _VECTOR_PAGE_FAULT or esp is None or not thread_models.has_threads(program):
        return False
    return end.address >= _FIRST_PAGE and -_FIRST_PAGE < end.address - esp < _BELOW


def _chain(place: Place) -> list[str]:
    """The calls, innermost first; functions that call each other again and again stand there once,
    and how often."""
    names = [str(frame) for frame in place.frames]
    lines: list[str] = []
    at = 0
    while at < len(names):
        length, times = _round(names, at)
        more = f"{times - 1:,} times more" if times > 1 else ""
        for name in names[at : at + length]:
            again = f", {more}" if more and length == 1 else ""
            lines.append(f"    {'called from' if lines else 'at'} {name}{again}")
        if more and length > 1:
            lines.append(f"    these {length} calls {more}")
        at += length * times
    return lines


def _round(names: list[str], at: int) -> tuple[int, int]:
    """How many calls from there on are made again and again, and how often."""
    for length in range(1, _LONGEST_ROUND + 1):
        once, times = names[at : at + length], 1
        while names[at + times * length : at + (times + 1) * length] == once:
            times += 1
        if times > (1 if length == 1 else 2):
            return length, times
    return 1, 1


def _detail(
    end: Exit, signal: str | None, program: Image, *, panic: bool
) -> tuple[str, str | None]:
    if panic:
        hint = "its last words are above; if the program did nothing unusual, report it as a bug"
        return ("" if end.vector is None else f" (exception {end.vector})"), hint
    if signal == "SIGILL":
        return _illegal_instruction(end.eip, program)
    if signal == "SIGABRT":
        return "", "the program ended itself; its own message is above"
    if signal == "SIGKILL" and end.vector == _VECTOR_PAGE_FAULT:
        return f", out of memory at address 0x{end.address:08x}", "use less memory on each core"
    if end.vector == _VECTOR_PAGE_FAULT:
        near = " (a null pointer?)" if end.address < _FIRST_PAGE else ""
        return f" at address 0x{end.address:08x}{near}", _segfault_hint(end, program)
    words = _VECTORS.get(end.vector) if end.vector is not None else None
    return (f" ({words})" if words else ""), "look at the line named above"


def _segfault_hint(end: Exit, program: Image) -> str:
    if end.address < _FIRST_PAGE:
        return (
            "look for a pointer that was never set, at the line named above; malloc, fopen and"
            " RCCE_malloc return NULL where they fail"
        )
    if end.address == end.eip:
        return "the program jumped there: look for a bad function pointer or a smashed stack"
    if program.is_constant(end.address):
        return (
            "it writes to memory that is only read: a string constant, a constant or code; copy it"
            " into an array first"
        )
    return "the address is not mapped: check pointers and array bounds"


def _illegal_instruction(eip: int, program: Image) -> tuple[str, str]:
    code = program.bytes_at(eip, _INSTRUCTION_BYTES)
    text = _disassemble(code, eip)
    hint = "compile it for the i586 of the chip: `rck cc prog.c -o prog`"
    if text is None:
        if not code:
            return f" at 0x{eip:08x}, where no code of the program is", (
                "look for a function pointer that was never set, or a smashed stack"
            )
        return f" ({code[:6].hex(' ')})", hint
    kind = next((what for pattern, what in _LATER if pattern.search(text)), None)
    if kind is None:
        return f" `{text}`", f"if compiled code contains it, {hint}"
    return f" `{text}` ({kind})", hint


def _disassemble(code: bytes, address: int) -> str | None:
    from rockcreek import _native

    text = _native.disassemble(code, address) if code else ""
    return text or None
