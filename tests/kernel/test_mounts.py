"""Folders that the guests read besides the shared one (`rck run --mount`)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import ready

HERE = Path(__file__).resolve().parent
READ_ONLY = (
    "write", "cut", "make", "by a link", "mkdir", "unlink", "move there", "move from there",
    "chmod", "fchmod", "duplicate",
)  # fmt: skip


def rck(*words: str) -> subprocess.CompletedProcess[str]:
    return ready.rck(*words)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("mounts") / "mounts")
    said = rck("cc", "-O1", str(HERE / "mounts.c"), "-o", path)
    assert said.returncode == 0, said.stderr
    return path


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    made = {name: tmp_path / name for name in ("share", "lib", "more")}
    for path in made.values():
        path.mkdir()
    (made["share"] / "lib").mkdir()
    (made["share"] / "lib/text").write_text("hidden")
    (made["share"] / "library").write_text("of the share")
    (made["share"] / "into").symlink_to("lib/text")
    (made["lib"] / "text").write_text("of lib")
    (made["lib"] / "deep").mkdir()
    (made["lib"] / "deep/inner").write_text("deep in lib")
    (made["more"] / "text").write_text("of more")
    return made


@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_mounted_folders_are_read_and_never_changed(
    program: str, folders: dict[str, Path], sandbox: str
) -> None:
    before = {path: path.read_text() for path in folders["lib"].rglob("*") if path.is_file()}
    mounts = [f"--mount={folders[name]}=/{name}" for name in ("lib", "more")]
    share = f"--share={folders['share']}"
    ran = rck("run", "-q", "--sandbox", sandbox, share, *mounts, program)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [
        "/lib/text: of lib",
        "/lib/deep/inner: deep in lib",
        "/library: of the share",
        "/into: of lib",
        "/lib/none: No such file or directory",
        "/more/text: of more",
        "stat: done",
        "/lib/deep/inner",
        "2 names",
        "chdir: done",
        "inner: deep in lib",
        "../text: of lib",
        # What is moved is looked for first: there is none of this name.
        *(f"{what}: Read-only file system" for what in READ_ONLY),
        "own: done",
    ]
    assert {p: p.read_text() for p in folders["lib"].rglob("*") if p.is_file()} == before


def test_mounts_need_no_shared_folder(program: str, folders: dict[str, Path]) -> None:
    ran = rck("run", "-q", "--mount", f"{folders['lib']}=/lib", program)
    assert "/lib/deep/inner: deep in lib" in ran.stdout
    assert "/library: No such file" in ran.stdout


def test_a_snapshot_has_the_mounts(program: str, folders: dict[str, Path], tmp_path: Path) -> None:
    saved = str(tmp_path / "s.rck")
    mount = f"{folders['lib']}=/lib"
    first = rck("run", "-q", "--mount", mount, "--until", "300us", "--save", saved, program)
    rest = rck("run", "-q", "--restore", saved)
    whole = rck("run", "-q", "--mount", mount, program)
    assert Path(saved).is_file()
    assert first.stdout + rest.stdout == whole.stdout

    shutil.copytree(folders["lib"], tmp_path / "other")
    (tmp_path / "other/text").write_text("of the other")
    there = rck("run", "-q", "--restore", saved, "--mount", f"{tmp_path}/other=/lib")
    assert "/lib/text: of the other" in there.stdout
    assert there.stdout == rest.stdout.replace("of lib", "of the other")
    refused = rck("run", "--restore", saved, "--mount", f"{tmp_path}/other=/more")
    assert (refused.returncode, "has no /more" in refused.stderr) == (64, True)


@pytest.mark.parametrize(
    ("mounts", "code", "says"),
    [
        (["{}"], 64, "not of the form DIR=/NAME"),
        (["{}=lib"], 64, "not of the form DIR=/NAME"),
        (["{}=/a/b"], 64, "not of the form DIR=/NAME"),
        (["{}=/.."], 64, "not of the form DIR=/NAME"),
        (["{}=/dev"], 64, "/dev is the kernel's"),
        (["{}=/a", "{}=/a"], 64, "/a is another folder already"),
        (["{}/none=/a"], 66, "No such file or directory"),
        ([f"{{}}=/m{n}" for n in range(16)], 64, "15 at most"),
    ],
)
def test_mounts_that_cannot_be(
    program: str, tmp_path: Path, mounts: list[str], code: int, says: str
) -> None:
    words = [word for text in mounts for word in ("--mount", text.format(tmp_path))]
    said = rck("run", *words, program)
    assert (said.returncode, says in said.stderr) == (code, True), said.stderr
