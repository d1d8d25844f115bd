"""The findings as text: one screen or less for each."""

from __future__ import annotations

from rockcreek.checking import blocks
from rockcreek.checking.kinds import RACES, kind_of, say
from rockcreek.checking.kinds.sites import name, own_frame, value, where
from rockcreek.formats.findings import Check, Finding, Order, Site
from rockcreek.units import format_ps

_MOST = 20  # findings that are printed in full
_BY = {
    "value": "wrote what core {core} read",
    "lock": "released the lock that core {core} then took",
    "taken": "took the lock that core {core} then found taken",
    "counter": "changed the counter that core {core} then read",
    "interrupt": "interrupted core {core}",
    "mark": "released the mark that core {core} acquired",
}


def tell(check: Check, *, file: str | None = None) -> str:
    """All findings, and how to hear more of one."""
    findings = check["findings"]
    suppressed = check["suppressed"]
    also = f" ({suppressed} suppressed)" if suppressed else ""
    notes = []
    if dropped := check.get("dropped"):
        notes.append(f"rck: check: no place for {dropped:,} more findings, they are only counted")
    if forgotten := check.get("forgotten"):
        notes.append(
            f"rck: check: {forgotten:,} reads, marks and possible races were more than the checker"
            " keeps; what concerns them may be missing here"
        )
    if not findings:
        return "\n".join([f"rck: check: no findings{also}", *notes])
    races = sum(finding["kind"] in RACES for finding in findings)
    also = (f", {races} of them races" if races else "") + also
    lines = [f"rck: check: {len(findings)} finding{'s' if len(findings) > 1 else ''}{also}"]
    for finding in findings[:_MOST]:
        lines += describe(finding)
    if len(findings) > _MOST:
        lines.append(f"rck: and {len(findings) - _MOST} more: --json FILE has all")
    lines += notes
    if file is not None:
        lines.append(f"rck: `rck explain {file}#1` explains the first finding")
    return "\n".join(lines)


def describe(finding: Finding) -> list[str]:
    """One finding: what, the two accesses, what ordered them, what to do."""
    often = f" ({finding['count']:,} times)" if finding["count"] > 1 else ""
    lines = [f"rck: #{finding['number']} {finding['kind']}: {finding['title']}{often}"]
    victim, culprit, kind = finding["victim"], finding["culprit"], kind_of(finding)
    lines.append(_row(say(kind.first, finding), victim))
    if kind.victim_cache is not None:
        since = format_ps(finding["since_ps"])
        lines[-1] += f", from {finding['level']}, which has the line since {since}"
    if culprit is not None and (culprit["frames"] or culprit.get("end")):
        lines.append(_row(kind.second, culprit))
    if finding["order"] is not None and kind.is_ordered:
        lines += _order(finding["order"])
    if kind.late is not None and finding["order"] is not None:
        lines.append(_row(f"read {kind.late}", finding["order"]["acquired"]))
    if finding["block"] is not None:
        lines.append(f"     {'memory':<13} {blocks.tell(finding['block'])}")
    lines.append(f"hint: {finding['remedy']}")
    return lines


def _row(word: str, site: Site) -> str:
    frames, own = site["frames"], own_frame(site)
    at = "in" if site.get("end") is None else "at"
    through = ""
    if frames and own is not frames[0]:
        through = f", in {name(frames[0])}"
    access = site.get("access", "")
    word = access if access.startswith("atomic") else word
    parts = [] if site["value"] is None else [value(site)]
    parts += [f"{site['size']} bytes", site.get("thread", site["memory_type"])]
    what = "" if access == "call" else f": {', '.join(parts)}"
    return (
        f"     {word:<13} core {site['core']:02} {at} {where(site)}{through}{what},"
        f" at {format_ps(site['time_ps'])}"
    )


def _order(order: Order) -> list[str]:
    released, acquired = order["released"], order["acquired"]
    how = _BY[order["kind"]].format(core=f"{acquired['core']:02}")
    by = f" in {name(own_frame(released))}" if released["frames"] else ""
    at = f" in {name(own_frame(acquired))}" if acquired["frames"] else ""
    return [
        f"     in order      core {released['core']:02}{by} at {format_ps(released['time_ps'])}",
        f"                   {how}{at} at {format_ps(acquired['time_ps'])}",
    ]
