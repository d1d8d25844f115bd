"""Every function, macro and type of the published interfaces is there, as it was."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "interface.toml").read_text())
STRICT = ["-Werror", "-Wall", "-Wincompatible-pointer-types", "-Wno-unused-variable"]


def program(part: dict[str, Any]) -> str:
    """A program that names everything in the table."""
    lines = [f'#include "{header}"' for header in part["headers"]]
    for name, value in part.get("macros", {}).items():
        lines.append(f'_Static_assert({name} == {value}, "{name}");')
    lines.append("int RCCE_APP(int argc, char **argv)\n{")
    for number, (name, prototype) in enumerate(part.get("functions", {}).items()):
        # RCCE_init is also a macro with arguments: the parentheses ask for the function.
        lines.append(f"    {prototype.replace('(*)', f'(*volatile f{number})', 1)} = ({name});")
        lines.append(f"    if (!f{number})\n        return 1;")
    for name, of in part.get("types", {}).items():
        typed = "_Generic" + f"(({of} *)0, __typeof__({name}) *: 1)"
        lines.append(f'    _Static_assert({typed}, "{name}");')
    for name, members in part.get("members", {}).items():
        lines.append(f"    {{\n        {name} x;")
        lines += [f"        (void)x.{member};" for member in members]
        lines.append("    }")
    return "\n".join([*lines, "    return 0;\n}\n"])


@pytest.mark.parametrize("name", TABLE)
def test_interface(name: str, compile_guest: Callable[..., Path], tmp_path: Path) -> None:
    part = TABLE[name]
    source = tmp_path / f"{name}.c"
    source.write_text(program(part))
    compile_guest(source, [*STRICT, *part["flags"], *part["libraries"]])


def test_a_wrong_prototype_is_noticed(compile_guest: Callable[..., Path], tmp_path: Path) -> None:
    part = TABLE["basic"] | {"functions": {"RCCE_ue": "int (*)(char *)"}}
    source = tmp_path / "wrong.c"
    source.write_text(program(part))
    with pytest.raises(AssertionError):
        compile_guest(source, [*STRICT, *part["libraries"]])
