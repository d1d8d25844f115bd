# Ping-pong as DRb's protocol does it, without DRb: one thread receives all and wakes the one that
# waits, and each request is answered by a thread that is made for it.
#
#   rck ruby -n 2 threads.rb [BYTES]...
require "rcce"

RCCE.init
ue, last = RCCE.ue, RCCE.num_ues - 1
sizes = ARGV.map(&:to_i)
rounds = 100
sizes.each do |size|
  message = "x" * size
  received = Thread::Queue.new
  receiver = Thread.new do
    peer = ue.zero? ? last : 0
    rounds.times do
      RCCE.wait_any
      received << RCCE.recv(size, peer)
    end
  end
  RCCE.barrier_world
  began = RCCE.wtime
  rounds.times do
    if ue.zero?
      RCCE.send(message, last)
      received.pop
    else
      Thread.new(received.pop) { |got| RCCE.send(got, 0) }
    end
  end
  receiver.join
  puts format("%d bytes: %.2f us", size, (RCCE.wtime - began) / rounds / 2 * 1e6) if ue.zero?
  RCCE.barrier_world
end
RCCE.finalize
