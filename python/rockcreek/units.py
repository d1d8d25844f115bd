"""Durations and sizes in and out. Simulated time is integer picoseconds everywhere."""

from __future__ import annotations

import re

from rockcreek.errors import UsageError

PS_PER_SECOND = 10**12
_PS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": PS_PER_SECOND, "": PS_PER_SECOND}
# Python refuses thousands of digits with an error of its own.
_DURATION = re.compile(r"([0-9]{1,40})(?:\.([0-9]{1,40}))?\s*(ps|ns|us|ms|s|)")


# The engine counts picoseconds in 64 bits; half of that leaves room for sums.
_LONGEST_PS = 1 << 63


def parse_duration_ps(text: str) -> int:
    """Picoseconds of `10ms`, `2.5us`, `800 ns`; a bare number is seconds.

    >>> parse_duration_ps("2.5us")
    2500000
    >>> parse_duration_ps("3")
    3000000000000
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"'{text}' is not a duration",
            hint="write a number and a unit: 500ns, 20us, 10ms or 1.5s",
        )
    whole, fraction, unit = match[1], match[2] or "", match[3]
    scaled = int(whole + fraction) * _PS[unit]
    duration_ps = scaled // int(10 ** len(fraction))
    if duration_ps > _LONGEST_PS:
        raise UsageError(
            f"'{text}' is longer than the chip's time can get", hint="106 days are the most"
        )
    return duration_ps


_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = re.compile(r"(\d{1,15})(?:\.(\d{1,9}))?\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)


def parse_bytes(text: str) -> int:
    """Bytes of `500M`, `2G` or `1.5 GiB`; units are powers of 1,024.

    >>> parse_bytes("2G"), parse_bytes("1.5MiB"), parse_bytes("4096")
    (2147483648, 1572864, 4096)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"'{text}' is not a size", hint="write a number and a unit: 500M, 2G or 1.5G"
        )
    whole, fraction, unit = match[1], match[2] or "", match[3].lower()
    return int(whole + fraction) * _BYTES[unit] // int(10 ** len(fraction))


def format_bytes(size: int) -> str:
    """A size for people.

    >>> format_bytes(1536), format_bytes(3 << 30)
    ('1.5 KiB', '3.0 GiB')
    """
    for unit, name in (("t", "TiB"), ("g", "GiB"), ("m", "MiB"), ("k", "KiB")):
        if size >= _BYTES[unit]:
            return f"{size / _BYTES[unit]:.1f} {name}"
    return f"{size} bytes"


def format_ps(time_ps: int) -> str:
    """A simulated time for people, three decimals in the largest unit that fits.

    >>> format_ps(1_234_567_890), format_ps(42_000), format_ps(0)
    ('1.235 ms', '42.000 ns', '0.000 ns')
    """
    for unit in ("s", "ms", "us"):
        if time_ps >= _PS[unit]:
            return f"{time_ps / _PS[unit]:.3f} {unit}"
    return f"{time_ps / _PS['ns']:.3f} ns"


def format_slowdown(wall_s: float, time_ps: int) -> str:
    """How the run's speed compares with the chip's.

    >>> format_slowdown(2.6, 10**10), format_slowdown(0.5, 2 * 10**12)
    ('260x slower than the chip', '4.0x faster than the chip')
    >>> format_slowdown(1.0, 10**12)
    'as fast as the chip'
    """
    if time_ps == 0:
        return "no simulated time"
    factor = wall_s * PS_PER_SECOND / time_ps
    if factor > 0.95:
        return (
            "as fast as the chip" if factor < 1.05 else f"{_factor(factor)}x slower than the chip"
        )
    return f"{_factor(1 / factor)}x faster than the chip" if factor > 0 else "no wall time"


def _factor(factor: float) -> str:
    return f"{factor:,.0f}" if factor >= 10 else f"{factor:.1f}"
