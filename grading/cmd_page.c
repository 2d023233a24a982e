/* Where pages go.  See cmd.h. */
#include "base/text.h"
#include "grading/cmd.h"
#include "lab/page.h"

#include <string.h>

bool page_can_be_written(const struct context *context, const struct options *o,
                         struct error *e)
{
    if (!json_available(e))
        return false;
    if (o->out || *context->home.state)
        return true;
    return error_set(e, "the folder build/ cannot be written; use --out FILE");
}

void page_add_source(struct json *j, const struct kernel *k)
{
    enum { LIMIT = 1 << 18 };
    struct text source = {0};
    struct error ignored;
    if (text_read_file(&source, k->file, LIMIT, &ignored))
        json_add_text(j, "source", source.data);
    text_free(&source);
}

bool page_write(const struct context *context, const struct options *o,
                const char *frame, const char *name, const char *title,
                const struct json *data, struct error *e)
{
    struct text page = {0};
    char path[1400];
    const char *root = context->home.root;
    size_t length = strlen(root);

    if (o->out)
        snprintf(path, sizeof path, "%s", o->out);
    else
        snprintf(path, sizeof path, "%s/%s.html", context->home.state, name);
    bool ok = page_make(&context->home, frame, title, data, &page, e) &&
              text_write_file(path, page.data, page.length, e);
    if (ok) {
        bool is_inside =
            strncmp(path, root, length) == 0 && path[length] == '/';
        printf("the page (%.0f KB): %s\n", (double)page.length / 1000,
               path + (is_inside ? length + 1 : 0));
    }
    text_free(&page);
    return ok;
}
