"""`rck run --threads-model`: by which shared memory a program's threads run.

The model is linked in. A program that asks for one by name is told if it has another.
"""

from __future__ import annotations

from rockcreek.errors import InputError

from .atomics import FIRST
from .image import Image

MODELS = ("crf", "strong", "lazy")
THERE = "crf"  # commit and reconcile: `rck cc -pthread`


def has_threads(image: Image) -> bool:
    """Whether the cores of a run are threads of one program."""
    return FIRST in image.symbols


def check(image: Image, wanted: str | None) -> None:
    """Refuse a program that has no threads, and a model that there is for processes only."""
    if wanted is None:
        return
    if not has_threads(image):
        raise InputError(
            f"{image.path}: --threads-model {wanted}: the program is not linked for threads",
            path=str(image.path),
            hint="link it with `rck cc -pthread` or `rck cc -fopenmp`",
        )
    if wanted != THERE:
        raise InputError(
            f"{image.path}: --threads-model {wanted}: threads run over commit and reconcile, "
            f"{THERE}",
            path=str(image.path),
            hint=f"--threads-model {THERE}; the {wanted} model is for processes that share pages "
            "by svm_alloc (systems/svm)",
        )
