"""From a study's description to single runs, each with a key that says whether it is done already.

The key is a hash of all that can change a result: engine, guest kernel, chip description,
program, cores, arguments, files, seed. A record under the same key is the same run.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from rockcreek.description import Description
from rockcreek.formats.study import Choice
from rockcreek.interpreters import ruby
from rockcreek.linux import images
from rockcreek.repro.study import LINUX, Job, Program, Study
from rockcreek.software import kernels


@dataclass(frozen=True)
class Point:
    """One run of a study."""

    job: str
    program: str
    boot: bool
    cores: tuple[int, ...]
    arguments: tuple[str, ...]
    values: Mapping[str, Choice]
    seed: int | None
    power: bool = False
    messages: bool = False
    chip: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)  # name and text
    mounts: Mapping[str, str] = field(default_factory=dict)  # folders by names in /
    env: Mapping[str, str] = field(default_factory=dict)
    codes: tuple[int, ...] = ()
    kernel: str = kernels.OWN
    append: str = ""
    network: bool = False
    key: str = ""

    def label(self) -> str:
        """The run in words: `pairs other=5 mode=push`."""
        parts = [f"{name}={value}" for name, value in self.values.items()]
        if self.seed is not None:
            parts.append(f"seed={self.seed}")
        return " ".join([self.job, *parts])


def expand(
    study: Study, programs: Mapping[str, bytes], chip: Description, *, quick: bool
) -> list[Point]:
    """All runs of the study, in a fixed order; `chip` is the preset before its clocks are set."""
    points = []
    for job in study.jobs:
        kind = study.programs[job.program]
        text = chip.text if job.chip is None else (study.folder / job.chip).read_text("utf-8")
        for combined in _combinations(study, job, quick=quick):
            point = _started(kind, combined) if kind.ruby else combined
            machine = hashlib.sha256(_machine(kind.boot, point.kernel))
            module = [programs[kind.module]] if kind.module else []
            for part in (text.encode(), chip.text.encode(), programs[job.program], *module):
                machine.update(hashlib.sha256(part).digest())
            if kind.ruby:  # which has a library, too
                machine.update(ruby.SOURCES.digest().encode())
            points.append(replace(point, key=_key(machine.digest(), study.clocks, point)))
    return points


def _combinations(study: Study, job: Job, *, quick: bool) -> list[Point]:
    files = study.module(job.files).files if job.files else lambda _: {}
    choices = {**job.vary, **job.quick} if quick else dict(job.vary)
    seeds: tuple[int | None, ...] = job.seeds[:1] if quick else job.seeds
    points = []
    for combination in itertools.product(*choices.values()):
        values = dict(zip(choices, combination, strict=True))
        for seed in seeds or (None,):
            points.append(
                Point(
                    job=job.name,
                    program=job.program,
                    boot=study.programs[job.program].boot,
                    cores=_cores(job, values),
                    arguments=tuple(text.format_map(values) for text in job.arguments),
                    values=values,
                    seed=seed,
                    power=job.power,
                    messages=job.messages,
                    chip=job.chip,
                    files=files(values),
                    env={name: text.format_map(values) for name, text in job.env.items()},
                    codes=job.codes,
                    kernel=str(values.get(job.kernel, job.kernel)),
                    append=job.append.format_map(values),
                    network=job.network,
                )
            )
    return points


def _started(script: Program, point: Point) -> Point:
    """The point as the interpreter is given it; its folder has all scripts of the program."""
    line = [*script.flags, script.sources[0].name, *point.arguments]
    scripts = {source.name: source.read_text("utf-8") for source in script.sources}
    if point.kernel == LINUX:
        return replace(point, arguments=tuple(line), files={**scripts, **point.files})
    start = ruby.start(line)
    return replace(
        point,
        arguments=start.line,
        mounts=start.mounts,
        env={**start.env, **point.env},
        files={**scripts, **point.files},
    )


def _cores(job: Job, values: Mapping[str, Choice]) -> tuple[int, ...]:
    if job.first:
        return tuple(range(_number(values, job.first)))
    return tuple(_number(values, core) if isinstance(core, str) else core for core in job.cores)


def _number(values: Mapping[str, Choice], name: str) -> int:
    """The value of what varies, which must be a whole number."""
    found = values[name]
    if not isinstance(found, int):
        raise TypeError(f"{name}: {found!r} is no number of a core")
    return found


@cache
def _machine(boot: bool, kernel: str) -> bytes:
    """What runs the programs: the engine, and the kernel with its servers unless the program is
    one."""
    from rockcreek import _native

    parts = [Path(str(_native.__file__)).read_bytes()]
    if kernel == LINUX:
        parts.append(images.find().digest.encode())
    elif not boot:
        under = kernels.choose(kernel, {})
        parts += [under.image.data, *(data for data, _ in under.modules)]
    return b"".join(hashlib.sha256(part).digest() for part in parts)


def _key(machine: bytes, clocks: str | None, point: Point) -> str:
    told = json.dumps(
        [
            clocks,
            point.job,
            point.cores,
            point.arguments,
            dict(point.values),
            point.seed,
            point.power,
            *(["messages"] if point.messages else []),
            *([dict(point.files)] if point.files else []),
            *(["env", dict(point.env)] if point.env else []),
            *(["append", point.append] if point.append else []),
            *(["network"] if point.network else []),
        ]
    )
    return hashlib.sha256(machine + told.encode()).hexdigest()[:24]
