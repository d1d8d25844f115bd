"""`--profile-host` reports where instructions ran and host time went, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rockcreek.formats.host_profile import HostProfile
from rockcreek.results import host_profile
from rockcreek.results.result import Result
from rockcreek.running.run_job import Job, execute

PROGRAM = """
#include <stdio.h>
#include <string.h>
static char text[2][4096];
int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 300; i++) {
        void *to = text[1], *from = text[0];
        unsigned n = 64;
        __asm__ volatile("std; rep movsb; cld"
                         : "+D"(to), "+S"(from), "+c"(n) : : "memory");
        for (int k = 0; k < 500; k++)
            sum = sum * 5 + (unsigned)text[0][(k * 8) & 4095] + 1;
    }
    return sum == 1;
}
"""


def accounted_for(profile: HostProfile) -> int:
    """The instructions of all columns, each once."""
    counts = profile["instructions"]
    assert min(counts.values()) >= 0
    return sum(counts.values()) - 2 * counts["again"]


def without_host(result: Result) -> dict[str, Any]:
    return {key: value for key, value in result.to_dict().items() if key != "host"}


@pytest.fixture
def run(guest: Callable[..., Path]) -> Callable[..., Result]:
    program = guest(PROGRAM)

    def one(**terms: Any) -> Result:
        return execute(Job(program, **terms)).check()

    return one


def test_counts_are_exact_and_change_nothing(run: Callable[..., Result]) -> None:
    plain, first, second = run(), run(profile_host=True), run(profile_host=True)
    assert without_host(plain) == without_host(first) == without_host(second)
    assert "profile" not in plain.to_dict()["host"]
    one, two = first.host.profile, second.host.profile
    assert one is not None
    assert two is not None
    counted = ("instructions", "translator", "not_translated")
    assert {key: one[key] for key in counted} == {key: two[key] for key in counted}
    assert accounted_for(one) == first.instructions
    assert one["instructions"]["translated"] > 500_000
    assert one["translator"]["regions"] > 0
    rows = {row["name"]: row for row in one["ledger"]["rows"]}
    assert rows["translated"]["count"] == one["instructions"]["translated"]
    assert rows["entered"]["count"] == one["translator"]["stays"]
    assert "start" not in rows, "the profile begins after it"
    spent_s = sum(row["s"] for row in rows.values())
    explained = one["ledger"]["explained"]
    rounding_s = 0.0005 * (len(rows) + explained)  # of each row, and of the processor time
    assert explained * one["cpu_s"] == pytest.approx(spent_s, abs=rounding_s)


def test_without_the_translator_all_is_interpreted(run: Callable[..., Result]) -> None:
    result = run(profile_host=True, translate=False)
    profile = result.host.profile
    assert profile is not None
    skipped = profile["instructions"]["skipped"]
    assert profile["instructions"] == {
        "translated": 0, "interpreted": result.instructions - skipped, "stepped": 0, "missed": 0,
        "skipped": skipped, "again": 0,
    }  # fmt: skip
    assert profile["not_translated"]["STD"] == {"interpreted": 300, "stepped": 0, "missed": 0}
    assert sum(row["samples"] for row in profile["work"]) == profile["samples"]
    assert "        STD" not in host_profile.describe(profile)
    assert "instructions: translated 0 (0.0 %)" in host_profile.describe(profile)


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("crates/x87/src/arith.rs", "x87 arithmetic"),
        ("/home/me/rockcreek/crates/cache/src/array/mod.rs", "caches: misses, refill, "),
        ("/r/.cargo/registry/src/index.crates.io-1949/iced-x86-1.22.0/src/a.rs", "decoding"),
        ("crates/chip/src/uncore/wiring.rs", "order of events"),
        (None, "engine, source not known"),
    ],
)
def test_a_source_file_is_a_kind_of_work(file: str | None, kind: str) -> None:
    assert host_profile.kind_of(file)[0].startswith(kind)
