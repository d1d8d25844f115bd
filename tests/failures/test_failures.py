"""A host that fails at the n-th write, read, open, rename, flush or allocation: a message, an exit
code, no torn file, nothing lost that was kept before. `make failures` tries all n; here the first
and the last.
"""

from __future__ import annotations

import pytest

from failures.cases import cases
from failures.failing import Case, attempt, shim

CASES = {case.name: case for case in cases()} if shim() is not None else {}


@pytest.fixture
def case(request: pytest.FixtureRequest) -> Case:
    if shim() is None:
        pytest.skip("no C compiler of the host builds tests/failures/shim.c")
    return CASES[request.param]


def _is_reached(case: Case, kind: str, at: int) -> bool:
    """Whether a run makes call `at`, which fails; what becomes of the run is held here."""
    ended, wrong = attempt(case, kind, at)
    assert not wrong, "\n".join(wrong)
    # A process that ends for want of memory counts nothing more.
    return ended.count >= at or ended.code == 71


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("run", "write"),
        ("run", "rename"),
        ("run", "large allocation"),
        ("view", "read"),
        ("sweep", "sync"),
        ("cc", "open"),
    ],
    indirect=["case"],
)
def test_first_and_last(case: Case, kind: str) -> None:
    well, wrong = attempt(case, kind, 0)
    assert not wrong and well.code == 0, well.err
    assert well.count, "the shim has counted nothing"
    assert _is_reached(case, kind, 1)
    # Runs differ by a few allocations: a number that one does not reach is not the last of it.
    assert any(_is_reached(case, kind, well.count - fewer) for fewer in range(4))


@pytest.mark.parametrize("case", ["view"], indirect=True)
def test_no_memory_while_the_engine_is_loaded(case: Case) -> None:
    """What the library asks for before anything in it can be called."""
    while_loaded = "ROCKCREEK_OWN_PROCESS"
    well, _ = attempt(case, "large allocation", 0, meanwhile=while_loaded)
    assert well.count, "nothing is asked for"
    codes = set()
    for at in range(1, well.count + 1):
        ended, wrong = attempt(case, "large allocation", at, stays=True, meanwhile=while_loaded)
        assert not wrong, "\n".join(wrong)
        codes.add(ended.code)
    assert 71 in codes <= {0, 71}, codes
