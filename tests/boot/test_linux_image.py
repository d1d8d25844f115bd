"""`rck boot bzImage`: a kernel of Linux's 32-bit boot protocol prints what it was given."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from elftools.elf.elffile import ELFFile

import ready
from rockcreek import resources
from rockcreek.booting import linux_image
from rockcreek.booting.linux_image import Start, wrap
from rockcreek.cli.app import app
from rockcreek.errors import RockcreekError

Boot = Callable[..., subprocess.CompletedProcess[str]]
FOLDER = Path(__file__).with_name("kernels")
MEGABYTE = 1 << 20
VERSION = 0x020F


def header(version: int = VERSION, *, flags: int = 1, init_size: int = MEGABYTE) -> bytearray:
    """A boot sector and one sector of setup code, both empty but for the setup header."""
    image = bytearray(1024)
    image[0x1F1] = 1  # sectors of setup code
    image[0x1FE:0x200] = b"\x55\xaa"
    image[0x200:0x202] = b"\xeb\x6a"  # a jump: where the header ends
    struct.pack_into("<4sH", image, 0x202, b"HdrS", version)
    image[0x211] = flags
    struct.pack_into("<I", image, 0x214, linux_image.KERNEL)
    struct.pack_into("<I", image, 0x22C, 0x7FFFFFFF)
    struct.pack_into("<I", image, 0x238, 2047)
    struct.pack_into("<I", image, 0x260, init_size)
    return image


@pytest.fixture(scope="module")
def bzimage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """linux.c behind a setup header."""
    folder = tmp_path_factory.mktemp("linux")
    elf = folder / "linux.elf"
    sources = [FOLDER / "linux.S", FOLDER / "linux.c"]
    flags = ["-nostdlib", "-ffreestanding", "-O1", "-T", FOLDER / "linux.ld", "-Wl,-e,start"]
    ready.rck("cc", *flags, *sources, "-o", elf, check=True)
    with elf.open("rb") as file:
        text = ELFFile(file).get_section_by_name(".text").data()
    path = folder / "bzImage"
    path.write_bytes(bytes(header()) + text)
    return path


def test_what_a_kernel_is_given(boot: Boot, bzimage: Path, tmp_path: Path) -> None:
    initrd = tmp_path / "root.cpio"
    initrd.write_text("a file system")
    told = boot(
        bzimage, "--initrd", initrd, "--append", "console=ttyS0 quiet", "--platform", "scc",
        "--memory", "64M", "--cores", "47", "--tag", "none",
    )  # fmt: skip
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines() == [
        "header, registers right",
        "loader 255",
        "platform 5",
        "command line console=ttyS0 quiet",
        "initrd a file system",
        "memory from 0",
        f"bytes {0x9F000}",
        f"memory from {MEGABYTE}",
        f"bytes {63 * MEGABYTE}",
        f"above 1 MB, KB {63 << 10}",
        "initrd page 0",
    ]


def test_memory_is_what_the_lut_shows(boot: Boot, bzimage: Path) -> None:
    """A core of the SCC has 41 private slots of 16 MB."""
    told = boot(bzimage, "--cores", "0,13")
    for core in ("00", "13"):
        assert f"[{core}] bytes {(41 * 16 - 1) * MEGABYTE}\n" in told.stdout
        assert f"[{core}] platform 0\n" in told.stdout


def test_a_plan_gives_each_kernel_its_own_line(boot: Boot, bzimage: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    part = f'[[boot]]\ncores = "5"\nkernel = "{bzimage}"\nappend = "own={{core}}"\n'
    plan.write_text(part)
    told = boot("--plan", plan)
    assert "command line own=5\n" in told.stdout
    plan.write_text(f'{part}modules = ["{bzimage}"]\n')
    told = boot("--plan", plan)
    assert told.returncode == 64
    assert "modules of core 5: a bzImage takes no modules" in told.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--module", "FILE"], "takes no modules"),
        (["--platform", "pdp11"], "no such platform"),
        (["--memory", "lots"], "no size"),
        (["--memory", "1M"], "memory ends at"),
        (["--append", "x" * 3000], "takes a command line of 2047 bytes"),
    ],
)
def test_what_cannot_be(bzimage: Path, arguments: list[str], words: str) -> None:
    refused(words, bzimage, *[str(bzimage) if a == "FILE" else a for a in arguments])


def test_options_of_linux_are_for_linux() -> None:
    refused("no kernel here is a bzImage", resources.GUEST / "testrom.elf", "--platform", "scc")


def refused(words: str, kernel: Path, *options: str) -> None:
    """`rck boot` ends before anything runs, with these words and a hint."""
    command = ["boot", "--cores", "0", str(kernel), *options]
    error = CliRunner().invoke(app, command, standalone_mode=False).exception
    assert isinstance(error, RockcreekError) and error.exit_code in (64, 65)
    assert words in str(error) and error.hint


@pytest.mark.parametrize(
    ("image", "start", "words"),
    [
        (header(flags=0) + b"k", Start(), "zImage"),
        (header(0x0201) + b"k", Start(), "2.02 is the oldest"),
        (header(), Start(), "ends before"),
        (header(0x0206) + b"k", Start(platform=5), "older than 2.07"),
        (header(init_size=64 * MEGABYTE) + b"k", Start(), "needs 67,108,864 bytes"),
        (header() + b"k", Start(initrd=bytes(63 * MEGABYTE)), "do not fit"),
    ],
)
def test_images_that_cannot_start(image: bytearray, start: Start, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wrap(bytes(image), start, 64 * MEGABYTE)


def test_the_initial_file_system_lies_as_high_as_the_header_allows() -> None:
    image = header()
    struct.pack_into("<I", image, 0x22C, 32 * MEGABYTE - 1)
    made = wrap(bytes(image) + b"kernel", Start(initrd=b"x" * 5000), 64 * MEGABYTE)
    places = {struct.unpack_from("<I", made, 52 + 32 * n + 12)[0] for n in range(made[44])}
    assert max(places) == 32 * MEGABYTE - 8192
