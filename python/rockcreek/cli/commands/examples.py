"""`rck examples`: programs that need no compiler."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import click

from rockcreek import resources
from rockcreek.cli.common import say
from rockcreek.errors import NotFoundError
from rockcreek.outputs import Output, make_folder
from rockcreek.printable import nearest

_COMMENT = re.compile(r"/\*(.*?)\*/", re.S)


@click.command(
    epilog="""Examples:

\b
  rck examples                          list them
  rck run -n 8 $(rck examples stencil)  run one
  rck examples --output programs        copies of all, with their sources
"""
)
@click.option("--output", metavar="DIR", help="Copy programs and sources into this folder.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def examples(names: tuple[str, ...], output: str | None, force: bool) -> int:
    """List the programs that come ready to run, print the path of NAME, or copy them."""
    known = resources.example_names()
    for name in names:
        if name not in known:
            hint = "`rck examples` lists them" if known else "`make guest` builds them"
            text = f"there is no example '{name}'{nearest(name, known)}"
            raise NotFoundError(text, path=name, hint=hint)
    if output is not None:
        _copy(names or tuple(known), Path(output), force=force)
        return 0
    if names:
        for name in names:
            click.echo(resources.example(name))
        return 0
    width = max(map(len, known), default=0)
    for name in known:
        click.echo(f"{name:{width}}  {_about(resources.example(name).with_suffix('.c'))}")
    return 0


def _copy(names: tuple[str, ...], folder: Path, *, force: bool) -> None:
    make_folder(folder)
    files = [path for name in names for path in (_program(name), _program(name).with_suffix(".c"))]
    with ExitStack() as stack:
        copies = [stack.enter_context(Output(folder / path.name, force=force)) for path in files]
        for path, copy in zip(files, copies, strict=True):
            copy.write(path.read_bytes())
    say(f"rck: {', '.join(names)} and their sources in {folder}")


def _program(name: str) -> Path:
    return resources.example(name)


def _about(source: Path) -> str:
    """The first sentence of the comment at the source's beginning."""
    found = _COMMENT.search(source.read_text(encoding="utf-8"))
    if found is None:
        return ""
    text = " ".join(line.strip(" *") for line in found[1].splitlines()).strip()
    return re.split(r"[.;](?: |$)", text)[0] + "."
