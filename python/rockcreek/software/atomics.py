"""Instructions that lock nothing between cores, in programs whose threads run on several.

The bus lock of an i586 is its own core's: on memory that cores share by copies (systems/crf,
`rck cc -pthread`) an atomic instruction changes the copy alone. A program that has one is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from rockcreek.errors import InputError

from .image import Image

FIRST, LAST = "crf_text_first", "crf_text_last"  # around the program's own code
LONGEST = 15  # bytes of an instruction
BEGINNINGS = b"\xf0\x86\x87"  # the prefix LOCK, and XCHG, which needs none
TOLD = 3


def refuse_locked(image: Image) -> None:
    """Refuse a program of threads that has atomic instructions in its own code."""
    first, last = (image.symbols.get(name, 0) for name in (FIRST, LAST))
    if first >= last:
        return
    functions = sorted({first, *(a for a in image.symbols.values() if first < a < last)})
    found = list(locked(image.bytes_at(first, last - first), first, functions))
    if not found:
        return
    places = []
    addresses = [address for address, _ in found[:TOLD]]
    for (address, text), (name, file, line) in zip(
        found, image.lines.places(addresses), strict=False
    ):
        where = f"{name} ({file}:{line})" if file else name or f"{address:#010x}"
        places.append(f"`{text}` in {where}")
    more = f" and {len(found) - TOLD} more" if len(found) > TOLD else ""
    raise InputError(
        f"{image.path}: atomic instructions lock nothing between cores: {', '.join(places)}{more}",
        path=str(image.path),
        hint="compile with -pthread, which makes calls of the compiler's atomic operations, or use "
        "a mutex; threads run on one core each",
    )


def locked(code: bytes, start: int, functions: list[int]) -> Iterator[tuple[int, str]]:
    """Address and text of each atomic instruction; functions are read from their start on, and
    only those in which some byte looks like the beginning of one."""
    from rockcreek import _native

    for place in range(len(functions)):
        begin = functions[place] - start
        end = functions[place + 1] - start if place + 1 < len(functions) else len(code)
        if any(_atomic(_native.disassemble(code[at : at + LONGEST], 0)) for at in range(begin, end)
               if code[at] in BEGINNINGS):  # fmt: skip
            yield from _in_function(code[begin:end], start + begin)


def _in_function(code: bytes, start: int) -> Iterator[tuple[int, str]]:
    at = 0
    while at < len(code):
        length, text = _instruction(code[at : at + LONGEST], start + at)
        if _atomic(text):
            yield start + at, text
        at += length


def _instruction(code: bytes, address: int) -> tuple[int, str]:
    """The length and the text of the first instruction."""
    from rockcreek import _native

    for length in range(1, len(code) + 1):
        text = _native.disassemble(code[:length], address)
        if text != "(bad)":
            return length, text
    return 1, "(bad)"


def _atomic(text: str) -> bool:
    return text.startswith("lock ") or (text.startswith("xchg ") and "[" in text)
