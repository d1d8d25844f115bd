"""`docs/fidelity/ID.md`: one page a study, with every number, made from its record."""

from __future__ import annotations

from collections.abc import Sequence

from rockcreek.formats.study import Cell, MeasuredStatement
from rockcreek.repro.pages.report import amount, number, percent
from rockcreek.repro.record import Record, commits
from rockcreek.repro.score import FITTED
from rockcreek.repro.scored import CHOSEN, KERNEL, NO_CHIP
from rockcreek.repro.standing import Standing

LETTERS = {FITTED: "f", CHOSEN: "c", NO_CHIP: "n", KERNEL: "k"}
LEFT_OUT = "a"


def study_page(name: str, here: Standing, image: str | None) -> str:
    """The page of a study as text; `image` is the link to its picture."""
    record, cells = here.records[name], here.cells[name]
    lines = [f"# {record['title']} (`{name}`)\n", record["about"].strip(), ""]
    if image:
        lines += [f"![{record['title']}]({image})", ""]
    lines += _numbers(cells, here)
    lines += _statements(record, here)
    for title, rows in record["tables"].items():
        lines += [f"{title}:\n", *table(rows[0], rows[1:])]
    lines += _made_of(name, record)
    return "\n".join(lines).rstrip() + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> list[str]:
    """A Markdown table whose first `words` columns are words and whose others are numbers."""
    rule = ["---" if column < words else "--:" for column in range(len(head))]
    return [_row(head), _row(rule), *(_row(row) for row in rows), ""]


def _row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def letters(cell: Cell, here: Standing) -> str:
    """The marks behind an entry's name: `(c, k)`, or nothing."""
    left_out = not cell["counts"] or here.listed.why_not(cell["id"], cell["cell"]) is not None
    found = [LEFT_OUT] if left_out or cell["id"] not in here.listed.cells else []
    found += [letter for mark, letter in LETTERS.items() if mark in here.marks(cell["id"])]
    return f" ({', '.join(found)})" if found else ""


def _numbers(cells: Sequence[Cell], here: Standing) -> list[str]:
    if not cells:
        return []
    lines = [
        "| entry | cell | unit | published | ours | error | demanded | verdict |",
        "| --- | --- | --- | --: | --: | --: | --: | --- |",
    ]
    lines += [
        f"| {cell['id']}{letters(cell, here)} | {cell['cell']} | {cell['unit']} "
        f"| {number(cell['published'])} | {number(cell['ours'])} "
        f"| {percent(cell['error'])} | {100 * cell['within']:.0f} % | {cell['verdict']} |"
        for cell in cells
    ]
    lines += ["", "The marks (a, c, f, k, n) are explained in [the list](list.md#marks).\n"]
    entries = {
        cell["id"]: f"{cell['quantity']} [{cell['source']}, {cell['where']}]" for cell in cells
    }
    lines += [f"- {entry}: {what}{_why(entry, cells, here)}" for entry, what in entries.items()]
    return [*lines, ""]


def _why(entry: str, cells: Sequence[Cell], here: Standing) -> str:
    """Why an entry of which a cell is missed is so, as far as that is known."""
    missed = any(cell["id"] == entry and cell["verdict"] == "missed" for cell in cells)
    return f" Missed: {here.why[entry]}." if missed and entry in here.why else ""


def _statements(record: Record, here: Standing) -> list[str]:
    if not record["statements"]:
        return []
    lines = ["| statement | here | verdict |", "| --- | --- | --- |"]
    for item in record["statements"]:
        told = item["told"].replace("\n", "<br>")
        lines.append(f"| {_statement(item, here)} | {told} | {item['verdict']} |")
    return [*lines, ""]


def _statement(item: MeasuredStatement, here: Standing) -> str:
    if not item["id"]:
        return f"demanded: {item['statement']}"
    entry = here.known.get(item["id"])
    source = f" [{entry.source}, {entry.where}]" if entry else ""
    return f"{item['id']}: {item['statement']}{source}"


def _made_of(name: str, record: Record) -> list[str]:
    """Programs, compiler, options, chip, day and commit."""
    rows = [
        [
            program,
            ", ".join(f"`{source}`" for source in made["sources"]),
            f"`{made['compiler']} {' '.join(made['flags'])}`",
        ]
        for program, made in record["programs"].items()
    ]
    return [
        "## How it was measured\n",
        f"- {amount(record)}.",
        f"- Chip: {record['chip']}.",
        f"- Compiler: {record['compiler']}.",
        f"- Measured on {record['date']} at commit {commits(record)}.",
        f"- Again: `rck repro {name}` (the programs are in `experiments/{name}`).\n",
        *table(["program", "sources", "compiled by"], rows, words=3),
    ]
