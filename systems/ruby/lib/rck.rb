# frozen_string_literal: true

# What a core under our own kernel cannot do says so; `rck ruby` loads this first.
require "rck_alone.so"

# The reason why a core starts no process. A method that was defined here in Ruby, to give the reason,
# would make respond_to? say that there is one.
class NotImplementedError
  def initialize(said = nil, *rest)
    if said.to_s.match?(/\A(?:_?fork|system|spawn|exec|`|popen|daemon|open)\(\)/)
      said = "#{said}: a core of the chip runs one process (`rck ruby --kernel linux` starts others)"
    end
    super
  end
end
