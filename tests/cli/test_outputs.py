"""What `rck` writes is there whole or not at all; devices and pipes are written in place."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from guest_programs import RCK, ROOT, compile_program
from rockcreek import outputs
from rockcreek.errors import OutputError
from rockcreek.outputs import Output, Outputs, write_whole
from rockcreek.running.options import OUTPUTS

# `--packets` is an option of `rck linux` alone.
OPTIONS = {name: f"--{name.replace('_', '-')}" for name in OUTPUTS if name != "packets"} | {
    "page": "--view"
}
EXIT_OUTPUT = 74


@pytest.fixture(params=["nameless", "named"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to begin a file: without a name, and on hosts that know no such files."""
    if request.param == "named":
        monkeypatch.setattr(outputs, "_nameless", lambda *_: None)
    return str(request.param)


def hello() -> Path:
    return compile_program(ROOT / "examples/hello/hello.c", ["-lrcce"])


def rck(*words: object, limit: int | None = None, **more: object) -> subprocess.CompletedProcess:
    def shrink() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [*RCK, *map(str, words)],
        preexec_fn=shrink, check=False, **{"text": True, "capture_output": True, **more},
    )  # fmt: skip


def everything(folder: Path) -> list[str]:
    """A run with every output there is, into this folder."""
    outputs = [word for name in OPTIONS for word in (OPTIONS[name], str(folder / name))]
    return ["run", "-q", "--force", "--check", "coherence", *outputs, str(hello())]


def test_a_whole_file_takes_the_place_of_the_old_one(way: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, "old")
    path.chmod(0o640)
    with Output(path, force=True) as output:
        output.write("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a"]


def test_a_failure_leaves_what_was_there(way: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def fail() -> None:
        with Output(path, force=True) as output:
            output.write("new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_nothing_is_replaced_without_force(way: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    late = Output(path)
    late.write("late")
    write_whole(path, "first")
    with pytest.raises(OutputError, match="exists now"):
        late.finish()
    with pytest.raises(OutputError, match="exists already"):
        Output(path)
    assert path.read_text() == "first"
    assert os.listdir(tmp_path) == ["a"]


def test_links_are_followed(way: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link, second = tmp_path / "there/file", tmp_path / "link", tmp_path / "second"
    link.symlink_to("there/file")
    second.symlink_to(link)
    write_whole(second, "begun")
    with pytest.raises(OutputError, match="exists already"):
        write_whole(link, "not this")
    write_whole(link, "whole", force=True)
    assert link.is_symlink() and second.is_symlink()
    assert target.read_text() == "whole"
    assert os.listdir(tmp_path / "there") == ["file"]


def test_links_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OutputError, match="symbolic links"):
        Output(tmp_path / "a")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "its folder does not exist"),
        ("nowhere/a", "its folder does not exist"),
        (".", "is a folder"),
        ("a\0b", "null"),
        ("file/a", "Not a directory"),
        ("x" * 300, "too long"),
    ],
)
def test_places_that_cannot_be(name: str, says: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=says):
        Output(name)


def test_one_file_for_two_outputs(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(OutputError, match="named twice"):
        Outputs({"json": tmp_path / "a", "trace": tmp_path / "link"})
    assert os.listdir(tmp_path) == ["link"]


def test_a_device_is_written_in_place(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        write_whole(device, "into nothing")
    except (PermissionError, OutputError):
        pytest.skip("this user or file system makes no devices")
    done = rck("run", "-q", "--save", device, "--json", device, hello())
    assert (done.returncode, done.stderr) == (0, "")
    assert stat.S_ISCHR(device.stat().st_mode)


def test_every_output_may_be_a_pipe(tmp_path: Path) -> None:
    found: dict[str, bytes] = {}

    def read(name: str) -> None:
        found[name] = (tmp_path / name).read_bytes()

    readers = [threading.Thread(target=read, args=(name,), daemon=True) for name in OPTIONS]
    for name, reader in zip(OPTIONS, readers, strict=True):
        os.mkfifo(tmp_path / name)
        reader.start()
    done = rck(*everything(tmp_path))
    assert done.returncode == 0, done.stderr
    for reader in readers:
        reader.join(10)
    assert {name for name, data in found.items() if data} == set(OPTIONS)
    assert json.loads(found["json"])["end"] == "exited"
    assert all(stat.S_ISFIFO((tmp_path / name).stat().st_mode) for name in OPTIONS)


def test_a_core_file_may_be_a_pipe(tmp_path: Path) -> None:
    """A core file is written out of order; a pipe takes bytes in their order only."""
    snapshot, whole = tmp_path / "snapshot", tmp_path / "core"
    assert rck("run", "-q", "--until", "400us", "--save", snapshot, hello()).returncode == 0
    dump = ("dump", snapshot, "--core", "0", "--output")
    assert rck(*dump, whole).returncode == 0
    piped = rck(*dump, "/dev/stdout", text=False)
    assert piped.returncode == 0
    assert piped.stdout == whole.read_bytes()


def test_standard_output_is_written_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("w") as out:
        out.write("before\n")
        out.flush()
        done = rck(
            "run", "-q", "--json", "/dev/stdout", hello(),
            capture_output=False, stdout=out, stderr=subprocess.PIPE,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    first, guest, text = path.read_text().split("\n", 2)
    assert (first, guest) == ("before", "Hello from UE 0 of 1")
    assert json.loads(text)["exit_code"] == 0


def test_a_full_disk_costs_no_old_file(tmp_path: Path) -> None:
    """Files may grow to a few bytes only: each output fails, none is there in part."""
    for name in OPTIONS:
        (tmp_path / name).write_text("old")
    words = everything(tmp_path)
    # A commit log is begun before the run, which ends there.
    at = words.index("--commit-log")
    for line, said in ((words, ""), (words[:at] + words[at + 2 :], "Hello from UE 0 of 1\n")):
        done = rck(*line, limit=8)
        assert (done.returncode, done.stdout) == (EXIT_OUTPUT, said)
        failed = ["commit_log"] if line is words else set(OPTIONS) - {"commit_log"}
        assert done.stderr.count("File too large") == len(failed), done.stderr
        assert all(f"rck: {tmp_path / name}: File too large" in done.stderr for name in failed)
        assert {(tmp_path / name).read_text() for name in OPTIONS} == {"old"}
        assert sorted(os.listdir(tmp_path)) == sorted(OPTIONS)


def test_one_failure_spoils_no_other_output(tmp_path: Path) -> None:
    done = rck(
        "run", "-q", "--trace", "/dev/full", "--json", tmp_path / "json",
        "--flame", tmp_path / "flame", hello(),
    )  # fmt: skip
    assert done.returncode == EXIT_OUTPUT
    assert "rck: /dev/full: No space left on device" in done.stderr
    assert json.loads((tmp_path / "json").read_text())["end"] == "exited"
    assert (tmp_path / "flame").read_text()


def test_outputs_are_refused_before_the_run(tmp_path: Path) -> None:
    for option in OPTIONS.values():
        extra = ["--check", "coherence"] if "check" in option else []
        done = rck("run", "-q", *extra, option, tmp_path / "no/file", hello())
        assert (done.returncode, done.stdout) == (EXIT_OUTPUT, ""), option
        assert "its folder does not exist" in done.stderr


def test_a_killed_run_leaves_nothing(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*RCK, "run", "--gdb", "127.0.0.1:0", *everything(tmp_path)[1:]],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    said = process.stderr.readline()
    process.kill()
    process.wait()
    assert "gdb" in said
    assert os.listdir(tmp_path) == []
