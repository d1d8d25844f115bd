"""A search of the planner over time: each rank's open list, and h_add of what it expands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rockcreek.outputs import Output
from rockcreek.planning.records import NEVER, Record, split
from rockcreek.plot import style

_SIZE = (7.2, 5.4)
_MOST_NAMED = 8  # ranks in a legend
_NS_A_MS = 1e6


def save(records: Sequence[Record], beside: Sequence[Record], to: Output, theme: str) -> None:
    """Draw the records; with those of another search, colours say what both have expanded."""

    def draw(figure: Any) -> None:
        above, below = figure.subplots(2, 1, sharex=True)
        _open_lists(above, records)
        if beside:
            both, alone = split(records, beside)
            _marks(below, alone, f"expanded by this search alone: {len(alone):,}")
            _marks(below, both, f"expanded by both searches: {len(both):,}")
            below.legend(fontsize=8)
        else:
            for rank in _ranks(records):
                _marks(below, [r for r in records if r.rank == rank and r.what == "expand"], None)
        above.set_ylabel("states in the open list")
        below.set_ylabel("h_add of expanded states")
        below.set_xlabel("time of the search, ms")
        for axes in (above, below):
            axes.grid(visible=True)

    style.save(to, _SIZE, theme, draw)


def _ranks(records: Sequence[Record]) -> list[int]:
    return sorted({one.rank for one in records})


def _open_lists(axes: Any, records: Sequence[Record]) -> None:
    ranks = _ranks(records)
    for rank in ranks:
        own = [one for one in records if one.rank == rank]
        times = [one.ns / _NS_A_MS for one in own]
        lengths = [one.open for one in own]
        axes.step(times, lengths, where="post", linewidth=1, label=f"rank {rank}")
    if len(ranks) <= _MOST_NAMED:
        axes.legend(fontsize=8)


def _marks(axes: Any, records: Sequence[Record], label: str | None) -> None:
    drawn = [one for one in records if one.h != NEVER]
    axes.plot(
        [r.ns / _NS_A_MS for r in drawn], [r.h for r in drawn], ".", markersize=3, label=label
    )
