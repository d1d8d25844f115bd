# The time of a call of DRb that does nothing, from core 0 to core 1, over the protocol of the URI.
#
#   rck ruby --kernel linux -n 2 call.rb druby://rck01:7640 [BYTES]...
require "drb/rcce"
require "etc"

CALLS = 100

# Returns 0.
class Null
  def call(_argument = nil)
    0
  end

  def stop
    DRb.stop_service
  end
end

def ready(null)
  null.call
rescue DRb::DRbConnError
  sleep 0.01
  retry
end

uri, *sizes = ARGV
if Etc.uname[:nodename] == "rck01"
  DRb.start_service(uri, Null.new)
  DRb.thread.join
else
  null = DRbObject.new_with_uri(uri)
  ready(null)
  sizes.map(&:to_i).each do |bytes|
    arguments = bytes.zero? ? [] : ["x" * bytes]
    null.call(*arguments)
    began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    CALLS.times { null.call(*arguments) }
    took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
    puts format("%d bytes: %.4f ms", bytes, took * 1000 / CALLS)
  end
  null.stop
end
