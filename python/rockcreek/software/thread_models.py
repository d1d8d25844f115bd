"""`rck run --threads-model`: by which shared memory a program's threads run.

All models are linked in (systems/crf/models); the kernel's command line carries the choice to the
program, as a variable of its environment.
"""

from __future__ import annotations

from collections.abc import Mapping

from rockcreek.errors import InputError

from .atomics import FIRST
from .image import Image

VARIABLE = "RCK_THREADS_MODEL"
WITHOUT_COPIES = ("strong", "uncached")
CHOICE = "crf_choose_model"  # a function of programs that have all of them
OTHERS = {"svm_init": "systems/svm, whose model is the argument of svm_alloc"}


def has_threads(image: Image) -> bool:
    """Whether the cores of a run are threads of one program."""
    return FIRST in image.symbols


def needs_mailboxes(image: Image) -> bool:
    """Whether it has threads over cores, or shared virtual memory: their cores write mails."""
    return has_threads(image) or bool(OTHERS.keys() & image.symbols.keys())


def environment(image: Image, wanted: str | None) -> Mapping[str, str]:
    """What selects the program's model; refuses one that has no threads, or no choice of models."""
    if wanted is None:
        return {}
    what = f"{image.path}: --threads-model {wanted}"
    if not has_threads(image):
        other = next((text for name, text in OTHERS.items() if name in image.symbols), None)
        raise InputError(
            f"{what}: the program is one of processes, over {other}"
            if other
            else f"{what}: the program is not linked for threads",
            path=str(image.path),
            hint="leave the option out, or link without -lsvm"
            if other
            else "link it with `rck cc -pthread` or `rck cc -fopenmp`",
        )
    if CHOICE not in image.symbols:
        raise InputError(
            f"{what}: the program was linked when there was one model, commit and reconcile",
            path=str(image.path),
            hint="link it again with `rck cc -pthread`",
        )
    return {VARIABLE: wanted}
