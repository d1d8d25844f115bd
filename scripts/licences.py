"""Writes THIRD_PARTY_LICENSES.txt: what of others is in a wheel or needed by it, and its licence.

`python scripts/licences.py` writes it; a test holds it complete. Rust crates come
from `cargo metadata`, Python packages from what is installed, guest libraries from the compiler
package `ziglang`. Where a licence offers Apache-2.0 that is the one taken; its text is LICENSE, so
only the others' texts are repeated.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "THIRD_PARTY_LICENSES.txt"
WIDTH = 78
# The hosts that README names; what only others need is not in a wheel.
HOST = "x86_64-unknown-linux-gnu"
# The parts of the compiler package that are linked into guest programs, with their licence texts.
GUEST = (
    ("musl", "C library", "MIT", "libc/musl/COPYRIGHT"),
    ("LLVM libc++", "C++ library", "Apache-2.0 WITH LLVM-exception", "libcxx/LICENSE.TXT"),
    ("LLVM libc++abi", "C++ library", "Apache-2.0 WITH LLVM-exception", "libcxxabi/LICENSE.TXT"),
    ("LLVM libunwind", "exceptions", "Apache-2.0 WITH LLVM-exception", "libunwind/LICENSE.TXT"),
    ("Zig compiler_rt, zigc", "integer helpers, parts of libc", "MIT", "../LICENSE"),
)
# Licences that a wheel may carry; another one is to be looked at before it is added.
ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "MIT", "MPL-2.0", "PSF-2.0",
    "Unicode-3.0", "Unlicense", "LLVM-exception",
}  # fmt: skip
HEAD = """\
Third-party software

What of others a wheel of Rockcreek carries or needs, as `python scripts/licences.py` lists it.
Where a licence offers a choice that has Apache-2.0, that is the one taken, and its text is the file
LICENSE; the texts of all other licences follow the lists. Sources of the crates, unchanged, MPL-2.0
included: https://crates.io/crates/NAME/VERSION.
"""


@dataclass(frozen=True)
class Part:
    """One thing of others."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        return f"  {self.name} {self.version}".ljust(60) + f" {self.licence}"

    @property
    def words(self) -> set[str]:
        """The licences in an SPDX expression."""
        return set(re.findall(r"[\w.-]+", self.licence)) - {"OR", "AND", "WITH"}

    @property
    def needs_text(self) -> bool:
        return "Apache-2.0" not in self.words or " AND " in self.licence


def crates() -> list[Part]:
    """Everything that is compiled into the engine's extension."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", HOST]
    done = subprocess.run([*command, "--offline"], cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    data = json.loads(done.stdout)
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    own = set(data["workspace_members"])
    found = {i for i in own if packages[i]["name"] == "rockcreek-python"}
    to_do = list(found)
    while to_do:
        for dependency in nodes[to_do.pop()]["deps"]:
            is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_linked and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                to_do.append(dependency["pkg"])
    parts = [_crate(packages[i]) for i in found - own]
    return sorted(parts, key=lambda part: (part.name, part.version))


def _crate(package: dict[str, Any]) -> Part:
    folder = Path(package["manifest_path"]).parent
    licence = re.sub(r" */ *", " OR ", package["license"] or "?")
    part = Part(package["name"], package["version"], licence)
    if not part.needs_text:
        return part
    names = [p for p in sorted(folder.iterdir()) if re.match(r"(?i)(un)?licen|copying", p.name)]
    texts = tuple(_read(path) for path in names if path.is_file())
    return Part(part.name, part.version, part.licence, texts or (_by_authors(package),))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def _by_authors(package: dict[str, Any]) -> str:
    """Of a crate that is published without its licence's text."""
    authors = ", ".join(package["authors"]) or f"the authors of {package['name']}"
    told = f"{package['license']}, by {authors} ({package['repository']})"
    if package["license"] != "MIT":
        return told
    # The words are the same in every copy but for the first line.
    words = _read(_compiler_package() / GUEST[-1][-1])
    return f"{told}\n\n{words[words.index('Permission is hereby') :].strip()}"


def python_packages() -> list[Part]:
    """What pip installs beside the wheel: dependencies, and those of the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(text for extra in extras for text in extra)]
    names = sorted({re.split(r"[<>=\[ ]", text)[0] for text in wanted} - {project["name"]})
    return [_python(name) for name in names]


def _python(name: str) -> Part:
    data = importlib.metadata.metadata(name)
    classifiers = [line for line in data.get_all("Classifier") or [] if "License" in line]
    classifiers = [line.rpartition(" :: ")[2] for line in classifiers]
    stated = data.get("License-Expression") or data.get("License") or ""
    licence = stated if 0 < len(stated) < 60 else "; ".join(classifiers) or "?"
    return Part(name, "", licence)


def guest() -> list[Part]:
    """What the compiler package puts into guest libraries."""
    library = _compiler_package()
    version = importlib.metadata.version("ziglang")
    return [
        Part(name, f"({what}, of ziglang {version})", licence, (_read(library / path),))
        for name, what, licence, path in GUEST
    ]


def _compiler_package() -> Path:
    import ziglang

    return Path(ziglang.__file__).parent / "lib"


def document() -> str:
    """The whole file."""
    rust, libraries = crates(), guest()
    lists = {
        "Rust crates in the engine": rust,
        "Libraries that guest programs are linked with": libraries,
        "Python packages that pip installs beside the wheel": python_packages(),
    }
    text = HEAD
    for title, parts in lists.items():
        text += f"\n{title}\n{'-' * len(title)}\n\n" + "".join(f"{part.line}\n" for part in parts)
    by_text: dict[str, list[str]] = {}
    for part in [*rust, *libraries]:
        for licence in part.texts:
            by_text.setdefault(licence, []).append(f"{part.name} {part.version}")
    for licence, names in by_text.items():
        text += f"\n{'=' * WIDTH}\n{', '.join(names)}\n{'=' * WIDTH}\n\n{licence}\n"
    return text


def strangers() -> list[str]:
    """Parts of the wheel whose licence nobody has looked at."""
    return [part.line for part in [*crates(), *guest()] if not part.words <= ALLOWED]


def main() -> None:
    """Write the file."""
    TARGET.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
