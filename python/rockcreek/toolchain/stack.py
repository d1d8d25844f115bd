"""The TCP/IP stack: ``-llwip``, where ``make tcpip`` put it."""

from __future__ import annotations

import os
from pathlib import Path

from .built import Sources

SOURCES = Sources("tcpip", ("stack/**/*.[ch]", "*/*.h", "lwip/lwip.toml"), "tcpip")
LIBRARY = "-llwip"
MISSING = f"unable to find library {LIBRARY}"


def folder() -> Path:
    """Where the library is: RCK_TCPIP, or build/tcpip/lib of the checkout."""
    named = os.environ.get("RCK_TCPIP")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "build/tcpip/lib"


def there() -> bool:
    """Whether the stack has been built."""
    return (folder() / "liblwip.a").is_file()


def usable() -> bool:
    """Whether it has been built from the sources as they are now."""
    return there() and not SOURCES.stale(folder() / "liblwip.a")


def hint(words: str) -> str | None:
    """How to get what the linker did not find."""
    return "in a checkout, 'make tcpip' fetches and builds lwIP" if MISSING in words else None
