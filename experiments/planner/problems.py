"""The texts of the study's problems, drawn by `rockcreek.planning`, held to problems.toml."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rockcreek.errors import InputError
from rockcreek.planning import problems

TABLE = Path(__file__).resolve().with_name("problems.toml")


def files(values: Mapping[str, Any]) -> dict[str, str]:
    """What the guest finds in its folder for a run of these values."""
    domain, problem = problems.make(values["problem"])
    wanted = tomllib.loads(TABLE.read_text(encoding="utf-8"))[values["problem"]]["sha256"]
    if digest(domain, problem) != wanted:
        raise InputError(
            f"{TABLE}: {values['problem']} is another text than the one of this SHA-256",
            path=str(TABLE),
            hint="the generator has changed: choose the problems anew",
        )
    return {"domain": domain, "problem": problem}


def digest(domain: str, problem: str) -> str:
    """SHA-256 of both texts, one behind the other."""
    return hashlib.sha256((domain + problem).encode()).hexdigest()
