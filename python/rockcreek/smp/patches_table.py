"""`rck smp --patches`: which instructions of a guest's kernel are replaced, and which are not."""

from __future__ import annotations

from collections import Counter

from rockcreek.smp import sensitive
from rockcreek.smp.kernel_file import Kernel


def text(kernel: Kernel) -> str:
    """A table, then a line for each kind that was left."""
    rows = [
        (f"{site.address:08x}", site.symbol, site.text, site.before.hex(" "), site.after.hex(" "))
        for site in kernel.sites
        if site.is_replaced
    ]
    head = ("address", "in", "instruction", "bytes", "in its place")
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    lines = [
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *rows)
    ]
    kinds = Counter(site.mnemonic for site in kernel.sites)
    lines += ["", f"{len(rows)} replaced in {kernel.version}"]
    lines += [
        f"{kinds[name]:6}  {name}: {why}"
        for name, why in (*sensitive.REPLACED.items(), *sensitive.LEFT.items())
        if kinds[name]
    ]
    return "\n".join(lines)
