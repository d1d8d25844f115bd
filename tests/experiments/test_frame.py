"""The frame of `rck repro`: from a study's description to comparison, score and page."""

from __future__ import annotations

import dataclasses
import doctest
import json
import os
import signal
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rockcreek import errors
from rockcreek.cli.commands.repro import lacks
from rockcreek.repro import campaign, runs
from rockcreek.repro.pages.report import told
from rockcreek.repro.published import load_all
from rockcreek.repro.reproduce import SCHEMA, Options, load_result, reproduce
from rockcreek.repro.study import load_study
from small_study import ANALYSIS, PUBLISHED, STUDY

Make = Callable[..., Path]


def run(folder: Path, **options: Any) -> dict[str, Any]:
    chosen = Options(out=folder.parent / "out", quiet=True, **options)
    return reproduce(load_study(folder, "small"), load_all(folder), chosen)


@pytest.mark.parametrize("name", ["findings", "pages.report", "runs", "score"])
def test_examples_in_the_modules(name: str) -> None:
    assert doctest.testmod(import_module(f"rockcreek.repro.{name}")).failed == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "A study"', "", "title is missing"),
        ('program = "echo"', 'program = "ehco"', "there is no [programs.ehco]"),
        ("quick = {", "quik = {", "quik is not known; did you mean 'quick'?"),
        ('["echo.c"]', '["other.c"]', "there is no"),
        ('["echo.c"]', '["other*.c"]', "there is no"),
        ('["echo.c"]', '["echo.c"]\nmodule = "echo"', "module: echo is no program"),
        ('sources = ["echo.c"]', 'like = "ehco"', "like: there is no [programs.ehco] above"),
        ('["echo.c"]', '["echo.c"]\n[programs.b]\nlike = "echo"\nsources = ["b.c"]', "sources"),
        ('cores = ["core"]', 'cores = ["cor"]', "'cor' is neither a number nor a key of vary"),
        ('"{word}"', '"{words}"', "words is not a key of vary"),
        ("core = [0, 3]", "core = 3", 'core: write a list, or a span of numbers such as "1-47"'),
        ('"a-number"', '"a-numbr"', "holds 'a-numbr'; did you mean 'a-number'?"),
        ('name = "echoes"', "name = 3", "runs[0].name: 3 is not a text"),
        ("title =", "title", "Expected '='"),
        ("cores =", 'kernel = "l5"\ncores =', "'l5' is neither a kernel nor a key of vary"),
        ("cores =", 'kernel = "word"\ncores =', "'110' is neither a kernel nor a key of vary"),
        ("cores =", 'append = "quiet"\ncores =', "append: that is Linux's"),
        ("cores =", "network = true\ncores =", "network: that is Linux's"),
        ("cores =", 'kernel = "linux"\nseeds = [1]\ncores =', "a booted Linux has settled"),
    ],
)
def test_a_bad_description_is_told(experiments: Make, old: str, new: str, message: str) -> None:
    assert old in STUDY
    with pytest.raises(errors.InputError) as caught:
        run(experiments(study=STUDY.replace(old, new, 1)))
    assert message in caught.value.message
    assert "study.toml" in caught.value.message


def test_a_program_like_another_has_more_flags(experiments: Make) -> None:
    more = '["echo.c"]\nflags = ["-O2"]\n[programs.other]\nlike = "echo"\nflags = ["-DMORE"]'
    programs = load_study(experiments(study=STUDY.replace('["echo.c"]', more, 1)), "small").programs
    assert programs["other"].sources == programs["echo"].sources
    assert programs["other"].flags == ("-O2", "-DMORE")


def test_a_kernel_runs_under_no_kernel(experiments: Make) -> None:
    study = STUDY.replace("cores =", 'kernel = "l4"\ncores =')
    with pytest.raises(errors.InputError, match="is a kernel itself"):
        run(experiments(study=study.replace('["echo.c"]', '["echo.c"]\nboot = true', 1)))


def test_linux_has_settled_the_clocks(experiments: Make) -> None:
    study = STUDY.replace("cores =", 'kernel = "linux"\ncores =') + '[chip]\nclocks = "800/800/800"'
    with pytest.raises(errors.InputError, match="a booted Linux is of the SCC and its clocks"):
        run(experiments(study=study))


def test_a_study_under_linux_needs_one(experiments: Make, tmp_path: Path, monkeypatch: Any) -> None:
    """Said before anything runs."""
    monkeypatch.setenv("RCK_LINUX", str(tmp_path))
    folder = experiments(study=STUDY.replace("cores =", 'kernel = "linux"\ncores ='))
    assert "make linux" in str(lacks(load_study(folder, "small")))
    with pytest.raises(errors.NotFoundError, match="Linux is not there"):
        run(folder)


def test_a_signal_ends_the_study_not_only_a_run(experiments: Make, monkeypatch: Any) -> None:
    """Both runs of the study compute without end; one Ctrl-C in the first is enough."""
    begun, perform = [], runs.perform

    def interrupted(*given: Any, **named: Any) -> dict[str, Any]:
        begun.append(given)
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        return perform(*given, **named)

    monkeypatch.setattr(runs, "perform", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(experiments(program="int main(void) { for (;;); }\n"))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(begun) == 1


def test_an_unknown_study_is_told(experiments: Make) -> None:
    with pytest.raises(errors.UsageError, match="did you mean 'small'"):
        load_study(experiments(), "smal")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("value = 100", "", "either a value or a trend"),
        ("value = 100", "value = 0", "not a number other than zero"),
        ('unit = "ns"', "", "unit is missing"),
        ('"at least"', '"at last"', "neither 'at least' nor 'at most'"),
    ],
)
def test_a_bad_table_is_told(experiments: Make, old: str, new: str, message: str) -> None:
    with pytest.raises(errors.InputError, match=message):
        load_all(experiments(published=PUBLISHED.replace(old, new, 1)))


def test_cells_have_labels_and_bounds_have_a_right_side(experiments: Make) -> None:
    known = load_all(experiments())
    labels = {"near, read": 1, "near, write": 2, "far, read": 3, "far, write": 4}
    assert known["a-table"].cells() == labels
    assert known["a-limit"].error(10, 15) == 0
    assert known["a-limit"].error(10, 9) == pytest.approx(-0.1)
    assert known["a-number"].error(100, 150) == pytest.approx(0.5)


def test_a_study_is_run_compared_and_kept(experiments: Make) -> None:
    folder = experiments()
    result = run(folder)
    [cell], [statement] = result["cells"], result["statements"]
    assert (cell["published"], cell["ours"]) == (100, 110)
    assert (cell["error"], cell["verdict"]) == (0.1, "met")
    assert (statement["verdict"], statement["told"]) == ("holds", "[110, 110]")
    assert result["runs"] == 2 and result["instructions"] > 0
    written = folder.parent / "out" / "small" / "small.json"
    assert json.loads(written.read_text()) == result == load_result(written)
    assert written.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert "a-number        100        110   ns    +10.0 %  met" in told(result)


def test_the_schema_has_its_keys(experiments: Make) -> None:
    result = run(experiments(), quick=True)
    assert result["schema"] == SCHEMA == {"name": "rockcreek-study", "version": 1}
    guide = (Path(__file__).resolve().parents[2] / "docs/guide/repro.md").read_text()
    for keys in (result, result["cells"][0], result["statements"][0], result["host"]):
        for key in keys:
            assert f"`{key}`" in guide, key


def test_a_result_of_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text('{"schema": {"name": "rockcreek-study", "version": 0}}')
    with pytest.raises(errors.RockcreekError, match="has the schema"):
        load_result(path)


def test_an_interrupted_study_goes_on(
    experiments: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = experiments()
    real, performed = campaign.runs.perform, []

    def perform(study: Any, point: Any, *rest: Any, **options: Any) -> dict[str, Any]:
        if len(performed) == 1:
            performed.append("interrupted")
            raise KeyboardInterrupt
        performed.append(point.label())
        return real(study, point, *rest, **options)

    monkeypatch.setattr(campaign.runs, "perform", perform)
    with pytest.raises(KeyboardInterrupt):
        run(folder)
    assert "1 of 2 runs are kept: the same command goes on" in capsys.readouterr().err
    run(folder)
    assert performed == ["echoes core=0 word=110", "interrupted", "echoes core=3 word=110"]
    run(folder)
    assert len(performed) == 3, "a finished study was run again"
    run(folder, fresh=True)
    assert len(performed) == 5, "--fresh ran nothing"


def test_a_changed_program_or_chip_is_run_again(experiments: Make) -> None:
    first = run(experiments())
    changed = '#include <stdio.h>\nint main(void) { puts("90"); return 0; }\n'
    folder = experiments(program=changed)
    assert run(folder)["cells"][0]["ours"] == 90
    slow = STUDY + "[chip]\nclocks = '266/800/800'\n"
    slower = run(experiments(study=slow))
    # Half the clock; memory is as fast as before.
    assert slower["simulated_ps"] > 1.3 * first["simulated_ps"]


def test_a_run_says_its_kernel(experiments: Make) -> None:
    """A system call costs some 1,500 cycles under the microkernel, 270 under our own kernel."""
    program = (
        "#include <stdio.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
        "static unsigned now(void) { unsigned low; __asm__ volatile("
        '"rdtsc" : "=a"(low) : : "edx"); return low; }\n'
        "int main(void) { unsigned from; syscall(SYS_getppid); from = now(); syscall(SYS_getppid);"
        ' printf("%d\\n", now() - from > 800 ? 100 : 1); return 0; }\n'
    )
    varied = STUDY.replace("cores =", 'kernel = "kernel"\ncores =').replace(
        "core = [0, 3]", 'kernel = ["l4", "rck"], core = [0]'
    )
    result = run(experiments(program=program, study=varied))
    assert (result["runs"], result["cells"][0]["ours"]) == (2, 100)
    assert result["statements"][0]["told"] == "[100, 1]"
    told = run(
        experiments(program=program, study=STUDY.replace("cores =", 'kernel = "l4"\ncores ='))
    )
    assert told["statements"][0]["told"] == "[100, 100]"


def test_jobs_change_nothing(experiments: Make) -> None:
    folder = experiments()
    alone, side_by_side = run(folder), run(folder, jobs=2, fresh=True)
    for result in (alone, side_by_side):
        del result["host"]
    assert alone == side_by_side


def test_a_run_that_fails_is_told(experiments: Make) -> None:
    failing = (
        '#include <stdio.h>\nint main(void) { puts("alas"); fputs("no room", stderr); return 3; }\n'
    )
    with pytest.raises(errors.RockcreekError) as caught:
        run(experiments(program=failing))
    assert "the run echoes core=0 word=110 failed" in caught.value.message
    assert caught.value.message.endswith("failed: exit 3\nalas\nno room")


def test_a_guest_gets_files_and_what_it_writes_is_kept(experiments: Make) -> None:
    """The exit code 75 is a result here; a text of the study that changes is another run."""
    copies = (
        '#include <stdio.h>\nint main(void) { char line[9]; FILE *in = fopen("/in", "r"), *out ='
        ' fopen("/out", "w"); fputs(fgets(line, 9, in), out); fclose(out); return 75; }\n'
    )
    study = STUDY.replace("cores =", 'files = "texts"\ncodes = [75]\ncores =')
    analysis = ANALYSIS.replace("int(run.text)", 'int(run.files["out"])')
    folder = experiments(program=copies, study=study, analysis=analysis)
    texts = folder / "small" / "texts.py"
    # Of another length: Python keeps the bytecode of a file with equal second and length.
    for number in (7, 18):
        texts.write_text(
            f'def files(values): return {{"in": f"{{values[\'core\'] + {number}}}"}}\n'
        )
        cell = run(folder)["cells"][0]
        assert (cell["id"], cell["ours"]) == ("a-number", number)
    texts.unlink()
    with pytest.raises(errors.NotFoundError, match=r"texts\.py is missing"):
        run(folder)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_fails_stops_no_other_one(experiments: Make, jobs: int) -> None:
    fails = "int main(int argc, char **argv) { return argc > 1 && argv[1][1] == '1'; }\n"
    study = STUDY.replace("core = [0, 3]", "core = [0]").replace('["110"]', '["110", "115", "120"]')
    folder = experiments(program=fails, study=study)
    with pytest.raises(errors.RockcreekError, match="2 of 3 runs failed:\n") as caught:
        run(folder, jobs=jobs)
    for word in (110, 115):
        assert f"the run echoes core=0 word={word} failed: " in caught.value.message
    assert "word=120" not in caught.value.message
    assert len(list((folder.parent / "out/small/runs").glob("*.json"))) == 1


def test_analysis_and_description_must_agree(experiments: Make) -> None:
    silent = "from rockcreek.repro.findings import Findings\ndef analyse(r, c): return Findings()\n"
    with pytest.raises(errors.RockcreekError, match="gives no value for a-number"):
        run(experiments(analysis=silent))
    assert run(experiments(analysis=silent), quick=True)["cells"][0]["verdict"] == "not run"
    other = silent.replace("Findings()", "Findings(values={'a-table': {}})")
    with pytest.raises(errors.RockcreekError, match="its analysis answers a-table"):
        run(experiments(analysis=other))


def test_verify_runs_twice_and_compares(experiments: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, real, skips = experiments(), campaign.runs._run, []

    def recorded(*arguments: Any, skip: bool) -> Any:
        skips.append(skip)
        result = real(*arguments, skip=skip)
        late = dataclasses.replace(result, time_ps=result.time_ps + 1)
        return late if len(skips) == 4 else result

    monkeypatch.setattr(campaign.runs, "_run", recorded)
    with pytest.raises(errors.RockcreekError) as caught:
        run(folder, verify=True)
    assert skips == [True, False, True, False]
    assert "waiting loops are executed: time_ps" in caught.value.message
