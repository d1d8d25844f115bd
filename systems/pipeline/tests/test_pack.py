"""What pack wrote, read again on the host: decrypted, unpacked, checked."""

from __future__ import annotations

import subprocess
import zlib
from pathlib import Path

import pytest

import ready
from guest_programs import RCK, ROOT, SYSTEMS

PROGRAMS = SYSTEMS / "pipeline" / "programs"
CORES = "10-13"
MASK = 0xFFFFFFFF


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program."""
    program = tmp_path_factory.mktemp("pack") / "pack"
    sources = sorted(str(path) for path in PROGRAMS.glob("pack*.c"))
    ready.rck("cc", "-O2", *sources, "-lpipeline", "-lrcce", "-o", program, check=True)
    return program


@pytest.mark.parametrize("memory", ["private", "apart", "uncached", "cached"])
def test_a_file_comes_back(pack: Path, tmp_path: Path, memory: str) -> None:
    """Text that shrinks, and bytes that do not."""
    plain = (ROOT / "GLOSSARY.md").read_bytes()[:9000] + bytes(
        (i * i >> 3 ^ i * 77) & 255 for i in range(3000)
    )
    (tmp_path / "in").write_bytes(plain)
    subprocess.run(
        [
            *(*RCK, "run", "-q", "--cores", CORES, "--share", str(tmp_path)),
            *(str(pack), memory, "snake", "2048", "/in", "/out"),
        ],
        check=True,
        capture_output=True,
    )
    packed = (tmp_path / "out").read_bytes()
    assert len(packed) < len(plain) * 0.8
    assert unpack(packed) == plain


def test_chacha_of_the_specification() -> None:
    """The first block of the published example: our reader is no accomplice of the program."""
    block = chacha_block(bytes(range(32)), 1, (0x09000000, 0x4A000000, 0))
    assert block[:8] == bytes.fromhex("10f1e7e4d13b5915")


def unpack(packed: bytes) -> bytes:
    """The file that pack read."""
    plain, number = b"", 0
    while packed:
        before, stored, crc = (int.from_bytes(packed[i : i + 4], "little") for i in (0, 4, 8))
        chunk, packed = packed[12 : 12 + stored], packed[12 + stored :]
        chunk = decrypt(chunk, number)
        if stored != before:
            chunk = expand(chunk)
        assert (len(chunk), zlib.crc32(chunk)) == (before, crc)
        plain, number = plain + chunk, number + 1
    return plain


def decrypt(data: bytes, number: int) -> bytes:
    """ChaCha20 with pack's key and nonces."""
    stream = b"".join(
        chacha_block(bytes(range(32)), i, (number, 0, 0)) for i in range(len(data) // 64 + 1)
    )
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))


def chacha_block(key: bytes, counter: int, nonce: tuple[int, int, int]) -> bytes:
    """One block of RFC 8439."""
    words = [int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4)]
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *words, counter, *nonce]
    state = start.copy()
    rounds = [(i, 4 + i, 8 + i, 12 + i) for i in range(4)]
    rounds += [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for _ in range(10):
        for a, b, c, d in rounds:
            for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                state[x] = (state[x] + state[y]) & MASK
                value = state[z] ^ state[x]
                state[z] = (value << bits | value >> (32 - bits)) & MASK
    return b"".join(
        ((a + b) & MASK).to_bytes(4, "little") for a, b in zip(state, start, strict=True)
    )


def expand(block: bytes) -> bytes:
    """An LZ4 block."""
    out, i = bytearray(), 0
    while True:
        token, i = block[i], i + 1
        count, i = _length(block, i, token >> 4)
        out, i = out + block[i : i + count], i + count
        if i == len(block):
            return bytes(out)
        distance, i = int.from_bytes(block[i : i + 2], "little"), i + 2
        match, i = _length(block, i, token & 15)
        for _ in range(match + 4):
            out.append(out[-distance])


def _length(block: bytes, i: int, length: int) -> tuple[int, int]:
    if length == 15:
        while block[i] == 255:
            length, i = length + 255, i + 1
        length, i = length + block[i], i + 1
    return length, i
