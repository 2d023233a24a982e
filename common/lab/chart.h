/* Bar charts and progress in a terminal: 80 columns at most.
 *
 *     v2  ############################               557
 *     v4  ##########################################  1060
 *
 * On a terminal that speaks UTF-8 the bars are blocks, which show eighths of
 * a column, and have a colour unless NO_COLOR is set; anywhere else they are
 * '#' without any escape. */
#ifndef LAB_CHART_H
#define LAB_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CHART_COLUMNS = 80 };

struct chart_bar {
    char label[28];
    char text[20]; /* the value for people */
    double value;
};
/* Values that are not finite or below 0 have no bar.  `is_log`: a bar's length
 * is the logarithm of its value over half of the least one. */
void chart_bars(FILE *out, const struct chart_bar *, int count, bool is_log);

/* For what takes a while: a share on stderr, after 2 s, if that is a
 * terminal.  Use as run_spec's progress with a zeroed struct. */
struct ticker {
    double started_s, shown_s;
    bool is_shown;
    const char *what;
};
void ticker_show(void *ticker, double share);
void ticker_clear(struct ticker *);

/* "counting [#######----------]  43 %, 12 s left": what ticker_show prints
 * after `elapsed_s` seconds. */
void ticker_text(const char *what, double share, double elapsed_s, char *to,
                 size_t size);

#endif
