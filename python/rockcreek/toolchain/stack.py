"""The TCP/IP stack: ``-llwip``, where ``make tcpip`` put it."""

from __future__ import annotations

import os
from pathlib import Path

LIBRARY = "-llwip"
MISSING = f"unable to find library {LIBRARY}"


def folder() -> Path:
    """Where the library is: RCK_TCPIP, or build/tcpip/lib of the checkout."""
    named = os.environ.get("RCK_TCPIP")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "build/tcpip/lib"


def there() -> bool:
    """Whether the stack has been built."""
    return (folder() / "liblwip.a").is_file()


def hint(words: str) -> str | None:
    """How to get what the linker did not find."""
    return "in a checkout, 'make tcpip' fetches and builds lwIP" if MISSING in words else None
