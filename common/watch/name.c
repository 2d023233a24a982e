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
        uint64_t bytes =
            v->variable->is_extern ? info->shared_bytes - v->at : v->bytes;
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
