# frozen_string_literal: true

# What a core cannot do says so; `rck ruby` loads this first. CRuby itself knows that there is no
# fork, but then takes the C library's system, which has no process to start either.
[
  [Kernel, %i[system spawn `]],
  [Kernel.singleton_class, %i[system spawn `]],
  [Process.singleton_class, %i[spawn]],
  [IO.singleton_class, %i[popen]],
].each do |place, names|
  names.each do |name|
    place.define_method(name) do |*|
      raise NotImplementedError, "#{name}: a core of the chip runs one process and starts no others"
    end
    place.__send__(:private, name) if place == Kernel
  end
end

# That there is no fork CRuby says itself, but not why; what defines one would claim that there is.
class NotImplementedError
  def initialize(said = nil, *rest)
    said = "#{said}: a core of the chip runs one process" if said.to_s.start_with?("fork()")
    super
  end
end

# A socket, and what looks for names and addresses, fail in the kernel: what has them is named.
class Errno::ENOSYS
  def initialize(said = nil, *rest)
    if said.to_s.match?(/\A(?:socket|getaddrinfo|getifaddrs|getnameinfo)\b/)
      said = "#{said} (our own kernel has no network; `rck ruby --kernel linux` has one)"
    end
    super
  end
end
