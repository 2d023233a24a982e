# What all pictures share.  `kind` is svg or png, `out` the file.
if (kind eq 'svg') set terminal svg size 760,460 background 'white' font 'sans-serif,13'
if (kind eq 'png') set terminal pngcairo size 1140,690 background 'white' font 'Sans,14'
set output out
set datafile separator ','
set key top left reverse Left
set grid ytics lc rgb '#d3d9df'
set border 3
set tics nomirror
set style fill solid 0.9
set boxwidth 0.7
# told apart by all eyes (Okabe and Ito)
set linetype 1 lc rgb '#0072b2' lw 2 pt 7 ps 0.8
set linetype 2 lc rgb '#d55e00' lw 2 pt 5 ps 0.8
set linetype 3 lc rgb '#009e73' lw 2 pt 9 ps 0.9
set linetype 4 lc rgb '#cc79a7' lw 2 pt 11 ps 0.9
set linetype 5 lc rgb '#e69f00' lw 2 pt 13 ps 0.9
set linetype 6 lc rgb '#555555' lw 2 pt 1 ps 0.9
