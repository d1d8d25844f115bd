"""`rck view`."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path

import click

from rockcreek.cli.common import say
from rockcreek.errors import InputError
from rockcreek.formats.cycle_profile import Profile
from rockcreek.formats.result import Result
from rockcreek.outputs import write_whole
from rockcreek.reading import profile as profiles


@click.command(
    epilog="""Examples:

\b
  rck run -n 48 --messages --power --json run.json prog
  rck view run.json                        opens the page in the browser
  rck view run.json --output run.html      writes it, to be mailed or kept

The page is one file that asks for nothing from outside: die, messages, timeline, source lines (of
`rck run --profile FILE`; of sources beneath the current folder and those of --source, no others).
"""
)
@click.option("--output", metavar="FILE.html", help="Write the page, and open no browser.")
@click.option("--profile", metavar="FILE", help="Source lines of this profile of the same run.")
@click.option(
    "--source",
    "folders",
    multiple=True,
    metavar="DIR",
    help="Show lines of sources beneath this folder, too (repeat).",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@click.argument("result", metavar="RUN.json")
def view(
    result: str, output: str | None, profile: str | None, folders: tuple[str, ...], force: bool
) -> int:
    """Look at a run: die, messages, timeline and source lines on one page."""
    from rockcreek.reading.result import load_run
    from rockcreek.reading.sources import Sources
    from rockcreek.view.page import build

    run = load_run(result)
    found = None if profile is None else _profile(profile, run)
    page = build(run, found, Sources([Path.cwd(), *folders]))
    if output is not None:
        write_whole(output, page, force=force)
        return 0
    folder = Path(tempfile.mkdtemp(prefix="rck-view-"))
    path = folder / f"{Path(result).stem}.html"
    write_whole(path, page)
    if not webbrowser.open(path.as_uri()):
        say("rck: no browser was found")
    say(f"rck: {path}")
    return 0


def _profile(path: str, run: Result) -> Profile:
    found = profiles.load(path)
    if found["state_hash"] != run["state_hash"]:
        raise InputError(
            f"{path}: is of another run",
            path=path,
            hint="`rck run --profile FILE --json RUN.json` writes both of one run",
        )
    return found
