/* The page docs/ptx-subset.md: which PTX we take, written from the tables that
 * the decoder itself uses, so that it cannot be out of date. */
#ifndef PTX_DESCRIBE_H
#define PTX_DESCRIBE_H

#include "base/text.h"

void ptx_describe(struct text *);

#endif
