"""`--profile-host`: where the host's time goes, and which instructions leave translated code.

Counts do not vary from run to run; times are samples of the program counter, one each millisecond
of processor time, or as often as the system's clock allows. Neither changes a result of the run.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rockcreek.chip import Chip
from rockcreek.errors import UsageError
from rockcreek.formats.host_profile import (
    EngineProfile,
    Instructions,
    NotTranslated,
    Share,
    Translator,
)
from rockcreek.formats.host_profile import HostProfile as Document
from rockcreek.results import host_ledger

PERIOD_US = 1000
# Lines of each table that people see; the JSON has all.
SHOWN = 12

TRANSLATED = "translated code"
PYTHON = "Python"
SYSTEM = "C library, system calls"
OTHER = "other libraries"

# The kind of work by the source file of the engine: the first prefix that fits. Files of crates
# come without their version.
_KINDS = (
    ("crates/cpu/src/translator/run.rs", "calls from translated code"),
    ("crates/cpu/src/translator/access/fast_access.rs", "calls from translated code"),
    ("crates/cpu/src/translator/regions/indirect_targets.rs", "calls from translated code"),
    ("crates/cpu/src/translator/x64/stubs/enter_leave.rs", "calls from translated code"),
    ("crates/cpu/src/translator/", "translation"),
    ("crates/cpu/src/frontend/decoded_code.rs", "decoding"),
    ("crates/cpu/src/frontend/decode.rs", "decoding"),
    ("iced-x86/", "decoding"),
    ("dynasmrt/", "translation"),
    ("crates/x87/", "x87 arithmetic"),
    ("crates/cpu/src/units/tlb/mod.rs", "paging, access to memory"),
    ("crates/cpu/src/memory/paging.rs", "paging, access to memory"),
    ("crates/cpu/src/access", "paging, access to memory"),
    ("crates/cpu/src/run_ahead/checkpoint.rs", "windows and waiting"),
    ("crates/cpu/src/fast_forward/poll_loop.rs", "windows and waiting"),
    ("crates/cpu/", "interpreter"),
    ("crates/cache/src/array/journal.rs", "windows and waiting"),
    ("crates/cache/", "caches: misses, refill, write-combine buffer"),
    ("crates/chip/src/fast_forward/", "windows and waiting"),
    ("crates/host/", "file service"),
    ("crates/board/", "transactions: board"),
    ("crates/mesh/", "transactions: mesh"),
    ("crates/tile/", "transactions: tile"),
    ("crates/memory/", "transactions: memory controllers"),
    ("crates/engine/", "order of events"),
    ("crates/chip/", "order of events"),
    ("crates/", "other parts of the engine"),
)


def kind_of(file: str | None) -> tuple[str, str]:
    """The kind of work of a source file, and the file's name in the tables."""
    if file is None:
        return "engine, source not known", "?"
    path = file.replace("\\", "/")
    if "/registry/src/" in path:
        crate, _, rest = path.split("/registry/src/", 1)[1].partition("/")[2].partition("/")
        path = f"{crate.rpartition('-')[0]}/{rest}"
    elif "crates/" in path:
        path = path[path.rindex("crates/") :]
    elif "/library/" in path:
        path = path.rpartition("/library/")[2]
    for prefix, kind in _KINDS:
        if path.startswith(prefix):
            return kind, path
    return OTHER, path


@dataclass
class HostProfile:
    """Watches this process from its making to `finish`."""

    chip: Chip
    _sampler: Any = field(init=False)
    _begin: tuple[float, float] = field(init=False)
    _before: int = field(init=False)

    def __post_init__(self) -> None:
        from rockcreek import _native

        self.chip.set_profiling(True)
        self._before = self._executed(self.chip.profile())
        self._begin = (time.process_time(), time.monotonic())
        try:
            self._sampler = _native.Sampler(PERIOD_US)
        except OSError as error:
            raise UsageError(
                f"--profile-host: {error}",
                hint="on Linux x86-64 and aarch64 it works; run without it here",
            ) from error

    def collect(self) -> None:
        """Takes the samples so far."""
        self._sampler.collect()

    def finish(self) -> Document:
        """The value of `profile` under `host` in a result."""
        places = self._sampler.finish()
        cpu_s = time.process_time() - self._begin[0]
        wall_s = time.monotonic() - self._begin[1]
        kinds, files = _sorted_out(places)
        samples = sum(kinds.values())
        instructions, translator, not_translated = self._counts()
        ledger = host_ledger.counts(instructions, translator, self.chip.statistics())
        return {
            "period_us": PERIOD_US,
            "samples": samples,
            "cpu_s": round(cpu_s, 3),
            "wall_s": round(wall_s, 3),
            "work": _shares(kinds, samples, cpu_s),
            "files": _shares(files, samples, cpu_s),
            "ledger": host_ledger.ledger(ledger, cpu_s),
            "instructions": instructions,
            "translator": translator,
            "not_translated": not_translated,
        }

    def _executed(self, counted: EngineProfile) -> int:
        """Executions that were finished so far, also those that were undone."""
        return self.chip.instructions + counted["undone"] - counted["skipped"]

    def _counts(self) -> tuple[Instructions, Translator, dict[str, NotTranslated]]:
        """All instructions, what the translator did, and the rest by kind of instruction."""
        counted = self.chip.profile()
        rows: dict[str, NotTranslated] = {
            name: {"interpreted": interpreted, "stepped": stepped, "missed": missed}
            for name, (interpreted, stepped, missed) in counted["instructions"].items()
        }
        left = sum(map(_all, rows.values())) - counted["unfinished"]
        ordered = sorted(rows.items(), key=lambda row: (-_all(row[1]), row[0]))
        return (
            {
                "translated": self._executed(counted) - self._before - left,
                "interpreted": sum(row["interpreted"] for row in rows.values()),
                "stepped": sum(row["stepped"] for row in rows.values()),
                "missed": sum(row["missed"] for row in rows.values()),
                "skipped": counted["skipped"],
                "again": counted["undone"] + counted["unfinished"],
            },
            {
                "stays": counted["stays"],
                "unfinished": counted["unfinished"],
                "regions": counted["regions"],
                "code_bytes": counted["code_bytes"],
                "refused": counted["refused"],
            },
            dict(ordered),
        )


def _all(row: NotTranslated) -> int:
    return row["interpreted"] + row["stepped"] + row["missed"]


def _sorted_out(places: list[tuple[str, int, int]]) -> tuple[Counter[str], Counter[str]]:
    """Samples by kind of work, and by source file of the engine."""
    from rockcreek import _native

    engine = Path(_native.__file__).resolve()
    kinds: Counter[str] = Counter()
    files: Counter[str] = Counter()
    ours: list[tuple[int, int]] = []
    for name, offset, count in places:
        if not name:
            kinds[TRANSLATED] += count
        elif Path(name).resolve() == engine:
            ours.append((offset, count))
        elif any(part in Path(name).name for part in ("libc", "libm", "vdso", "ld-", "libpthread")):
            kinds[SYSTEM] += count
        else:
            kinds[PYTHON] += count
    names = _native.source_files(engine.read_bytes(), [offset for offset, _ in ours])
    for (_, count), file in zip(ours, names, strict=True):
        kind, path = kind_of(file)
        kinds[kind] += count
        files[path] += count
    return kinds, files


def _shares(counts: Counter[str], samples: int, cpu_s: float) -> list[Share]:
    return [
        {"name": name, "samples": count, "cpu_s": round(cpu_s * count / samples, 3)}
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def describe(profile: Document) -> str:
    """The tables for a terminal."""
    samples = max(profile["samples"], 1)
    times = f"{profile['cpu_s']:.2f} s of processor time in {profile['wall_s']:.2f} s"
    lines = [
        f"rck: host profile: {times}, {profile['samples']:,} samples",
        *host_ledger.describe(profile["ledger"]),
        *_table("work", profile["work"], samples),
        *_table("engine's source files", profile["files"][:SHOWN], samples),
    ]
    counts, translator = profile["instructions"], profile["translator"]
    ways = {
        "translated": counts["translated"],
        "interpreted": counts["interpreted"],
        "stepped": counts["stepped"],
        "missed": counts["missed"],
        "skipped": counts["skipped"],
    }
    total = max(sum(ways.values()), 1)
    lines.append("     instructions: " + ", ".join(
        f"{name} {count:,} ({100 * count / total:.1f} %)" for name, count in ways.items()
    ) + f"; of them again {counts['again']:,}")  # fmt: skip
    lines.append(
        f"     translator: {translator['regions']:,} regions, {translator['code_bytes']:,} bytes, "
        f"{translator['refused']:,} places refused, entered {translator['stays']:,} times, "
        f"{translator['unfinished']:,} times left inside an instruction"
    )
    rows = list(profile["not_translated"].items())[:SHOWN]
    if rows:
        lines.append(f"       {'interpreted':>13} {'stepped':>13} {'missed':>13}  instruction")
    for name, row in rows:
        lines.append(
            f"       {row['interpreted']:13,} {row['stepped']:13,} {row['missed']:13,}  {name}"
        )
    return "\n".join(lines)


def _table(title: str, rows: list[Share], samples: int) -> list[str]:
    return [
        f"     {title}:",
        *(
            f"       {100 * row['samples'] / samples:5.1f} % {row['cpu_s']:9.3f} s  {row['name']}"
            for row in rows
        ),
    ]
