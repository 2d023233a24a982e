load style
set title 'What each stage saves: counted for a thousand elements'
set logscale y
set ylabel 'times'
set yrange [0.5:*]
set style data histogram
set style histogram clustered gap 1
set boxwidth 0.9
set key outside right
plot csv using 5:xtic(strcol(1)[1:2]) every ::1 title 'warp instructions', \
     csv using 3 every ::1 title 'barriers', \
     csv using 4 every ::1 title 'shared memory passes', \
     csv using 6 every ::1 title 'atomics', \
     csv using 7 every ::1 title 'shuffles'
