"""Rules that a chip description may choose: each acts on a whole chip, alike in every way.

What they do to the caches of one core: crates/cpu/tests/chip_variants.rs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chip.test_ways import EXECUTED, INTERPRETED, ends

TESTS = Path(__file__).resolve().parents[1]
Compile = Callable[..., Path]

WIDE_L2 = """
[cache]
l2_size = { value = 32768, unit = "bytes", source = ["rockcreek"] }
l2_ways = { value = 16, unit = "ways", source = ["rockcreek"] }
"""


def chip(folder: Path, choice: str, more: str = "") -> str:
    """The path of a description that takes one alternative."""
    parameter, name = choice.split(" = ")
    path = folder / f"{name}.toml"
    chosen = f'[setup]\nchoose = {{ "{parameter}" = "{name}" }}\n'
    path.write_text(f'schema = 1\nbase = "scc"\nname = "x"\ntitle = "X"\n{more}{chosen}')
    return str(path)


def mesh(statistics: dict[str, Any]) -> tuple[list[int], dict[str, int]]:
    """Packets by hops, and the flits of each direction's links."""
    links = statistics["mesh"]["link_flits"]
    return statistics["mesh"]["packets_by_hops"], {
        way: [link[way] for link in links] for way in links[0]
    }


def test_packets_go_along_the_column_first(compile_guest: Compile, tmp_path: Path) -> None:
    program = compile_guest(TESTS / "chip" / "waits.c", ["-O2", "-lrcce"])
    way = {"n": 48, "until_ps": 1_400_000_123}
    (scc,) = ends(program, **way)
    yx, *others = ends(
        program,
        EXECUTED,
        INTERPRETED,
        {"threads": 2},
        chip=chip(tmp_path, "topology.routing = yx"),
        **way,
    )
    for other in others:
        assert other == yx
    (_, before), (hops, after) = mesh(scc[-1]), mesh(yx[-1])
    assert sum(hops[2:]) > 0, "packets turn corners"
    # Controllers are on the edge: X first, packets to them pass the outer columns; Y first, rows.
    assert before != after
    assert scc[2] != yx[2]


@pytest.mark.parametrize(
    ("source", "setting"),
    [("hot.c", {"n": 2, "until_ps": 5_000_000_123}), ("rewrites.c", {"n": 4})],
)
def test_stores_that_allocate_are_alike_in_every_way(
    compile_guest: Compile, tmp_path: Path, source: str, setting: dict[str, Any]
) -> None:
    program = compile_guest(TESTS / "chip" / source, ["-O2", "-lrcce"])
    (scc,) = ends(program, **setting)
    allocating = chip(tmp_path, "cache.l2_store_miss = allocate")
    ordinary, *others = ends(program, INTERPRETED, {"threads": 2}, chip=allocating, **setting)
    assert others == [ordinary, ordinary]
    assert fills(ordinary) > fills(scc)


def test_sixteen_ways_of_true_lru_are_alike_in_every_way(
    compile_guest: Compile, tmp_path: Path
) -> None:
    program = compile_guest(TESTS / "chip" / "lines_in_turn.c", ["-O2", "-lrcce"])
    lru = chip(tmp_path, "cache.l2_replacement = lru", WIDE_L2)
    ordinary, *others = ends(program, INTERPRETED, {"threads": 2}, n=2, chip=lru)
    assert others == [ordinary, ordinary]


def fills(end: tuple[Any, ...]) -> int:
    """Lines that L2 fetched."""
    return sum(core["cache"]["l2_fills"] for core in end[-1]["cores"])
