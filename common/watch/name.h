/* Names of places and files for messages. */
#ifndef WATCH_NAME_H
#define WATCH_NAME_H

#include "sim/launch.h"

/* "s[33]": the variable and element at an address (event.h says what the
 * address counts from).  Shared arrays without an element size count words;
 * an address that is in no variable is "byte 1024 of shared memory". */
void name_place(const struct launch_info *, enum ptx_space, uint64_t address,
                char *to, size_t size);
/* What a kernel with the kit's signature was given. */
struct name_arguments {
    uint64_t in, out, n;
};
/* False if the launch has other parameters or its input is no buffer. */
bool name_arguments(const struct launch_info *, struct name_arguments *);

/* "lanes 0, 2 and 8 to 31", "lane 3". */
void name_lanes(uint32_t lanes, char *to, size_t size);
/* The threads of a warp's lanes: "threads 32 to 63". */
void name_threads(const struct launch_info *, uint32_t warp, uint32_t lanes,
                  char *to, size_t size);
/* "line 14", or "the same line" if it is `line`; "an unknown line" for 0. */
void name_line(int other, int line, char *to, size_t size);
/* The student's file of an instruction, as the compiler named it, or NULL. */
const char *name_file(const struct ptx_function *, const struct ptx_insn *);
/* "thread 33" in a 1-D block, "thread (1,2,0)" otherwise. */
void name_thread(const struct launch_info *, uint32_t thread, char *to,
                 size_t size);

#endif
