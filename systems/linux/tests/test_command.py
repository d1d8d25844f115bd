"""`rck linux` where no Linux was built; what no repository may hold; the settings of its kernel."""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from scripts import linux_kernel
from scripts.foreign import StepError

from rockcreek.cli import linux_job
from rockcreek.linux import images, start
from rockcreek.toolchain import built

SYSTEM = Path(__file__).parents[1]
ROOT = SYSTEM.parents[1]


def rck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", "linux", *words]
    env = {**os.environ, "RCK_LINUX": str(folder)}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=env, stdin=subprocess.DEVNULL
    )


def idle_kernel() -> bytes:
    """A kernel of Linux's boot protocol that halts, and never says that it is ready."""
    image = bytearray(1024)
    image[0x1F1] = 1
    image[0x1FE:0x200] = b"\x55\xaa"
    image[0x201:0x206] = b"\x66HdrS"
    struct.pack_into("<H", image, 0x206, 0x0207)
    image[0x211] = 1
    struct.pack_into("<I", image, 0x22C, (1 << 31) - 1)
    struct.pack_into("<I", image, 0x238, 2000)
    return bytes(image) + b"\xfa\xf4\xeb\xfc"


def put_images(folder: Path) -> Path:
    """Files as `make linux` leaves them, but of no use."""
    place = folder / "images"
    place.mkdir()
    files = {"bzImage": idle_kernel(), "root.cpio": b"no files", "System.map": b""}
    for name, data in files.items():
        (place / name).write_bytes(data)
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items()]
    (place / built.STAMP).write_text(images.SOURCES.digest())
    (place / "sha256").write_text("".join(lines))
    return place


@pytest.mark.parametrize("words", [(), ("run", "ls"), ("shell", "17")])
def test_without_images_one_line_says_how_to_get_them(tmp_path: Path, words: tuple[str]) -> None:
    said = rck(tmp_path, *words)
    assert said.returncode == 66
    assert "Linux is not there" in said.stderr
    assert "make linux" in said.stderr


def test_an_image_that_was_changed_is_refused(tmp_path: Path) -> None:
    (put_images(tmp_path) / "root.cpio").write_bytes(b"other files")
    said = rck(tmp_path, "run", "ls")
    assert said.returncode == 65
    assert "root.cpio is not the file that 'make linux' wrote" in said.stderr


def test_images_of_other_sources_are_refused(tmp_path: Path) -> None:
    (put_images(tmp_path) / built.STAMP).write_text("other")
    said = rck(tmp_path, "run", "ls")
    assert said.returncode == 66
    assert "was not built from what systems/linux is now" in said.stderr


def test_sources_of_the_images_are_all_that_they_are_made_of() -> None:
    """Each pattern names files, and none of the system's own files is left out."""
    folder = built.SYSTEMS / "linux"
    found = {path for word in images.SOURCES.patterns for path in folder.glob(word)}
    assert all(any(folder.glob(word)) for word in images.SOURCES.patterns)
    parts = [path for part in ("kernel", "root") for path in (folder / part).rglob("[!.]*")]
    assert found >= {path for path in parts if path.is_file()}


def test_a_damaged_list_of_images_is_refused(tmp_path: Path) -> None:
    (put_images(tmp_path) / "sha256").write_bytes(b"\xff\n\nno digest\n")
    said = rck(tmp_path, "run", "ls")
    assert said.returncode == 65, said.stderr


def test_a_linux_that_does_not_fit_into_its_memory_says_so(tmp_path: Path) -> None:
    put_images(tmp_path)
    said = rck(tmp_path, "run", "--memory", "1M", "ls")
    assert said.returncode == 65
    assert "memory ends at 0x00100000" in said.stderr and "--memory gives it up to" in said.stderr


def test_a_boot_that_fails_leaves_no_snapshot(tmp_path: Path) -> None:
    put_images(tmp_path)
    said = rck(tmp_path, "run", "ls")
    assert said.returncode == 65
    assert "ready on 0 of 1 cores" in said.stderr
    assert list((tmp_path / "snapshots").iterdir()) == []


def test_a_panic_of_the_boot_is_told_in_its_words(tmp_path: Path) -> None:
    heard = b"[ 0.02] Kernel panic - not syncing: no memory\r\n[ 0.03] ? 0xc0174045\r\n"
    told = start.no_boot(tmp_path, 1, start.Choice((0, 1), "8M", ""), 5 * 10**10, heard)
    assert "ready on 1 of 2 cores after 0.05 simulated" in told.message
    assert "not syncing: no memory" in told.message and "0xc01" not in told.message
    assert told.hint == "--memory gives a core more memory than 8M"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("run", "-n", "49", "ls"), "1 to 48 cores"),
        (("run", "-n", "0", "ls"), "1 to 48 cores"),
        (("run", "-n", "2", "--cores", "0", "ls"), "exclude each other"),
        (("run", "--cores", "50", "ls"), "50"),
        (("run",), "COMMAND"),
        (("run", "--memory", "lots", "ls"), "--memory lots: this is no size"),
        (("run", "-n", "48", "--memory", "657M", "ls"), "--memory 657M: a core has 656M"),
        (("run", "--clocks", "800/800/800", "ls"), "--clocks"),
        (("shell", "17", "-n", "2"), "core 17 boots no Linux"),
        (("shell", "17"), "a shell needs a terminal"),
        (("-n", "2", "run", "ls"), "goes behind the command"),
        (("run", "x" * 5000), "takes 3900"),
        (("run", "é" * 2000), "takes 3900"),
        (("run", "sh", "-c", "a\nb"), "control character"),
        (("run", "--check", "races", "ls"), "--check"),
        (("run", "--chip", "rcb", "ls"), "--chip"),
        (("run", "--forward", "8080", "ls"), "not HOST:PORT=CORE:PORT"),
        (("run", "--forward", "0=rck00:80", "ls"), "there is no port 0"),
        (("run", "--forward", "8080=rck00:70000", "ls"), "there is no port 70000"),
        (("run", "--forward", "0.0.0.0:8080=rck00:80", "ls"), "no loopback address"),
        (("run", "--forward", "a.b:8080=rck00:80", "ls"), "no loopback address"),
        (("run", "--forward", "8080=rck01:80", "ls"), "core 1 boots nothing"),
        (("run", "--packets", "p", "ls"), "--packets needs --forward"),
        (("run", "--forward", "8080=0:80", "--replay-packets", "p", "ls"), "exclude each other"),
        (("run", "--forward", "8080=0:80", "--gdb", "1234", "ls"), "--gdb does not go with"),
    ],
)
def test_words_that_make_no_sense(tmp_path: Path, words: tuple[str, ...], part: str) -> None:
    put_images(tmp_path)
    said = rck(tmp_path, *words)
    assert (said.returncode, part in said.stderr) == (64, True), said.stderr


def test_a_stdin_that_cannot_be_read_is_at_its_end(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "written", os.O_WRONLY | os.O_CREAT)
    with os.fdopen(descriptor, "rb") as stdin, linux_job._kept(stdin) as kept:
        assert kept is not None and kept.read_bytes() == b""


def test_clean_removes_snapshots_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "snapshots"
    folder.mkdir()
    (folder / "1-cores-0.rck").write_bytes(bytes(10))
    (folder / "notes").touch()
    said = rck(tmp_path, "clean")
    assert (said.returncode, said.stderr) == (0, "rck: 1 snapshot removed, 0 MB\n")
    assert [path.name for path in folder.iterdir()] == ["notes"]


def test_no_kernel_and_no_root_file_system_is_in_the_repository() -> None:
    """Neither by name, nor by what files of these kinds begin with."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("no repository")
    for name in filter(None, listed.stdout.split(b"\0")):
        path = ROOT / os.fsdecode(name)
        if not path.is_file():
            continue
        assert not path.name.startswith(("bzImage", "vmlinu", "busybox")), path
        with path.open("rb") as file:
            head = file.read(0x206)
        assert head[:6] != b"070701", f"{path} is an initial file system"
        assert head[0x202:] != b"HdrS", f"{path} is a kernel"


def test_files_that_become_parts_of_linux_say_their_licence() -> None:
    for path in (SYSTEM / "kernel").glob("*/[!.]*"):
        first = path.read_text().splitlines()[0]
        assert "SPDX-License-Identifier: GPL-2.0-only" in first, path
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSES/GPL-2.0-only.txt").read_text()


def test_every_replacement_in_linux_has_a_reason_and_is_small() -> None:
    entries = tomllib.loads((SYSTEM / "linux.toml").read_text())["replace"]
    assert all(len(entry["why"]) > 20 for entry in entries)
    assert sum(entry["new"].count("\n") for entry in entries) < 20


def test_a_replacement_is_made_once_and_only_where_it_fits(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("x = old;\ny = new;\n")
    for _ in range(2):
        linux_kernel.replace(tmp_path, "a.c", "= old", "= new")
        assert (tmp_path / "a.c").read_text() == "x = new;\ny = new;\n"
    (tmp_path / "b.c").write_text("case 4:\n")
    for _ in range(2):
        linux_kernel.replace(tmp_path, "b.c", "case 4:\n", "case 5:\ncase 4:\n")
        assert (tmp_path / "b.c").read_text() == "case 5:\ncase 4:\n"
    with pytest.raises(StepError, match="not there once"):
        linux_kernel.replace(tmp_path, "b.c", "case 6:", "case 7:")


def test_a_setting_that_linux_drops_is_an_error() -> None:
    linux_kernel.check_settings("CONFIG_A=y\n# CONFIG_B is not set\n", "CONFIG_A=y\n")
    with pytest.raises(StepError, match="CONFIG_C=y"):
        linux_kernel.check_settings("CONFIG_A=y\n", "CONFIG_C=y\n")
    with pytest.raises(StepError, match="CONFIG_A is not set"):
        linux_kernel.check_settings("CONFIG_A=y\n", "# CONFIG_A is not set\n")
