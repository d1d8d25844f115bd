# One of Ruby's benchmarks, and how many collections of garbage it took.
load "/#{ARGV[0]}.rb"
puts "collections #{GC.count}"
