# Ruby's own samples of objects (sample/drb of its tree) unchanged, by any URI. The first core runs the
# first sample, a server, each other core the next one with the URI of the server. The end of the last
# one ends all. It lies in a copy of the samples' folder:
#
#   rck ruby -n 2 sample.rb rcce://0 darray darrayc
#   rck ruby --kernel linux -n 2 sample.rb druby://rck00:7640 darray darrayc
require "etc"
require "drb/drb"

uri, *samples = ARGV
place = Etc.uname[:nodename].delete_prefix("rck").to_i
if uri.start_with?("rcce:")
  require "drb/rcce"
  # All cores begin before one of them waits for another one's file.
  DRb::RCCEHub.instance
  # A server without a URI is one of TCP.
  DRb.singleton_class.prepend(
    Module.new { def start_service(uri = nil, *rest) = super(uri || "rcce://", *rest) }
  )
end
Thread.new do
  if place.zero?
    sleep 0.05 until DRb.primary_server
    File.write("uri.new", DRb.uri)
    File.rename("uri.new", "uri")
  end
  sleep 0.1 until File.exist?("ended")
  sleep 0.5
  File.delete("uri", "ended") if place.zero?
  exit!(true)
end
sleep 0.1 until place.zero? || File.exist?("uri")
at_exit { File.write("ended", "") if place == samples.size - 1 }
ARGV.replace([place.zero? ? uri : File.read("uri")])
$0 = File.expand_path("#{samples[place]}.rb")
$LOAD_PATH.unshift(Dir.pwd)
load $0
