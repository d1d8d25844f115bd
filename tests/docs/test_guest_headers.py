"""The header of a guest test is read as tests/guest_programs.py says."""

from __future__ import annotations

from guest_programs import read_header

HEADER = """\
// cc: -lrcce -O2
// run: -n 2 --tag none -- a 'b c'
// stdin: one
// stdin: two
// share: yes
// expect-stdout:
// first: line
//
//   indented
// expect-exit: 3
// expect-match: ^first
#include <stdio.h>
// run: not a header any more
"""


def test_header() -> None:
    header = read_header(HEADER)
    assert header.cc == ["-lrcce", "-O2"]
    assert header.options == ["-n", "2", "--tag", "none"]
    assert header.arguments == ["a", "b c"]
    assert header.stdin == "one\ntwo\n"
    assert header.share and header.exit_code == 3
    assert header.stdout == "first: line\n\n  indented\n"
    assert header.matches == ["^first"]


def test_a_file_without_a_run_line_is_no_test() -> None:
    assert read_header("// cc: -O2\nint main(void);\n") is None
