"""A class of thirty: `write` makes its submissions, each with what must become of it.

Four ways to add numbers, each in several sizes, honest mistakes, and two submissions that attack:
one its compiler, one the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rockcreek.lessons import exercise

_HEAD = "#include <RCCE.h>\n#include <stdio.h>\n#include <string.h>\n"
_SUM = """\
static volatile unsigned sum;
int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), all = RCCE_num_ues();
    LOOP
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        puts("done");
    RCCE_finalize();
    return 0;
}
"""
_LOOPS = {
    "cyclic": "for (unsigned n = me; n < SIZE; n += all) sum += n;",
    "blocks": "for (unsigned n = SIZE / all * me; n < SIZE / all * (me + 1); n++) sum += n;",
    "alone": "if (me == 0) for (unsigned n = 0; n < SIZE; n++) sum += n;",
    "all": "for (unsigned n = 0; n < SIZE; n++) sum += n;",
}
_MISTAKES = {
    "deadlock": "char data[32]; RCCE_recv(data, 32, (me + 1) % all);",
    "endless": "for (;;) sum++;",
    "null": "*(volatile int *)8 = me;",
    "wrong": 'if (me == 0) puts("forty-two");',
    "code": "if (me == 0) return 3;",
}
_TO_COMPILER = """\
#include "/etc/passwd"
__asm__(".incbin \\"/etc/hostname\\"");
__asm__(".incbin \\"../../../../etc/passwd\\"");
#include __FILE__
int main(void) { return 0; }
"""
# What a program may try: files of the host, memory without end, output without end.
_AT_RUN = """\
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    const char *paths[] = {"/etc/passwd", "../../etc/passwd", "/proc/self/mem", "many.json"};
    for (unsigned n = 0; n < sizeof paths / sizeof *paths; n++) {
        char text[64];
        int file = open(paths[n], O_RDONLY);
        if (file >= 0 && read(file, text, sizeof text) > 0)
            puts("STOLEN");
        if ((file = open(paths[n], O_WRONLY | O_CREAT, 0666)) >= 0 && write(file, "x", 1) == 1)
            puts("WRITTEN");
    }
    for (char *block; (block = malloc(1 << 20)) != NULL;)
        memset(block, 1, 1 << 20);
    for (;;)
        puts("\\033]0;owned\\007 and more and more and more and more and more and more");
}
"""


@dataclass(frozen=True)
class Expected:
    """What must become of a submission: ends, or none where it must not be built."""

    name: str
    ends: tuple[str, ...] = ("exited",)
    exit_code: int | None = None
    output: str = "same"
    speed_up: tuple[float, float] | None = None
    findings: bool = False


def write(folder: Path) -> list[Expected]:
    """All thirty into a folder."""
    expected = []

    def add(text: str, one: Expected) -> None:
        (folder / one.name).write_text(text)
        expected.append(one)

    for size in (100_000, 150_000, 200_000, 250_000, 300_000):
        for kind, loop in _LOOPS.items():
            text = _HEAD + _SUM.replace("LOOP", loop).replace("SIZE", str(size))
            shared = kind in ("cyclic", "blocks")
            limits = (1.3, 4.2) if shared else (0.5, 1.1)
            add(text, Expected(f"{kind}{size}.c", exit_code=0, speed_up=limits))
    mistake = {name: _HEAD + _SUM.replace("LOOP", text) for name, text in _MISTAKES.items()}
    add(mistake["deadlock"], Expected("deadlock.c", ("deadlock",), output="differs"))
    add(mistake["endless"], Expected("endless.c", ("timeout",), output="differs"))
    add(mistake["null"], Expected("null.c", ("fault", "exited"), output="differs"))
    add(mistake["wrong"], Expected("wrong.c", exit_code=0, output="differs"))
    add(mistake["code"], Expected("code.c", ("exited", "deadlock"), output="differs"))
    stale = exercise.named("stale").program.read_text()
    add(stale, Expected("stale.c", exit_code=0, output="differs", findings=True))
    add("int main(void) {\n", Expected("syntax.c", ()))
    add("/* nothing */\n", Expected("empty.c", ()))
    add(_TO_COMPILER, Expected("evil_source.c", ()))
    endings = ("timeout", "fault", "output-failed", "exited", "")
    add(_AT_RUN, Expected("evil_run.c", endings, output="differs"))
    return expected
