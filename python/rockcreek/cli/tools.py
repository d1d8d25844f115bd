"""`rck cc`, `rck c++`, `rck ar`, `rck ranlib`: hand everything on to the guest tool chain."""

from __future__ import annotations

import click

_PASS_ALL = {
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}
_OWN_HELP = (("-h",), ("--help",))


@click.command(
    context_settings=_PASS_ALL,
    add_help_option=False,
    options_metavar="[OPTIONS OF CLANG]",
    epilog="""Examples:

\b
  rck cc hello.c -o hello               a program; debug lines are kept (-g0: none)
  rck cc -O2 ring.c -lrcce -o ring      with RCCE
  rck cc -O2 -c part.cpp                an object file of C++
  rck cc --show hello.c -o hello        print the real command and stop
  rck cc -help                          the compiler's own options
""",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="FILE...")
@click.pass_context
def cc(ctx: click.Context, arguments: tuple[str, ...]) -> int:
    """Compile C or C++ for the chip (a static program for the i586).

    Takes the options of clang; files that end in .cpp, .cc or .cxx are C++. Programs are linked
    with the libc, math and RCCE libraries that come with Rockcreek.
    """
    if arguments in _OWN_HELP:
        click.echo(ctx.get_help())
        return 0
    from rockcreek.toolchain import cc_main

    return cc_main(list(arguments))


@click.command(
    name="c++",
    context_settings=_PASS_ALL,
    add_help_option=False,
    options_metavar="[OPTIONS OF CLANG]",
    epilog="""Example:

\b
  make CC='rck cc' CXX='rck c++' AR='rck ar' RANLIB='rck ranlib'
""",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="FILE...")
@click.pass_context
def cxx(ctx: click.Context, arguments: tuple[str, ...]) -> int:
    """As `rck cc`, with files that end in .c taken as C++, as compilers of C++ do."""
    if arguments in _OWN_HELP:
        click.echo(ctx.get_help())
        return 0
    from rockcreek.toolchain import cc_main

    return cc_main(list(arguments), cxx=True)


@click.command(
    context_settings=_PASS_ALL,
    add_help_option=False,
    options_metavar="[OPTIONS OF AR]",
    epilog="""Example:

\b
  rck ar rcs libpart.a part.o other.o
""",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="ARCHIVE FILE...")
@click.pass_context
def ar(ctx: click.Context, arguments: tuple[str, ...]) -> int:
    """Make a static library of chip objects."""
    if arguments in _OWN_HELP:
        click.echo(ctx.get_help())
        return 0
    from rockcreek.toolchain import ar_main

    return ar_main(list(arguments))


@click.command(
    context_settings=_PASS_ALL,
    add_help_option=False,
    options_metavar="",
    epilog="""Example:

\b
  rck ranlib libpart.a
""",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="ARCHIVE...")
@click.pass_context
def ranlib(ctx: click.Context, arguments: tuple[str, ...]) -> int:
    """Write the index of a static library; `rck ar` does it, too."""
    if arguments in _OWN_HELP:
        click.echo(ctx.get_help())
        return 0
    from rockcreek.toolchain import ranlib_main

    return ranlib_main(list(arguments))
