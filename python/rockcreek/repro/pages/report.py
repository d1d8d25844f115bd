"""A study's result for people: published, ours, error, verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rockcreek.formats.study import Result, Work


def number(value: float | None) -> str:
    """A number with the digits that matter.

    >>> number(97.6), number(0.0558), number(372361), number(None)
    ('97.6', '0.0558', '372361', '-')
    """
    if value is None:
        return "-"
    if float(value).is_integer() and abs(value) < 1e12:
        return str(int(value))
    return f"{value:.4g}" if abs(value) < 10**4 else f"{value:.0f}"


def percent(error: float | None) -> str:
    """A signed error.

    >>> percent(-0.0312), percent(None)
    ('-3.1 %', '-')
    """
    return "-" if error is None else f"{100 * error:+.1f} %"


def amount(result: Work) -> str:
    """The amount of work of a result or a record, in words."""
    return (
        f"{result['runs']} runs, {result['simulated_ps'] / 1e12:.3f} s simulated, "
        f"{result['instructions'] / 1e6:.0f} million instructions"
    )


def told(result: Result) -> str:
    """The result as `rck repro` prints it."""
    lines = [f"{result['study']}: {result['title']}"]
    cells, statements = result["cells"], result["statements"]
    if cells:
        head = ("id", "cell", "published", "ours", "unit", "error", "verdict")
        rows = [
            (
                cell["id"],
                cell["cell"],
                number(cell["published"]),
                number(cell["ours"]),
                cell["unit"],
                percent(cell["error"]),
                cell["verdict"],
            )
            for cell in cells
        ]
        lines += lines_of_table([head, *rows])
    for item in statements:
        name = f"{item['id']}: " if item["id"] else ""
        lines.append(f"  {item['verdict']}: {name}{item['statement']}")
        lines += [f"    {line}" for line in item["told"].splitlines()]
    for title, table in result["tables"].items():
        lines += [f"  {title}", *lines_of_table(table)]
    lines.append(f"  {amount(result)}")
    return "\n".join(lines)


def lines_of_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text in columns, each line indented."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        lines.append("  " + "  ".join(padded).rstrip())
    return lines
