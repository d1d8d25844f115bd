"""What a wheel carries of others is listed with its licence, and each licence was looked at."""

from __future__ import annotations

import tomllib

import pytest
from scripts import licences

from guest_programs import ROOT


@pytest.fixture(scope="module")
def listed() -> str:
    return (ROOT / "THIRD_PARTY_LICENSES.txt").read_text(encoding="utf-8")


def test_the_list_is_complete_and_has_nothing_else(listed: str) -> None:
    assert listed == licences.document(), "write it anew: .venv/bin/python scripts/licences.py"


def test_every_licence_was_looked_at() -> None:
    assert licences.strangers() == []


def test_a_stranger_would_be_seen() -> None:
    assert not licences.Part("x", "1", "MIT OR AGPL-3.0").words <= licences.ALLOWED


def test_the_wheel_carries_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    files = ["LICENSE", "NOTICE", "THIRD_PARTY_LICENSES.txt"]
    assert project["license-files"] == files
    assert all((ROOT / name).is_file() for name in files)


def test_the_guest_is_linked_with_nothing_else() -> None:
    """A library of the sysroot is of this project, or of the parts that are listed."""
    others = {"libc", "libc++", "libc++abi", "libunwind", "libcompiler_rt", "libzigc"}
    sysroot = ROOT / "python/rockcreek/_guest/sysroot/lib"
    # Archives without members, which other tool chains have by these names.
    empty = {path.stem for path in sysroot.glob("*.a") if path.stat().st_size < 100}
    own = {"libm"}
    for path in (*ROOT.glob("guest/*/guest.toml"), *ROOT.glob("systems/*/guest.toml")):
        outputs = tomllib.loads(path.read_text()).get("output", [])
        own |= {one["path"].rpartition("/")[2].removesuffix(".a") for one in outputs}
    found = {path.stem for path in sysroot.glob("*.a")}
    assert found - empty - own == others
