# A number goes around all cores; each adds its own.
#
#   rck ruby -n 48 ring.rb [ROUNDS]
require "rcce"

RCCE.init
ue, ues = RCCE.ue, RCCE.num_ues
rounds = (ARGV[0] || 1).to_i
abort "ring.rb: it takes two cores: rck ruby -n 2 ring.rb" if ues < 2

following, previous = (ue + 1) % ues, (ue - 1) % ues
began = RCCE.wtime
sum = 0
rounds.times do
  if ue.zero?
    RCCE.send([sum].pack("q<"), following)
    sum = RCCE.recv(8, previous).unpack1("q<")
  else
    sum = RCCE.recv(8, previous).unpack1("q<") + ue
    RCCE.send([sum].pack("q<"), following)
  end
end
if ue.zero?
  time = (RCCE.wtime - began) / rounds / ues
  warn format("%.1f us a hop", time * 1e6)
  puts "#{ues} cores, #{rounds} rounds: #{sum}"
end
RCCE.finalize
