"""The chip description as the front end needs it: what it is called and which cores it has.

The engine parses and checks the whole description (and names the key that is wrong); here only
the few values are read that the command line, the tags and the picture of the chip need.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict, cast

from msgspec import Meta, Struct

from rockcreek import resources
from rockcreek.description import plain
from rockcreek.errors import ConfigError, InputError, NotFoundError, UsageError
from rockcreek.reading import documents
from rockcreek.reading.documents import Table

_MOST_CORES = 1 << 16
_CLOCKS = re.compile(r"[0-9]{1,6}/[0-9]{1,6}/[0-9]{1,6}")


# What of a description the front end reads, by types.
_Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
_Positive = Annotated[int, Meta(ge=1, le=1 << 12)]


class _Parameter(Struct):
    """A number with its unit and source."""

    value: Annotated[int, Meta(ge=1, le=1 << 40)]


class _Sourced(Struct):
    """Any parameter: what people are shown of it."""

    value: str | float | list[Any]
    unit: str = ""
    source: list[str] = []


class _Size(Struct):
    """A number of columns, rows or cores."""

    value: _Positive


class _Number(Struct):
    value: Annotated[float, Meta(ge=0, le=1e12)]


class _Unit(Struct):
    """A unit on the rim of the mesh."""

    x: Annotated[int, Meta(ge=0, lt=1 << 12)]
    y: Annotated[int, Meta(ge=0, lt=1 << 12)]
    port: str


class _Topology(Struct):
    columns: _Size
    rows: _Size
    cores_per_tile: _Size
    memory_controller: list[_Unit] = []
    system_interface: _Unit | None = None
    voltage_regulator: _Unit | None = None


class _Clocks(Struct):
    fast: _Parameter
    tile_divider: _Parameter
    mesh: _Parameter
    memory: _Parameter


class _Tile(Struct):
    lut_entries: _Parameter
    mpb_per_core: _Parameter


class _Board(Struct):
    memory_per_controller: _Parameter


class _Cache(Struct):
    line: _Parameter


class _Memory(Struct):
    line_occupancy: _Number


class _Timing(Struct):
    memory: _Memory


class _Setup(Struct):
    """How the chip starts."""

    clocks: str | None = None
    jitter: _Count | None = None
    choose: Table = {}


class Parameter(TypedDict):
    """A number of the chip, and where it is from."""

    value: int | float | str
    unit: NotRequired[str]
    source: list[str]  # keys of machine/sources.bib
    note: NotRequired[str]


class _Chip(Struct):
    """The description, merged with that which it is based on."""

    topology: _Topology
    clocks: _Clocks
    tile: _Tile
    board: _Board
    cache: _Cache
    timing: _Timing
    name: str | None = None
    title: str | None = None
    setup: _Setup | None = None


@dataclass(frozen=True)
class EdgeUnit:
    """A unit on the rim of the mesh: a memory controller, the system interface."""

    name: str
    x: int
    y: int
    port: str


@dataclass(frozen=True, repr=False)
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
    values: Table

    def __repr__(self) -> str:
        return f"<Description {self.name}: {self.columns} x {self.rows} tiles, {self.clocks} MHz>"

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

    def with_values(self, changes: Mapping[str, int | float | str]) -> Description:
        """This chip with other parameters, by their keys; sizes and clocks may be texts.

        >>> larger = load("scc").with_values({"cache.l2_size": "512 KiB"})
        >>> larger.values["cache"]["l2_size"]["value"]
        524288
        """
        values = {**self.values, "name": self.name, "title": self.title}
        try:
            for key, value in changes.items():
                values = plain.changed(values, key, value)
        except plain.Misfit as error:
            raise UsageError(str(error), hint=f"`rck info {self.origin}` lists the keys") from error
        return parse(plain.to_toml(values), origin=self.origin)

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
        text = documents.text(path, most=documents.MOST_TOML_BYTES)
    except NotFoundError as error:
        raise NotFoundError(
            f"chip description '{chip}': {error.message.removeprefix(f'{path}: ')}",
            path=str(path),
            hint="name a TOML file, or one of the presets: " + ", ".join(resources.preset_names()),
        ) from error
    except InputError as error:
        raise _malformed(str(path), error.message.removeprefix(f"{path}: ")) from error
    return parse(text, origin=str(path))


def choose(
    chip: str | Description, *, clocks: str | None = None, jitter: int | None = None
) -> Description:
    """The description that a run is to use."""
    found = chip if isinstance(chip, Description) else load(chip)
    return found.set_up(clocks=clocks, jitter=jitter)


@lru_cache(maxsize=16)
def parse(text: str, *, origin: str) -> Description:
    """Read the topology out of a description's text, once for the many runs of a sweep."""
    try:
        values = documents.toml_of(text, origin)
    except InputError as error:
        raise _malformed(origin, error.message.removeprefix(f"{origin}: ")) from error
    try:
        whole = values if text == _real_text() else plain.completed(values, _real_chip())
    except plain.Misfit as error:
        raise _malformed(origin, str(error)) from error
    if whole != values:
        text, values = plain.to_toml(whole), whole
    base = _base(values, origin)
    values = _merge(documents.toml_of(base, origin), values)
    try:
        typed = documents.typed(values, _Chip, origin)
        for key, number in numbers(values):
            documents.typed(number, _Sourced, f"{origin}: {key}")
        _check_size(typed.topology, origin)
    except InputError as error:
        raise _malformed(origin, error.message.removeprefix(f"{origin}: ")) from error
    topology, at_start = typed.topology, typed.clocks
    setup = typed.setup or _Setup()
    # Memory moves data on both edges of its clock.
    tiles = at_start.fast.value // at_start.tile_divider.value
    clocks = setup.clocks or f"{tiles}/{at_start.mesh.value}/{2 * at_start.memory.value}"
    if not _CLOCKS.fullmatch(clocks) or "0" in clocks.split("/"):
        raise _malformed(origin, f"setup.clocks: {clocks!r} is not of the form 533/800/800")
    return Description(
        origin=origin,
        text=text,
        base=base,
        name=typed.name or Path(origin).stem,
        title=typed.title or "",
        columns=topology.columns.value,
        rows=topology.rows.value,
        cores_per_tile=topology.cores_per_tile.value,
        core_mhz=int(clocks.split("/")[0]),
        clocks=clocks,
        jitter=setup.jitter,
        edge=tuple(_edge_units(topology)),
        values=values,
    )


@cache
def _real_text() -> str:
    """The description of the real chip, which is complete."""
    return (resources.preset_folder() / "scc.toml").read_text(encoding="utf-8")


@cache
def _real_chip() -> Table:
    """The values of the real chip, by which others are completed."""
    return documents.toml_of(_real_text(), "scc.toml")


def refused(origin: str, message: str) -> ConfigError:
    """The error of a description that the engine refuses with this message."""
    return _malformed(origin, plain.refined(message, _real_chip()))


def _base(values: Table, origin: str) -> str:
    """The text of the description that these values change, if they do not say everything."""
    if "base" not in values:
        return ""
    base = values.pop("base")
    if base != "scc":
        raise _malformed(origin, f'base: is {base!r}; allowed: "scc"')
    return _real_text()


def _merge(base: Table, changes: Table) -> Table:
    """Merges a description into its base as the engine does.

    A table is merged into the base's table; a parameter or a list replaces the base's.
    """
    for key, change in changes.items():
        table = base.get(key)
        if isinstance(table, dict) and isinstance(change, dict) and "value" not in change:
            _merge(table, change)
        else:
            base[key] = change
    return base


def numbers(table: Table, path: str = "") -> Iterator[tuple[str, Parameter]]:
    """All parameters of a description by their keys, in its order."""
    for key, value in table.items():
        where = f"{path}.{key}" if path else key
        if isinstance(value, dict) and "value" in value:
            yield where, cast("Parameter", value)
        elif isinstance(value, dict):
            yield from numbers(value, where)


def _check_size(topology: _Topology, origin: str) -> None:
    cores = topology.columns.value * topology.rows.value * topology.cores_per_tile.value
    if cores > _MOST_CORES:
        raise documents.misfit(origin, "topology", f"{cores:,} cores are more than {_MOST_CORES:,}")


def _edge_units(topology: _Topology) -> Iterator[EdgeUnit]:
    for index, unit in enumerate(topology.memory_controller):
        yield EdgeUnit(f"MC{index}", unit.x, unit.y, unit.port)
    for name, single in (("SIF", topology.system_interface), ("VRC", topology.voltage_regulator)):
        if single is not None:
            yield EdgeUnit(name, single.x, single.y, single.port)


def _malformed(origin: str, what: str) -> ConfigError:
    return ConfigError(
        f"chip description {origin}: {what}",
        path=origin,
        hint="compare with a preset: `rck info --toml scc` prints one",
    )
