"""`rck doctor`."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable

import click

from rockcreek import resources
from rockcreek._version import __version__
from rockcreek.errors import RockcreekError
from rockcreek.exit_codes import ExitCode


@click.command(epilog="Exit code: 0 if everything is there, 70 if not.")
def doctor() -> int:
    """Check this installation: engine, guest kernel, chip descriptions, guest tool chain."""
    click.echo(f"rck {__version__}, Python {platform.python_version()}, {sys.platform}")
    checks: dict[str, Callable[[], str]] = {
        "engine": _engine,
        "guest kernel": lambda: str(resources.kernel_path()),
        "chip descriptions": _descriptions,
        "guest tool chain": _toolchain,
    }
    good = True
    for name, check in checks.items():
        try:
            click.echo(f"  ok       {name}: {check()}")
        except (RockcreekError, ImportError, OSError) as error:
            good = False
            click.echo(f"  missing  {name}: {error}")
    click.echo(f"  {_mpi()}")
    return ExitCode.OK if good else ExitCode.SOFTWARE


def _engine() -> str:
    from rockcreek.chip import Chip

    return repr(Chip("scc"))


def _descriptions() -> str:
    from rockcreek import description

    names = resources.preset_names()
    for name in names:
        description.load(name)
    return ", ".join(names)


def _mpi() -> str:
    """An extra, without which an installation is whole."""
    from rockcreek.toolchain import mpi

    if mpi.there():
        return f"ok       MPI: {mpi.folder()}"
    return "extra    MPI: not there (`make mpi` in a checkout; wheels made after that carry it)"


def _toolchain() -> str:
    sysroot = resources.GUEST / "sysroot"
    if not sysroot.is_dir():
        raise FileNotFoundError(f"{sysroot} is missing; `make setup` builds it")
    from rockcreek import toolchain

    return f"{toolchain.__name__}, {sysroot}"
