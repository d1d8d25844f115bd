"""Calls in the place of atomic operations, for programs whose threads run on several cores.

The bus lock of an i586 is its own core's. The compiler's intermediate text names each atomic
operation on one line; each becomes calls of systems/crf/pages/atomic.c, which do it on the shared
page. So C11's atomics, C++'s, the compiler's own (`__sync_*`, `__atomic_*`) and OpenMP's work.
"""

from __future__ import annotations

import re
from itertools import count

ORDERS = {"unordered": 0, "monotonic": 0, "acquire": 1, "release": 2, "acq_rel": 3, "seq_cst": 3}
OPERATIONS = ("add", "sub", "and", "or", "xor", "nand", "xchg", "max", "min", "umax", "umin")
REALS = {"fadd": 0, "fsub": 1, "fmax": 7, "fmin": 8}
BITS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "ptr": 32, "float": 32, "double": 64}

ORDER = rf"(?P<order>{'|'.join(ORDERS)})"
SCOPE = r'(?:syncscope\("[^"]*"\) )?'
END = r", align \d+(?P<rest>.*)"
VALUE = r"(?:[^ ,()]+|\w+ \(.*\))"
TYPE = r"(?P<type>\w+)"
AT = r"ptr (?P<at>.+?)"
MODIFY = re.compile(
    rf"(?P<name>\s*%\S+ = )atomicrmw (?:volatile )?(?P<operation>\w+) {AT}, {TYPE} "
    rf"(?P<value>{VALUE}) {SCOPE}{ORDER}{END}"
)
COMPARE = re.compile(
    rf"(?P<name>\s*%\S+ = )cmpxchg (?:weak )?(?:volatile )?{AT}, {TYPE} (?P<expected>{VALUE}), "
    rf"\w+ (?P<value>{VALUE}) {SCOPE}{ORDER} \w+{END}"
)
LOAD = re.compile(
    rf"(?P<name>\s*%\S+ = )load atomic (?:volatile )?{TYPE}, {AT} {SCOPE}{ORDER}{END}"
)
STORE = re.compile(
    rf"\s*store atomic (?:volatile )?{TYPE} (?P<value>{VALUE}), {AT} {SCOPE}{ORDER}{END}"
)
FENCE = re.compile(rf"\s*fence {ORDER}(?P<rest>.*)")
ANY = re.compile(r"^\s*(?:%\S+ = )?(?:atomicrmw|cmpxchg|load atomic|store atomic|fence) ", re.M)
# Code generation itself calls __atomic_load and the like for these.
WIDE = re.compile(r"\bi128\b.*, align [48]\b")
DEBUG = re.compile(r", !dbg !\d+")

DECLARATIONS = """
declare i64 @crf_atomic_modify(ptr, i32, i32, i64, i32)
declare double @crf_atomic_modify_real(ptr, i32, i32, double, i32)
declare i64 @crf_atomic_compare(ptr, i32, i64, i64, i32)
declare i64 @crf_atomic_read(ptr, i32, i32)
declare void @crf_atomic_fence(i32)
"""


class Unknown(ValueError):
    """An atomic operation that has no call."""


def present(text: str) -> bool:
    """Whether there are atomic operations in the compiler's intermediate text."""
    return ANY.search(text) is not None


def replace(text: str) -> str:
    """The text with calls in their place."""
    writer = _Writer()
    lines = [
        new
        for line in text.split("\n")
        for new in (writer.line(line) if ANY.match(line) else [line])
    ]
    return "\n".join(lines) + DECLARATIONS


class _Writer:
    """Writes the lines of each operation; what they compute on the way has names of its own."""

    def __init__(self) -> None:
        self.numbers = count()

    def line(self, line: str) -> list[str]:
        """The lines for one operation."""
        # What signals of this core see; what code generation itself makes calls for.
        if "singlethread" in line or WIDE.search(line):
            return [line]
        for pattern, write in (
            (MODIFY, self.modify), (COMPARE, self.compare), (LOAD, self.load),
            (STORE, self.store), (FENCE, self.fence),
        ):  # fmt: skip
            found = pattern.fullmatch(line)
            if found:
                self.debug = "".join(DEBUG.findall(found["rest"]))
                return write(found)
        raise Unknown(line.strip())

    def fresh(self) -> str:
        return f"%crf.{next(self.numbers)}"

    def say(self, lines: list[str], name: str, what: str) -> str:
        lines.append(f"  {name} = {what}{self.debug}")
        return name

    def bits(self, type: str) -> int:
        if type not in BITS:
            raise Unknown(f"an operation on {type}")
        return BITS[type]

    def widened(self, lines: list[str], type: str, value: str) -> str:
        """A value as i64."""
        bits = self.bits(type)
        if type in ("ptr", "float", "double"):
            how = "ptrtoint" if type == "ptr" else "bitcast"
            value = self.say(lines, self.fresh(), f"{how} {type} {value} to i{bits}")
            type = f"i{bits}"
        if type == "i64":
            return value
        return self.say(lines, self.fresh(), f"zext {type} {value} to i64")

    def narrowed(self, lines: list[str], type: str, value: str, name: str) -> None:
        """An i64 as a value of this type, by this name."""
        bits = self.bits(type)
        if type in ("ptr", "float", "double"):
            if bits < 64:
                value = self.say(lines, self.fresh(), f"trunc i64 {value} to i{bits}")
            how = "inttoptr" if type == "ptr" else "bitcast"
            self.say(lines, name, f"{how} i{bits} {value} to {type}")
        elif type == "i64":
            self.say(lines, name, f"add i64 {value}, 0")
        else:
            self.say(lines, name, f"trunc i64 {value} to {type}")

    def modify(self, found: re.Match[str]) -> list[str]:
        lines: list[str] = []
        name, type = _name(found), found["type"]
        size, order = self.bits(type) // 8, ORDERS[found["order"]]
        at = f"ptr {found['at']}, i32 {size}"
        operation = found["operation"]
        if operation in REALS:
            value = found["value"]
            if type == "float":
                value = self.say(lines, self.fresh(), f"fpext float {value} to double")
            call = (f"call double @crf_atomic_modify_real({at}, i32 {REALS[operation]}, "
                    f"double {value}, i32 {order})")  # fmt: skip
            if type == "double":
                self.say(lines, name, call)
            else:
                old = self.say(lines, self.fresh(), call)
                self.say(lines, name, f"fptrunc double {old} to float")
            return lines
        if operation not in OPERATIONS:
            raise Unknown(f"atomicrmw {operation}")
        value = self.widened(lines, type, found["value"])
        number = OPERATIONS.index(operation)
        old = self.say(
            lines, self.fresh(),
            f"call i64 @crf_atomic_modify({at}, i32 {number}, i64 {value}, i32 {order})",
        )  # fmt: skip
        self.narrowed(lines, type, old, name)
        return lines

    def compare(self, found: re.Match[str]) -> list[str]:
        lines: list[str] = []
        type, order = found["type"], ORDERS[found["order"]]
        expected = self.widened(lines, type, found["expected"])
        value = self.widened(lines, type, found["value"])
        at = f"ptr {found['at']}, i32 {self.bits(type) // 8}"
        wide = self.say(
            lines, self.fresh(),
            f"call i64 @crf_atomic_compare({at}, i64 {expected}, i64 {value}, i32 {order})",
        )  # fmt: skip
        equal = self.say(lines, self.fresh(), f"icmp eq i64 {wide}, {expected}")
        old = self.fresh()
        self.narrowed(lines, type, wide, old)
        pair = f"{{ {type}, i1 }}"
        half = self.say(lines, self.fresh(), f"insertvalue {pair} poison, {type} {old}, 0")
        self.say(lines, _name(found), f"insertvalue {pair} {half}, i1 {equal}, 1")
        return lines

    def load(self, found: re.Match[str]) -> list[str]:
        lines: list[str] = []
        at = f"ptr {found['at']}, i32 {self.bits(found['type']) // 8}"
        order = ORDERS[found["order"]]
        wide = self.say(lines, self.fresh(), f"call i64 @crf_atomic_read({at}, i32 {order})")
        self.narrowed(lines, found["type"], wide, _name(found))
        return lines

    def store(self, found: re.Match[str]) -> list[str]:
        lines: list[str] = []
        value = self.widened(lines, found["type"], found["value"])
        at = f"ptr {found['at']}, i32 {self.bits(found['type']) // 8}"
        number, order = OPERATIONS.index("xchg"), ORDERS[found["order"]]
        call = f"call i64 @crf_atomic_modify({at}, i32 {number}, i64 {value}, i32 {order})"
        self.say(lines, self.fresh(), call)
        return lines

    def fence(self, found: re.Match[str]) -> list[str]:
        return [f"  call void @crf_atomic_fence(i32 {ORDERS[found['order']]}){self.debug}"]


def _name(found: re.Match[str]) -> str:
    return found["name"].split("=")[0].strip()
