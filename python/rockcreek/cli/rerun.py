"""The run of a result, again: its options, program and chip, which must be as they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import click

from rockcreek import description as descriptions
from rockcreek.cli.given import RunParams
from rockcreek.description import Description
from rockcreek.errors import InputError, UsageError
from rockcreek.formats.result import Result

# Options of the run that stay behind: files that it wrote, and who else took part in it.
LEFT = frozenset(
    "json_path output_dir trace trace_only trace_every flame profile commit_log core_dump save tag"
    " check_sarif gdb gdb_nowait socket socket_every socket_wait profile_host quiet force chip"
    " clocks clock jitter".split()
)


def command(old: Result, run: str) -> tuple[list[str], Path]:
    """The words behind `rck run`, and the folder in which it ran."""
    host: object = old.get("host")  # nothing has held it against its shape
    words = host.get("command") if isinstance(host, dict) else None
    folder = host.get("directory") if isinstance(host, dict) else None
    fits = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not fits or not words or words[:2] != ["rck", "run"] or not isinstance(folder, str):
        raise InputError(
            f"{run}: is not the result of `rck run`: its command is not there",
            path=run,
            hint="`rck run --json FILE PROG` writes a result that names its command",
        )
    if not Path(folder).is_dir():
        raise InputError(
            f"{run}: the folder in which it ran is gone: {folder}", path=run, hint="run it again"
        )
    return words[2:], Path(folder)


def params(words: Sequence[str], run: str) -> RunParams:
    """The options of the first run, as `rck run` read them."""
    try:
        with _run().make_context("run", list(words), parent=_parent()) as context:
            found = dict(context.params)
    except click.ClickException as error:
        raise InputError(
            f"{run}: its command is none of this rck: {error.format_message()}",
            path=run,
            hint="run it again with this rck",
        ) from error
    if found["restore"] is not None or found["program"] is None:
        raise UsageError(
            f"{run}: went on from a snapshot, which is bound to its chip",
            hint="name the result of a run from its beginning",
        )
    return cast("RunParams", found)


def _parent() -> click.Context:
    """The context of `rck`, whose settings (`-h`) its commands have."""
    from rockcreek.cli.app import app

    return click.Context(app, **app.context_settings)


def _run() -> click.Command:
    from rockcreek.cli.app import app

    found = app.get_command(_parent(), "run")
    assert found is not None
    return found


def first_chip(old: Result, params: RunParams, folder: Path, run: str) -> Description:
    """The chip of the first run, which must be as it was."""
    there = folder / str(params["chip"])
    chip = descriptions.load(str(there) if there.is_file() else str(params["chip"]))
    # `-clock`, the original launcher's, is in the clocks of the result.
    clocks = params["clocks"] if params["clock"] is None else old["chip"]["clocks"]
    as_then = chip.set_up(clocks=clocks, jitter=params["jitter"])
    if as_then.sha256 != old["chip"]["sha256"]:
        raise InputError(
            f"{run}: its chip '{params['chip']}' is another one now",
            path=run,
            hint="run the program again with --json, and compare from there",
        )
    return chip


def check_program(old: Result, params: RunParams, folder: Path, run: str) -> None:
    """Refuses a program that is not the one that ran."""
    from rockcreek.software import image

    path = folder / params["program"]
    if image.read(str(path)).sha256 != old["program"]["sha256"]:
        raise InputError(
            f"{path}: is another program than the one that {run} ran",
            path=str(path),
            hint="run the present one with --json, and compare from there",
        )


def options(params: RunParams) -> Iterator[str]:
    """The options as words, without those that stay behind."""
    for option in _run().params:
        name, value = option.name or "", params.get(option.name or "")
        if not isinstance(option, click.Option) or name in LEFT or value in (None, False, ()):
            continue
        flag = max(option.opts, key=len)
        if option.is_flag:
            yield flag
            continue
        several = option.multiple and isinstance(value, list | tuple)
        for one in cast("Sequence[object]", value) if several else (value,):
            yield flag
            yield _word(option, one)


def _word(option: click.Option, value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    if option.type.name == "duration":
        return f"{value}ps"
    return str(value)
