"""`rck cc` and `rck ar`: hand everything on to the guest tool chain."""

from __future__ import annotations

import click

_PASS_ALL = {
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}


@click.command(context_settings=_PASS_ALL, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def cc(arguments: tuple[str, ...]) -> int:
    """Compile C or C++ for the chip; takes the options of a C compiler."""
    from rockcreek.toolchain import cc_main

    return cc_main(list(arguments))


@click.command(context_settings=_PASS_ALL, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def ar(arguments: tuple[str, ...]) -> int:
    """Make a static library of chip objects; takes the options of `ar`."""
    from rockcreek.toolchain import ar_main

    return ar_main(list(arguments))
