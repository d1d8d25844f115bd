"""`rck boot`."""

from __future__ import annotations

from typing import Unpack

import click

from rockcreek.cli import run_options
from rockcreek.cli.common import finish
from rockcreek.cli.given import RunGiven

_EPILOG = """Examples:

\b
  rck boot kernel.elf                            a multiboot kernel on all cores
  rck boot kernel.elf --cores 0-3 --append "console=ttyS0" --module initrd=root
  rck boot bzImage --initrd root.cpio --append "console=ttyS0" --platform scc --cores 0-3
  rck boot first.elf:core=0 other.elf:core=1-47
  rck boot kernel.elf --console 0 --output-dir logs
  rck boot kernel.elf --view 0-3 --output-dir logs
  rck boot --load boot.bin@0xFFFF0000 --load kernel.bin@0x100000 --cores 0,1 --hold 1
  rck boot first.elf --hold 1-47 --release 12@5ms --release 13-47@20ms
  rck boot kernel.elf --until 20ms --save s.rck, then: rck boot --restore s.rck
  rck boot --lut lut_init.dat --object mch_0_0.32.obj --object mch_5_0.32.obj

A core with a kernel starts as the Multiboot Specification says, or for a bzImage as Linux's 32-bit
boot protocol says. Every other core starts in real
mode at FFFFFFF0, in LUT slot 0xFF; --load, --object and --lut put there what it finds. Addresses
of --load are the core's own, decimal or 0x...; lists of cores are 0,10,40-47 or `all`.

Ends when every core has ended, halted for good or shut down. Exit code: as `rck run`; 0 if the
cores are merely at rest, 76 if one shut down (a fault while a fault was handled).
"""


@click.command(epilog=_EPILOG, options_metavar="[OPTIONS]")
@click.option("--cores", metavar="LIST", help="Boot these cores.  [default: all, or those named]")
@click.option("--plan", metavar="FILE", help="Boot what this file says on the cores that it names.")
@click.option(
    "--hold", metavar="LIST", help="Keep these cores in reset until another core releases them."
)
@click.option(
    "--release",
    "releases",
    multiple=True,
    metavar="LIST@TIME",
    help="Hold these cores in reset until this simulated time (repeat).",
)
@click.option(
    "--append", default="", metavar="TEXT",
    help="The kernels' command line; {core}, {tile} and {mhz} become those of each core.",
)  # fmt: skip
@click.option(
    "--module",
    multiple=True,
    metavar="FILE[=STRING]",
    help="Pass this file to the kernels (repeat).",
)
@click.option("--initrd", metavar="FILE", help="The initial file system of a bzImage.")
@click.option(
    "--platform", metavar="NAME|N", help="The platform of a bzImage: pc, scc, ...  [default: pc]"
)
@click.option("--memory", metavar="SIZE", help="The most memory that a bzImage may use: 64M.")
@click.option(
    "--load",
    multiple=True,
    metavar="IMAGE@ADDRESS[:core=LIST]",
    help="Put a raw image into the memory of the cores (repeat).",
)
@click.option(
    "--object",
    "objects",
    multiple=True,
    metavar="FILE[@MC]",
    help="Load a .32.obj into a memory controller (repeat).",
)
@click.option("--lut", multiple=True, metavar="FILE", help="Write the LUTs by a lut_init.dat.")
@click.option(
    "--ports",
    multiple=True,
    metavar="pc|FILE.py",
    help="Who answers other ports: timer, clock and so on of a PC, or functions of this file.",
)
@click.option(
    "--messages", is_flag=True, help="Show how much each core sent to each core; also in --json."
)
@click.option(
    "--console",
    type=int,
    metavar="CORE",
    help="Connect the terminal to this core's COM1; Ctrl-] ends.",
)
@click.option(
    "--view", metavar="LIST", help="Show these cores' consoles side by side in the terminal."
)
@run_options.terms_options
@click.argument("kernels", nargs=-1, metavar="[KERNEL[:core=LIST]]...")
def boot(
    kernels: tuple[str, ...],
    plan: str | None,
    cores: str | None,
    hold: str | None,
    releases: tuple[str, ...],
    append: str,
    module: tuple[str, ...],
    initrd: str | None,
    platform: str | None,
    memory: str | None,
    load: tuple[str, ...],
    objects: tuple[str, ...],
    lut: tuple[str, ...],
    ports: tuple[str, ...],
    messages: bool,
    console: int | None,
    view: str | None,
    **given: Unpack[RunGiven],
) -> int:
    """Boot software that brings its own kernel: multiboot ELF files, Linux, raw images, sccKit's.

    Each core has its own copy of its kernel in its private memory. What cores write to their
    serial ports appears on stdout (COM1) and stderr (COM2), each line tagged with its core;
    --console and --output-dir choose otherwise.
    """
    from rockcreek.booting.boot_job import BootJob, execute
    from rockcreek.running.host_limits import allow_open_files

    allow_open_files()
    start = {
        "KERNEL": kernels, "--plan": plan, "--load": load, "--object": objects, "--lut": lut,
        "--cores": cores,
        "--module": module, "--append": append, "--hold": hold, "--release": releases,
        "--initrd": initrd, "--platform": platform, "--memory": memory, "--ports": ports,
        **run_options.of_a_start(given),
    }  # fmt: skip
    named = [name for name, value in start.items() if value not in (None, (), "")]
    if given["restore"] is not None and named:
        text = f"--restore and {named[0]}: the snapshot says what runs on which cores"
        raise click.UsageError(text, click.get_current_context())
    run_options.check(given)
    result = execute(
        BootJob(
            kernels,
            plan=plan,
            cores=cores,
            append=append,
            modules=module,
            images=load,
            objects=objects,
            luts=lut,
            hold=hold,
            releases=releases,
            initrd=initrd,
            platform=platform,
            memory=memory,
            ports=ports,
            messages=messages,
            console=console,
            view=view,
            **run_options.fields(given),
        )
    )
    return finish(result, json_path=given["json_path"], quiet=given["quiet"])
