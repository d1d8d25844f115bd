"""Man pages (roff, section 1) of the commands, from the same definitions as `--help`."""

from __future__ import annotations

from rockcreek._version import __version__
from rockcreek.cli.manual import Page


def render(page: Page) -> str:
    """One page, for man(7)'s macros."""
    name = page.file_name
    parts = [
        f'.TH {name.upper()} 1 "" "rck {__version__}" "Rockcreek"',
        f".SH NAME\n{_text(name)} \\- {_text(page.summary)}",
        f".SH SYNOPSIS\n.B {_text(page.name)}\n{_text(page.usage)}",
        ".SH DESCRIPTION\n" + _paragraphs(page.text),
    ]
    if page.options:
        entries = [f".TP\n.B {_text(flags)}\n{_text(told)}" for flags, told in page.options]
        parts.append(".SH OPTIONS\n" + "\n".join(entries))
    if page.commands:
        entries = [f".TP\n.B {_text(word)}\n{_text(told)}" for word, told in page.commands]
        parts.append(".SH COMMANDS\n" + "\n".join(entries))
    if page.epilog:
        parts.append(".SH NOTES\n" + _paragraphs(page.epilog))
    others = [f"{name}-{word}" for word, _ in page.commands]
    if " " in page.name:
        others = [page.name.rpartition(" ")[0].replace(" ", "-"), *others]
    if others:
        parts.append(".SH SEE ALSO\n" + "\n".join(f".BR {_text(other)} (1)" for other in others))
    return "\n".join(parts) + "\n"


def _paragraphs(paragraphs: list[str]) -> str:
    return "\n".join(
        f".PP\n.nf\n{_lines(text[1:])}\n.fi" if text.startswith("\n") else f".PP\n{_text(text)}"
        for text in paragraphs
    )


def _lines(text: str) -> str:
    return "\n".join(_text(line) for line in text.splitlines())


def _text(text: str) -> str:
    """Text that roff prints as it is.

    >>> print(_text(".rck --x"))
    \\&.rck \\-\\-x
    """
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text
