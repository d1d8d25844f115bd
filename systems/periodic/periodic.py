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

Exit code 1: the file is wrong; the message says in which line and column.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from bounds import Bounds
from c_table import c_file
from links import links_in_c, load_mb_s, parse_links
from statements import CORES, SetError, Word, check_form, number, statements

from rockcreek import description

# From a job's worst-case end to the start of one that reads its line; `bounds` refuses a set with
# a message that may take longer.
MESSAGE_US = 2
# The executive counts cycles in 32 bits and compares them with a sign; the table lies in its image.
MOST_HYPERPERIOD_US = 4_000_000
MOST_JOBS = 4096
MOST_PERIOD = 10**9
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,15}", re.ASCII)


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


def _task(words: list[Word], unit: int, line: int) -> Task:
    keys = ("core", "period", "wcet", "offset", "deadline")
    check_form(words, dict(zip(range(2, 12, 2), keys, strict=True)), 12, 12)
    name = words[1]
    if not _NAME.fullmatch(name):
        raise SetError(f"{name.place}: '{name}' is no name: a letter, then letters, digits, _ . -")
    core = number(words, 3, 0, CORES - 1)
    period = number(words, 5, 1, MOST_PERIOD)
    wcet = number(words, 7, 1, period)
    offset = number(words, 9, 0, period - 1)
    deadline = number(words, 11, wcet, period)
    return Task(name, core, period * unit, wcet * unit, offset * unit, deadline * unit, line)


def _message(words: list[Word], line: int) -> Message:
    check_form(words, {2: "->", 4: "word"}, 6, 6)
    word = words[5]
    if set(word) - {"0", "1"} or "1" not in word:
        raise SetError(f"{word.place}: the word '{word}' is not of 0 and 1, with a 1")
    return Message(words[1], words[3], word, line)


def _unit(words: list[Word]) -> int:
    check_form(words, {}, 3, 3)
    if words[2] not in ("us", "ms"):
        raise SetError(f"{words[2].place}: '{words[2]}' is neither us nor ms")
    return number(words, 1, 1, 1_000_000) * (1000 if words[2] == "ms" else 1)


def parse_tasks(text: str) -> TaskSet:
    """The set, each statement checked.

    >>> parse_tasks("task a core 0 period 4 wcet 1 offset 0 deadline 4").tasks["a"].wcet
    1
    """
    tasks: dict[str, Task] = {}
    messages: list[Message] = []
    unit = 0
    for line, words in statements(text, ("unit", "task", "message")):
        if words[0] == "unit":
            if unit or tasks:
                raise SetError(f"{words[0].place}: the unit stands once, before the first task")
            unit = _unit(words)
        elif words[0] == "task":
            task = _task(words, unit or 1, line)
            if task.name in tasks:
                raise SetError(f"{words[1].place}: task {task.name} is defined twice")
            tasks[task.name] = task
        else:
            messages.append(_message(words, line))
    if not tasks:
        raise SetError("there is no task")
    found = TaskSet(tasks, messages)
    _check_ends(found)
    _check_load(found)
    _check_cycles(found)
    _check_size(found)
    return found


def _check_ends(it: TaskSet) -> None:
    seen = set()
    for message in it.messages:
        for end in (message.source, message.target):
            if end not in it.tasks:
                known = ", ".join(it.tasks)
                raise SetError(
                    f"line {message.line}: there is no task '{end}' (there are: {known})"
                )
        ends = message.source, message.target
        if ends in seen:
            raise SetError(f"line {message.line}: a message {' -> '.join(ends)} is there already")
        seen.add(ends)


def _check_size(it: TaskSet) -> None:
    span = it.hyperperiod
    if span > MOST_HYPERPERIOD_US:
        raise SetError(
            f"all periods together repeat after {span} us, at most {MOST_HYPERPERIOD_US} can be "
            "run: choose periods with common multiples"
        )
    jobs = sum(span // task.period for task in it.tasks.values())
    if jobs > MOST_JOBS:
        raise SetError(f"{jobs} jobs in {span} us: at most {MOST_JOBS} are in a table")


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
    waiting = {
        task.name: [
            Job(task, number, task.offset + number * task.period, 0)
            for number in range(it.hyperperiod // task.period)
        ]
        for task in it.tasks.values()
    }
    free = dict.fromkeys(range(CORES), 0)
    done: dict[tuple[str, int], int] = {}
    found: list[Job] = []
    while any(waiting.values()):
        best: tuple[int, int, Job] | None = None
        for job in (jobs[0] for jobs in waiting.values() if jobs):
            ready = _ready(it, job, done)
            if ready is None:
                continue
            start = max(ready, free[job.task.core])
            if best is None or (start, job.due) < best[:2]:
                best = start, job.due, job
        assert best is not None  # there is no cycle
        start, due, job = best
        del waiting[job.task.name][0]
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
    """When all jobs that it hears from have ended; a sender's end in order, so its last counts."""
    ready = job.release
    for message in it.messages:
        if message.target != job.task.name:
            continue
        source = it.tasks[message.source]
        number = (job.release - source.offset) // source.period
        if number < 0:
            continue
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
    return c_file(lines)


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
    if options.bounds and options.kind != "tasks":
        parser.error("--bounds is of tasks; links have none")
    try:
        text = options.file.read_text("utf-8-sig")
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
        told = "it is no text" if isinstance(error, UnicodeDecodeError) else error
        print(f"periodic: {options.file}: {told}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
