"""A small study, as the files that `rck repro` finds in a folder."""

from __future__ import annotations

PUBLISHED = """\
[a-number]
quantity = "a number"
value = 100
unit = "ns"
source = "marc-2011"
where = "nowhere"

[a-table]
quantity = "a table"
value = { near = [1, 2], far = [3, 4] }
columns = ["read", "write"]
unit = "us"
source = "marc-2011"
where = "nowhere"

[a-limit]
quantity = "a limit"
value = 10
bound = "at least"
unit = "us"
source = "marc-2011"
where = "nowhere"

[a-trend]
trend = "it rises"
source = "marc-2011"
where = "nowhere"
"""

STUDY = """\
title = "A study"
about = "Two runs."
[programs.echo]
sources = ["echo.c"]
[[runs]]
name = "echoes"
program = "echo"
cores = ["core"]
arguments = ["{word}"]
vary = { core = [0, 3], word = ["110"] }
quick = { core = [0] }
[[compare]]
published = "a-number"
[[compare]]
published = "a-trend"
"""

ANALYSIS = """\
from rockcreek.repro.findings import Answer, Findings

def analyse(runs, chip):
    told = [int(run.text) for run in runs]
    return Findings(
        values={"a-number": told[0]},
        trends={"a-trend": Answer(told == sorted(told), f"{told}")},
    )
"""

FIGURE = """\
def draw(figure, findings, known, runs):
    figure.add_subplot().plot([1, 2])
"""

PROGRAM = """\
#include <stdio.h>
int main(int argc, char **argv)
{
    puts(argv[argc - 1]);
    return 0;
}
"""
