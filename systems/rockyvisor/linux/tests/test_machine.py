"""What `rck smp` gives the hypervisor, and which machines it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rockcreek.errors import InputError, UsageError
from rockcreek.smp.kernel_file import Kernel
from rockcreek.smp.machine import BUILT_FOR, HERTZ, Machine, read_initrd, read_kernel

CHIP = 48


def machine(**given: Any) -> Machine:
    return Machine(Kernel(b"", (), "6.1.0"), b"", "", **given)


def test_the_hypervisor_gets_numbers_of_cores() -> None:
    every = ",".join(map(str, range(CHIP)))
    assert machine(cores="all").options(CHIP) == f"cores={every} vcpus=1 memory=32"
    given = machine(
        cores="0,4-6", processors=2, memory=48, reports=True, lists_pages=True, asks_for_input=True
    )
    assert given.options(CHIP) == "cores=0,4,5,6 vcpus=2 memory=48 report pages input"


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"memory": 1}, "--memory"),
        ({"memory": 49}, "--memory"),
        ({"processors": 0}, "--vcpus"),
        ({"processors": 5}, "--vcpus"),
        ({"processors": -1}, "--vcpus"),
    ],
)
def test_a_machine_that_cannot_be_is_refused(given: dict[str, int], option: str) -> None:
    with pytest.raises(UsageError, match=option):
        machine(**given)


def test_more_processors_than_the_kernel_was_built_for() -> None:
    with pytest.raises(UsageError, match="are 96 processors; the kernel was built for 48"):
        machine(cores="all", processors=2, hertz=HERTZ).options(CHIP)
    assert machine(cores="all", processors=2).options(CHIP).endswith("vcpus=2 memory=32")


def test_the_kernel_of_make_smp_linux_is_built_for_as_many_as_is_said() -> None:
    settings = (Path(__file__).parents[1] / "smp.config").read_text()
    assert f"CONFIG_NR_CPUS={BUILT_FOR}\n" in settings
    assert f"CONFIG_HZ_{HERTZ}=y\n" in settings


@pytest.mark.parametrize("cores", ["5-3", "0-48", "1,1", ""])
def test_cores_that_the_chip_has_not(cores: str) -> None:
    with pytest.raises(UsageError, match="--cores"):
        machine(cores=cores).options(CHIP)


def test_an_initial_file_system_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("none")
    with pytest.raises(InputError, match="neither a cpio archive nor packed"):
        read_initrd(str(tmp_path / "text"))
    (tmp_path / "cpio").write_bytes(b"070701")
    assert read_initrd(str(tmp_path / "cpio")) == b"070701"
    assert read_initrd(None) == b""


def test_a_map_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "map").write_text("see T x\n")
    with pytest.raises(InputError, match=r"is no System\.map"):
        read_kernel(str(tmp_path / "bzImage"), str(tmp_path / "map"))
