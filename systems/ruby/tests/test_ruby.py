"""Ruby on cores; only where `make ruby` was run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from started_ruby import NEEDS_RUBY, PROGRAMS, rck, run

pytestmark = NEEDS_RUBY


def test_the_standard_library_is_there(tmp_path: Path) -> None:
    names = ("set", "json", "stringio", "strscan", "date", "digest", "bigdecimal", "pathname",
             "ripper", "zlib", "psych", "monitor", "etc", "io/console", "io/wait", "socket",
             "drb", "rinda/tuplespace", "yaml", "erb", "optparse", "timeout")  # fmt: skip
    text = "".join(f"require {name!r}\n" for name in names)
    text += 'puts JSON.generate({"a" => BigDecimal("0.1").to_s}), Digest::SHA256.hexdigest("a")\n'
    text += (
        'puts Zlib.inflate(Zlib.deflate("x" * 9)), YAML.load("[1, 2]").sum, Time.at(2**33).utc\n'
    )
    ran = run(tmp_path, text)
    assert ran.stdout.splitlines() == [
        '{"a":"0.1e0"}',
        "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
        "xxxxxxxxx",
        "3",
        "2242-03-16 12:56:32 UTC",
    ], ran.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [("def a\n", "syntax error"), ("exit 3", ""), ("raise 'no'", "no (RuntimeError)")],
)
def test_exit_codes_and_ruby_s_words_once(tmp_path: Path, text: str, says: str) -> None:
    ran = run(tmp_path, text, "-n", "2")
    assert ran.returncode == (3 if text == "exit 3" else 1)
    assert says in ran.stderr
    if says == "syntax error":
        assert ran.stderr.count("[00]") == len(ran.stderr.splitlines())


def test_wrong_syntax_of_a_line_is_told_once() -> None:
    ran = rck("ruby", "-q", "-n", "2", "-e", "x = 1", "-e", "def")
    assert (ran.returncode, ran.stderr.count("syntax error")) == (1, 1), ran.stderr


def test_a_script_that_is_missing(tmp_path: Path) -> None:
    ran = rck("ruby", "-q", "-n", "4", str(tmp_path / "none.rb"))
    assert ran.returncode == 1
    assert ran.stderr.count("No such file or directory -- none.rb (LoadError)") == 1


def test_a_core_starts_no_processes(tmp_path: Path) -> None:
    calls = ("fork", "Process.fork", "system('ls')", "`ls`", "exec('ls')", "Process.spawn('ls')",
             "IO.popen('-')", "Process.daemon", "open('| ls')", "Kernel.open('|ls', 'w') { 1 }",
             *(f"IO.{name}('| ls', 1)" for name in ("binread", "binwrite", "foreach", "read",
                                                   "readlines", "write")))  # fmt: skip
    text = "".join(
        f"begin; {call}; rescue NotImplementedError => e; puts e.message; end\n" for call in calls
    )
    text += "p Process.respond_to?(:fork), respond_to?(:system, true), IO.respond_to?(:popen)\n"
    ran = run(tmp_path, text)
    *told, first, second, third = ran.stdout.splitlines()
    assert len(told) == len(calls), ran.stdout + ran.stderr
    for line in told:
        assert "a core of the chip runs one process (`rck ruby --kernel linux`" in line
    assert [first, second, third] == ["false"] * 3
    assert ran.stderr == ""


FILES = """
open("a", "w", 0o644) { |file| file.puts("one", "two") }
p open("a", mode: "r", external_encoding: "UTF-8", &:read), IO.read("a", 3, mode: "rb")
p IO.readlines("a", chomp: true), IO.foreach("a", chomp: true).to_a, IO.binread("a", 2, 1)
p IO.write("b", "text"), IO.binwrite("b", "x", 1), File.write("| c", "name"), File.read("| c")
opened = Class.new { def to_open(*rest, **options) = [rest, options] }.new
named = Class.new { def to_path = "b" }.new
p open(opened, 1, at: 2), open(named).read, Kernel.open("b").read
p Ractor.new { open("b") { |file| file.read(2) } }.take
def opener = open("none")
begin
  opener
rescue Errno::ENOENT => error
  puts error.message, error.backtrace.first
end
[1, nil].each { |name| open(name) rescue p $!.class }
IO.foreach("a") { |line| break p line }
"""


def test_files_are_opened_by_name_as_ever(tmp_path: Path) -> None:
    ran = run(tmp_path, FILES, "-W0")
    told = ran.stdout.split("\n")[:-1]
    assert told == [
        '"one\\ntwo\\n"', '"one"', '["one", "two"]', '["one", "two"]', '"ne"', "4", "1", "4",
        '"name"', "[[1], {:at=>2}]", '"txxt"', '"txxt"', '"tx"',
        "No such file or directory @ rb_sysopen - none", "script.rb:10:in `initialize'",
        "TypeError", "TypeError", '"one\\n"',
    ], ran.stdout + ran.stderr  # fmt: skip


def test_of_sockets_there_are_pairs(tmp_path: Path) -> None:
    text = """
require "drb"
one, other = UNIXSocket.pair
one.write("word")
p other.readpartial(4)
begin
  DRb.start_service("druby://localhost:0")
rescue Errno::ENOSYS => error
  puts error.message
end
UDPSocket.new
"""
    ran = run(tmp_path, text)
    assert ran.stdout.startswith('"word"\nFunction not implemented - '), ran.stdout + ran.stderr
    for said in (ran.stdout, ran.stderr):
        assert "our own kernel has no network; `rck ruby --kernel linux` has one" in said


def test_messages_between_two_cores(tmp_path: Path) -> None:
    text = """
require "rcce"
RCCE.init
other = 1 - RCCE.ue
[1, 31, 32, 33, 8160, 8161, 4_000_000].each do |size|
  message = Random.new(size).bytes(size)
  if RCCE.ue.zero?
    RCCE.send(message, other)
    raise "wrong" unless RCCE.recv(size, other) == message.reverse
  else
    RCCE.send(RCCE.recv(size, other).reverse, other)
  end
end
raise "bcast" unless RCCE.bcast(RCCE.ue.zero? ? "text" : nil) == "text"
p RCCE.allreduce([RCCE.ue + 1, 5].pack("l*"), :int, :prod).unpack("l*")
RCCE.finalize
"""
    ran = run(tmp_path, text, "-n", "2", "--tag", "none")
    assert (ran.returncode, ran.stdout) == (0, "[2, 25]\n[2, 25]\n"), ran.stderr


def test_bad_input_of_the_binding(tmp_path: Path) -> None:
    text = """
require "rcce"
def try
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end
try { RCCE.ue }
RCCE.init
try { RCCE.send("a", RCCE.ue) }
try { RCCE.send("a", 5) }
try { RCCE.send("a", -1) }
try { RCCE.send(12, 1) }
try { RCCE.send("", 1) }
try { RCCE.recv(0, 1) }
try { RCCE.recv(4, 1 - RCCE.ue, 0.001) }
try { RCCE.peek(4, 1 - RCCE.ue) }
try { RCCE.wait_any(0.001) }
try { RCCE.reduce("abc") }
try { RCCE.allreduce([1].pack("l"), :word) }
try { Thread.new { sleep 0.01; Thread.main.raise("ended") }; RCCE.recv(4, 1 - RCCE.ue) }
"""
    ran = run(tmp_path, text, "--cores", "0,1", "--tag", "none", "--stdin", "none")
    lines = ran.stdout.splitlines()
    assert "RCCE::Error: RCCE.init comes first" in lines
    assert "RCCE::Error: UE 0 is this core itself" in lines
    assert "RCCE::Error: there is no UE 5: 0 to 1" in lines
    assert "TypeError: no implicit conversion of Integer into String" in lines
    assert "RCCE::Timeout: UE 1 did not answer in time" in lines
    assert "ArgumentError: there is no type word" in lines
    assert lines.count("RuntimeError: ended") == 2


SIZES = """
require "rcce"
def try
  p yield
rescue Exception => error
  puts "#{error.class}: #{error.message}"
end
RCCE.init
if RCCE.ue.zero?
  try { RCCE.recv(2**31, 1) }
  try { RCCE.recv(2**31 - 1, 1) }
  try { RCCE.peek(8193, 1) }
  try { RCCE.send(nil, 1) }
  try { RCCE.send("a" * 2**31, 1) }
  try { RCCE.send("a" * (2**31 - 64), 1) }
  try { RCCE.recv(5, 1) }
  try { RCCE.recv(4, 1) }
  File.write("/ext.so", "")
  try { require "/ext.so" }
else
  try { RCCE.send("abcd", 0) }
  try { RCCE.send("abcd", 0) }
end
RCCE.finalize
"""


def test_sizes_that_cannot_be_and_a_part_in_c(tmp_path: Path) -> None:
    ran = run(tmp_path, SIZES, "-n", "2")
    sizes = "RCCE::Error: Message length is wrong, or sizes differ"
    lines = ran.stdout.splitlines()
    assert [line[5:] for line in lines if line.startswith("[00]")] == [
        "RangeError: bignum too big to convert into `long'",
        "NoMemoryError: failed to allocate memory",
        sizes,
        "TypeError: no implicit conversion of nil into String",
        "RangeError: bignum too big to convert into `long'",
        "NoMemoryError: failed to allocate memory",
        sizes,
        '"abcd"',
        "LoadError: this executable file can't load extension libraries",
    ], ran.stdout + ran.stderr
    assert [line[5:] for line in lines if line.startswith("[01]")] == [sizes, "nil"]


LIKE_ANY_OTHER = """
require_relative "other"
require "other"
p [$0, __FILE__, __dir__, __method__, ARGV, self.to_s, $VERBOSE, Other, $stdin.read]
p DATA.read, DATA.lineno, defined?(words), __LINE__, ENV.to_h, Dir.children("/").sort - ["started"]
at_exit { puts "at exit" }
def fails(deep) = deep.zero? ? raise(ArgumentError, "deep") : fails(deep - 1)
begin
  fails(2)
rescue => error
  fails(1)
end
__END__
1
2
"""


def test_a_started_ruby_runs_a_script_as_any_other(tmp_path: Path) -> None:
    """From a kept snapshot a script sees the same, and ends with the same words and code."""
    (tmp_path / "other.rb").write_text("Other = __FILE__\n")
    words = ("-w", "-I", ".", str(tmp_path / "script.rb"), "a b", "-c")
    (tmp_path / "script.rb").write_text(LIKE_ANY_OTHER)
    usual, started = rck("ruby", "-q", "--fresh", *words), rck("ruby", "-q", *words)
    assert "(ArgumentError)" in usual.stderr and usual.returncode == 1
    assert (started.stdout, started.stderr) == (usual.stdout, usual.stderr)
    assert started.returncode == 1
    for text in ("exit 3", "abort 'no'", "throw :it", "p $0, __FILE__; raise 'e'", "p DATA"):
        both = [rck("ruby", "-q", *how, "-e", text, "x") for how in ((), ("--fresh",))]
        assert len({(one.returncode, one.stdout, one.stderr) for one in both}) == 1, text


@pytest.mark.parametrize(
    ("program", "cores", "says"),
    [
        ("ring.rb", 3, "3 cores, 1 rounds: 3\n"),
        ("map.rb", 3, "100 items on 2 cores: right\n"),
        ("tuplespace.rb", 3, "100 tasks by 2 workers: right\n"),
    ],
)
def test_programs(program: str, cores: int, says: str) -> None:
    ran = rck("ruby", "-q", "-n", str(cores), "--tag", "none", str(PROGRAMS / program))
    assert (ran.returncode, ran.stdout) == (0, says), ran.stderr
