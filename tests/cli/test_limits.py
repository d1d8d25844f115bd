"""What a run may cost on the host, and that it is the same twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from guest_programs import RCK, ROOT, compile_program

GIB = 1 << 30
FIRST_INSTRUCTION = """
import sys, time
start = time.process_time()
from rockcreek import resources, Chip
from rockcreek.software import image
from rockcreek.software import kernel_command_line
program, kernel = image.load_program(sys.argv[1]), image.read(resources.kernel_path())
chip = Chip("scc")
cores = range(48)
for core in cores:
    line = kernel_command_line.command_line(core=core, cores=cores, mhz=533, argv=["hello"], env={},
                               stdin=False, strace=False, share=False)
    chip.load(core, kernel.data, line, [(program.data, program.name)])
chip.release(cores)
while not chip.instructions:
    chip.run_slice(host_ms=1)
print(time.process_time() - start)
"""


def hello() -> Path:
    return compile_program(ROOT / "examples/hello/hello.c", ["-lrcce"])


def test_hello_on_all_cores_needs_under_one_gib() -> None:
    process = subprocess.Popen(
        [*RCK, "run", "-q", "-n", "48", str(hello())], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert sorted(out.splitlines()) == [f"[{n:02}] Hello from UE {n} of 48" for n in range(48)]
    unit = 1 if sys.platform == "darwin" else 1024
    assert usage.ru_maxrss * unit < GIB


def test_first_instruction_within_a_second() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_INSTRUCTION, str(hello())],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert float(done.stdout) < 1.0


def test_two_runs_are_the_same(tmp_path: Path, run_guest) -> None:
    documents = []
    for name in ("a.json", "b.json"):
        options = ["-q", "-n", "5", "--json", str(tmp_path / name)]
        result = run_guest(hello(), options=options)
        assert result.returncode == 0, result.stderr
        document = json.loads((tmp_path / name).read_text())
        document.pop("host")
        documents.append((result.stdout, json.dumps(document)))
    assert documents[0] == documents[1]


def test_commit_logs_of_two_runs_are_the_same(tmp_path: Path, run_guest) -> None:
    logs = [str(tmp_path / name) for name in ("a.log", "b.log")]
    for log in logs:
        options = ["-q", "--until", "20us", "--commit-log", log]
        assert run_guest(hello(), options=options).returncode == 0
    compare = [*RCK, "compare", "--log", *logs]
    done = subprocess.run(compare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert run_guest(hello(), options=["-q", "--force", "--until", "30us", "--commit-log", logs[1]])
    done = subprocess.run(compare, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout
