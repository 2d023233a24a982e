/* Names of places and files for messages. */
#include "watch/name.h"

#include <stdio.h>
#include <string.h>

static void name_shared(const struct launch_info *info, uint64_t address,
                        char *to, size_t size)
{
    for (int i = 0; i < info->shared_count; i++) {
        const struct shared_variable *v = &info->shared[i];
        uint64_t bytes =
            v->variable->is_extern ? info->shared_bytes - v->at : v->bytes;
        if (address < v->at || address - v->at >= bytes)
            continue;
        int length;
        const char *name = ptx_source_name(v->variable->name, &length);
        if (bytes <= v->element)
            snprintf(to, size, "%.*s", length, name);
        else
            snprintf(to, size, "%.*s[%llu]", length, name,
                     (unsigned long long)((address - v->at) / v->element));
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

const char *name_file(const struct ptx_function *f, const struct ptx_insn *insn)
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

bool name_arguments(const struct launch_info *info, struct name_arguments *a)
{
    const struct launch *l = info->launch;
    if (l->params_bytes != sizeof *a || l->kernel->param_count != 3)
        return false;
    memcpy(a, l->params, sizeof *a);
    const struct buffer *in = memory_find(info->memory, a->in);
    if (!a->n)
        return true;
    return in && in->role == BUFFER_INPUT &&
           a->n <= (in->bytes - (a->in - in->address)) / sizeof(float);
}

/* ---- lists -----------------------------------------------------------------*/

/* Runs of bits, `first` added: "3", "8 to 31", at most four of them. */
static void list_bits(uint32_t bits, uint32_t first, char *to, size_t size)
{
    size_t used = 0;
    int runs = 0;
    *to = '\0';
    while (bits && used < size) {
        uint32_t from = (uint32_t)__builtin_ctz(bits), end = from;
        while (end < 31 && (bits >> (end + 1) & 1))
            end++;
        bits &= end == 31 ? 0 : ~0u << (end + 1);
        const char *glue = !runs ? "" : bits ? ", " : " and ";
        if (++runs > 4)
            used += (size_t)snprintf(to + used, size - used, " and others");
        else if (from == end)
            used += (size_t)snprintf(to + used, size - used, "%s%u", glue,
                                     first + from);
        else
            used += (size_t)snprintf(to + used, size - used, "%s%u to %u", glue,
                                     first + from, first + end);
        if (runs > 4)
            return;
    }
}

void name_lanes(uint32_t lanes, char *to, size_t size)
{
    int n = snprintf(to, size, lanes & (lanes - 1) ? "lanes " : "lane ");
    list_bits(lanes, 0, to + n, size - (size_t)n);
}

void name_threads(const struct launch_info *info, uint32_t warp, uint32_t lanes,
                  char *to, size_t size)
{
    const uint32_t *block = info->launch->block;
    uint32_t first = warp * WARP_LANES;
    if (!(lanes & (lanes - 1))) {
        name_thread(info, first + (uint32_t)__builtin_ctz(lanes | 1u << 31), to,
                    size);
        return;
    }
    if (block[1] != 1 || block[2] != 1) {
        int n = snprintf(to, size, "warp %u, ", warp);
        name_lanes(lanes, to + n, size - (size_t)n);
        return;
    }
    int n = snprintf(to, size, "threads ");
    list_bits(lanes, first, to + n, size - (size_t)n);
}

void name_line(int other, int line, char *to, size_t size)
{
    if (other <= 0)
        snprintf(to, size, "an unknown line");
    else if (other == line)
        snprintf(to, size, "the same line");
    else
        snprintf(to, size, "line %d", other);
}
