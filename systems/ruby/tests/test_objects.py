"""Objects of other cores: peers that end, bad messages; only where `make ruby` was run."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from started_ruby import NEEDS_RUBY, PROGRAMS, rck, run

pytestmark = NEEDS_RUBY
# Core 1 offers an object that ends its core, core 0 calls it and tells what came and how soon.
ENDING = """
require "drb/rcce"
class Front
  def last(words)
    $stderr.reopen("/dev/null")
    eval(words)
    sleep
  end
end
hub = DRb::RCCEHub.instance
DRb.start_service("rcce://", Front.new)
RCCE.barrier_world
if hub.ue.zero?
  front = DRbObject.new_with_uri("rcce://1")
  began = RCCE.wtime
  [1, 2].each do
    front.last(%s)
  rescue DRb::DRbConnError => error
    puts error.message
  end
  puts RCCE.wtime - began < 1 ? "in time" : "late: #{RCCE.wtime - began}"
else
  sleep
end
"""


@pytest.mark.parametrize("words", ["exit!", "Thread.main.raise(SystemExit)"])
def test_a_peer_that_ends_while_it_is_called(tmp_path: Path, words: str) -> None:
    text = ENDING % repr(words)
    ran = run(tmp_path, text, "-n", "2", "--tag", "none", "--timeout", "300s")
    lines = ran.stdout.splitlines()
    assert lines == ["rcce://1: it has ended"] * 2 + ["in time"], ran.stdout + ran.stderr


# Core 1 writes by hand what a peer's hub would.
BY_HAND = """
require "rcce"
RCCE.init
if RCCE.ue == 1
  RCCE.barrier_world
  begin
    RCCE.send(%s, 0)
  rescue RCCE::Error => error
    puts error.message
  end
  RCCE.barrier_world
else
  require "drb/rcce"
  DRb::DRbServer.default_load_limit(1 << 20)
  DRb.start_service("rcce://", Object.new)
  RCCE.barrier_world
  RCCE.barrier_world
  begin
    DRbObject.new_with_uri("rcce://1").to_s
    DRbObject.new_with_uri("rcce://1").call
  rescue DRb::DRbConnError => error
    puts error.message
  end
end
"""


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (
            "[1 << 30, ?r.ord, 1].pack('NCN')",
            "a message of 1073741824 bytes is over the limit of 1048576",
        ),
        ("[4, ?x.ord, 1].pack('NCN') + 'abcd'", 'there is no tag "x"'),
        ("[4, ?p.ord, 77].pack('NCN') + 'abcd'", "nobody waits for a reply to request 77"),
    ],
)
def test_a_message_that_is_none_names_its_sender(tmp_path: Path, message: str, why: str) -> None:
    ran = run(tmp_path, BY_HAND % message, "-n", "2", "--tag", "none", "--timeout", "300s")
    assert f"drb: rcce://1: {why}" in ran.stderr, ran.stdout + ran.stderr
    assert f"rcce://1: {why}" in ran.stdout, ran.stdout + ran.stderr


# Core 0 calls often; then calls go to and fro, each while the one before it waits.
HANDLERS = """
require "drb/rcce"
class Front
  def thread
    Thread.current.object_id
  end
  def to_and_fro(times)
    return Thread.list.size if times.zero?
    DRbObject.new_with_uri("rcce://#{1 - RCCE.ue}").to_and_fro(times - 1)
  end
end
hub = DRb::RCCEHub.instance
DRb.start_service("rcce://", Front.new)
RCCE.barrier_world
if hub.ue.zero?
  front = DRbObject.new_with_uri("rcce://1")
  puts Array.new(20) { front.thread }.uniq.size < 4 ? "few threads" : "many threads"
  before = Thread.list.size
  puts front.to_and_fro(40) > 20 ? "nested" : "not nested"
  # The handlers that nested calls made have ended, but for a few.
  sleep 0.5
  puts Thread.list.size - before <= DRb::RCCEHub::IDLE_MOST ? "ended" : Thread.list.inspect
  DRb.stop_service
  sleep 0.1
  puts Thread.list.size < before + 2 ? "stopped" : Thread.list.inspect
end
RCCE.barrier_world
RCCE.finalize
"""


def test_handlers_take_further_requests_and_end(tmp_path: Path) -> None:
    ran = run(tmp_path, HANDLERS, "-n", "2", "--tag", "none", "--timeout", "300s")
    assert ran.stdout.split("\n")[:-1] == ["few threads", "nested", "ended", "stopped"], ran.stderr


# Who asks, as the server's thread sees it.
ASKED = """
require "drb/rcce"
class Front
  def asked_by = Thread.current["DRb"]["client"].peeraddr
end
hub = DRb::RCCEHub.instance
DRb.start_service("rcce://", Front.new)
RCCE.barrier_world
if hub.ue == 1
  p DRbObject.new_with_uri("rcce://0").asked_by, DRbObject.new_with_uri("rcce://2").asked_by
end
RCCE.barrier_world
RCCE.finalize
"""


def test_a_server_knows_which_core_asks(tmp_path: Path) -> None:
    ran = run(tmp_path, ASKED, "-n", "3", "--tag", "none", "--timeout", "300s")
    assert ran.stdout == '["RCCE", 1, "rcce://1", "rcce://1"]\n' * 2, ran.stderr


OUT_OF_MEMORY = """
begin
  kept = []
  1000.times { kept << "x" * (16 << 20) }
rescue NoMemoryError => error
  kept = nil
  puts error.message
end
puts "goes on"
"""


def test_a_core_that_is_alone_waits_without_stopping_its_other_threads(tmp_path: Path) -> None:
    text = """
require "rcce"
RCCE.init
waiting = Thread.new { RCCE.wait_any }
sleep 0.01
puts "others run"
waiting.kill.join
puts "ended"
"""
    ran = run(tmp_path, text, "-n", "1", "--until", "2s")
    assert ran.stdout == "others run\nended\n", ran.stdout + ran.stderr


def test_out_of_memory_is_an_error_of_ruby_s(tmp_path: Path) -> None:
    ran = run(tmp_path, OUT_OF_MEMORY)
    assert ran.stdout == "failed to allocate memory\ngoes on\n", ran.stderr


def test_a_core_that_a_signal_ends_ends_the_run(tmp_path: Path) -> None:
    ran = run(tmp_path, ENDING % repr("Process.kill(:SEGV, $$)"), "-n", "2", "--timeout", "300s")
    assert ran.returncode not in (0, 75)
    assert "core 01" in ran.stderr


def test_a_storm_is_right_and_the_same_on_two_host_threads() -> None:
    line = ["ruby", "-q", "-n", "4", "--timeout", "600s"]
    ran = [
        rck(*line, "--threads", str(threads), str(PROGRAMS / "storm.rb"), "24", "5")
        for threads in (1, 2)
    ]
    assert [one.returncode for one in ran] == [0, 0], ran[0].stdout + ran[0].stderr
    assert ran[0].stdout == ran[1].stdout
    assert ran[0].stdout.count("made 24") == 4
    # One core at least served a call under GC.stress.
    assert max(map(int, re.findall(r"(\d+) collections", ran[0].stdout))) > 30
