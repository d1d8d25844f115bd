"""What `rck mpirun` and `rck run --reserve` refuse, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockcreek.cli.app import invoke


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("run --cores 0-2 --reserve 2,3 prog", "core 2 runs the program from the beginning"),
        ("run --reserve 48 prog", "there is no core 48"),
        ("mpirun -n 4 --jobs 2,3 prog", "are not the sizes of jobs of 4 ranks together"),
        ("mpirun -n 4 --jobs 2,x prog", "are not the sizes of jobs of 4 ranks together"),
        ("mpirun -n 4 --universe 3 prog", "3 is less than 4 ranks"),
        ("mpirun -n 4 --with other prog", "nothing can be started without --universe"),
        ("mpirun -n 49 prog", "cores 0 to 47"),
        ("mpirun -n 4 --channel sockets prog", "'original', 'improved', 'bells'"),
    ],
)
def test_a_launch_that_cannot_be(
    line: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert invoke(line.split()) == 64
    assert told in capfd.readouterr().err
