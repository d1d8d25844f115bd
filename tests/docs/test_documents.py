"""What the documents name exists, and what their console blocks show is what happens.

A `console` block holds commands (`$ ...`) and their output, stdout and stderr together; `...` is
anything within a line, a line of its own any lines. Blocks run in a temporary folder in which
`examples`, `systems` and `tests` are this repository's; blocks of one document share the folder.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import ready

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
    ROOT / "systems/README.md",
    *sorted((ROOT / "systems").glob("*/README.md")),
]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
SHELL = re.compile(r"[|&;<>()$`*?~{}\[\]!\\]|\s#")  # what a shell makes something else of
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)  # what is in these is no Markdown
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


def commands(document: Path) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for block in BLOCK.findall(document.read_text()):
        for line in block.splitlines(keepends=True):
            if line.startswith("$ "):
                found.append((line[2:].strip(), ""))
            else:
                command, output = found[-1]
                found[-1] = command, output + line
    return found


def pattern(expected: str) -> str:
    lines = []
    for line in expected.splitlines():
        if line.strip() == "...":
            lines.append(r"(?:.*\n)*")
        else:
            lines.append(re.escape(line).replace(r"\.\.\.", ".*") + r"\n")
    return "".join(lines)


def output_of(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What it prints. `rck` alone begins no shell."""
    if command.startswith("rck ") and not SHELL.search(command):
        words = shlex.split(command)[1:]
        return ready.rck(*words, cwd=folder, env=environment, merged=True).stdout
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
    ).stdout  # fmt: skip


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_console_blocks(document: Path, tmp_path: Path) -> None:
    for name in ("examples", "systems", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in commands(document):
        told = output_of(command, tmp_path, {**os.environ, "PATH": path})
        assert re.fullmatch(pattern(expected), told), (
            f"$ {command}\n--- expected\n{expected}--- got\n{told}"
        )


@pytest.mark.parametrize(
    "document",
    [*DOCUMENTS, *(ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_links_lead_somewhere(document: Path) -> None:
    for target in LINK.findall(FENCED.sub("", document.read_text())):
        if not target.startswith(("http", "mailto:")):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize(
    "document", ["ARCHITECTURE.md", "crates/README.md", "guest/README.md", "python/README.md"]
)
def test_maps_name_paths_that_exist(document: str) -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", (ROOT / document).read_text(), re.M)
    assert len(rows) > 8
    for path in rows:
        assert (ROOT / path).exists(), path


def test_the_map_of_crates_is_complete() -> None:
    text = (ROOT / "crates/README.md").read_text()
    for crate in (ROOT / "crates").glob("*/Cargo.toml"):
        assert f"`crates/{crate.parent.name}`" in text


def test_every_exit_code_is_documented() -> None:
    from rockcreek.exit_codes import ExitCode

    text = (ROOT / "docs/guide/exit-codes.md").read_text()
    for code in ExitCode:
        assert f"| {int(code)} |" in text, code


@pytest.mark.parametrize(("command", "page"), [("run", "running.md"), ("boot", "booting.md")])
def test_every_option_is_documented(command: str, page: str) -> None:
    from rockcreek.cli.app import app

    text = (ROOT / "docs/guide" / page).read_text()
    found = app.get_command(click.Context(app), command)
    assert found is not None
    for parameter in found.params:
        for name in [option for option in parameter.opts if option.startswith("-")]:
            assert f"`{name}" in text, name


def test_every_key_of_a_result_is_documented() -> None:
    import dataclasses

    from rockcreek.results.result import CoreResult, Host

    text = (ROOT / "docs/guide/result-json.md").read_text()
    keys = [f.name for f in dataclasses.fields(CoreResult)] + [
        f.name for f in dataclasses.fields(Host)
    ]
    for key in keys:
        assert f"`{key}`" in text or f"`host.{key}`" in text, key
