"""`rck cite`."""

from __future__ import annotations

import click


@click.command(
    epilog="""Examples:

\b
  rck cite                  Rockcreek, and the chip
  rck cite scctalk          and what the study is compared with
  rck cite run.json         and the sources of the numbers of the chip that ran
  rck cite --chip           the same, for the SCC
"""
)
@click.option("--chip", is_flag=True, help="With the sources of the SCC's numbers.")
@click.argument("what", nargs=-1, metavar="[STUDY|RUN.json]...")
def cite(what: tuple[str, ...], chip: bool) -> int:
    """Print what to cite, as BibTeX: Rockcreek, the chip, and the papers that WHAT stands on."""
    from rockcreek.repro import citations

    keys = citations.of_chip("scc") if chip else []
    for one in what:
        is_file = one.endswith(".json")
        keys += citations.of_result(one) if is_file else citations.of_study(one)
    click.echo(citations.bibtex(keys), nl=False)
    return 0
