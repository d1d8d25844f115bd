"""The guest tool chain: ``rck cc`` and ``rck ar``.

A thin driver over the Clang and LLD that the package ``ziglang`` ships. It
compiles C, C++ and assembly for the SCC's cores (a P54C: i586 and x87 only)
and links static programs against the sysroot that set-up built and the wheel
carries. It never builds a library at the user's.

This package imports nothing of the rest of ``rockcreek``, so that the build
backend can use it before the engine exists.
"""

from .driver import ar_main, cc_main, ranlib_main

__all__ = ["ar_main", "cc_main", "ranlib_main"]
