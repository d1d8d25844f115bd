"""The chip description as the front end needs it: what it is called and which cores it has.

The engine parses and checks the whole description (and names the key that is wrong); here only
the few values are read that the command line, the tags and the picture of the chip need.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rockcreek import resources
from rockcreek.errors import ConfigError, NotFoundError


@dataclass(frozen=True)
class EdgeUnit:
    """A unit on the rim of the mesh: a memory controller, the system interface."""

    name: str
    x: int
    y: int
    port: str


@dataclass(frozen=True)
class Description:
    """A chip description: its text for the engine, and its topology."""

    origin: str
    text: str
    name: str
    title: str
    columns: int
    rows: int
    cores_per_tile: int
    core_mhz: int
    edge: tuple[EdgeUnit, ...]
    values: dict[str, Any]

    @property
    def core_count(self) -> int:
        return self.columns * self.rows * self.cores_per_tile

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def tile_of(self, core: int) -> tuple[int, int]:
        """Mesh coordinates (x, y) of a core's tile.

        >>> load("scc").tile_of(47)
        (5, 3)
        """
        tile = core // self.cores_per_tile
        return tile % self.columns, tile // self.columns

    def core_label(self, core: int) -> str:
        """A core number in the width of the largest: `07`."""
        return f"{core:0{len(str(self.core_count - 1))}d}"


def load(chip: str) -> Description:
    """The preset of this name, or the description in this file."""
    path = resources.preset_folder() / f"{chip}.toml"
    if "/" in chip or chip.endswith(".toml") or (not path.exists() and Path(chip).exists()):
        path = Path(chip)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise _malformed(str(path), "it is not UTF-8 text") from error
    except OSError as error:
        raise NotFoundError(
            f"chip description '{chip}': {error.strerror}",
            path=str(path),
            hint="name a TOML file, or one of the presets: " + ", ".join(resources.preset_names()),
        ) from error
    return parse(text, origin=str(path))


def parse(text: str, *, origin: str) -> Description:
    """Read the topology out of a description's text."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _malformed(origin, str(error)) from error
    clocks = ("clocks", "fast"), ("clocks", "tile_divider")
    fast, divider = (_number(values, origin, *key) for key in clocks)
    return Description(
        origin=origin,
        text=text,
        name=str(values.get("name", Path(origin).stem)),
        title=str(values.get("title", "")),
        columns=_number(values, origin, "topology", "columns"),
        rows=_number(values, origin, "topology", "rows"),
        cores_per_tile=_number(values, origin, "topology", "cores_per_tile"),
        core_mhz=fast // divider,
        edge=tuple(_edge_units(values, origin)),
        values=values,
    )


def _edge_units(values: dict[str, Any], origin: str) -> list[EdgeUnit]:
    topology = values["topology"]
    controllers = topology.get("memory_controller", [])
    named = [(f"MC{index}", unit) for index, unit in enumerate(controllers)]
    for key, name in (("system_interface", "SIF"), ("voltage_regulator", "VRC")):
        if key in topology:
            named.append((name, topology[key]))
    units = []
    for name, unit in named:
        try:
            units.append(EdgeUnit(name, int(unit["x"]), int(unit["y"]), str(unit["port"])))
        except (KeyError, TypeError, ValueError) as error:
            raise _malformed(origin, f"topology: {name} needs x, y and port") from error
    return units


def _number(values: dict[str, Any], origin: str, table: str, key: str) -> int:
    try:
        value = values[table][key]["value"]
    except (KeyError, TypeError) as error:
        raise _malformed(origin, f"{table}.{key} is missing") from error
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _malformed(origin, f"{table}.{key}: {value!r} is not a positive whole number")
    return value


def _malformed(origin: str, what: str) -> ConfigError:
    return ConfigError(
        f"chip description {origin}: {what}",
        path=origin,
        hint="compare with a preset: `rck info --toml scc` prints one",
    )
