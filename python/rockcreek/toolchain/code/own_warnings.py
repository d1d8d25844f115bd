"""Where a project turns warnings into errors, those that Clang alone gives stay warnings.

The project's code is clean with GCC, whose warnings it names.
"""

from __future__ import annotations

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
