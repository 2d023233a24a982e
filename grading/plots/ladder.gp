load style
set title 'The ladder: time of each stage'
set logscale y
set ylabel 'microseconds'
set format y '10^{%L}'
set key off
plot csv using 0:4:xtic(strcol(2)[1:2]) every ::1 with boxes lc 1, \
     csv using 0:4:(sprintf("%.4g", column(4))) every ::1 with labels offset 0,0.7
