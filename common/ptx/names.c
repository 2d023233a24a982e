/* The table of names.  See names.h. */
#include "ptx/names.h"

#include <string.h>

static uint64_t hash_of(const struct scope *scope, const char *text, int length)
{
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(uintptr_t)scope;
    for (int i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

struct name *names_find(const struct names *n, const struct scope *scope,
                        const char *text, int length)
{
    if (n->bucket_count == 0)
        return NULL;
    uint64_t hash = hash_of(scope, text, length);
    struct name *name = n->buckets[hash % n->bucket_count];
    for (; name; name = name->next)
        if (name->hash == hash && name->scope == scope &&
            name->length == length &&
            memcmp(name->text, text, (size_t)length) == 0)
            return name;
    return NULL;
}

struct name *names_lookup(const struct names *n, const struct scope *scope,
                          const char *text, int length)
{
    for (; scope; scope = scope->outer) {
        struct name *name = names_find(n, scope, text, length);
        if (name)
            return name;
    }
    return NULL;
}

static void grow(struct names *n)
{
    size_t count = n->bucket_count ? n->bucket_count * 2 : 256;
    struct name **buckets = arena_array(n->arena, count, sizeof(void *));

    for (size_t i = 0; i < n->bucket_count; i++) {
        struct name *next;
        for (struct name *name = n->buckets[i]; name; name = next) {
            next = name->next;
            name->next = buckets[name->hash % count];
            buckets[name->hash % count] = name;
        }
    }
    n->buckets = buckets;
    n->bucket_count = count;
}

struct name *names_add(struct names *n, const struct scope *scope,
                       const char *text, int length, enum name_kind kind)
{
    if (n->name_count >= n->bucket_count)
        grow(n);
    struct name *name = arena_alloc(n->arena, sizeof *name);
    name->scope = scope;
    name->text = text;
    name->length = length;
    name->kind = kind;
    name->hash = hash_of(scope, text, length);
    struct name **bucket = &n->buckets[name->hash % n->bucket_count];
    name->next = *bucket;
    *bucket = name;
    n->name_count++;
    return name;
}
