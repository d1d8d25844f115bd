"""C as compilers of the chip's time took it, which Clang by itself does not.

Much of what GCC up to 13 warns about is an error in Clang: here it is a warning again. Two things
need more than an option: a function called before it is defined as `void`, and variables that a
register keeps.
"""

from __future__ import annotations

import re

# Warnings of GCC 12 that are errors in Clang by default; all of them are in C, two in C++ as well.
LENIENT = tuple(
    f"-Wno-error={name}"
    for name in (
        "implicit-function-declaration", "implicit-int", "int-conversion",
        "incompatible-function-pointer-types", "incompatible-pointer-types", "return-type",
        "return-mismatch", "builtin-requires-header",
    )
)  # fmt: skip
LENIENT_CXX = tuple(
    f"-Wno-error={name}"
    for name in ("register", "c++11-narrowing", "reserved-user-defined-literal")
)

# Called before its definition, a function returns int; GCC lets it be void all the same.
CONFLICT = re.compile(
    r"error: conflicting types for '(\w+)'(?:(?!error:).)*?note: previous implicit declaration",
    re.S,
)
# Called without a declaration, these would get an offset of 32 bits, as it once was; theirs has 64.
WIDE = {
    "lseek": "long long lseek(int, long long, int);",
    "truncate": "int truncate(const char *, long long);",
    "ftruncate": "int ftruncate(int, long long);",
    "pread": "int pread(int, void *, unsigned, long long);",
    "pwrite": "int pwrite(int, const void *, unsigned, long long);",
}
UNDECLARED = re.compile(r"call to undeclared function '(\w+)'")
COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
# What only GCC has, by what Clang says.
NESTED = re.compile(
    r"error: function definition is not allowed here|error: fields must have a const"
)

ASM = r"\b(?:__asm__|__asm|asm)\b"
TEXT = r'"(?:[^"\\]|\\.)*"'
KEPT = re.compile(rf"\b(\w+)\s*{ASM}\s*\(\s*\"%?(e[abcd]x|e[sd]i)\"\s*\)")
REGISTER = re.compile(rf"\bregister\b[^;{{}}]*?{KEPT.pattern}[^;{{}}]*;")
# Without operands: what it leaves in registers is meant by the variables.
STATEMENT = re.compile(
    rf"({ASM}\s*(?:(?:volatile|__volatile__|__volatile)\s*)?\(\s*{TEXT}(?:\s*{TEXT})*)"
    rf"((?:\s*:){{3}}\s*{TEXT}(?:\s*,\s*{TEXT})*)?\s*\)\s*;"
)
CONSTRAINTS = {"eax": "a", "ebx": "b", "ecx": "c", "edx": "d", "esi": "S", "edi": "D"}


def lenient(flags: list[str], *, cxx: bool) -> list[str]:
    """Options before the user's: errors are warnings, unless all warnings are to be errors."""
    if "-Werror" in flags:
        return []
    return list(LENIENT_CXX if cxx else LENIENT)


def called_before_void(words: str) -> list[str]:
    """Functions whose only fault is that they were called before they were defined as void."""
    return list(dict.fromkeys(CONFLICT.findall(COLOUR.sub("", words))))


def wide_and_undeclared(words: str) -> list[str]:
    """Declarations of functions that take offsets and were called without one.

    >>> wide_and_undeclared("x.c:1:2: warning: call to undeclared function 'lseek'; ISO C99 ...")
    ['long long lseek(int, long long, int);']
    """
    names = dict.fromkeys(UNDECLARED.findall(COLOUR.sub("", words)))
    return [WIDE[name] for name in names if name in WIDE]


def needs_gcc(words: str) -> bool:
    """Whether Clang said that it has not what only GCC has."""
    return NESTED.search(COLOUR.sub("", words)) is not None


def with_outputs(text: str) -> str:
    """A source whose asm statements name the variables that are kept in registers.

    Clang gives a variable its register only as an operand; GCC keeps it there.

    >>> with_outputs('register int t asm("eax"); asm volatile("rdtsc" ::: "eax", "edx"); return t;')
    'register int t asm("eax"); asm volatile("rdtsc" : "=a"(t) : : "edx"); return t;'
    """
    return "".join(_in_function(part) for part in re.split(r"(?<=\n\})", text))


def _in_function(text: str) -> str:
    kept: dict[str, tuple[str, bool]] = {}
    end = 0
    for declaration in REGISTER.finditer(text):
        wide = re.search(r"long\s+long|int64", declaration[0]) is not None
        kept |= {name: (register, wide) for name, register in KEPT.findall(declaration[0])}
        end = declaration.end()
    return (
        text[:end] + STATEMENT.sub(lambda found: _named(found, kept), text[end:]) if kept else text
    )


def _named(statement: re.Match[str], kept: dict[str, tuple[str, bool]]) -> str:
    clobbered = re.findall(TEXT, statement[2] or "")
    outputs = []
    for name, (register, wide) in kept.items():
        outputs.append(f'"={"A" if wide else CONSTRAINTS[register]}"({name})')
        gone = {register, "edx"} if wide else {register}
        clobbered = [word for word in clobbered if word.strip('"%') not in gone]
    rest = f" : : {', '.join(clobbered)}" if clobbered else ""
    return f"{statement[1]} : {', '.join(outputs)}{rest});"
