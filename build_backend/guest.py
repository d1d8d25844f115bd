"""Build the guest into the package: ``python -m build_backend.guest``.

The result is a folder (``python/rockcreek/_guest``) with the sysroot, the
kernel and whatever else the folders under ``guest/`` and ``systems/``, and
``examples/``, declare in their ``guest.toml``. Objects are kept under
``build/guest`` by a hash of all that goes into them, so a repeated build does
nothing and a stale one cannot be.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from . import archive, elf, flat, own_names, sysroot

ROOT = Path(__file__).resolve().parent.parent
OUTPUT_KEYS = {
    "kind", "path", "sources", "exclude", "flags", "freestanding", "script",
    "link", "libraries", "with", "own_libc",
}  # fmt: skip
# libm is part of the sysroot, which all others are built against.
FIRST = "libm"
# Programs, so after all libraries.
EXAMPLES = "examples"
# In the sysroot: libraries of systems, one a line, for `rck cc`'s hints.
SYSTEM_LIBRARIES = "systems.txt"
# In the sysroot: what the libraries of systems need, for `rck cc`'s links.
NEEDS = "needs.toml"
# In a system's folder: its races that are meant; and where they go, by the system's name.
MEANT = "check.toml"
MEANT_FOLDER = "check"


def load_toolchain() -> ModuleType:
    """``rockcreek.toolchain`` of this source: a build has no installed package yet."""
    sys.path.insert(0, str(ROOT / "python"))
    return importlib.import_module("rockcreek.toolchain")


TOOLCHAIN = load_toolchain()


@dataclass(frozen=True)
class Output:
    """One thing that a folder of the guest, or a system, makes."""

    folder: Path
    kind: str
    path: str
    sources: list[str | list[str]]
    exclude: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    freestanding: bool = False
    script: str | None = None
    link: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    beside: str | None = None
    own_libc: bool = False

    def files(self) -> list[Path]:
        """The sources in the order of the link: entry by entry, those of one entry (a
        pattern, or a list of patterns) by file name, whatever folder they lie in."""
        excluded = {path for pattern in self.exclude for path in self.matches(pattern)}
        found: dict[Path, None] = {}
        for entry in self.sources:
            patterns = [entry] if isinstance(entry, str) else entry
            matches = {path for pattern in patterns for path in self.matches(pattern)}
            for path in sorted(matches - excluded, key=lambda p: (p.name, p)):
                found.setdefault(path)
        return list(found)

    def others(self) -> list[Path]:
        """Folders of other systems whose sources this output compiles, too. Those of the guest
        need no naming: its headers are part of every key."""
        own, systems = self.folder.resolve(), self.folder.resolve().parent
        files = [path for path in self.files() if path.is_relative_to(systems)]
        return sorted({systems / path.relative_to(systems).parts[0] for path in files} - {own})

    def matches(self, pattern: str) -> set[Path]:
        """The files of a pattern; one that names none is a mistake."""
        found = {path.resolve() for path in self.folder.glob(pattern)}
        if not found:
            raise SystemExit(f"{self.folder}/guest.toml: no {pattern}")
        return found


class Builder:
    """A build of the guest into one folder, from the checkout or another tree like it."""

    def __init__(self, out: Path, jobs: int, root: Path = ROOT) -> None:
        self.out = out
        self.jobs = jobs
        self.root = root
        self.work = root / "build" / "guest"
        self.tools = TOOLCHAIN.paths.find_toolchain(out / "sysroot")
        self.headers = digest_headers(root / "guest")

    def build(self) -> None:
        """Build everything that changed: the guest, then the systems, which may use it."""
        folders = sorted(p.parent for p in (self.root / "guest").glob("*/guest.toml"))
        folders.sort(key=lambda folder: folder.name != FIRST)
        self.build_sysroot()
        # Headers of the C library include some of gnu's.
        for folder in folders:
            self.install_headers(folder)
        for folder in folders:
            self.build_folder(folder)
            if folder.name == FIRST:
                self.finish_sysroot()
        systems = sorted(p.parent for p in (self.root / "systems").glob("*/guest.toml"))
        libraries = [name for folder in systems for name in self.build_folder(folder)]
        install(needs_of(systems).encode(), self.tools.sysroot / NEEDS)
        text = "".join(f"{name}\n" for name in libraries)
        install(text.encode(), self.tools.sysroot / SYSTEM_LIBRARIES)
        if (self.root / EXAMPLES / "guest.toml").is_file():
            self.build_folder(self.root / EXAMPLES)

    def build_sysroot(self) -> None:
        """Headers and the compiler package's own libraries."""
        stamp = self.tools.sysroot / "stamp"
        key = self.sysroot_key()
        if not stamp.is_file() or stamp.read_text() != key:
            print("guest: sysroot (libc, libc++)", flush=True)
            shutil.rmtree(self.tools.sysroot, ignore_errors=True)
            sysroot.install_headers(self.tools.zig, self.tools.sysroot)

    def finish_sysroot(self) -> None:
        """Put libm in the place of other math functions."""
        libm = self.tools.lib / "libm.a"
        stamp = self.tools.sysroot / "stamp"
        mark = self.tools.lib / "libm.stamp"
        digest = hashlib.sha256(libm.read_bytes()).hexdigest()
        if stamp.is_file() and mark.is_file() and mark.read_text() == digest:
            return
        runtime = sysroot.build_runtime(self.tools.zig, self.work)
        sysroot.install_libraries(runtime, self.tools.sysroot, libm)
        mark.write_text(digest)
        stamp.write_text(self.sysroot_key())

    def sysroot_key(self) -> str:
        """What the sysroot depends on besides libm."""
        digest = hashlib.sha256(str(self.tools.zig.stat().st_size).encode())
        for module in ("sysroot.py", "archive.py", "elf.py", "own_names.py", "time_types.py"):
            digest.update((ROOT / "build_backend" / module).read_bytes())
        return digest.hexdigest()

    def install_headers(self, folder: Path) -> None:
        """What programs include of one folder."""
        for entry in description_of(folder).get("headers", []):
            target = self.out / entry["to"]
            for path in sorted((folder / entry["from"]).rglob("*.h")):
                relative = path.relative_to(folder / entry["from"])
                install(path.read_bytes(), target / relative)

    def build_folder(self, folder: Path) -> list[str]:
        """All outputs and headers of one folder; the names of its libraries."""
        description = description_of(folder)
        self.install_headers(folder)
        if (meant := folder / MEANT).is_file():
            install(meant.read_bytes(), self.tools.sysroot / MEANT_FOLDER / f"{folder.name}.toml")
        outputs = [read_output(folder, entry) for entry in description.get("output", [])]
        for output in outputs:
            self.build_output(output)
        archives = [
            Path(output.path).stem
            for output in outputs
            if output.kind == "archive" and output.beside is None
        ]
        return [name.removeprefix("lib") for name in archives]

    def build_output(self, output: Output) -> None:
        """One archive, image, program (with its sources) or set of objects."""
        files = output.files()
        with ThreadPoolExecutor(self.jobs) as pool:
            objects = list(pool.map(lambda f: self.compile(output, f), files))
        target = self.out / output.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if output.kind == "archive":
            members = [
                archive.Member(f"{f.stem}.o", o.read_bytes())
                for f, o in zip(files, objects, strict=True)
            ]
            fresh = self.work / "archive.a"
            if not output.own_libc:
                names = own_names.of_libraries(self.tools.lib)
                if output.folder.name == FIRST:
                    names = own_names.public(members, (elf.FUNCTION,))
                members = own_names.called_by_second(members, names)
            archive.write(fresh, members)
            install(fresh.read_bytes(), target)
        elif output.kind == "objects":
            for file, made in zip(files, objects, strict=True):
                install(made.read_bytes(), target / f"{file.stem}.o")
        elif output.kind == "program":
            self.link_program(output, objects, target)
            for file in files:
                install(file.read_bytes(), target.parent / file.name)
        else:
            self.link(output, objects, target)

    def compile(self, output: Output, source: Path) -> Path:
        """One object, from the store if it is there."""
        line = TOOLCHAIN.arguments.CommandLine(
            compile_flags=self.flags(output),
            standard_includes=not output.freestanding,
        )
        relative = str(source.relative_to(self.root))
        item = TOOLCHAIN.arguments.classify(relative, None)
        command = TOOLCHAIN.compiling.compile_command(line, self.tools, item)
        key = self.headers.copy()
        if not output.folder.is_relative_to(self.root / "guest"):
            for folder in (output.folder, *output.others()):
                key.update(digest_headers(folder).digest())
        # The place of the checkout is no part of what is built.
        key.update(" ".join(command).replace(str(self.root), "").encode())
        key.update(source.read_bytes())
        target = self.work / "objects" / f"{key.hexdigest()}.o"
        if not target.is_file():
            print(f"guest: {relative}", flush=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            scratch = target.with_suffix(f".{os.getpid()}")
            self.run([*command, "-c", "-o", str(scratch)])
            scratch.replace(target)
        return target

    def flags(self, output: Output) -> list[str]:
        """The flags of an output: its own, and paths that say nothing of
        this host."""
        include = str(self.root / "guest" / "scc" / "include")
        flags = [flag.replace("${include}", include) for flag in output.flags]
        flags = [
            f"-I{output.folder / flag[2:]}"
            if flag.startswith("-I") and not Path(flag[2:]).is_absolute()
            else flag
            for flag in flags
        ]
        flags += [f"-ffile-prefix-map={self.root}/=", "-fdebug-compilation-dir=."]
        if output.freestanding:
            flags += ["-ffreestanding", "-isystem"]
            flags.append(str(self.tools.compiler_include))
        return flags

    def link(self, output: Output, objects: list[Path], target: Path) -> None:
        """A freestanding image by its own linker script; as bare bytes if asked for."""
        command = [str(self.tools.zig), "ld.lld", "-m", "elf_i386", "-static"]
        command += ["--build-id=none", *output.link]
        if output.script is not None:
            command += ["-T", str(output.folder / output.script)]
        command += [str(item) for item in objects]
        command += [str(self.tools.lib / name) for name in output.libraries]
        scratch = self.work / "image.elf"
        self.run([*command, "-o", str(scratch)])
        linked = scratch.read_bytes()
        install(flat.flatten(linked) if output.kind == "binary" else linked, target)

    def link_program(self, output: Output, objects: list[Path], target: Path) -> None:
        """A program for the guest kernel, linked as ``rck cc`` links."""
        scratch = self.work / "program.elf"
        line = TOOLCHAIN.arguments.CommandLine(output=str(scratch))
        inputs = [*map(str, objects), *(f"-l{name}" for name in output.libraries)]
        self.run(TOOLCHAIN.linking.link_command(line, self.tools, inputs))
        install(scratch.read_bytes(), target)

    def run(self, command: list[str]) -> None:
        """Run a tool from the root of the tree; end the build if it fails."""
        if subprocess.run(command, cwd=self.root, check=False).returncode != 0:
            raise SystemExit(f"guest: failed: {' '.join(command)}")


def description_of(folder: Path) -> dict[str, Any]:
    """What the `guest.toml` of a folder says, its outputs in full."""
    description = tomllib.loads((folder / "guest.toml").read_text(encoding="utf-8"))
    outputs: dict[str, dict[str, Any]] = {}
    for entry in description.get("output", []):
        outputs[entry["path"]] = like_another(folder, entry, outputs)
    return {**description, **({"output": list(outputs.values())} if outputs else {})}


def like_another(
    folder: Path, entry: dict[str, Any], before: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """An output with what it does not say itself from the one before that `like` names by its
    path, and with its flags behind that one's."""
    if "like" not in entry:
        return entry
    other = before.get(entry["like"])
    if other is None:
        raise SystemExit(f"{folder}/guest.toml: like {entry['like']}: no such output before")
    flags = [*other.get("flags", []), *entry.get("flags", [])]
    own = {key: value for key, value in entry.items() if key != "like"}
    return {**other, **own, "flags": flags}


def digest_headers(folder: Path) -> hashlib._Hash:
    """What the headers below a folder say: a change of one makes all its objects anew."""
    digest = hashlib.sha256()
    for header in sorted(path for kind in ("*.h", "*.inc", "*.def") for path in folder.rglob(kind)):
        digest.update(header.read_bytes())
    return digest


def read_output(folder: Path, entry: dict[str, Any]) -> Output:
    """An ``[[output]]`` of a ``guest.toml``, checked."""
    unknown = entry.keys() - OUTPUT_KEYS
    if unknown:
        raise SystemExit(f"{folder}/guest.toml: unknown key {sorted(unknown)}")
    entry = {"beside" if key == "with" else key: value for key, value in entry.items()}
    if entry.get("kind") not in ("archive", "image", "binary", "objects", "program"):
        raise SystemExit(f"{folder}/guest.toml: unknown kind of output")
    return Output(folder=folder, **entry)


def needs_of(systems: list[Path]) -> str:
    """What `rck cc` links besides a library of a system: those it needs, and a part of it that goes
    between it and another one that the program names."""
    lines = []
    for folder in systems:
        description = description_of(folder)
        beside = {
            entry["with"]: Path(entry["path"]).stem.removeprefix("lib")
            for entry in description.get("output", [])
            if "with" in entry
        }
        lines.append(f"[{folder.name}]\nneeds = {json.dumps(description.get('needs', []))}\n")
        lines += [f"with.{other} = {json.dumps(part)}\n" for other, part in sorted(beside.items())]
    return "".join(lines)


def install(data: bytes, target: Path) -> None:
    """Write a file unless it has these contents already."""
    if target.is_file() and target.read_bytes() == data:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def default_jobs() -> int:
    """How many compilers run side by side."""
    return os.cpu_count() or 1


def main() -> None:
    """The command line of the guest build."""
    parser = argparse.ArgumentParser(description="Build the guest software.")
    default = ROOT / "python" / "rockcreek" / "_guest"
    parser.add_argument("--out", type=Path, default=default)
    parser.add_argument("--jobs", type=int, default=default_jobs())
    arguments = parser.parse_args()
    Builder(arguments.out.resolve(), arguments.jobs).build()


if __name__ == "__main__":
    main()
