"""`--check races` on racy and clean programs: all races, with lines and variables, and no false
alarm. Fast: one program that has them all, compiled and run once. Slow (`make races`): on one core
and on several, over each model, optimised and not."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import ready
from guest_programs import RCK
from races.expected import FOLDER, Program, programs, told

# Who waits in a loop for what others do plainly has to have a core of its own.
NEEDS_CORES = {"flush_flag"}
# What orders the accesses of a race is known of one run: where a lock, a semaphore or a flush
# happens to come between them, or one thread takes all of a loop, nothing is reported. These runs
# hide them.
HIDDEN = {
    "strong": {"ordered_missing", "flush_flag"},
    "uncached": {"condition_without_lock", "flush_flag", "lazy_init", "semaphore_of_two"},
    "one core": {"lazy_init", "ordered_missing", "semaphore_of_two"},
}  # fmt: skip


def _main(suite: list[Program]) -> str:
    """A program that runs those named on its command line, or all."""
    names = [program.name for program in suite]
    rows = "".join(f'    {{"{name}", suite_{name}}},\n' for name in names)
    declared = "".join(f"int suite_{name}(void);\n" for name in names)
    return f"""#include <stdio.h>
#include <string.h>

{declared}
static const struct {{ const char *name; int (*run)(void); }} all[] = {{
{rows}}};

int main(int argc, char **argv)
{{
    for (unsigned n = 0; n < sizeof all / sizeof all[0]; n++) {{
        int wanted = argc < 2;

        for (int m = 1; m < argc; m++)
            wanted |= !strcmp(argv[m], all[n].name);
        if (wanted && all[n].run())
            printf("%s: wrong\\n", all[n].name);
    }}
    return 0;
}}
"""


def _build(folder: Path, optimised: str, suite: list[Program]) -> Path:
    main = folder / "suite.c"
    main.write_text(_main(suite))
    sources = [str(program.path) for program in suite]
    to = folder / "suite"
    flags = ("-g", "-w", optimised, "-fopenmp", "-DSUITE", f"-I{FOLDER}")
    ready.rck("cc", *flags, main, *sources, "-o", to, check=True)
    return to


def _check(binary: Path, suite: list[Program], cores: int, *options: str) -> list[str]:
    """What is wrong, by program; all of them run one after the other."""
    result = binary.with_suffix(".json")
    command = [*RCK, "run", "-q", "-n", str(cores), "--tag", "none", "--check", "races"]
    names = [program.name for program in suite]
    run = [*command, "--force", "--json", str(result), *options, str(binary), *names]
    ended = subprocess.run(run, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    found = told(json.loads(result.read_text())["check"]["findings"])
    wrong = [program.wrong(found.get(program.name, frozenset())) for program in suite]
    clean = {program.name for program in suite if not program.is_racy}
    wrong += [line for line in ended.stdout.splitlines() if line.split(":")[0] in clean]
    unknown = set(found) - {program.name for program in suite}
    return [line for line in wrong if line] + sorted(unknown)


@pytest.fixture(scope="module")
def suite() -> list[Program]:
    found = programs()
    assert len([program for program in found if program.is_racy]) >= 40
    assert len([program for program in found if not program.is_racy]) >= 40
    return found


def test_all_races_and_no_others(suite: list[Program], tmp_path: Path) -> None:
    """A lock of the layer may order two accesses of one run by chance: what a run on 4 cores does
    not show, a run on another number of cores shows."""
    binary = _build(tmp_path, "-O0", suite)
    wrong = _check(binary, suite, 4)
    missed = [one for one in suite if one.name in _not_told(wrong)]
    assert len(_not_told(wrong)) == len(missed) <= 2, wrong
    for cores in (6, 3, 5, 8):
        not_told = _not_told(_check(binary, missed, cores)) if missed else set()
        missed = [one for one in missed if one.name in not_told]
    assert not missed


@pytest.mark.slow
@pytest.mark.parametrize("optimised", ["-O1", "-O2"])
def test_optimised(suite: list[Program], tmp_path: Path, optimised: str) -> None:
    """A compiler may take a race out, or move it to another line: the clean ones stay clean."""
    clean = [program for program in suite if not program.is_racy]
    assert _check(_build(tmp_path, optimised, clean), clean, 4) == []


def _not_told(wrong: list[str]) -> set[str]:
    """The programs whose races were not reported; a false alarm is one of its own."""
    return {line.split(": not told:")[0] if "but not there" not in line else line for line in wrong}


@pytest.mark.slow
def test_cores_and_models(suite: list[Program], tmp_path: Path) -> None:
    binary = _build(tmp_path, "-O0", suite)
    for model in ("crf", "lazy", "strong", "uncached"):
        wrong = _check(binary, suite, 3, "--threads-model", model)
        assert _not_told(wrong) == HIDDEN.get(model, set()), (model, wrong)
    shared = [program for program in suite if program.name not in NEEDS_CORES]
    wrong = _check(binary, shared, 1, "--env", "OMP_NUM_THREADS=4")
    assert _not_told(wrong) == HIDDEN["one core"], wrong
