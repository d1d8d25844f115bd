"""`rck man` and `rck completion`: what other programs make of the commands' definitions."""

from __future__ import annotations

from contextlib import ExitStack

import click

from rockcreek.cli.common import say
from rockcreek.errors import UsageError
from rockcreek.outputs import Output, make_folder
from rockcreek.printable import nearest

_SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog="""Examples:

\b
  rck man run | man -l -                       read one
  rck man --output ~/.local/share/man/man1     all, where man finds them: man rck-run
"""
)
@click.option("--output", metavar="DIR", help="Write the pages of all commands into this folder.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@click.argument("command", nargs=-1, metavar="[COMMAND]")
def man(command: tuple[str, ...], output: str | None, force: bool) -> int:
    """Print a command's man page, or write those of all commands."""
    from rockcreek.cli import man_pages, manual

    pages = {page.name: page for page in manual.pages()}
    if output is None:
        name = " ".join(("rck", *command))
        if name not in pages:
            raise UsageError(f"there is no command '{name}'{nearest(name, list(pages))}")
        click.echo(man_pages.render(pages[name]), nl=False)
        return 0
    if command:
        raise UsageError("--output writes the pages of all commands", hint="leave the name out")
    folder = make_folder(output)
    with ExitStack() as stack:
        files = [
            stack.enter_context(Output(folder / f"{page.file_name}.1", force=force))
            for page in pages.values()
        ]
        for file, page in zip(files, pages.values(), strict=True):
            file.write(man_pages.render(page))
    say(f"rck: {len(files)} man pages in {output}")
    return 0


@click.command(
    epilog="""Examples:

\b
  eval "$(rck completion bash)"                                in ~/.bashrc
  rck completion fish > ~/.config/fish/completions/rck.fish
"""
)
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> int:
    """Print what a shell needs to complete commands, options and their values."""
    from click.shell_completion import get_completion_class

    from rockcreek.cli.app import app

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(app, {}, "rck", "_RCK_COMPLETE").source())
    return 0
