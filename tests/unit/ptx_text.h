/* Texts for the tests of the PTX front end. */
#ifndef UNIT_PTX_TEXT_H
#define UNIT_PTX_TEXT_H

#include "ptx/program.h"

#include <check.h>
#include <string.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
/* A kernel whose body begins in line 6. */
#define KERNEL_BEGIN                                                    \
    HEAD ".global .b32 g; .shared .b32 sh; .entry k(.param .u64 a) {\n" \
         ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; "         \
         ".reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .pred %p<9>;\n"
#define KERNEL_END "\nret;\n}\n"
#define KERNEL(body) KERNEL_BEGIN body KERNEL_END

static inline struct ptx_program *load(const char *text)
{
    struct error e = {""};
    struct ptx_program *program = ptx_load("dir/t.ptx", text, strlen(text), &e);

    ck_assert_msg(program, "%s\n%s", text, e.text);
    return program;
}

#endif
