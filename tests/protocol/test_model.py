"""The flag protocols under every schedule of small cases, on the library's own source."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GUEST = HERE.parents[1] / "guest"
RCCE = ["RCCE_send", "RCCE_recv", "RCCE_signal", "RCCE_synch", "RCCE_debug", "RCCE_error"]
RCCE += ["RCCE_tables", "RCCE_members"]
IRCCE = ["iRCCE_init", "iRCCE_isend", "iRCCE_irecv", "iRCCE_ssend", "iRCCE_probe"]
FLAGS = ["-O1", "-w", "-DRCCE_MODEL", f"-I{GUEST}/rcce", f"-I{GUEST}/rcce/include"]
FLAGS += [f"-I{GUEST}/ircce", f"-I{GUEST}/ircce/include", f"-I{GUEST}/scc/include"]
FLAGS += [f"-I{GUEST}/collectives", f"-I{GUEST}/collectives/include"]

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs cc")
Model = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("model")

    def run(
        case: int, ues: int, preemptions: int, change: tuple[str, str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        sources = [HERE / "state.c", HERE / "program.c", GUEST / "collectives/coll_signal.c"]
        sources += [path for name in RCCE for path in (GUEST / "rcce").glob(f"*/{name}.c")]
        sources += [GUEST / "ircce" / f"{name}.c" for name in IRCCE]
        if change is not None:
            name, old, new = change
            found = next(path for path in sources if path.name == name)
            text = found.read_text()
            assert text.count(old) == 1, "the source has changed: adapt the test"
            broken = folder / name
            broken.write_text(text.replace(old, new))
            sources[sources.index(found)] = broken
        library = folder / ("library.so" if change is None else "broken.so")
        if change is not None or not library.exists():
            shared = ["-shared", "-fPIC", "-Wl,-z,norelro", "-o", str(library)]
            _cc(*FLAGS, *map(str, sources), *shared)
        driver = folder / "model"
        if not driver.exists():
            _cc("-O2", "-rdynamic", str(HERE / "model.c"), "-ldl", "-o", str(driver))
        copies = [folder / f"ue{n}.so" for n in range(ues)]
        for copy in copies:
            copy.unlink(missing_ok=True)
            shutil.copyfile(library, copy)
        return subprocess.run(
            [driver, str(case), str(ues), str(preemptions), *copies],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    return run


def _cc(*arguments: str) -> None:
    built = subprocess.run(["cc", *arguments], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize(
    ("case", "ues", "preemptions"),
    [
        pytest.param(0, 2, 2, id="synchronous"),
        pytest.param(1, 2, 1, id="crossing"),
        pytest.param(2, 2, 1, id="pieces"),
        pytest.param(3, 3, 1, id="any-source"),
        pytest.param(4, 3, 0, id="rcce-barrier"),
        pytest.param(5, 3, 0, id="dissemination"),
    ],
)
def test_every_schedule(model: Model, case: int, ues: int, preemptions: int) -> None:
    # RCK_PREEMPTIONS=1 allows one more everywhere: minutes.
    run = model(case, ues, preemptions + int(os.environ.get("RCK_PREEMPTIONS", "0")))
    assert run.returncode == 0, run.stdout + run.stderr
    assert "all right" in run.stdout


@pytest.mark.parametrize(
    ("case", "ues", "change"),
    [
        pytest.param(
            0, 2,
            ("RCCE_send.c",
             "rcce_signal_store(channel->ready, RCCE_FLAG_UNSET, 0, rcce_my_rank);", ";"),
            id="ready-is-not-reset",
        ),
        pytest.param(
            2, 2,
            ("iRCCE_isend.c", "r->label - fetched == 2", "r->label - fetched == 3"),
            id="three-pieces-in-two-halves",
        ),
        pytest.param(
            5, 3,
            ("coll_signal.c", "step < group->size; step *= 2", "step < 2; step *= 2"),
            id="a-round-too-few",
        ),
    ],
)  # fmt: skip
def test_a_broken_protocol_is_noticed(
    model: Model, case: int, ues: int, change: tuple[str, str, str]
) -> None:
    run = model(case, ues, 2, change)
    assert run.returncode == 1, run.stdout + run.stderr
