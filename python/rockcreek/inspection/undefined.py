"""What a program compiled with `-fsanitize=...` stopped at: the number in Clang's trap.

A check that fails executes UD1 with the number of the check in its operand
(clang/lib/CodeGen/SanitizerHandler.h), or UD2, which other traps of compilers are, too.
"""

from __future__ import annotations

_TRAP, _ANY_TRAP = b"\x0f\xb9", b"\x0f\x0b"
_NO_NUMBER, _BYTE = 0x00, 0x40  # (%eax), and a byte behind it
_OVERFLOW = "let the type be wide enough, or unsigned, or test the operands first"
_ANY = (
    "the program stopped itself by a trap",
    (
        "look there for __builtin_trap, or a mistake that the compiler saw: a division by 0, a null"
        " pointer, in C++ a function with a result that ends without return; with --with gcc"
        " -fsanitize=... for what that finds"
    ),
)
_CHECKS = {
    0: ("a sum overflows its type", _OVERFLOW),
    1: ("the program reached what it calls unreachable", "look at the condition that led there"),
    3: ("a division by zero, or one that overflows", "test the divisor first"),
    5: ("a floating-point number does not fit the integer", "test its range first"),
    6: ("a function is called by a pointer of another type", "give both the type of the function"),
    7: ("a conversion changes the value", "use a type that holds it"),
    8: ("a count of the zeros of 0", "test for 0 first"),
    10: ("a value that its type does not have", "look for a bool or enum that was never set"),
    11: ("a function with a result ended without return", "let each path of the function return"),
    12: ("a product overflows its type", _OVERFLOW),
    13: ("a negation overflows its type", _OVERFLOW),
    14: ("a null pointer where none may be", "test the pointer first"),
    15: ("a null pointer is returned where none may be", "test the pointer first"),
    16: ("a null pointer where none may be", "test the pointer first"),
    17: ("a null pointer is returned where none may be", "test the pointer first"),
    18: ("an index beyond its array", "compare the index with the array's size"),
    19: ("a pointer is moved beyond all memory", "look at the offset that is added to it"),
    20: ("a shift by more bits than there are, or of a sign", "shift unsigned values by less"),
    21: ("a difference overflows its type", _OVERFLOW),
    22: (
        "a null pointer, one with the wrong alignment, or one beyond its array or variable",
        "look at where the pointer was set, and how far it may go",
    ),
    23: ("a pointer has another alignment than promised", "look at where the pointer was set"),
    24: ("an array with a size that is not positive", "test the size first"),
}


def explain(code: bytes) -> tuple[str, str] | None:
    """What happened and what to do, if that code is such a trap."""
    if code[:2] == _ANY_TRAP:
        return _ANY
    if code[:2] != _TRAP or len(code) < 4 or code[2] not in (_NO_NUMBER, _BYTE):
        return None
    return _CHECKS.get(code[3] if code[2] == _BYTE else 0)
