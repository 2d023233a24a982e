/* Writing JSON: a small layer over jansson, the only one that includes it.
 *
 *     struct json *j = json_new();           {
 *     json_add_text(j, "stage", "v3");         "stage": "v3",
 *     json_open_array(j, "findings");          "findings": [
 *     json_open_object(j, NULL);                 {
 *     json_add_uint(j, "line", 14);                "line": 14
 *     json_close(j);                             }
 *     json_close(j);                           ]
 *     json_print(j, stdout, &error);         }
 *
 * The top is an object.  A key is NULL inside an array and a name inside an
 * object.  Numbers read back exactly; a number that is not finite becomes the
 * text "nan", "inf" or "-inf".  Bytes that are not UTF-8 become '?'.
 *
 * Where jansson was missing when the kit was built (HAVE_JANSSON=0)
 * json_available says so, and nothing else may be called.  (The names avoid
 * jansson's own.) */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/error.h"
#include "base/text.h"
#include <stdint.h>
#include <stdio.h>

/* False and one line that says what to install. */
bool json_available(struct error *);

struct json;
struct json *json_new(void);
void json_open_object(struct json *, const char *key);
void json_open_array(struct json *, const char *key);
void json_close(struct json *); /* what was opened last */
void json_add_text(struct json *, const char *key, const char *text);
void json_add_bool(struct json *, const char *key, bool value);
void json_add_int(struct json *, const char *key, int64_t value);
void json_add_uint(struct json *, const char *key, uint64_t value);
void json_add_real(struct json *, const char *key, double value);

/* Prints the object and a newline; everything opened must be closed.  False
 * when the output took no more (disk full, reader gone). */
bool json_print(const struct json *, FILE *, struct error *);
/* Adds the object to a text without a space, numbers with the 9 digits that a
 * float needs, and '<' as an escape: it may stand inside a page's <script>. */
void json_embed(const struct json *, struct text *);
void json_free(struct json *);

#endif
