"""One run of one program by one tool."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from benches import measure, peers
from benches.real.plan import Built, RealProgram

TOOLS = {tool.name: tool for tool in peers.TOOLS if tool.name != "native"}


class WrongResultError(Exception):
    """A program that did not do what it should, in words for the user."""


def run_rck(program: RealProgram, built: Built, rck: str, *options: str) -> dict[str, Any]:
    """The program on the virtual chip, with what the run says besides its times."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "result.json"
        command = [rck, *rck_words(program, built, path, *options)]
        record = _run(program, built, rck, command)
        execution = peers.Execution.of(json.loads(path.read_text()))
        return {**record, "execution": vars(execution)}


def rck_words(program: RealProgram, built: Built, json_path: Path, *options: str) -> list[str]:
    """The words behind `rck`, with more options."""
    at = program.command.index("--json")
    words = [*program.command[:at], *options, *program.command[at:], *program.arguments]
    places = {"json": json_path, "folder": built.folder, "binary": built.binary}
    return _words(program, words, places)


def run_tool(program: RealProgram, built: Built, name: str) -> dict[str, Any]:
    """One binary with its arguments by another tool."""
    command = [*TOOLS[name].prefix, str(built.binary), *_words(program, program.arguments, {})]
    return _run(program, built, name, command)


def _words(program: RealProgram, words: list[str], places: dict[str, Path]) -> list[str]:
    """The words, with a number for {n} and paths for the names of places."""
    names = {"n": program.cores, **places}
    for name, value in names.items():
        words = [word.replace(f"{{{name}}}", str(value)) for word in words]
    return words


def _run(program: RealProgram, built: Built, who: str, command: list[str]) -> dict[str, Any]:
    made = None if program.result in ("output", "none") else built.folder / program.result
    _clear(program, built)
    sample = measure.run(command, built.folder)
    if sample.exit_code != 0:
        raise WrongResultError(
            f"{program.name} by {who}: exit code {sample.exit_code}\n{sample.stderr[-500:]}"
        )
    found = made.read_bytes() if made is not None else sample.stdout.encode()
    digest = "" if program.result == "none" else hashlib.sha256(found).hexdigest()
    return {**sample.to_dict(), "digest": digest}


def _clear(program: RealProgram, built: Built) -> None:
    """Removes what an earlier run has left in the folder: some programs append to it."""
    given = {*program.inputs, *program.preprocess}
    for path in built.folder.iterdir():
        if path.name.removesuffix(".command") not in given:
            path.unlink()
