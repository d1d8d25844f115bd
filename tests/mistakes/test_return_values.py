"""Whether a program looks at what a call returns is found in the instructions behind the call."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockcreek.inspection import return_values
from rockcreek.software.image import Image

BASE = 0x08050000
# Behind a call: what reads EAX first, or what overwrites it.
LOOKED_AT = {
    "test eax,eax": "85c0",
    "mov [ebp-4],eax": "8945fc",
    "mov ebx,eax": "89c3",
    "ret, which hands it on": "c3",
    "add esp,16; cmp eax,1": "83c410 83f801",
    "jmp short +1; nop; test eax,eax": "eb01 90 85c0",
    "movzx eax,al": "0fb6c0",
    "call eax": "ffd0",
    "je +1, where EAX is looked at": "7401 c3 31c0",
}
IGNORED = {
    "mov eax,1": "b801000000",
    "xor eax,eax": "31c0",
    "mov eax,[ebp-4]": "8b45fc",
    "call to another function": "e800000000",
    "add esp,16; lea eax,[ebp-8]": "83c410 8d45f8",
    "jmp short +1; nop; pop eax": "eb01 90 58",
    "je +2: overwritten on both ways": "7402 31c0 b801000000",
    "cmp [n],0; jne to the call; xor eax,eax": "833d0000050800 75f7 31c0",
}


class Bytes(Image):
    """Code without a file."""

    def bytes_at(self, address: int, length: int) -> bytes:
        return self.data[address - BASE : address - BASE + length]


def ignored(code: str) -> bool:
    return return_values.is_ignored(Bytes(Path("code"), bytes.fromhex(code) + bytes(32)), BASE)


@pytest.mark.parametrize("code", LOOKED_AT.values(), ids=LOOKED_AT)
def test_what_is_read_is_looked_at(code: str) -> None:
    assert not ignored(code)


@pytest.mark.parametrize("code", IGNORED.values(), ids=IGNORED)
def test_what_is_overwritten_is_ignored(code: str) -> None:
    assert ignored(code)
