"""Every function of complex.h against the host's long double form, on ordinary arguments.

A float or double result is within half a unit in the last place of its larger part; a long double
one within some. Infinities, and the signs of zeros along the branch cuts, are not held here.
"""

from __future__ import annotations

import errno
import random
import re
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from math_header import HEADER
from test_math import host_has_x87

# Relative to the larger part of the result.
TOLERANCE = {"f": 6.1e-8, "": 1.2e-16, "l": 4e-18}
REAL = {"f": "float", "": "double", "l": "long double"}
# No other function has a letter that its name does not end with.
NAMES = re.compile(r"^(\w[\w ]*?)\s+(c\w+)\s*\(([^)]*)\);", re.MULTILINE)


def declarations() -> list[tuple[str, bool, int]]:
    """Name, whether the result is complex, number of arguments."""
    text = (HEADER.parent / "complex.h").read_text()
    return [
        (name, "complex" in kind, len(args.split(","))) for kind, name, args in NAMES.findall(text)
    ]


def letter(name: str) -> str:
    """The type's letter of a function."""
    names = {n for n, _, _ in declarations()}
    return name[-1] if name[-1] in "fl" and name[:-1] in names else ""


def arguments() -> list[str]:
    dice = random.Random(7)
    values = [(dice.uniform(-4, 4), dice.uniform(-4, 4)) for _ in range(20)]
    values += [(dice.uniform(-30, 30), dice.uniform(-1, 1)) for _ in range(5)]
    values += [(0.5, 1.5), (1.25, -0.5), (1e-3, 2e-3), (-1e-9, 1e-5)]
    return [f"CMPLXL({a.hex()}L, {b.hex()}L)" for a, b in values]


def program() -> str:
    """One line a call: name, and one or two numbers with all their digits."""
    lines = ["#define _GNU_SOURCE", "#include <complex.h>", "#include <math.h>"]
    lines += ["#include <stdio.h>", "#ifndef CMPLXL"]
    lines += [
        "#define CMPLXL(a, b) __builtin_complex((long double)(a), (long double)(b))",
        "#endif",
    ]
    lines += [f"static volatile long double complex z[] = {{{', '.join(arguments())}}};"]
    lines += ["int main(void)\n{\nfor (int i = 0; i < (int)(sizeof z / sizeof z[0]); i++) {"]
    for name, is_complex, count in declarations():
        suffix = letter(name)
        real = REAL[suffix]
        host = name.removesuffix(suffix) + "l"
        operand = f"({real} complex)z[i]"
        wide = f"(long double complex)({operand})"
        second = ", 0.5 + 0.25 * I" if count == 2 else ""
        lines += ["#ifdef REFERENCE", f"{{ long double complex r = {host}({wide}{second});"]
        lines += ["#else", f"{{ {real} complex r = {name}({operand}{second});", "#endif"]
        imaginary = "cimagl(r)" if is_complex else "0.0L"
        lines += [f'printf("{name} %.25Lg %.25Lg\\n", creall(r), {imaginary}); }}']
    return "\n".join([*lines, "}\nreturn 0;\n}\n"])


def parse(text: str) -> list[tuple[str, Fraction, Fraction]]:
    rows = [line.split() for line in text.splitlines()]
    return [(name, Fraction(a), Fraction(b)) for name, a, b in rows]


def judge(output: str, reference: str) -> list[str]:
    ours, hosts = parse(output), parse(reference)
    assert len(ours) == len(hosts) > 1000
    wrong = []
    for (name, *got), (_, *wanted) in zip(ours, hosts, strict=True):
        error = max(abs(a - b) for a, b in zip(got, wanted, strict=True))
        size = max(abs(part) for part in wanted)
        if error > Fraction(TOLERANCE[letter(name)]) * size:
            parts = [float(part) for part in (*got, *wanted, error)]
            wrong.append("{}: {}, {} instead of {}, {}: {:.2g} off".format(name, *parts))
    return wrong


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("complex") / "complex_functions.c"
    path.write_text(program())
    return path


@pytest.fixture(scope="module")
def reference(source: Path) -> str:
    binary = source.with_suffix(".host")
    subprocess.run(
        ["cc", "-w", "-O1", "-fno-builtin", "-DREFERENCE", source, "-o", binary, "-lm"], check=True
    )
    return subprocess.run([binary], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def guest_program(source: Path, compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(source, ["-O2", "-fno-builtin", "-lm"])


@host_has_x87
def test_complex_on_the_hosts_processor(guest_program: Path, reference: str) -> None:
    try:
        ran = subprocess.run([guest_program], capture_output=True, text=True, check=True)
    except OSError as error:
        assert error.errno == errno.ENOEXEC
        pytest.skip("this host does not run i386 programs")
    wrong = judge(ran.stdout, reference)
    assert not wrong, "\n".join(wrong[:50])


@host_has_x87
def test_complex_on_the_chip(
    guest_program: Path,
    reference: str,
    run_guest: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    ran = run_guest(guest_program)
    assert ran.returncode == 0, ran.stderr
    wrong = judge(ran.stdout, reference)
    assert not wrong, "\n".join(wrong[:50])
