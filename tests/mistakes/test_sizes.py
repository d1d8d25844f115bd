"""The headers of RCCE warn of sizes that are larger than a buffer, at the line of the caller."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rockcreek.toolchain.driver import cc_main

SOURCE = """
#include "iRCCE.h"
struct message { int length; char text[1]; };
extern char outside[];
extern struct message *made(void);
void all(char *given, size_t many, t_vcharp mpb)
{
    double x[4], y[4], one = 1;
    char *alias = (char *)x;
    struct message *message = made();
    iRCCE_SEND_REQUEST request;
#ifdef MENDED
    RCCE_send((char *)x, sizeof x, 1);
    RCCE_send((char *)&x[1], 24, 1);
    RCCE_send(given, 4096, 1);
    RCCE_send(alias, 32, 1);
    RCCE_send(message->text, 60, 1);
    RCCE_send(outside, 60, 1);
    RCCE_send((char *)x, many, 1);
    RCCE_recv((char *)&one, sizeof one, 1);
    RCCE_put(mpb, (t_vcharp)x, 32, 1);
    iRCCE_isend((char *)x, sizeof x, 1, &request);
    RCCE_reduce((char *)x, (char *)y, 4, RCCE_DOUBLE, RCCE_SUM, 0, RCCE_COMM_WORLD);
    RCCE_reduce(alias, NULL, 8, RCCE_INT, RCCE_SUM, 0, RCCE_COMM_WORLD);
    RCCE_allreduce((char *)x, (char *)y, 4, RCCE_DOUBLE, RCCE_SUM, RCCE_COMM_WORLD);
#else
    RCCE_send((char *)x, 4096, 1); /* sent */
    RCCE_send((char *)&x[1], 32, 1); /* sent */
    RCCE_recv((char *)&one, 16, 1); /* overwritten */
    RCCE_bcast((char *)x, 33, 0, RCCE_COMM_WORLD); /* sent */
    RCCE_put(mpb, (t_vcharp)x, 64, 1); /* sent */
    RCCE_get((t_vcharp)x, mpb, 64, 1); /* overwritten */
    iRCCE_isend((char *)x, 2 * sizeof x, 1, &request); /* sent */
    RCCE_reduce((char *)x, (char *)y, 32, RCCE_DOUBLE, RCCE_SUM, 0, RCCE_COMM_WORLD); /* elements */
    RCCE_allreduce((char *)x, (char *)&one, 4, RCCE_INT, RCCE_SUM, RCCE_COMM_WORLD); /* elements */
#endif
}
"""
WARNED = re.compile(r"^\S+:(\d+):\d+: warning: the buffer is smaller than (.*)", re.MULTILINE)


@pytest.mark.parametrize("ending", ["c", "cpp"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_size_beyond_the_buffer(tmp_path: Path, ending: str, level: str, capfd) -> None:
    source = tmp_path / f"sizes.{ending}"
    source.write_text(SOURCE)
    words = [level, "-c", str(source), "-o", str(tmp_path / "sizes.o")]
    assert cc_main(words) == 0
    said = capfd.readouterr().err
    assert "diagnose_if" not in said, "the header's own condition is quoted"
    warned = dict(WARNED.findall(said))
    for number, line in enumerate(SOURCE.splitlines(), 1):
        if line.endswith("*/"):
            assert line.split()[-2] in warned.pop(str(number)), line
    assert not warned
    assert cc_main([*words, "-DMENDED", "-Wall", "-Werror", "-Wno-unused-variable"]) == 0
    assert capfd.readouterr().err == ""
