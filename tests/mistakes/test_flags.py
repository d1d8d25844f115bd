"""A program that is seen to reset flags is not watched call by call, which would cost its run."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockcreek.ranks import flags_of_rcce
from rockcreek.software.image import Image

BASE = 0x08050000
CALL = bytes.fromhex("e8 00100000")
UNSET = {
    "mov [esp],ecx; movl 0,4(esp); mov [esp+8],eax": "890c24 c744240400000000 89442408",
    "push edi; push 0; lea eax,[ebp-16]; push eax": "57 6a00 8d45f0 50",
    "push 1; push 0; push ebx": "6a01 6a00 53",
    "push 1; push 0; push flag": "6a01 6a00 6800000508",
    "push 1; push 0; lea eax,[esp+20]; push eax": "6a01 6a00 8d442414 50",
}
OTHERS = {
    "movl 1,4(esp)": "890c24 c744240401000000 89442408",
    "for UE 0: push 0; push 1; lea eax,[ebp-16]; push eax": "6a00 6a01 8d45f0 50",
    "for UE 0: push 0; push 1; push ebx": "6a00 6a01 53",
    "a state that is not in the code: push 1; push eax; push ebx": "6a01 50 53",
}


class Bytes(Image):
    """Code without a file."""

    def bytes_at(self, address: int, length: int) -> bytes:
        return self.data[address - BASE :][:length]


def is_unset(code: str) -> bool:
    data = bytes(40) + bytes.fromhex(code) + CALL
    return flags_of_rcce.writes_unset(Bytes(Path("code"), data), BASE + len(data))


@pytest.mark.parametrize("code", UNSET.values(), ids=UNSET)
def test_a_call_that_resets_a_flag_is_seen(code: str) -> None:
    assert is_unset(code)


@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS)
def test_other_calls_are_not_taken_for_one(code: str) -> None:
    assert not is_unset(code)
