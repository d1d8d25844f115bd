"""Periodic task sets and virtual links: checks, schedules, tables for the bare-metal programs.

    python systems/periodic/periodic.py tasks SET [--out FILE]    the schedule as a chart, or as C
    python systems/periodic/periodic.py tasks SET --bounds        how long each message may take
    python systems/periodic/periodic.py links FILE [--out FILE]   the links' loads, or as C

A task set, one statement a line, `#` begins a comment; times are multiples of the unit:

    unit 10 us
    task NAME core N period T wcet C offset O deadline D
    message FROM -> TO word 1000     FROM sends after its 1st, 5th, ... job; TO's jobs begin behind
                                     all jobs of FROM that are released before or with them

Links, one a line: `link ID size BYTES gap MICROSECONDS to ID ...`. Link i begins at core i mod 48;
`to` names links, that is cores, in the same way.

Exit code 1: the file is wrong; the message says in which line.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

from bounds import Bounds

from rockcreek import description

CORES = 48
# From a job's worst-case end to the start of one that reads its line; `bounds` refuses a set with
# a message that may take longer.
MESSAGE_US = 2
# Of a core's 8 KB: 48 lines for the clock, one to begin.
LINK_ROOM = 8192 - 49 * 32
MOST_MESSAGE = 1536
LINE = 32


class SetError(Exception):
    """What is wrong with a file, and in which line."""


@dataclass(frozen=True)
class Task:
    """A periodic task; times in microseconds."""

    name: str
    core: int
    period: int
    wcet: int
    offset: int
    deadline: int
    line: int


@dataclass(frozen=True)
class Message:
    """A line that FROM sends to TO after the jobs that its word names."""

    source: str
    target: str
    word: str
    line: int


@dataclass(frozen=True)
class Job:
    """One execution in the schedule; times in microseconds from its beginning."""

    task: Task
    number: int
    release: int
    start: int

    @property
    def due(self) -> int:
        """The deadline."""
        return self.release + self.task.deadline


@dataclass(frozen=True)
class TaskSet:
    """What a file says."""

    tasks: dict[str, Task]
    messages: list[Message]

    @property
    def hyperperiod(self) -> int:
        """After which all repeats."""
        return math.lcm(*(task.period for task in self.tasks.values()))


def _number(word: str, line: int, least: int = 0) -> int:
    if not word.isdecimal() or int(word) < least:
        raise SetError(f"line {line}: '{word}' is not a number from {least}")
    return int(word)


def _task(words: list[str], unit: int, line: int) -> Task:
    keys = ("core", "period", "wcet", "offset", "deadline")
    if len(words) != 12 or tuple(words[2::2]) != keys:
        raise SetError(f"line {line}: a task is 'task NAME {' N '.join(keys)} N'")
    core, period, wcet, offset, deadline = (_number(word, line) for word in words[3::2])
    if core >= CORES:
        raise SetError(f"line {line}: core {core}: there are {CORES}")
    if period < 1 or wcet < 1:
        raise SetError(f"line {line}: {words[1]}: period and wcet are 1 or more")
    if deadline < wcet or deadline > period:
        raise SetError(f"line {line}: {words[1]}: the deadline lies between wcet and period")
    return Task(words[1], core, period * unit, wcet * unit, offset * unit, deadline * unit, line)


def parse_tasks(text: str) -> TaskSet:
    """The set, each statement checked.

    >>> parse_tasks("task a core 0 period 4 wcet 1 offset 0 deadline 4").tasks["a"].wcet
    1
    """
    tasks: dict[str, Task] = {}
    messages: list[Message] = []
    unit = 1
    for line, statement in enumerate(text.splitlines(), 1):
        words = statement.split("#")[0].split()
        if not words:
            continue
        if words[0] == "unit" and len(words) == 3 and words[2] in ("us", "ms"):
            unit = _number(words[1], line, 1) * (1000 if words[2] == "ms" else 1)
        elif words[0] == "task":
            task = _task(words, unit, line)
            if task.name in tasks:
                raise SetError(f"line {line}: task {task.name} is defined twice")
            tasks[task.name] = task
        elif words[0] == "message" and len(words) == 6 and words[2::2] == ["->", "word"]:
            if set(words[5]) - {"0", "1"} or "1" not in words[5]:
                raise SetError(f"line {line}: the word '{words[5]}' is not of 0 and 1, with a 1")
            messages.append(Message(words[1], words[3], words[5], line))
        else:
            raise SetError(f"line {line}: unit, task or message, not '{statement.strip()}'")
    if not tasks:
        raise SetError("there is no task")
    for message in messages:
        for end in (message.source, message.target):
            if end not in tasks:
                raise SetError(f"line {message.line}: there is no task '{end}'")
    found = TaskSet(tasks, messages)
    _check_load(found)
    _check_cycles(found)
    return found


def _check_load(it: TaskSet) -> None:
    load: dict[int, float] = {}
    for task in it.tasks.values():
        load[task.core] = load.get(task.core, 0) + task.wcet / task.period
        if load[task.core] > 1:
            raise SetError(
                f"line {task.line}: core {task.core} is over-full with {task.name}: "
                f"{100 * load[task.core]:.0f} %"
            )


def _check_cycles(it: TaskSet) -> None:
    state: dict[str, int] = {}

    def visit(name: str, way: list[str]) -> None:
        state[name] = 1
        for message in it.messages:
            if message.source != name:
                continue
            if state.get(message.target) == 1:
                way = [*way, name, message.target]
                raise SetError(
                    f"line {message.line}: precedence has a cycle: "
                    f"{' -> '.join(way[way.index(message.target) :])}"
                )
            if message.target not in state:
                visit(message.target, [*way, name])
        state[name] = 2

    for name in it.tasks:
        if name not in state:
            visit(name, [])


def schedule(it: TaskSet) -> list[Job]:
    """A start for each job of one hyperperiod; jobs are not interrupted.

    Of the jobs that may begin first, the one with the earliest deadline does.
    """
    waiting = [
        Job(task, number, task.offset + number * task.period, 0)
        for task in it.tasks.values()
        for number in range(it.hyperperiod // task.period)
    ]
    free = dict.fromkeys(range(CORES), 0)
    done: dict[tuple[str, int], int] = {}
    found: list[Job] = []
    while waiting:
        best: tuple[int, int, Job] | None = None
        for job in waiting:
            ready = _ready(it, job, done)
            if ready is None:
                continue
            start = max(ready, free[job.task.core])
            if best is None or (start, job.due) < best[:2]:
                best = start, job.due, job
        assert best is not None  # there is no cycle
        start, due, job = best
        waiting.remove(job)
        end = start + job.task.wcet
        if end > due:
            raise SetError(
                f"line {job.task.line}: {job.task.name} misses its deadline by construction: "
                f"job {job.number} may end {end} us, due {due} us"
            )
        free[job.task.core] = done[job.task.name, job.number] = end
        found.append(Job(job.task, job.number, job.release, start))
    return sorted(found, key=lambda job: (job.task.core, job.start))


def _ready(it: TaskSet, job: Job, done: dict[tuple[str, int], int]) -> int | None:
    if job.number and (job.task.name, job.number - 1) not in done:
        return None
    ready = job.release
    for message in it.messages:
        if message.target != job.task.name:
            continue
        source = it.tasks[message.source]
        for number in range((job.release - source.offset) // source.period + 1):
            if (source.name, number) not in done:
                return None
            ready = max(ready, done[source.name, number] + MESSAGE_US)
    return ready


def chart(it: TaskSet, width: int = 72) -> str:
    """The schedule of one hyperperiod, a row for each task."""
    jobs = schedule(it)
    span = it.hyperperiod + max(task.offset for task in it.tasks.values())
    rows = []
    for task in it.tasks.values():
        row = ["."] * width
        for job in jobs:
            if job.task == task:
                begin = job.start * width // span
                end = max(begin + 1, (job.start + task.wcet) * width // span)
                row[begin:end] = "#" * (end - begin)
        rows.append(f"core {task.core:2} {task.name:8} |{''.join(row[:width])}|")
    return "\n".join([*rows, f"0 to {span} us, hyperperiod {it.hyperperiod} us"])


def bounds(it: TaskSet) -> str:
    """How long each message may take on the SCC, a line each."""
    chip = description.load("scc")
    flows = [(it.tasks[m.source].core, it.tasks[m.target].core) for m in it.messages]
    on_mesh = Bounds(chip, flows)
    rows = []
    for message, (source, target) in zip(it.messages, flows, strict=True):
        found = on_mesh.bound(source, target)
        rows.append(
            f"{message.source} -> {message.target}: cores {source} to {target}, {found.hops} hops; "
            f"there within {found.arrival} cycles, confirmed in {found.least} to {found.most}"
        )
        if found.arrival > MESSAGE_US * chip.core_mhz:
            raise SetError(
                f"line {message.line}: the message may take {found.arrival} cycles, "
                f"longer than the {MESSAGE_US} us that the schedule leaves it"
            )
    return "\n".join([*rows, f"core cycles at {chip.core_mhz} MHz"])


def tasks_in_c(it: TaskSet) -> str:
    """The table that executive.c includes."""
    names = list(it.tasks)
    lines = [f"#define HYPERPERIOD_US {it.hyperperiod}", "#define TASKS \\"]
    lines += [f'    {{"{task.name}", {task.core}, {task.wcet}}}, \\' for task in it.tasks.values()]
    lines += ["", "#define JOBS \\"]
    lines += [
        f"    {{{names.index(job.task.name)}, {job.start}, {job.due}}}, \\" for job in schedule(it)
    ]
    lines += ["", "#define MESSAGES \\"]
    lines += [
        f'    {{{names.index(m.source)}, {names.index(m.target)}, "{m.word}"}}, \\'
        for m in it.messages
    ]
    return _c_file(lines)


def _c_file(lines: list[str]) -> str:
    text = "\n".join(lines).replace(", \\\n\n", ",\n\n")
    return f"/* Made by periodic.py: do not edit. */\n/* clang-format off */\n{text}\n\n"


@dataclass(frozen=True)
class Link:
    """A virtual link: one sender, some receivers."""

    core: int
    size: int
    gap: int
    targets: tuple[int, ...]


def parse_links(text: str) -> list[Link]:
    """The links; each receiver's MPB has room for them."""
    found = []
    room = dict.fromkeys(range(CORES), LINK_ROOM)
    for line, statement in enumerate(text.splitlines(), 1):
        words = statement.split("#")[0].split()
        if not words:
            continue
        if len(words) < 8 or words[::2][:4] != ["link", "size", "gap", "to"]:
            raise SetError(f"line {line}: a link is 'link ID size BYTES gap US to ID ...'")
        core, size, gap = (
            _number(words[at], line, least) for at, least in ((1, 0), (3, 1), (5, 1))
        )
        targets = tuple(_number(word, line) % CORES for word in words[7:])
        if size > MOST_MESSAGE:
            raise SetError(f"line {line}: {size} bytes: a message has at most {MOST_MESSAGE}")
        for target in targets:
            if target == core % CORES:
                raise SetError(f"line {line}: core {target} sends to itself")
            room[target] -= 2 * LINE + -(-size // LINE) * LINE
            if room[target] < 0:
                raise SetError(f"line {line}: the message buffer of core {target} is over-full")
        found.append(Link(core % CORES, size, gap, targets))
    if not found:
        raise SetError("there is no link")
    return found


def load_mb_s(links: list[Link]) -> float:
    """What all receivers get, in MB/s."""
    return sum(link.size * len(link.targets) / link.gap for link in links)


def links_in_c(links: list[Link]) -> str:
    """The table that afdx.c includes: one row for each receiver of a link."""
    lines = ["#define FLOWS \\"]
    lines += [
        f"    {{{link.core}, {target}, {link.size}, {link.gap}}}, \\"
        for link in links
        for target in link.targets
    ]
    return _c_file(lines)


def main(arguments: list[str]) -> int:
    """Read a file, show or write it."""
    parser = argparse.ArgumentParser(
        prog="periodic", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("tasks", "links"))
    parser.add_argument("file", type=Path)
    shows = parser.add_mutually_exclusive_group()
    shows.add_argument("--out", type=Path, help="the table in C")
    shows.add_argument("--bounds", action="store_true", help="how long messages may take (tasks)")
    options = parser.parse_args(arguments)
    try:
        text = options.file.read_text()
        if options.kind == "tasks":
            tasks = parse_tasks(text)
            shown, table = chart(tasks), tasks_in_c(tasks)
            if options.bounds:
                shown = bounds(tasks)
        else:
            links = parse_links(text)
            shown = f"{len(links)} links, {load_mb_s(links):.0f} MB/s"
            table = links_in_c(links)
        if options.out:
            options.out.write_text(table)
        else:
            print(shown)
    except (OSError, UnicodeDecodeError, SetError) as error:
        print(f"periodic: {options.file}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
