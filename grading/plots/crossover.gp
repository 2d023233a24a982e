load style
set title 'One atomic an element, or a tree?'
set logscale xy
set xlabel 'elements'
set ylabel 'microseconds'
set format xy '10^{%L}'
plot csv using 2:3 every ::1 with linespoints lt 1 title 'v0: one atomic an element', \
     csv using 2:4 every ::1 with linespoints lt 2 title 'v3: a tree in shared memory'
