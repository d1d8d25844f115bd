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
