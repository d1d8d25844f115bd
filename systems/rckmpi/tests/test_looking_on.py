"""`--messages` and the message calls of MPI's channel, without MPI."""

from __future__ import annotations

from pathlib import Path

import rockcreek
from rockcreek.toolchain import cc_main

PROGRAM = """
#include "rckmpi.h"

int main(void)
{
    int rank, size;

    rckmpi_job(&rank, &size);
    if (rank == 0) {
        rckmpi_message_sent(rckmpi_core(1), 100, 7, 0);
        rckmpi_message_sent(rckmpi_core(1), 0, 7, 0);
        /* Odd contexts are those of collectives. */
        rckmpi_message_sent(rckmpi_core(2), 4000, 7, 1);
    }
    return 0;
}
"""


def test_messages_go_to_ranks_and_may_be_empty(tmp_path: Path) -> None:
    source, program = tmp_path / "sends.c", tmp_path / "sends"
    source.write_text(PROGRAM)
    assert cc_main(["-O2", str(source), "-lrckmpi", "-lrcce", "-o", str(program)]) == 0
    seen = rockcreek.run(program, cores=[5, 9, 30], messages=True).messages
    assert seen is not None
    assert seen["messages"] == [
        {"source": 0, "target": 1, "messages": 2, "bytes": 100},
        {"source": 0, "target": 2, "messages": 1, "bytes": 4000},
    ]
    assert seen["in_collectives"] == 1
    assert seen["sizes"] == [{"to": n, "messages": 1} for n in (0, 128, 4096)]
    assert [call["name"] for call in seen["calls"]] == ["MPI messages"]
