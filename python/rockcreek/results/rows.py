"""A result as rows of tables: one for the run, one for each core, one for each pair of UEs."""

from __future__ import annotations

from collections.abc import Iterator

from rockcreek.formats.result import Result
from rockcreek.formats.rows import Row, Run, plain
from rockcreek.formats.statistics import Counters

TABLES = ("runs", "cores", "messages")


def of(result: Result, table: str) -> list[Row]:
    """The rows of one of the tables, from a result's JSON document."""
    if table == "runs":
        return [plain(of_run(result))]
    return list(of_cores(result) if table == "cores" else of_messages(result))


def of_run(result: Result) -> Run:
    """The run itself."""
    counters = [_counters(result, entry["core"]) for entry in result["cores"]]
    instructions = sum(int(one["core"]["instructions"]) for one in counters)
    cycles = sum(int(one["cycles"]) for one in counters)
    energy = result.get("energy")
    seconds = result["time_ps"] * 1e-12
    roi = result.get("roi")
    return {
        "program": result["program"]["name"],
        "arguments": " ".join(result["program"]["arguments"]),
        "ues": len(counters),
        "clocks": result["chip"]["clocks"],
        "jitter": result["chip"].get("jitter"),
        "end": result["end"],
        "time_s": seconds,
        "roi_time_s": roi["time_ps"] * 1e-12 if roi else None,
        "roi_instructions": roi["instructions"] if roi else None,
        "instructions": instructions,
        "ipc": instructions / cycles if cycles else None,
        "code_misses": result["totals"]["l1i_misses"],
        "data_misses": result["totals"]["l1d_misses"],
        "l2_misses": result["totals"]["l2_misses"],
        "mesh_packets": result["totals"]["mesh_packets"],
        "messages": result["totals"]["messages"],
        "floating_point_operations": sum(
            int(one["core"].get("floating_point_operations", 0)) for one in counters
        ),
        "memory_bytes": _memory_bytes(result),
        "message_bytes": _bytes(result),
        "energy_j": energy["total_fj"] * 1e-15 if energy else None,
        "mean_w": energy["mean_uw"] * 1e-6 if energy else None,
        "peak_w": energy["peak_uw"] * 1e-6 if energy else None,
        "edp_js": energy["total_fj"] * 1e-15 * seconds if energy else None,
    }


def of_cores(result: Result) -> Iterator[Row]:
    """Each core of the run, with its counters."""
    energy = result.get("energy")
    energies = {one["core"]: one["total_fj"] for one in (energy["cores"] if energy else [])}
    for entry in result["cores"]:
        counters = _counters(result, entry["core"])
        yield {
            "core": entry["core"],
            "rank": entry["rank"],
            "cycles": counters["cycles"],
            **{key: value for key, value in counters["core"].items() if isinstance(value, int)},
            **counters["cache"],
            **plain(counters["stalls"]),
            "energy_fj": energies.get(entry["core"]),
        }


def of_messages(result: Result) -> Iterator[Row]:
    """Each pair of UEs that sent messages."""
    watched = result.get("messages")
    yield from map(plain, watched["messages"] if watched else [])


def _counters(result: Result, core: int) -> Counters:
    return result["statistics"]["cores"][core]


def _memory_bytes(result: Result) -> int:
    """To and from all memory controllers."""
    return sum(
        int(counted["bytes"])
        for core in result["statistics"].get("traffic", [])
        for unit, counted in core.items()
        if unit.startswith("memory ")
    )


def _bytes(result: Result) -> int | None:
    watched = result.get("messages")
    return sum(pair["bytes"] for pair in watched["messages"]) if watched else None
