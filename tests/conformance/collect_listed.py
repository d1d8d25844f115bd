"""Programs that suites.toml lists one by one: their sources, and how often they are run with what.

    [suite.NAME.program.LABEL]
    sources = ["src/*.c"]      globs in the package; exclude = [...] takes some back
    compiler, flags, link      as in programs.py; compilers and levels are the suite's
    replace = [[FILE, OLD, NEW], ...]   changes of a source, each with its reason beside it
    files = {"name" = "path in the package"}   what lies in the program's folder
    runs = [["argument", ...], ...]     one program is run once with each; [[]] if missing
    scripts = "glob"           one run for each of these files, named as the last argument
    binaries = ["glob", ...]   instead of sources: what the suite's `prepare` commands have built
    skip, known                why it is not asked, or may differ
    ignore = "regex"           lines of output that are not compared begin so

Each program is built once and then run natively and as a guest with each list of arguments.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import kits
from builder import compile_program
from programs import BUILD, Program


def collect(suite: dict[str, Any], folder: Path) -> Iterator[Program]:
    """All runs of all programs, for each compiler and level."""
    if "prepare" in suite:
        kits.prepare(folder, suite["prepare"])
    for label, entry in suite["program"].items():
        if "binaries" in entry:
            yield from _built(label, entry, folder, suite)
            continue
        for compiler in entry.get("compilers", suite["compilers"]):
            for level in entry.get("levels", suite["levels"]):
                yield from _runs(suite, label, entry, folder, compiler, level)


def _built(
    label: str, entry: dict[str, Any], folder: Path, suite: dict[str, Any]
) -> Iterator[Program]:
    """Programs that the package's own build has made."""
    for glob in entry["binaries"]:
        for path in sorted(folder.glob(glob)):
            if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
                yield from _with_runs(
                    Program(name=f"{label} {path.name}", sources=(), binary=path),
                    entry,
                    folder,
                    suite,
                )


def _runs(
    suite: dict[str, Any],
    label: str,
    entry: dict[str, Any],
    folder: Path,
    compiler: str,
    level: str,
) -> Iterator[Program]:
    sources = find_sources(folder, entry)
    for path, old, new in entry.get("replace", []):
        change(folder / path, old, new)
    flags = (level, *suite.get("flags", []), *entry.get("flags", []))
    built = Program(
        name=label,
        sources=tuple(sources),
        flags=tuple(flag.replace("@", str(folder)) for flag in flags),
        compiler=compiler,
        link=tuple(entry.get("link", [])),
        skip=entry.get("skip"),
        known=entry.get("known"),
    )
    binary, why = (None, None) if built.skip else provide_binary(built)
    named = replace(
        built, name=f"{label} {compiler} {level}", binary=binary, skip=built.skip or why
    )
    yield from _with_runs(named, entry, folder, suite)


def _with_runs(
    built: Program, entry: dict[str, Any], folder: Path, suite: dict[str, Any]
) -> Iterator[Program]:
    """The program once for each list of arguments and each script."""
    files = [(name, folder / path) for name, path in entry.get("files", {}).items()]
    runs = [tuple(words) for words in entry.get("runs", [] if "scripts" in entry else [[]])]
    for script in sorted(folder.glob(entry.get("scripts", ""))) if "scripts" in entry else []:
        runs.append((*entry.get("before", []), script.name))
        files.append((script.name, script))
    for words in runs:
        yield replace(
            built,
            name=" ".join([built.name, *words]),
            arguments=words,
            files=tuple(files),
            ignore=entry.get("ignore"),
            patience_s=entry.get("patience_s", suite.get("patience_s", 10)),
        )


def find_sources(folder: Path, entry: dict[str, Any]) -> list[Path]:
    """The files that the globs name, without those that others take back."""
    excluded = {path for glob in entry.get("exclude", []) for path in folder.glob(glob)}
    found = [path for glob in entry["sources"] for path in sorted(folder.glob(glob))]
    return [path for path in found if path not in excluded]


def change(path: Path, old: str, new: str) -> None:
    """Replace words of a source in the unpacked package, once."""
    text = path.read_text(encoding="latin-1")
    if old in text:
        path.write_text(text.replace(old, new), encoding="latin-1")
    elif new not in text:
        raise ValueError(f"{path}: '{old}' is not there to be replaced")


def provide_binary(program: Program) -> tuple[Path | None, str | None]:
    """The program's file, built anew when it or the sysroot changed; or why there is none."""
    key = hashlib.sha256(repr((program.flags, program.compiler, program.link)).encode())
    key.update(kits.sysroot_key().encode())
    for source in program.sources:
        key.update(source.read_bytes())
    place = BUILD / "programs" / key.hexdigest()[:20]
    binary = place / program.name
    if not binary.is_file():
        place.mkdir(parents=True, exist_ok=True)
        why = compile_program(program, place, binary)
        if why is not None:
            return None, why
    return binary, None
