"""What `rck cc` writes is there whole or not at all, and nothing else is left."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from guest_programs import RCK

MAIN = "int main(void){return 0;}\n"
EXIT_OUTPUT = 74


def cc(folder: Path, *words: str, limit: int | None = None) -> subprocess.CompletedProcess[bytes]:
    def shrink() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    return subprocess.run(
        [*RCK, "cc", *words], cwd=folder, check=False, capture_output=True, preexec_fn=shrink,
        env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.c").write_text(MAIN)
    return tmp_path


@pytest.mark.parametrize(("words", "made"), [((), "a.out"), (("-c",), "a.o"), (("-S",), "a.s")])
def test_a_full_disk_costs_nothing(folder: Path, words: tuple[str, ...], made: str) -> None:
    assert cc(folder, *words, "a.c").returncode == 0
    before = (folder / made).read_bytes()
    assert before
    # Too little for the output, at whatever step.
    for limit in (64, len(before) - 1):
        done = cc(folder, *words, "a.c", limit=limit)
        assert done.returncode not in (0, 70)
        assert any(word in done.stderr for word in (b"large", b"SIGXFSZ")), done.stderr
        assert b"Traceback" not in done.stderr
        assert (folder / made).read_bytes() == before
    assert sorted(os.listdir(folder)) == ["a.c", made, "tmp"]
    assert os.listdir(folder / "tmp") == []


def mounted(place: Path) -> bool:
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    try:
        return subprocess.run(words, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def test_a_disk_that_is_really_full(folder: Path) -> None:
    """Of 64 KiB, all taken: where an output is mapped, its writer dies by SIGBUS."""
    place = folder / "disk"
    if not mounted(place):
        pytest.skip("this user mounts nothing")
    try:
        assert cc(folder, "a.c", "-o", "disk/a").returncode == 0
        before = (place / "a").read_bytes()
        with (place / "rest").open("wb", buffering=0) as rest, pytest.raises(OSError):
            while True:
                rest.write(bytes(512))
        done = cc(folder, "a.c", "-o", "disk/a")
        assert done.returncode == EXIT_OUTPUT
        assert b"disk/a: No space left on device" in done.stderr
        assert (place / "a").read_bytes() == before
        assert sorted(os.listdir(place)) == ["a", "rest"]
    finally:
        subprocess.run(["umount", str(place)], check=False)


def test_links_devices_and_modes(folder: Path) -> None:
    (folder / "there").mkdir()
    for name, words in (("a.o", ["-c"]), ("prog", [])):
        (folder / name).symlink_to(f"there/{name}")
        (folder / "there" / name).write_text("old")
        assert cc(folder, *words, "a.c", "-o", name).returncode == 0
        assert (folder / name).is_symlink()
        assert (folder / name).read_bytes()[:4] == b"\x7fELF"
    assert os.access(folder / "prog", os.X_OK)
    assert not os.access(folder / "a.o", os.X_OK) or os.geteuid() != 0
    assert cc(folder, "-c", "a.c", "-o", "/dev/stdout").stdout[:4] == b"\x7fELF"
    assert cc(folder, "a.c", "-o", "/dev/null").returncode == 0


def test_dependencies_are_named_after_the_output(folder: Path) -> None:
    (folder / "b").mkdir()
    assert cc(folder, "-c", "-MMD", "a.c", "-o", "b/x.o").returncode == 0
    assert (folder / "b/x.d").read_text().split() == ["b/x.o:", "a.c"]
    assert cc(folder, "-c", "-MD", "-MF", "deps", "-MT", "me", "a.c").returncode == 0
    assert (folder / "deps").read_text().startswith("me: a.c")


def test_a_killed_compiler_leaves_nothing_for_long(folder: Path) -> None:
    many = "".join(f"int f{n}(int a){{return a*{n}+f{n - 1}(a);}}" for n in range(1, 30000))
    (folder / "big.c").write_text(f"int f0(int a){{return a;}}{many}")
    temporary = folder / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        [*RCK, "cc", "-O2", "-c", "big.c"], cwd=folder, start_new_session=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    while not list(temporary.glob("rck-compiles-*")):
        assert process.poll() is None
        time.sleep(0.01)
    # One that is at work keeps its folder.
    assert cc(folder, "-c", "a.c").returncode == 0
    assert list(temporary.glob("rck-compiles-*"))
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert os.listdir(temporary)
    assert cc(folder, "-c", "a.c").returncode == 0
    assert os.listdir(temporary) == []
    assert not (folder / "big.o").exists()


@pytest.mark.parametrize("more", [(), ("-c",), ("-S",)])
def test_a_source_is_no_output(folder: Path, more: tuple[str, ...]) -> None:
    (folder / "same.c").symlink_to("a.c")
    for name in ("a.c", "same.c", "./a.c"):
        done = cc(folder, *more, "a.c", "-o", name)
        assert done.returncode == 64, done.stderr
        assert b"rck cc: error: a.c: is the output, too" in done.stderr
        assert (folder / "a.c").read_text() == MAIN
