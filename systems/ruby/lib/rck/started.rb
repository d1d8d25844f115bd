# frozen_string_literal: true

# The script of each Ruby of which `rck ruby` keeps a snapshot. It waits for an instant after
# the snapshot's, and then does what the words in the folder of the run that goes on say: pairs of a
# name (one of Ruby's options, `script` or `argument`) and its value.

# A block: its variables are not those of the script.
proc do
  sleep([ARGV.shift.to_f - Process.clock_gettime(Process::CLOCK_MONOTONIC), 0].max)
  words = Hash.new { |_, _| [] }
  File.read("/started/words").split("\0", -1).each_slice(2) { |name, value| words[name] += [value] }

  words["-W"].each do |level|
    $VERBOSE = [nil, false, true][level.to_i]
    Warning[:deprecated] = true if level == "2"
  end
  $LOAD_PATH.unshift(*words["-I"].map { |folder| File.expand_path(folder) })
  ARGV.replace(words["argument"])
  $0 = name = words["script"].first || (words.key?("-e") ? "-e" : "-")

  words["-r"].each { |library| require library }
  if %w[- -e].include?(name)
    eval(words.key?("-e") ? words["-e"].join("\n") : $stdin.read, TOPLEVEL_BINDING, name, 1)
  else
    code_and_end = File.binread(name)[/\A.*?^__END__\r?(?:\n|\z)/m]
    if code_and_end
      DATA = File.open(name)
      DATA.pos = code_and_end.bytesize
      DATA.lineno = code_and_end.count("\n")
    end
    RubyVM::InstructionSequence.compile_file(name).eval
  end
rescue Exception => error
  # No line of this file is the script's. A syntax error has no line but in its text.
  Enumerator.produce(error, &:cause).take_while(&:itself).select(&:backtrace).each do |one|
    lines = one.backtrace.reject { |line| line.start_with?(__FILE__) }
    one.set_backtrace(lines.empty? ? [$0] : lines)
  end
  raise error
end.call
