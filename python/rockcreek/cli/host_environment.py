"""Variables of this host's environment that a program of OpenMP would read there."""

from __future__ import annotations

import os

import click

from rockcreek.errors import InputError
from rockcreek.software import image

FAMILY = "OMP_"


def openmp(program: str | None, given: dict[str, str], *, quiet: bool) -> dict[str, str]:
    """The guests' environment: `given`, and those of OpenMP's variables that the library reads."""
    there = {name: os.environ[name] for name in sorted(os.environ) if name.startswith(FAMILY)}
    there = {name: value for name, value in there.items() if name not in given}
    if not there or program is None:
        return given
    try:
        data = image.read(program).data
    except InputError:
        return given  # an error in it is reported where it is loaded
    if b"OMP_NUM_THREADS\0" not in data:
        return given
    passed = {name: value for name, value in there.items() if name.encode() + b"\0" in data}
    ignored = [name for name in there if name not in passed]
    if passed and not quiet:
        words = ", ".join(f"{name}={value}" for name, value in passed.items())
        click.echo(
            f"rck: {words} of this environment goes to the program; --env overrides", err=True
        )
    if ignored and not quiet:
        click.echo(f"rck: {', '.join(ignored)}: without effect on the chip", err=True)
    return {**passed, **given}
