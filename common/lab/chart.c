/* Bar charts and progress in a terminal.  See chart.h. */
#include "lab/chart.h"
#include "lab/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- bars -----------------------------------------------------------------*/

static bool has_blocks(FILE *out)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    if (!isatty(fileno(out)))
        return false;
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8");
    }
    return false;
}

static bool is_drawn(const struct chart_bar *bar)
{
    return isfinite(bar->value) && bar->value > 0;
}

/* Columns of a bar, with a fraction. */
static double length_of(double value, double least, double most, bool is_log,
                        double room)
{
    if (!is_log)
        return room * value / most;
    double from = least / 2;
    return room * log(value / from) / log(most / from);
}

static void put_bar(FILE *out, double length, bool blocks)
{
    static const char *const eighths[] = {"",  "▏", "▎", "▍",
                                          "▌", "▋", "▊", "▉"};
    int eights = (int)lround(8 * length);

    if (!blocks) {
        int columns = (int)lround(length);
        for (int i = 0; i < (columns < 1 ? 1 : columns); i++)
            fputc('#', out);
        return;
    }
    fputs(colour_on(out, COLOUR_GREEN), out);
    for (int i = 0; i < eights / 8; i++)
        fputs("█", out);
    fputs(eights < 1 ? "▏" : eighths[eights % 8], out);
    fputs(colour_off(out), out);
}

void chart_bars(FILE *out, const struct chart_bar *bars, int count, bool is_log)
{
    int label = 1, text = 1;
    double least = INFINITY, most = 0;
    bool blocks = has_blocks(out);

    for (int i = 0; i < count; i++) {
        int width = (int)strlen(bars[i].label);
        label = width > label ? width : label;
        width = (int)strlen(bars[i].text);
        text = width > text ? width : text;
        if (!is_drawn(&bars[i]))
            continue;
        least = fmin(least, bars[i].value);
        most = fmax(most, bars[i].value);
    }
    double room = CHART_COLUMNS - label - text - 4;
    for (int i = 0; i < count; i++) {
        fprintf(out, "%*s  ", label, bars[i].label);
        if (is_drawn(&bars[i]))
            put_bar(out, length_of(bars[i].value, least, most, is_log, room),
                    blocks);
        fprintf(out, " %s\n", bars[i].text);
    }
}

/* ---- progress ---------------------------------------------------------------*/

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void left_text(double seconds, char *to, size_t size)
{
    if (seconds < 100)
        snprintf(to, size, "%.0f s left", ceil(seconds));
    else if (seconds < 6000)
        snprintf(to, size, "%.0f min left", ceil(seconds / 60));
    else
        snprintf(to, size, "%.1f h left", seconds / 3600);
}

void ticker_text(const char *what, double share, double elapsed_s, char *to,
                 size_t size)
{
    enum { ROOM = 30 };
    char bar[ROOM + 1], left[40] = "";
    share = share >= 0 ? fmin(share, 1) : 0;
    int full = (int)(share * ROOM);
    memset(bar, '#', (size_t)full);
    memset(bar + full, '-', (size_t)(ROOM - full));
    bar[ROOM] = '\0';
    if (share >= 0.02) /* before that it is a guess */
        left_text(elapsed_s * (1 - share) / share, left, sizeof left);
    snprintf(to, size, "%.24s [%s] %3.0f %%%s%s", what, bar, 100 * share,
             *left ? ", " : "", left);
}

void ticker_show(void *ticker, double share)
{
    struct ticker *t = ticker;
    double now = now_s();
    char line[CHART_COLUMNS];

    if (t->started_s == 0)
        t->started_s = now;
    if (now - t->started_s < 2 || now - t->shown_s < 0.2 ||
        !isatty(STDERR_FILENO))
        return;
    t->shown_s = now;
    t->is_shown = true;
    ticker_text(t->what, share, now - t->started_s, line, sizeof line);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void ticker_clear(struct ticker *t)
{
    if (t->is_shown)
        fprintf(stderr, "\r\033[K");
    t->is_shown = false;
}
