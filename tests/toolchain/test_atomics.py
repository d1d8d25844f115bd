"""Calls in the place of atomic operations (rockcreek.toolchain.code.atomics), line by line."""

from __future__ import annotations

import pytest

from rockcreek.toolchain.code import atomics

AT = "getelementptr inbounds nuw (i8, ptr @table, i32 4)"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("  %4 = atomicrmw add ptr %1, i32 1 seq_cst, align 4, !dbg !7",
         "call i64 @crf_atomic_modify(ptr %1, i32 4, i32 0, i64 %crf.0, i32 3), !dbg !7"),
        (f"  %4 = atomicrmw volatile umin ptr {AT}, i64 %2 acquire, align 8",
         f"call i64 @crf_atomic_modify(ptr {AT}, i32 8, i32 10, i64 %2, i32 1)"),
        ("  %4 = atomicrmw fadd ptr %1, double 1.5e+00 monotonic, align 8",
         "  %4 = call double @crf_atomic_modify_real(ptr %1, i32 8, i32 0, double 1.5e+00, i32 0)"),
        ("  %4 = atomicrmw xchg ptr %1, ptr null release, align 4",
         "ptrtoint ptr null to i32"),
        ("  %4 = cmpxchg weak ptr %1, i8 0, i8 1 acq_rel monotonic, align 1",
         "insertvalue { i8, i1 } poison, i8 %crf.4, 0"),
        ("  %4 = load atomic float, ptr @x unordered, align 4, !tbaa !9",
         "  %4 = bitcast i32 %crf.1 to float"),
        ("  store atomic i16 7, ptr %1 syncscope(\"agent\") release, align 2",
         "call i64 @crf_atomic_modify(ptr %1, i32 2, i32 6, i64 %crf.0, i32 2)"),
        ("  fence seq_cst", "  call void @crf_atomic_fence(i32 3)"),
    ],
)  # fmt: skip
def test_operations(line: str, words: str) -> None:
    assert atomics.present(line)
    text = atomics.replace(line)
    assert words in text
    assert not atomics.present(text)


@pytest.mark.parametrize(
    "line",
    [
        '  fence syncscope("singlethread") seq_cst',  # for signals of the core itself
        "  %4 = load atomic i128, ptr %1 seq_cst, align 4",  # code generation calls for it
        "  %4 = load i32, ptr %1, align 4",
    ],
)
def test_lines_that_stay(line: str) -> None:
    assert atomics.replace(line).split("\n")[0] == line


def test_what_has_no_call_is_told() -> None:
    with pytest.raises(atomics.Unknown, match="usub_cond"):
        atomics.replace("  %4 = atomicrmw usub_cond ptr %1, i32 1 seq_cst, align 4")
