"""The table of pipelines from shorter runs, and what memory, chunk and order make of the time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

CHUNK = 262144
SIZES = (1, 2, 4, 8)  # MB
SLOTS = 4
WORDS = "words"  # private memory, messages copied by words
NAMES = {"private": "private", "uncached": "shared_uncached", "cached": "shared_cached"}
_TOTAL = re.compile(r": (\d+) chunks through \d+ stages in ([\d.]+) s")
_PARTS = re.compile(r"work ([\d.]+) s \(flush ([\d.]+) s\), message ([\d.]+) s")
_MODEL = re.compile(r"at most ([\d.]+) s, undisturbed ([\d.]+) s")
Times = Mapping[int, Fraction]  # by number of chunks


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    times: dict[str, dict[str, dict[int, Fraction]]] = {}
    for run in runs:
        if run.job in NAMES or run.job == WORDS:
            chunks, seconds = _total(run)
            scale = 16 if run.job == "uncached" else 1
            by_order = times.setdefault(run.job, {})
            by_order.setdefault(run.values["order"], {})[chunks] = seconds * scale
    tables = {
        "Parts of a stage (ms) and the model's time (s), trivial order": _parts(runs),
        "Chunks through 12 stages, 512 KB (s)": _by_chunk(runs),
    }
    found = Findings(tables=tables, trends={**_of_chunks(runs), **_of_laws(runs, times)})
    copied = times.pop(WORDS, {})
    if set(times) == set(NAMES) and all(
        len(by["trivial"]) == 2 and by.get("snake") for by in times.values()
    ):
        table = {
            NAMES[memory]: {
                str(size): [_extend(by_order, order, size) for order in orders] for size in SIZES
            }
            for memory, by_order in times.items()
            for orders in [("trivial", "snake")]
        }
        found.values["pipe-table1"] = table
        found.values["pipe-minrouting-gain"] = _gain(table)
        found.trends["pipe-order-models"] = _ranking(table)
        found.data["table"] = table
        found.tables["Private memory, trivial order, by how RCCE copies (s)"] = [
            ["MB", *map(str, SIZES)],
            ["bytes", *(f"{float(table['private'][str(size)][0]):.3f}" for size in SIZES)],
            ["words", *(f"{float(_extend(copied, 'trivial', size)):.3f}" for size in SIZES)],
        ]
    return found


def _total(run: Run) -> tuple[int, Fraction]:
    match = _TOTAL.search(run.text)
    assert match, run.text
    return int(match[1]), Fraction(match[2])


def _extend(by_order: Mapping[str, Times], order: str, size: int) -> Fraction:
    """The time of `size` MB: rounds of the queue, or single chunks, beyond the runs' numbers. An
    order that ran once gains as much as it did then."""
    times = by_order[order]
    chunks = size * (1 << 20) // CHUNK
    if len(times) == 1:
        ((ran, seconds),) = times.items()
        return _extend(by_order, "trivial", size) * seconds / by_order["trivial"][ran]
    if chunks in times:
        return times[chunks]
    few, many = sorted(times)
    return times[many] + (times[many] - times[few]) * Fraction(chunks - many, many - few)


def _gain(table: Mapping[str, Mapping[str, Sequence[Fraction]]]) -> dict[str, list[Fraction]]:
    percent = {
        name: sorted(100 * (1 - snake / trivial) for trivial, snake in rows.values())
        for name, rows in table.items()
    }
    seconds = sorted(trivial - snake for trivial, snake in table["shared_uncached"].values())
    return {
        "private_pct": [percent["private"][0], percent["private"][-1]],
        "uncached_s": [seconds[0], seconds[-1]],
        "cached_pct": [percent["shared_cached"][0], percent["shared_cached"][-1]],
    }


def _ranking(table: Mapping[str, Mapping[str, Sequence[Fraction]]]) -> Answer:
    order = ("shared_cached", "private", "shared_uncached")
    holds = all(
        table[order[0]][str(size)][0]
        < table[order[1]][str(size)][0]
        < table[order[2]][str(size)][0]
        for size in SIZES
    )
    told = "; ".join(
        f"{size} MB: "
        + ", ".join(f"{name} {float(table[name][str(size)][0]):.3f} s" for name in order)
        for size in SIZES
    )
    return Answer(holds, told)


def _of_laws(runs: Sequence[Run], times: Mapping[str, Mapping[str, Times]]) -> dict[str, Answer]:
    """Uncached: linear in the data, whatever the chunk; private: linear."""
    found: dict[str, Answer] = {}
    rates = {}
    for run in runs:
        if run.job in ("law", "uncached") and run.values.get("order", "trivial") == "trivial":
            chunks, seconds = _total(run)
            size = run.values.get("chunk", 16384)
            # The rounds, less the steps that fill the queue.
            steps = len(run.cores) * Fraction(chunks, SLOTS) + SLOTS - 1
            rates[size, chunks] = seconds / steps / size * 10**9
    if len(rates) > 2:
        spread = max(rates.values()) / min(rates.values()) - 1
        told = ", ".join(
            f"{chunks} x {size >> 10} KB: {float(rate):.1f}"
            for (size, chunks), rate in sorted(rates.items())
        )
        found["pipe-uncached-linear"] = Answer(spread < 0.05, f"ns a byte, stage and step: {told}")
    private = [
        _total(run) for run in runs if run.job == "chunks" and run.values["memory"] == "private"
    ]
    if len(private) > 2 and "private" in times:
        by = times["private"]["trivial"]
        told = ", ".join(
            f"{chunks} chunks: {float(value):.3f} s" for chunks, value in sorted(by.items())
        )
        found["pipe-private-linear"] = Answer(len(by) >= 2, told)
    return found


def _of_chunks(runs: Sequence[Run]) -> dict[str, Answer]:
    """What larger chunks spare."""
    flushes: dict[int, Fraction] = {}
    totals: dict[str, dict[int, Fraction]] = {}
    for run in runs:
        if run.job != "chunks":
            continue
        chunks, seconds = _total(run)
        parts = _PARTS.search(run.text)
        assert parts
        totals.setdefault(run.values["memory"], {})[run.values["chunk"]] = seconds
        if run.values["memory"] == "cached":
            flushes[run.values["chunk"]] = chunks * Fraction(parts[2])
    sizes = sorted(flushes)
    ratios = [flushes[a] / flushes[b] for a, b in pairwise(sizes)]
    told = ", ".join(f"{size >> 10} KB: {float(flushes[size]) * 1000:.1f} ms" for size in sizes)
    halving = Answer(
        all(Fraction(8, 5) < ratio < Fraction(12, 5) for ratio in ratios),
        f"flushes of a stage in all: {told}",
    )
    if len(sizes) < 3:
        return {"pipe-cached-halving": halving}
    private, cached = totals["private"], totals["cached"]
    small, large = min(sizes), max(sizes)
    crossing = Answer(
        cached[small] > private[small] and cached[large] < private[large],
        f"cached over private: {float(cached[small] / private[small]):.2f} at {small >> 10} KB, "
        f"{float(cached[large] / private[large]):.2f} at {large >> 10} KB",
    )
    return {"pipe-cached-halving": halving, "pipe-cached-crossover": crossing}


def _parts(runs: Sequence[Run]) -> list[list[str]]:
    rows = [["", "chunks", "work", "of it flush", "message", "measured", "bound", "undisturbed"]]
    for run in runs:
        if run.job == "chunks" or run.values.get("order", "trivial") != "trivial":
            continue
        chunks, seconds = _total(run)
        parts, model = _PARTS.search(run.text), _MODEL.search(run.text)
        assert parts and model
        size = run.values.get("chunk", 16384 if run.job == "uncached" else CHUNK)
        name = f"{run.job}, {size >> 10} KB"
        rows.append(
            [name, str(chunks), *(f"{float(part) * 1000:.3f}" for part in parts.groups()),
             f"{float(seconds):.4f}", *(f"{float(part):.4f}" for part in model.groups())]
        )  # fmt: skip
    return rows


def _by_chunk(runs: Sequence[Run]) -> list[list[str]]:
    rows = [["", "KB", "time"]]
    for run in runs:
        if run.job == "chunks":
            name = "private" if run.values["memory"] == "private" else "cached"
            rows.append([name, str(run.values["chunk"] >> 10), f"{float(_total(run)[1]):.4f}"])
    return rows
