"""Writes the guide's references, of the definitions themselves: nothing in them is typed twice."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docs.site import headers

import rockcreek
from rockcreek.cli import manual
from rockcreek.resources import preset_folder

ROOT = Path(__file__).resolve().parents[2]


def write_all(out: Path, guest_pages: list[str]) -> None:
    """Every reference, below `out/reference`; the guest's own pages stand beside its headers."""
    folder = out / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    _commands(folder)
    (folder / "python.md").write_text(python_page(), encoding="utf-8")
    headers.write(folder, guest_pages)
    _registers(folder)
    (folder / "chip-parameters.md").write_text(chip_page(), encoding="utf-8")


def toctree(names: Iterable[str]) -> str:
    """The pages below a page."""
    lines = "\n".join(names)
    return f"\n```{{toctree}}\n:titlesonly:\n\n{lines}\n```\n"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table.

    >>> print(table(["a", "b"], [[1, "x|y"]]))
    | a | b |
    | --- | --- |
    | 1 | x\\|y |
    <BLANKLINE>
    """
    head = list(head)
    lines = [head, ["---"] * len(head)]
    lines += [[" ".join(str(cell).replace("|", "\\|").split()) for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _commands(folder: Path) -> None:
    pages = manual.pages()
    for page in pages[1:]:
        (folder / f"{page.file_name}.md").write_text(command_page(page), encoding="utf-8")
    text = "# Commands\n\n" + command_page(pages[0]).split("\n", 1)[1]
    text += "\n`rck man --output DIR` writes the same as man pages, `rck completion SHELL` what a "
    text += "shell needs to complete them.\n"
    (folder / "commands.md").write_text(
        text + toctree(page.file_name for page in pages[1:]), encoding="utf-8"
    )


def command_page(page: manual.Page) -> str:
    """A command as Markdown."""
    text = f"# {page.name}\n\n```text\n{page.name} {page.usage}\n```\n"
    text += "".join(map(_paragraph, page.text))
    if page.options:
        rows = [(f"`{flags}`", told.replace("<", "&lt;")) for flags, told in page.options]
        text += "\n" + table(["option", "meaning"], rows)
    if page.commands:
        text += "\n" + table(["command", ""], [(f"`{name}`", told) for name, told in page.commands])
    return text + "".join(map(_paragraph, page.epilog))


def _paragraph(text: str) -> str:
    return f"\n```text{text}\n```\n" if text.startswith("\n") else f"\n{text}\n"


def python_page() -> str:
    """The names of the package, their documentation read by autodoc."""
    kinds: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in rockcreek.__all__:
        thing = getattr(rockcreek, name)
        if inspect.isclass(thing):
            is_error = issubclass(thing, BaseException)
            kinds["Errors" if is_error else "Classes"].append(_autodoc(name, is_error))
        elif callable(thing):
            kinds["Functions"].append(f".. autofunction:: rockcreek.{name}\n")
    text = "# Python\n\nHow they are used: [from Python](../guide/python.md).\n"
    for kind, entries in kinds.items():
        body = "\n".join(entries)
        text += f"\n## {kind}\n\n```{{eval-rst}}\n{body}```\n"
    return text


def _autodoc(name: str, is_error: bool) -> str:
    if is_error:
        return f".. autoexception:: rockcreek.{name}\n   :no-index:\n"
    members = "   :members:\n   :inherited-members:\n"
    return f".. autoclass:: rockcreek.{name}\n{members}"


def _registers(folder: Path) -> None:
    paths = sorted((ROOT / "machine/registers").glob("*.toml"))
    names = []
    for path in paths:
        block = tomllib.loads(path.read_text(encoding="utf-8"))
        names.append(f"registers-{path.stem}".replace("_", "-"))
        (folder / f"{names[-1]}.md").write_text(register_page(block), encoding="utf-8")
    text = "# Registers\n\nBlock by block, as `machine/registers` has them, of which the engine is "
    text += (
        "generated and the guests' `scc/registers.h`. Status: modelled, stored (and nothing else), "
    )
    text += "or ignored.\n"
    (folder / "registers.md").write_text(text + toctree(names), encoding="utf-8")


def register_page(block: dict[str, Any]) -> str:
    """The registers of one block."""
    text = f"# {block['title']}\n\nSources: {', '.join(block.get('source', []))}.\n"
    for one in block["register"]:
        text += f"\n## {one['name']}\n\n{_sentence(one.get('title', ''))}"
        where = f"0x{one['offset']:04X}" if isinstance(one.get("offset"), int) else "see the table"
        if one.get("count", 1) > 1:
            where += f", {one['count']} of them, 0x{one.get('stride', 0):X} apart"
        reset = one.get("reset")
        told = [f"Offset {where}", f"{one.get('width', 32)} bits", str(one.get("access", ""))]
        told += [f"reset 0x{reset:X}"] if isinstance(reset, int) else []
        text += "; ".join([*told, str(one.get("status", ""))]) + ".\n"
        if fields := one.get("fields"):
            rows = [
                (
                    _bits(f),
                    f"`{f['name']}`",
                    f.get("access", ""),
                    f.get("status", ""),
                    f.get("title", ""),
                )
                for f in fields
            ]
            text += "\n" + table(["bits", "field", "access", "status", ""], rows)
    return text


def _sentence(title: str) -> str:
    return f"{title}.\n\n" if title else ""


def _bits(field: dict[str, Any]) -> str:
    low, high = field["lsb"], field["lsb"] + field["bits"] - 1
    return str(low) if low == high else f"{high}:{low}"


def chip_page() -> str:
    """Every number of the SCC's description."""
    description = tomllib.loads((preset_folder() / "scc.toml").read_text(encoding="utf-8"))
    rows = [
        (
            f"`{key}`",
            f"{n['value']}",
            n.get("unit", ""),
            n.get("note", ""),
            ", ".join(n.get("source", [])),
        )
        for key, n in numbers(description)
    ]
    text = "# Chip parameters\n\nWhat `--chip` may change "
    text += "(see [chip descriptions](../guide/chip-description.md)), with the "
    text += "values of the SCC and the keys of their sources in `docs/sources.bib`.\n\n"
    return text + table(["parameter", "value", "unit", "note", "source"], rows)


def numbers(value: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries `{ value, unit, source }` of a description, by their full name."""
    for key, inner in value.items():
        where = f"{path}.{key}" if path else key
        if isinstance(inner, dict) and "value" in inner:
            yield where, inner
        elif isinstance(inner, dict):
            yield from numbers(inner, where)
