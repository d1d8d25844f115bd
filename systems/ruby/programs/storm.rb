# Random calls between objects of all cores, each answer checked: strings of up to 200 KB, calls
# inside calls, exceptions, blocks that call back, objects that stay where they are, and calls while
# each allocation collects garbage. Each core has two threads that call. The seed chooses all.
#
#   rck ruby -n 16 storm.rb [CALLS OF EACH CORE] [SEED]
require "drb/rcce"
require "zlib"

LARGEST = 200_000
CALLERS = 2

# What a method of another core raises.
class Squall < StandardError
end

# Stays on its core; others get a reference.
class Tally
  include DRbUndumped
  attr_reader :sum

  def initialize
    @sum = 0
    @lock = Thread::Mutex.new
  end

  def add(number)
    @lock.synchronize { @sum += number }
  end
end

# What each core offers.
class Front
  attr_reader :served

  def initialize(ue)
    @ue = ue
    @served = 0
    @lock = Thread::Mutex.new
    @tallies = {}
  end

  def turn(string)
    serve
    turned(string)
  end

  def bytes(size, seed)
    serve
    Random.new(seed).bytes(size)
  end

  # Through all UEs of the path; each adds its number.
  def relay(path, string)
    serve
    following, *rest = path
    return string + @ue.chr if following.nil?
    front_of(following).relay(rest, string + @ue.chr)
  end

  def fail(string)
    serve
    raise Squall, string
  end

  def each(numbers)
    serve
    numbers.each { |number| yield number, @ue }
  end

  def lend(key)
    serve
    @lock.synchronize { @tallies[key] = Tally.new }
  end

  def give_back(key)
    serve
    @lock.synchronize { @tallies.delete(key) }.sum
  end

  def count(tally, numbers)
    serve
    numbers.each { |number| tally.add(number) }
    tally.sum
  end

  def stressed(string)
    serve
    GC.stress = true
    string.each_char.to_a.reverse.join
  ensure
    GC.stress = false
  end

  private

  def serve
    @lock.synchronize { @served += 1 }
  end
end

# Returns the string with its two halves exchanged.
def turned(string)
  half = string.bytesize / 2
  string.byteslice(half..) << string.byteslice(0, half)
end

def front_of(ue)
  DRbObject.new_with_uri("rcce://#{ue}")
end

# One thread that calls.
class Caller
  attr_reader :made, :digest

  def initialize(ue, number, seed)
    @ue = ue
    @key = [ue, number]
    @random = Random.new(seed * 1000 + ue * CALLERS + number)
    @made = 0
    @digest = 0
  end

  def call
    peer = other
    front = front_of(peer)
    kind = KINDS[@random.rand(KINDS.size)]
    __send__(kind, front, peer)
    @made += 1
  end

  private

  # How many of a hundred calls. A stressed core collects garbage for one or two seconds, while
  # others wait for it.
  SHARES = { turn: 22, bytes: 18, relay: 19, squall: 14, block: 12, block_that_fails: 5, lent: 5,
             ours: 4, stressed: 1 }.freeze
  KINDS = SHARES.flat_map { |kind, share| [kind] * share }.freeze

  # A UE that is not this one, or `but`.
  def other(but = @ue)
    ue = @random.rand(RCCE.num_ues - 1)
    ue >= but ? ue + 1 : ue
  end

  # Small ones mostly, each length of digits as often as another.
  def size(largest = LARGEST)
    (largest**@random.rand).to_i
  end

  def text(largest = LARGEST)
    @random.bytes(size(largest))
  end

  def check(what, right, answer)
    abort "ue #{@ue}: #{what}: wrong answer #{answer.inspect[0, 200]}" unless answer == right
    @digest = Zlib.crc32(answer.to_s, @digest)
  end

  def turn(front, _peer)
    string = text
    check("turn", turned(string), front.turn(string))
  end

  def bytes(front, _peer)
    count, seed = size, @random.rand(1 << 30)
    check("bytes", Random.new(seed).bytes(count), front.bytes(count, seed))
  end

  def relay(front, peer)
    path = [peer]
    @random.rand(1..6).times { path << other(path.last) }
    string = text(20_000)
    check("relay", string + path.map(&:chr).join.b, front.relay(path.drop(1), string))
  end

  def squall(front, _peer)
    string = text(5_000)
    front.fail(string)
    abort "ue #{@ue}: nothing was raised"
  rescue Squall => error
    check("squall", string, error.message)
  end

  def block(front, peer)
    numbers = Array.new(@random.rand(1..8)) { @random.rand(1000) }
    got = []
    front.each(numbers) { |number, from| got << number + from }
    check("block", numbers.map { |number| number + peer }, got)
  end

  def block_that_fails(front, _peer)
    front.each([1, 2, 3]) { |number, _| raise Squall, "at #{number}" if number == 2 }
    abort "ue #{@ue}: nothing was raised by a block"
  rescue Squall => error
    check("block that fails", "at 2", error.message)
  end

  def lent(front, _peer)
    tally = front.lend(@key)
    numbers = Array.new(@random.rand(1..5)) { @random.rand(1000) }
    numbers.each { |number| tally.add(number) }
    check("lent", numbers.sum, front.give_back(@key))
  end

  def ours(front, _peer)
    tally = Tally.new
    numbers = Array.new(@random.rand(1..5)) { @random.rand(1000) }
    check("ours", numbers.sum, front.count(tally, numbers))
    check("ours here", numbers.sum, tally.sum)
  end

  def stressed(front, _peer)
    string = text(8)
    check("stressed", string.reverse, front.stressed(string))
  end
end

hub = DRb::RCCEHub.instance
ue = hub.ue
abort "storm.rb: it takes two cores: rck ruby -n 2 storm.rb" if RCCE.num_ues < 2
calls, seed = (ARGV[0] || 20).to_i, (ARGV[1] || 1).to_i
front = Front.new(ue)
DRb.start_service("rcce://", front)
RCCE.barrier_world

callers = Array.new(CALLERS) { |number| Caller.new(ue, number, seed) }
threads = callers.map { |one| Thread.new { (calls / CALLERS).times { one.call } } }
threads.each do |thread|
  thread.report_on_exception = false
  thread.join
end
RCCE.barrier_world
puts format("ue %d: made %d, served %d, %d collections, digest %08x, at %.9f s", ue,
            callers.sum(&:made), front.served, GC.count, callers.map(&:digest).reduce(:^), RCCE.wtime)
RCCE.finalize
