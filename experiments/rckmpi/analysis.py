"""Latencies of MPI's calls by channel, ranks and size; the original channel over the improved."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

CHANNELS = ("original", "improved", "bells")
LINE = re.compile(r"(\w+) by (\w+): (\d+) ranks, (\d+) bytes: ([\d.]+) us")
ALIKE = Fraction(5, 4)

Key = tuple[str, int, int]  # operation, ranks, bytes
Times = dict[Key, dict[str, Fraction]]  # microseconds by channel


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    times: Times = {}
    for run in runs:
        for operation, channel, ranks, size, us in LINE.findall(run.text):
            times.setdefault((operation, int(ranks), int(size)), {})[channel] = Fraction(us)
    ratios = {
        key: by_channel["original"] / by_channel["improved"] for key, by_channel in times.items()
    }
    most = max(ranks for _, ranks, _ in times)
    return Findings(
        values=_values(ratios),
        trends=_trends(times, ratios, most),
        checks=_checks(times, most),
        tables={"Microseconds, and the original channel over the others": _table(times)},
        data={
            "us": {
                f"{operation} {ranks} {size}": {name: float(us) for name, us in item.items()}
                for (operation, ranks, size), item in times.items()
            }
        },
    )


def _values(ratios: dict[Key, Fraction]) -> dict[str, Fraction]:
    wanted = {
        "rckmpi-p2p-16k-ratio": ("sendrecv", 48, 16384),
        "rckmpi-gather-16k-ratio": ("gather", 48, 16384),
        "rckmpi-scatter-ratio": ("scatter", 48, 16384),
        "rckmpi-bcast-1k-ratio": ("bcast", 48, 1024),
        "rckmpi-bcast-256k-ratio": ("bcast", 48, 262144),
        "rckmpi-barrier-same": ("barrier", 48, 0),
    }
    return {name: ratios[key] for name, key in wanted.items() if key in ratios}


def _of(ratios: dict[Key, Fraction], operation: str) -> dict[tuple[int, int], Fraction]:
    return {key[1:]: ratio for key, ratio in sorted(ratios.items()) if key[0] == operation}


def _told(ratios: dict[tuple[int, int], Fraction]) -> str:
    return "original over improved: " + ", ".join(
        f"{ranks} ranks, {size} bytes: {float(ratio):.2f}"
        for (ranks, size), ratio in ratios.items()
    )


def _trends(times: Times, ratios: dict[Key, Fraction], most: int) -> dict[str, Answer]:
    sendrecv = _of(ratios, "sendrecv")
    small = [ratio for (ranks, size), ratio in sendrecv.items() if ranks == most and size <= 128]
    large = [ratio for (ranks, size), ratio in sendrecv.items() if ranks == most and size > 128]
    few = [ratio for (ranks, _), ratio in sendrecv.items() if ranks == 3]
    short = {key: ratio for key, ratio in _of(ratios, "bcast").items() if key[1] == 1024}
    long = {key: ratio for key, ratio in _of(ratios, "bcast").items() if key[1] > 1024}
    waits = {
        ranks: times["sendrecv", ranks, 16]["improved"]
        for ranks in sorted({key[1] for key in times})
        if ("sendrecv", ranks, 16) in times
    }
    counts = sorted(waits)
    steps = [(waits[b] - waits[a]) / (b - a) for a, b in itertools.pairwise(counts)]
    return {
        "rckmpi-p2p-128-threshold": Answer(
            all(1 / ALIKE < ratio < ALIKE for ratio in small) and all(r > 1 for r in large),
            _told({key: ratio for key, ratio in sendrecv.items() if key[0] == most}),
        ),
        "rckmpi-p2p-3proc": Answer(
            all(1 / ALIKE < ratio < ALIKE for ratio in few) and max(large) > 2 * max(few),
            _told(sendrecv),
        ),
        "rckmpi-bcast-1k-scaling": Answer(
            max(short.values()) < 2 * min(short.values()), _told(short)
        ),
        "rckmpi-bcast-256k-scaling": Answer(
            max(long.values()) < 2 * min(long.values()), _told(long)
        ),
        "rckmpi-poll-linear": Answer(
            bool(steps) and min(steps) > 0 and max(steps) < 2 * min(steps),
            "16 bytes by improved: "
            + ", ".join(f"{n}: {float(us):.2f} us" for n, us in waits.items()),
        ),
    }


def _checks(times: Times, most: int) -> dict[str, Answer]:
    largest = max(size for operation, _, size in times if operation == "sendrecv")
    one = times["sendrecv", most, largest]
    faster = one["improved"] / one["bells"]
    small = times["sendrecv", most, 16]
    return {
        "bells has at least 1.3 times the improved channel's bandwidth": Answer(
            faster >= Fraction(13, 10),
            f"{most} ranks, {largest} bytes: {float(faster):.2f} times",
        ),
        "bells is not slower than the improved channel with small messages": Answer(
            small["bells"] <= small["improved"],
            f"{most} ranks, 16 bytes: {float(small['bells']):.2f} us to "
            f"{float(small['improved']):.2f} us",
        ),
    }


def _table(times: Times) -> list[list[str]]:
    rows = [["call", "ranks", "bytes", *CHANNELS, "over improved", "over bells"]]
    for (operation, ranks, size), item in sorted(times.items()):
        row = [operation, str(ranks), str(size)]
        row += [f"{float(item[channel]):.2f}" for channel in CHANNELS]
        row += [f"{float(item['original'] / item[channel]):.2f}" for channel in CHANNELS[1:]]
        rows.append(row)
    return rows
