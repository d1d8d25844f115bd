"""`rck show`, `rck set`, `rck dump`: a snapshot's chip, looked at, changed, written for gdb."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from rockcreek.errors import UsageError

_SHOW_EPILOG = """Examples:

\b
  rck run -n 2 --until 5ms --save s.rck prog
  rck show core s.rck --core 1
  rck show mem s.rck 0x8048000 64 --core 1
  rck show crb s.rck --tile 0 --json
"""
_SET_EPILOG = """Examples:

\b
  rck set mem s.rck 0x8049000 2a000000 --core 1
  rck set crb s.rck GLCFG0.INTR 1 --tile 3
  rck set lut s.rck 0x28 0x12345 --core 0 --output other.rck

Each writes the snapshot again, or another one (--output).
"""


class _Number(click.ParamType[int]):
    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> int:
        try:
            return value if isinstance(value, int) else int(str(value), 0)
        except ValueError:
            self.fail(f"'{value}' is not a number such as 64 or 0x40", param, ctx)


class _Bytes(click.ParamType[bytes]):
    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> bytes:
        try:
            return value if isinstance(value, bytes) else bytes.fromhex(str(value))
        except ValueError:
            self.fail(f"'{value}' is not a row of hexadecimal bytes such as 2a00", param, ctx)


_file = click.argument("snapshot", metavar="SNAPSHOT")
_core = click.option("--core", "core", type=int, default=0, metavar="N", help="[default: 0]")
_tile = click.option("--tile", "tile", type=int, default=0, metavar="N", help="[default: 0]")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_output = click.option("--output", metavar="FILE", help="Write another snapshot instead.")


@click.group(epilog=_SHOW_EPILOG)
def show() -> None:
    """Show what the chip in a snapshot holds."""


@click.group("set", epilog=_SET_EPILOG)
def set_() -> None:
    """Change the chip in a snapshot."""


def _print(value: Any, as_json: bool, text: Callable[[], str]) -> None:
    click.echo(json.dumps(value, indent=2) if as_json else text())


def _open(snapshot: str, *, core: int = 0, tile: int = 0) -> Any:
    from rockcreek import snapshot as snapshots

    chip, note = snapshots.open_for_looking(snapshot)
    description = chip.description
    tiles = description.columns * description.rows
    for what, number, count in (("core", core, description.core_count), ("tile", tile, tiles)):
        if not 0 <= number < count:
            raise UsageError(f"there is no {what} {number}", hint=f"there are 0 to {count - 1}")
    return chip, note


def _change(snapshot: str, output: str | None, change: Callable[[Any], None], **places: int) -> int:
    chip, note = _open(snapshot, **places)
    change(chip)
    chip.save(output or snapshot, note)
    return 0


def _need(done: bool, what: str) -> None:
    if not done:
        raise UsageError(what, hint="`rck show lut` tells what is where")


@show.command("core")
@_file
@_core
@_json
def show_core(snapshot: str, core: int, as_json: bool) -> None:
    """Registers and state of a core."""
    from rockcreek import look

    chip, _ = _open(snapshot, core=core)
    values = look.core(chip, core)

    def text() -> str:
        plain = {name: value for name, value in values.items() if name != "x87"}
        rows = [
            f"{name:<13} {value if isinstance(value, str) else f'{value:#x}'}"
            for name, value in plain.items()
        ]
        x87 = values["x87"]
        words = " ".join(f"{name}={x87[name]:04x}" for name in ("control", "status", "tags"))
        stack = [f"st{n:<11} {value}" for n, value in enumerate(x87["st"])]
        return "\n".join([*rows, f"{'x87':<13} {words}", *stack])

    _print(values, as_json, text)


@show.command("mem")
@_file
@click.argument("address", type=_Number())
@click.argument("length", type=_Number(), default=64)
@_core
@click.option("--physical", is_flag=True, help="Behind the core's LUT, not its pages and caches.")
@_json
def show_mem(
    snapshot: str, address: int, length: int, core: int, physical: bool, as_json: bool
) -> None:
    """LENGTH bytes at ADDRESS as this core sees them, stale or not.  [default: 64]"""
    from rockcreek import look

    chip, _ = _open(snapshot, core=core)
    read = chip.read_physical if physical else chip.read_linear
    found = read(core, address, length) if 0 <= length <= 1 << 24 else None
    _need(found is not None, f"core {core} has nothing mapped at {address:#x}, or not that much")
    data: bytes = found or b""
    _print({"address": address, "bytes": data.hex()}, as_json, lambda: look.dump(address, data))


@show.command("lut")
@_file
@_core
@_json
def show_lut(snapshot: str, core: int, as_json: bool) -> None:
    """The lookup table of a core: entries that are not zero."""
    from rockcreek import look

    chip, _ = _open(snapshot, core=core)
    entries = look.lut(chip, core)

    def text() -> str:
        return "\n".join(
            f"{entry:#04x}  " + "  ".join(f"{name.lower()}={part:#x}" for name, part in row.items())
            for entry, row in entries.items()
        )

    _print(entries, as_json, text)


@show.command("crb")
@_file
@_tile
@_json
def show_crb(snapshot: str, tile: int, as_json: bool) -> None:
    """The configuration registers of a tile, field by field."""
    from rockcreek import look

    chip, _ = _open(snapshot, tile=tile)
    values = look.crb(chip, tile)

    def text() -> str:
        lines = []
        for name, register in values.items():
            fields = " ".join(f"{key}={part:#x}" for key, part in register["fields"].items())
            lines.append(
                f"{name:<8} +{register['offset']:#06x} {register['value']:#010x}  {fields}"
            )
        return "\n".join(lines)

    _print(values, as_json, text)


@show.command("mpb")
@_file
@click.argument("offset", type=_Number(), default=0)
@click.argument("length", type=_Number(), default=256)
@_tile
@_json
def show_mpb(snapshot: str, offset: int, length: int, tile: int, as_json: bool) -> None:
    """The message-passing buffer of a tile.  [default: its first 256 bytes]"""
    from rockcreek import look

    chip, _ = _open(snapshot, tile=tile)
    data = chip.mpb(tile)[max(offset, 0) :][: max(length, 0)]
    _print({"offset": offset, "bytes": data.hex()}, as_json, lambda: look.dump(offset, data))


@show.command("cache")
@_file
@_core
@_json
def show_cache(snapshot: str, core: int, as_json: bool) -> None:
    """The valid lines of a core's caches."""
    chip, _ = _open(snapshot, core=core)
    keys = ("cache", "set", "way", "address", "dirty", "mpbt")
    lines = [dict(zip(keys, line, strict=True)) for line in chip.cached_lines(core)]

    def text() -> str:
        return "\n".join(
            f"{line['cache']:<3} set {line['set']:<4} way {line['way']} {line['address']:#010x}"
            + "".join(f" {key}" for key in ("dirty", "mpbt") if line[key])
            for line in lines
        )

    _print(lines, as_json, text)


@set_.command("mem")
@_file
@click.argument("address", type=_Number())
@click.argument("data", type=_Bytes(), metavar="BYTES")
@_core
@click.option("--physical", is_flag=True, help="Behind the core's LUT; its caches stay.")
@_output
def set_mem(
    snapshot: str, address: int, data: bytes, core: int, physical: bool, output: str | None
) -> int:
    """Change what this core sees at ADDRESS; other cores' caches stay stale."""

    def change(chip: Any) -> None:
        write = chip.write_physical if physical else chip.write_linear
        _need(write(core, address, data), f"core {core} has no memory at {address:#x}")

    return _change(snapshot, output, change, core=core)


@set_.command("lut")
@_file
@click.argument("entry", type=_Number())
@click.argument("value", type=_Number())
@_core
@_output
def set_lut(snapshot: str, entry: int, value: int, core: int, output: str | None) -> int:
    """Change an entry of a core's lookup table."""
    from rockcreek import look

    return _change(snapshot, output, lambda chip: look.set_lut(chip, core, entry, value), core=core)


@set_.command("crb")
@_file
@click.argument("register", metavar="REGISTER[.FIELD]")
@click.argument("value", type=_Number())
@_tile
@_output
def set_crb(snapshot: str, register: str, value: int, tile: int, output: str | None) -> int:
    """Write a configuration register of a tile, with all that follows."""
    from rockcreek import look

    return _change(
        snapshot, output, lambda chip: look.set_crb(chip, tile, register, value), tile=tile
    )


@set_.command("mpb")
@_file
@click.argument("offset", type=_Number())
@click.argument("data", type=_Bytes(), metavar="BYTES")
@_tile
@_output
def set_mpb(snapshot: str, offset: int, data: bytes, tile: int, output: str | None) -> int:
    """Change bytes of a message-passing buffer."""
    return _change(snapshot, output, lambda chip: chip.set_mpb(tile, offset, data), tile=tile)


@set_.command("core")
@_file
@click.argument("register")
@click.argument("value", type=_Number())
@_core
@_output
def set_core(snapshot: str, register: str, value: int, core: int, output: str | None) -> int:
    """Change a general register, eip or eflags of a core."""

    def change(chip: Any) -> None:
        if not chip.set_register(core, register.lower(), value):
            raise UsageError(f"there is no register {register}", hint="eax ... edi, eip, eflags")

    return _change(snapshot, output, change, core=core)


@click.command(
    "dump",
    epilog="""Examples:

\b
  rck run -n 6 --until 5ms --save s.rck prog
  rck dump s.rck --core 5 --output core.05, then: gdb prog core.05
  rck dump s.rck --core 5 --kernel --output kernel.05
""",
)
@_file
@_core
@click.option("--output", metavar="FILE", help="The core file.  [default: core.NN]")
@click.option("--kernel", is_flag=True, help="Of the core as it is, not of the program on it.")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def dump(snapshot: str, core: int, output: str | None, kernel: bool, force: bool) -> int:
    """Write a core file of one core: its registers, and memory as it sees it, stale or not."""
    from rockcreek import core_file, image, resources
    from rockcreek import snapshot as snapshots
    from rockcreek.cli.common import check_output_file, say

    chip, text = _open(snapshot, core=core)
    path = output or f"core.{chip.description.core_label(core)}"
    check_output_file(path, force=force)
    ours = image.read(resources.kernel_path())
    if kernel or not text:
        core_file.write(chip, core, path, kernel=None, program=ours)
        say(f"rck: core file of core {core}: gdb {ours.path if text else 'KERNEL'} {path}")
        return 0
    note = snapshots.read_note(snapshot, text)
    if core not in note.cores:
        raise UsageError(f"core {core} runs nothing", hint="`--kernel` takes it as it is")
    program = note.load_program(snapshot)
    core_file.write(chip, core, path, kernel=ours, program=program, arguments=note.arguments)
    say(f"rck: core file of core {core}: gdb {program.path} {path}")
    return 0
