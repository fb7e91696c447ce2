/* Generated programs named where a trace is expected, so that no file has to be written first:
 *
 *      generate:cg,class=S,ranks=16
 *      generate:stencil-2d,ranks=64,points=9,gflops=2.5,seed=7
 *
 * The keys class, ranks, gflops and seed are common to all; the others are the generator's own.
 *
 *      generate:is,class=S,ranks=16,keys=exact
 *               ▲  ╰──────────────╯ ╰─────────╯
 *               │   for all          the generator's own, checked by it
 *               generator
 *
 * The order of the parts is free. A part that is not known is refused by the generator, so that a mistyped
 * `ranks` is not taken for one of its keys in silence.
 */
#include <string.h>

#include "base/units.h"
#include "traces/format.h"
#include "traces/generate/internal.h"
#include "traces/program-internal.h"

#define PREFIX "generate:"
#define GFLOPS_DIGITS 6

/* A file of such a name can be given as ./generate:…. */
static int detect(const char *path, struct base_error *error)
{
    (void)error;
    return strncmp(path, PREFIX, strlen(PREFIX)) == 0;
}

/* One common key as a number with so many decimals; `value` stays when it is absent. */
static int read_number(const struct trace_generator_options *options, const char *key, unsigned digits,
                       uint64_t most, uint64_t *value, struct base_error *error)
{
    char room[TRACE_PARAMETER_ROOM];
    const char *text = trace_generate_text(options, key, room);
    uint64_t number;

    if (text == NULL)
        return 0;
    if (base_parse_decimal(text, digits, &number) != 0 || number > most || (digits > 0 && number == 0))
        return base_error_set(error, BASE_USAGE, "%s=%s: needs a number%s", key, text,
                              digits > 0 ? " above zero with at most 6 decimals" : "");
    *value = number;
    return 0;
}

#define COMMON 4
static const char *const common[COMMON] = {"class", "ranks", "gflops", "seed"};

/* Which of the common keys a part of the list begins with, as a word; COMMON: none, it is the generator's own. */
static size_t common_key(const char *part, size_t length)
{
    size_t word = strspn(part, "abcdefghijklmnopqrstuvwxyz-"), i = 0;

    while (i < COMMON && (word > length || strlen(common[i]) != word || strncmp(part, common[i], word) != 0))
        i++;
    return i;
}

/* One part of the list: that there is something, and of the common keys a value, once. */
static int check_part(const char *name, const char *part, size_t length, unsigned *given,
                      struct base_error *error)
{
    size_t key = common_key(part, length);

    if (length == 0)
        return base_error_set(error, BASE_USAGE,
                              "%s: a parameter is missing between two commas or after the last", name);
    if (key == COMMON)
        return 0;
    if (part[strlen(common[key])] != '=')
        return base_error_set(error, BASE_USAGE, "%s: the parameter '%.*s' needs a value: %s=…", name,
                              (int)length, part, common[key]);
    if (given[key]++ > 0)
        return base_error_set(error, BASE_USAGE, "%s: the parameter '%s' is given twice", name, common[key]);
    return 0;
}

/* In the order in which they are given. The generator's own keys it looks at itself (trace_generate_keys). */
static int check_list(const char *name, const char *parameters, struct base_error *error)
{
    unsigned given[COMMON] = {0};

    for (const char *part = parameters; part != NULL;) {
        size_t length = strcspn(part, ",");
        if (check_part(name, part, length, given, error) != 0)
            return -1;
        part = part[length] == ',' ? part + length + 1 : NULL;
    }
    return 0;
}

/* What is left of the list for the generator: every part but those of the common keys. In place: what is kept moves to
 * the front. */
static void keep_own(char *parameters)
{
    char *kept = parameters;

    for (char *part = parameters; *part != '\0';) {
        size_t length = strcspn(part, ","), skip = length + (part[length] == ',');
        if (common_key(part, length) == COMMON) {
            memmove(kept, part, skip);
            kept += skip;
        }
        part += skip;
    }
    if (kept > parameters && kept[-1] == ',')
        kept--;
    *kept = '\0';
}

/* `name` is the generator and its parameters, in memory that may be changed. The number of ranks has no default:
 * which one makes sense depends on the kernel. */
static struct trace_program *open_name(char *name, struct base_error *error)
{
    struct trace_generator_options options = {.seed = 1};
    uint64_t ranks = 0, millionths = 1000000;
    char letter[TRACE_PARAMETER_ROOM];
    char *comma = strchr(name, ',');
    const struct trace_generator *generator;

    if (comma != NULL)
        *comma = '\0';
    generator = trace_generator_find(name, error);
    if (generator == NULL)
        return NULL;
    options.parameters = comma == NULL ? "" : comma + 1;
    if (check_list(name, comma == NULL ? NULL : comma + 1, error) != 0 ||
        read_number(&options, "ranks", 0, UINT32_MAX, &ranks, error) != 0 ||
        read_number(&options, "gflops", GFLOPS_DIGITS, UINT64_MAX / 1000, &millionths, error) != 0 ||
        read_number(&options, "seed", 0, INT64_MAX, &options.seed, error) != 0)
        return NULL;
    if (ranks == 0) {
        base_error_set(error, BASE_USAGE, "%s needs a number of ranks: generate:%s,…,ranks=16", name, name);
        return NULL;
    }
    options.ranks = (uint32_t)ranks;
    options.flops_per_second = millionths * 1000;
    options.problem_class = trace_generate_text(&options, "class", letter);
    if (comma != NULL)
        keep_own(comma + 1);
    return generator->generate(&options, error);
}

/* The name is copied, since reading it takes it apart. Errors begin with it, as those of files do. A program's
 * hash is that of its name: equal names are equal programs. */
struct trace_program *trace_generate_open(const char *path, struct base_error *error)
{
    struct base_arena arena = {0};
    char *name = base_arena_text(&arena, path + strlen(PREFIX));
    struct trace_program *program = NULL;

    if (name == NULL)
        base_error_memory(error, "the name of a generated program");
    else
        program = open_name(name, error);
    base_arena_free(&arena);
    if (program != NULL && trace_skeleton_name(program, path) != 0) {
        base_error_memory(error, "the name of a generated program");
        trace_close(program);
        program = NULL;
    }
    if (program != NULL)
        trace_program_hash_name(program, path);
    else
        base_error_set(error, error == NULL ? BASE_USAGE : error->status, "%s: %s", path,
                       error == NULL ? "" : error->text);
    return program;
}

/* A formula has no clock to choose from: what is computed takes the same by every one. */
static struct trace_program *open_format(const char *path, const struct trace_options *options,
                                         struct base_error *error)
{
    (void)options;
    return trace_generate_open(path, error);
}

const struct trace_format trace_format_generate = {
    .name = "generate",
    .summary = "programs made from formulas: generate:KERNEL,class=C,ranks=N (list generators)",
    .detect = detect,
    .open = open_format,
};
