load style
set title 'Additions on one word, and spread over more'
set logscale x 2
set logscale y
set xlabel 'words'
set ylabel 'nanoseconds an addition'
set format x '2^{%L}'
set key off
plot csv using 3:(1000 * column(4) / column(2)) every ::1 with linespoints lt 1
