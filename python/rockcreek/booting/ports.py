"""`rck boot --ports`: who answers ports that are no serial ports.

On the SCC that is software of the management PC. Here it is nobody, the ports of a PC (a part of
the chip's state), or functions of a Python file, whose state the chip does not know.
"""

from __future__ import annotations

import reprlib
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rockcreek.errors import InputError, NotFoundError, UsageError
from rockcreek.running.attachments import Attachment

if TYPE_CHECKING:
    from rockcreek.chip import Chip
    from rockcreek.errors import RockcreekError

PC = "pc"
_HINT = (
    "a file has read(core, port, size, time_ps), write(core, port, size, value, time_ps), or both"
)
_FULL = 0xFFFF_FFFF
_MODULE = "rockcreek_ports"


@dataclass
class Functions:
    """The functions of a file; after an error of theirs nobody answers."""

    path: str
    module: ModuleType
    error: str | None = field(default=None, init=False)

    def read(self, time_ps: int, core: int, port: int, size: int) -> int | None:
        """IN."""
        value = self._call("read", core, port, size, time_ps)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return None if value is None else value & _FULL
        text = reprlib.repr(value)
        self.error = f"read of port {port:#x} returned {text}, which is no number"
        return None

    def write(self, time_ps: int, core: int, port: int, size: int, value: int) -> bool:
        """OUT."""
        return bool(self._call("write", core, port, size, value, time_ps))

    def _call(self, name: str, *arguments: int) -> Any:
        function: Callable[..., Any] | None = getattr(self.module, name, None)
        if function is None or self.error is not None:
            return None
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:  # noqa: BLE001 (of a user, whatever it is)
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == self.path]
            where = f" at line {lines[-1]}" if lines else ""  # none: it takes other arguments
            what = f"{type(error).__name__}: {error}"
            self.error = f"{name} of port {arguments[1]:#x} failed{where}: {what}"
            return None


@dataclass
class Answered(Attachment):
    """Functions that answer ports of a run."""

    functions: Functions

    def errors(self) -> list[RockcreekError]:
        found = self.functions
        if found.error is None:
            return []
        hint = "from then on its ports read as ones; mend the file and boot again"
        return [InputError(f"{found.path}: {found.error}", path=found.path, hint=hint)]

    def close(self, say: Callable[[str], None]) -> None:
        say(
            f"rck: ports: functions of {self.functions.path} answered; what they keep is not in the"
            " state hash"
        )


def load(names: Sequence[str]) -> tuple[bool, Functions | None]:
    """Whether there are ports of a PC, and the functions that are asked first."""
    files = [name for name in names if name != PC]
    if len(files) > 1:
        raise UsageError(
            f"--ports: {files[0]} and {files[1]}: one file answers all ports",
            hint="let one file import the other one",
        )
    return PC in names, _functions(files[0]) if files else None


def _functions(name: str) -> Functions:
    path = Path(name)
    if not path.is_file():
        raise NotFoundError(
            f"--ports {name}: No such file or directory",
            path=name,
            hint="give `pc`, or a file of Python",
        )
    module = ModuleType(_MODULE)
    module.__file__ = name
    sys.modules[_MODULE] = module  # where dataclasses look for their module
    sys.path.insert(0, str(path.parent))
    try:
        exec(compile(path.read_bytes(), name, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"--ports {name}: {what}", path=name, hint=_HINT) from error
    finally:
        sys.path.pop(0)
    if not any(callable(getattr(module, one, None)) for one in ("read", "write")):
        raise InputError(f"--ports {name}: it has no function read or write", path=name, hint=_HINT)
    return Functions(name, module)


def install(chip: Chip, names: Sequence[str], saves: bool) -> list[Attachment]:
    """Has the ports answered, before any core runs."""
    from rockcreek import _native

    of_a_pc, functions = load(names)
    if functions is not None and saves:
        raise UsageError(
            f"--save: a snapshot has no state of the functions of {functions.path}",
            hint="leave out --save, or answer the ports by `--ports pc`",
        )
    if of_a_pc:
        _native.set_pc_ports(chip._native)
    if functions is None:
        return []
    _native.serve_ports(chip._native, functions.read, functions.write)
    return [Answered(functions)]
