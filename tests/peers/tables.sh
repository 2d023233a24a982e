#!/usr/bin/env bash
# Tables and the picture of docs/performance.md, from a run of
# `make bench DEVICE=cuda` (tests/golden/peers.csv, or the file in $PEERS).
#   tests/peers/tables.sh alone|queued     Markdown
#   tests/peers/tables.sh plot >docs/gallery/performance.svg      needs gnuplot
set -u
cd "$(dirname "$0")/../.." || exit 2
csv=${PEERS:-tests/golden/peers.csv}
# shellcheck disable=SC2016 # awk expands
read_csv='
    NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k; next }
    {
        if (!($1 in seen)) { seen[$1] = 1; n[++sizes] = $1 }
        us[$1, $2] = $column["alone_us"]
        back[$1, $2] = $column["back_us"]
        graph[$1, $2] = $column["graph_us"]
    }
    function power(x, p) { for (p = 0; x > 1; p++) x /= 2; return "2^" p }'
case ${1:-} in
alone)
    awk -F, "$read_csv"'
    END {
        names = split("empty cub thrust cublas_asum torch_sum two_pass v6 x1 x2", name, " ")
        printf "| n |"
        for (k = 1; k <= names; k++) printf " %s |", name[k]
        printf " x2 : CUB | x2 GB/s |\n|---|"
        for (k = 1; k <= names + 2; k++) printf "---|"
        print ""
        for (i = 1; i <= sizes; i++) {
            printf "| %s |", power(n[i])
            for (k = 1; k <= names; k++) printf " %.1f |", us[n[i], name[k]]
            printf " %.2f | %.0f |\n", us[n[i], "cub"] / us[n[i], "x2"],
                n[i] * 4e-3 / us[n[i], "x2"]
        }
    }' "$csv"
    ;;
queued)
    awk -F, "$read_csv"'
    END {
        print "| n | CUB | two_pass | x2 | CUB, back to back | x2, back to back |"
        print "|---|---|---|---|---|---|"
        for (i = 1; i <= sizes; i++)
            printf "| %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n", power(n[i]),
                graph[n[i], "cub"], graph[n[i], "two_pass"], graph[n[i], "x2"],
                back[n[i], "cub"], back[n[i], "x2"]
    }' "$csv"
    ;;
plot)
    rows=$(mktemp) || exit 2
    trap 'rm -f "$rows"' EXIT
    awk -F, "$read_csv"'
    END {
        for (i = 1; i <= sizes; i++) {
            printf "%d", n[i]
            m = split("v6 x1 x2 two_pass cublas_asum torch_sum thrust", name, " ")
            for (k = 1; k <= m; k++)
                printf " %.4f", us[n[i], "cub"] / us[n[i], name[k]]
            print ""
        }
    }' "$csv" >"$rows"
    gnuplot -e "rows='$rows'" - <<'END' | sed 's/ *$//'
set terminal svg size 760,430 font 'sans-serif,13' background '#ffffff'
set logscale x 2
set format x '2^{%L}'
set xlabel 'n, floats'
set ylabel 'speed, CUB = 1'
set yrange [0:2]
set key outside right
set grid ytics
plot 1 with lines linecolor '#888888' title 'CUB', \
    for [k = 1:7] rows using 1:(column(k + 1)) with linespoints linewidth 2 \
    pointsize 0.5 title word('v6 x1 x2 two\_pass cublas\_asum torch\_sum thrust', k)
END
    ;;
*)
    sed -n '2,6s/^# *//p' "$0"
    exit 2
    ;;
esac
