"""Command lines that do what they say, and most likely not what is meant: one line for each."""

from __future__ import annotations

import os
import re
from itertools import pairwise

from rockcreek.cli.common import say
from rockcreek.errors import RockcreekError
from rockcreek.software import image

# Options that some write behind the program, and that few programs have themselves.
_OFTEN_MISPLACED = (
    "--check", "--until", "--timeout", "--share", "--json", "--trace", "--profile", "--power",
    "--messages", "--roi", "--view", "--sample",
)  # fmt: skip


def say_misplaced(program: str | None, arguments: tuple[str, ...], cores: object) -> None:
    """Options behind the program are the program's: they may have been meant for this command.
    `cores`: how many or which, if that was given."""
    name = os.path.basename(program or "")
    for option, value in () if cores else pairwise(arguments):
        if option in ("-n", "-np", "--cores") and re.fullmatch(r"[\d,-]+", value):
            own = "--cores" if option == "--cores" else "-n"
            say(
                f"rck: {option} {value} stands behind the program, which gets it as an argument;"
                " it runs on one core\n"
                f"hint: options of rck come first: rck run {own} {value} {name}"
            )
            return
    for word in arguments:
        if word.partition("=")[0] in _OFTEN_MISPLACED:
            say(
                f"rck: {word} stands behind the program, which gets it as an argument\n"
                f"hint: options of rck come first: rck run {word} ... {name}"
            )
            return


def say_without_mpi(program: str) -> None:
    """A program that never begins MPI is as many programs as there are ranks."""
    try:
        symbols = image.load_program(program).symbols
    except RockcreekError:
        return  # the run reports it
    if symbols and not {"MPI_Init", "MPI_Init_thread"} & symbols.keys():
        say(
            f"rck: {os.path.basename(program)} never calls MPI_Init: its copies know nothing of"
            " each other\nhint: compile programs of MPI with `rck mpicc`; `rck run` starts others"
        )
