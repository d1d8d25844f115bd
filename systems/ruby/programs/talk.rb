# A server on the second core and a client on the first one: the same by the message buffers and by
# TCP, which the URI alone chooses.
#
#   rck ruby -n 2 talk.rb rcce://1
#   rck ruby --kernel linux -n 2 talk.rb druby://rck01:7640
require "drb/rcce"
require "etc"

# What the server offers.
class Front
  def hello(name)
    "Hello #{name}, here is #{Etc.uname[:nodename]}"
  end

  def stop
    DRb.stop_service
  end
end

if Etc.uname[:nodename] == "rck01"
  DRb.start_service(ARGV[0], Front.new)
  DRb.thread.join
else
  sleep 0.5 # Until the server listens.
  front = DRbObject.new_with_uri(ARGV[0])
  puts front.hello("core 0")
  front.stop
end
