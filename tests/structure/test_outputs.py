"""Every file that the package writes goes through `rockcreek.outputs`; the exceptions say why."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from guest_programs import ROOT

PACKAGE = ROOT / "python/rockcreek"
EXCEPTIONS = {
    "outputs.py": "the one place",
    "cli/__init__.py": "/dev/null in place of a standard stream that is closed",
    "cli/app.py": "/dev/null in place of a standard stream that is gone",
    "cli/common.py": "/dev/null in place of a standard stream that is gone",
    "consoles/port_files.py": "what cores write, as it comes: kept when the run is killed",
    "socket_server/place.py": "the folder of a socket, to be locked",
    "sweep/store.py": "rows, a line at a time, each made durable: kept when the sweep is killed",
    "toolchain/scratch.py": "makes and removes the folder for what is between two steps",
    "toolchain/sources.py": "in that folder",
    "toolchain/thread_code.py": "in that folder, also an object that gets its second code",
    "cli/commands/view.py": "a folder for temporary files, for the page that a browser opens",
    "reading/notation.py": "the folder of another program than rck",
    "cli/commands/whatif.py": "a folder for temporary files: the changed chip, and the new result",
    "cli/commands/last_write.py": "a folder for temporary files: the chip, and the new result",
    "grading/grade.py": "a folder for temporary files, and what its processes print there",
    "grading/submissions.py": "opens submissions to read, without following links",
    "compile_program.py": "a folder for programs without a place of their own",
    "repro/runs.py": "a folder for temporary files, which a study's guests see",
    "planning/job.py": "a folder for temporary files, which the planner on the chip sees",
    "cli/scratch.py": "a folder for temporary files, which cores read",
}
WRITING_METHODS = {"write_text", "write_bytes", "mkdir", "touch", "rename", "replace", "savefig"}
MODULES = {"shutil", "tempfile"}
READ_ONLY = {"which", "get_terminal_size", "gettempdir"}
# Engine: files are handed to it, open (crates/python/src/outputs.rs).
ENGINE_EXCEPTIONS = {
    "crates/host/src/share.rs": "the guests' own files, in the folder that is shared with them",
    "crates/defs/src/registers.rs": "a test",
    "crates/differential/src/main.rs": "not part of the engine",
    "crates/differential/src/program.rs": "not part of the engine",
}
ENGINE_WRITES = re.compile(r"File::create|fs::(write|rename|copy)|\bcreate_new\(|\.create\(true\)")


def _mode(call: ast.Call, position: int) -> str:
    found = call.args[position : position + 1]
    found += [word.value for word in call.keywords if word.arg == "mode"]
    return str(found[0].value) if found and isinstance(found[0], ast.Constant) else "r"


def _writes(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open" and bool(set(_mode(call, 1)) & set("wax+"))
    if not isinstance(function, ast.Attribute):
        return False
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if owner in MODULES:
        return function.attr not in READ_ONLY
    if function.attr == "open":
        return owner == "os" or bool(set(_mode(call, 0)) & set("wax+"))
    # `str.replace` has two arguments or more, `Path.replace` one.
    if function.attr == "replace":
        return owner == "os" or (len(call.args) == 1 and not call.keywords)
    if function.attr == "savefig":
        return not (isinstance(call.args[0], ast.Name) and call.args[0].id == "drawn")
    return function.attr in WRITING_METHODS


def _calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def test_files_are_written_in_one_place() -> None:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        lines = [call.lineno for call in _calls(path) if _writes(call)]
        if lines and not name.startswith("_"):
            found[name] = lines
    assert {name: at for name, at in found.items() if name not in EXCEPTIONS} == {}
    assert set(EXCEPTIONS) <= set(found), "an exception that nothing needs"


def test_the_engine_opens_no_file_to_write() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "crates").glob("*/src/**/*.rs"))
        if ENGINE_WRITES.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(ENGINE_EXCEPTIONS)
