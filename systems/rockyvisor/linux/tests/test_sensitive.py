"""Which instructions of a kernel are replaced, by what, and what a bzImage must be."""

from __future__ import annotations

import gzip
import lzma
import struct
from collections.abc import Callable

import pytest

from guest_kernels import AT, elf, image
from rockcreek.smp import kernel_file, sensitive
from rockcreek.smp.kernel_file import KernelError
from rockcreek.smp.sensitive import CannotPatchError, Symbols

# What the assembler makes of one instruction, and what is put in its place.
REPLACED = {
    "iret": ("cf", "6e"),
    "popf": ("9d", "6c"),
    "sgdt [eax]": ("0f 01 00", "0f a7 00"),
    "sidt [esp+4]": ("0f 01 4c 24 04", "0f a7 4c 24 04"),
    "smsw ax": ("66 0f 01 e0", "66 0f a7 e0"),
    "sldt ax": ("66 0f 00 c0", "66 0f 04 c0"),
    "str fs:[eax]": ("64 0f 00 08", "64 0f 04 08"),
    "verr ax": ("0f 00 e0", "0f 04 e0"),
    "verw [0xc0123456]": ("0f 00 2d 56 34 12 c0", "0f 04 2d 56 34 12 c0"),
    "lar eax, ecx": ("0f 02 c1", "0f 05 c1"),
    "lsl eax, ecx": ("0f 03 c1", "0f 07 c1"),
    "cpuid": ("0f a2", "0f a6"),
    "pause": ("f3 90", "0f 0c"),
}
# These trap by themselves, or show nothing of ring 0.
KEPT = {
    "lgdt [eax]": "0f 01 10",
    "lidt [eax]": "0f 01 18",
    "lmsw ax": "0f 01 f0",
    "invlpg [eax]": "0f 01 38",
    "lldt ax": "0f 00 d0",
    "ltr ax": "0f 00 d8",
    "cli": "fa",
    "hlt": "f4",
    "mov cr0, eax": "0f 22 c0",
    "rep insb": "f3 6c",
    "rep outsb": "f3 6e",
    "mov eax, ds": "8c d8",
    "mov ss, eax": "8e d0",
    "push ds": "1e",
    "call": "e8 0f 01 00 00",
    "mov eax, 0xcf9d": "b8 9d cf 00 00",
}


@pytest.mark.parametrize("name", REPLACED)
def test_an_instruction_that_does_not_trap_is_replaced(name: str) -> None:
    before, after = (bytes.fromhex(text) for text in REPLACED[name])
    # Between two others, so that what is found is no accident of where decoding begins.
    (site,) = sensitive.find(b"\x40" + before + b"\x40", AT)
    assert (site.address, site.before, site.after) == (AT + 1, before, after)
    assert site.is_replaced


@pytest.mark.parametrize("name", KEPT)
def test_every_other_instruction_stays(name: str) -> None:
    assert list(sensitive.find(bytes.fromhex(KEPT[name]), AT)) == []


@pytest.mark.parametrize("code", ["9c", "8c c8", "0e", "16", "8c d0"])
def test_what_linux_can_bear_is_found_and_left(code: str) -> None:
    (site,) = sensitive.find(bytes.fromhex(code), AT)
    assert site.mnemonic in sensitive.LEFT
    assert not site.is_replaced


def test_replacements_say_what_was_there() -> None:
    """No two instructions become one, and none becomes what may be in a kernel anyway."""
    after = [sensitive.replacement(bytes.fromhex(before)) for before, _ in REPLACED.values()]
    assert len(set(after)) == len(REPLACED)
    for code in after:
        assert code not in (bytes.fromhex(before) for before, _ in REPLACED.values())


@pytest.mark.parametrize("code", ["66 cf", "66 9d", "6c", "6e"])
def test_what_cannot_be_told_apart_is_refused(code: str) -> None:
    with pytest.raises(CannotPatchError):
        list(sensitive.find(bytes.fromhex(code), AT))


def test_data_between_functions_hides_nothing() -> None:
    """B8 takes the next four bytes with it, unless a symbol says that code begins there."""
    code = bytes.fromhex("c3 b8 cf 90 90 90")
    assert list(sensitive.find(code, AT)) == []
    (site,) = sensitive.find(code, AT, Symbols((AT, AT + 2), ("before", "after")))
    assert (site.address, site.symbol) == (AT + 2, "after")


def without_sections(file: bytes) -> bytes:
    """As `strip --strip-section-headers` leaves it."""
    return file[:32] + bytes(4) + file[36:46] + bytes(6) + file[52:]


def compressed(file: bytes) -> bytes:
    """The file whose code's section says (SHF_COMPRESSED) that it must be unpacked."""
    kind, flags = struct.pack("<III", 1, 1, 6), struct.pack("<III", 1, 1, 0x806)
    assert file.count(kind) == 1
    return file.replace(kind, flags)


CODE = bytes.fromhex("fb 0f 01 00 cf")
CMOV = bytes.fromhex("0f 44 c1")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_kernel_is_unpacked_and_changed(pack: Callable[[bytes], bytes]) -> None:
    read = kernel_file.read(image(pack(elf(CODE))))
    assert read.image[1024:] == bytes.fromhex("fb 0f a7 00 6e").ljust(16, b"\0")
    assert [site.address - AT for site in read.sites] == [1, 4]


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "no bzImage"),
        (b"\x7fELF" + bytes(2000), "no bzImage"),
        (image(gzip.compress(elf(CODE)), version="6.1.0 #1 2010"), "one processor"),
        (image(gzip.compress(elf(CODE)), protocol=0x207), "older than 2.08"),
        (image(gzip.compress(elf(CODE)))[:-4], "ends before"),
        (image(b""), "ends before"),
        (image(b"\x02\x21L\x18" + bytes(64)), "CONFIG_KERNEL_GZIP"),
        (image(gzip.compress(elf(CODE))[:-30] + bytes(30)), "damaged|no ELF|cannot run"),
        (image(gzip.compress(b"no kernel")), "no ELF"),
        (image(gzip.compress(elf(CODE)[:60])), "cannot run"),
        (image(gzip.compress(elf(CODE)[:4])), "ends before its header"),
        (image(gzip.compress(elf(CODE)[:51])), "ends before its header"),
        (image(gzip.compress(elf(CODE))[:-12]), "ends too early"),
        (image(lzma.compress(elf(CODE))[:-12]), "ends too early"),
        (image(gzip.compress(without_sections(elf(CODE)))), "no sections with code"),
        (image(gzip.compress(compressed(elf(bytes(20))))), "compressed code"),
        (image(gzip.compress(elf(CODE, machine=62))), "32-bit"),
        (image(gzip.compress(elf(CODE, entry=0x100004))), "entered at"),
        (image(gzip.compress(elf(b"\x6c"))), "lone INSB"),
        (image(gzip.compress(elf(CMOV * 17))), "needs CMOV, .*the first at 0xc0100000"),
    ],
)
def test_another_file_is_refused_by_what_it_lacks(data: bytes, part: str) -> None:
    with pytest.raises(KernelError, match=part):
        kernel_file.read(data)


def test_a_few_cmovs_may_be_data() -> None:
    sites = kernel_file.read(image(gzip.compress(elf(CMOV * 16)))).sites
    assert [site.mnemonic for site in sites] == ["CMOV"] * 16
    assert not any(site.is_replaced for site in sites)


def test_an_image_cut_anywhere_is_refused() -> None:
    whole = image(gzip.compress(elf(CODE)))
    for length in range(0, len(whole), 7):
        with pytest.raises(KernelError):
            kernel_file.read(whole[:length])
