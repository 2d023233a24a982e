/* A page in one file.  See page.h. */
#include "lab/page.h"

#include <stdio.h>
#include <string.h>

enum { PART_LIMIT = 1 << 20 };

void page_escape(struct text *to, const char *text)
{
    for (const char *at = text; *at; at++) {
        switch (*at) {
        case '&': text_puts(to, "&amp;"); break;
        case '<': text_puts(to, "&lt;"); break;
        case '>': text_puts(to, "&gt;"); break;
        case '"': text_puts(to, "&quot;"); break;
        case '\'': text_puts(to, "&#39;"); break;
        default: text_add(to, at, 1);
        }
    }
}

static bool read_part(const struct home *home, const char *name,
                      struct text *text, struct error *e)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/grading/view/%s", home->root, name);
    return text_read_file(text, path, PART_LIMIT, e);
}

/* A module as a part of one script. */
static void add_module(struct text *page, const char *module)
{
    for (const char *line = module; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        bool is_import = strncmp(line, "import ", 7) == 0;
        size_t skip = strncmp(line, "export ", 7) == 0 ? 7 : 0;
        if (!is_import)
            text_add(page, line + skip, length - skip);
        line += length;
    }
}

struct frame_part {
    const struct home *home;
    const char *title;
    const struct json *data;
};

/* One line of the frame. */
static bool add_line(const struct frame_part *f, const char *line,
                     size_t length, struct text *page, struct error *e)
{
    char what[16] = "", name[64] = "";
    struct text part = {0};
    bool ok = true;

    sscanf(line, " <!-- %15s %63s -->", what, name);
    if (!strcmp(what, "title")) {
        text_puts(page, "<title>");
        page_escape(page, f->title);
        text_puts(page, "</title>\n");
    } else if (!strcmp(what, "data")) {
        text_puts(page, "<script type=\"application/json\" id=\"data\">");
        json_embed(f->data, page);
        text_puts(page, "</script>\n");
    } else if (!strcmp(what, "style") || !strcmp(what, "module")) {
        ok = read_part(f->home, name, &part, e);
        if (ok && *what == 's')
            text_add(page, part.data, part.length);
        else if (ok)
            add_module(page, part.data);
    } else {
        text_add(page, line, length);
    }
    text_free(&part);
    return ok;
}

bool page_make(const struct home *home, const char *name, const char *title,
               const struct json *data, struct text *page, struct error *e)
{
    const struct frame_part f = {home, title, data};
    struct text frame = {0};
    char file[80];
    snprintf(file, sizeof file, "%s.html", name);
    bool ok = read_part(home, file, &frame, e);
    for (const char *line = frame.data; ok && line && *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        ok = add_line(&f, line, length, page, e);
        line += length;
    }
    text_free(&frame);
    return ok;
}
