"""Variables that several files define without a value: one, as for compilers before GCC 10.

Clang makes a definition of each, and the linker refuses the second. (With -fcommon there is only
one, but then every such variable is found by its own address, in all programs.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import object_files as objects

COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
DUPLICATE = re.compile(r"duplicate symbol: (.*)")
ALIGNMENT = 32  # at least what any type needs: a line of the caches


def twice(words: str) -> list[str]:
    """What the linker says is defined more than once."""
    return list(dict.fromkeys(DUPLICATE.findall(COLOUR.sub("", words))))


def variables(names: list[str], inputs: Iterable[str]) -> dict[str, tuple[int, int]]:
    """The largest size of each variable, and its alignment; nothing if one of them has a value."""
    found: dict[str, tuple[int, int]] = {}
    wanted = set(names)
    for data in _objects(inputs):
        for symbol in objects.symbols(data):
            if symbol.name not in wanted or not symbol.section or symbol.weak:
                continue
            if symbol.section != objects.SHN_COMMON and objects.has_contents(data, symbol):
                return {}
            size, _ = found.get(symbol.name, (0, 0))
            found[symbol.name] = (max(size, symbol.size), ALIGNMENT)
    return found if found.keys() == wanted else {}


def _objects(inputs: Iterable[str]) -> Iterator[bytes]:
    for path in map(Path, inputs):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if objects.is_archive(data):
            yield from (
                body for _, body in objects.members(path, data) if body.startswith(objects.ELF)
            )
        elif data.startswith(objects.ELF):
            yield data


def assembly(variables: dict[str, tuple[int, int]]) -> str:
    """Definitions of variables without a value, by size and alignment."""
    lines = [".bss\n"]
    for name, (size, alignment) in variables.items():
        lines.append(f'.balign {alignment}\n.globl "{name}"\n.type "{name}", @object\n')
        lines.append(f'.size "{name}", {size}\n"{name}":\n.zero {size}\n')
    return "".join([*lines, '.section .note.GNU-stack, "", @progbits\n'])
