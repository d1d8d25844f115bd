# Ping-pong of strings by TCP or UDP between the first two cores, each the fastest of three trials.
#
#   rck ruby --kernel linux -n 2 sockets.rb tcp|udp [BYTES]...
require "socket"

ROUNDS = 30
PORT = 7001
OTHERS = { "rck00" => "rck01", "rck01" => "rck00" }.freeze

# A stream, which is read until all has come.
class Stream
  def initialize(here, there)
    @socket = here == "rck01" ? TCPServer.new(here, PORT).accept : connected(there)
    @socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
  end

  def send(message)
    @socket.write(message)
  end

  def recv(bytes)
    @socket.read(bytes)
  end

  private

  # The server may not listen yet.
  def connected(there)
    TCPSocket.new(there, PORT)
  rescue Errno::ECONNREFUSED
    sleep 0.01
    retry
  end
end

# A message is a datagram; the first one is sent until it is answered.
class Datagrams
  def initialize(here, there)
    @socket = UDPSocket.new
    @socket.bind(here, PORT)
    @socket.connect(there, PORT)
    if here == "rck01"
      @socket.recv(1)
      send("y")
    else
      greet
    end
  end

  def send(message)
    @socket.send(message, 0)
  end

  def recv(bytes)
    @socket.recv(bytes)
  end

  private

  def greet
    begin
      send("x")
    rescue Errno::ECONNREFUSED
      sleep 0.01
      retry
    end
    greet unless @socket.wait_readable(0.05)
    @socket.recv(1)
  rescue Errno::ECONNREFUSED
    retry
  end
end

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

kind, *sizes = ARGV
here = Socket.gethostname
peer = { "tcp" => Stream, "udp" => Datagrams }.fetch(kind).new(here, OTHERS.fetch(here))
sizes.map(&:to_i).each do |size|
  message = "x" * size
  times = 3.times.map do
    began = now
    ROUNDS.times do
      if here == "rck00"
        peer.send(message)
        peer.recv(size)
      else
        peer.send(peer.recv(size))
      end
    end
    (now - began) / ROUNDS / 2
  end
  puts format("%d bytes: %.2f us", size, times.min * 1e6) if here == "rck00"
end
