"""Which port of this host leads to which port of a core: 127.0.0.1:2222=rck00:22."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rockcreek.errors import UsageError

LOOPBACK = "127.0.0.1"
_LAST_PORT = 65_535
# 192.168.1.254 is the host.
_LAST_CORE = 252
_FORM = re.compile(
    r"(?:(?P<host>[^:=]*):)?(?P<port>\d{1,5})=(?:rck)?(?P<core>\d{1,3}):(?P<to>\d{1,5})"
)
_HINT = "127.0.0.1:2222=rck00:22 lets `ssh -p 2222 127.0.0.1` reach core 0"


@dataclass(frozen=True)
class Port:
    """A port of this host, and the core's port behind it."""

    host: str
    port: int
    core: int
    core_port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}=rck{self.core:02d}:{self.core_port}"


def choose(texts: Iterable[str], cores: Collection[int]) -> list[Port]:
    """All of a run, which lead to these cores."""
    found = [parse(text) for text in texts]
    for port in found:
        if port.core > _LAST_CORE:
            hint = f"cores 0 to {_LAST_CORE} have an address, 192.168.1.(core + 1)"
            raise UsageError(f"--forward {port}: core {port.core} has no address", hint=hint)
        if port.core not in cores:
            hint = "-n or --cores boots it"
            raise UsageError(f"--forward {port}: core {port.core} boots nothing", hint=hint)
    return found


def parse(text: str) -> Port:
    """One `--forward`.

    >>> str(parse("8080=rck17:80"))
    '127.0.0.1:8080=rck17:80'
    """
    form = _FORM.fullmatch(text)
    if form is None:
        raise UsageError(f"--forward {text}: not HOST:PORT=CORE:PORT", hint=_HINT)
    found = Port(_loopback(text, form["host"]), *(int(form[n]) for n in ("port", "core", "to")))
    for number in (found.port, found.core_port):
        if not 1 <= number <= _LAST_PORT:
            raise UsageError(f"--forward {text}: there is no port {number}", hint="1 to 65535")
    return found


def _loopback(text: str, host: str | None) -> str:
    """The address, which nobody reaches from outside of this host."""
    if host in (None, "", "localhost"):
        return LOOPBACK
    try:
        if ipaddress.IPv4Address(host).is_loopback:
            return str(host)
    except ValueError:
        pass
    hint = "guests are not trusted and their keys are no secret: only 127.x.y.z may be named"
    raise UsageError(f"--forward {text}: {host} is no loopback address", hint=hint)
