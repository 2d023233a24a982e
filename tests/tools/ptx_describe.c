/* Prints docs/ptx-subset.md from the decoder's tables (make docs). */
#include "ptx/describe.h"
#include <stdio.h>

int main(void)
{
    struct text page = {0};
    ptx_describe(&page);
    fwrite(page.data, 1, page.length, stdout);
    text_free(&page);
    return fflush(stdout) != 0;
}
