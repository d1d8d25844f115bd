"""`rck smp`: one Linux with several processors, by a hypervisor on each core."""

from __future__ import annotations

from typing import Unpack

import click

from rockcreek.cli import run_options
from rockcreek.cli.common import finish
from rockcreek.cli.given import RunGiven

_EPILOG = """Examples:

\b
  rck smp --initrd root.cpio                     the kernel of `make smp-linux`, on core 0
  rck smp --cores 0-1 --initrd root.cpio         on two cores: two processors
  rck smp --image bzImage --initrd root.cpio --append "init=/bin/sh"
  rck smp --patches                              the kernel's instructions that are replaced

The guest's kernel runs in ring 1 and its programs in ring 3; the hypervisor is
systems/rockyvisor. `make smp-linux` builds the kernel. Exit code: as `rck boot`.
"""


@click.command(epilog=_EPILOG, options_metavar="[OPTIONS]")
@click.option("--image", metavar="FILE", help="A bzImage.  [default: that of `make smp-linux`]")
@click.option("--map", "map_path", metavar="FILE", help="The System.map of --image, for names.")
@click.option("--initrd", metavar="FILE", help="The initial file system.")
@click.option("--append", default="", metavar="TEXT", help="More words on Linux's command line.")
@click.option("--cores", default="0", metavar="LIST", help="Run on these cores.  [default: 0]")
@click.option("--vcpus", type=int, default=1, metavar="N", help="Virtual processors of each core.")
@click.option("--memory", default="32M", metavar="SIZE", help="The guest's memory.  [default: 32M]")
@click.option("--report", is_flag=True, help="Let the hypervisor print its counts at the end.")
@click.option("--patches", is_flag=True, help="List the instructions that are replaced, and end.")
@click.option(
    "--console", type=int, metavar="CORE", help="Connect to this core's COM1; Ctrl-] ends."
)
@run_options.terms_options
def smp(
    image: str | None,
    map_path: str | None,
    initrd: str | None,
    append: str,
    cores: str,
    vcpus: int,
    memory: str,
    report: bool,
    patches: bool,
    console: int | None,
    **given: Unpack[RunGiven],
) -> int:
    """Boot one Linux on cores that are not coherent: RockyVisor gives it what they lack."""
    from rockcreek.booting.load_plan import parse_size
    from rockcreek.running.host_limits import allow_open_files
    from rockcreek.smp import machine, patches_table

    kernel = machine.read_kernel(image, map_path)
    if patches:
        click.echo(patches_table.text(kernel))
        return 0
    if given["restore"] is not None:
        text = "--restore: `rck boot --restore` continues a machine"
        raise click.UsageError(text, click.get_current_context())
    allow_open_files()
    run_options.check(given)
    guest = machine.Machine(
        kernel,
        machine.read_file(initrd),
        append,
        cores=cores,
        processors=vcpus,
        memory=parse_size(memory) >> 20,
        reports=report,
    )
    result = machine.run(guest, run_options.fields(given), console)
    return finish(result, json_path=given["json_path"], quiet=given["quiet"])
