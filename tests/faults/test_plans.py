"""Plans of faults: what they draw is fixed, and bad ones are refused with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from rockcreek import description
from rockcreek.errors import RockcreekError
from rockcreek.faults import plan
from rockcreek.faults.kinds import Where

WHERE = Where(description.load("scc"), (3, 40))


def test_what_is_given_is_taken() -> None:
    (fault,) = plan.read(["mpb:core=41,offset=0x40,bit=5@2ms"]).placed(WHERE)
    assert (fault.kind, fault.at_ps, fault.drawn) == ("mpb", 2 * 10**9, True)
    assert fault.place == {"core": 41, "offset": 0x40, "bit": 5}
    assert fault.to_engine(WHERE) == ("mpb", [20, 8192 + 0x40, 5])


def test_what_is_open_is_drawn_by_the_seed() -> None:
    found = plan.read(["seed=9; mpb@1us..2us; die@5us; register@1ms"])
    first, again = found.placed(WHERE), found.placed(WHERE)
    assert first == again
    # Fixed for all hosts and versions of Python.
    assert [fault.place for fault in first] == DRAWN
    assert all(one.place.get("core", 3) in (3, 40) for one in first)
    assert 10**6 <= first[0].at_ps <= 2 * 10**6
    assert found.placed(WHERE, 10) != first


DRAWN = [
    {"core": 3, "offset": 59, "bit": 3},
    {"core": 40},
    {"core": 3, "register": "ebp", "bit": 9},
]


def test_probability() -> None:
    found = plan.read(["die:probability=0.25@1us"])
    came = sum(found.placed(WHERE, seed)[0].drawn for seed in range(400))
    assert 70 < came < 130


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mbp@1us", ["column 1", "`mbp`", "did you mean 'mpb'"]),
        ("die:core=1@1us; mpb:ofset=4@1us", ["column 21", "`ofset`", "'offset'"]),
        ("mpb:core=1", ["column 1", "`at` is missing"]),
        ("mpb:core=48@1us", ["column 5", "48 is outside 0 to 47"]),
        ("mpb:core=1,bit=8@1us", ["column 12", "8 is outside 0 to 7"]),
        ("mpb:core=x@1us", ["column 5", "'x' is no number"]),
        ("mpb:core@1us", ["column 5", "key=value"]),
        ("die:core=1,core=2@1us", ["`core` is given twice"]),
        ("die@soon", ["column 4", "'soon' is not a duration"]),
        ("die@2us..1us", ["ends before it begins"]),
        ("die:probability=2@1us", ["not between 0 and 1"]),
        ("link:x=0,y=0,direction=up,state=dead@1us", ["`up`", "east, north, west, south"]),
        ("link:x=0,y=0,direction=east,state=slow@1us", ["needs `delay`"]),
        ("link:x=0,y=0,direction=east@1us", ["`state` must be given"]),
        ("lock:core=1@1us", ["`state` must be given"]),
        ("undervoltage:volts=2@1us", ["volts: 2 is not between 0 and"]),
        ("register:register=rax@1us", ["`rax`", "did you mean"]),
        ("seed=-1;die@1us", ["seed"]),
        (";", ["no fault"]),
    ],
)
def test_bad_lines(text: str, words: list[str]) -> None:
    with pytest.raises(RockcreekError) as caught:
        plan.read([text]).placed(WHERE)
    assert caught.value.hint
    for word in words:
        assert word in caught.value.message + caught.value.hint, caught.value.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[fault]]\nkind = 'die'\n  kore = 1\nat = '1us'\n", ["line 3, column 3", "`kore`"]),
        ("[[fault]]\nkind = 'die'\nat = '1us'\n[[fault]]\nat = '1us'\n", ["line 4", "no kind"]),
        ("[[fault]]\nkind = 'mpb'\nat = 'x'\n", ["line 3, column 1", "not a duration"]),
        ("[[fault]\n", ["line 1"]),
        ("sede = 1\n", ["line 1, column 1", "`sede`"]),
        ("fault = 3\n", ["[[fault]]"]),
    ],
)
def test_bad_files(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(RockcreekError) as caught:
        plan.read([str(path)]).placed(WHERE)
    assert str(path) in caught.value.message and caught.value.hint
    for word in words:
        assert word in caught.value.message + caught.value.hint, caught.value.message


def test_a_missing_file_is_told() -> None:
    with pytest.raises(RockcreekError, match=r"none.toml: No such file"):
        plan.read(["none.toml"])
