"""`rck model`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from rockcreek.errors import UsageError

if TYPE_CHECKING:
    from rockcreek.model.kernel import Kernel

_METRICS = ("time", "energy", "edp", "gflops-per-watt")


@click.command(
    epilog="""Examples:

\b
  rck model --compute 18.9e6 --accesses 4.2e6 --flop 4.2e6    from counts
  rck model dot.toml --metric edp                             counts in a file
  rck run --json r.json prog, then: rck model --from r.json   fitted from one run
  rck model --from r.json --core 5 --json

Exit code: 0; 64 for counts or dividers that cannot be.
"""
)
@click.argument("kernel", required=False, metavar="[KERNEL.toml]")
@click.option("--from", "result", metavar="FILE", help="Take the counts from a run's result.")
@click.option("--core", type=int, help="With --from: the counts of this core, not of the first.")
@click.option("--compute", type=float, help="Core cycles of computing, without waiting for memory.")
@click.option("--accesses", type=float, help="Accesses to DRAM.")
@click.option("--flop", type=float, help="Floating-point operations.")
@click.option(
    "--pending", type=float, help="Accesses under way at once.  [default: 2; with --from: 1]"
)
@click.option(
    "--rule",
    type=click.Choice(["max", "sum"]),
    help="max (default): the core computes during accesses; sum: it waits.",
)
@click.option("--metric", type=click.Choice(_METRICS), help="Name the best divider by this only.")
@click.option("--farad", type=float, help="C of P = C V^2 f.  [default: 0.645e-9, a busy core]")
@click.option("--exponent", type=float, default=2.0, show_default=True, help="Exponent of V.")
@click.option("--chip", default="scc", metavar="FILE|PRESET", help="The chip description.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def model(
    kernel: str | None,
    result: str | None,
    core: int | None,
    metric: str | None,
    farad: float | None,
    exponent: float,
    chip: str,
    as_json: bool,
    **counts: Any,
) -> None:
    """Predict time, power and energy at each divider of the clock from a kernel's counts."""
    from rockcreek import description
    from rockcreek.model.predict import FARAD, best, bound, predict

    known = _kernel(kernel, result, core, counts)
    points = predict(
        known, description.load(chip), farad=FARAD if farad is None else farad, exponent=exponent
    )
    metrics = (
        [metric] if metric else [name for name in _METRICS if known.flop or "flop" not in name]
    )
    chosen = {name: best(points, name) for name in metrics}
    if as_json:
        rows = [
            {**asdict(p), "joules": p.joules, "edp": p.edp, "bound": bound(known, p)}
            for p in points
        ]
        bests = {name: point.divider for name, point in chosen.items()}
        click.echo(json.dumps({"kernel": asdict(known), "points": rows, "best": bests}, indent=1))
        return
    click.echo("divider   MHz      V       cycles          ms        W         mJ  GFLOPS/W  bound")
    for p in points:
        click.echo(
            f"{p.divider:7} {p.mhz:5.0f} {p.volts:6.2f} {p.cycles:12.0f} {p.seconds * 1e3:11.3f}"
            f" {p.watts:8.4f} {p.joules * 1e3:10.4f} {p.gflops_per_watt:9.4f}  {bound(known, p)}"
        )
    for name, point in chosen.items():
        click.echo(f"best by {name}: divider {point.divider}")


# `counts` are fields of `Kernel` of several types, or None where an option is not given.
def _kernel(
    path: str | None, result: str | None, core: int | None, counts: dict[str, Any]
) -> Kernel:
    from rockcreek.model.fit import fit
    from rockcreek.model.kernel import Kernel, change, load
    from rockcreek.reading.result import load_run

    if path and result:
        raise UsageError("a kernel's file and --from: one of the two")
    if core is not None and not result:
        raise UsageError("--core: only with --from")
    if result:
        return change(fit(load_run(result), core, path=result), **counts)
    if path:
        return change(load(path), **counts)
    if counts["compute"] is None or counts["accesses"] is None:
        raise UsageError(
            "no kernel", hint="a TOML file, --from RESULT.json, or --compute and --accesses"
        )
    return Kernel(**{key: value for key, value in counts.items() if value is not None})
