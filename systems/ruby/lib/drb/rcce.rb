# frozen_string_literal: true

# Distributed objects over the message buffers: a protocol of DRb, URI rcce://UE.
#
#   require "drb/rcce"
#   DRb.start_service("rcce://", Front.new)        # on UE 1
#   DRbObject.new_with_uri("rcce://1").hello       # on any other
#
# A message is a header and what DRbMessage writes: 32 bits of size (of what follows the header),
# 8 bits of tag ("r" request, "p" reply, "e" the sender has ended), 32 bits of request id, big
# endian as the sizes in DRb's own messages. It goes in chunks of at most 8,160 bytes, which is
# what a message buffer holds; those of one message follow each other.
#
# One thread receives all and wakes who waits for a reply by its id. Senders have a lock, and
# receiving has none, so that two cores that call each other at once do not wait for ever.
require "drb/drb"
require "rcce"
require "stringio"

module DRb
  # What goes over the message buffers of this core, for all its servers and connections.
  class RCCEHub
    HEADER = "NCN"
    HEADER_BYTES = 9
    NO_HEADER = ("\0".b * HEADER_BYTES).freeze
    CHUNK = RCCE::CHUNK
    REQUEST, REPLY, ENDED = "rpe".bytes
    # Seconds of the chip's time. A peer's receive thread takes a chunk long before. A core that is
    # busy takes longer, and its heart beats on.
    TAKEN_WITHIN = 1.0
    SILENCE = 0.4
    LOOK_EVERY = 0.2
    # Handlers that wait for further requests; more of them end.
    IDLE_MOST = 8

    # Room that a message gets before its chunks come; a larger one grows.
    PREPARED = 1 << 18

    # A message, its header in front, of which chunks are still to come.
    Partial = Struct.new(:tag, :id, :bytes, :missing)

    class << self
      def instance
        @instance ||= new
      end

      # What DRb writes a message to: behind the room for its header.
      def writer
        stream = StringIO.new(NO_HEADER.dup)
        stream.pos = HEADER_BYTES
        stream
      end

      # What DRb reads a message from.
      def reader(bytes)
        stream = StringIO.new(bytes)
        stream.pos = HEADER_BYTES
        stream
      end
    end

    attr_reader :ue, :ues, :requests

    def initialize
      RCCE.init
      @ue = RCCE.ue
      @ues = RCCE.num_ues
      @requests = Thread::Queue.new
      @handed = Thread::Queue.new
      @load_limit = DRbServer.make_config[:load_limit]
      @lock = Thread::Mutex.new
      @sending = Thread::Mutex.new
      @waiting = {}
      @partial = {}
      @refused = {}
      @met = {}
      @last_id = 0
      @hearts = {}
      @looked = 0
      RCCE.beat
      @receiver = Thread.new { receive_all }
      @receiver.name = "drb/rcce"
      at_exit { farewell }
    end

    # Sends the request of a writer; the reply will come to the queue of this id.
    def request(peer, stream)
      refuse_peer(peer)
      replies = Thread::Queue.new
      id = @lock.synchronize do
        @last_id = (@last_id + 1) & 0xffff_ffff
        @waiting[[peer, @last_id]] = replies
        @last_id
      end
      begin
        transmit(peer, REQUEST, id, stream)
      rescue Exception
        abandon(peer, id)
        raise
      end
      [id, replies]
    end

    # Nobody waits for this reply any more: if it comes, it is dropped.
    def abandon(peer, id)
      @lock.synchronize { @waiting[[peer, id]] = nil if @waiting.key?([peer, id]) }
    end

    def reply(peer, id, stream)
      transmit(peer, REPLY, id, stream)
    end

    # A further request for a handler that has answered one; nil: it is to end.
    def next_request
      @handed.pop if @handed.num_waiting < IDLE_MOST
    end

    # Ends the handlers that are idle.
    def dismiss
      @handed.num_waiting.times { @handed << nil }
    end

    # Raises if nothing can be said to this peer any more.
    def refuse_peer(peer)
      why = @refused[peer]
      raise DRbConnError, "rcce://#{peer}: #{why}" if why
    end

    private

    # `last_words`: nobody waits for a peer that is busy.
    def transmit(peer, tag, id, stream, last_words: false)
      within = last_words ? 0.01 : taken_within(peer)
      bytes = stream.string
      size = bytes.bytesize
      bytes[0, HEADER_BYTES] = [size - HEADER_BYTES, tag, id].pack(HEADER)
      bytes.freeze
      @sending.synchronize do
        0.step(size - 1, CHUNK) do |at|
          RCCE.send_part(bytes, at, [size - at, CHUNK].min, peer, within, !last_words)
        end
      end
      @met[peer] = true
    rescue RCCE::Timeout
      give_up(peer, "it has ended, or takes no message")
      refuse_peer(peer)
    rescue RCCE::Error => error
      raise DRbConnError, "rcce://#{peer}: #{error.message}"
    end

    def receive_all
      peer = 0
      while RCCE.init?
        from = RCCE.wait_any(LOOK_EVERY, peer)
        look_at_hearts
        next if from.nil?
        receive(from)
        peer = (from + 1) % @ues
      end
    rescue RCCE::Error
      raise if RCCE.init?
    ensure
      @ues.times { |ue| give_up(ue, "this core receives no more") }
    end

    # With a heart, the time begins anew at each beat.
    def taken_within(peer)
      RCCE.heart(peer).zero? ? TAKEN_WITHIN : SILENCE
    end

    # Who waits for a reply of a core that has ended is told.
    def look_at_hearts
      now = RCCE.wtime
      return if now - @looked < LOOK_EVERY
      @looked = now
      waited_for = @lock.synchronize { @waiting.filter_map { |(peer, _), replies| peer if replies } }
      waited_for.uniq.each { |peer| give_up(peer, "it has ended") if silent?(peer) }
    end

    # Between two looks at the heart, however long this thread waits for its turn around them.
    def silent?(peer)
      now = RCCE.wtime
      heart = RCCE.heart(peer)
      before, since = @hearts[peer]
      @hearts[peer] = [heart, RCCE.wtime] unless heart == before
      heart == before && heart != 0 && now - since > SILENCE
    end

    def receive(peer)
      partial = @partial[peer]
      if partial.nil?
        size, tag, id = RCCE.peek(HEADER_BYTES, peer).unpack(HEADER)
        wrong = @refused[peer] || wrong_header(peer, size, tag, id)
        return refuse(peer, wrong) if wrong
        whole = HEADER_BYTES + size
        partial = Partial.new(tag, id, String.new(capacity: [whole, PREPARED].min), whole)
      end
      part = [partial.missing, CHUNK].min
      RCCE.recv_part(partial.bytes, part, peer)
      partial.missing -= part
      @partial[peer] = partial.missing > 0 ? partial : nil
      deliver(peer, partial) if partial.missing.zero?
    rescue RCCE::Error => error
      give_up(peer, error.message)
    end

    # Why a header cannot be; nil if it can.
    def wrong_header(peer, size, tag, id)
      return "a message of #{size} bytes is over the limit of #{@load_limit}" if size > @load_limit
      return "there is no tag #{tag.chr.inspect}" unless [REQUEST, REPLY, ENDED].include?(tag)
      return if tag != REPLY || @lock.synchronize { @waiting.key?([peer, id]) }
      "nobody waits for a reply to request #{id}"
    end

    def deliver(peer, message)
      case message.tag
      when REQUEST
        @met[peer] = true
        hand_over([peer, message.id, message.bytes])
      when REPLY
        @lock.synchronize { @waiting.delete([peer, message.id]) }&.push(message.bytes)
      else
        give_up(peer, "it has ended")
      end
    end

    # To a handler that is idle, else to who makes one. The size is asked first: a handler that takes
    # one meanwhile waits no more.
    def hand_over(request)
      taken = @handed.size
      (@handed.num_waiting > taken ? @handed : @requests) << request
    end

    # What the peer sends from here on cannot be read. Receiving another size than was sent ends the
    # peer's call with an error, too.
    def refuse(peer, why)
      warn("drb: rcce://#{peer}: #{why}: refused") unless @refused[peer]
      give_up(peer, why)
      RCCE.recv(1, peer)
    rescue RCCE::Error
      nil
    end

    def give_up(peer, why)
      @refused[peer] = why
      @partial.delete(peer)
      left = @lock.synchronize do
        keys = @waiting.keys.select { |from, _| from == peer }
        keys.map { |key| @waiting.delete(key) }
      end
      left.compact.each(&:close)
    end

    # The cores with which this core has exchanged messages get its notice of the end.
    def farewell
      return unless RCCE.init?
      @met.keys.each do |peer|
        transmit(peer, ENDED, 0, RCCEHub.writer, last_words: true) unless @refused[peer]
      rescue DRbError
        nil
      end
    end
  end

  # The protocol, for DRb.
  class RCCEProtocol
    SCHEME = %r{\Arcce://(?:(\d+)/?)?(?:\?(.*))?\z}

    class << self
      # UE (nil: this core's own) and option of a URI.
      def parse(uri)
        raise DRbBadScheme, uri unless uri.start_with?("rcce:")
        match = SCHEME.match(uri) or raise DRbBadURI, "can't parse uri: #{uri}"
        [match[1]&.to_i, match[2]]
      end

      def uri_option(uri, _config)
        ue, option = parse(uri)
        [uri_of(ue || RCCEHub.instance.ue), option]
      end

      def uri_of(ue)
        "rcce://#{ue}"
      end

      def open(uri, config)
        peer, = parse(uri)
        hub = RCCEHub.instance
        peer ||= hub.ue
        unless peer < hub.ues
          raise DRbConnError, "#{uri}: there are UEs 0 to #{hub.ues - 1}"
        end
        raise DRbConnError, "#{uri} is this core itself, which offers nothing" if peer == hub.ue
        hub.refuse_peer(peer)
        Connection.new(peer, config)
      end

      def open_server(uri, config)
        ue, = parse(uri)
        hub = RCCEHub.instance
        if ue && ue != hub.ue
          raise DRbBadURI, "#{uri}: this core is rcce://#{hub.ue}"
        end
        Server.new(config)
      end
    end

    # Where requests come to for which no handler is idle.
    class Server
      attr_reader :uri

      def initialize(config)
        @config = config
        @hub = RCCEHub.instance
        @uri = RCCEProtocol.uri_of(@hub.ue)
        @open = true
      end

      def accept
        request = @hub.requests.pop
        request && @open ? Handler.new(@uri, @config, request) : nil
      end

      def close
        @open = false
        @hub.requests << nil
        @hub.dismiss
      end

      def shutdown
        close
      end
    end

    # Requests of any peers and their replies, one after the other: DRb has a thread for each of what
    # accept returns, which asks it for requests until there are none.
    class Handler
      attr_reader :uri

      def initialize(uri, config, request)
        @uri = uri
        @first = request
        @message = DRbMessage.new(config)
      end

      def recv_request
        request, @first = @first, nil
        request ||= RCCEHub.instance.next_request
        raise DRbConnError, "connection closed" if request.nil?
        @peer, @id, bytes = request
        @message.recv_request(RCCEHub.reader(bytes))
      end

      # Who asks, in a socket's form: family, port, name, address.
      def peeraddr
        ["RCCE", @peer, RCCEProtocol.uri_of(@peer), RCCEProtocol.uri_of(@peer)]
      end

      def send_reply(succeeded, result)
        stream = RCCEHub.writer
        @message.send_reply(stream, succeeded, result)
        RCCEHub.instance.reply(@peer, @id, stream)
      end

      def close
      end
    end

    # What a client calls another core by.
    class Connection
      attr_reader :uri

      def initialize(peer, config)
        @peer = peer
        @uri = RCCEProtocol.uri_of(peer)
        @message = DRbMessage.new(config)
        @hub = RCCEHub.instance
      end

      def send_request(ref, message, arguments, block)
        stream = RCCEHub.writer
        @message.send_request(stream, ref, message, arguments, block)
        @id, @replies = @hub.request(@peer, stream)
      end

      def recv_reply
        bytes = @replies.pop
        @hub.refuse_peer(@peer) if bytes.nil?
        @message.recv_reply(RCCEHub.reader(bytes))
      ensure
        @hub.abandon(@peer, @id)
      end

      def alive?
        @hub.refuse_peer(@peer)
        true
      rescue DRbConnError
        false
      end

      def close
      end
    end
  end

  DRbProtocol.add_protocol(RCCEProtocol)
end
