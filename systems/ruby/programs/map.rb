# A parallel map over objects of other cores: core 0 deals out, all others compute.
#
#   rck ruby -n 48 map.rb [ITEMS]
require "drb/rcce"

# What each core offers.
class Worker
  def square_sum(number)
    (1..number).sum { |n| n * n }
  end
end

hub = DRb::RCCEHub.instance
DRb.start_service("rcce://", Worker.new)
RCCE.barrier_world

if hub.ue.zero?
  items = Thread::Queue.new((1..(ARGV[0] || 100).to_i).to_a)
  items.close
  results = {}
  workers = (1...RCCE.num_ues).map do |ue|
    worker = DRbObject.new_with_uri("rcce://#{ue}")
    Thread.new do
      while (item = items.pop)
        results[item] = worker.square_sum(item)
      end
    end
  end
  workers.each(&:join)
  right = results.all? { |item, sum| sum == item * (item + 1) * (2 * item + 1) / 6 }
  puts "#{results.size} items on #{workers.size} cores: #{right ? "right" : "wrong"}"
end
RCCE.barrier_world
RCCE.finalize
