"""Writes the C program that calls every function of math.h.

One text serves as the test and as the reference: with -DREFERENCE, on the host, the functions that
are not exact are computed in long double. A line of output is `function case value...`, where a
value is the 80 bits of a long double, or a whole number.
"""

from __future__ import annotations

import random

from math_header import Function

# The result is determined to the last bit: the host's function of the same type is the reference.
EXACT = {
    "ceil", "copysign", "drem", "fabs", "fdim", "finite", "floor", "fma", "fmax", "fmin", "fmod",
    "frexp", "ilogb", "ldexp", "llrint", "llround", "logb", "lrint", "lround", "modf", "nan",
    "nearbyint", "nextafter", "nexttoward", "remainder", "remquo", "rint", "round", "scalb",
    "scalbln", "scalbn", "significand", "sqrt", "trunc",
}  # fmt: skip

PRELUDE = r"""
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef REFERENCE
#define pow10f exp10f
#define pow10 exp10
#define pow10l exp10l
#endif
#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))
static void begin(int function, int index)
{
    printf("%d %d", function, index);
}
static void real(long double value)
{
    uint64_t low;
    uint16_t high;

    memcpy(&low, &value, 8);
    memcpy(&high, (char *)&value + 8, 2);
    printf(" %04x%08x%08x", high, (unsigned)(low >> 32), (unsigned)low);
}
static void whole(long long value)
{
    printf(" %lld", value);
}
"""

EDGES = [
    "0.0L", "-0.0L", "1.0L", "-1.0L", "0.5L", "-0.5L", "1.5L", "2.5L", "-2.5L", "2.0L", "3.0L",
    "-3.0L", "0x1p-1074L", "-0x1p-149L", "0x1.8p-1030L", "0x1p-130L", "0x1p-16440L", "1e-5L",
    "-1e-10L", "0x1p-70L", "0x1p-30L", "10.0L", "-10.0L", "0.7L", "0.999999999999L", "1.0000001L",
    "0.29L", "-0.29L", "-0.999L", "27.0L", "100.0L", "-100.0L", "88.7L", "-87.5L", "-103.9L",
    "709.7L", "-745.1L", "-708.5L", "710.5L", "11355.5L", "-11399.0L", "170.6L", "1000000.0L",
    "0x1.921fb54442d18p+0L", "0x1.921fb54442d18p+1L", "0x1.921fb6p+1L",
    "0x1.921fb54442d1846ap+1L", "0x1.2d97c7f3321d2p+1L", "22.0L", "355.0L", "710.0L",
    "0x1.6ac5b262ca1ffp+849L", "0x1.000001p+30L", "1e9L", "1e10L", "1e18L", "9.3e18L", "1e22L",
    "3.4e38L", "0x1.fffffep+127L", "1e300L", "0x1.fffffffffffffp+1023L", "1e4000L",
    "0x1.fffffffffffffffep+16383L", "__builtin_infl()", "-__builtin_infl()",
    "__builtin_nanl(\"\")",
]  # fmt: skip
PAIR_EDGES = [
    "0.0L", "-0.0L", "1.0L", "-1.0L", "0.5L", "2.0L", "-3.0L", "7.5L", "1e-30L", "1e30L",
    "0x1p-1074L", "1e308L", "__builtin_infl()", "-__builtin_infl()", "__builtin_nanl(\"\")",
]  # fmt: skip
WHOLE_NUMBERS = [0, 1, -1, 2, 5, 24, -24, 127, -126, -149, 1023, -1022, -1074, 2100, 16383, -16445]
BESSEL_ORDERS = [0, 1, 2, 5, -3]


def _literal(value: float) -> str:
    return value.hex() + "L"


def one_argument_values() -> list[str]:
    """Edges, and random values near 1, of medium size and of every size."""
    dice = random.Random(48)
    values = list(EDGES)
    values += [_literal(dice.uniform(-4, 4)) for _ in range(16)]
    values += [_literal(dice.uniform(-60, 60)) for _ in range(8)]
    values += [_literal(dice.uniform(1, 2) * 2.0 ** dice.randint(-900, 900)) for _ in range(8)]
    # All 64 bits of a long double.
    values += [f"0x{dice.getrandbits(64):x}p-{dice.randint(50, 66)}L" for _ in range(8)]
    return values


def pairs() -> list[str]:
    """Pairs for functions of two arguments, a third one for fma."""
    dice = random.Random(24)
    result = [(a, b, "1.0L") for a in PAIR_EDGES for b in PAIR_EDGES]
    for _ in range(60):
        a, b = dice.uniform(0, 8), dice.uniform(-20, 20)
        # c nearly cancels a * b, so that the product's low bits count.
        result.append((_literal(a), _literal(b), _literal(-a * b)))
    for base in ("10.0L", "3.0L", "1.0000000001L", "0.9999L", "-2.0L", "-0.5L"):
        result += [(base, f"{e}.0L", "0x1p-60L") for e in (-40, -3, 3, 7, 22, 37, 300, 1001)]
    result += [("1.0L", "0x1p-53L", "0x1p-106L"), ("0x1.0000002p0L", "0x1.0000002p0L", "0x1p-80L")]
    result += [("1e300L", "1e300L", "-1e308L"), ("1e-300L", "1e-300L", "0x1p-1074L")]
    return ["{" + ", ".join(t) + "}" for t in result]


_X, _XY = "for (int i = 0; i < COUNT(x); i++)", "for (int i = 0; i < COUNT(xy); i++)"
_XN = (
    "for (int i = 0; i < COUNT(x) * COUNT(n); i++)",
    "{type} a = ({type})x[i / COUNT(n)]; {whole} k = n[i % COUNT(n)];",
)
_A = "{type} a = ({type})x[i];"
_AB = "{type} a = ({type})xy[i][0], b = ({type})xy[i][1];"
_FIT = "if (!(fabsl(a) < {limit})) continue;"

# For each shape: loop, arguments, and what is called and shown.
SHAPES: dict[str, tuple[str, str, str]] = {
    "T,T": (_X, _A, "real({call}(a));"),
    "T,T,T": (_XY, _AB, "real({call}(a, b));"),
    "T,T,L": (_XY, "{type} a = ({type})xy[i][0]; long double b = xy[i][1];", "real({call}(a, b));"),
    "T,T,T,T": (_XY, _AB + " {type} c = ({type})xy[i][2];", "real({call}(a, b, c));"),
    "T,T,int": (*_XN, "real({call}(a, k));"),
    "T,T,long": (*_XN, "real({call}(a, k));"),
    "T,int,T": (
        "for (int i = 0; i < COUNT(x) * COUNT(order); i++)",
        "{type} a = ({type})x[i / COUNT(order)]; int k = order[i % COUNT(order)];",
        "real({call}(k, a));",
    ),
    "T,T,int*": (_X, _A + " int k = 0;", "real({call}(a, &k)); whole(k);"),
    "T,T,T*": (_X, _A + " {type} p;", "real({call}(a, &p)); real(p);"),
    "T,T,T,int*": (_XY, _AB + " int k = 0;", "real({call}(a, b, &k)); whole(k);"),
    "void,T,T*,T*": (_X, _A + " {type} p, q;", "{call}(a, &p, &q); real(p); real(q);"),
    "T,const char*": ("for (int i = 0; i < 1; i++)", "", 'real({call}(""));'),
    "int,T": (_X, _A, "whole({call}(a));"),
    # The host's long has 64 bits: only what 32 can hold is the same.
    "long,T": (_X, _A, "if (!(fabsl(a) < 0x1p31L - 1)) continue; whole({call}(a));"),
    "long long,T": (_X, _A, "if (!(fabsl(a) < 0x1p62L)) continue; whole({call}(a));"),
}
_SHOWS_INSIDE = ("long,T", "long long,T")


def test_function(number: int, function: Function) -> str:
    """The C code that calls one function; KeyError if its shape is unknown."""
    loop, arguments, show = SHAPES[function.shape]
    names = {"type": function.real, "whole": "int"}
    reference = function
    if function.family not in EXACT and function.family in HOST_LONG_DOUBLE:
        names["type"] = function.real
        reference = Function(long_double_name(function), "", ())
    begin = f"begin({number}, i); "
    text = f"#ifdef REFERENCE\n#define CALL {reference.name}\n#define P long double\n"
    if reference is function:
        text = text.replace("#define P long double", f"#define P {function.real}")
    text += f"#else\n#define CALL {function.name}\n#define P {function.real}\n#endif\n"
    arguments = arguments.format(**names).replace(f"{function.real} p", "P p")
    show = show.format(call="CALL")
    if function.shape in _SHOWS_INSIDE:
        show = show.replace("whole(", begin + "whole(")
        begin = ""
    text += f"static void test_{number}(void)\n{{\n    {loop} {{\n"
    text += f"        {arguments}\n        {begin}{show} putchar('\\n');\n    }}\n}}\n"
    return text + "#undef CALL\n#undef P\n"


# The long double functions of the host that serve as references, by family.
HOST_LONG_DOUBLE = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf",
    "erfc", "exp", "exp10", "exp2", "expm1", "hypot", "j0", "j1", "jn", "lgamma", "lgamma_r",
    "log", "log10", "log1p", "log2", "pow", "pow10", "sin", "sincos", "sinh", "tan", "tanh",
    "tgamma", "y0", "y1", "yn",
}  # fmt: skip


def long_double_name(function: Function) -> str:
    """The host's long double function of a family."""
    if function.family == "lgamma_r":
        return "lgammal_r"
    return function.family + "l"


def program(functions: list[Function]) -> str:
    """The whole program."""
    numbers = ", ".join(str(n) for n in WHOLE_NUMBERS)
    orders = ", ".join(str(n) for n in BESSEL_ORDERS)
    lines = [
        PRELUDE,
        f"static const volatile long double x[] = {{{', '.join(one_argument_values())}}};",
        f"static const volatile long double xy[][3] = {{{', '.join(pairs())}}};",
        f"static const int n[] = {{{numbers}}};\nstatic const int order[] = {{{orders}}};",
    ]
    lines += [test_function(i, f) for i, f in enumerate(functions)]
    lines.append("int main(void)\n{")
    lines += [f"    test_{i}();" for i in range(len(functions))]
    lines.append("    return 0;\n}\n")
    return "\n".join(lines)
