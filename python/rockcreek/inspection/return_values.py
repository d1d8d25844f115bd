"""Does a program look at what a call returned? By the instructions behind the call."""

from __future__ import annotations

import re

from rockcreek.software.image import Image

_LONGEST = 15  # bytes of an instruction
_MOST = 24  # instructions behind a call that are read
_EAX = re.compile(r"\b(e?ax|a[lh])\b")
# Instructions that write EAX and read nothing of it, if their source does not name it.
_WRITES = re.compile(r"^(mov|movzx|movsx|lea) eax,(?P<source>.*)|^(pop eax|xor eax,eax)$")
_JUMP = re.compile(r"j\w+ (?:short |near )?(?:ptr )?(?P<target>[0-9A-Fa-f]+)h")
_CALL = 0xE8
_INDIRECT, _CALL_OF_INDIRECT = 0xFF, 0x10


def called_at(image: Image, back: int) -> str | None:
    """The function that the call before a return address calls by its name."""
    code = image.bytes_at(back - 5, 5)
    if len(code) < 5 or code[0] != _CALL:
        return None
    return image.function_at((back + int.from_bytes(code[1:], "little", signed=True)) & 0xFFFFFFFF)


def is_through_a_pointer(image: Image, back: int) -> bool:
    """Whether the call before a return address is one through a pointer."""
    code = image.bytes_at(back - 7, 7)
    return len(code) == 7 and any(
        code[-n] == _INDIRECT and code[1 - n] & 0x38 == _CALL_OF_INDIRECT for n in (2, 3, 6, 7)
    )


def is_ignored(image: Image, back: int) -> bool:
    """Whether EAX is overwritten before anything reads it, whatever way the program goes; in doubt
    it is not."""
    ways, seen = [back], set[int]()
    while ways:
        at = ways.pop()
        while at not in seen:
            seen.add(at)
            text, length = _instruction(image, at)
            known = _says(text) if len(seen) <= _MOST else False
            if known is False:
                return False
            if known is True:
                break
            at += length
            if text.startswith("j"):
                target = _JUMP.fullmatch(text)
                if target is None:
                    return False
                ways.append(int(target["target"], 16))
                if text.startswith("jmp"):
                    break
    return True


def _says(text: str) -> bool | None:
    """Whether an instruction overwrites EAX (true) or may read it (false); None: neither."""
    if not text or text.startswith(("ret", "iret", "int")):
        return False
    if text.startswith("call"):
        # A call through EAX reads it; any other one leaves something else there.
        return _EAX.search(text) is None
    written = _WRITES.match(text)
    if written is not None and not _EAX.search(written["source"] or ""):
        return True
    if _EAX.search(text) or text in ("cwde", "cdq", "cwd", "cbw"):
        return False
    return None


def _instruction(image: Image, at: int) -> tuple[str, int]:
    """An instruction's text, and its length: that of the shortest code with this text."""
    from rockcreek import _native

    code = image.bytes_at(at, _LONGEST)
    text = _native.disassemble(code, at) if code else ""
    if not text or text == "(bad)":
        return "", 0
    lengths = (n for n in range(1, len(code) + 1) if _native.disassemble(code[:n], at) == text)
    return text, next(lengths, 0)
