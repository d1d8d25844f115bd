# A tuple space on core 0, and all other cores as its workers (Rinda).
#
#   rck ruby -n 48 tuplespace.rb [TASKS]
require "drb/rcce"
require "rinda/tuplespace"

hub = DRb::RCCEHub.instance
tasks = (ARGV[0] || 100).to_i

if hub.ue.zero?
  space = Rinda::TupleSpace.new
  DRb.start_service("rcce://", space)
  tasks.times { |n| space.write([:task, n]) }
  RCCE.barrier_world
  sums = tasks.times.map { space.take([:result, nil, nil]) }
  # Not before: a space has no order.
  (RCCE.num_ues - 1).times { space.write([:task, nil]) }
  right = sums.all? { |_, n, square| square == n * n }
  puts "#{sums.size} tasks by #{RCCE.num_ues - 1} workers: #{right ? "right" : "wrong"}"
else
  DRb.start_service("rcce://")
  RCCE.barrier_world
  space = Rinda::TupleSpaceProxy.new(DRbObject.new_with_uri("rcce://0"))
  while (number = space.take([:task, nil])[1])
    space.write([:result, number, number * number])
  end
end
RCCE.barrier_world
RCCE.finalize
