"""`rck plan`: a plan for a problem in PDDL, made on the chip; and its validator."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from rockcreek.cli.common import Duration, say
from rockcreek.cli.given import PlanTerms
from rockcreek.errors import UsageError
from rockcreek.exit_codes import ExitCode
from rockcreek.outputs import Output, Outputs, make_folder
from rockcreek.units import PS_PER_SECOND

if TYPE_CHECKING:
    from rockcreek.planning.job import Answer, Document, Request
    from rockcreek.running.options import TermValues

_EPILOG = """Examples:

\b
  rck plan --make blocks-13-1 --output blocks     domain.pddl and problem.pddl in blocks
  rck plan blocks/domain.pddl blocks/problem.pddl on all 48 cores; the plan on stdout
  rck plan -n 1 --limit 1s DOMAIN PROBLEM         the sequential search, a second of the chip
  rck plan --anytime 50ms --output plan DOMAIN PROBLEM
  rck plan --check plan DOMAIN PROBLEM            is this a plan? By code of its own

PDDL: :strips :typing :equality :negative-preconditions :action-costs, constants, either, and
(:metric minimize (total-cost)). All else is refused with its place.

Exit code: 0 a plan (with --check: it is valid), 1 it is not valid, 64 usage, 65 bad input (with
file, line, column), 66 file not found, 69 no plan exists, 71 a rank's memory is full, 74 output
failed, 75 time up without a plan, 76 a core was killed, 130 Ctrl-C (the best plan is kept).
"""


@click.command(epilog=_EPILOG)
@click.argument("domain", required=False)
@click.argument("problem", required=False)
@click.option("-n", "n", type=int, default=48, help="Plan on N cores.  [default: 48]")
@click.option(
    "--weight", type=click.IntRange(0, 1000), default=3, help="Weight of h_add.  [default: 3]"
)
@click.option("--limit", type=Duration(), metavar="T", help="Give up after T of the chip's time.")
@click.option(
    "--anytime", type=Duration(), metavar="T", help="Look for better plans until T is over."
)
@click.option(
    "--ties",
    type=click.IntRange(0, 2**32 - 1),
    metavar="SEED",
    help="Draw the order of states with equal estimates.",
)
@click.option("--independent", is_flag=True, help="Each core searches alone, without messages.")
@click.option("--no-lookahead", is_flag=True, help="Search without lookahead.")
@click.option("--portfolio", is_flag=True, help="Rank 0 searches alone, the others together.")
@click.option(
    "--owner",
    type=click.Choice(["hash", "abstract"]),
    default="hash",
    help="What names the rank of a state: all its facts, or those that few actions change."
    "  [default: hash]",
)
@click.option(
    "--batch", type=click.IntRange(1, 64), default=1, help="Send up to N states in one message."
)
@click.option("--spread", is_flag=True, help="States that lookahead reaches go to their owners.")
@click.option(
    "--memory", type=click.IntRange(1, 4096), metavar="MB", help="Memory for nodes on each core."
)
@click.option("--output", metavar="FILE", help="Write the plan here instead of stdout.")
@click.option("--json", "json_path", metavar="FILE", help="Write plan and counts as JSON.")
@click.option("--trace", metavar="FILE", help="Write each expansion and evaluation (JSON lines).")
@click.option("--check", metavar="PLAN", help="Check PLAN; nothing runs on the chip.")
@click.option("--make", metavar="NAME", help="Write a problem, such as blocks-13-1, to --output.")
@click.option("--timeout", type=Duration(), metavar="T", help="End the run after host time T.")
@click.option(
    "--jitter", type=int, metavar="SEED", help="Vary the instants at which cores leave reset."
)
@click.option("--threads", type=int, default=1, help="Threads of the host.  [default: 1]")
@click.option(
    "--fault", "faults", multiple=True, metavar="PLAN", help="Inject faults, as rck run (repeat)."
)
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
def plan(
    domain: str | None,
    problem: str | None,
    check: str | None,
    make: str | None,
    output: str | None,
    force: bool,
    **given: Any,
) -> int:
    """Find a plan for PROBLEM of DOMAIN (PDDL) by a parallel search on the chip's cores."""
    if make is not None:
        if domain is not None or output is None:
            raise click.UsageError("--make needs --output FOLDER, and no files")
        return _make(make, output, force=force)
    if domain is None or problem is None:
        raise click.UsageError("Missing argument 'DOMAIN PROBLEM'.")
    if check is not None:
        return _check(domain, problem, check)
    return _plan(domain, problem, output=output, force=force, **given)


def _make(name: str, folder: str, *, force: bool) -> int:
    from rockcreek.planning import problems

    texts = zip(("domain.pddl", "problem.pddl"), problems.make(name), strict=True)
    make_folder(folder)
    for file, text in texts:
        with Output(Path(folder) / file, force=force) as to:
            to.write(text)
    say(f"rck: {name}: {folder}/domain.pddl and {folder}/problem.pddl")
    return ExitCode.OK


def _check(domain: str, problem: str, plan_path: str) -> int:
    from rockcreek.planning.validator.check import check
    from rockcreek.planning.validator.lists import Source

    sources = [Source.read(path) for path in (domain, problem, plan_path)]
    verdict = check(*sources)
    if verdict.valid:
        click.echo(f"{plan_path}: valid, {verdict.length} actions, cost {verdict.cost}")
        return ExitCode.OK
    click.echo(verdict.why)
    return ExitCode.DIFFERENT


def _plan(
    domain: str,
    problem: str,
    *,
    n: int,
    limit: int | None,
    anytime: int | None,
    output: str | None,
    json_path: str | None,
    trace: str | None,
    quiet: bool,
    force: bool,
    no_lookahead: bool,
    **given: Any,
) -> int:
    from rockcreek.planning import job

    if limit is not None and anytime is not None:
        raise UsageError("--limit and --anytime exclude each other", hint="--anytime is a limit")
    if given["independent"] and given["portfolio"]:
        raise UsageError(
            "--independent and --portfolio exclude each other",
            hint="a portfolio's ranks exchange messages: leave out --independent",
        )
    if limit == 0 or anytime == 0:
        raise UsageError("a limit of no time leaves none to plan", hint="for example --limit 1s")
    request = job.Request(
        domain,
        problem,
        n=n,
        weight=given["weight"],
        limit_s=None if limit is None else limit / PS_PER_SECOND,
        anytime_s=None if anytime is None else anytime / PS_PER_SECOND,
        ties=given["ties"],
        independent=given["independent"],
        lookahead=not no_lookahead,
        portfolio=given["portfolio"],
        owner=given["owner"],
        batch=given["batch"],
        spread=given["spread"],
        memory_mb=given["memory"],
        trace=trace is not None,
        terms=_terms(cast("PlanTerms", given)),
    )
    files = {"plan": output, "json": json_path, "trace": trace}
    with Outputs(files, force=force) as outputs:
        answer = job.plan(request)
        if answer.plan and output is None:
            click.echo(answer.plan, nl=False)
        elif answer.plan:
            outputs.write("plan", lambda to: to.write(answer.plan))
        document = json.dumps(_document(request, answer), indent=1) + "\n"
        outputs.write("json", lambda to: to.write(document))
        outputs.write("trace", lambda to: to.write("".join(f"{r}\n" for r in answer.records)))
    outputs.check()
    _tell(answer, quiet=quiet)
    return answer.exit_code


def _terms(given: PlanTerms) -> TermValues:
    from rockcreek.faults import plan as fault_plan

    return {
        "timeout_s": None if given["timeout"] is None else given["timeout"] / PS_PER_SECOND,
        "jitter": given["jitter"],
        "threads": given["threads"],
        "faults": fault_plan.read(given["faults"]) if given["faults"] else None,
    }


def _document(request: Request, answer: Answer) -> Document:
    """Without anything of the host: one request gives one text, to the byte."""
    return {
        "schema": {"name": "rockcreek-plan", "version": 1},
        "domain": os.fspath(request.domain),
        "problem": os.fspath(request.problem),
        "cores": request.n,
        "end": answer.end,
        "plan": answer.steps,
        "chip_ps": answer.result.time_ps,
        "instructions": answer.result.instructions,
        "planner": answer.report,
    }


def _tell(answer: Answer, *, quiet: bool) -> None:
    """Prints the errors of a search, and a summary."""
    for error in answer.result.errors:
        say(error.render())
    for core in answer.result.cores:
        if core.reason == "dead":
            say(f"rck: rank {core.rank} (core {core.core}) has died: its nodes are lost")
    said = answer.result.stderr.decode(errors="replace")
    for line in said.splitlines():
        if not line.startswith("; "):
            say(line)
    if answer.end == "no plan":
        say("rck: no plan exists: every state that can be reached was seen")
    if answer.end == "time up" and not answer.plan:
        say("rck: time up: no plan yet\nhint: give more time, or more cores (-n)")
    if quiet or not answer.report:
        return
    found = ""
    if answer.plan:
        found = f"{answer.report['length']} actions, cost {answer.report['cost']}; "
    say(
        f"rck: {found}{answer.report['ranks'][0]['search_ns'] / 1e6:.3f} ms of search"
        f" ({answer.result.time_ps / 1e9:.1f} ms of the chip in all),"
        f" {answer.total('evaluated'):,} nodes evaluated, {answer.total('generated'):,} generated,"
        f" {answer.total('sent'):,} messages"
    )
