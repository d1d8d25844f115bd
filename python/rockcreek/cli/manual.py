"""The commands as data, from the definitions that `--help` shows: for man pages and the guide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import click

from rockcreek.cli.app import app


@dataclass(frozen=True)
class Page:
    """One command. Texts are lists of paragraphs; one that begins with a line break is verbatim."""

    name: str  # "rck show core"
    summary: str
    usage: str
    text: list[str]
    options: list[tuple[str, str]]
    epilog: list[str]
    commands: list[tuple[str, str]] = field(default_factory=list)

    @property
    def file_name(self) -> str:
        """The name of the man page, with the words of a subcommand joined: `rck-show-core`."""
        return self.name.replace(" ", "-")


def pages() -> list[Page]:
    """A page for rck, and for each command, those of groups after their group."""
    context = click.Context(app, info_name="rck", **app.context_settings)
    return list(_walk(app, context))


def _walk(command: click.Command, context: click.Context) -> Iterator[Page]:
    inner: list[tuple[str, click.Command]] = []
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None and not found.hidden:
                inner.append((name, found))
    yield _page(command, context, [(name, one.get_short_help_str(120)) for name, one in inner])
    for name, one in inner:
        yield from _walk(one, click.Context(one, parent=context, info_name=name))


def _page(command: click.Command, context: click.Context, commands: list[tuple[str, str]]) -> Page:
    help_text = command.help or ""
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    return Page(
        name=context.command_path,
        summary=command.get_short_help_str(200).rstrip("."),
        usage=" ".join(command.collect_usage_pieces(context)),
        text=_paragraphs(help_text),
        options=[record for record in records if record is not None and record[1]],
        epilog=_paragraphs(command.epilog or ""),
        commands=commands,
    )


def _paragraphs(text: str) -> list[str]:
    """Click's rule: paragraphs are filled, unless they begin with a line that is only `\\b`.

    >>> _paragraphs("One\\ntwo.\\n\\n\\b\\n  a  b\\n  c")
    ['One two.', '\\n  a  b\\n  c']
    """
    found = []
    for block in text.strip("\n").split("\n\n"):
        lines = block.strip("\n").splitlines()
        if lines and lines[0].strip() == "\b":
            found.append("\n" + "\n".join(lines[1:]))
        elif lines:
            found.append(" ".join(line.strip() for line in lines))
    return found
