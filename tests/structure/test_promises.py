"""What docs/versions.md promises is still there.

`promised.toml` is the list as of the last version; this file, run as a program, writes it anew.
What vanishes from it is a break, and raises the version.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import rockcreek
from rockcreek.cli import manual
from rockcreek.exit_codes import ExitCode
from rockcreek.results import result

LIST = Path(__file__).parent / "promised.toml"


def present() -> dict[str, dict[str, list[str]]]:
    """Commands with their options, exit codes, Python names, schema."""
    commands = {
        page.name: sorted(
            word.strip(",")
            for flags, _ in page.options
            for word in flags.split()
            if word.startswith("-")
        )
        for page in manual.pages()
    }
    return {
        "commands": commands,
        "names": {
            "exit_codes": [f"{int(code)} {code.name}" for code in ExitCode],
            "python": sorted(rockcreek.__all__),
            "result": [f"{result.SCHEMA_NAME} {result.SCHEMA_VERSION}"],
        },
    }


def write(found: dict[str, dict[str, list[str]]]) -> str:
    """The list as TOML."""
    text = "# What docs/versions.md promises; test_promises.py writes and compares it.\n"
    for table, entries in found.items():
        text += f"\n[{table}]\n"
        for key, values in entries.items():
            text += f"{json.dumps(key)} = {json.dumps(values)}\n"
    return text


def test_promises_are_kept() -> None:
    promised, now = tomllib.loads(LIST.read_text()), present()
    for table, entries in promised.items():
        for key, values in entries.items():
            gone = set(values) - set(now[table].get(key, []))
            assert key in now[table] and not gone, f"{key} had {sorted(gone)}: a break"


def test_the_list_is_written_as_it_is_read() -> None:
    assert tomllib.loads(write(present())) == present()


if __name__ == "__main__":
    LIST.write_text(write(present()))
