"""Where a project turns warnings into errors: which of them do not stay warnings.

Warnings that Clang alone gives do, since the project's code is clean with GCC, whose warnings it
names. What a second look at a source finds is a mistake, so it becomes an error.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

_NAME = re.compile(r"\[-W([\w-]+)\]$")

# On by default, or by -Wall, -Wextra or -pedantic; GCC 12 has not got them, or gives them for less.
CLANGS = (
    "bitwise-instead-of-logical", "constant-conversion", "constant-logical-operand",
    "deprecated-non-prototype", "embedded-directive", "empty-translation-unit", "extra-semi",
    "for-loop-analysis", "format-insufficient-args", "gnu", "ignored-optimization-argument",
    "ignored-pragma-intrinsic", "implicit-const-int-float-conversion",
    "inconsistent-missing-override", "knr-promoted-parameter", "language-extension-token",
    "literal-conversion", "literal-range", "many-braces-around-scalar-init", "mismatched-tags",
    "missing-braces", "newline-eof", "non-literal-null-conversion", "null-pointer-arithmetic",
    "null-pointer-subtraction", "overloaded-virtual", "parentheses-equality", "pass-failed",
    "pointer-bool-conversion", "self-assign", "single-bit-bitfield-constant-conversion",
    "sometimes-uninitialized", "static-in-inline", "strict-prototypes", "string-plus-char",
    "string-plus-int", "tautological-constant-compare",
    "tautological-constant-out-of-range-compare", "tautological-overlap-compare",
    "unknown-warning-option", "unneeded-internal-declaration", "unused-but-set-variable",
    "unused-function", "unused-lambda-capture", "unused-private-field", "user-defined-warnings",
    "visibility",
)  # fmt: skip


def kept_warnings(flags: list[str]) -> list[str]:
    """Options before the user's; a warning that the project names itself is left to it."""
    if "-Werror" not in flags:
        return []
    named = {flag.removeprefix("-Werror=").removeprefix("-W") for flag in flags}
    return [f"-Wno-error={name}" for name in CLANGS if name not in named]


def print_found(flags: list[str], warnings: Iterable[str]) -> bool:
    """Print what a second look has found, and say whether that is an error by the options."""
    failed = False
    for warning in warnings:
        name = _NAME.search(warning)
        is_error = name is not None and _is_error(flags, name[1])
        failed = failed or is_error
        print(_as_error(warning) if is_error else warning, file=sys.stderr)
    return failed


def _as_error(warning: str) -> str:
    return _NAME.sub(r"[-Werror,-W\1]", warning.replace(": warning: ", ": error: ", 1))


def _is_error(flags: list[str], name: str) -> bool:
    """Whether a warning is one: an option about it alone counts before one about all."""
    for option in (f"error={name}", "error"):
        given = [flag for flag in flags if flag in (f"-W{option}", f"-Wno-{option}")]
        if given:
            return given[-1] == f"-W{option}"
    return False
