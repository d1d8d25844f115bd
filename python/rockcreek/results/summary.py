"""The one summary of a run, on stderr."""

from __future__ import annotations

from rockcreek.results import energy
from rockcreek.results.result import END_UNTIL, Result
from rockcreek.units import format_ps, format_slowdown


def summarize(result: Result) -> str:
    """Simulated time, wall time, MIPS, slowdown, messages, cache misses, exit codes."""
    host, totals = result.host, result.totals
    count = len(result.cores)
    plural = "core" if count == 1 else "cores"
    messages = "message" if totals["messages"] == 1 else "messages"
    own_ps = result.time_ps - host.began_ps
    speed = f"{host.mips:.1f} MIPS, {format_slowdown(host.wall_s, own_ps)}"
    counts = (
        f"{result.instructions:,} instructions, {totals['messages']:,} {messages}, "
        f"{totals['mesh_packets']:,} mesh packets"
    )
    misses = (
        f"L1I {totals['l1i_misses']:,}, L1D {totals['l1d_misses']:,}, L2 {totals['l2_misses']:,}"
    )
    ended = f" (partial: {result.end})" if result.partial else ""
    last = f", {format_ps(own_ps)} of it" if host.began_ps else ""
    simulated = f"{format_ps(result.time_ps)} simulated{last} in {host.wall_s:.2f} s"
    power = "" if result.energy is None else f"{energy.tell(result.energy)}\n"
    return stuck(result) + (
        f"{_region(result)}"
        f"rck: {count} {plural}: {simulated}, {speed}\n"
        f"     {counts}; misses: {misses}\n"
        f"{power}"
        f"     exit codes: {_exit_codes(result)}{ended}"
    )


def _region(result: Result) -> str:
    """The part of the run that the program's author means, before the whole of it."""
    roi = result.roi
    if roi is None:
        return ""
    misses, power = roi["totals"], roi.get("energy")
    joules = f", {power['total_fj'] * 1e-15:.3g} J" if power else ""
    return (
        f"rck: {roi['name']}: {format_ps(roi['time_ps'])}, {roi['instructions']:,} instructions;"
        f" misses: L1I {misses['l1i_misses']:,}, L1D {misses['l1d_misses']:,},"
        f" L2 {misses['l2_misses']:,}{joules}\n"
    )


def stuck(result: Result) -> str:
    """The waits at the end of `--until` that can never end.

    Other ends of a run are errors, whose messages contain the waits.
    """
    waiting = result.waiting or {"findings": []}
    certain = [found for found in waiting["findings"] if found["certain"]]
    if result.end != END_UNTIL or not certain:
        return ""
    return "".join(f"rck: {line}\n" for line in waiting["text"]) + f"hint: {certain[0]['hint']}\n"


def _exit_codes(result: Result) -> str:
    groups: dict[str, list[int]] = {}
    for core in result.cores:
        if core.reason == "exit":
            text = str(core.exit_code)
        elif core.reason == "signal":
            text = str(core.signal)
        else:
            text = core.reason
        groups.setdefault(text, []).append(core.core)
    parts = []
    for text, cores in groups.items():
        named = f"core {cores[0]}" if len(cores) == 1 else f"{len(cores)} cores"
        parts.append(f"{text} ({named})")
    return ", ".join(parts)
