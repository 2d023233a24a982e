/* A page for a browser: one file that needs nothing else.
 *
 * grading/view/NAME.html is the frame.  Lines of it that say so are replaced:
 *
 *     <!-- title -->         the title, escaped
 *     <!-- style FILE -->    a style sheet of the same folder
 *     <!-- module FILE -->   a module of JavaScript
 *     <!-- data -->          the data, as JSON
 *
 * The modules end up in one script: their `import` lines go, and so does the
 * word `export` in front of a line; so no two of them may give one name to two
 * things at their top.
 *
 * What comes from a student's file is in the data and the title only.  There
 * '<' is escaped, so that no text can end the script; the modules set it as
 * text, never as HTML. */
#ifndef LAB_PAGE_H
#define LAB_PAGE_H

#include "base/json.h"
#include "lab/home.h"

/* Adds the page to a text; false if a file of the frame cannot be read. */
bool page_make(const struct home *, const char *name, const char *title,
               const struct json *data, struct text *page, struct error *);

/* `text` as it may stand in HTML, between tags and in quoted attributes. */
void page_escape(struct text *to, const char *text);

#endif
