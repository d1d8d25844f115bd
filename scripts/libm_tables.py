#!/usr/bin/env python3
"""Write the tables of guest/libm: the bits of 2/pi and the logarithms of pow.

Both are plain mathematics, computed here with integers and ``decimal``; run
with ``--check`` it says whether the committed files are what it would write.
"""

from __future__ import annotations

import argparse
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

LIBM = Path(__file__).resolve().parent.parent / "guest" / "libm"
HEAD = "/* Written by scripts/libm_tables.py; do not edit. */\n/* clang-format off */\n"

# 96 leading zeros let one formula serve arguments below 2^63 too; the last
# bit that the largest long double can need is 16,542 (reduce.c).
LEADING_WORDS = 3
TWO_OVER_PI_WORDS = 522
POW_ENTRIES = 128
# A factor of so few bits keeps (mantissa half) * factor exact.
FACTOR_BITS = 10
# log2 of a factor, split so that exponent + high part is exact.
HIGH_BITS = 44
LOW_BITS = 66


def pi_scaled(bits: int) -> int:
    """floor(pi * 2^bits), by Machin's formula with guard bits."""
    guard = 64
    one = 1 << (bits + guard)

    def arctan_inverse(n: int) -> int:
        term = one // n
        total, sign, k = 0, 1, 1
        while term:
            total += sign * (term // k)
            term //= n * n
            sign, k = -sign, k + 2
        return total

    return (16 * arctan_inverse(5) - 4 * arctan_inverse(239)) >> guard


def two_over_pi() -> str:
    """The words of 2/pi, most significant first."""
    bits = 32 * (TWO_OVER_PI_WORDS - LEADING_WORDS)
    value = (1 << (2 * bits + 65)) // pi_scaled(bits + 64)
    words = [0] * LEADING_WORDS
    for shift in range(bits - 32, -1, -32):
        words.append((value >> shift) & 0xFFFFFFFF)
    lines = [
        "    " + " ".join(f"0x{word:08x}," for word in words[i : i + 6])
        for i in range(0, len(words), 6)
    ]
    return (
        HEAD + "/* 2/pi in binary, after 96 zero bits. */\n"
        f"static const uint32_t two_over_pi[{len(words)}] = {{\n" + "\n".join(lines) + "\n};\n"
    )


def hex_long_double(value: Fraction) -> str:
    """A value as a C literal; it must fit 64 bits."""
    if value == 0:
        return "0.0L"
    sign = "-" if value < 0 else ""
    value = abs(value)
    exponent = 0
    while value.denominator != 1:
        value *= 2
        exponent -= 1
    mantissa = value.numerator
    while mantissa % 2 == 0:
        mantissa //= 2
        exponent += 1
    assert mantissa.bit_length() <= 64
    return f"{sign}0x{mantissa:x}p{exponent}L"


def rounded(value: Decimal, bits: int) -> Fraction:
    """The nearest multiple of 2^-bits."""
    scaled = (value * (1 << bits)).to_integral_value()
    return Fraction(int(scaled), 1 << bits)


def pow_table() -> str:
    """For each 1/128 of [1, 2): a factor near 1/m, and -log2(factor)."""
    getcontext().prec = 80
    rows = []
    for index in range(POW_ENTRIES):
        if index == 0:
            factor = Fraction(1)
        elif index == POW_ENTRIES - 1:
            factor = Fraction(1, 2)
        else:
            middle = 1 + Fraction(2 * index + 1, 2 * POW_ENTRIES)
            scale = 1 << FACTOR_BITS
            factor = Fraction(round(scale / middle), scale)
        number = Decimal(factor.numerator) / Decimal(factor.denominator)
        log2 = -number.ln() / Decimal(2).ln()
        high = rounded(log2, HIGH_BITS)
        rest = log2 - Decimal(high.numerator) / Decimal(high.denominator)
        low = rounded(rest, HIGH_BITS + LOW_BITS - 4)
        cells = ", ".join(hex_long_double(v) for v in (factor, high, low))
        rows.append(f"    {{{cells}}},")
    return (
        HEAD + "/* factor, and the high and low part of -log2(factor). */\n"
        "static const struct {\n    long double factor, high, low;\n"
        f"}} pow_table[{POW_ENTRIES}] = {{\n" + "\n".join(rows) + "\n};\n"
    )


def main() -> int:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    stale = []
    files = {"two_over_pi.h": two_over_pi(), "pow_table.h": pow_table()}
    for name, text in files.items():
        path = LIBM / name
        if arguments.check:
            if not path.is_file() or path.read_text() != text:
                stale.append(name)
        else:
            path.write_text(text)
    if stale:
        print(f"stale: {', '.join(stale)}: run scripts/libm_tables.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
