/* Shared by the files of the front end only; others include program.h.
 *
 *   parse.c            ptx_load, the parser's small tools
 *   parse_module.c     what stands outside functions, function headers
 *   parse_variable.c   .reg, .global ... declarations
 *   parse_initial.c    = {1, 2, generic(x)}
 *   parse_body.c       { ... }: scopes, labels, .loc
 *   parse_insn.c       guard, opcode, modifiers
 *   parse_operand.c    operands as they are written
 *   check_form.c       are the modifiers complete and possible together?
 *   check_operand.c    do the operands fit the opcode's shape and types?
 *   resolve.c          labels, files and lines once everything was read
 *
 * All functions return false after an error; p->error then holds the message
 * of the first one. */
#ifndef PTX_PARSE_H
#define PTX_PARSE_H

#include "ptx/names.h"
#include "ptx/ops.h"

enum {
    MAX_NESTING = 64,             /* { } inside a function */
    MAX_INSNS = 1 << 19,          /* in a module */
    MAX_INITIAL_BYTES = 64 << 20, /* of all initialisers together */
    MAX_OPERANDS = 5,
    MAX_ELEMENTS = 8,
};

/* A growing array; elements move when it grows. */
struct list {
    void *data;
    int count, capacity;
};
void *list_push(struct list *, size_t size); /* the new element, zeroed */
/* Moves the elements to the arena and empties the list. */
void *list_finish(struct list *, struct arena *, size_t size);

/* A label that was used before all labels of the function were known. */
struct label_use {
    int insn, operand;
    struct token at;
    const struct scope *scope;
};
/* A name in an initialiser, which may be declared later in the module. */
struct symbol_use {
    struct ptx_variable *variable;
    int relocation;
    struct token at;
    const struct scope *scope;
};
struct alias {
    struct token name, target;
};
struct file_row { /* .file number "path" */
    uint64_t number;
    const char *path;
};

struct parser {
    struct lexer lexer;
    struct token tok; /* the token to look at now */
    struct ptx_program *program;
    struct arena scratch; /* dies with the parser */
    struct names names;
    struct scope *module, *scope; /* outermost and innermost */
    struct error *error;
    bool failed;

    struct ptx_function *function; /* being read, or NULL */
    int location;                  /* of the next instruction, or -1 */
    struct scope *location_scope;  /* "1 20 3" -> index of the location */
    int insn_total;
    uint64_t target_total;
    uint64_t initial_bytes;

    struct list functions, variables, locations, files; /* of the module */
    struct list symbol_uses, aliases;
    struct list insns, registers, locals, label_uses; /* of the function */
};

/* One operand as written; `literal` tells how a number was spelled. */
struct written {
    struct token at;
    enum token_kind literal;
    enum token_kind element_literal[MAX_ELEMENTS];
};
struct written_insn {
    struct ptx_insn insn;
    struct token at; /* the opcode */
    bool is_left_out;
    struct written operand[MAX_OPERANDS];
    struct written second;
};

/* parse.c */
bool parse_fail(struct parser *, const struct token *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool parse_advance(struct parser *); /* to the next token */
bool parse_accept(struct parser *, char punct);
bool parse_expect(struct parser *, char punct);
bool parse_name(struct parser *, struct token *name, const char *what);
bool parse_integer(struct parser *, uint64_t *value, const char *what);
/* A number with - ~ ! in front, as 64 bits; `literal` says how it is spelled */
bool parse_number(struct parser *, uint64_t *bits, enum token_kind *literal);
bool parse_at_number(const struct parser *);
bool parse_skip_to(struct parser *, char punct); /* and over it */
struct scope *parse_open_scope(struct parser *, struct scope *outer);
char *parse_copy(struct parser *, const struct token *); /* for good */
/* Adds a name to the innermost scope, refusing a second one. */
struct name *parse_declare(struct parser *, const struct token *,
                           enum name_kind);

/* parse_module.c */
bool parse_module(struct parser *);
/* The same kind, and parameters and results of the same sizes? */
bool parse_same_signature(const struct ptx_function *,
                          const struct ptx_function *);

/* parse_variable.c */
bool parse_is_space(const struct token *, enum ptx_space *);
bool parse_registers(struct parser *);
/* At the space directive; up to and over the semicolon. */
bool parse_variables(struct parser *, enum ptx_space, bool is_extern);
/* At .param or .reg; one parameter without what follows it. */
struct ptx_variable *parse_param(struct parser *, bool is_entry);
/* Register index, or -1 if there is none of this name (no message). */
int parse_find_register(struct parser *, const struct token *);

/* parse_initial.c */
bool parse_initialiser(struct parser *, struct ptx_variable *,
                       const uint64_t *dimensions, int dimension_count);

/* parse_body.c */
bool parse_body(struct parser *);

/* parse_insn.c, parse_operand.c */
bool parse_instruction(struct parser *);
bool parse_operand(struct parser *, struct ptx_operand *, struct written *);
bool parse_call(struct parser *, struct written_insn *);

/* check_form.c, check_operand.c */
bool check_form(struct parser *, struct written_insn *);
bool check_operands(struct parser *, struct written_insn *);
bool check_immediate(struct parser *, struct ptx_operand *,
                     const struct token *, enum token_kind literal,
                     enum ptx_type type);

/* resolve.c */
bool resolve_function(struct parser *); /* labels; at the closing brace */
bool resolve_module(struct parser *);   /* symbols, aliases, files, lines */

/* flow.c: fills in insn->reconverge of the whole function. */
void flow_reconverge(struct ptx_function *);

#endif
