"""`rck explain`."""

from __future__ import annotations

from pathlib import Path

import click

_EPILOG = """Examples:

\b
  rck run -n 2 --check coherence --json r.json prog
  rck explain r.json#1           the first finding, step by step

Lines of the program are shown from sources beneath the current folder and those of --source, no
others: a result may name any file.
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--source",
    "folders",
    multiple=True,
    metavar="DIR",
    help="Show lines of sources beneath this folder, too (repeat).",
)
@click.argument("finding", metavar="FILE#n")
def explain(finding: str, folders: tuple[str, ...]) -> int:
    """Explain a finding of a checked run: which core had which copy when, and what is missing."""
    from rockcreek.checking.explain import read
    from rockcreek.checking.story import story
    from rockcreek.reading.sources import Sources

    click.echo(story(read(finding), Sources([Path.cwd(), *folders])))
    return 0
