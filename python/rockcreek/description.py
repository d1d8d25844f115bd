"""The chip description as the front end needs it: what it is called and which cores it has.

The engine parses and checks the whole description (and names the key that is wrong); here only
the few values are read that the command line, the tags and the picture of the chip need.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rockcreek import resources
from rockcreek.errors import ConfigError, NotFoundError, UsageError

_CLOCKS = re.compile(r"\d+/\d+/\d+")


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
    base: str  # the text of the description that this one is based on, if it is
    name: str
    title: str
    columns: int
    rows: int
    cores_per_tile: int
    core_mhz: int
    clocks: str  # the MHz of tiles, mesh and memory data: 533/800/800
    jitter: int | None
    edge: tuple[EdgeUnit, ...]
    values: dict[str, Any]

    @property
    def core_count(self) -> int:
        return self.columns * self.rows * self.cores_per_tile

    @property
    def core_period_ps(self) -> int:
        """Length of a core cycle at start-up.

        >>> load("scc").core_period_ps
        1875
        """
        fast = int(self.values["clocks"]["fast"]["value"])
        return 10**6 * (fast // self.core_mhz) // fast

    @property
    def sha256(self) -> str:
        return hashlib.sha256((self.text + self.base).encode()).hexdigest()

    def set_up(
        self,
        *,
        clocks: str | None = None,
        jitter: int | None = None,
        alternatives: Mapping[str, str] | None = None,
    ) -> Description:
        """This chip started in another way: with other clocks, or with a seed of variation.

        `alternatives` chooses by name among what the sources of a parameter say:
        `{"timing.memory.access": "guide"}`.

        >>> load("scc").set_up(clocks="800/1600/1066").core_mhz
        800
        """
        if clocks is None and jitter is None and not alternatives:
            return self
        if "setup" in self.values:
            raise UsageError(
                "--clocks and --jitter: the chip description has a table `setup` of its own",
                hint=f"change it there: {self.origin}",
            )
        lines = ["", "[setup]"]
        if clocks is not None:
            if not _CLOCKS.fullmatch(clocks):
                raise UsageError(
                    f"--clocks {clocks}: not the MHz of tiles, mesh and memory",
                    hint="for example --clocks 533/800/800 or 800/1600/1066",
                )
            lines.append(f'clocks = "{clocks}"')
        if jitter is not None:
            if not 0 <= jitter < 1 << 63:
                raise UsageError(f"--jitter {jitter}: a seed is a number from 0 to 2^63 - 1")
            lines.append(f"jitter = {jitter}")
        if alternatives:
            chosen = (
                f"{json.dumps(key)} = {json.dumps(name)}" for key, name in alternatives.items()
            )
            lines.append(f"choose = {{ {', '.join(chosen)} }}")
        return parse("\n".join([self.text.rstrip("\n"), *lines, ""]), origin=self.origin)

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


def choose(
    chip: str | Description, *, clocks: str | None = None, jitter: int | None = None
) -> Description:
    """The description that a run is to use."""
    found = chip if isinstance(chip, Description) else load(chip)
    return found.set_up(clocks=clocks, jitter=jitter)


def parse(text: str, *, origin: str) -> Description:
    """Read the topology out of a description's text."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _malformed(origin, str(error)) from error
    base = _base(values, origin)
    values = _merge(tomllib.loads(base), values)
    names = ("fast", "tile_divider", "mesh", "memory")
    fast, divider, mesh, memory = (_number(values, origin, "clocks", name) for name in names)
    # Memory moves data on both edges of its clock.
    clocks, jitter = _setup(values, origin, f"{fast // divider}/{mesh}/{2 * memory}")
    return Description(
        origin=origin,
        text=text,
        base=base,
        name=str(values.get("name", Path(origin).stem)),
        title=str(values.get("title", "")),
        columns=_number(values, origin, "topology", "columns"),
        rows=_number(values, origin, "topology", "rows"),
        cores_per_tile=_number(values, origin, "topology", "cores_per_tile"),
        core_mhz=int(clocks.split("/")[0]),
        clocks=clocks,
        jitter=jitter,
        edge=tuple(_edge_units(values, origin)),
        values=values,
    )


def _base(values: dict[str, Any], origin: str) -> str:
    """The text of the description that these values change, if they do not say everything."""
    if "base" not in values:
        return ""
    base = values.pop("base")
    path = resources.preset_folder() / "scc.toml"
    if base != path.stem:
        raise _malformed(origin, f'base: is {base!r}; allowed: "{path.stem}"')
    return path.read_text(encoding="utf-8")


def _merge(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """As the engine does: a table into the base's, a parameter or a list in place of the base's."""
    for key, change in changes.items():
        table = base.get(key)
        if isinstance(table, dict) and isinstance(change, dict) and "value" not in change:
            _merge(table, change)
        else:
            base[key] = change
    return base


def _setup(values: dict[str, Any], origin: str, clocks: str) -> tuple[str, int | None]:
    """Clocks and seed of the table `setup`, if there is one."""
    setup = values.get("setup", {})
    if not isinstance(setup, dict):
        raise _malformed(origin, "setup is not a table")
    clocks, jitter = setup.get("clocks", clocks), setup.get("jitter")
    if not isinstance(clocks, str) or not _CLOCKS.fullmatch(clocks):
        raise _malformed(origin, f"setup.clocks: {clocks!r} is not of the form 533/800/800")
    if not isinstance(jitter, int | None):
        raise _malformed(origin, f"setup.jitter: {jitter!r} is not a whole number")
    return clocks, jitter


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
