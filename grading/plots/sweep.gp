load style
set title 'Threads in a block, and blocks in the grid'
set logscale x 2
set xlabel 'blocks in the grid'
set ylabel 'GB/s'
set yrange [0:*]
set key bottom right
plot for [block in '64 128 256 512 1024'] csv every ::1 \
    using (column(3) == int(block) ? column(4) : NaN):6 \
    with linespoints title block.' threads'
