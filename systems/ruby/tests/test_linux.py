"""Ruby under Linux on the chip; only where `make ruby` and `make linux` were run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rockcreek.linux import images

sys.path.insert(0, str(Path(__file__).parent))

from started_ruby import NEEDS_RUBY, PROGRAMS, rck, run

LINUX = pytest.mark.skipif(
    not images.usable(), reason="needs the cores' Linux, which `make linux` builds"
)
pytestmark = [*NEEDS_RUBY, LINUX]


@pytest.mark.parametrize(
    "words", [["talk.rb", "rcce://1"], ["--kernel", "linux", "talk.rb", "druby://rck01:7640"]]
)
def test_the_uri_alone_chooses_the_way(words: list[str]) -> None:
    *options, script, uri = words
    ran = rck("ruby", "-q", "-n", "2", *options, str(PROGRAMS / script), uri)
    assert ran.stdout == "[00] Hello core 0, here is rck01\n", ran.stderr


def test_sockets_and_processes(tmp_path: Path) -> None:
    text = """
require "socket"
server = UDPSocket.new
server.bind("127.0.0.1", 4000)
UDPSocket.new.send("word", 0, "localhost", 4000)
p server.recv(10), IPSocket.getaddress("rck47"), `uname -n`, IO.popen("echo $((6 * 7))").read
p system("echo a > made"), Dir.children("/host").sort
"""
    ran = run(tmp_path, text, "--kernel", "linux")
    assert ran.stdout.split("\n")[:-1] == [
        '"word"', '"192.168.0.48"', '"rck00\\n"', '"42\\n"', "true", '["made", "script.rb"]',
    ], ran.stderr  # fmt: skip


FORKS = """
parent = Process.pid
reader, writer = IO.pipe
child = fork do
  reader.close
  writer.write(Process.ppid == parent ? "from a child" : "from elsewhere")
  exit! 3
end
writer.close
p reader.read, Process.wait(child) == child, $?.exitstatus
IO.popen("-", "r+") do |other|
  if other
    other.puts("words")
    other.close_write
    p other.read
  else
    print $stdin.read.upcase
  end
end
p $?.success?, system("exit 4"), $?.exitstatus, system("no-such-command"), `false`, $?.to_i
p Process.wait2(spawn("echo out; exit 5", out: "made"))[1].exitstatus, File.read("made")
Process.wait(fork { exec("sh", "-c", "kill -9 $$") })
p $?.termsig, Process.respond_to?(:fork)
Process.wait(fork { Process.daemon(true); File.write("new", "ran"); File.rename("new", "done") })
sleep 0.1 until File.exist?("done")
fork { Thread.new { puts "a thread of a child" }.join }
Process.waitall
exec "echo", "another program"
"""


def test_processes_fork_and_have_a_status(tmp_path: Path) -> None:
    ran = run(tmp_path, FORKS, "--kernel", "linux", "--timeout", "300s")
    assert ran.stdout.splitlines() == [
        '"from a child"', "true", "3", '"WORDS\\n"', "true", "false", "4", "nil", '""', "256",
        "5", '"out\\n"', "9", "true", "a thread of a child", "another program",
    ], ran.stdout + ran.stderr  # fmt: skip


def test_the_message_buffers_without_the_network() -> None:
    ran = rck("ruby", "-q", "--kernel", "linux", "--no-network", "-n", "2",
              "--env", "RCCE_PEEK=poll", str(PROGRAMS / "pingpong.rb"), "64")  # fmt: skip
    assert ran.stdout.startswith("[00] 64 bytes: "), ran.stderr
