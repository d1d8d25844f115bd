"""What a run lost its time to: each cause with the share of the time that it explains.

Every rule looks at one thing and may find nothing; what it says names the numbers that it saw. The
thresholds are shares of the run's time: what is below them is not worth anybody's work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypedDict

from rockcreek.deadlocks.calls import Kind
from rockcreek.why import shared_lines
from rockcreek.why.measures import Measures
from rockcreek.why.shared_lines import SharedLine
from rockcreek.why.waits import Wait

# Shares of the run's time from which on a cause is reported.
LEAST = 0.10
# A clock below this part of the usual one is slow.
_SLOW = 0.9
# A controller is full if it is busy for so long, or its queue makes so much of the waiting; it is
# hot if the mean of the others is busy for less than this part of it.
_BUSY, _QUEUED, _OTHERS = 0.9, 0.3, 0.5
# A core has work if it works for this part of the time of the core that works most.
_HAS_WORK = 0.85
# Faults of a core's own start; what comes beyond them is of its program.
_FAULTS_OF_START = 200
# CRF opens pages in any program of threads, for less than this part of the time.
_SHARED = 0.2
# What makes other causes, and what is left when all of them are taken away.
_FIRST, _LAST = ("slow-tile", "false-sharing", "sharing"), ("work",)
# Functions by which the models of shared memory move pages and lines between cores.
SHARING = {
    "svm_owner_acquire": "the strong model took pages from other cores",
    "crf_open_for_writing": "CRF opened pages for writing",
}


class Values(TypedDict, total=False):
    """The numbers that a cause names; shares are of the run's time."""

    mhz: float
    usual_mhz: float
    controller: int
    busy: float
    queued: float
    calls: int
    call: str
    lines: list[int]  # addresses
    lost_writes: int
    function: str


class CauseDocument(Values):
    """A cause as `--json` prints it."""

    kind: str
    share: float
    text: str
    hint: str
    cores: list[int]


@dataclass(frozen=True)
class Cause:
    """One cause."""

    kind: str
    share: float  # of the run's time
    text: str
    hint: str
    cores: tuple[int, ...] = ()  # those that are to blame
    values: Values = field(default_factory=Values)

    def to_dict(self) -> CauseDocument:
        return {
            "kind": self.kind,
            "share": round(self.share, 6),
            "text": self.text,
            "hint": self.hint,
            "cores": list(self.cores),
            **self.values,
        }


@dataclass(frozen=True)
class Evidence:
    """What is known of a run; None: it was not recorded."""

    run: Measures
    label: Callable[[int], str]
    waits: list[Wait] | None = None
    functions_ps: dict[str, int] | None = None  # of all cores, with what they call
    calls: dict[str, int] | None = None  # of --messages
    lines: list[SharedLine] = field(default_factory=list)  # of --check coherence


def find(seen: Evidence) -> list[Cause]:
    """The causes, the one that explains most first."""
    found = [cause for rule in _RULES for cause in rule(seen)]
    slow = {core for cause in found if cause.kind == "slow-tile" for core in cause.cores}
    # Cores that others wait for because of their clock have no more work than others.
    found = [one for one in found if one.kind != "imbalance" or not slow & set(one.cores)]
    order = {**dict.fromkeys(_FIRST, 0), **dict.fromkeys(_LAST, 2)}
    return sorted(found, key=lambda cause: (order.get(cause.kind, 1), -cause.share))


def _cores(seen: Evidence, numbers: list[int]) -> str:
    if len(numbers) > 6:
        return f"{len(numbers)} cores ({', '.join(map(seen.label, numbers[:4]))}, ...)"
    word = "core" if len(numbers) == 1 else "cores"
    return f"{word} {', '.join(map(seen.label, numbers))}"


def percent(share: float) -> str:
    """
    >>> percent(0.4567), percent(0.004)
    ('46 %', '0.4 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.0095 or share == 0 else f"{100 * share:.1f} %"


def _slow_tiles(seen: Evidence) -> Iterator[Cause]:
    usual = seen.run.usual_mhz
    if usual is None:
        return
    slow = [one for one in seen.run.cores if one.mhz is not None and one.mhz < _SLOW * usual]
    others = [one for one in seen.run.cores if one not in slow]
    waited = fmean(one.waiting for one in others) if others else 0.0
    if not slow or waited < LEAST:
        return
    least = min(one.mhz or usual for one in slow)
    tiles = ", ".join(sorted({one.tile for one in slow}))
    yield Cause(
        "slow-tile",
        min(waited, 1 - least / usual),
        f"{_cores(seen, [one.core for one in slow])} (tile {tiles}) ran at {least:.0f} MHz in the"
        f" mean, most cores at {usual:.0f}; the others waited for {percent(waited)} of the time",
        "raise the clock of that tile (its divider, or the voltage that bears a higher clock), or"
        " give its cores less work",
        tuple(one.core for one in slow),
        {"mhz": round(least, 3), "usual_mhz": round(usual, 3)},
    )


def _imbalance(seen: Evidence) -> Iterator[Cause]:
    cores = seen.run.cores
    if len(cores) < 2:
        return
    working = {one.core: one.working for one in cores}
    if seen.waits is not None:
        # A trace knows better than counters when a core waited for another one.
        working = {one.core: 1.0 - one.ended for one in cores}
        for wait in seen.waits:
            working[wait.core] -= wait.late_ps / seen.run.time_ps
    most = max(working.values())
    lost = most - fmean(working.values())
    if lost < LEAST:
        return
    busy = [core for core, share in working.items() if share >= _HAS_WORK * most]
    rest = [core for core in working if core not in busy]
    waited = 1.0 - fmean(working[core] for core in rest)
    last = _last_ones(seen)
    often = f"; {last}" if last else ""
    alone = len(busy) == 1
    hint = (
        "divide that core's work, or let it work while the others do"
        if alone
        else "divide the work in equal parts, or let cores take the next piece when they are done"
    )
    yield Cause(
        "imbalance",
        lost,
        f"{_cores(seen, busy)} worked for {percent(fmean(working[core] for core in busy))} of the"
        f" time, while the other {len(rest)} waited for {percent(waited)} of it{often}",
        f"{hint}: with equal work the run would take about {percent(1 - lost)} of its time",
        tuple(busy),
    )


def _last_ones(seen: Evidence) -> str:
    """A sentence about the core that was late at barriers most; empty without a trace."""
    late = [one for one in seen.waits or () if one.kind is Kind.BARRIER and one.late_ps > 0]
    if not late:
        return ""
    ps: Counter[int] = Counter()
    for one in late:
        if one.partner is not None:
            ps[one.partner] += one.late_ps
    (core, waited), *_ = ps.most_common(1)
    return (
        f"core {seen.label(core)} caused {percent(waited / sum(ps.values()))} of the waiting at"
        " barriers by coming last"
    )


def _controllers(seen: Evidence) -> Iterator[Cause]:
    units = seen.run.controllers
    hot = max(units, key=lambda one: (one.busy, one.waited), default=None)
    waited = seen.run.mean("memory")
    if hot is None or waited < LEAST:
        return
    others = [one for one in units if one is not hot]
    usual = fmean(one.busy for one in others) if others else hot.busy
    is_full = hot.busy > _BUSY or hot.queued > _QUEUED
    values: Values = {
        "controller": hot.number,
        "busy": round(hot.busy, 6),
        "queued": round(hot.queued, 6),
    }
    if is_full and usual < _OTHERS * hot.busy:
        yield Cause(
            "hot-controller",
            max(hot.waited, hot.busy * waited),
            f"memory controller {hot.number} was busy for {percent(hot.busy)} of the time, the"
            f" others for {percent(usual)}; cores waited for it for {percent(hot.waited)} of"
            f" the time, {percent(hot.queued)} of that in its queue",
            "spread the data over the controllers (private memory lies at the one of the core's"
            " quadrant, so spread the cores, too), or read less: blocks that fit the caches",
            values=values,
        )
        return
    misses = sum(one.misses for one in seen.run.cores)
    thousands = sum(one.instructions for one in seen.run.cores) / 1000
    yield Cause(
        "memory-bandwidth" if is_full else "memory-latency",
        waited,
        f"cores waited for memory for {percent(waited)} of the time: {misses / thousands:.1f} L2"
        f" misses in 1,000 instructions, controllers busy for up to {percent(hot.busy)}",
        "work on blocks that fit the caches, and read memory in order; `rck whatif RUN --l2 512K`"
        " shows what a larger L2 would bring",
        values=values,
    )


def _barriers(seen: Evidence) -> Iterator[Cause]:
    """The cost of barriers themselves, beside waiting for the last one."""
    if seen.waits is None:
        yield from _flags(seen)
        return
    calls = [one for one in seen.waits if one.kind is Kind.BARRIER]
    cost = sum(one.cost_ps for one in calls) / (seen.run.time_ps * len(seen.run.cores))
    if cost < LEAST:
        return
    name, _ = Counter(one.name for one in calls).most_common(1)[0]
    each = len(calls) / len(seen.run.cores)
    yield Cause(
        "serial-barrier",
        cost,
        f"barriers themselves took {percent(cost)} of the time, even after the last core had come:"
        f" {name}, {each:,.0f} times on each core",
        _BARRIER_HINT,
        values={"calls": len(calls), "call": name},
    )


_BARRIER_HINT = (
    "do more work between barriers, or use one whose steps grow with the logarithm of the cores"
    " (RCCE_coll_barrier of RCCE_collectives.h) instead of with their number"
)


def _flags(seen: Evidence) -> Iterator[Cause]:
    """Waiting that no core is to blame for, of runs without a trace."""
    cores = seen.run.cores
    shares = [one.polling for one in cores]
    even = min(shares)
    if even < LEAST:
        return
    barriers = {name: n for name, n in (seen.calls or {}).items() if "barrier" in name.lower()}
    calls = sum(barriers.values())
    told = ", ".join(f"{name} {n / len(cores):,.0f} times" for name, n in barriers.items())
    yield Cause(
        "serial-barrier" if calls > len(cores) else "synchronisation",
        fmean(shares),
        f"all cores looked at flags in message buffers for {percent(even)} of the time or more"
        + (f"; each called {told}" if told else ""),
        _BARRIER_HINT,
        values={"calls": calls},
    )


def _messages(seen: Evidence) -> Iterator[Cause]:
    pairs: Counter[tuple[int, int, str]] = Counter()
    for one in seen.waits or ():
        if one.kind not in (Kind.BARRIER, Kind.LOCK) and one.partner is not None:
            pairs[one.core, one.partner, one.name] += one.late_ps
    share = pairs.total() / (seen.run.time_ps * len(seen.run.cores))
    if share < LEAST:
        return
    (core, partner, name), ps = pairs.most_common(1)[0]
    yield Cause(
        "late-messages",
        share,
        f"cores waited in messages for {percent(share)} of the time; most of all core"
        f" {seen.label(core)} in {name} for core {seen.label(partner)}, {ps / 1e9:.3f} ms",
        "send earlier, receive later, or do other work meanwhile (iRCCE_isend, iRCCE_irecv)",
        (partner,),
    )


def _locks(seen: Evidence) -> Iterator[Cause]:
    registers = seen.run.mean("registers")
    locks = [one for one in seen.waits or () if one.kind is Kind.LOCK]
    time_ps = seen.run.time_ps * len(seen.run.cores)
    share = max(registers, sum(one.end_ps - one.begin_ps for one in locks) / time_ps)
    if share < LEAST:
        return
    names = Counter(one.name for one in locks).most_common(1)
    named = f", in {names[0][0]} {names[0][1]:,} times" if names else ""
    yield Cause(
        "lock",
        share,
        f"cores waited for locks for {percent(share)} of the time{named}",
        "hold the lock for less, take it less often, or have one lock for each part of the data",
    )


def _shared_lines(seen: Evidence) -> Iterator[Cause]:
    """Two cores in one line of a cache: what the run lost is data, and time only beside that."""
    if seen.lines:
        lost = sum(line.lost for line in seen.lines)
        yield Cause(
            "false-sharing",
            max(LEAST, seen.run.mean("memory")),
            f"{'; '.join(shared_lines.told(seen.lines, seen.label))}: caches wrote back old bytes"
            f" beside the new ones, and {lost:,} writes of the other core were lost",
            "give each core's data lines of its own (a multiple of 32 bytes, aligned to 32)",
            tuple(sorted({core for line in seen.lines for core in line.cores})),
            {"lines": [line.address for line in seen.lines], "lost_writes": lost},
        )


def _sharing(seen: Evidence) -> Iterator[Cause]:
    cores = seen.run.cores
    if seen.functions_ps is None:
        faults = [one for one in cores if one.faults > _FAULTS_OF_START and one.interrupts > 100]
        if len(faults) * 2 > len(cores):
            count = fmean(one.faults for one in faults)
            yield Cause(
                "sharing",
                max(LEAST, seen.run.mean("memory")),
                f"{_cores(seen, [one.core for one in faults])} had {count:,.0f} page faults each,"
                " with interrupts of other cores: pages probably go from core to core",
                "run again with --trace to see how long that takes",
            )
        return
    time_ps = seen.run.time_ps * len(cores)
    for name, what in SHARING.items():
        share = seen.functions_ps.get(name, 0) / time_ps
        if share >= _SHARED:
            yield Cause(
                "false-sharing",
                share,
                f"{what} for {percent(share)} of the time ({name}): several threads write to one"
                " page or line, if only to different parts of it",
                "give each thread's data a page of its own (4,096 bytes, aligned), or add up in a"
                " local variable and write the sum once",
                values={"function": name},
            )


def _board(seen: Evidence) -> Iterator[Cause]:
    share = seen.run.mean("board")
    if share >= LEAST:
        yield Cause(
            "board",
            share,
            f"cores waited for the board (output, files, the host channel) for {percent(share)} of"
            " the time",
            "write less, and in larger pieces; read files once",
        )


def _work(seen: Evidence) -> Iterator[Cause]:
    """What is left: instructions."""
    share = fmean(
        max(0.0, one.working - one.memory - one.mpb - one.board) for one in seen.run.cores
    )
    if share >= 0.5:
        yield Cause(
            "work",
            share,
            f"cores executed instructions for {percent(share)} of the time",
            "use more cores, or less work: `rck run --profile FILE` shows its lines",
        )


_RULES = (
    _slow_tiles, _imbalance, _controllers, _barriers, _messages, _locks, _shared_lines, _sharing,
    _board, _work,
)  # fmt: skip
