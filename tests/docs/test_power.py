"""docs/chip/power.md against the chip description: each parameter with its value."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/chip/power.md").read_text(encoding="utf-8")
CHIP = tomllib.loads((ROOT / "machine/presets/scc.toml").read_text(encoding="utf-8"))
TABLES = ("core", "tile", "router", "memory", "system", "clocks")
MILLIVOLTS_A_LEVEL = 6.25


def test_the_page_has_every_parameter_and_no_other() -> None:
    told = re.findall(r"^\| `(\w+\.\w+)` \| ([\d,]+) (\w+) \|", PAGE, re.M)
    here = [
        (f"{table}.{name}", f"{entry['value']:,}", entry["unit"])
        for table in TABLES
        for name, entry in CHIP["power"][table].items()
    ]
    assert told == here


def test_the_page_has_the_voltages_that_clocks_need() -> None:
    told = re.findall(r"^\| (\d+) MHz.*?\| (\d\.\d) V \|", PAGE, re.M)
    rows = CHIP["power"]["needs"]
    assert [(int(mhz), float(volts)) for mhz, volts in told] == [
        (row["mhz"], row["level"] * MILLIVOLTS_A_LEVEL / 1000) for row in rows
    ]
