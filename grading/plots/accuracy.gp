load style
set title 'Error over the sum of |x|, by the way of adding'
set logscale x 2
set logscale y
set xlabel 'elements'
set format x '2^{%L}'
set format y '10^{%L}'
set key outside right
plot for [k = 2:7] csv using 1:(column(k) > 0 ? column(k) : NaN) every ::1 \
    with linespoints title word('serial pairwise Kahan v0 v6 double', k - 1)
