"""The readers of documents that the front end has, and all readers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import rockcreek
from guest_programs import ROOT, compile_program
from readers.more_targets import more_targets
from readers.target import Target, call, rck
from rockcreek import description

TILES, CORES = 2, 4


def _smaller(result: dict[str, Any]) -> dict[str, Any]:
    """The result as if of a chip of two tiles: fewer bytes, all kinds of places."""
    statistics = result["statistics"]
    result["chip"] |= {"columns": TILES, "rows": 1}
    for holder, key, count in (
        (statistics, "cores", CORES), (statistics, "traffic", CORES),
        (statistics, "tiles", TILES), (statistics["mesh"], "link_flits", TILES),
        (result["energy"], "cores", CORES), (result["energy"], "tiles", TILES),
        (result["energy"], "routers", TILES),
    ):  # fmt: skip
        holder[key] = holder[key][:count]
    samples = result["samples"]
    samples["links"] = [one for one in samples["links"] if one["x"] < TILES and one["y"] < 1]
    for one in (*samples["cores"], *samples["links"]):
        for key, values in one.items():
            if isinstance(values, list):
                one[key] = values[:4]
    samples["end_ps"] = samples["end_ps"][:4]
    return result


def _seeds(folder: Path) -> dict[str, bytes]:
    """A result with everything in it, the profile of its run, and one of a run that was checked."""
    profile = folder / "seed-profile.json"
    program = compile_program(ROOT / "examples/ring/ring.c", ["-O1", "-lrcce"])
    result = rockcreek.run(
        program, n=2, power=True, messages=True, sample_every_ps=10**8, profile=profile
    )
    wrong = compile_program(ROOT / "examples/pitfalls/half_a_line.c", ["-O1", "-lrcce"])
    checked = rockcreek.run(wrong, n=2, check=["coherence"])
    found = json.loads(profile.read_text())
    found["rows"], found["roi"]["rows"] = found["rows"][:20], found["roi"]["rows"][:5]
    last = max(row["place"] for row in found["rows"] + found["roi"]["rows"])
    found["places"] = found["places"][: 1 + last]
    return {
        "result": json.dumps(_smaller(result.to_dict())).encode(),
        "profile": json.dumps(found).encode(),
        "checked": json.dumps({"check": checked.to_dict()["check"]}).encode(),
        "program": wrong.read_bytes(),
    }


_SUPPRESS = b'[[suppress]]\nkind = "race"\nfunction = "a*"\nfile = "b.c"\nwhy = "meant"\n'
_SWEEP = (
    b'program = "prog"\narguments = ["1"]\nn = 2\n[vary]\njitter = [1, 2]\nclocks = '
    b'["533/800/800"]\n[[point]]\nn = 4\nuntil = "5ms"\npower = true\n'
)
_KERNEL = b'compute = 1e6\naccesses = 2000\nflop = 10\npending = 2\nrule = "max"\n'
_HOSTS = b"rck00 # first\n17\n\n07 08\nrck47\n"
_NOTE = json.dumps(
    {"program": "/p", "sha256": "0", "arguments": ["a"], "cores": [0, 1], "share": None,
     "messages": 0}
).encode()  # fmt: skip
_BOOT_NOTE = json.dumps(
    {"boot": {"image": "/k", "sha256": "0", "cores": [0], "command_line": "x"}}
).encode()
_RECORD = json.dumps(
    {"key": "k", "job": "j", "values": {"n": 1}, "seed": 1, "text": "t", "time_ps": 5,
     "instructions": 5, "state_hash": "0", "cores": [{"cycles": 1}],
     "memory": [{"reads": 1, "writes": 1}], "energy": None, "messages": None}
).encode()  # fmt: skip


def _plan_of_faults(path: str) -> None:
    from rockcreek.faults import kinds, plan

    where = kinds.Where(description.load("scc"), (0, 1))
    plan.read([path]).placed(where, 7)


def _rows(path: str) -> None:
    """The folder of a sweep whose kept rows are these."""
    from rockcreek.sweep.store import Store

    folder = Path(f"{path}.folder")
    folder.mkdir(exist_ok=True)
    os.replace(path, folder / "rows.jsonl")
    with Store(folder, "key") as store:
        assert all(row["end"] for row in store.rows.values())
        store.add(9, {"end": "exited", "exit_code": 0})


def _program(path: str) -> None:
    """All that is asked of a program before and after a run."""
    from rockcreek.checking import variables
    from rockcreek.software import atomics, image, thread_models

    program = image.load_program(path)
    thread_models.has_threads(program)
    atomics.refuse_locked(program)
    addresses = [at for at, _, _ in program.functions[:8]] or [0x8049000]
    program.lines.places(addresses)
    for address in addresses:
        program.lines.inlined(address)
    variables.at(program, 0x8064000)
    variables.argument(program, addresses[0], 1, 4)
    program.returns_from(("RCCE_malloc", "main"))


def _note(path: str) -> None:
    from rockcreek.software import snapshot

    text = Path(path).read_bytes().decode(errors="replace")
    snapshot.read_note(path, text)


def _boot_note(path: str) -> None:
    from rockcreek.software import snapshot

    text = Path(path).read_bytes().decode(errors="replace")
    snapshot.read_boot_note(path, text)


def targets(folder: Path) -> list[Target]:
    """All readers; their good inputs are made here."""
    from rockcreek.campaigns import read as campaign
    from rockcreek.checking.suppressions import Suppressions
    from rockcreek.cli.original_launcher import read_hosts
    from rockcreek.model import kernel
    from rockcreek.reading import records, rows
    from rockcreek.repro import toml_reader
    from rockcreek.sweep import read_plan

    seeds = _seeds(folder)
    good = folder / "good.json"
    good.write_bytes(seeds["result"])
    out = str(folder / "out")
    kept = rows.head("key") + b"".join(
        rows.line("key", n, {"end": "exited", "exit_code": 0, "time_s": 0.5}) for n in range(4)
    )
    chip = (ROOT / "machine/presets/scc.toml").read_bytes()
    based = b'base = "scc"\nname = "x"\n[topology.columns]\nvalue = 6\n[setup]\njitter = 7\n'
    study = next(iter(sorted((ROOT / "experiments").glob("*/study.toml")))).read_bytes()
    result, profile = seeds["result"], seeds["profile"]
    return [
        Target("view", "json", result, rck("view", "{}", "--output", out, "--force")),
        Target("compare", "json", result, rck("compare", "{}", str(good))),
        Target("compare-json", "json", result, rck("compare", "--json", str(good), "{}")),
        Target("die", "json", result, rck("plot", "die", "{}", "--out", f"{out}.svg", "--force")),
        Target("die-animated", "json", result, rck(
            "plot", "die", "{}", "--animate", "--metric", "power", "--out", f"{out}.svg",
            "--force")),
        Target("timeline", "json", result, rck(
            "plot", "timeline", "{}", "--metric", "waiting", "--out", f"{out}.svg", "--force")),
        Target("model", "json", result, rck("model", "--from", "{}")),
        Target("cite", "json", result, rck("cite", "{}.json")),
        Target("campaign", "json", result, call(campaign)),
        Target("explain", "json", seeds["checked"], rck("explain", "{}#1")),
        Target("profile", "json", profile, rck("profile", "{}")),
        Target("speedscope", "json", profile, rck(
            "profile", "{}", "--speedscope", out, "--collapsed", f"{out}.c", "--force")),
        Target("view-profile", "json", profile, rck(
            "view", str(good), "--profile", "{}", "--output", out, "--force")),
        Target("rows", "lines", kept, call(_rows)),
        Target("faults", "toml", (ROOT / "tests/faults/plan.toml").read_bytes(),
               call(_plan_of_faults)),
        Target("chip", "toml", chip, rck("info", "{}.toml")),
        Target("chip-based", "toml", based, rck("info", "{}.toml")),
        Target("suppressions", "toml", _SUPPRESS, call(Suppressions.read)),
        Target("sweep-plan", "toml", _SWEEP, call(read_plan)),
        Target("study", "toml", study, call(lambda path: toml_reader.load(Path(path)))),
        Target("kernel", "toml", _KERNEL, call(kernel.load)),
        Target("hosts", "lines", _HOSTS, call(read_hosts)),
        Target("note", "json", _NOTE, call(_note)),
        Target("boot-note", "json", _BOOT_NOTE, call(_boot_note)),
        Target("record", "json", _RECORD, call(records.load)),
        Target("program", "elf", seeds["program"], call(_program)),
        *more_targets(folder),
    ]  # fmt: skip
