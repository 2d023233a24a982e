/* Questions to the table of stages.  See stage.h. */
#include "lab/stage.h"
#include "lab/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *stage_short(const struct stage *stage, char *buffer, size_t size)
{
    snprintf(buffer, size, "%.*s", (int)strcspn(stage->name, "_"), stage->name);
    return buffer;
}

bool stage_is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') ||
           (length > 3 && strcmp(name + length - 3, ".cu") == 0) ||
           (length > 4 && strcmp(name + length - 4, ".ptx") == 0);
}

/* The part after the first '_': "sequential". */
static const char *stage_word(const struct stage *stage)
{
    return stage->name + strcspn(stage->name, "_") + 1;
}

static bool is_beginning(const char *name, const char *of)
{
    return strncasecmp(name, of, strlen(name)) == 0;
}

static const struct stage *nearest_stage(const char *name, int *distance)
{
    const struct stage *nearest = &stages[0];
    char number[16];

    *distance = 1000;
    for (int i = 0; i < stage_count; i++) {
        const struct stage *s = &stages[i];
        const char *words[] = {s->name, stage_word(s),
                               stage_short(s, number, sizeof number)};
        for (int w = 0; w < 3; w++) {
            int d = edit_distance(name, words[w]);
            if (d < *distance) {
                *distance = d;
                nearest = s;
            }
        }
    }
    return nearest;
}

const struct stage *stage_find(const char *name, struct error *e)
{
    const struct stage *found = NULL;
    char number[16], clean[64];
    int matches = 0, distance;

    /* "labs/v3_sequential/" comes from a shell's completion. */
    const char *part = strncmp(name, "labs/", 5) == 0 ? name + 5 : name;
    snprintf(clean, sizeof clean, "%.*s", (int)strcspn(part, "/"), part);
    for (int i = 0; *clean && i < stage_count; i++) {
        const struct stage *s = &stages[i];
        if (strcasecmp(clean, s->name) == 0 ||
            strcasecmp(clean, stage_word(s)) == 0 ||
            strcasecmp(clean, stage_short(s, number, sizeof number)) == 0)
            return s;
        if (is_beginning(clean, s->name) ||
            is_beginning(clean, stage_word(s))) {
            found = s;
            matches++;
        }
    }
    if (matches == 1)
        return found;
    if (!*clean) {
        error_set(e, "which stage? for example v3; `lab list` shows all");
        return NULL;
    }
    found = nearest_stage(clean, &distance);
    bool is_number = clean[strspn(clean, "vVxX0123456789")] == '\0';
    if (matches == 0 && !is_number && distance <= 3 &&
        distance < (int)strlen(clean))
        error_set(e, "no stage '%.60s'; did you mean %s?", name, found->name);
    else
        error_set(e,
                  "%s stage '%.60s'; there are v0 to v6, x1 and x2, `lab list` "
                  "shows them",
                  matches ? "more than one" : "no", name);
    return NULL;
}

const char *stage_blocks_text(const struct stage *s, char *text, size_t size)
{
    snprintf(text, size, "%s from %u to %u",
             s->block_rule == BLOCK_WARPS ? "multiples of 32" : "powers of two",
             s->block_min, s->block_max);
    return text;
}

bool stage_block_check(const struct stage *s, uint32_t block, struct error *e)
{
    char blocks[64];
    bool fits = s->block_rule == BLOCK_WARPS ? block % 32 == 0
                                             : (block & (block - 1)) == 0;
    if (fits && block >= s->block_min && block <= s->block_max)
        return true;
    return error_set(e, "block %u: %s is launched with %s threads a block",
                     block, s->name, stage_blocks_text(s, blocks, 64));
}

uint64_t stage_grid(const struct stage *s, const struct device *device,
                    uint64_t n, uint32_t block, uint32_t shared_bytes)
{
    uint64_t tile = (uint64_t)block * (s ? s->items : 1);
    uint64_t cover = n / tile + (n % tile != 0);

    if (cover == 0)
        cover = 1;
    if (s && s->grid_rule == GRID_FILL) {
        uint64_t fill = device_resident_blocks(device, block, shared_bytes);
        return cover < fill ? cover : fill;
    }
    return cover;
}

uint64_t stage_chain(const struct stage *s, uint64_t n)
{
    /* The adding up of `folded` elements comes before the common word. */
    uint64_t folded = s ? s->folded : 1;
    return n / folded + folded;
}

static int compare_sizes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int stage_sizes(const struct stage *s, uint32_t block,
                uint64_t sizes[STAGE_SIZES])
{
    uint64_t tile = (uint64_t)block * (s ? s->items : 1);
    const uint64_t all[] = {
        0,         1,           2,      3,         31,
        32,        33,          63,     64,        65,
        1000,      1023,        1024,   1025,      4097,
        4098,      4099,        100003, block - 1, block,
        block + 1, tile - 1,    tile,   tile + 1,  2 * tile - 1,
        2 * tile,  2 * tile + 1};
    int count = sizeof all / sizeof all[0], kept = 0;

    memcpy(sizes, all, sizeof all);
    qsort(sizes, (size_t)count, sizeof sizes[0], compare_sizes);
    for (int i = 0; i < count; i++)
        if (kept == 0 || sizes[i] != sizes[kept - 1])
            sizes[kept++] = sizes[i];
    return kept;
}
