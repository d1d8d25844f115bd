"""What the checker has found, as a result holds it."""

from __future__ import annotations

from collections.abc import Sequence

from rockcreek.checking import blocks, kinds, memory, signals, threads
from rockcreek.checking.blocks import BLOCK, Blocks
from rockcreek.checking.fold import by_kind, fold
from rockcreek.checking.places import Places
from rockcreek.checking.suppressions import Suppressions
from rockcreek.chip import Chip
from rockcreek.formats.engine import RawFinding
from rockcreek.formats.findings import Check, Named, Order, numbered, titled
from rockcreek.software.image import Image

SCHEMA_NAME = "rockcreek-check"
SCHEMA_VERSION = 1
_NOBODY = 0xFFFF
# Functions by which a program marks what orders its cores (rck_check.h).
_RELEASE, _ACQUIRE = "rck_check_release", "rck_check_acquire"


def begin(
    chip: Chip,
    cores: Sequence[int],
    program: Image,
    *,
    coherence: bool,
    races: bool | None,
    blocks_too: bool,
) -> None:
    """Checks a chip that is about to run a program: its coherence, its races, its blocks."""
    if coherence:
        _begin_coherence(chip, cores, program, races=races)
    if blocks_too:
        memory.watch(chip, cores, program)


def follow_values(chip: Chip, cores: Sequence[int], kernel: Image, program: Image) -> None:
    """Also looks for values that were never written, and for pointers that leave their block."""
    memory.follow_values(chip, cores, kernel, program)


def _begin_coherence(
    chip: Chip, cores: Sequence[int], program: Image, *, races: bool | None
) -> None:
    if races:
        threads.refuse_older(program, "races")
    own = bool(races) and threads.is_watched(program)
    releases, acquires, events = (
        [program.symbols[name]] if wanted and name in program.symbols else []
        for name, wanted in ((_RELEASE, True), (_ACQUIRE, True), (threads.EVENT, own))
    )
    watched = program.returns_from(blocks.ALLOCATORS)
    # Of a program of threads the layer's own accesses say nothing.
    everywhere = races and not own
    chip.start_check(cores, releases, acquires, watched, events, races=everywhere)
    if own:
        threads.watch(chip, program)


def collect(
    chip: Chip,
    kernel: Image,
    program: Image,
    suppressions: Suppressions | None = None,
) -> Check:
    """All findings, with names. Those that are suppressed, and those that came after the checker's
    places were full (`dropped`), are only counted; so is what the checker has `forgotten`."""
    places = Places(chip, kernel, program)
    told = chip.check_findings()
    allocated = Blocks(chip, places, (raw["victim"] for raw in told if raw["kind"] == BLOCK))
    named = [_finding(raw, places, allocated) for raw in told if raw["kind"] != BLOCK]
    waits = signals.waits(named)
    libraries = Suppressions.of_libraries()
    all_findings = fold(
        by_kind,
        (
            titled(one, kinds.title(one), kinds.remedy(one))
            for one in named
            if not signals.is_meant(one, waits) and not libraries.match(one)
        ),
    )
    races, races_dropped = chip.program_races()
    all_findings += threads.findings(races, places, program)
    mistakes, mistakes_dropped = memory.findings(chip, places, program)
    all_findings += mistakes
    known = suppressions or Suppressions(())
    kept = [finding for finding in all_findings if not known.match(finding)]
    return {
        "schema": {"name": SCHEMA_NAME, "version": SCHEMA_VERSION},
        "findings": [numbered(n, finding) for n, finding in enumerate(kept, 1)],
        "suppressed": len(all_findings) - len(kept),
        "dropped": chip.check_findings_dropped() + races_dropped + mistakes_dropped,
        "forgotten": chip.check_forgotten(),
        "own_run": False,
    }


def _finding(raw: RawFinding, places: Places, allocated: Blocks) -> Named:
    victim = places.site(raw["victim"])
    holder = raw["culprit"]["core"]
    lock = raw["kind"] in (signals.LOCK_MISUSE, signals.LOCK_READ)
    culprit = None if lock and holder == _NOBODY else places.site(raw["culprit"])
    order: Order | None = None
    if (edge := raw["order"]) is not None:
        order = {
            "kind": edge["kind"],
            "released": places.site(edge["released"]),
            "acquired": places.site(edge["acquired"]),
        }
    what = (
        places.lock(raw["unit"])
        if lock
        else places.owner(raw["unit"], raw["offset"], victim["address"])
    )
    place = None if lock else places.memory(raw["unit"], raw["offset"], victim["address"])
    return {
        "kind": signals.LOCK_MISUSE if lock and signals.releases(victim) else raw["kind"],
        "what": what,
        "block": None if place is None else allocated.of(*place, victim["time_ps"]),
        "unit": raw["unit"],
        "offset": raw["offset"],
        "victim": victim,
        "culprit": culprit,
        "level": raw["level"],
        "since_ps": raw["since_ps"],
        "order": order,
        "count": raw["count"],
    }
