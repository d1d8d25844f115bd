# Runs files of Ruby's own tests on a core, by the runner that comes with them, and tells the host
# about each test in /told.txt: when it begins, and how it ended. A test that has its line in
# /done.txt is left out, so that the host can go on after a test that ended the interpreter.
$LOAD_PATH.unshift "/src/tool/lib"
require "test/unit"

# The leak checker lists /proc/self/fd, a folder that a core's kernel does not list.
class LeakChecker
  def find_fds
    []
  end
end

module Told
  DONE = File.readlines("/done.txt", chomp: true).to_h { |name| [name, true] }
  FILE = File.open("/told.txt", "a")
  FILE.sync = true

  def self.say(*words)
    FILE.write(words.map { |word| word.to_s.b.gsub(/[^ -~]+/n, " ")[0, 400] }.join("\t") << "\n")
  end

  def _run_suite(*)
    options[:filter] = ->(name) { !DONE.key?(name) }
    super
  end

  def _start_method(test)
    Told.say("begin", name_of(test))
    @wrong = nil
    super
  end

  # May be called twice: for the test, and for what comes after it.
  def puke(suite, method, error)
    outcome = error.is_a?(Test::Unit::PendedError) ? "skipped" : "failed"
    line = error.backtrace&.find { |one| one.include?("/test_") }.to_s[/[^\/]*:\d+/]
    @wrong ||= [outcome, "#{error.class}: #{error.message} (#{line})"]
    super
  end

  def _end_method(test)
    Told.say("end", name_of(test), *(@wrong || ["passed"]))
    super
  end

  private

  def name_of(test)
    "#{test.class}##{test.__name__}"
  end
end

Test::Unit::AutoRunner::Runner.prepend(Told)
load "/src/test/runner.rb"
