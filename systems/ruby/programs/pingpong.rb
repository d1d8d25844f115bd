# Messages between the first and the last core: the fastest of three trials of a hundred.
#
#   rck ruby --cores 0,47 pingpong.rb [BYTES]...
require "rcce"

RCCE.init
ue, last = RCCE.ue, RCCE.num_ues - 1
abort "pingpong.rb: it takes two cores: rck ruby -n 2 pingpong.rb" if last < 1
sizes = ARGV.empty? ? [64] : ARGV.map(&:to_i)

sizes.each do |size|
  message = "x" * size
  times = 3.times.map do
    RCCE.barrier_world
    began = RCCE.wtime
    100.times do
      if ue.zero?
        RCCE.send(message, last)
        RCCE.recv(size, last)
      elsif ue == last
        RCCE.send(RCCE.recv(size, 0), 0)
      end
    end
    (RCCE.wtime - began) / 200
  end
  puts format("%d bytes: %.2f us", size, times.min * 1e6) if ue.zero?
end
RCCE.finalize
