/* The input arrays.  See data.h.
 *
 * One plain loop a kind: each element is computed from its index alone, so
 * that any part of an array can be made, or made again to compare, without
 * the rest. */
#include "lab/data.h"
#include "base/random.h"
#include "lab/number.h"

#include <math.h>
#include <string.h>

const struct data_info data_sets[DATA_KINDS] = {
    [DATA_ONES] = {"ones", "1 everywhere"},
    [DATA_RAMP] = {"ramp", "0.5, 1.5 ... 4095.5, and again"},
    [DATA_RANDOM] = {"random", "uniform in (-1, 1)"},
    [DATA_NEGATIVE] = {"negative", "random in (-1, 0), never 0"},
    [DATA_INTEGERS] = {"integers", "whole numbers, the sum is exact"},
    [DATA_SPIKE] = {"spike", "one element of 2^20 among small ones"},
    [DATA_CANCEL] = {"cancel", "pairs that nearly cancel"},
    [DATA_NAN] = {"nan", "random with one NaN"},
    [DATA_INF] = {"inf", "random with one infinity"},
};

bool data_find(const char *name, enum data_kind *kind, struct error *e)
{
    char names[160] = "";
    int nearest = 0, least = 1000;

    for (int i = 0; i < DATA_KINDS; i++) {
        if (strcmp(name, data_sets[i].name) == 0) {
            *kind = (enum data_kind)i;
            return true;
        }
        int distance = edit_distance(name, data_sets[i].name);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
        strcat(names, i ? " " : "");
        strcat(names, data_sets[i].name);
    }
    if (least <= 2)
        return error_set(e, "no data set '%.40s'; did you mean '%s'?", name,
                         data_sets[nearest].name);
    return error_set(e, "no data set '%.40s'; there are: %s", name, names);
}

/* Uniform in [0, 1): the top 24 bits, exact in float. */
static inline float unit(uint64_t bits)
{
    return (float)(bits >> 40) * 0x1p-24f;
}

/* The elements of one kind at one index; `key` is the mixed seed. */
static inline uint64_t bits_at(uint64_t key, uint64_t i)
{
    return random_mix(key ^ (i * 0xd1342543de82ef95u));
}

static inline float random_element(uint64_t key, uint64_t i)
{
    /* 2^24 places of equal width in (-1, 1), their middles: never 0. */
    int32_t place = (int32_t)(bits_at(key, i) >> 40) - (1 << 23);
    return ((float)place + 0.5f) * 0x1p-23f;
}

/* See data.h: the magnitudes a region of the array may have. */
static inline uint32_t integer_size(uint64_t i)
{
    if (i < 4096)
        return 64;
    if (i < 8192)
        return 32;
    if (i < 16384)
        return 16;
    if (i < 32768)
        return 8;
    if (i < 65536)
        return 4;
    return i < ((uint64_t)1 << 23) ? 3 : 1;
}

static inline float integer_element(uint64_t key, uint64_t i)
{
    uint64_t bits = bits_at(key, i);
    uint64_t size = i + 1;
    if (i >= 2048)
        size = 1 + (((bits >> 32) * integer_size(i)) >> 32);
    float value = (float)size;
    return bits & 1 ? -value : value;
}

static inline float cancel_element(uint64_t key, uint64_t i)
{
    uint64_t pair = bits_at(key, i / 2);
    if (pair % 64 == 0) /* zeros of both signs now and then */
        return i % 2 ? -0.0f : 0.0f;
    float large = 1.0f + unit(pair) * 9999.0f;
    return i % 2 ? -large + unit(random_mix(pair)) : large;
}

static void fill_random(uint64_t key, uint64_t from, uint64_t count, float *out)
{
    for (uint64_t k = 0; k < count; k++)
        out[k] = random_element(key, from + k);
}

static void fill_integers(uint64_t key, uint64_t from, uint64_t count,
                          float *out)
{
    for (uint64_t k = 0; k < count; k++)
        out[k] = integer_element(key, from + k);
}

static void fill_others(enum data_kind kind, uint64_t key, uint64_t from,
                        uint64_t count, float *out)
{
    for (uint64_t k = 0; k < count; k++) {
        uint64_t i = from + k;
        if (kind == DATA_ONES)
            out[k] = 1.0f;
        else if (kind == DATA_RAMP)
            out[k] = (float)(i % 4096) + 0.5f;
        else if (kind == DATA_NEGATIVE)
            out[k] = -unit(bits_at(key, i)) * (1 - 0x1p-23f) - 0x1p-25f;
        else if (kind == DATA_SPIKE)
            out[k] = unit(bits_at(key, i)) * (1 - 0x1p-23f) + 0x1p-25f;
        else
            out[k] = cancel_element(key, i);
    }
}

/* The one element that is different from all others. */
static bool special_value(enum data_kind kind, float *value)
{
    switch (kind) {
    case DATA_SPIKE: *value = 0x1p20f; return true;
    case DATA_NAN: *value = NAN; return true;
    case DATA_INF: *value = INFINITY; return true;
    default: return false;
    }
}

void data_fill(enum data_kind kind, uint64_t seed, uint64_t n, uint64_t from,
               uint64_t count, float *out)
{
    uint64_t key = random_mix(seed ^ ((uint64_t)kind << 56));
    float special;

    if (kind == DATA_RANDOM || kind == DATA_NAN || kind == DATA_INF)
        fill_random(key, from, count, out);
    else if (kind == DATA_INTEGERS)
        fill_integers(key, from, count, out);
    else
        fill_others(kind, key, from, count, out);
    if (n == 0 || !special_value(kind, &special))
        return;
    uint64_t at = random_mix(key + 1) % n;
    if (at >= from && at - from < count)
        out[at - from] = special;
}
