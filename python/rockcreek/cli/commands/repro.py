"""`rck repro`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rockcreek import resources
from rockcreek.cli.common import say
from rockcreek.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from rockcreek.repro.record import Record
    from rockcreek.repro.study import Study

_EPILOG = """Examples:

\b
  rck repro                              where all studies stand, without running anything
  rck repro --list                       the studies there are
  rck repro pingpong                     run one, print its numbers beside the published ones
  rck repro --quick --all                all in a small form, in seconds
  rck repro --experiments mine latency   a study of your own: mine/latency/study.toml
  rck repro --all --jobs 4 --report      all in full, and the pages docs/fidelity.md and fidelity/

A finished run is kept in OUT/ID/runs; an interrupted study goes on from there. JSON and picture are
OUT/ID/ID.json and .png. Exit code: 0, whatever the numbers are.
"""


@click.command(epilog=_EPILOG, options_metavar="[OPTIONS]")
@click.option("--all", "everything", is_flag=True, help="Run every study.")
@click.option("--list", "only_list", is_flag=True, help="List the studies and stop.")
@click.option("--report", is_flag=True, help="Record all results in OUT and write the pages.")
@click.option("--page", metavar="FILE", help="The overview.  [default: docs/fidelity.md]")
@click.option("--quick", is_flag=True, help="The small form: other results, never in the page.")
@click.option("--jobs", type=int, default=1, metavar="N", help="Runs side by side.  [default: 1]")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Run on this Dask scheduler's workers, which can run code as you.",
)
@click.option("--out", default="out/repro", metavar="DIR", help="[default: out/repro]")
@click.option(
    "--experiments", "own", metavar="DIR", help="Studies of this folder, instead of Rockcreek's."
)
@click.option("--fresh", is_flag=True, help="Run again even if results exist.")
@click.option("--verify", is_flag=True, help="Run all twice, with and without skipping of waits.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.argument("ids", nargs=-1, metavar="[ID]...")
def repro(
    ids: tuple[str, ...],
    everything: bool,
    only_list: bool,
    report: bool,
    page: str | None,
    quick: bool,
    jobs: int,
    scheduler: str | None,
    out: str,
    own: str | None,
    fresh: bool,
    verify: bool,
    quiet: bool,
) -> int:
    """Reproduce published measurements: run, compare, print published, ours, error, verdict."""
    from rockcreek.repro.pages import overview
    from rockcreek.repro.pages.report import told
    from rockcreek.repro.published import load_all
    from rockcreek.repro.reproduce import Options, reproduce
    from rockcreek.repro.standing import standing
    from rockcreek.repro.study import load_study, study_ids

    experiments = resources.experiments_folder() if own is None else Path(own).absolute()
    known = study_ids(experiments)
    if own is not None:
        _check_own(own, known, report=report)
    if only_list or (own is not None and not ids and not everything):
        return _list(experiments, known)
    if everything and ids:
        raise UsageError("--all and names of studies contradict each other", hint="leave one out")
    if report and quick:
        raise UsageError("--report takes no --quick", hint="the page holds full results only")
    chosen = known if everything else ids
    studies = [load_study(experiments, name) for name in chosen]
    if everything:
        for study in studies:
            if lacks(study):
                say(f"rck: {study.id} is left out: it needs {lacks(study)}")
        studies = [study for study in studies if not lacks(study)]
    published = load_all(experiments)
    if own is not None:
        # Studies of a user may compare with what Rockcreek's tables hold.
        published = {**load_all(resources.experiments_folder()), **published}
    options = Options(
        out=Path(out),
        quick=quick,
        jobs=jobs,
        scheduler=scheduler,
        fresh=fresh,
        verify=verify,
        quiet=quiet,
    )
    for study in studies:
        click.echo(told(reproduce(study, published, options)) + "\n")
    if report or not chosen:
        records = _report(experiments, known, Path(out), page) if report else None
        click.echo(overview.told(standing(experiments, records)))
    return 0


def _check_own(own: str, known: list[str], *, report: bool) -> None:
    if not known:
        raise NotFoundError(
            f"--experiments {own}: no folder of it has a study.toml",
            path=own,
            hint="a study is a folder such as DIR/latency/study.toml: docs/guide/paper.md",
        )
    if report:
        raise UsageError(
            "--report and --experiments: the pages are of the studies that come with Rockcreek",
            hint="leave --report out; JSON and picture of each study are in --out",
        )


def lacks(study: Study) -> str | None:
    """What a study needs that set-up does not build and that is not there; None: nothing."""
    from rockcreek.interpreters import ruby
    from rockcreek.linux import images
    from rockcreek.toolchain import mpi, stack

    if study.mpi and not mpi.usable():
        return "MPI of today's sources, which `make mpi` builds"
    if study.tcpip and not stack.usable():
        return "lwIP with today's sources, which `make tcpip` builds"
    if study.ruby and not ruby.usable():
        return "Ruby of today's sources, which `make ruby` builds"
    if study.linux and not images.usable():
        return "Linux of today's sources, which `make linux` builds"
    if study.needs and not study.needs.path.is_file():
        return f"{study.needs.path.name}, which `make {study.needs.target}` makes"
    return None


def _list(experiments: Path, known: list[str]) -> int:
    from rockcreek.repro.study import load_study

    width = max(map(len, known))
    for name in known:
        click.echo(f"{name:{width}}  {load_study(experiments, name).title}")
    return 0


def _report(experiments: Path, known: list[str], out: Path, page: str | None) -> dict[str, Record]:
    """Record the results in OUT and write the pages of all records; returns these.

    With `--page` nothing is recorded: those pages are somebody's own.
    """
    from rockcreek.repro.pages.write_pages import write_pages
    from rockcreek.repro.record import load_record, of_result, save_record
    from rockcreek.repro.reproduce import load_result
    from rockcreek.repro.standing import standing
    from rockcreek.repro.study import load_study

    path = Path(page) if page else experiments.parent / "docs" / "fidelity.md"
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}", hint="say where: --page FILE")
    if path.suffix != ".md":
        hint = f"its folder has the name without it: --page {path}.md"
        raise UsageError(f"--page {path}: the overview's name must end in .md", hint=hint)
    records: dict[str, Record] = {}
    anew = 0
    for name in known:
        study = load_study(experiments, name)
        result = load_result(out / name / f"{name}.json")
        record = load_record(study.folder) if result is None else of_result(result, study)
        if record is None:
            say(f"rck: {name} has not been measured: it gets no page")
            continue
        records[name] = record
        if result is not None:
            anew += 1
            if not page:
                save_record(record, study.folder)
    pages = write_pages(standing(experiments, records), out, path)
    say(f"rck: {path} and {pages - 1} pages beside it written: {anew} studies anew, "
        f"{len(records) - anew} as they were measured before")  # fmt: skip
    return records
