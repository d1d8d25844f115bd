"""Fetching pinned packages through their registries' own clients.

A package is downloaded once, checked against its sha256, and unpacked into a folder of its
name on a shelf (build/conformance, build/mpi). Debian's packages need apt-get and dpkg-deb;
sources are looked up in a private apt state, so that the host's own is left alone.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any


class FetchError(Exception):
    """A package that cannot be had, in words for the user."""


class Shelf:
    """A folder with unpacked packages, their downloads, and an apt state."""

    def __init__(self, folder: Path, owner: str) -> None:
        self.folder = folder
        self.owner = owner

    def provide(self, name: str, package: dict[str, Any]) -> Path:
        """The folder with the unpacked package."""
        folder = self.folder / name
        stamp = folder / ".unpacked"
        wanted = repr(sorted(package.items()))
        if stamp.is_file() and stamp.read_text() == wanted:
            return folder
        archive = self.download(name, package)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        unpack(archive, folder, package)
        stamp.write_text(wanted)
        return folder

    def download(self, name: str, package: dict[str, Any]) -> Path:
        """The downloaded file, with the right checksum."""
        place = self.folder / "downloads" / name
        for path in sorted(place.glob("*")) if place.is_dir() else []:
            if path.is_file() and _sha256(path) == package["sha256"]:
                return path
        place.mkdir(parents=True, exist_ok=True)
        print(f"{self.owner}: fetching {package['name']} {package['version']}", file=sys.stderr)
        self._fetch(place, package)
        found = {path.name: _sha256(path) for path in sorted(place.glob("*")) if path.is_file()}
        for file_name, digest in found.items():
            if digest == package["sha256"]:
                return place / file_name
        raise FetchError(f"{package['name']}: no file with the pinned sha256: {found}")

    def _fetch(self, place: Path, package: dict[str, Any]) -> None:
        registry = package["registry"]
        if registry == "debian":
            _debian(place, package)
        elif registry == "debian-source":
            _debian_source(place, package, self.folder / "apt")
        elif registry == "pypi":
            _pypi(place, package)
        elif registry == "npm":
            _npm(place, package)
        else:
            raise FetchError(f"{package['name']}: there is no registry '{registry}'")


def unpack(archive: Path, folder: Path, package: dict[str, Any]) -> None:
    """Unpack what the package keeps."""
    select = ["--wildcards", *package["keep"]] if "keep" in package else []
    tar = ["tar", "-x", "-C", str(folder), f"--strip-components={package.get('strip', 1)}"]
    if archive.suffix == ".deb" and "inner" not in package:
        files = folder / "files.tar"
        with files.open("wb") as out:
            _run(["dpkg-deb", "--fsys-tarfile", str(archive)], out=out)
        _run([*tar, "-f", str(files), *select])
        files.unlink()
    elif archive.suffix == ".deb":
        unpacking = subprocess.Popen(
            ["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE
        )
        inner = folder / "inner.tar"
        with inner.open("wb") as out:
            _run(
                ["tar", "-x", "-O", "--wildcards", package["inner"]],
                stdin=unpacking.stdout,
                out=out,
            )
        unpacking.wait()
        _run([*tar, "-a", "-f", str(inner.rename(folder / package["inner"][2:])), *select])
        (folder / package["inner"][2:]).unlink()
    elif archive.suffix in (".whl", ".zip"):
        _run(["unzip", "-q", str(archive), "-d", str(folder)])
    else:
        _run([*tar, "-f", str(archive), *select])


def _run(command: list[str], *, cwd: Path | None = None, stdin: Any = None, out: Any = None) -> str:
    try:
        done = subprocess.run(
            command, cwd=cwd, stdin=stdin, stdout=out or subprocess.PIPE,
            stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise FetchError(f"this needs {command[0]}, which is not on this host") from error
    if done.returncode != 0:
        raise FetchError(f"{command[0]}: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return "" if out else done.stdout.decode(errors="replace")


def _debian(place: Path, package: dict[str, Any]) -> None:
    _run(["apt-get", "download", f"{package['name']}={package['version']}"], cwd=place)


def _debian_source(place: Path, package: dict[str, Any], state: Path) -> None:
    wanted = f"{package['name']}={package['version']}"
    options = _source_lists(state)
    how = ["source", "--download-only", "--tar-only", "-qq", wanted]
    try:
        _run(["apt-get", *options, *how], cwd=place)
    except FetchError:
        # An archive may name a file that only another one has.
        for one in sorted(state.glob("only-*.list")):
            try:
                _run(["apt-get", *options, "-o", f"Dir::Etc::SourceList={one}", *how], cwd=place)
            except FetchError:
                continue
            return
        raise


def _source_lists(state: Path) -> list[str]:
    """Options for an apt state of our own, with the sources of the host's suites."""
    options = [
        "-o", f"Dir::Etc::SourceList={state}/sources.list",
        "-o", "Dir::Etc::SourceParts=/dev/null",
        "-o", f"Dir::State::Lists={state}/lists",
        "-o", f"Dir::Cache={state}/cache",
    ]  # fmt: skip
    if not (state / "sources.list").is_file():
        for folder in ("lists/partial", "cache/archives/partial"):
            (state / folder).mkdir(parents=True, exist_ok=True)
        form = "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)"
        lines = set(_run(["apt-get", "indextargets", "--format", form]).splitlines())
        debian = [line.split()[:3] for line in sorted(lines) if line.split()[3:] == ["Debian"]]
        if not debian:
            raise FetchError("apt-get names no Debian archive on this host")
        sources = [f"deb-src {' '.join(words)}\n" for words in debian]
        for number, source in enumerate(sources):
            (state / f"only-{number}.list").write_text(source)
        (state / "sources.list").write_text("".join(sources))
        _run(["apt-get", *options, "-qq", "update"])
    return options


def _pypi(place: Path, package: dict[str, Any]) -> None:
    wanted = f"{package['name']}=={package['version']}"
    _run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary=:all:",
          "--no-build-isolation", "-d", str(place), wanted])  # fmt: skip


def _npm(place: Path, package: dict[str, Any]) -> None:
    _run(["npm", "pack", "--silent", f"{package['name']}@{package['version']}"], cwd=place)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
