"""What a run takes of the host's memory is bounded, and what was dropped is reported."""

from __future__ import annotations

import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rockcreek.consoles import console
from rockcreek.software.image import Image

Guest = Callable[..., Path]

MARKS = r"""
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
int main(void)
{
    int f = open("/dev/rckncm", O_RDWR);
    volatile unsigned *channel = mmap(0, 4096, 3, MAP_SHARED, f, 0xFA100000);
    for (unsigned i = 0; i < 100050; i++)
        channel[0x60 / 4] = i;
    printf("marked\n");
    return 0;
}
"""

GROWS = r"""
#include <stdlib.h>
#include <stdio.h>
int main(void)
{
    printf("begins\n");
    for (int i = 0;; i++) {
        char *page = malloc(1 << 20);
        if (page == NULL)
            for (;;)
                ;
        for (int at = 0; at < 1 << 20; at += 64)
            page[at] = (char)(i + at);
    }
}
"""


def test_marks(guest: Guest, run: Callable[..., Any]) -> None:
    done = run(guest(MARKS))
    assert done.code == 0, done.stderr
    assert len(done.result["marks"]) == 100_000
    assert done.result["marks"][-1]["id"] == 99_999
    assert done.result["marks_dropped"] == 50
    assert "marks: the first ones are kept, 50 more are only counted" in done.stderr


def test_a_memory_limit_keeps_what_was_computed(guest: Guest, run: Callable[..., Any]) -> None:
    done = run(guest(GROWS), "--memory-limit", "250M", "-n", "4")
    assert done.code == 71, done.stderr
    assert "begins" in done.stdout
    assert "of memory, more than 250.0 MiB (--memory-limit)" in done.stderr
    assert (done.result["end"], done.result["partial"]) == ("host-limit", True)
    assert done.result["instructions"] > 100_000


def test_a_memory_limit_is_a_size(guest: Guest, run: Callable[..., Any]) -> None:
    done = run(guest("int main(void) { return 0; }"), "--memory-limit", "much")
    assert (done.code, done.stdout) == (64, "")
    assert "'much' is not a size" in done.stderr


def packed(program: Path, declared: int) -> Image:
    """The program with a table of symbols that unpacks to 200 MB, and says `declared`."""
    data = bytearray(program.read_bytes())
    table, entry_bytes, count = (
        struct.unpack_from("<I10xHH", data, 32)[0],
        *struct.unpack_from("<HH", data, 46),
    )
    (symtab,) = [
        table + entry_bytes * n
        for n in range(count)
        if struct.unpack_from("<I", data, table + entry_bytes * n + 4)[0] == 2
    ]
    bomb = struct.pack("<III", 1, declared, 4) + zlib.compress(bytes(200 << 20))
    struct.pack_into("<I", data, symtab + 8, 0x800)  # SHF_COMPRESSED
    struct.pack_into("<II", data, symtab + 16, len(data), len(bomb))
    return Image(program, bytes(data + bomb))


@pytest.mark.parametrize("declared", [0, 3 << 30, 200 << 20])
def test_a_compressed_section_stays_small(guest: Guest, declared: int) -> None:
    image = packed(guest("int main(void) { return 0; }"), declared)
    tracemalloc.start()
    assert image.symbols == {}
    assert image.functions == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


def test_a_line_without_an_end_is_broken() -> None:
    out, err = console.Sink("stdout"), console.Sink("stderr")
    lines = console.Console(out, err, label=console.core_label(2))
    for _ in range(5):
        lines.feed([(0, 7, console.PORT_STDOUT, b"x" * (console.LONGEST_LINE // 2))])
    assert out.captured.count(b"[07] ") == out.captured.count(b"\n") == 2
    lines.finish()
    assert out.captured.count(b"x") == 5 * (console.LONGEST_LINE // 2)
