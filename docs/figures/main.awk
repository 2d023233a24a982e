# Reads the measured times, then draws the figure that was asked for.
BEGIN { FS = "," }
$2 == 16777216 && $3 == 256 {
    name = $1
    sub(/_.*/, "", name)
    time_us[name] = $5 / 1000
    full_name[name] = $1
}
END {
    limit_us = 4 * 16777216 / 4800 / 1000
    if (figure == "chain_and_tree") chain_and_tree()
    else if (figure == "kit") kit()
    else if (figure == "machine") machine()
    else if (figure == "warp_and_block") warp_and_block()
    else if (figure == "v0_booth") v0_booth()
    else if (figure == "v1_workshops") v1_workshops()
    else if (figure == "v1_tree") v1_tree()
    else if (figure == "v2_phalanx") v2_phalanx()
    else if (figure == "v2_tree") v2_tree()
    else if (figure == "v3_banks") v3_banks()
    else if (figure == "v3_tree") v3_tree()
    else if (figure == "v4_load") v4_load()
    else if (figure == "v5_rounds") v5_rounds()
    else if (figure == "v5_race") v5_race()
    else if (figure == "v6_stride") v6_stride()
    else if (figure == "v6_shuffle") v6_shuffle()
    else if (figure == "v6_levels") v6_levels()
    else if (figure == "x1_flight") x1_flight()
    else if (figure == "x2_tickets") x2_tickets()
    else if (figure == "measured_bars") measured_bars()
    else if (figure == "roofline") roofline()
    else exit 2
}
