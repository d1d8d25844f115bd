"""A host that fails at the n-th write, read, open, rename or flush: a message, an exit code, no
torn file, nothing lost that was kept before. `make failures` tries all n; here the first and last.
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


@pytest.mark.parametrize(
    ("case", "kind"),
    [("run", "write"), ("run", "rename"), ("view", "read"), ("sweep", "sync"), ("cc", "open")],
    indirect=["case"],
)
def test_first_and_last(case: Case, kind: str) -> None:
    well, wrong = attempt(case, kind, 0)
    assert not wrong and well.code == 0, well.err
    assert well.count, "the shim has counted nothing"
    for at in sorted({1, well.count}):
        ended, wrong = attempt(case, kind, at)
        assert not wrong, "\n".join(wrong)
        assert ended.count >= at
