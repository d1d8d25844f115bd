"""`rck smp`: one Linux with several processors, by a hypervisor on each core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack, cast

import click

from rockcreek.cli import linux_job, run_options
from rockcreek.cli.commands.run import parse_variables
from rockcreek.cli.common import finish, say
from rockcreek.cli.given import RunGiven, RunParams

if TYPE_CHECKING:
    from rockcreek.consoles.guest_input import Source

_EPILOG = """Examples:

\b
  rck smp -n 4 ./primes 1000000                  a program on four processors
  rck smp -n 2 --share . ./count words.txt       a file of this folder
  sort words.txt | rck smp -n 2 ./count          standard input
  rck smp --initrd root.cpio --cores 0-1         a whole system, on two cores
  rck smp --image bzImage --initrd root.cpio --append "init=/bin/sh"
  rck smp -n 4 --pages ./primes 1000000          and which memory the cores took from each other
  rck smp --patches                              the kernel's instructions that are replaced

PROG is a static 32-bit Linux program: of `rck cc -pthread=core`, or of `gcc -m32 -static`. With
--share it begins in /share, which is the host's folder: PROG reads and writes the files there. Its
output and its errors come from one pipe; much input comes faster as a file. A whole system mounts
that folder by `mount -t 9p -o trans=rockyvisor,version=9p2000.L host /share`.
Exit code: PROG's, or 76 if a signal killed it; else as `rck boot`.

The guest's kernel runs in ring 1 and its programs in ring 3; the hypervisor is
systems/rockyvisor. `make smp-linux` builds the kernel.
"""


_SEEN = "name an existing folder; the guest sees it as /share"


@dataclass(frozen=True)
class Guest:
    """Which kernel, with what, on which cores."""

    image: str | None = None
    map_path: str | None = None
    initrd: str | None = None
    program: str | None = None
    arguments: Sequence[str] = ()
    env: Mapping[str, str] | None = None
    append: str = ""
    cores: str = "0"
    vcpus: int = 1
    memory: str = "32M"
    report: bool = False
    pages: bool = False
    share: str | None = None
    reads: bool = True  # the program reads this command's standard input
    console: int | None = None
    hypercalls: bool = False  # the kernel calls its hypervisor


def chosen(n: int | None, cores: str | None) -> str:
    """The list of cores that -n or --cores mean."""
    from rockcreek import description as descriptions
    from rockcreek.running.run_job import choose_cores

    if n is None:
        return "0" if cores is None else cores
    if cores is not None:
        raise click.UsageError("-n and --cores exclude each other", click.get_current_context())
    return ",".join(map(str, choose_cores(descriptions.load("scc"), n, None)))


def start(guest: Guest, given: RunGiven) -> int:
    """Boot it, until it has ended."""
    from rockcreek.booting.linux_image import parse_size
    from rockcreek.consoles.console import Sink
    from rockcreek.running.host_limits import allow_open_files
    from rockcreek.running.run_job import shared_folder
    from rockcreek.smp import machine, pages_table, program

    context = click.get_current_context()
    if given["restore"] is not None:
        text = "--restore: `rck boot --restore` continues a machine"
        raise click.UsageError(text, context)
    share = None if guest.share is None else shared_folder(guest.share, _SEEN)
    words, files, stdin = guest.append, machine.read_initrd(guest.initrd), None
    if guest.program is not None:
        if guest.initrd is not None:
            text = "--initrd and a program exclude each other: the program is the file system's"
            raise click.UsageError(text, context)
        files = program.file_system(
            guest.program,
            guest.arguments,
            guest.env or {},
            shares=share is not None,
            processors=machine.core_count(guest.cores) * guest.vcpus,
        )
        stdin = _input(guest)
        words = f"{program.QUIET} {words}".strip()
        given["tag"] = given["tag"] or "none"
    allow_open_files()
    run_options.check(given)
    kernel = machine.read_kernel(guest.image, guest.map_path, calls=guest.hypercalls)
    notes = Sink("pages")
    started = machine.Machine(
        kernel,
        files,
        words,
        cores=guest.cores,
        processors=guest.vcpus,
        memory=parse_size(guest.memory) >> 20,
        reports=guest.report,
        lists_pages=guest.pages,
        hertz=machine.HERTZ if guest.image is None else None,
        asks_for_input=stdin is not None,
        calls=guest.hypercalls,
    )
    terms = run_options.fields(given)
    result = machine.run(
        started,
        terms,
        guest.console,
        share=share,
        stdin=stdin,
        notes=notes if guest.pages else None,
    )
    code = finish(result, json_path=given["json_path"], quiet=given["quiet"])
    if guest.pages:
        lines = notes.captured.decode(errors="replace").splitlines()
        say(pages_table.text(lines, kernel.map_text))
    return code


def _input(guest: Guest) -> Source | None:
    """Of a program; a console has the keys for itself."""
    from rockcreek.consoles.guest_input import FdSource, MemorySource

    if guest.console is not None:
        return None
    return FdSource(0) if guest.reads else MemorySource(b"")


def run_file(env: Mapping[str, str], n: int | None, cores: Sequence[int] | None) -> int:
    """`rck run --kernel smp`, with all that the command was given."""
    from rockcreek import description as descriptions
    from rockcreek.running.run_job import choose_cores, choose_readers

    given = cast("RunParams", click.get_current_context().params)
    linux_job.refuse_others(
        {
            **linux_job.of_own_kernel(given),
            "--view": given["view"],
            "--mount": given["mounted"],
            "--messages": given["messages"],
        },
        ": one Linux on several cores has none of this yet (rck smp --help)",
    )
    readers = choose_readers(given["stdin_cores"], choose_cores(descriptions.load("scc"), n, cores))
    named = None if cores is None else ",".join(map(str, cores))
    guest = Guest(
        program=given["program"],
        arguments=given["arguments"],
        env=env,
        share=given["share"],
        reads=bool(readers),  # all cores are one Linux, with one program
        cores=chosen(n, named),
    )
    return start(guest, given)


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog=_EPILOG,
    options_metavar="[OPTIONS]",
)
@click.option("-n", type=int, metavar="N", help="Run on cores 0 to N-1.  [default: 1]")
@click.option("--image", metavar="FILE", help="A bzImage.  [default: that of `make smp-linux`]")
@click.option("--map", "map_path", metavar="FILE", help="The System.map of --image, for names.")
@click.option("--initrd", metavar="FILE", help="The initial file system.")
@click.option("--append", default="", metavar="TEXT", help="More words on Linux's command line.")
@click.option("--cores", metavar="LIST", help="Run on these cores; the first boots.")
@click.option("--env", multiple=True, metavar="A=B", help="Set a variable of PROG (repeat).")
@click.option("--vcpus", type=int, default=1, metavar="N", help="Virtual processors of each core.")
@click.option("--memory", default="32M", metavar="SIZE", help="The guest's memory.  [default: 32M]")
@click.option("--report", is_flag=True, help="Let the hypervisor print its counts at the end.")
@click.option(
    "--pages",
    is_flag=True,
    help="List the pages that moved most between cores at the end, and what lives there.",
)
@click.option(
    "--hypercalls",
    is_flag=True,
    help="Take a kernel that calls the hypervisor (that of `make smp-linux-hypercalls`).",
)
@click.option("--share", metavar="DIR", help="Let the guest see this folder as /share.")
@click.option("--patches", is_flag=True, help="List the instructions that are replaced, and end.")
@click.option(
    "--console", type=int, metavar="CORE", help="Connect to this core's COM1; Ctrl-] ends."
)
@run_options.terms_options
@click.argument("program", metavar="[PROG]", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGS]...")
def smp(
    n: int | None,
    image: str | None,
    map_path: str | None,
    initrd: str | None,
    append: str,
    cores: str | None,
    env: tuple[str, ...],
    vcpus: int,
    memory: str,
    report: bool,
    pages: bool,
    hypercalls: bool,
    share: str | None,
    patches: bool,
    console: int | None,
    program: str | None,
    arguments: tuple[str, ...],
    **given: Unpack[RunGiven],
) -> int:
    """Run PROG under one Linux on cores that are not coherent, or boot a whole system.

    RockyVisor, a hypervisor on each core, gives that Linux coherent memory, LOCK and interrupts
    between processors.
    """
    if patches:
        from rockcreek.smp import machine, patches_table

        kernel = machine.read_kernel(image, map_path, calls=hypercalls)
        click.echo(patches_table.text(kernel))
        return 0
    guest = Guest(
        image=image,
        map_path=map_path,
        initrd=initrd,
        program=program,
        arguments=arguments,
        env=parse_variables(env),
        append=append,
        cores=chosen(n, cores),
        vcpus=vcpus,
        memory=memory,
        report=report,
        pages=pages,
        share=share,
        console=console,
        hypercalls=hypercalls,
    )
    return start(guest, given)
