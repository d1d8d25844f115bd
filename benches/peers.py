"""Who runs the programs: rck, and the tools that it is held against where they are installed."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benches import measure
from benches.plan import Program

# The SCC's caches, as cachegrind takes them: size, ways, line.
CACHES = ("--I1=16384,4,32", "--D1=16384,4,32", "--LL=262144,4,32")


@dataclass(frozen=True)
class Tool:
    """A way to run an i386 Linux binary."""

    name: str
    about: str
    prefix: tuple[str, ...]
    version_command: tuple[str, ...]
    get: str

    def missing(self, binary: Path) -> str | None:
        """Why it cannot be used here; None if it can."""
        if self.prefix and shutil.which(self.prefix[0]) is None:
            return f"{self.prefix[0]} is not installed"
        try:
            sample = measure.run([*self.prefix, str(binary), "1"])
        except OSError as error:
            return str(error)
        if sample.exit_code != 0:
            words = (sample.stderr.strip() or f"exit code {sample.exit_code}").splitlines()
            return f"does not run an i386 program: {words[-1]}"
        return None

    def version(self) -> str:
        if not self.version_command:
            return ""
        out = subprocess.run(self.version_command, capture_output=True, text=True, check=False)
        return out.stdout.strip().splitlines()[0] if out.stdout.strip() else ""


TOOLS = (
    Tool(
        "cachegrind",
        "valgrind's cache simulator with the SCC's cache geometry; it holds tags, no data",
        (
            "valgrind", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
            *CACHES,
        ),
        ("valgrind", "--version"),
        "Debian: apt-get install valgrind (its amd64 package runs i386 programs too)",
    ),
    Tool(
        "qemu",
        "qemu-i386, user mode: no caches, no time",
        ("qemu-i386",),
        ("qemu-i386", "--version"),
        "Debian: apt-get install qemu-user",
    ),
    Tool(
        "native",
        "this host's processor",
        (),
        (),
        "an x86-64 Linux whose kernel runs 32-bit programs (CONFIG_IA32_EMULATION)",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Execution:
    """What a run of rck says besides its times."""

    instructions: int
    transactions: int
    time_ps: int
    state_hash: str

    @staticmethod
    def of(result: dict[str, object]) -> Execution:
        statistics: dict[str, list[dict[str, int]]] = result["statistics"]  # type: ignore[assignment]
        return Execution(
            instructions=int(result["instructions"]),  # type: ignore[call-overload]
            transactions=sum(
                tile["reads"] + tile["writes"] - tile["bypassed"] for tile in statistics["tiles"]
            ),
            time_ps=int(result["time_ps"]),  # type: ignore[call-overload]
            state_hash=str(result["state_hash"]),
        )


def rck(*arguments: str) -> list[str]:
    """The command rck of this environment."""
    return [str(Path(sys.executable).parent / "rck"), *arguments]


def has_option(option: str) -> bool:
    """Whether `rck run` knows this option."""
    told = subprocess.run(rck("run", "--help"), capture_output=True, text=True, check=True)
    return re.search(rf"^\s+(-\w, )?{re.escape(option)}\b", told.stdout, re.M) is not None


def run_pair(program: Program, binary: Path, rounds: int, cores: int) -> float:
    """Wall seconds of two runs side by side, on one host thread each: what the host's processors
    do for programs that share nothing bounds what they do for the threads of one."""
    alone = dataclasses.replace(program, options=())
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(run_rck, alone, binary, rounds, cores) for _ in range(2)]
        return max(run.result()[0].wall_s for run in runs)


def run_rck(
    program: Program, binary: Path, rounds: int, cores: int, options: Sequence[str] = ()
) -> tuple[measure.Sample, Execution]:
    """The program on the virtual chip; a wrong result is an error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        command = rck(
            "run", "-q", "-n", str(cores), "--tag", "none", "--json", str(path),
            *program.options, *options, str(binary), str(rounds), *program.arguments,
        )  # fmt: skip
        sample = measure.run(command)
        check(program, "rck", sample, count=cores)
        return sample, Execution.of(json.loads(path.read_text()))


def run_tool(tool: Tool, program: Program, binary: Path, rounds: int) -> measure.Sample:
    """One binary with its arguments, run by another tool than rck."""
    sample = measure.run([*tool.prefix, str(binary), str(rounds), *program.arguments])
    check(program, tool.name, sample, count=1)
    return sample


def check(program: Program, tool: str, sample: measure.Sample, *, count: int) -> None:
    """Each core must have said that nothing was wrong."""
    right = len(re.findall(r"^\w+: \d+ rounds, 0 wrong$", sample.stdout, re.M))
    if sample.exit_code != 0 or right != count:
        raise RuntimeError(
            f"{program.name} by {tool}: exit code {sample.exit_code}, {right} of {count} right\n"
            f"{sample.stdout[-500:]}{sample.stderr[-500:]}"
        )
