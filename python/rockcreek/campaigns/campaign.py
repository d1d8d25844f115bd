"""The results of a campaign as three tables, from JSON files or Parquet.

`runs` has a row for each result; `cores` one for each core of each run, with its counters;
`messages` one for each pair of UEs that sent messages (`rck run --messages`). All have the column
`run`: the path of the result.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rockcreek.campaigns.table import Row, Table
from rockcreek.errors import InputError, NotFoundError, RockcreekError
from rockcreek.results.differences import load_result

_TABLES = ("runs", "cores", "messages")


@dataclass
class Campaign:
    """Tables of many runs."""

    runs: Table
    cores: Table
    messages: Table

    def write(self, folder: str | Path) -> None:
        """One Parquet file for each table that has rows (needs the extra `table`)."""
        _, parquet = _arrow()
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name in _TABLES:
            if len(getattr(self, name)):
                parquet.write_table(self.to_arrow(name), target / f"{name}.parquet")

    def to_arrow(self, name: str = "runs") -> Any:
        """A table as pyarrow's, for its queries or for pandas: `.to_arrow().to_pandas()`."""
        arrow, _ = _arrow()
        return arrow.Table.from_pylist([dict(row) for row in getattr(self, name)])


def read(*patterns: str | Path) -> Campaign:
    """The results of these files; `**` in a pattern is any depth of folders."""
    paths = [
        path
        for pattern in patterns
        for path in sorted(glob.glob(str(pattern), recursive=True)) or [_missing(str(pattern))]
    ]
    runs: list[Row] = []
    cores: list[Row] = []
    messages: list[Row] = []
    for path in paths:
        result = load_result(path)
        try:
            runs.append({"run": path, **_of_run(result)})
            cores += [{"run": path, **row} for row in _of_cores(result)]
            messages += [{"run": path, **row} for row in _of_messages(result)]
        except (KeyError, IndexError, TypeError) as error:
            raise InputError(
                f"{path}: no result of a run: {error!r} is missing",
                path=path,
                hint="`rck run --json FILE` writes one",
            ) from error
    return Campaign(Table(runs), Table(cores), Table(messages))


def load(folder: str | Path) -> Campaign:
    """What `Campaign.write` wrote."""
    _, parquet = _arrow()
    if not (Path(folder) / "runs.parquet").is_file():
        raise NotFoundError(f"{folder}: there is no runs.parquet", path=str(folder))
    tables = {}
    for name in _TABLES:
        path = Path(folder) / f"{name}.parquet"
        tables[name] = Table(parquet.read_table(path).to_pylist() if path.is_file() else [])
    return Campaign(**tables)


def _missing(pattern: str) -> str:
    raise NotFoundError(f"{pattern}: there is no such file", path=pattern)


def _of_run(result: Mapping[str, Any]) -> dict[str, Any]:
    counters = [_counters(result, entry["core"]) for entry in result["cores"]]
    instructions = sum(int(one["core"]["instructions"]) for one in counters)
    cycles = sum(int(one["cycles"]) for one in counters)
    energy = result.get("energy") or {}
    seconds = result["time_ps"] * 1e-12
    return {
        "program": result["program"]["name"],
        "arguments": " ".join(result["program"]["arguments"]),
        "ues": len(counters),
        "clocks": result["chip"]["clocks"],
        "jitter": result["chip"]["jitter"],
        "end": result["end"],
        "time_s": seconds,
        "instructions": instructions,
        "ipc": instructions / cycles if cycles else None,
        "code_misses": result["totals"]["l1i_misses"],
        "data_misses": result["totals"]["l1d_misses"],
        "l2_misses": result["totals"]["l2_misses"],
        "mesh_packets": result["totals"]["mesh_packets"],
        "messages": result["totals"]["messages"],
        "message_bytes": _bytes(result),
        "energy_j": energy["total_fj"] * 1e-15 if energy else None,
        "mean_w": energy["mean_uw"] * 1e-6 if energy else None,
        "peak_w": energy["peak_uw"] * 1e-6 if energy else None,
        "edp_js": energy["total_fj"] * 1e-15 * seconds if energy else None,
    }


def _counters(result: Mapping[str, Any], core: int) -> Mapping[str, Any]:
    counters: Mapping[str, Any] = result["statistics"]["cores"][core]
    return counters


def _of_cores(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
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


def _of_messages(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield from ((result.get("messages") or {}).get("messages") or [])


def _bytes(result: Mapping[str, Any]) -> int | None:
    watched = result.get("messages")
    return sum(pair["bytes"] for pair in watched["messages"]) if watched else None


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise RockcreekError(
            "Parquet needs pyarrow", hint="pip install 'rockcreek[table]'"
        ) from error
    return pyarrow, pyarrow.parquet
