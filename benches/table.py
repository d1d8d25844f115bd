"""The results as a table on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from benches import demands
from benches.demands import Document, Unmeasured
from benches.page import number


def show(document: Document, console: Console) -> None:
    """Three tables: programs with peers, programs of the whole chip, what is asked."""
    tools = list(document["tools"])
    try:
        programs = demands.compared(document)
    except Unmeasured:
        programs = []
    if programs:
        table = Table("program", "rck MIPS", "rck s", title="one busy core")
        for tool in tools:
            table.add_column(f"times {tool}", justify="right")
        for name in programs:
            ratios = [number(demands.ratio(document, name, tool)) for tool in tools]
            table.add_row(name, *_speed(document, name), *ratios)
        means = [number(demands.mean_ratio(document, tool)) for tool in tools]
        table.add_row("geometric mean", "", "", *means, end_section=True)
        console.print(table)
    rest = [name for name in document["programs"] if name not in programs]
    if rest:
        table = Table("program", "rck MIPS", "rck s", "Mtransactions/s", title="the whole chip")
        for name in rest:
            rate = number(demands.transactions(document, name))
            table.add_row(name, *_speed(document, name), rate)
        console.print(table)
    if document["settings"]["quick"]:
        console.print("The quick form tells that all runs; its figures mean nothing.")
        return
    table = Table("figure", "asked", "measured", "", title="what is asked")
    for finding in demands.findings(document):
        demand = finding.demand
        asked = f"{'≥' if demand.at_least else '≤'} {demand.asked:g} {demand.unit}"
        value = finding.why if finding.value is None else number(finding.value)
        table.add_row(demand.about, asked, value, finding.verdict)
    console.print(table)


def _speed(document: Document, name: str) -> tuple[str, str]:
    return number(demands.mips(document, name)), number(demands.best(document, name))
