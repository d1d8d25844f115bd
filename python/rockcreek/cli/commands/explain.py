"""`rck explain`."""

from __future__ import annotations

import click

_EPILOG = """Examples:

\b
  rck run -n 2 --check coherence --json r.json prog
  rck explain r.json#1           the first finding as a story
"""


@click.command(epilog=_EPILOG)
@click.argument("finding", metavar="FILE#n")
def explain(finding: str) -> int:
    """Tell a finding of a checked run as a story: who had which copy when, what is missing."""
    from rockcreek.checking.explain import read
    from rockcreek.checking.story import story

    click.echo(story(read(finding)))
    return 0
