"""Where the cores that others wait for spend their cycles, from a profile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rockcreek.formats.cycle_profile import Place, Profile


def hottest(profile: Profile, cores: Collection[int], most: int = 3) -> list[str]:
    """The lines of program and kernel on which these cores spent most: `12.3 %: main (a.c:7)`."""
    spent: Counter[int] = Counter()
    for row in profile["rows"]:
        if row["core"] in cores:
            spent[row["place"]] += sum(row["causes"].values())
    total = sum(spent.values())
    return [
        f"{100 * cycles / total:.1f} % in {_name(profile['places'][place])}"
        for place, cycles in spent.most_common(most)
    ]


def _name(place: Place) -> str:
    function = place["function"] or "?"
    where = f" ({place['file']}:{place['line']})" if place["line"] is not None else ""
    kernel = " of the kernel" if place["image"] == "kernel" else ""
    return f"{function}{where}{kernel}"
