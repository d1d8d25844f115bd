# What a call of DRb leaves in the message buffer: the last core looks before it takes a message,
# and takes it in the chunks that the protocol names.
#
#   rck ruby -n 2 wire.rb BYTES
require "rcce"

HEADER_BYTES = 9
CHUNK = 8160

# A caller waits for an answer that never comes.
def call(bytes)
  require "drb/rcce"
  peer = DRbObject.new_with_uri("rcce://1")
  2.times { Thread.new { peer.null("x" * bytes) }.report_on_exception = false }
end

# Taking another size than was sent would be an error.
def take(first)
  left = HEADER_BYTES + first.unpack1("N")
  sizes = []
  while left.positive?
    RCCE.wait_any
    sizes << RCCE.recv([left, CHUNK].min, 0).bytesize
    left -= sizes.last
  end
  sizes
end

if RCCE.init && RCCE.ue.zero?
  call(ARGV[0].to_i)
else
  2.times do
    RCCE.wait_any
    first = RCCE.peek(HEADER_BYTES, 0)
    puts "#{first.unpack1('H*')} #{take(first).join(' ')}"
  end
end
RCCE.barrier_world
$stdout.flush
exit!(0)
