"""The options that `rck run` and `rck boot` share, and what becomes of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rockcreek import cli
from rockcreek.cli.common import Duration, Size, say
from rockcreek.cli.given import RunGiven
from rockcreek.given import CHECKS
from rockcreek.units import PS_PER_SECOND

if TYPE_CHECKING:
    from rockcreek.faults.plan import Plan
    from rockcreek.formats.cycle_profile import Profile
    from rockcreek.formats.result import Result
    from rockcreek.running.options import TermValues

# Between two samples of the page that --view writes, unless --sample says otherwise.
VIEW_EVERY_PS = 10**8


class _Threads(click.ParamType["int | str"]):
    name = "N|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> int | str:
        try:
            return "auto" if value == "auto" else int(value)
        except ValueError:
            self.fail(f"'{value}' is neither a number nor `auto`", param, ctx)


class _Checks(click.ParamType["tuple[str, ...]"]):
    name = "coherence|races|no-races|memory|unwritten|error"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        words = tuple(str(value).split(","))
        unknown = [word for word in words if word not in CHECKS]
        if unknown:
            told = ", ".join(f"`{word}`" for word in CHECKS)
            self.fail(f"'{unknown[0]}' is none of {told}", param, ctx)
        if {"races", "no-races"} <= set(words):
            self.fail("`races` and `no-races` exclude each other", param, ctx)
        for other in ("memory", "unwritten"):
            if {"races", other} <= set(words):
                told = f"`races` and `{other}` exclude each other: that is another run"
                self.fail(told, param, ctx)
        return words


_OPTIONS = (
    click.option("--json", "json_path", metavar="FILE", help="Write the result as JSON."),
    click.option("--output-dir", metavar="DIR", help="Write each core's output to files here."),
    click.option(
        "--tag",
        type=click.Choice(["core", "time", "none"]),
        help="The tag before each line of output.  [default: core if several cores run]",
    ),
    click.option("--timeout", type=Duration(), metavar="T", help="End the run after host time T."),
    click.option(
        "--memory-limit",
        type=Size(),
        metavar="SIZE",
        help="End the run when rck takes more of the host's memory: 500M, 2G.",
    ),
    click.option("--until", type=Duration(), metavar="T", help="End the run at simulated time T."),
    click.option(
        "--chip", default="scc", metavar="FILE|PRESET", help="The chip description.  [default: scc]"
    ),
    click.option(
        "--clocks", metavar="T/M/D", help="MHz of tiles, mesh, memory data.  [default: 533/800/800]"
    ),
    click.option(
        "--jitter", type=int, metavar="SEED", help="Vary the instants at which cores leave reset."
    ),
    click.option(
        "--fault",
        "fault_plans",
        multiple=True,
        metavar="PLAN",
        help="Break something: a file, or mpb:core=1,bit=3@2ms (repeat).",
    ),
    click.option(
        "--fault-seed", type=int, metavar="N", help="Seed for the values that a plan leaves open."
    ),
    click.option(
        "--no-skip", is_flag=True, help="Execute every round of loops that wait (slower)."
    ),
    click.option("--no-translate", is_flag=True, help="Interpret hot code too (slower)."),
    click.option("--power", is_flag=True, help="Report the energy of the run; also in --json."),
    click.option(
        "--power-every",
        type=Duration(),
        metavar="T",
        help="Simulated time between two samples of --power.  [default: 1ms]",
    ),
    click.option(
        "--sample",
        type=Duration(),
        metavar="T",
        help="Record the activity of cores and links in each T of simulated time; in --json.",
    ),
    click.option(
        "--strict-voltage",
        is_flag=True,
        help="A core fails whose clock needs more than its voltage.",
    ),
    click.option(
        "--profile", metavar="FILE", help="Write where the cycles went, for rck profile (slower)."
    ),
    click.option(
        "--roi",
        metavar="NAME|marks",
        help="What the first numbers are about: a region of rck_mark.h, or all from the first to"
        " the last mark.  [default: from RCCE_init to RCCE_finalize, or MPI's, or main to exit]",
    ),
    click.option("--trace", metavar="FILE", help="Write a trace for ui.perfetto.dev."),
    click.option(
        "--trace-only",
        multiple=True,
        metavar="KEY=VALUE",
        help="Only time=1ms..3ms, core=0-3, kind=functions,links or shortest=10us (repeat).",
    ),
    click.option(
        "--trace-every",
        type=Duration(),
        metavar="T",
        help="Simulated time between two samples of the trace.  [default: 100us]",
    ),
    click.option(
        "--flame", metavar="FILE", help="Write where time went by callers, as collapsed stacks."
    ),
    click.option("--profile-host", is_flag=True, help="Report where the host's time went."),
    click.option(
        "--threads",
        type=_Threads(),
        default=1,
        metavar="N|auto",
        help="Run cores on up to N threads of the host, while they help.  [default: 1]",
    ),
    click.option(
        "--commit-log",
        metavar="FILE",
        help="Log each committed instruction, for rck compare --log.",
    ),
    click.option(
        "--check",
        type=_Checks(),
        default=(),
        metavar="coherence|races|no-races|memory|unwritten|error",
        help="coherence: find stale data, lost writes, wrong unlocks, races in MPBs; races: and"
        " races in all memory, or of a program's threads; no-races: no races; memory: accesses"
        " beyond blocks and to freed ones, wrong frees, leaks; unwritten: memory, and values that"
        " were never written and pointers into other blocks (slow); error: exit code 77 if there"
        " are findings. `coherence,memory` does both.",
    ),
    click.option("--check-suppress", metavar="FILE", help="Leave out known findings (TOML)."),
    click.option("--check-sarif", metavar="FILE", help="Write the findings for editors (SARIF)."),
    click.option(
        "--core-dump",
        metavar="DIR",
        help="Write core files for gdb of cores that did not end well.",
    ),
    click.option("--gdb", metavar="[HOST:]PORT", help="Wait for gdb, which controls the run."),
    click.option(
        "--gdb-nowait", is_flag=True, help="With --gdb: run at once; gdb may attach at any time."
    ),
    click.option(
        "--socket", metavar="PATH", help="Let other processes read and write the running chip."
    ),
    click.option(
        "--socket-every",
        type=Duration(),
        metavar="T",
        help="Simulated time between two answers to other processes.  [default: 1ms]",
    ),
    click.option("--socket-wait", is_flag=True, help="Start when another process asks for it."),
    click.option("--save", metavar="FILE", help="Write a snapshot of the chip when the run stops."),
    click.option("--restore", metavar="FILE", help="Continue from a snapshot instead of a start."),
    click.option(
        "--sandbox",
        type=click.Choice(["auto", "on", "off"]),
        default="auto",
        help="Confine rck while guests run: as far as the host can, or not without.  "
        "[default: auto]",
    ),
    click.option("-q", "--quiet", is_flag=True, help="No summary and no progress."),
    click.option("--force", is_flag=True, help="Overwrite files that exist."),
)


def terms_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the options; a command takes their values as `**given`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def of_a_start(given: RunGiven) -> dict[str, str | int | None]:
    """The options whose values a snapshot already determines."""
    return {
        "--chip": None if given["chip"] == "scc" else given["chip"],
        "--clocks": given["clocks"],
        "--jitter": given["jitter"],
    }


def _refusals(given: RunGiven) -> Iterator[tuple[bool, str]]:
    """Wrong combinations of options: whether each is given, and its error message."""
    untraced = bool(given["trace_only"]) or given["trace_every"] is not None
    unlinked = given["socket_every"] is not None or given["socket_wait"]
    yield (
        given["gdb_nowait"] and given["gdb"] is None,
        ("--gdb-nowait needs --gdb PORT: where may gdb attach?"),
    )
    yield (
        given["power_every"] is not None and not given["power"],
        ("--power-every needs --power, which it refines"),
    )
    yield (
        given["power_every"] == 0,
        ("--power-every 0: samples must be some time apart, such as 1ms"),
    )
    yield (
        given["socket"] is None and unlinked,
        ("--socket-every and --socket-wait need --socket PATH"),
    )
    yield (
        given["socket_every"] == 0,
        ("--socket-every 0: instants must be some time apart, such as 1ms"),
    )
    yield given["sample"] == 0, "--sample 0: samples must be some time apart, such as 1ms"
    yield given["trace"] is None and untraced, "--trace-only and --trace-every need --trace FILE"
    yield (
        given["trace_every"] == 0,
        ("--trace-every 0: samples must be some time apart, such as 100us"),
    )
    for name, file in (
        ("--check-suppress", given["check_suppress"]),
        ("--check-sarif", given["check_sarif"]),
    ):
        yield file is not None and not given["check"], f"{name} needs --check coherence"
    yield (
        "unwritten" in given["check"] and given["commit_log"] is not None,
        "--check unwritten and --commit-log: each needs the instructions for itself",
    )
    yield (
        given["roi"] is not None and given["restore"] is not None,
        ("--roi and --restore: what a region's begin had counted is not in the snapshot"),
    )
    yield (
        bool(given["check"]) and given["restore"] is not None,
        ("--check and --restore: what the caches of a snapshot hold is not known"),
    )


def check(given: RunGiven) -> None:
    """Refuses before the run what it could not do at its end."""
    from rockcreek.inspection import core_file
    from rockcreek.tracing import selection

    for wrong, text in _refusals(given):
        if wrong:
            raise click.UsageError(text, click.get_current_context())
    selection.parse(given["trace_only"])
    if given["core_dump"] is not None:
        core_file.check_folder(given["core_dump"], force=given["force"])


def _faults(plans: Sequence[str]) -> Plan | None:
    if not plans:
        return None
    from rockcreek.faults import plan

    return plan.read(plans)


def fields(given: RunGiven) -> TermValues:
    """The fields of `Terms` that these options say."""
    from rockcreek.consoles.console import Sink

    values: TermValues = {
        "chip": given["chip"],
        "clocks": given["clocks"],
        "jitter": given["jitter"],
        "output_dir": given["output_dir"],
        "force": given["force"],
        "tag": given["tag"],
        "commit_log": given["commit_log"],
        "profile": given["profile"],
        "core_dump": given["core_dump"],
        "save": given["save"],
        "restore": given["restore"],
        "gdb": given["gdb"],
        "profile_host": given["profile_host"],
        "power": given["power"],
        "strict_voltage": given["strict_voltage"],
        "check": given["check"],
        "check_suppress": given["check_suppress"],
        "check_sarif": given["check_sarif"],
        "trace": given["trace"],
        "flame": given["flame"],
        "trace_only": given["trace_only"],
        "roi": given["roi"],
        "threads": given["threads"],
        "socket": given["socket"],
        "socket_wait": given["socket_wait"],
        "memory_limit": given["memory_limit"],
        "json": given["json_path"],
        "faults": _faults(given["fault_plans"]),
        "fault_seed": given["fault_seed"],
        "sample_every_ps": given["sample"],
        # In a Python program it would hold for that, too.
        "sandbox": given["sandbox"] if cli.Process.is_ours else "off",
        "skip": not given["no_skip"],
        "translate": not given["no_translate"],
        "timeout_s": None if given["timeout"] is None else given["timeout"] / PS_PER_SECOND,
        "until_ps": given["until"],
        "gdb_wait": not given["gdb_nowait"],
        "say": say,
        "stdout": Sink("stdout", 1),
        "stderr": Sink("stderr", 2),
        "progress": not given["quiet"],
        "command": ["rck", *sys.argv[1:]],
    }
    if given["power_every"] is not None:
        values["power_every_ps"] = given["power_every"]
    if given["socket_every"] is not None:
        values["socket_every_ps"] = given["socket_every"]
    if given["trace_every"] is not None:
        values["trace_every_ps"] = given["trace_every"]
    return values


def view_fields(path: str | None, sample: int | None) -> TermValues:
    """The fields of `Terms` by which a run samples its cores and links, and writes the page of
    `rck view` at its end; none of them without `--view`."""
    if path is None:
        return {}
    return {"page": path, "draw": _draw, "sample_every_ps": sample or VIEW_EVERY_PS}


def _draw(result: Result, profile: Profile | None) -> str:
    from rockcreek.reading.sources import Sources
    from rockcreek.view.page import build

    return build(result, profile, Sources([Path.cwd()]))
