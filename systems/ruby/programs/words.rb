# Counts the words of a file: each core those of its part, core 0 all together.
#
#   rck ruby -n 8 words.rb FILE
require "rcce"

RCCE.init
ue, ues = RCCE.ue, RCCE.num_ues
abort "words.rb: which file?" if ARGV.empty?
lines = File.readlines(ARGV[0])
counts = lines.each_slice([(lines.size + ues - 1) / ues, 1].max).to_a.fetch(ue, [])
  .join.downcase.scan(/[[:alpha:]]+/).tally

def exchange(counts, ue, ues)
  if ue.zero?
    (1...ues).each do |from|
      size = RCCE.recv(4, from).unpack1("N")
      counts.merge!(Marshal.load(RCCE.recv(size, from))) { |_, one, other| one + other }
    end
  else
    bytes = Marshal.dump(counts)
    RCCE.send([bytes.bytesize].pack("N"), 0)
    RCCE.send(bytes, 0)
  end
  counts
end

all = exchange(counts, ue, ues)
all.sort_by { |word, count| [-count, word] }.first(10).each { |word, count| puts "#{count} #{word}" } if ue.zero?
RCCE.finalize
