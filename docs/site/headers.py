"""The reference of the guest's libraries: their headers, each declaration under its comment."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Library:
    """A folder whose headers are installed, and how programs link with it."""

    folder: str
    flags: list[str]
    headers: list[Path]

    @property
    def file_name(self) -> str:
        return "library-" + self.folder.split("/")[-1].replace("_", "-")


def libraries() -> list[Library]:
    """The guest's, then those of the systems."""
    found = []
    for description in sorted(ROOT.glob("guest/*/guest.toml")) + sorted(
        ROOT.glob("systems/*/guest.toml")
    ):
        folder = description.parent
        table = tomllib.loads(description.read_text(encoding="utf-8"))
        headers: list[Path] = []
        for entry in table.get("headers", []):
            if entry["from"] != "private":
                headers += sorted((folder / entry["from"]).resolve().rglob("*.h"))
        archives = [Path(o["path"]).stem for o in table.get("output", []) if o["kind"] == "archive"]
        flags = [f"-l{name.removeprefix('lib')}" for name in archives]
        if headers:
            found.append(Library(folder.relative_to(ROOT).as_posix(), flags, headers))
    return found


def write(out: Path, guest_pages: list[str]) -> None:
    """A page for each library, and the first one."""
    names = []
    for library in libraries():
        names.append(library.file_name)
        (out / f"{library.file_name}.md").write_text(page(library), encoding="utf-8")
    entries = "\n".join([*names, *(f"/{path}" for path in guest_pages)])
    text = "# Guest libraries\n\nTheir headers, which say what each call does, then what their "
    text += "folders' pages say.\n"
    (out / "libraries.md").write_text(
        f"{text}\n```{{toctree}}\n:titlesonly:\n\n{entries}\n```\n", encoding="utf-8"
    )


def page(library: Library) -> str:
    """The headers as they are: their comments are the documentation."""
    name = library.folder.split("/")[-1]
    text = f"# Headers: {name}\n\n"
    if library.flags:
        text += f"Libraries: {', '.join(f'`{flag}`' for flag in library.flags)}.\n"
    for header in library.headers:
        code = header.read_text(encoding="utf-8").rstrip()
        # C++ attributes are more than the highlighter's grammar knows.
        opening = "{code-block} cpp\n:force:\n" if "\nnamespace " in code else "c"
        text += f"\n## {header.name}\n\n```{opening}\n{code}\n```\n"
    return text
