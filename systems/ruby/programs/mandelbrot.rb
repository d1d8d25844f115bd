# The Mandelbrot set, rows dealt out over all cores; core 0 prints it.
#
#   rck ruby -n 48 mandelbrot.rb [ROWS]
require "rcce"

RCCE.init
ue, ues = RCCE.ue, RCCE.num_ues
rows = (ARGV[0] || 24).to_i
columns = rows * 2
SHADES = " .:-=+*#%@"

def depth(x, y)
  a = b = 0.0
  90.times do |n|
    a, b = a * a - b * b + x, 2 * a * b + y
    return n if a * a + b * b > 4
  end
  90
end

def row(number, rows, columns)
  y = 2.4 * number / rows - 1.2
  (0...columns).map { |c| SHADES[depth(3.2 * c / columns - 2.2, y) / 10] }.join
end

mine = (ue...rows).step(ues).map { |number| row(number, rows, columns) }
if ue.zero?
  picture = Array.new(rows)
  rows.times do |number|
    from = number % ues
    picture[number] = from.zero? ? mine.shift : RCCE.recv(columns, from)
  end
  puts picture
else
  mine.each { |line| RCCE.send(line, 0) }
end
RCCE.finalize
