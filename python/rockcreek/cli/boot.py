"""`rck boot`."""

from __future__ import annotations

import sys

import click

from rockcreek.cli.common import (
    Duration,
    check_gdb,
    check_output_file,
    core_dump_option,
    finish,
    gdb_nowait_option,
    gdb_option,
    say,
)
from rockcreek.units import PS_PER_SECOND

_EPILOG = """Examples:

\b
  rck boot kernel.elf                            a multiboot kernel on all cores
  rck boot kernel.elf --cores 0-3 --append "console=ttyS0" --module initrd=root
  rck boot first.elf:core=0 other.elf:core=1-47
  rck boot kernel.elf --console 0 --output-dir logs
  rck boot kernel.elf --view 0-3 --output-dir logs
  rck boot --load boot.bin@0xFFFF0000 --load kernel.bin@0x100000 --cores 0,1 --hold 1
  rck boot first.elf --hold 1-47 --release 12@5ms --release 13-47@20ms
  rck boot kernel.elf --until 20ms --save s.rck, then: rck boot --restore s.rck
  rck boot --lut lut_init.dat --object mch_0_0.32.obj --object mch_5_0.32.obj

A core with a kernel starts as the Multiboot Specification says. Every other core starts in real
mode at FFFFFFF0, in LUT slot 0xFF; --load, --object and --lut put there what it finds. Addresses
of --load are the core's own, decimal or 0x...; lists of cores are 0,10,40-47 or `all`.

Ends when every core has ended, halted for good or shut down. Exit code: as `rck run`; 0 if the
cores are merely at rest, 76 if one shut down (a fault while a fault was handled).
"""


@click.command(epilog=_EPILOG, options_metavar="[OPTIONS]")
@click.option("--cores", metavar="LIST", help="Boot these cores.  [default: all, or those named]")
@click.option("--hold", metavar="LIST", help="Keep these in reset until a core releases them.")
@click.option(
    "--release",
    "releases",
    multiple=True,
    metavar="LIST@TIME",
    help="Hold these until a simulated instant (repeat).",
)
@click.option("--append", default="", metavar="TEXT", help="The kernels' command line.")
@click.option(
    "--module", multiple=True, metavar="FILE[=STRING]", help="Give the kernels this file (repeat)."
)
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
@click.option("--console", type=int, metavar="CORE", help="Sit at this core's COM1; Ctrl-] ends.")
@click.option(
    "--view", metavar="LIST", help="Sit at these cores' consoles, side by side in the terminal."
)
@click.option("--output-dir", metavar="DIR", help="Log each core's ports to files here.")
@click.option("--json", "json_path", metavar="FILE", help="Write the result as JSON.")
@click.option(
    "--tag",
    type=click.Choice(["core", "time", "none"]),
    help="What begins each line of output.  [default: core if several cores boot]",
)
@click.option("--timeout", type=Duration(), metavar="T", help="End the run after host time T.")
@click.option("--until", type=Duration(), metavar="T", help="End the run at simulated time T.")
@click.option(
    "--chip", default="scc", metavar="FILE|PRESET", help="The chip description.  [default: scc]"
)
@click.option(
    "--clocks", metavar="T/M/D", help="MHz of tiles, mesh, memory data.  [default: 533/800/800]"
)
@click.option(
    "--jitter", type=int, metavar="SEED", help="Vary the instants at which cores leave reset."
)
@click.option("--no-skip", is_flag=True, help="Execute every round of waiting loops (slower).")
@click.option("--no-translate", is_flag=True, help="Interpret hot code too (slower).")
@click.option("--commit-log", metavar="FILE", help="Log what is committed, for rck compare --log.")
@click.option("--save", metavar="FILE", help="Write a snapshot of the chip when the run stops.")
@click.option("--restore", metavar="FILE", help="Go on from a snapshot, instead of booting.")
@core_dump_option
@gdb_option
@gdb_nowait_option
@click.option("-q", "--quiet", is_flag=True, help="No summary and no progress.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@click.argument("kernels", nargs=-1, metavar="[KERNEL[:core=LIST]]...")
def boot(
    kernels: tuple[str, ...],
    cores: str | None,
    hold: str | None,
    releases: tuple[str, ...],
    append: str,
    module: tuple[str, ...],
    load: tuple[str, ...],
    objects: tuple[str, ...],
    lut: tuple[str, ...],
    console: int | None,
    view: str | None,
    output_dir: str | None,
    json_path: str | None,
    tag: str | None,
    timeout: int | None,
    until: int | None,
    chip: str,
    clocks: str | None,
    jitter: int | None,
    no_skip: bool,
    no_translate: bool,
    commit_log: str | None,
    save: str | None,
    restore: str | None,
    core_dump: str | None,
    gdb: str | None,
    gdb_nowait: bool,
    quiet: bool,
    force: bool,
) -> int:
    """Boot software that brings its own kernel: multiboot ELF files, raw images, sccKit objects.

    Each core has its own copy of its kernel in its private memory. What cores write to their
    serial ports appears on stdout (COM1) and stderr (COM2), each line tagged with its core;
    --console and --output-dir choose otherwise.
    """
    from rockcreek import core_file
    from rockcreek.boot import BootJob, execute
    from rockcreek.output import Sink

    given = {
        "KERNEL": kernels, "--load": load, "--object": objects, "--lut": lut, "--cores": cores,
        "--module": module, "--append": append, "--hold": hold, "--release": releases,
        "--clocks": clocks, "--jitter": jitter,
    }  # fmt: skip
    named = [name for name, value in given.items() if value not in (None, (), "")]
    if restore is not None and named:
        text = f"--restore and {named[0]}: the snapshot says what runs on which cores"
        raise click.UsageError(text, click.get_current_context())
    check_gdb(gdb, gdb_nowait)
    if core_dump is not None:
        core_file.check_folder(core_dump, force=force)
    for path in (json_path, commit_log, save):
        if path is not None:
            check_output_file(path, force=force)
    result = execute(
        BootJob(
            kernels,
            cores=cores,
            append=append,
            modules=module,
            images=load,
            objects=objects,
            luts=lut,
            hold=hold,
            releases=releases,
            chip=chip,
            clocks=clocks,
            jitter=jitter,
            skip=not no_skip,
            translate=not no_translate,
            console=console,
            view=view,
            output_dir=output_dir,
            force=force,
            tag=tag,
            timeout_s=None if timeout is None else timeout / PS_PER_SECOND,
            until_ps=until,
            commit_log=commit_log,
            save=save,
            restore=restore,
            core_dump=core_dump,
            gdb=gdb,
            gdb_wait=not gdb_nowait,
            say=say,
            stdout=Sink("stdout", 1),
            stderr=Sink("stderr", 2),
            progress=not quiet,
            command=["rck", *sys.argv[1:]],
        )
    )
    return finish(result, json_path=json_path, quiet=quiet)
