"""The names of pages that moved: of a small System.map, and of what hypervisors write."""

from __future__ import annotations

import pytest

from rockcreek.smp import page_names, pages_table
from rockcreek.smp.page_names import FREED, OTHER, Names

MAP = """\
00100000 A phys_startup_32
c0100000 T _text
c0100000 T _stext
c0100010 T spin
c0101800 D small
c0101810 D large
c0102ff0 D reaches
c0104000 D __init_begin
c0104000 d once
c0105000 D __per_cpu_start
c0105000 D runqueue
c0106000 d timers
c0107000 D __per_cpu_end
c0107000 D __init_end
c0107000 B one
c0107004 B two
c0107008 B three
c010700c B four
c0107010 B five
c0107014 B six
c0107018 B seven
c0108000 B _end
"""
# Copies of 2 pages, at C0C00800 and, since each has room for 4, at C0C04800.
BASES = {0: 0xC0C00800 - 0xC0105000, 1: 0xC0C04800 - 0xC0105000}


@pytest.fixture
def names() -> Names:
    known = page_names.read(MAP)
    assert known is not None
    return Names(known, BASES)


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (0x100000, "spin, _text"),
        (0x101000, "spin, large, small"),
        (0x102000, "large, reaches"),
        (0x103000, "reaches"),
        (0x107000, "seven, one, two, three, four and 2 more"),
        (0x104000, FREED),
        (0x106000, FREED),
        (0x000000, OTHER),
        (0x108000, OTHER),
        (0xBFF000, OTHER),
        (0xC00000, "processor 0's own: runqueue"),
        (0xC01000, "processor 0's own: runqueue, timers"),
        (0xC02000, "processor 0's own: timers"),
        (0xC03000, "processor 0's own, taken while Linux runs"),
        (0xC05000, "processor 1's own: runqueue, timers"),
        (0xC09000, OTHER),
    ],
)
def test_what_lives_in_a_page(names: Names, page: int, told: str) -> None:
    assert names.page(page) == told


LINES = """\
rockyvisor: processor 0 has FS at 00afb800
rockyvisor: processor 1 has FS at 00aff800
rockyvisor: page 00101000: 10 reads, 2 writes, 300 K cycles, last at c0100014
rockyvisor: page 00c05000: 1 reads, 0 writes, 350 K cycles, last at 08048000
rockyvisor: page 00101000: 1 reads, 5 writes, 100 K cycles, last at c0100020
a line of another
""".splitlines()


def test_a_table_of_all_cores() -> None:
    own = "processor 1's own: runqueue, timers"
    assert pages_table.text(LINES, MAP).splitlines() == [
        "page      cores  reads  writes  K cycles  last at                what",
        "00101000      2     11       7       400  spin+0x4               spin, large, small",
        f"{'00c05000      1      1       0       350  08048000 of a program':63}  {own}",
    ]


@pytest.mark.parametrize("of_another", [None, "c0100000 T _text\n"])
def test_without_a_map_pages_have_addresses_alone(of_another: str | None) -> None:
    head, first, _ = pages_table.text(LINES, of_another).splitlines()
    assert head.endswith("what")
    assert first == "00101000      2     11       7       400  c0100014"


def test_no_page_moved() -> None:
    assert "no core waited" in pages_table.text([], MAP)
