"""`rck dump`: a core file for gdb from a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rockcreek.cli.snapshot_arguments import core_option, open_chip, snapshot_argument
from rockcreek.errors import InputError, UsageError

if TYPE_CHECKING:
    from rockcreek.software.snapshot import Note


@click.command(
    "dump",
    epilog="""Examples:

\b
  rck run -n 6 --until 5ms --save s.rck prog
  rck dump s.rck --core 5 --output core.05, then: gdb prog core.05
  rck dump s.rck --core 5 --kernel --output kernel.05
""",
)
@snapshot_argument
@core_option
@click.option("--output", metavar="FILE", help="The core file.  [default: core.NN]")
@click.option("--kernel", is_flag=True, help="Show the core as it is, not the program on it.")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def dump(snapshot: str, core: int, output: str | None, kernel: bool, force: bool) -> int:
    """Write a core file of one core: its registers, and memory as it sees it, stale or not."""
    from rockcreek import resources
    from rockcreek.cli.common import say
    from rockcreek.inspection import core_file
    from rockcreek.outputs import Output
    from rockcreek.software import image
    from rockcreek.software import snapshot as snapshots

    chip, text = open_chip(snapshot, core=core)
    path = output or f"core.{chip.description.core_label(core)}"
    kernel_image = image.read(resources.kernel_path())
    note = None if kernel else _program_note(snapshot, text)
    if note is None:
        code = kernel_image.path if kernel else snapshots.read_boot_note(snapshot, text).image
        kernel_of, program, arguments = None, image.read(code), None
    else:
        if core not in note.cores:
            raise UsageError(f"core {core} runs nothing", hint="`--kernel` takes it as it is")
        program = note.load_program(snapshot)
        code = program.path
        kernel_of, arguments = kernel_image, note.arguments
    to = Output(path, force=force)
    core_file.write(chip, core, to, kernel=kernel_of, program=program, arguments=arguments or ())
    say(f"rck: core file of core {core}: gdb {code} {path}")
    return 0


def _program_note(snapshot: str, text: str) -> Note | None:
    """The note of `rck run`; None if kernels of others were booted."""
    from rockcreek.software import snapshot as snapshots

    try:
        snapshots.read_boot_note(snapshot, text)
    except InputError:
        return snapshots.read_note(snapshot, text)
    return None
