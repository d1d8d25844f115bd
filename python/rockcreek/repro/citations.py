"""What to cite: Rockcreek, the chip, and the publications that a study or a run stands on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from rockcreek import description, resources
from rockcreek._version import __version__
from rockcreek.errors import InputError, NotFoundError
from rockcreek.printable import nearest
from rockcreek.reading import documents
from rockcreek.results.result import SCHEMA_NAME

# Everything that runs here runs on this chip.
CHIP = "howard-isscc-2010"
_ENTRY = re.compile(r"^@\w+\{([^,\s]+),.*?^\}", re.M | re.S)
_KEY = re.compile(r"`([a-z][\w-]*)`|\[([a-z][\w-]*)\]")
SOFTWARE = f"""\
@software{{rockcreek,
  author  = {{{{The Rockcreek developers}}}},
  title   = {{Rockcreek: the Single-chip Cloud Computer as software}},
  version = {{{__version__}}},
  license = {{Apache-2.0}},
}}"""


class _Chip(Struct):
    name: str


class _Cited(Struct):
    """The part of a result that names its chip."""

    chip: _Chip


def entries() -> dict[str, str]:
    """The bibliography: BibTeX by key."""
    text = resources.bibliography().read_text(encoding="utf-8")
    return {found[1]: found[0] for found in _ENTRY.finditer(text)}


def of_chip(preset: str) -> list[str]:
    """Keys of the sources of a chip description's numbers."""
    return _sources(description.load(preset).values)


def of_study(name: str) -> list[str]:
    """Keys of what a study is compared with, and of what it says of itself."""
    from rockcreek.repro.published import load_all
    from rockcreek.repro.study import load_study, study_ids

    experiments = resources.experiments_folder()
    known = study_ids(experiments)
    if name not in known:
        raise NotFoundError(
            f"there is no study '{name}'{nearest(name, known)}",
            path=name,
            hint="name a study of `rck repro --list`, or the JSON of a run",
        )
    study, published = load_study(experiments, name), load_all(experiments)
    keys = [published[one.published].source for one in study.compares]
    named = [a or b for a, b in _KEY.findall(study.about)]
    return _once([*keys, *(key for key in named if key in entries())])


def of_result(path: str) -> list[str]:
    """Keys of the sources of the chip on which a run (or a study) ran."""
    hint = "`rck run --json` writes results"
    document = documents.json(path, hint=hint)
    if not isinstance(document, dict) or not isinstance(document.get("schema"), dict):
        document = {"schema": {}}
    schema = document["schema"].get("name")
    if schema == "rockcreek-study":
        return of_study(str(document.get("study")))
    if schema != SCHEMA_NAME:
        raise InputError(f"{path}: is JSON, but not a result of Rockcreek", path=path, hint=hint)
    name = documents.typed(document, _Cited, path, hint=hint).chip.name
    return of_chip(name if name in resources.preset_names() else "scc")


def bibtex(keys: Iterable[str]) -> str:
    """Rockcreek, the chip, and these."""
    known = entries()
    return "\n\n".join([SOFTWARE, *(known[key] for key in _once([CHIP, *keys]))]) + "\n"


def _once(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def _sources(values: Any) -> list[str]:
    return _once(_walk(values))


def _walk(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "source":
                yield from [inner] if isinstance(inner, str) else inner
            else:
                yield from _walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner)
