"""Times of benchmarks, messages and calls, and what a call leaves in the message buffer."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.published import load_all
from rockcreek.repro.runs import Run

# What each benchmark must say.
ANSWERS = {
    "ackerman": "42",
    "erb": "246",
    "factorial": "54233",
    "fib": "5702887",
    "mandelbrot": "2010",
    "pentomino": "65",
    "raise": "300000",
    "strconcat": "2 2 2",
    "tak": "9",
    "tarai": "12",
    "uri": "http://www.ruby-lang.org",
}
# Seconds, to tell which has gained how much since.
TABLE_II = load_all(Path(__file__).resolve().parents[1])["ruby-table2"].value
CALLED = (0, 64, 256)  # bytes
HEADER = struct.Struct(">IcI")
CHUNK = 8160
ASKED_MS = 2

Times = dict[tuple[str, int, int], Fraction]  # us by way, last core and bytes


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    benchmarks = {str(run.values["benchmark"]): run for run in runs if run.job == "benchmarks"}
    raw, threads, calls = (_times(runs, job) for job in ("raw", "threads", "calls"))
    calls |= _times(runs, "far calls")
    raw = _times(runs, "small") | raw
    overheads = [
        calls["poll", 1, size] / raw["poll", 1, max(size, 1)]
        for size in CALLED
        if ("poll", 1, size) in calls
    ]
    return Findings(
        values={
            "ruby-table2": {name: _seconds(run) for name, run in benchmarks.items()},
            "ruby-table3": {
                str(size): [None, calls["poll", 1, size] / 1000]
                for size in CALLED
                if ("poll", 1, size) in calls
            },
            "ruby-drb-overhead": [min(overheads), max(overheads)],
        },
        trends={**_of_memory(benchmarks), **_of_distance(calls), **_of_wire(runs)},
        checks={**_right(benchmarks), **_waiting(calls)},
        tables={
            "Benchmarks": _benchmark_table(benchmarks),
            "A message one way, us": _message_table(raw, threads),
            "A call, ms": _call_table(calls),
        },
        data={"raw": raw, "calls": calls, "threads": threads},
    )


def _times(runs: Sequence[Run], job: str) -> Times:
    """Of lines such as `64 bytes: 11.45 us`."""
    found: Times = {}
    for run in runs:
        if run.job == job:
            for line in run.text.splitlines():
                size, _, time, unit = line.split()
                us = Fraction(time) * (1000 if unit == "ms" else 1)
                found[str(run.values["way"]), int(str(run.values["last"])), int(size)] = us
    return found


def _seconds(run: Run) -> Fraction:
    return Fraction(run.time_ps, 10**12)


def _told(run: Run, what: str) -> str:
    """What the benchmark says of this."""
    lines = (line.partition(" ") for line in run.text.splitlines())
    return next((rest for word, _, rest in lines if word == what), "nothing")


def _ipc(run: Run) -> Fraction:
    (core,) = run.cores
    return Fraction(run.instructions, int(str(core["cycles"])))


def _gain(name: str, run: Run) -> Fraction:
    return Fraction(str(TABLE_II[name])) / _seconds(run)


def _of_memory(benchmarks: dict[str, Run]) -> dict[str, Answer]:
    if "factorial" not in benchmarks:
        return {}
    gains = {name: _gain(name, run) for name, run in benchmarks.items()}
    ipc = {name: _ipc(run) for name, run in benchmarks.items()}
    least, lowest = min(gains, key=gains.__getitem__), min(ipc, key=ipc.__getitem__)
    return {
        "ruby-memaccess": Answer(
            least == lowest == "factorial",
            f"least gain since 2011: {least} ({float(gains[least]):.2f}), factorial "
            f"{float(gains['factorial']):.2f}; lowest IPC: {lowest} ({float(ipc[lowest]):.3f}), "
            f"factorial {float(ipc['factorial']):.3f}",
        )
    }


def _of_distance(calls: Times) -> dict[str, Answer]:
    far = {size: time for (way, last, size), time in calls.items() if (way, last) == ("poll", 47)}
    if not far:
        return {}
    ratios = {size: time / calls["poll", 1, size] for size, time in far.items()}
    return {
        "ruby-drb-nodist": Answer(
            all(abs(ratio - 1) <= Fraction(2, 100) for ratio in ratios.values()),
            "core 47 over core 1: "
            + ", ".join(f"{size} B: {float(ratio):.4f}" for size, ratio in ratios.items()),
        )
    }


def _of_wire(runs: Sequence[Run]) -> dict[str, Answer]:
    (run,) = (run for run in runs if run.job == "wire")
    messages = [line.split() for line in run.text.splitlines()]
    headers = [HEADER.unpack(bytes.fromhex(first)) for first, *_ in messages]
    chunks = [[int(size) for size in sizes] for _, *sizes in messages]
    ids = [number for _, _, number in headers]
    fits = all(
        tag == b"r" and HEADER.size + size == sum(sizes)
        for (size, tag, _), sizes in zip(headers, chunks, strict=True)
    )
    whole = all(size == CHUNK for sizes in chunks for size in sizes[:-1])
    return {
        "ruby-header": Answer(
            fits and ids == [ids[0], ids[0] + 1],
            "two requests begin with " + " and ".join(first for first, *_ in messages),
        ),
        "ruby-chunk": Answer(
            whole and all(len(sizes) > 1 for sizes in chunks),
            "; ".join(" + ".join(map(str, sizes)) for sizes in chunks),
        ),
    }


def _right(benchmarks: dict[str, Run]) -> dict[str, Answer]:
    wrong = [name for name, run in benchmarks.items() if _told(run, "answer") != ANSWERS[name]]
    told = ", ".join(f"{name}: {_told(run, 'answer')}" for name, run in benchmarks.items())
    return {"each benchmark's answer is right": Answer(not wrong, told)}


def _waiting(calls: Times) -> dict[str, Answer]:
    found = {key: time / 1000 for key, time in calls.items() if key[0] == "bell"}
    if not found:
        return {}
    return {
        f"a call takes {ASKED_MS} ms at most if who waits sleeps": Answer(
            max(found.values()) <= ASKED_MS,
            f"{float(min(found.values())):.2f} to {float(max(found.values())):.2f} ms",
        )
    }


def _benchmark_table(benchmarks: dict[str, Run]) -> list[list[str]]:
    rows = [["benchmark", "s", "published, s", "M instructions", "IPC", "collections"]]
    for name, run in benchmarks.items():
        millions = f"{run.instructions / 1e6:,.0f}"
        rows.append(
            [name, f"{float(_seconds(run)):.2f}", str(TABLE_II[name]), millions,
             f"{float(_ipc(run)):.3f}", _told(run, "collections")]
        )  # fmt: skip
    return rows


def _message_table(raw: Times, threads: Times) -> list[list[str]]:
    columns = [("", raw, key) for key in sorted({key[:2] for key in raw})]
    columns += [("threads, ", threads, key) for key in sorted({key[:2] for key in threads})]
    rows = [["bytes", *(f"{name}{way}, to core {last}" for name, _, (way, last) in columns)]]
    for size in sorted({key[2] for key in raw}):
        times = [table.get((*key, size)) for _, table, key in columns]
        rows.append([str(size), *("" if time is None else f"{float(time):.2f}" for time in times)])
    return rows


def _call_table(calls: Times) -> list[list[str]]:
    keys = sorted({key[:2] for key in calls})
    rows = [["bytes", *(f"{way}, to core {last}" for way, last in keys)]]
    for size in sorted({key[2] for key in calls}):
        rows.append([str(size), *(f"{float(calls[*key, size] / 1000):.3f}" for key in keys)])
    return rows
