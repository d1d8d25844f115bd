"""What the calls of all ranks show, without an MPI: collective calls, types of messages."""

from __future__ import annotations

import pytest

from rockcreek.ranks import error_words
from rockcreek.ranks.calls_of_mpi import EXCHANGES, IN_PLACE, WORLD
from rockcreek.ranks.collectives import Collective, Collectives
from rockcreek.ranks.messages_by_type import Half, Pairs

INT, FLOAT, BYTE, DERIVED = 0x4C000405, 0x4C00040A, 0x4C00010D, 0x8C000003


def call(rank: int, name: str = "MPI_Bcast", root: int = 0, size: int | None = 4) -> Collective:
    return Collective(rank, name, root, size, back=0x1000 + rank)


def test_equal_calls_are_silent() -> None:
    world = Collectives(2)
    for rank in (0, 0, 1, 1):
        assert world.take(call(rank)) is None
    assert world.not_by_all() is None


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (call(1, "MPI_Barrier"), "call"),
        (call(1, root=1), "root"),
        (call(1, size=8), "size"),
    ],
)
def test_the_first_difference_is_found(other: Collective, what: str) -> None:
    world = Collectives(2)
    assert world.take(call(0)) is None
    assert world.take(other) == (what, call(0))
    # Behind it nothing can be compared.
    assert world.take(call(0)) is None
    assert world.take(call(1, "MPI_Reduce")) is None
    assert world.not_by_all() is None


def test_a_size_that_is_not_known_fits_all() -> None:
    world = Collectives(2)
    world.take(call(0, size=None))
    assert world.take(call(1)) is None


def test_who_did_not_call() -> None:
    world = Collectives(3)
    world.take(call(0))
    world.take(call(2))
    assert world.not_by_all() == (call(0), [1])


def test_one_rank_alone_has_made_all_calls() -> None:
    world = Collectives(1)
    world.take(call(0))
    assert world.not_by_all() is None


def half(kind: int, tag: int = 1, source: int = 0, target: int = 1) -> Half:
    return Half("MPI_Send", source, target, tag, kind, back=0x2000)


@pytest.mark.parametrize("first", [True, False])
def test_types_that_differ(first: bool) -> None:
    pairs = Pairs()
    assert pairs.take(half(INT), sends=first) is None
    assert pairs.take(half(FLOAT), sends=not first) == half(INT)


@pytest.mark.parametrize("kind", [INT, BYTE, DERIVED])
def test_types_that_may_go_together(kind: int) -> None:
    pairs = Pairs()
    pairs.take(half(INT), sends=True)
    assert pairs.take(half(kind), sends=False) is None


def test_messages_are_paired_by_tag_and_order() -> None:
    pairs = Pairs()
    pairs.take(half(INT, tag=1), sends=True)
    pairs.take(half(FLOAT, tag=2), sends=True)
    pairs.take(half(FLOAT, tag=1), sends=True)
    assert pairs.take(half(FLOAT, tag=2), sends=False) is None
    assert pairs.take(half(INT, tag=1), sends=False) is None
    assert pairs.not_received() == [half(FLOAT, tag=1)]


def test_who_receives_from_anybody_is_left_out() -> None:
    pairs = Pairs()
    pairs.take(half(INT), sends=True)
    pairs.leave_out(1)
    assert pairs.take(half(FLOAT), sends=False) is None
    assert pairs.not_received() == []


@pytest.mark.parametrize(
    ("name", "code", "arguments", "what"),
    [
        ("MPI_Send", 6, [8, 1, INT, 2, 0], "no such rank: 2 (ranks are 0 to 1)"),
        ("MPI_Recv", 6, [8, 1, INT, 0xFFFFFFFB, 0], "no such rank: -5 (ranks are 0 to 1)"),
        ("MPI_Bcast", 7, [8, 1, INT, 2, 0], "no such root: 2 (ranks are 0 to 1)"),
        ("MPI_Reduce", 1, [8, 8, 1, INT, 0], "the buffers to send from and to receive into"),
        ("MPI_Recv", 1, [0, 1, INT, 0, 0], "a buffer is missing"),
        ("MPI_Recv", 0x1405000E, [8, 1, INT, 0, 0], "a message is longer than the buffer"),
        ("MPI_Init", 15, [8, 9, 0, 0, 0], "MPI was initialised before"),
        ("MPI_Send", 15, [8, 1, INT, 1, 0], "the message goes to the rank itself"),
        ("MPI_Send", 15, [8, 1, INT, 0, 0], "the call failed"),
        ("MPI_Win_create", 45, [8, 9, 0, 0, 0], "the call failed"),
    ],
)
def test_errors_in_words(name: str, code: int, arguments: list[int], what: str) -> None:
    text, hint = error_words.of(name, code, [0, *arguments, WORLD, 0], rank=1, ranks=2)
    assert text.startswith(what)
    assert hint


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ([8, 2, INT, 9, 4, INT], (8, 16)),
        ([8, 2, INT, 9, 8, BYTE], (8, 8)),
        ([IN_PLACE, 0, 0, 9, 4, INT], None),
        ([8, 2, INT, 0, 0, INT], None),
        ([8, 2, DERIVED, 9, 4, INT], None),
    ],
)
def test_the_parts_of_an_exchange(arguments: list[int], parts: tuple[int, int] | None) -> None:
    assert EXCHANGES["MPI_Gather"].parts([0, *arguments, 0]) == parts
