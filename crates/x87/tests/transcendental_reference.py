"""Writes transcendental_reference.txt: exact values of the transcendental functions.

    python3 transcendental_reference.py > transcendental_reference.txt    (needs mpmath)
    python3 transcendental_reference.py SEED ROUNDS > FILE                others, for the same test

A line holds function, x, y (sign and exponent, significand, as in a register), then the result:
sign, unbiased exponent, the first 96 bits of its significand. Angles are reduced with the P5's
66-bit pi: the result is the function of n * pi/2 + r, where x = n * pi66/2 + r
and r lies between -pi66/4 and pi66/4.
"""

import random
import sys

from mpmath import atan, atan2, cos, expm1, floor, frexp, ldexp, log, log1p, mp, mpf, pi, sin, tan

mp.prec = 400
HALF_PI = 0x3243F6A8885A308D3  # units of 2**-65
ROUNDS = 240


def f80(exponent: int, significand: int, sign: int = 0) -> tuple[int, int]:
    return (sign << 15 | exponent + 16383, significand)


def value(x: tuple[int, int]) -> mpf:
    magnitude = ldexp(mpf(x[1]), (x[0] & 0x7FFF) - 16383 - 63)
    return -magnitude if x[0] >> 15 else magnitude


def angle(x: tuple[int, int]) -> mpf:
    scaled = abs(value(x)) * 2**65
    quotient = int(floor(scaled / HALF_PI + mpf(1) / 2))
    rest = (scaled - quotient * HALF_PI) / 2**65
    result = quotient % 4 * pi / 2 + rest
    return -result if x[0] >> 15 else result


def significand() -> int:
    place = random.randrange(64)
    kind = random.randrange(5)
    bits = [0, (1 << place) - 1, 1 << place, random.getrandbits(64), ~((1 << place) - 1)][kind]
    return bits & (1 << 64) - 1 | 1 << 63


def operand(low: int, high: int, signed: bool = True) -> tuple[int, int]:
    return f80(random.randint(low, high), significand(), random.getrandbits(1) if signed else 0)


def near_multiple() -> tuple[int, int]:
    """The number next to a multiple of half the internal pi."""
    multiple = random.randrange(1, 1 << random.randrange(1, 60)) * HALF_PI
    shift = multiple.bit_length() - 64
    return f80(shift + 63 - 65, multiple >> shift)


def near_one() -> tuple[int, int]:
    place = random.randrange(1, 63)
    if random.getrandbits(1):
        return f80(0, 1 << 63 | random.getrandbits(place))
    return f80(-1, (1 << 64) - 1 - random.getrandbits(place))


def emit(name: str, x: tuple[int, int], y: tuple[int, int], result: mpf) -> None:
    mantissa, exponent = frexp(abs(result))
    bits = int(floor(ldexp(mantissa, 96)))
    print(f"{name} {x[0]:04x} {x[1]:016x} {y[0]:04x} {y[1]:016x} ", end="")
    print(f"{int(result < 0)} {exponent - 1} {bits:024x}")


def operand_of_angle(i: int) -> tuple[int, int]:
    """Near multiples of pi/2 up to 2**62, small, ordinary, huge (below 2**63) and tiny angles."""
    if i % 4 == 0:
        return near_multiple()
    return operand(*[(-70, -1), (-3, 3), (0, 62), (58, 62), (-16000, -70)][i % 5])


def main(seed: int, rounds: int) -> None:
    random.seed(seed)
    one = f80(0, 1 << 63)
    for i in range(rounds):
        x = operand_of_angle(i)
        for name, function in (("sin", sin), ("cos", cos), ("tan", tan)):
            emit(name, x, one, function(angle(x)))
        x = operand(*[(-80, -1), (-3, -1), (-16000, -80)][i % 3])
        emit("f2xm1", x, one, expm1(value(x) * log(2)))
        reach = [2, 1000, 16382][i % 3]
        x = near_one() if i % 2 else operand(-reach, reach, False)
        y = operand(-20, 20) if i % 5 else operand(-8000, 8000)
        if x[1] != 1 << 63:
            emit("fyl2x", x, y, value(y) * log(value(x)) / log(2))
        x = operand(*[(-80, -3), (-4, -3), (-8000, -80)][i % 3])
        if i % 8 == 0:
            x = f80(-2, 0x95F619980C4336F6 + random.getrandbits(61) if i % 16 else significand())
        emit("fyl2xp1", x, y, value(y) * log1p(value(x)) / log(2))
        x, y = operand(-3, 3), operand(*[(-3, 3), (-80, -3), (3, 80)][i % 3])
        if i % 7 == 0:
            x, y = operand(-8000, 8000), operand(-8000, 8000)
        steep = atan2(value(y), value(x))
        emit("fpatan", x, y, steep if value(x) < 0 else atan(value(y) / value(x)))


arguments = [int(word) for word in sys.argv[1:]]
main(*(arguments or [1, ROUNDS]))
