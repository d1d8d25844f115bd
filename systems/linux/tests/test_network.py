"""The network between real Linuxes: what they say to each other, and what harms them not."""

from __future__ import annotations

from pathlib import Path

import pytest
from systems.linux.tests.booted import TESTS, rck

pytestmark = pytest.mark.slow


def test_cores_ping_each_other(place: Path) -> None:
    script = "hostname | grep -q rck01 && sleep 8 || ping -c 3 rck01"
    said = rck(place, "linux", "run", "-q", "-n", "2", "sh", "-c", script)
    assert said.returncode == 0
    assert "3 packets transmitted, 3 packets received" in said.stdout


_BESIDE_A_HOSTILE_CORE = """
if hostname | grep -q rck01; then
    ./hostile 0 2000 && touch sent && until [ -e answered ]; do sleep 0.1; done
else
    until [ -e sent ]; do sleep 0.1; done
    ping -c 3 rck01 && ifconfig mb0 | grep "RX packets"; touch answered
fi
"""


def test_random_packets_of_another_core_do_linux_no_harm(place: Path) -> None:
    """The driver counts what is no packet, and the network goes on."""
    source = str(TESTS.parent / "programs/hostile.c")
    assert rck(place, "cc", "-O2", source, "-o", "hostile").returncode == 0
    (place / "beside").write_text(_BESIDE_A_HOSTILE_CORE)
    said = rck(place, "linux", "run", "-q", "--tag", "none", "-n", "2", "sh", "beside")
    assert said.returncode == 0, said.stderr
    assert "3 packets received" in said.stdout
    counters = said.stdout.partition("RX packets:")[2]
    assert int(counters.split()[0]) > 500 and int(counters.partition("frame:")[2].split()[0]) > 0


_TO_THE_DEAD = """
hostname | grep -q rck01 && exit 0
i=0; while [ $i -lt 20 ]; do ping -c 1 -W 1 -s 1400 rck01 >/dev/null; i=$((i + 1)); done
wget -T 5 -O /dev/null http://rck01/page 2>&1 | tail -1
ifconfig mb0 | grep "TX packets"
"""


def test_a_core_that_died_leaves_counters_and_no_hang(place: Path) -> None:
    """The dead core's ring is full soon; TCP gives up, and the driver counts what it drops."""
    (place / "to-the-dead").write_text(_TO_THE_DEAD)
    said = rck(place, "linux", "run", "-q", "--tag", "none", "-n", "2", "sh", "to-the-dead")
    assert said.returncode == 0, said.stderr
    timed_out, counters = said.stdout.splitlines()
    assert "timed out" in timed_out
    assert int(counters.partition("overruns:")[2].split()[0]) > 0, counters


_WHO_IS_RESET = """
case $(hostname) in
rck04)
    dd if=/dev/zero of=/tmp/page bs=1M count=20 2>/dev/null; httpd -h /tmp
    touch serves; sleep 100000 ;;
rck10)
    until [ -e serves ]; do sleep 0.1; done
    touch begins
    wget -T 5 -O /dev/null http://rck04/page 2>&1 | tail -1
    ping -c 3 rck00 | grep received; ifconfig mb0 | grep "TX packets"; touch over ;;
rck00)
    until [ -e begins ]; do sleep 0.1; done
    sleep 1; tile=0xE2000080
    devmem $tile 32 $(($(devmem $tile) | 1)) && echo reset
    until [ -e over ]; do sleep 0.1; done ;;
esac
"""


def test_a_core_that_is_reset_while_it_sends_leaves_the_others_at_work(place: Path) -> None:
    """Core 0 holds core 4 in reset in the middle of a page for core 10, whose TCP gives up."""
    (place / "who-is-reset").write_text(_WHO_IS_RESET)
    words = ("-q", "--tag", "none", "--cores", "0,4,10", "--until", "120s", "sh", "who-is-reset")
    said = rck(place, "linux", "run", *words)
    lines = sorted(said.stdout.splitlines())
    assert "reset" in lines, (said.stdout, said.stderr)
    assert any("timed out" in line for line in lines), lines
    assert "3 packets transmitted, 3 packets received, 0% packet loss" in lines


_TOO_LONG = """
hostname | grep -q rck01 && { until [ -e asked ]; do sleep 0.1; done; exit; }
ifconfig mb0 mtu 1501 && echo a longer unit
ping -c 2 -s 60000 rck01 | grep received
touch asked
"""


def test_no_packet_is_longer_than_the_network_takes(place: Path) -> None:
    """More than 1500 bytes go in parts; of too long ones by hand see `hostile`."""
    (place / "too-long").write_text(_TOO_LONG)
    said = rck(place, "linux", "run", "-q", "--tag", "none", "-n", "2", "sh", "too-long")
    assert "2 packets transmitted, 2 packets received, 0% packet loss" in said.stdout, said
    assert "a longer unit" not in said.stdout
