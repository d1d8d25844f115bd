"""Observers of accesses and of messages: each is called at its instant, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rockcreek
from rockcreek.chip.stops import Access
from rockcreek.errors import UsageError
from rockcreek.software import image
from rockcreek.tracing.message_events import Message

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def who(compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(ROOT / "tests/backwards/who.c", ["-O1", "-lrcce"])


@pytest.fixture(scope="module")
def ring(compile_guest: Callable[..., Path]) -> Path:
    return compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"])


def test_accesses_are_reported_where_the_chip_stands(who: Path) -> None:
    plain = rockcreek.load(str(who), n=2)
    assert plain.run() == "ended"
    chip = rockcreek.load(str(who), n=2)
    counter = image.read(who).symbols["counter"]
    seen: list[tuple[Access, bytes | None]] = []
    chip.observe_accesses(
        lambda access: seen.append((access, chip.read_linear(access.core, counter, 4))),
        counter, cores=[1],
    )  # fmt: skip
    assert chip.run() == "ended"
    writes = [int.from_bytes(value or b"", "little") for _, value in seen]
    assert writes[-3:] == [1, 3, 6]
    assert {access.core for access, _ in seen} == {1}
    assert {access.kind for access, _ in seen} == {"write"}
    times = [access.time_ps for access, _ in seen]
    assert times == sorted(times) and 0 < times[-1] < chip.time_ps
    assert chip.state_hash() == plain.state_hash()
    assert chip.statistics() == plain.statistics()


def test_reads_and_both(who: Path) -> None:
    chip = rockcreek.load(str(who), n=2)
    counter = image.read(who).symbols["counter"]
    reads: list[Access] = []
    chip.observe_accesses(reads.append, counter, 4, kind="read", cores=[1])
    assert chip.step_until(us=5000) in ("until", "ended")
    # The kernel, above 3 GB, reads the page when it loads the program.
    own = [one for one in reads if one.eip < 0xC000_0000]
    assert len(own) == 3 and {one.kind for one in reads} == {"read"}


def test_messages_are_those_of_the_result(ring: Path) -> None:
    counted = rockcreek.run(str(ring), ["3"], n=4, messages=True).check()
    chip = rockcreek.load(str(ring), ["3"], n=4)
    seen: list[Message] = []
    rockcreek.observe_messages(chip, seen.append, ring, range(4))
    assert chip.run() == "ended"
    sent = [one for one in seen if one.kind == "message" and one.part_of is None]
    assert counted.messages is not None
    pairs = {(one.source, one.targets[0]) for one in sent}
    wanted = {(one["source"], one["target"]) for one in counted.messages["messages"]}
    assert pairs == wanted
    assert len(sent) == sum(one["messages"] for one in counted.messages["messages"])
    assert all(one.call.startswith("RCCE") and one.bytes > 0 for one in sent)
    assert chip.time_ps == counted.time_ps


def test_wrong_words(who: Path) -> None:
    chip = rockcreek.load(str(who), n=2)
    for words, told in (
        ({"address": -1}, "not in the address space"),
        ({"address": 0, "length": 0}, "0 bytes"),
        ({"address": 0, "kind": "jump"}, "no access 'jump'"),
        ({"address": 0, "cores": [48]}, "no core 48"),
    ):
        with pytest.raises(UsageError, match=told):
            chip.observe_accesses(print, **words)
