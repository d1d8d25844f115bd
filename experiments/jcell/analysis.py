"""From the counts of the simulation to the published tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

TREES = {"avl": "AVL", "rb": "RB"}
DEPTHS = (1, 3, 6)
SHOWN_HOPS = (1, 2, 3, 5)
# The transaction before the node's last one: the last one's own hits are of gap 0.
GAP = 1


@dataclass(frozen=True)
class Counts:
    """What one run printed."""

    counts: Mapping[str, int]
    longest: Mapping[int, int]
    hop_sum: Mapping[int, int]
    hops: Mapping[int, list[int]]
    gaps: list[tuple[int, int]]

    @property
    def hits(self) -> int:
        """Good and bad ones."""
        return self.counts["good"] + self.counts["bad"]

    def share(self, name: str) -> float:
        """Percent of all accesses."""
        return 100 * self.counts[name] / self.counts["accesses"]

    def best_depth(self) -> float:
        """Where writes and the ways of outdated hits cost least."""
        return math.sqrt(self.hop_sum[1] / self.counts["written"])

    def cost(self, depth: int) -> int:
        """Messages for updates and for the ways."""
        return self.counts["written"] * depth + self.hop_sum[depth]


def parse(text: str) -> Counts:
    """The counts in a guest's output.

    >>> parse("good 3 bad 1\\ndepth 1 longest 4 sum 9 hops 0 2\\ngaps 1/2 0/0\\n").hop_sum[1]
    9
    """
    first, *rest, gaps = text.splitlines()
    words = first.split()
    longest, hop_sum, hops = {}, {}, {}
    for line in rest:
        fields = line.split()
        depth = int(fields[1])
        longest[depth], hop_sum[depth] = int(fields[3]), int(fields[5])
        hops[depth] = [int(field) for field in fields[7:]]
    pairs = [pair.split("/") for pair in gaps.split()[1:]]
    return Counts(
        dict(zip(words[::2], map(int, words[1::2]), strict=True)),
        longest,
        hop_sum,
        hops,
        [(int(good), int(all_)) for good, all_ in pairs],
    )


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    found = {(TREES[run.values["tree"]], int(run.values["cache"])): parse(run.text) for run in runs}
    small = {tree: found[tree, 50] for tree in TREES.values()}
    values: dict[str, Any] = {
        "jcell-accesses": {tree: it.counts["accesses"] for tree, it in small.items()},
        "jcell-2tx": {tree: _good_after(it, GAP) for tree, it in small.items()},
        "jcell-maxchain-rb": {
            str(cache): {f"k{k}": found["RB", cache].longest[k] for k in (6, 1)}
            for cache in (50, 450)
        },
        "jcell-maxchain-avl": {str(cache): found["AVL", cache].longest[1] for cache in (50, 450)},
    }
    for name in ("good", "bad"):
        values[f"jcell-{name}"] = {
            tree: [found[tree, cache].share(name) for cache in (50, 450)] for tree in small
        }
    values["jcell-outdated"] = {
        tree: [_outdated(found[tree, cache]) for cache in (50, 450)] for tree in small
    }
    if ("RB", 150) in found:
        values["jcell-bad5"] = _outdated(found["RB", 150])
        values["jcell-avl60"] = 100 - _outdated(found["AVL", 100])
    values["jcell-table1"] = {
        f"{tree},{cache},{k}": [100 * it.hops[k][h] / it.counts["bad"] for h in SHOWN_HOPS]
        for tree in small
        for cache in (50, 450)
        for it in [found[tree, cache]]
        for k in DEPTHS
    }
    values["jcell-table2"] = {
        f"{tree},{cache}": [
            it.counts["written"],
            it.counts["bad"],
            it.hop_sum[1] / it.counts["bad"],
            it.best_depth(),
        ]
        for (tree, cache), it in found.items()
        if cache in (50, 450)
    }
    return Findings(
        values=values,
        checks=_checks(found),
        tables={"Accesses by cache": _table(found)},
        data={"messages": {f"{tree},{c}": _costs(it) for (tree, c), it in found.items()}},
    )


def _good_after(it: Counts, gap: int) -> float:
    good, hits = it.gaps[gap]
    return 100 * good / max(hits, 1)


def _outdated(it: Counts) -> float:
    return 100 * it.counts["bad"] / it.hits


def _costs(it: Counts) -> list[int]:
    return [it.cost(depth) for depth in sorted(it.hop_sum)]


def _checks(found: Mapping[tuple[str, int], Counts]) -> dict[str, Answer]:
    best = {key: min(it.hop_sum, key=it.cost) for key, it in found.items() if key[1] == 300}
    best = best or {key: min(it.hop_sum, key=it.cost) for key, it in found.items()}
    told = ", ".join(f"{tree} {depth}" for (tree, _), depth in sorted(best.items()))
    peaks = {key: max(range(13), key=it.hops[1].__getitem__) for key, it in found.items()}
    return {
        "messages are fewest at depth 3 for the AVL tree, 1 for red-black": Answer(
            all(depth == (3 if tree == "AVL" else 1) for (tree, _), depth in best.items()), told
        ),
        "most ways have two hops": Answer(
            set(peaks.values()) == {2},
            ", ".join(f"{t} {c}: {p}" for (t, c), p in sorted(peaks.items())),
        ),
    }


def _table(found: Mapping[tuple[str, int], Counts]) -> list[list[str]]:
    rows = [["tree", "cache", "good, %", "bad, %", "outdated, %", "hops, depth 1", "best depth"]]
    for (tree, cache), it in sorted(found.items()):
        mean = it.hop_sum[1] / it.counts["bad"]
        shares = [it.share("good"), it.share("bad"), _outdated(it), mean, it.best_depth()]
        rows.append([tree, str(cache), *(f"{share:.2f}" for share in shares)])
    return rows
