# The time of a call that does nothing, as the paper measured it: a hundred calls from the first
# core to the last, with an argument of so many bytes.
#
#   rck ruby --cores 0,47 null_call.rb [BYTES]...
require "drb/rcce"

# Returns 0.
class Null
  def call(_argument = nil)
    0
  end
end

hub = DRb::RCCEHub.instance
last = RCCE.num_ues - 1
DRb.start_service("rcce://", Null.new)
RCCE.barrier_world
if hub.ue.zero?
  null = DRbObject.new_with_uri("rcce://#{last}")
  (ARGV.empty? ? [0, 64, 256] : ARGV.map(&:to_i)).each do |bytes|
    arguments = bytes.zero? ? [] : ["x" * bytes]
    null.call(*arguments)
    began = RCCE.wtime
    100.times { null.call(*arguments) }
    puts format("%d bytes: %.4f ms", bytes, (RCCE.wtime - began) * 10)
  end
end
RCCE.barrier_world
RCCE.finalize
