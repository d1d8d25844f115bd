"""The words of other launchers of MPI (MPICH's Hydra, Open MPI) as options of `rck mpirun`.

What has a meaning on a chip that is one node with 48 cores is honoured; what changes nothing there
is taken; everything else is refused by name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

import click

from rockcreek.errors import InputError
from rockcreek.printable import nearest
from rockcreek.reading import documents

# Each rank has a core of its own, all cores are one node: these hold anyway, or only print.
TAKEN = {
    "-oversubscribe", "-nooversubscribe", "-allow-run-as-root", "-report-bindings",
    "-bind-to-core", "-bycore", "-bynode", "-byslot", "-use-hwthread-cpus", "-genvnone",
    "-envnone", "-l", "-prepend-rank", "-tag-output", "-no-oversubscribe",
    "-v", "-verbose", "-display-map", "-display-allocation",
}  # fmt: skip
TAKEN_WITH_VALUE = {
    "-ppn", "-perhost", "-npernode", "-map-by", "-bind-to", "-rank-by", "-launcher", "-rmk",
    "-iface", "-ranks-per-proc", "-cpus-per-proc", "-cpus-per-rank",
}  # fmt: skip
COUNTS = {"-n", "-np", "-c"}
HOSTS = {"-f", "-hostfile", "-machinefile", "-machine", "-default-hostfile"}
NAMED_HOSTS = {"-H", "-host", "-hosts"}
FOLDERS = {"-wd", "-wdir"}
REFUSED = {
    "-genvall": "name the variables: -genvlist A,B",
    "-envall": "name the variables: -genvlist A,B",
    "-configfile": "write its options on the command line",
    "-app": "write its options on the command line",
    "-mca": "there are no components of Open MPI here: leave it out",
    "-gmca": "there are no components of Open MPI here: leave it out",
    "-pmi-port": "ranks find each other by their cores: leave it out",
    "-stdin": "--stdin names the core that reads standard input",
    "-outfile-pattern": "standard output is one: --tag core names each line's core",
}  # fmt: skip
LOCAL = re.compile(r"(?:localhost|127\.0\.0\.1|node0*|scc)(?::\d+)?(?:\s+(?:max[-_])?slots=\d+)*")


def translate(arguments: list[str], command: click.Command, launch: click.Command) -> list[str]:
    """The arguments in the words of `command`, whose other options are those of `launch`."""
    parts = _parts(arguments)
    translated = [_Part(part, command, launch) for part in parts]
    first = translated[0]
    for other in translated[1:]:
        if other.program != first.program:
            raise click.UsageError(
                f"':' before '{' '.join(other.program)}': all ranks run one program with the same "
                "arguments; let it choose by its rank"
            )
        if (other.options, other.cores) not in (([], []), (first.options, first.cores)):
            raise click.UsageError("':': all parts have the options of the first, but -n")
    counts = [part.count for part in translated]
    if len(parts) > 1:
        counts = [count or 1 for count in counts]
    total = sum(count or 0 for count in counts)
    return [*_ranks(total, first), *first.options, *first.program]


def _ranks(total: int, part: _Part) -> list[str]:
    """The options that give the number of ranks, and the cores if hosts were named."""
    if part.cores:
        if total > len(part.cores):
            raise click.UsageError(
                f"{total} ranks, but {len(part.cores)} hosts: a core has one rank"
            )
        return ["--cores", ",".join(part.cores[: total or None])]
    if not total:
        return []
    return ["-nue" if "-f" in part.options else "-n", str(total)]


def _parts(arguments: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in arguments:
        if word == ":":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


class _Part:
    """One job between two colons: a number of ranks, options, a program."""

    def __init__(self, words: list[str], command: click.Command, launch: click.Command) -> None:
        self.count: int | None = None
        self.options: list[str] = []
        self.cores: list[str] = []
        self.words = list(words)
        # -f is both the launchers' and ours; a host's name may mean the whole chip.
        self.ours = _options(launch) | _options(command)
        while self.words and self.words[0].startswith("-") and self.words[0] != "--":
            self._option(self.words.pop(0))
        self.program = self.words

    def _value(self, word: str) -> str:
        if not self.words:
            raise click.UsageError(f"option '{word}' needs a value after it")
        return self.words.pop(0)

    def _option(self, word: str) -> None:
        name, equals, value = word.partition("=")
        if equals:
            self.words.insert(0, value)
        short = "-" + name.lstrip("-")
        if short in REFUSED:
            raise click.UsageError(f"'{name}' is not taken here: {REFUSED[short]}")
        if short in TAKEN:
            return
        if short in TAKEN_WITH_VALUE or name == "-N":
            self._value(name)
        elif short in COUNTS:
            if self.count is not None:
                raise click.UsageError(f"'{name}' gives the number of ranks a second time")
            self._count(name, self._value(name))
        elif short in HOSTS:
            self._host_file(name, self._value(name))
        elif short in NAMED_HOSTS:
            self._hosts(name, self._value(name).split(","))
        elif short in FOLDERS:
            self.options += ["-wdir", self._value(name)]
        elif short in ENVIRONMENT:
            self.options += ENVIRONMENT[short](self, name)
        elif name in self.ours:
            self.options += [name] if self.ours[name] else [name, self._value(name)]
        else:
            raise click.UsageError(f"there is no option '{name}'{nearest(name, list(self.ours))}")

    def _count(self, name: str, value: str) -> None:
        if not (value.isdecimal() and len(value) < 10) or int(value) < 1:
            raise click.UsageError(f"'{name} {value}': not a number of ranks")
        self.count = int(value)

    def _host_file(self, name: str, path: str) -> None:
        try:
            text = documents.text(path, most=documents.MOST_TOML_BYTES)
        except InputError as error:
            raise click.UsageError(f"{name} {error.message}") from error
        lines = [line.partition("#")[0].strip() for line in text.splitlines()]
        if not _whole_chip(filter(None, lines)):
            self.options += ["-f", path]

    def _hosts(self, name: str, hosts: list[str]) -> None:
        cores = [re.fullmatch(r"(?:rck)?(\d+)(?::1)?", host) for host in hosts]
        if _whole_chip(hosts):
            return
        if not all(cores):
            raise click.UsageError(
                f"'{name} {','.join(hosts)}': hosts are cores, as in rck00,rck07"
            )
        self.cores = [core[1] for core in cores if core]

    def _environment(self, name: str) -> list[str]:
        """-env NAME VALUE, or NAME=VALUE in one word."""
        variable = self._value(name)
        if "=" not in variable:
            variable += f"={self._value(name)}"
        return ["--env", variable]

    def _exported(self, name: str) -> list[str]:
        """-x NAME: as this host has it; or NAME=VALUE."""
        variable = self._value(name)
        return ["--env", variable if "=" in variable else _of_host(variable)]

    def _listed(self, name: str) -> list[str]:
        """-genvlist A,B: as this host has them."""
        return [word for variable in self._value(name).split(",")
                for word in ("--env", _of_host(variable))]  # fmt: skip


ENVIRONMENT: dict[str, Callable[[_Part, str], list[str]]] = {
    "-env": _Part._environment,
    "-genv": _Part._environment,
    "-x": _Part._exported,
    "-genvlist": _Part._listed,
    "-envlist": _Part._listed,
}


def _of_host(variable: str) -> str:
    if variable not in os.environ:
        raise click.UsageError(f"'{variable}' is not set here: write {variable}=VALUE")
    return f"{variable}={os.environ[variable]}"


def _whole_chip(hosts: Iterable[str]) -> bool:
    """Whether hosts only say where the chip is: this machine."""
    return all(LOCAL.fullmatch(host) for host in hosts)


def _options(command: click.Command) -> dict[str, bool]:
    """The options of a command; whether each is one word."""
    return {
        name: parameter.is_flag or parameter.count
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
