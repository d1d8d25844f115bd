"""The schema of a result (docs/guide/result-json.md), as far as anything of ours reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from rockcreek.formats.common import Headed
from rockcreek.formats.energy import Energy
from rockcreek.formats.messages import Messages
from rockcreek.formats.result import Chip, ReadResult, Result, Samples
from rockcreek.reading import RESULT, RESULT_VERSION, documents

_HINT = "`rck run --json FILE` writes results"
_MOST_UES = 4096
_CACHE = ("l2_fills", "reads_from_bus", "uncached_fetches")
_TOTALS = ("messages", "l1i_misses", "l1d_misses", "l2_misses", "mesh_packets")


def load(path: str) -> Headed:
    """Any document of ours with a schema of its own; a result is all that its schema says."""
    document = documents.json(path, hint=_HINT)
    if not isinstance(document, dict) or "schema" not in document:
        raise documents.misfit(path, "", "is JSON, but not a result of Rockcreek", _HINT)
    schema = documents.typed(document, Headed, path, hint=_HINT)["schema"]
    if schema["name"] != RESULT:
        return cast("Headed", document)
    if schema["version"] != RESULT_VERSION:
        what = f"has schema version {schema['version']}, this rck reads {RESULT_VERSION}"
        raise documents.misfit(path, "", what, "run it again with this rck")
    checked(document, path)
    return cast("Headed", document)


def load_run(path: str) -> Result:
    """The result of a run, and nothing else."""
    document = load(path)
    if document["schema"]["name"] != RESULT:
        raise documents.misfit(path, "", f"is a {document['schema']['name']}, not a result", _HINT)
    return cast("Result", document)


def checked(document: Any, path: str) -> ReadResult:
    """The document as a result: each value of its type, and the parts fit each other."""
    result = documents.typed(document, ReadResult, path, hint=_HINT)
    for place, what in _misfits(result):
        raise documents.misfit(path, place, what, _HINT)
    return result


def _misfits(result: ReadResult) -> Iterator[tuple[str, str]]:
    """Mistakes that the types do not exclude: numbers of cores and tiles, lengths of lists."""
    yield from _of_counts(result)
    yield from _of_cores(result)
    yield from _clocks(result["chip"]["clocks"])
    if (samples := result.get("samples")) is not None:
        yield from _of_samples(samples, {one["core"] for one in result["cores"]}, result["chip"])
    if (energy := result.get("energy")) is not None:
        yield from _of_energy(energy, len(result["statistics"]["cores"]))
    if (messages := result.get("messages")) is not None:
        yield from _of_messages(messages)


def _of_counts(result: ReadResult) -> Iterator[tuple[str, str]]:
    tiles = result["chip"]["columns"] * result["chip"]["rows"]
    if tiles > _MOST_UES:
        yield "chip", f"{tiles} tiles are too many"
    if len(result["statistics"]["mesh"]["link_flits"]) != tiles:
        yield "statistics.mesh.link_flits", f"expected {tiles} tiles"
    for key in _TOTALS:
        if key not in result["totals"]:
            yield "totals", f"object missing required field `{key}`"
    for number, one in enumerate(result["statistics"]["cores"]):
        for key in _CACHE:
            if key not in one["cache"]:
                yield f"statistics.cores[{number}].cache", f"object missing required field `{key}`"


def _of_cores(result: ReadResult) -> Iterator[tuple[str, str]]:
    counted = len(result["statistics"]["cores"])
    seen = set()
    for number, end in enumerate(result["cores"]):
        place = f"cores[{number}]"
        if end["core"] >= counted or end["core"] in seen:
            yield f"{place}.core", f"there is no core {end['core']}, or it is there twice"
        seen.add(end["core"])
        if (
            end["tile"]["x"] >= result["chip"]["columns"]
            or end["tile"]["y"] >= result["chip"]["rows"]
        ):
            yield f"{place}.tile", "it is outside the chip"
    if not result["cores"]:
        yield "cores", "expected at least one core"


def _clocks(text: str) -> Iterator[tuple[str, str]]:
    parts = text.split("/")
    if len(parts) != 3 or not all(
        part.isascii() and part.isdigit() and len(part) < 7 and int(part) for part in parts
    ):
        yield "chip.clocks", "expected MHz of tiles, mesh and memory such as 533/800/800"


def _ends(place: str, start_ps: int, ends: list[int]) -> Iterator[tuple[str, str]]:
    if any(b < a for a, b in zip([start_ps, *ends], ends, strict=False)):
        yield f"{place}.end_ps", "expected instants that grow"


def _of_samples(samples: Samples, cores: set[int], chip: Chip) -> Iterator[tuple[str, str]]:
    yield from _ends("samples", samples["start_ps"], samples["end_ps"])
    count = len(samples["end_ps"])
    if count and samples["end_ps"][-1] <= samples["start_ps"]:
        yield "samples.end_ps", "expected instants after the start"
    for number, one in enumerate(samples["cores"]):
        series = (
            one["cycles"],
            one["instructions"],
            one["waiting_cycles"],
            one["misses"],
            one.get("energy_fj"),
        )
        if any(values is not None and len(values) != count for values in series):
            yield f"samples.cores[{number}]", f"expected {count} values of each count"
    if count and not cores <= {one["core"] for one in samples["cores"]}:
        yield "samples.cores", "expected all cores of the run"
    for number, link in enumerate(samples["links"]):
        place = f"samples.links[{number}]"
        if len(link["flits"]) != count:
            yield place, f"expected {count} values"
        if link["x"] >= chip["columns"] or link["y"] >= chip["rows"]:
            yield place, "it is outside the chip"


def _of_energy(energy: Energy, counted: int) -> Iterator[tuple[str, str]]:
    yield from _ends("energy.samples", energy["samples"]["start_ps"], energy["samples"]["end_ps"])
    if len(energy["samples"]["end_ps"]) != len(energy["samples"]["domains_fj"]):
        yield "energy.samples", "expected as many `domains_fj` as `end_ps`"
    for number, one in enumerate(energy["cores"]):
        if one["core"] >= counted:
            yield f"energy.cores[{number}].core", f"there is no core {one['core']}"


def _of_messages(seen: Messages) -> Iterator[tuple[str, str]]:
    for key, pairs in (
        ("messages", seen["messages"]),
        ("puts", seen.get("puts", [])),
        ("gets", seen.get("gets", [])),
    ):
        for number, pair in enumerate(pairs):
            for name, ue in (("source", pair["source"]), ("target", pair["target"])):
                if ue >= seen["ues"]:
                    yield f"messages.{key}[{number}].{name}", f"expected one of {seen['ues']} UEs"
