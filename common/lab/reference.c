/* The exact sum.  See reference.h.
 *
 * A float is (-1)^s * m * 2^(e - 150) with a 24-bit significand m (for e = 0:
 * m below 2^23 and 2^-149).  Its top nine bits are s and e: they choose the
 * bin, and m is added there.  A bin of 64 bits takes 2^40 of them, more
 * floats than a machine holds.  At the end
 *
 *     sum = 2^-149 * sum over e of (plus[e] - minus[e]) << (max(e, 1) - 1)
 *
 * is one long integer: 254 + 64 bits and a sign, six words. */
#include "lab/reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SPECIAL = 255, MINUS = 256, WAYS = 4, CHUNK = 1 << 16 };

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline uint32_t mantissa(uint32_t bits)
{
    uint32_t exponent = (bits >> 23) & 255;
    return (bits & 0x7fffff) | (uint32_t)(exponent != 0) << 23;
}

/* Neighbours often share a bin, and an addition must wait for the store
 * before it: four sets of bins, taken in turn, do not. */
static void add_chunk(uint64_t bins[WAYS][512], const float *x, uint64_t n)
{
    uint64_t i = 0;
    for (; i + WAYS <= n; i += WAYS) {
        for (int way = 0; way < WAYS; way++) {
            uint32_t bits = bits_of(x[i + (unsigned)way]);
            bins[way][bits >> 23] += mantissa(bits);
        }
    }
    for (; i < n; i++) {
        uint32_t bits = bits_of(x[i]);
        bins[0][bits >> 23] += mantissa(bits);
    }
}

static void count_special(struct exact_sum *s, const float *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        s->nans += isnan(x[i]);
        s->plus_infs += isinf(x[i]) && x[i] > 0;
        s->minus_infs += isinf(x[i]) && x[i] < 0;
    }
}

void exact_add(struct exact_sum *s, const float *x, uint64_t n)
{
    uint64_t bins[WAYS][512];

    while (n > 0) {
        uint64_t count = n < CHUNK ? n : CHUNK;
        memset(bins, 0, sizeof bins);
        add_chunk(bins, x, count);
        for (int b = 0; b < 512; b++)
            for (int way = 0; way < WAYS; way++)
                s->bins[b] += bins[way][b];
        if (s->bins[SPECIAL] || s->bins[MINUS + SPECIAL]) {
            count_special(s, x, count);
            s->bins[SPECIAL] = s->bins[MINUS + SPECIAL] = 0;
        }
        s->count += count;
        x += count;
        n -= count;
    }
}

void exact_add_one(struct exact_sum *s, float x)
{
    uint32_t bits = bits_of(x);
    s->count++;
    if (((bits >> 23) & 255) == SPECIAL)
        count_special(s, &x, 1);
    else
        s->bins[bits >> 23] += mantissa(bits);
}

/* ---- the long integer ---------------------------------------------------- */

enum { WORDS = 6 };
struct wide {
    uint64_t word[WORDS]; /* lowest first, two's complement */
};

static void wide_add(struct wide *w, uint64_t value, int shift)
{
    int at = shift / 64, bit = shift % 64;
    unsigned __int128 carry = (unsigned __int128)value << bit;

    for (; at < WORDS && carry; at++) {
        carry += w->word[at];
        w->word[at] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void wide_negate(struct wide *w)
{
    uint64_t carry = 1;
    for (int i = 0; i < WORDS; i++) {
        w->word[i] = ~w->word[i] + carry;
        carry = carry && w->word[i] == 0;
    }
}

static struct wide wide_from(const uint64_t bins[256])
{
    struct wide w = {{0}};
    for (int e = 0; e < SPECIAL; e++)
        wide_add(&w, bins[e], e ? e - 1 : 0);
    return w;
}

/* a - b; returns whether it is negative, and then gives b - a. */
static bool wide_difference(struct wide *a, struct wide b)
{
    wide_negate(&b);
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        unsigned __int128 sum =
            (unsigned __int128)a->word[i] + b.word[i] + carry;
        a->word[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    bool is_negative = a->word[WORDS - 1] >> 63;
    if (is_negative)
        wide_negate(a);
    return is_negative;
}

static int wide_length(const struct wide *w) /* bits in use */
{
    for (int i = WORDS - 1; i >= 0; i--)
        if (w->word[i])
            return 64 * i + 64 - __builtin_clzll(w->word[i]);
    return 0;
}

static bool wide_bit(const struct wide *w, int bit)
{
    return w->word[bit / 64] >> (bit % 64) & 1;
}

/* The top `digits` bits, rounded to nearest, ties to even, times 2^-149. */
static double wide_round(const struct wide *w, int digits)
{
    int length = wide_length(w);
    int drop = length > digits ? length - digits : 0;
    uint64_t top = 0;
    bool sticky = false;

    for (int bit = length - 1; bit >= drop; bit--)
        top = top << 1 | wide_bit(w, bit);
    for (int bit = 0; bit < drop - 1; bit++)
        sticky = sticky || wide_bit(w, bit);
    if (drop && wide_bit(w, drop - 1) && (sticky || (top & 1)))
        top++;
    return ldexp((double)top, drop - 149);
}

/* NaN and infinities first; true if they decide. */
static bool special_sum(const struct exact_sum *s, double *value)
{
    if (s->nans || (s->plus_infs && s->minus_infs))
        *value = NAN;
    else if (s->plus_infs)
        *value = INFINITY;
    else if (s->minus_infs)
        *value = -INFINITY;
    else
        return false;
    return true;
}

static double rounded_sum(const struct exact_sum *s, int digits)
{
    double value;
    if (special_sum(s, &value))
        return value;
    struct wide w = wide_from(s->bins);
    bool is_negative = wide_difference(&w, wide_from(s->bins + MINUS));
    value = wide_round(&w, digits);
    return is_negative ? -value : value;
}

float exact_float(const struct exact_sum *s)
{
    /* Below the smallest normal float the integer's unit is the float's own,
     * so nothing is rounded twice; above the largest it becomes inf. */
    return (float)rounded_sum(s, 24);
}

double exact_double(const struct exact_sum *s)
{
    return rounded_sum(s, 53);
}

double exact_positive(const struct exact_sum *s)
{
    struct wide w = wide_from(s->bins);
    return wide_round(&w, 53);
}

double exact_negative(const struct exact_sum *s)
{
    struct wide w = wide_from(s->bins + MINUS);
    return wide_round(&w, 53);
}

double exact_magnitude(const struct exact_sum *s)
{
    struct wide w = wide_from(s->bins);
    for (int e = 0; e < SPECIAL; e++)
        wide_add(&w, s->bins[MINUS + e], e ? e - 1 : 0);
    return wide_round(&w, 53);
}

double exact_squares(const struct exact_sum *s)
{
    double sum = 0;

    /* A bin's elements all lie below 2^(e - 126). */
    for (int e = 1; e < SPECIAL; e++) {
        double mantissas = (double)s->bins[e] + (double)s->bins[MINUS + e];
        sum += ldexp(ldexp(mantissas, e - 150), e - 126);
    }
    return sum;
}

/* ---- for the lessons ------------------------------------------------------ */

float sum_serial_float(const float *x, uint64_t n)
{
    float sum = 0.0f;
    for (uint64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

float sum_pairwise_float(const float *x, uint64_t n)
{
    if (n == 0)
        return 0.0f;
    if (n == 1)
        return x[0];
    uint64_t half = n / 2;
    return sum_pairwise_float(x, half) + sum_pairwise_float(x + half, n - half);
}

double sum_serial_double(const float *x, uint64_t n)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}
