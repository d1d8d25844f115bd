"""The commands that are tried on a failing host."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

from failures.failing import RCK, Case
from failures.study_case import repro
from guest_programs import ROOT, compile_program

OLD = "what was there before\n"
_OUTPUTS = ("r.json", "s.rck", "t.pftrace", "p.json")
_SOURCE = "int main(void) { return 0; }\n"
_PLAN = 'program = "prog"\nn = 1\n[vary]\njitter = [1, 2, 3]\n'


@cache
def _hello() -> Path:
    return compile_program(ROOT / "examples/hello/hello.c", ["-O1", "-lrcce"])


def _program(folder: Path) -> None:
    shutil.copy(_hello(), folder / "prog")


def _with_old(folder: Path) -> None:
    _program(folder)
    for name in _OUTPUTS:
        (folder / name).write_text(OLD)


def _whole(folder: Path, code: int) -> list[str]:
    """Each output is the old one or a whole new one; all are new if the command says so."""
    wrong = []
    for name in _OUTPUTS:
        path = folder / name
        data = path.read_bytes() if path.exists() else b""
        if not data:
            wrong.append(f"{name} is gone or empty")
        elif data == OLD.encode():
            if code == 0:
                wrong.append(f"{name} was not written, exit code 0")
        elif name.endswith(".json"):
            try:
                json.loads(data)
            except ValueError:
                wrong.append(f"{name} is torn")
    return wrong


def _result(folder: Path) -> None:
    import rockcreek

    (folder / "in.json").write_text(_kept_result(rockcreek))
    (folder / "page.html").write_text(OLD)


@cache
def _kept_result(package: object) -> str:
    import rockcreek

    del package
    return rockcreek.run(_hello(), n=2, power=True).to_json()


def _page(folder: Path, code: int) -> list[str]:
    text = (folder / "page.html").read_text() if (folder / "page.html").exists() else ""
    if text == OLD:
        return ["page.html was not written, exit code 0"] if code == 0 else []
    return [] if text.rstrip().endswith("</html>") else ["page.html is torn"]


def _source(folder: Path) -> None:
    (folder / "a.c").write_text(_SOURCE)


def _compiled(folder: Path, code: int) -> list[str]:
    path = folder / "a"
    data = path.read_bytes() if path.exists() else b""
    if code == 0:
        return [] if data.startswith(b"\x7fELF") else ["no program, exit code 0"]
    return []


def _sweep(folder: Path) -> None:
    _program(folder)
    (folder / "plan.toml").write_text(_PLAN)


def _goes_on(folder: Path, code: int) -> list[str]:
    """On a host that is well again the sweep ends, and rows that were kept are not made again."""
    del code
    rows = folder / "o/rows.jsonl"
    kept = rows.read_bytes().count(b'"sum"') if rows.exists() else 0
    again = subprocess.run(
        [*RCK, "sweep", "-q", "--jobs", "1", "--out", "o", "plan.toml"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    wrong = [f"does not go on: {again.stderr[-400:]}"] if again.returncode else []
    if rows.read_bytes().count(b'"sum"') != 3:
        wrong.append(f"{kept} rows were kept, and now there are not three")
    if not (folder / "o/runs.parquet").is_file():
        wrong.append("there is no table")
    return wrong


def cases() -> list[Case]:
    return [
        # The shim writes its count where the sandbox lets nobody write.
        Case("run", ("run", "-q", "--sandbox", "off", "--force", "--json", "r.json", "--save",
                     "s.rck", "--trace", "t.pftrace", "--profile", "p.json", "prog"),
             _with_old, _whole),
        Case("view", ("view", "in.json", "--output", "page.html", "--force"), _result, _page),
        Case("cc", ("cc", "a.c", "-o", "a"), _source, _compiled),
        Case("sweep", ("sweep", "-q", "--jobs", "1", "--out", "o", "plan.toml"), _sweep, _goes_on),
        repro(),
    ]  # fmt: skip
