/* Running another program: no shell, output caught, a time limit. */
#ifndef LAB_PROCESS_H
#define LAB_PROCESS_H

#include "base/error.h"
#include "base/text.h"

struct process_result {
    int status;        /* exit status, or 128 + signal */
    bool is_timed_out; /* it was ended after the limit */
    bool is_cancelled; /* it was ended because *cancel became nonzero */
    struct text out, err;
};

/* argv[0] is the path of the program; argv ends with NULL.  Standard input is
 * empty.  The child is the leader of a group of its own, so that its helpers
 * end with it.  False if it could not be started. */
bool process_run(char *const argv[], double limit_s, const volatile int *cancel,
                 struct process_result *, struct error *);
void process_result_free(struct process_result *);

/* Looks `name` up in $PATH; true and the full path if it can be run. */
bool process_find(const char *name, char *path, size_t size);

#endif
