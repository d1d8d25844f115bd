"""A result as rows of tables: one for the run, one for each core, one for each pair of UEs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TABLES = ("runs", "cores", "messages")


def of(result: Mapping[str, Any], table: str) -> list[dict[str, Any]]:
    """The rows of one of the tables, from a result's JSON document."""
    if table == "runs":
        return [of_run(result)]
    return list({"cores": of_cores, "messages": of_messages}[table](result))


def of_run(result: Mapping[str, Any]) -> dict[str, Any]:
    """The run itself."""
    counters = [_counters(result, entry["core"]) for entry in result["cores"]]
    instructions = sum(int(one["core"]["instructions"]) for one in counters)
    cycles = sum(int(one["cycles"]) for one in counters)
    energy = result.get("energy") or {}
    seconds = result["time_ps"] * 1e-12
    roi = result.get("roi")
    return {
        "program": result["program"]["name"],
        "arguments": " ".join(result["program"]["arguments"]),
        "ues": len(counters),
        "clocks": result["chip"]["clocks"],
        "jitter": result["chip"]["jitter"],
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


def of_cores(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each core of the run, with its counters."""
    energies = {one["core"]: one for one in (result.get("energy") or {}).get("cores", [])}
    for entry in result["cores"]:
        counters = _counters(result, entry["core"])
        yield {
            "core": entry["core"],
            "rank": entry["rank"],
            "cycles": counters["cycles"],
            **{key: value for key, value in counters["core"].items() if isinstance(value, int)},
            **counters["cache"],
            **counters["stalls"],
            "energy_fj": energies.get(entry["core"], {}).get("total_fj"),
        }


def of_messages(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each pair of UEs that sent messages."""
    yield from ((result.get("messages") or {}).get("messages") or [])


def _counters(result: Mapping[str, Any], core: int) -> Mapping[str, Any]:
    counters: Mapping[str, Any] = result["statistics"]["cores"][core]
    return counters


def _memory_bytes(result: Mapping[str, Any]) -> int:
    """To and from all memory controllers."""
    return sum(
        int(counted["bytes"])
        for core in result["statistics"].get("traffic", [])
        for unit, counted in core.items()
        if unit.startswith("memory ")
    )


def _bytes(result: Mapping[str, Any]) -> int | None:
    watched = result.get("messages")
    return sum(pair["bytes"] for pair in watched["messages"]) if watched else None
