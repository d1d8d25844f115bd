"""Features of a run are attached to it: each hook is called, in its order, however the run ends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest

import rockcreek
from rockcreek.running import execution
from rockcreek.running.attachments import Attachment

HOOKS = (
    "begin", "before_slice", "after_slice", "say_goodbye", "end", "errors", "write", "close",
)  # fmt: skip


class Noted(Attachment):
    """Notes which of its hooks are called."""

    def __init__(self, fails: str | None = None) -> None:
        self.calls: list[str] = []
        for name in HOOKS:
            setattr(self, name, self._noting(name, getattr(self, name), fails))

    def _noting(
        self, name: str, hook: Callable[..., object], fails: str | None
    ) -> Callable[..., object]:
        def noted(*words: object) -> object:
            self.calls.append(name)
            if name == fails:
                raise RuntimeError(name)
            return hook(*words)

        return noted


@pytest.fixture
def program(tmp_path: Path, guest: Callable[..., Path]) -> Path:
    """A program that does nothing."""
    return guest("int main(void) { return 3; }", [])


def attach(monkeypatch: pytest.MonkeyPatch, noted: Noted) -> None:
    built = execution._attach
    monkeypatch.setattr(execution, "_attach", lambda *words: [*built(*words), noted])


def test_hooks_are_called_in_their_order(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attach(monkeypatch, noted := Noted())
    assert rockcreek.run(program, n=1).cores[0].exit_code == 3
    assert [name for name, _ in groupby(noted.calls)] == [
        "begin", "before_slice", "after_slice", "say_goodbye", "end", "errors", "close", "write",
    ]  # fmt: skip


@pytest.mark.parametrize("fails", ["begin", "after_slice"])
def test_they_are_closed_when_a_run_fails(
    program: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    attach(monkeypatch, noted := Noted(fails))
    with pytest.raises(RuntimeError, match=fails):
        rockcreek.run(program, n=1)
    assert noted.calls[-1] == "close"


def test_the_chip_stands_where_one_asks(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    class Stops(Noted):
        @property
        def next_ps(self) -> int | None:
            return 10**6 if not seen else None

    attach(monkeypatch, Stops())
    notes = execution.Session._fetch

    def fetch(session: execution.Session) -> None:
        seen.append(session.chip.time_ps)
        notes(session)

    monkeypatch.setattr(execution.Session, "_fetch", fetch)
    rockcreek.run(program, n=1)
    assert seen[0] == 10**6
