"""Faults of a program that has gone to where no code is: by a return, a call, or past its end."""

from __future__ import annotations

from dataclasses import replace

from rockcreek.chip import Exit
from rockcreek.inspection.backtrace import Frame, Locator, Place
from rockcreek.software.image import Image

# How a function ends: so many bytes from its end these stand: ret, ret n, jumps, a call that does
# not return, traps.
_ENDS = (
    (1, (b"\xc3", b"\xcb", b"\xcc", b"\xf4")),
    (2, (b"\xeb", b"\x0f\x0b", b"\xcd", b"\xff")),
    (3, (b"\xc2", b"\xff")),
    (5, (b"\xe9", b"\xe8")),
    (6, (b"\xff",)),
    (7, (b"\xff",)),
)

# What calls the function of a thread (systems/threads/turns/thread.c).
_BEGINS_THREAD = "crf_begin"


def explain(
    core: int, end: Exit, locator: Locator, program: Image, place: Place
) -> tuple[str, str, Place] | None:
    """Details, what to do, and where; None if nothing is known."""
    call = locator.pointer_call(core)
    if call is not None and program.function_at(call - 1) == _BEGINS_THREAD:
        detail = f": a thread was to begin at 0x{end.eip:08x}, where no code is"
        return detail, "give pthread_create a function: `work`, not what `work()` returns", place
    endless = _without_end(locator, program, call)
    if endless is not None:
        hint = "look there for a loop without an end, a null pointer or a missing return, which the"
        hint += " compiler may take out; -Wall names some, and `rck cc -O0` leaves them in"
        detail = f": the program ran behind the end of {endless}, to where no code is"
        return detail, hint, replace(place, frames=(*place.frames[:1], endless))
    if not locator.has_returned_to(core, end.eip):
        return None
    last = locator.last_call(core)
    where = "" if last is None else f" in {last.function} or in what it calls"
    hint = f"look for a write beyond an array on the stack{where};"
    hint += " `rck cc -fstack-protector-all` finds the function"
    detail = f": a function returned to 0x{end.eip:08x}, where no code is: its return address was"
    frames = place.frames if last is None else (*place.frames[:1], last)
    return f"{detail} overwritten", hint, replace(place, frames=frames)


def _without_end(locator: Locator, program: Image, call: int | None) -> Frame | None:
    """A function of the program's own from whose last instruction execution goes on behind it.
    `call`: behind the call through a pointer that led here, which is a mistake of its own if the
    program makes it in a function that does not come next."""
    if call is not None and locator.at(call - 1).line is None:
        call = None
    for at, size, _ in program.functions:
        code = program.bytes_at(at, size) if size else b""
        if code and not any(code[-n:].startswith(ends) for n, ends in _ENDS):
            frame = locator.at(at)
            behind = min((one for one, _, _ in program.functions if one >= at + size), default=at)
            is_next = call is None or program.function_at(call - 1) == program.function_at(behind)
            if frame.line is not None and is_next:
                return frame
    return None
