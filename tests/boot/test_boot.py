"""`rck boot`: multiboot kernels, raw images at the reset vector, sccKit's objects and LUT data."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rockcreek import resources
from rockcreek.booting.boot_job import BootJob, execute
from rockcreek.errors import InputError
from rockcreek.software import kernel_command_line

Boot = Callable[..., subprocess.CompletedProcess[str]]
Kernel = Callable[[str], Path]


def test_a_kernel_gets_its_command_line_and_modules(
    boot: Boot, kernel: Kernel, tmp_path: Path
) -> None:
    module = tmp_path / "module"
    module.write_text("text")
    modules = ["--module", module, "--module", f"{module}=/root"]
    told = boot(kernel("hello"), "--cores", "0,47", "--append", "a=b c", *modules)
    assert (told.returncode, told.stderr) == (0, "")
    own = [f": a=b c\n[{{0}}] {module}: text\n[{{0}}] /root: text\n"]
    for core in ("00", "47"):
        lines = [line for line in told.stdout.splitlines(True) if line.startswith(f"[{core}]")]
        expected = f"[{core}] core {int(core)}" + own[0].format(core)
        assert "".join(lines) == expected


def test_a_command_line_may_say_which_core_it_is_for(boot: Boot, kernel: Kernel) -> None:
    line = "c={core} t={tile} {mhz} MHz {x}"
    told = boot(kernel("hello"), "--cores", "0,47", "--clocks", "800/1600/1066", "--append", line)
    assert (told.returncode, told.stderr) == (0, "")
    assert sorted(told.stdout.splitlines()) == [
        "[00] core 0: c=0 t=0,0 800 MHz {x}",
        "[47] core 47: c=47 t=5,3 800 MHz {x}",
    ]


def test_each_core_may_have_its_own_kernel(boot: Boot, kernel: Kernel, tmp_path: Path) -> None:
    hello, echo = kernel("hello"), kernel("echo")
    result = tmp_path / "result.json"
    told = boot(f"{hello}:core=3", f"{echo}:core=4-5", "--json", result, "--until", "1ms")
    assert told.returncode == 0, told.stderr
    assert "[03] core 3: \n" in told.stdout
    assert "[04] uart \n" in told.stdout and "[05] uart \n" in told.stdout
    document = json.loads(result.read_text())
    assert [core["core"] for core in document["cores"]] == [3, 4, 5]
    assert {core["reason"] for core in document["cores"]} == {"halted"}
    assert document["end"] == "idle"


def test_output_goes_to_a_file_for_each_core(boot: Boot, kernel: Kernel, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    options = ["--cores", "0-2", "--output-dir", logs]
    told = boot(kernel("hello"), *options, "--console", 2)
    assert (told.returncode, told.stdout) == (0, "core 2: \n"), told.stderr
    assert sorted(path.name for path in logs.iterdir()) == [f"core0{n}-com1.log" for n in range(3)]
    assert (logs / "core01-com1.log").read_bytes() == b"core 1: \n"
    again = boot(kernel("hello"), *options)
    assert (again.returncode, "exists already" in again.stderr) == (74, True)
    assert boot(kernel("hello"), *options, "--force").returncode == 0


def test_a_console_reads_a_file_by_interrupts(boot: Boot, kernel: Kernel) -> None:
    told = boot(kernel("echo"), "--cores", 7, "--console", 7, stdin="some words\nmore")
    assert (told.returncode, told.stdout) == (0, "uart SOME WORDS\nMOREbye\n"), told.stderr


def test_a_console_on_a_terminal(kernel: Kernel) -> None:
    """Keys reach the sleeping core as they are typed; Ctrl-] ends."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "rockcreek", "boot", "-q", str(kernel("echo"))]
    options = ["--cores", "0", "--console", "0", "--timeout", "60s"]
    run = subprocess.Popen(command + options, stdin=slave, stdout=slave, stderr=slave)
    seen = b""

    def wait_for(text: bytes) -> None:
        nonlocal seen
        end = time.monotonic() + 60
        while text not in seen and time.monotonic() < end:
            seen += os.read(master, 1024)
        assert text in seen

    try:
        wait_for(b"uart ")
        os.write(master, b"key\x03")
        wait_for(b"KEY\x03")
        os.write(master, b"\x1d")
        assert run.wait(60) == 0
    finally:
        run.kill()
        os.close(slave)
        os.close(master)


def test_a_core_that_shuts_down_is_a_fault(boot: Boot, kernel: Kernel) -> None:
    told = boot(f"{kernel('crash')}:core=9", f"{kernel('hello')}:core=3")
    assert (told.returncode, "[09] last words\n" in told.stdout) == (76, True)
    assert "core 09 (tile 4,0): the core shut down" in told.stderr
    assert "main (crash.c:7)" in told.stderr


def test_our_own_kernel_passes_its_exit_code_on(boot: Boot, guest: Callable[..., Path]) -> None:
    program = guest("int main(int argc, char **argv) { return argc; }")
    line = kernel_command_line.command_line(
        core=5, cores=[5], mhz=533, argv=["a", "b", "c"], env={}, stdin=False, strace=False,
        share=False,
    )  # fmt: skip
    options = ["--cores", 5, "--append", line, "--module", f"{program}=prog"]
    told = boot(resources.kernel_path(), *options)
    assert told.returncode == 3, told.stderr


def test_a_core_interrupts_another_through_the_fpga(boot: Boot, kernel: Kernel) -> None:
    told = boot(kernel("ipi"), "--cores", "0,47")
    expected = "[00] sending\n[47] interrupt from core 0\n[47] time passed\n"
    assert (told.returncode, told.stdout) == (0, expected), told.stderr


def test_a_raw_image_starts_at_the_reset_vector(
    boot: Boot, reset_image: bytes, tmp_path: Path
) -> None:
    """Core 1 is held until core 0 releases it through GCBCFG."""
    path = tmp_path / "boot.bin"
    path.write_bytes(reset_image)
    told = boot("--load", f"{path}@0xFFFF0000", "--cores", "0,1", "--hold", "1")
    assert (told.returncode, told.stdout) == (0, "[00] rp\n[01] rp\n"), told.stderr
    alone = boot("--load", f"{path}@0xFFFF0000:core=1")
    assert (alone.returncode, alone.stdout) == (0, "rp"), alone.stderr


def test_the_host_releases_cores_later(boot: Boot, kernel: Kernel) -> None:
    """Core 3 never, core 1 at 2 ms; core 2 long after all others have come to rest."""
    hello = kernel("hello")
    options = ["--cores", "0-3", "--hold", "1-3", "--release", "1@2ms", "--release", "2@1.5s"]
    told = boot(hello, *options, "--tag", "time")
    lines = [line for line in told.stdout.splitlines() if "core" in line]
    starts = {line[1:3]: float(line[3:].split(" us]")[0]) for line in lines}
    assert told.returncode == 0 and set(starts) == {"00", "01", "02"}, told
    assert starts["00"] < 1000
    # What a core does takes as long, whenever it starts.
    assert 0 < starts["01"] - 2000 < 1000 and 0 < starts["02"] - 1_500_000 < 1000
    told = boot(hello, "--cores", "4", "--release", "4@1ms", "--tag", "time")
    assert told.returncode == 0 and "[04   10" in told.stdout, told


def test_a_boot_is_saved_and_goes_on(boot: Boot, kernel: Kernel, tmp_path: Path) -> None:
    """The core sleeps when it is saved, and has its first key after the restore."""
    saved, result = tmp_path / "s.rck", tmp_path / "result.json"
    told = boot(kernel("echo"), "--cores", 7, "--until", "1ms", "--save", saved)
    assert (told.returncode, told.stdout) == (0, "uart "), told.stderr
    told = boot("--restore", saved, "--console", 7, "--json", result, stdin="words\n")
    assert (told.returncode, told.stdout) == (0, "WORDS\nbye\n"), told.stderr
    assert json.loads(result.read_text())["cores"][0]["core"] == 7
    told = boot("--restore", saved, "--cores", 7)
    assert (told.returncode, "the snapshot says" in told.stderr) == (64, True)
    run = [sys.executable, "-m", "rockcreek", "run", "--restore", str(saved)]
    refused = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (refused.returncode, "rck boot --restore" in refused.stderr) == (65, True)
    dump = [*run[:3], "dump", str(saved), "--core", "7", "--output", str(tmp_path / "core")]
    dumped = subprocess.run(dump, capture_output=True, text=True, check=False)
    assert dumped.returncode == 0 and f"gdb {kernel('echo')} " in dumped.stderr, dumped


def test_a_kernel_that_has_moved_since_is_the_same_one(kernel: Kernel, tmp_path: Path) -> None:
    """Where a caller says that it is; a snapshot's note names where it was."""
    image, moved, saved = tmp_path / "k.elf", tmp_path / "other.elf", tmp_path / "s.rck"
    image.write_bytes(kernel("hello").read_bytes())
    execute(BootJob([str(image)], cores="3", until_ps=10**6, save=saved))
    image.rename(moved)
    assert execute(BootJob([str(moved)], restore=saved)).exit_code == 0
    moved.write_bytes(kernel("crash").read_bytes())
    with pytest.raises(InputError, match="has changed since the snapshot"):
        execute(BootJob([str(moved)], restore=saved))


def memory_object(address: int, image: bytes) -> str:
    words = [int.from_bytes(image[n : n + 4], "little") for n in range(0, len(image), 4)]
    lines = [" ".join(f"{word:08x}" for word in words[n : n + 4]) for n in range(0, len(words), 4)]
    return "\n".join([f"/origin {address // 4:x}", *lines, "/eof", ""])


def test_objects_and_luts_of_scckit(boot: Boot, reset_image: bytes, tmp_path: Path) -> None:
    """The image lies in segment 0x30 of MC1, where LUT data point core 0's last slot."""
    (tmp_path / "mch_5_0.32.obj").write_text(memory_object(0x30FF_0000, reset_image))
    entry = 0x2000 * 0x05 + 0x400 * 4 + 0x30
    (tmp_path / "lut_init.dat").write_text(f"0x00 2 0x0ff8 {entry:#x}\n")
    lut = ["--lut", tmp_path / "lut_init.dat", "--cores", 0]
    told = boot("--object", tmp_path / "mch_5_0.32.obj", *lut)
    assert (told.returncode, told.stdout) == (0, "rp"), told.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 64, "there is nothing to boot"),
        (["bad.elf"], 65, "bad.elf: not an ELF file"),
        (["missing.elf"], 66, "missing.elf: No such file"),
        (["bad.elf", "--cores", "48"], 64, "the chip has cores 0 to 47"),
        (["bad.elf", "--cores", "3-1"], 64, "no core or range of cores"),
        (["bad.elf", "bad.elf"], 64, "which core boots which kernel?"),
        (["bad.elf:core=1", "--cores", "0,1"], 64, "core 0 has neither a kernel nor an image"),
        (["bad.elf:core=1", "--hold", "1"], 64, "every core is held"),
        (["bad.elf:core=1", "--release", "1"], 64, "not of the form LIST@TIME"),
        (["bad.elf:core=1", "--release", "1@x"], 64, "'x' is not a duration"),
        (["bad.elf:core=1", "--release", "1@999d"], 64, "not a duration"),
        (["bad.elf:core=1", "--release", "1@9999999s"], 64, "longer than the chip's time"),
        (["bad.elf:core=1", "--release", "1@1ms", "--release", "1@2ms"], 64, "released twice"),
        (["bad.elf:core=1", "--hold", "2"], 64, "stays in reset anyway"),
        (["--load", "bad.elf"], 64, "not of the form IMAGE@ADDRESS"),
        (["--load", "bad.elf@0x100000000"], 64, "not of the form IMAGE@ADDRESS"),
        (["--load", "bad.elf@0xF9000000:core=0"], 65, "bad.elf: core 0: core-physical address"),
        (["--load", "bad.elf@0xFFFFFFFF:core=0"], 65, "bad.elf: core 0: the image needs"),
        (
            ["--load", "bad.elf@0x1000:core=0", "--load", "bad.elf@0x1001:core=0"],
            65,
            "bad.elf: core 0: at 0x00001000 it is overwritten from 0x0000100",
        ),
        (["--object", "bad.elf@4"], 64, "there is no memory controller 4"),
        (["--object", "bad.elf"], 64, "which controller's memory"),
        (["--object", "bad.elf@0"], 65, "bad.elf: line 1: data before the first /origin"),
        (["--object", "high.obj@0"], 65, "high.obj: line 1: data up to"),
        (["--lut", "bad.elf", "--object", "empty.obj@0"], 65, "bad.elf: line 1: 'nonsense'"),
        (["bad.elf", "--console", "48"], 64, "the chip has cores 0 to 47"),
    ],
)
def test_what_cannot_be_booted_is_refused(
    boot: Boot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.elf").write_text("nonsense")
    (tmp_path / "empty.obj").write_text("/origin 0\n/eof\n")
    (tmp_path / "high.obj").write_text("/origin 80000000\n0\n/eof\n")
    told = boot(*arguments)
    assert (told.returncode, words in told.stderr) == (code, True), told.stderr
    assert "\nhint: " in told.stderr and "Traceback" not in told.stderr


def test_what_kernels_do_when_they_start(boot: Boot, kernel: Kernel) -> None:
    """Linux's probes, the APIC's calibration, the registers of tile and FPGA, absent devices."""
    told = boot(kernel("start_up"), "--cores", "0,47")
    assert (told.returncode, told.stderr) == (0, "")
    for core in ("00", "47"):
        own = [line for line in told.stdout.splitlines() if line.startswith(f"[{core}]")]
        assert len(own) > 40 and own[-1].endswith("started")
        assert [line for line in own[:-1] if not line.endswith(": ok")] == []
