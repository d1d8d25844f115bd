"""Judges the results of the math program against the host's."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from math_header import Function
from math_program import EXACT

# Precision, and exponent of the smallest subnormal and of the first power of two too large.
FORMATS = {
    "float": (24, -149, 128),
    "double": (53, -1074, 1024),
    "long double": (64, -16445, 16384),
}

# Units in the last place of the result's type. A float or double result is a long double kernel's
# rounded once: a hair over half a unit.
DEFAULT_ULPS = {"float": 0.501, "double": 0.51, "long double": 3.0}
ULPS = {("tgamma", "long double"): 8.0}
# The error may also be this small in itself: near the zeros of functions that musl computes.
ABSOLUTE = {("lgamma", "long double"): 1e-18}
for bessel in ("j0", "j1", "jn", "y0", "y1", "yn"):
    ULPS[bessel, "double"] = 4.0
    ABSOLUTE[bessel, "double"] = ABSOLUTE[bessel, "float"] = 1e-15

EITHER_ZERO = ("fmax", "fmin", "j1", "jn")

INFINITE = "inf"
NO_NUMBER = "nan"


@dataclass(frozen=True)
class Real:
    """A value of 80 bits: a number with its sign, an infinity, or none."""

    kind: str
    negative: bool
    value: Fraction

    def __str__(self) -> str:
        return ("-" if self.negative else "") + (self.kind or brief(abs(self.value)))


def decode(text: str) -> Real:
    """A value as the program prints it."""
    high, significand = int(text[:4], 16), int(text[4:], 16)
    negative, exponent = high >> 15 == 1, high & 0x7FFF
    if exponent == 0x7FFF:
        kind = INFINITE if significand == 1 << 63 else NO_NUMBER
        return Real(kind, negative, Fraction(0))
    value = Fraction(significand) * Fraction(2) ** (max(exponent, 1) - 16383 - 63)
    return Real("", negative, -value if negative else value)


def unit(value: Fraction, real: str) -> Fraction:
    """One unit in the last place at a value."""
    bits, smallest, _ = FORMATS[real]
    if value == 0:
        return Fraction(2) ** smallest
    value = abs(value)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    return Fraction(2) ** max(exponent - bits + 1, smallest)


def overflows(value: Fraction, real: str) -> bool:
    """Whether a value rounds to an infinity."""
    bits, _, top = FORMATS[real]
    return abs(value) >= Fraction(2) ** top - Fraction(2) ** (top - bits - 1)


def brief(value: Fraction) -> str:
    """A value for a message; a float cannot hold every long double."""
    try:
        return f"{float(value):.3g}"
    except OverflowError:
        return "huge"


def judge(function: Function, got: str, reference: str) -> tuple[float, str]:
    """The error in units, and what is wrong with a value ("" if nothing)."""
    if got == reference:  # most are, and exact fractions cost the host much
        return 0.0, ""
    if len(got) != 20 or len(reference) != 20:
        # A quotient's low three bits are what counts.
        if function.family == "remquo" and (int(got) - int(reference)) % 8 == 0:
            return 0.0, ""
        return 0.0, "" if got == reference else f"{got} instead of {reference}"
    a, b = decode(got), decode(reference)
    if NO_NUMBER in (a.kind, b.kind):
        return 0.0, "" if a.kind == b.kind else f"{a} instead of {b}"
    if b.kind == "" and a.kind == INFINITE:
        right = overflows(b.value, function.real) and a.negative == b.negative
        return 0.0, "" if right else f"{a} instead of {b}"
    if a.kind or b.kind:
        return 0.0, "" if (a.kind, a.negative) == (b.kind, b.negative) else f"{a} instead of {b}"
    # What the C standard leaves open: the larger of two zeros, j1 of an infinity.
    if a.value == b.value == 0:
        either = function.family in EITHER_ZERO or a.negative == b.negative
        return 0.0, "" if either else f"{a} instead of {b}"
    if function.family in EXACT:
        return 0.0, "" if a == b else f"{a} instead of {b}"
    difference = abs(a.value - b.value)
    error = float(difference / unit(b.value, function.real))
    key = (function.family.removesuffix("_r"), function.real)
    allowed = ULPS.get(key, DEFAULT_ULPS[function.real])
    near = difference <= ABSOLUTE.get(key, 0)
    return (
        error,
        ""
        if error <= allowed or near
        else f"{error:.3g} units, {brief(difference)} off at {brief(b.value)}",
    )


def judge_all(
    functions: list[Function], output: str, reference: str
) -> tuple[dict[str, float], list[str]]:
    """The largest error of each function, and all that is wrong."""
    worst = {f.name: 0.0 for f in functions}
    wrong = []
    ours, hosts = output.splitlines(), reference.splitlines()
    if len(ours) != len(hosts):
        wrong.append(f"{len(ours)} lines instead of {len(hosts)}")
    for line, other in zip(ours, hosts, strict=False):
        number, case, *got = line.split()
        other_number, other_case, *wanted = other.split()
        function = functions[int(number)]
        if (number, case, len(got)) != (other_number, other_case, len(wanted)):
            wrong.append(f"{function.name}: '{line}' beside '{other}'")
            break
        for value, expected in zip(got, wanted, strict=True):
            error, problem = judge(function, value, expected)
            worst[function.name] = max(worst[function.name], error)
            if problem:
                wrong.append(f"{function.name} case {case}: {problem}")
    return worst, wrong
