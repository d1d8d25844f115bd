"""A chip whose time passes no faster than the host's."""

from __future__ import annotations

import time

from rockcreek.chip.pace import Pace


def test_a_chip_that_is_ahead_waits_by_as_much() -> None:
    pace = Pace(5)
    assert 0.9 < pace.ahead_s(10**12) <= 1.0
    # Two looks one behind the other: the first one's wait is not asked for again.
    assert pace.ahead_s(10**12) == 0.0


def test_a_chip_that_was_slower_does_not_catch_up() -> None:
    pace = Pace(0)
    time.sleep(0.05)
    assert pace.ahead_s(10**9) == 0.0
    assert 0.9 < pace.ahead_s(10**9 + 10**12) <= 1.0
