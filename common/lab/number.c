/* Numbers as people type them.  See number.h. */
#include "lab/number.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A decimal fraction as digits / 10^places, so that 1.1M is exact. */
struct decimal {
    unsigned __int128 digits;
    int places;
};
#define TOO_BIG ((unsigned __int128)1 << 100)

static bool read_decimal(const char **text, struct decimal *d)
{
    const char *p = *text;
    bool point = false;
    int count = 0;

    *d = (struct decimal){0};
    for (; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (d->digits > TOO_BIG)
            return false;
        d->digits = d->digits * 10 + (unsigned)(*p - '0');
        d->places += point;
        count++;
    }
    *text = p;
    return count > 0;
}

static bool multiply(unsigned __int128 *value, uint64_t by, int times)
{
    for (int i = 0; i < times; i++) {
        if (*value > TOO_BIG)
            return false;
        *value *= by;
    }
    return true;
}

/* "2^24", "1e6": what stands after the base or the digits. */
static bool read_small(const char **text, int *value)
{
    const char *p = *text;
    *value = 0;
    while (isdigit((unsigned char)*p) && *value < 1000)
        *value = *value * 10 + (*p++ - '0');
    bool ok = p != *text && !isdigit((unsigned char)*p);
    *text = p;
    return ok;
}

/* k M G T: powers of 1000, with i after them powers of 1024. */
static bool apply_suffix(const char **text, unsigned __int128 *value)
{
    static const char letters[] = "kmgt";
    const char *p = *text;

    if (!*p)
        return true;
    const char *found = strchr(letters, tolower((unsigned char)*p));
    if (!found)
        return false;
    bool binary = p[1] == 'i';
    *text = p + 1 + binary;
    return multiply(value, binary ? 1024 : 1000, (int)(found - letters) + 1);
}

static bool read_number(const char *text, unsigned __int128 *value)
{
    struct decimal d;
    int power;

    if (!read_decimal(&text, &d))
        return false;
    *value = d.digits;
    if (*text == '^') {
        text++;
        if (d.places || !read_small(&text, &power) || d.digits > UINT64_MAX)
            return false;
        *value = 1;
        if (!multiply(value, (uint64_t)d.digits, power))
            return false;
    } else if (*text == 'e' || *text == 'E') {
        text++;
        if (!read_small(&text, &power) || !multiply(value, 10, power))
            return false;
    } else if (!apply_suffix(&text, value)) {
        return false;
    }
    for (; d.places > 0; d.places--) {
        if (*value % 10)
            return false; /* 1.5 elements do not exist */
        *value /= 10;
    }
    return *text == '\0';
}

bool number_parse(const char *text, const char *what, uint64_t min,
                  uint64_t max, uint64_t *value, struct error *e)
{
    unsigned __int128 wide;
    char low[32], high[32];

    if (!read_number(text, &wide))
        return error_set(e,
                         "%s: '%.60s' is not a whole number; write it like "
                         "20000000, 20M, 64k, 1G or 2^24",
                         what, text);
    if (wide < min || wide > max)
        return error_set(e, "%s: %.60s is outside %s to %s", what, text,
                         number_text(min, low, sizeof low),
                         number_text(max, high, sizeof high));
    *value = (uint64_t)wide;
    return true;
}

const char *number_text(uint64_t value, char *buffer, size_t size)
{
    char digits[24];
    int length =
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t used = 0;

    for (int i = 0; i < length && used + 2 < size; i++) {
        if (i && (length - i) % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = digits[i];
    }
    buffer[used < size ? used : size - 1] = '\0';
    return buffer;
}

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    int rows[3][LONGEST + 1];
    size_t m = strlen(a), n = strlen(b);

    if (m > LONGEST || n > LONGEST)
        return m == n && strcasecmp(a, b) == 0 ? 0 : LONGEST;
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++)
        above[j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            int ca = tolower((unsigned char)a[i - 1]);
            int cb = tolower((unsigned char)b[j - 1]);
            row[j] = smallest(above[j] + 1, row[j - 1] + 1,
                              above[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca != cb &&
                ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]))
                row[j] = smallest(row[j], before[j - 2] + 1, row[j]);
        }
        int *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[n];
}
