/* Messages about bad input: how they are put together.  See error.h. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* Longest piece of a source line worth showing in a message. */
enum { SHOWN_COLUMNS = 100 };

bool error_set(struct error *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

/* A terminal must not be steered by what a broken file holds. */
static char shown(char c)
{
    unsigned char u = (unsigned char)c;
    return u == '\t' ? ' ' : u < 32 || u == 127 ? '?' : c;
}

/* Adds "\n    source line\n    ^".  A long line is cut to a window around
 * the column. */
static void add_caret(struct error *e, struct place at)
{
    size_t used = strlen(e->text);
    size_t length = strcspn(at.source_line, "\r\n");
    size_t column = (size_t)at.column - 1;
    size_t from = 0;

    if (column > length)
        column = length;
    if (column > SHOWN_COLUMNS * 3 / 4)
        from = column - SHOWN_COLUMNS / 2;
    if (length - from > SHOWN_COLUMNS)
        length = from + SHOWN_COLUMNS;
    if (length == 0)
        return;
    /* "\n    ", the piece, "\n    ", the caret's indent, "^\0" */
    if (used + (length - from) + (column - from) + 16 > sizeof e->text)
        return;
    char *out = e->text + used;
    out += sprintf(out, "\n    ");
    for (size_t i = from; i < length; i++)
        *out++ = shown(at.source_line[i]);
    sprintf(out, "\n    %*s^", (int)(column - from), "");
}

bool error_at(struct error *e, struct place at, const char *format, ...)
{
    int used;
    if (at.column > 0)
        used = snprintf(e->text, sizeof e->text, "%s:%d:%d: error: ", at.file,
                        at.line, at.column);
    else
        used = snprintf(e->text, sizeof e->text, "%s:%d: error: ", at.file,
                        at.line);
    if (used < 0 || (size_t)used >= sizeof e->text)
        return false;

    va_list args;
    va_start(args, format);
    vsnprintf(e->text + used, sizeof e->text - (size_t)used, format, args);
    va_end(args);
    if (at.column > 0 && at.source_line)
        add_caret(e, at);
    return false;
}

bool error_prefix(struct error *e, const char *format, ...)
{
    struct error old = *e;
    va_list args;

    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    size_t used = strlen(e->text);
    const char *parts[] = {": ", old.text};
    for (int i = 0; i < 2; i++) {
        size_t room = sizeof e->text - 1 - used;
        size_t length = strlen(parts[i]) < room ? strlen(parts[i]) : room;
        memcpy(e->text + used, parts[i], length);
        used += length;
    }
    e->text[used] = '\0';
    return false;
}
