"""-pthread: a program whose threads run on one core each, over commit and reconcile
(systems/crf).

The program's own objects lie between two of the library's: their data are shared, those of
the libraries behind are each core's.
"""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path

# What the C library has, but not for threads on different cores: a link that needs one fails.
ABSENT = ("fork",)
# exit on any core ends the program on the first one; limits of the layer; what the C++ library has
# compiled itself.
WRAPPED = (
    "main", "exit", "quick_exit", "sysconf", "pthread_attr_getstack",
    "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort",
    "_ZNSt3__119__shared_weak_count14__release_weakEv", "_ZNSt3__119__shared_weak_count4lockEv",
    "_ZNSt3__111__call_onceERVmPvPFvS2_E",
    "_ZNSt3__18__sp_mut4lockEv", "_ZNSt3__18__sp_mut6unlockEv",
    *ABSENT,
)  # fmt: skip
MISSING = re.compile(r"undefined symbol: __wrap_(\w+)")
LAYER = re.compile(r"undefined symbol: crf_\w+")
OPENMP = re.compile(r"undefined symbol: (?:__kmpc|omp)_(\w+)")
# What makes threads: the linker reports who refers to them.
MAKERS = ("pthread_create", "thrd_create")
TRACE = re.compile(rf"(.*): (?:lazy )?(reference to|definition of) ({'|'.join(MAKERS)})")
# Variables of each thread are found by the library (systems/openmp/team/threadprivate.c): those of
# the C library lie at the same address on all cores, so copyin could not distinguish them.
# No core has vectors, so a loop that asks for them is not reported.
OPENMP_FLAGS = ("-fopenmp", "-fnoopenmp-use-tls", "-Wno-pass-failed")
# A frame of many pages touches each: one page guards a thread's stack.
FRAMES = ("-fstack-clash-protection",)
# A program of processes: each core has a main of its own, whose threads run on that core.
MESSAGES = re.compile(r"-l(i?rcce|i?RCCE|svm|jcell|rckmpi|mpi)\w*")


def processes(inputs: list[str]) -> bool:
    """Whether a program is one of RCCE's or MPI's: its threads are those of the core."""
    return any(MESSAGES.fullmatch(word) for word in inputs)


def is_ours(word: str, folder: Path) -> bool:
    """Whether an input is a library of ours: its data are each core's."""
    name = f"lib{word[2:]}.a"
    return word.startswith("-l") and (name == "liblwip.a" or (folder / name).is_file())


def around(inputs: list[str], folder: Path, *, own: Container[str] = ()) -> list[str]:
    """The linker's inputs with the library's around them; other libraries of ours lie behind. A
    function of the program's own may have the name of one that is absent."""
    ours = [word for word in inputs if is_ours(word, folder)]
    inputs = [word for word in inputs if word not in ours]
    first, last = (str(folder / "crf" / name) for name in ("first.o", "last.o"))
    names = [name for name in WRAPPED if not (name in ABSENT and name in own)]
    wrapped = [f"--wrap={name}" for name in names]
    # rck run looks between them for instructions that would lock nothing.
    kept = ["--undefined=crf_text_first", "--undefined=crf_text_last"]
    return [*wrapped, *kept, first, *inputs, last, *ours, str(folder / "libcrf.a")]


def made(traced: str, words: str, sysroot: Path) -> bool:
    """Whether a program makes threads, by what its link without them says: an object of its own
    refers to a function that makes one, which is not its own, or to OpenMP's library."""
    refers: set[str] = set()
    own: set[str] = set()
    for found in map(TRACE.fullmatch, traced.splitlines()):
        if found is not None and not found[1].startswith((str(sysroot), "<internal>")):
            (refers if found[2] == "reference to" else own).add(found[3])
    return bool(refers - own) or OPENMP.search(words) is not None


def hint(words: str, *, processes: bool = False) -> str | None:
    """What to do about functions that are not there, by what the linker said."""
    if OPENMP.search(words) and processes:
        return "processes on all cores have no team of OpenMP: leave out its directives or -lrcce"
    if OPENMP.search(words):
        missing = ", ".join(sorted(set(OPENMP.findall(words))))
        return f"OpenMP is here without {missing}: see systems/openmp/README.md"
    if LAYER.search(words):
        return "commit and reconcile belong to programs of threads: add -pthread"
    names = sorted({name.removeprefix("_") for name in MISSING.findall(words)})
    if not names:
        return None
    return f"threads on different cores have no {', '.join(names)}: leave it out"
