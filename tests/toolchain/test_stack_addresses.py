"""Addresses of local variables that outlive their function are told by the compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RCK = (sys.executable, "-m", "rockcreek")
SOURCE = """\
struct list { struct list *next; };
static struct list *head, fixed;
static int *table(int n) {
    int squares[16], *p = squares;
    for (int i = 0; i < 16; i++) squares[i] = n * i * i;
    return p;
}
static void push(void) {
    struct list node = { head };
    head = &node;
}
static void result(int **out) {
    int sum = 3;
    *out = &sum;
}
static struct list *known(void) { struct list *p = &fixed; return p; }
static int *itself(int *given) { int **p = &given; return *p; }
int main(void) {
    int *three, own = 0;
    result(&three);
    push();
    return *table(2) + *three + (known() == head) + *itself(&own);
}
"""


def warned(folder: Path, *words: str) -> str:
    (folder / "s.c").write_text(SOURCE)
    line = [*RCK, "cc", *words, "s.c", "-o", "s"]
    ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True)
    return ran.stderr


def test_each_is_told_with_its_line(tmp_path: Path) -> None:
    said = warned(tmp_path)
    behind = ": it is not valid after the function has returned [-Wreturn-stack-address]"
    assert [line.removesuffix(behind).split(" warning: ") for line in said.splitlines()] == [
        ["s.c:6:5:", "the address of the local variable 'squares' is returned"],
        [
            "s.c:10:10:",
            "the address of the local variable 'node' stays in the global variable 'head'",
        ],
        [
            "s.c:14:10:",
            "the address of the local variable 'sum' stays in the variable 'three' of the caller",
        ],
    ]


def test_the_warning_can_be_left_out(tmp_path: Path) -> None:
    assert warned(tmp_path, "-Wno-return-stack-address") == ""
    assert warned(tmp_path, "-w") == ""
