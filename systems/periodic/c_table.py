"""A table as a C file."""

from __future__ import annotations


def c_file(lines: list[str]) -> str:
    """The lines, as the bare-metal programs include them."""
    text = "\n".join(lines).replace(", \\\n\n", ",\n\n")
    return f"/* Made by periodic.py: do not edit. */\n/* clang-format off */\n{text}\n\n"
