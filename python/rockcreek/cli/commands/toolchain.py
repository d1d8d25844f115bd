"""`rck cc`, `c++`, `mpicc`, `mpicxx`, `ar`, `ranlib`: everything goes to the guest tool chain;
`cmake`, `meson`, `pkg-config`: what build systems need of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import click

_PASS_ALL = {
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}
_OWN_HELP = (("-h",), ("--help",))


def _tool(
    name: str, *, options: str, files: str, epilog: str
) -> Callable[[Callable[[list[str]], int]], click.Command]:
    """A command of which only `--help` alone is not for the tool."""

    def command(handler: Callable[[list[str]], int]) -> click.Command:
        @click.command(
            name,
            context_settings=_PASS_ALL,
            add_help_option=False,
            options_metavar=options,
            epilog=epilog,
        )
        @click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar=files)
        @click.pass_context
        @wraps(handler)
        def callback(ctx: click.Context, arguments: tuple[str, ...]) -> int:
            if arguments in _OWN_HELP:
                click.echo(ctx.get_help())
                return 0
            return handler(list(arguments))

        return callback

    return command


@_tool(
    "cc",
    options="[OPTIONS OF CLANG]",
    files="FILE...",
    epilog="""Examples:

\b
  rck cc hello.c -o hello               a program; debug lines are kept (-g0: none)
  rck cc -O2 ring.c -lrcce -o ring      with RCCE
  rck cc -O2 -c part.cpp                an object file of C++
  rck cc --show hello.c -o hello        print the real command and stop
  rck cc -O2 -pthread lu.c -o lu        threads on a core each (also -fopenmp)
  rck cc -O2 -pthread=core a.c -o a     threads that share the core of their process
  rck cc --with gcc -O3 bt.c -o bt      by this machine's GCC (or RCK_CC_WITH=gcc)
  rck cc -D_TIME_BITS=64 clock.c        times beyond 2038 (C11 has them; older C has 32 bits)
  rck cc -help                          the compiler's own options

Programs are static: -rdynamic and -Wl,-export-dynamic are taken and export nothing, -shared is
refused.
""",
)
def cc(arguments: list[str]) -> int:
    """Compile C or C++ for the chip (a static program for the i586).

    Takes the options of clang; files that end in .cpp, .cc or .cxx are C++. Programs are linked
    with the libc, C++ and math libraries that come with Rockcreek; RCCE's are named (-lrcce,
    -lircce).
    """
    from rockcreek.toolchain import cc_main

    return cc_main(arguments)


@_tool(
    "c++",
    options="[OPTIONS OF CLANG]",
    files="FILE...",
    epilog="""Example:

\b
  make CC='rck cc' CXX='rck c++' AR='rck ar' RANLIB='rck ranlib'
""",
)
def cxx(arguments: list[str]) -> int:
    """Compile and link like `rck cc`, but take files that end in .c for C++."""
    from rockcreek.toolchain import cc_main

    return cc_main(arguments, cxx=True)


@_tool(
    "ar",
    options="[OPTIONS OF AR]",
    files="ARCHIVE FILE...",
    epilog="""Example:

\b
  rck ar rcs libpart.a part.o other.o
""",
)
def ar(arguments: list[str]) -> int:
    """Make a static library of chip objects."""
    from rockcreek.toolchain import ar_main

    return ar_main(arguments)


@_tool(
    "ranlib",
    options="",
    files="ARCHIVE...",
    epilog="""Example:

\b
  rck ranlib libpart.a
""",
)
def ranlib(arguments: list[str]) -> int:
    """Write the index of a static library; `rck ar` does it, too."""
    from rockcreek.toolchain import ranlib_main

    return ranlib_main(arguments)


@_tool(
    "mpicc",
    options="[OPTIONS OF CLANG]",
    files="FILE...",
    epilog="""Examples:

\b
  rck mpicc -O2 ring.c -o ring          then: rck mpirun -n 48 ring
  rck mpicc -O2 -c part.c               an object file
  make CC='rck mpicc'                   someone's makefile

MPI is MPICH with a channel for the SCC; `make mpi` in a checkout fetches and builds it.
""",
)
def mpicc(arguments: list[str]) -> int:
    """Compile C that uses MPI, as `rck cc` does."""
    from rockcreek.toolchain.mpi import mpicc_main

    return mpicc_main(arguments)


@_tool(
    "mpicxx",
    options="[OPTIONS OF CLANG]",
    files="FILE...",
    epilog="""Example:

\b
  rck mpicxx -O2 ring.cpp -o ring
""",
)
def mpicxx(arguments: list[str]) -> int:
    """Compile C++ that uses MPI's C interface, as `rck c++` does."""
    from rockcreek.toolchain.mpi import mpicc_main

    return mpicc_main(arguments, cxx=True)


@_tool(
    "pkg-config",
    options="[OPTIONS OF PKG-CONFIG]",
    files="LIBRARY...",
    epilog="""Examples:

\b
  rck pkg-config --libs ircce                        -lircce -lrcce
  ./configure PKG_CONFIG=rck-pkg-config ...
""",
)
def pkg_config(arguments: list[str]) -> int:
    """Ask this host's pkg-config about the chip's libraries alone."""
    from rockcreek.toolchain.build_systems import pkg_config_main

    return pkg_config_main(arguments)


@click.command(
    epilog="""Example:

\b
  cmake --toolchain $(rck cmake) -B build && cmake --build build
"""
)
def cmake() -> int:
    """Print the path of CMake's toolchain file for the chip."""
    from rockcreek.toolchain.build_systems import CMAKE

    click.echo(str(CMAKE))
    return 0


@click.command(
    epilog="""Example:

\b
  meson setup --cross-file $(rck meson) build && ninja -C build
"""
)
def meson() -> int:
    """Print the path of Meson's cross file for the chip; it finds the tools on the path."""
    from rockcreek.toolchain.build_systems import MESON

    click.echo(str(MESON))
    return 0
