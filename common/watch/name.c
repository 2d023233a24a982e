/* Names of places and files for messages. */
#include "watch/name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The source name in a symbol: "_ZZ6reduceE9warp_sums" is a static variable
 * inside a function, "_ZN..4nameE" one in a namespace: the last length-name
 * pair counts.  Other symbols stay as they are. */
static int source_name(const char *symbol, const char **name)
{
    *name = symbol;
    int best = (int)strlen(symbol);
    if (strncmp(symbol, "_Z", 2))
        return best;
    for (const char *p = symbol + 2; *p;) {
        if (!isdigit((unsigned char)*p)) {
            p++;
            continue;
        }
        size_t length = 0;
        while (isdigit((unsigned char)*p) && length < 1000)
            length = 10 * length + (size_t)(*p++ - '0');
        if (!length || strlen(p) < length)
            break;
        *name = p;
        best = (int)length;
        p += length;
    }
    return best;
}

static void name_shared(const struct launch_info *info, uint64_t address,
                        char *to, size_t size)
{
    for (int i = 0; i < info->shared_count; i++) {
        const struct shared_variable *v = &info->shared[i];
        uint64_t bytes = v->variable->is_extern
                             ? info->shared_bytes - v->at
                             : v->bytes;
        if (address < v->at || address - v->at >= bytes)
            continue;
        uint64_t element = (uint64_t)ptx_type_bytes(v->variable->type);
        const char *name;
        int length = source_name(v->variable->name, &name);
        if (element < 4)
            element = 4; /* nvcc declares every array as bytes */
        if (bytes <= element)
            snprintf(to, size, "%.*s", length, name);
        else
            snprintf(to, size, "%.*s[%llu]", length, name,
                     (unsigned long long)((address - v->at) / element));
        return;
    }
    snprintf(to, size, "byte %llu of shared memory",
             (unsigned long long)address);
}

void name_place(const struct launch_info *info, enum ptx_space space,
                uint64_t address, char *to, size_t size)
{
    if (space == SPACE_SHARED)
        name_shared(info, address, to, size);
    else if (space == SPACE_LOCAL)
        snprintf(to, size, "byte %llu of local memory",
                 (unsigned long long)address);
    else
        memory_describe(info->memory, address, to, size);
}

const char *name_file(const struct ptx_function *f,
                      const struct ptx_insn *insn)
{
    return insn->file >= 0 ? f->program->files[insn->file] : NULL;
}

void name_thread(const struct launch_info *info, uint32_t thread, char *to,
                 size_t size)
{
    const uint32_t *block = info->launch->block;
    if (block[1] == 1 && block[2] == 1)
        snprintf(to, size, "thread %u", thread);
    else
        snprintf(to, size, "thread (%u,%u,%u)", thread % block[0],
                 thread / block[0] % block[1], thread / block[0] / block[1]);
}
