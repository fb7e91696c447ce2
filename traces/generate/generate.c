/* The list of generators, and what their constructors share: classes, parameters, legal numbers of ranks.
 *
 * A kernel's constructor refuses before it builds: the class, then the parameters, then the ranks, each with
 * a sentence that says what is possible.
 *
 *      options ─► class    "C" ─► its place in "SWABCDEF" ─► the kernel's table of sizes
 *              ─► keys     each part of "key=value,…" is one of the kernel's, and there once
 *              ─► values   numbers with a range, "8x8", or one of a few words
 *              ─► ranks    the kernel's rule; what breaks it is answered with the nearest that does not
 *
 *      cg class S cannot run on 12 ranks: it needs a power of two; the nearest: 8 and 16
 *      king: unknown parameter 'byte'; did you mean 'bytes'? known: size, iterations, bytes, flops, periodic
 *
 * The list of parameters is read again for each key: it is short, and so nothing has to be kept or freed.
 * Values that are absent leave the caller's default alone.
 */
#include "traces/generate/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/units.h"

#define NAMES_MAX 64
#define RANKS_MAX (UINT32_C(1) << 24)

#define TRACE_GENERATOR(symbol) extern const struct trace_generator trace_generator_##symbol;
#include "traces/generate/generators.def"
#undef TRACE_GENERATOR

static const struct trace_generator *const generators[] = {
#define TRACE_GENERATOR(symbol) &trace_generator_##symbol,
#include "traces/generate/generators.def"
#undef TRACE_GENERATOR
};

/* In the order of generators.def: that of `flitreplay list generators`. */
const struct trace_generator *const *trace_generators(size_t *count)
{
    *count = sizeof generators / sizeof *generators;
    return generators;
}

/* By the whole name; the error offers the nearest. */
const struct trace_generator *trace_generator_find(const char *name, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("generator", generators, struct trace_generator);
    size_t place = base_names_find(&names, name, SIZE_MAX, error);

    return place == names.count ? NULL : generators[place];
}

/* ---- classes and ranks */

/* Classes are single letters: anything longer is no class. The result is the place of the letter in
 * generator->classes, which is also that in the kernel's tables; -1: error. */
int trace_generate_class(const struct trace_generator *generator,
                         const struct trace_generator_options *options, struct base_error *error)
{
    const char *letter = options->problem_class;
    const char *place;

    if (letter == NULL)
        return base_error_set(error, BASE_USAGE, "%s needs a class, one of %s", generator->name,
                              generator->classes);
    place = strlen(letter) == 1 ? strchr(generator->classes, *letter) : NULL;
    if (place == NULL)
        return base_error_set(error, BASE_USAGE, "%s has no class '%.20s', only one of the letters %s",
                              generator->name, letter, generator->classes);
    return (int)(place - generator->classes);
}

/* A class would be ignored otherwise, and nothing that is asked for is. */
int trace_generate_no_class(const struct trace_generator *generator,
                            const struct trace_generator_options *options, struct base_error *error)
{
    if (options->problem_class == NULL)
        return 0;
    return base_error_set(error, BASE_USAGE, "%s has no classes, but class %.20s is given", generator->name,
                          options->problem_class);
}

/* The nearest legal number below, or above, as far as four times away; 0: none. The bound keeps a rule
 * without any solution from being tried for all numbers. */
static uint32_t nearest_legal(uint32_t ranks, int direction, bool (*legal)(uint32_t, const void *),
                              const void *context)
{
    int64_t number = ranks, most = 4 * number + 64;

    do
        number += direction;
    while (number > 0 && number <= most && !legal((uint32_t)number, context));
    return number > 0 && number <= most && number <= RANKS_MAX ? (uint32_t)number : 0;
}

/* Zero and numbers beyond any machine are refused here, before a rule divides by them or an array grows
 * with them. The sentence offers both neighbours, as a job that has to be changed may have more or fewer
 * nodes. */
int trace_generate_ranks(const struct trace_generator *generator,
                         const struct trace_generator_options *options,
                         bool (*legal)(uint32_t ranks, const void *context), const void *context,
                         const char *rule, struct base_error *error)
{
    uint32_t below, above;
    uint32_t ranks = options->ranks;
    const char *letter = options->problem_class;

    if (ranks > 0 && ranks <= RANKS_MAX && legal(ranks, context))
        return 0;
    if (ranks > RANKS_MAX)
        ranks = RANKS_MAX;
    below = nearest_legal(ranks, -1, legal, context);
    above = nearest_legal(ranks, 1, legal, context);
    base_error_set(error, BASE_USAGE, "%s%s%s cannot run on %u ranks: it needs %s", generator->name,
                   letter == NULL ? "" : " class ", letter == NULL ? "" : letter, options->ranks, rule);
    if (below != 0 || above != 0)
        base_error_append(error, "; the nearest: ");
    if (below != 0)
        base_error_append(error, "%u", below);
    if (above != 0)
        base_error_append(error, "%s%u", below != 0 ? " and " : "", above);
    return -1;
}

/* A rule that needs no context. */
bool trace_generate_power_of_two(uint32_t ranks, const void *context)
{
    (void)context;
    return ranks > 0 && (ranks & (ranks - 1)) == 0;
}

/* A rule that needs no context. */
bool trace_generate_square(uint32_t ranks, const void *context)
{
    uint32_t root = trace_generate_root(ranks);
    (void)context;
    return root * root == ranks;
}

/* Rounded down; 0 for 0 and 1. */
uint32_t trace_generate_log2(uint64_t number)
{
    uint32_t log = 0;

    while (number > 1) {
        number >>= 1;
        log++;
    }
    return log;
}

/* Bit by bit from the highest, in integers: the same on every machine. Rounded down. */
uint32_t trace_generate_root(uint64_t number)
{
    uint64_t root = 0;

    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= number)
            root |= bit;
    return (uint32_t)root;
}

/* The largest divisor not above the root of what is left, from the last dimension to the first. The sides
 * come out about equal where the divisors of the ranks allow it; a prime number of ranks is one long side. */
void trace_generate_sides(uint32_t ranks, uint32_t dimensions, uint32_t *sides)
{
    for (uint32_t left = dimensions; left > 1; left--) {
        uint32_t best = 1;
        for (uint64_t side = 1, power; side <= ranks; side++) {
            power = 1;
            for (uint32_t i = 0; i < left; i++)
                power *= side;
            if (power > ranks)
                break;
            if (ranks % side == 0)
                best = (uint32_t)side;
        }
        sides[left - 1] = best;
        ranks /= best;
    }
    sides[0] = ranks;
}

/* ---- parameters: "key=value,key=value" */

/* The value's start and length; NULL: the key is not there. It points into the parameters and ends without
 * a NUL. */
static const char *find_value(const char *parameters, const char *key, size_t *length)
{
    size_t key_length = strlen(key);

    while (parameters != NULL && *parameters != '\0') {
        size_t whole = strcspn(parameters, ",");
        if (whole > key_length && strncmp(parameters, key, key_length) == 0 &&
            parameters[key_length] == '=') {
            *length = whole - key_length - 1;
            return parameters + key_length + 1;
        }
        parameters += whole + (parameters[whole] == ',');
    }
    return NULL;
}

/* Values are short: what is longer is cut, and refused as no value of its kind. */
const char *trace_generate_text(const struct trace_generator_options *options, const char *key,
                                char room[TRACE_PARAMETER_ROOM])
{
    size_t length;
    const char *value = find_value(options->parameters, key, &length);

    if (value == NULL)
        return NULL;
    snprintf(room, TRACE_PARAMETER_ROOM, "%.*s",
             (int)(length < TRACE_PARAMETER_ROOM ? length : TRACE_PARAMETER_ROOM), value);
    return room;
}

/* Splits words at blanks: their starts, in a copy that the caller keeps. Words beyond NAMES_MAX are not
 * seen: lists of keys and choices are ours, and short. */
static size_t split_words(char *words, const char **starts)
{
    size_t count = 0;

    for (char *word = words; *word != '\0' && count < NAMES_MAX;) {
        size_t length = strcspn(word, " ");
        starts[count++] = word;
        word += length;
        if (*word == ' ')
            *word++ = '\0';
    }
    return count;
}

#define WORDS_ROOM 256

/* One part of the list, of `length` characters: its key must be known, and not be given again further on. `part`
 * is the start of this part in the whole list, so that one given twice is seen. */
static int check_part(const struct trace_generator *generator, const char *part, size_t length,
                      const char *keys, struct base_error *error)
{
    char key[TRACE_PARAMETER_ROOM], copy[WORDS_ROOM];
    const char *names[NAMES_MAX] = {NULL};
    const char *what;
    size_t key_length = strcspn(part, "=,");
    size_t count, again;
    int cut = (int)(key_length < sizeof key ? key_length : sizeof key - 1);

    snprintf(key, sizeof key, "%.*s", cut, part);
    snprintf(copy, sizeof copy, "%s", keys);
    count = split_words(copy, names);
    what = generator->name;
    if (count == 0)
        return base_error_set(error, BASE_USAGE, "%s has no parameters, but '%s' is given", what, key);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], key) != 0)
            continue;
        if (key_length + 1 >= length)
            return base_error_set(error, BASE_USAGE, "%s: the parameter '%s' needs a value: %s=…", what, key,
                                  key);
        if (find_value(part + length, key, &again) != NULL)
            return base_error_set(error, BASE_USAGE, "%s: the parameter '%s' is given twice", what, key);
        return 0;
    }
    base_names_refuse(&(struct base_names)BASE_NAMES_OF_TEXTS("parameter", names, count), key, SIZE_MAX,
                      error);
    return base_error_set(error, BASE_USAGE, "%s: %s", what, error == NULL ? "" : error->text);
}

/* In the order in which they are given, so that the first mistake is told. Values are looked at later, each
 * by its own kind. */
int trace_generate_keys(const struct trace_generator *generator,
                        const struct trace_generator_options *options, const char *keys,
                        struct base_error *error)
{
    const char *part = options->parameters;

    while (part != NULL && *part != '\0') {
        size_t length = strcspn(part, ",");
        if (check_part(generator, part, length, keys, error) != 0)
            return -1;
        part += length;
        part += *part == ',';
    }
    return 0;
}

/* Sizes in bytes may have a unit; so may every number, for 64k flops is as clear as 64k bytes. *value stays
 * as it is, the default, when the key is not given. */
int trace_generate_number(const struct trace_generator_options *options, const char *key, uint64_t least,
                          uint64_t most, uint64_t *value, struct base_error *error)
{
    char room[TRACE_PARAMETER_ROOM];
    const char *text = trace_generate_text(options, key, room);
    uint64_t number;

    if (text == NULL)
        return 0;
    if (base_parse_bytes(text, &number) != 0 || number < least || number > most)
        return base_error_set(error, BASE_USAGE, "%s=%s: needs a number from %llu to %llu (4096, 64k, 1MiB)",
                              key, text, (unsigned long long)least, (unsigned long long)most);
    *value = number;
    return 0;
}

/* More would be another program than the benchmark, whose tables may end there. */
int trace_generate_iterations(const struct trace_generator_options *options, uint32_t *iterations,
                              struct base_error *error)
{
    uint64_t value = *iterations;

    if (trace_generate_number(options, "iterations", 1, *iterations, &value, error) != 0)
        return -1;
    *iterations = (uint32_t)value;
    return 0;
}

/* As many sides as the pattern has dimensions, none of them zero. 1: the key is not given and the sides are
 * as they were; 0: read; -1: error. Sides are checked against the ranks by the caller, who knows what they mean. */
int trace_generate_shape(const struct trace_generator_options *options, const char *key, uint32_t dimensions,
                         uint32_t *sides, struct base_error *error)
{
    char room[TRACE_PARAMETER_ROOM], number[TRACE_PARAMETER_ROOM];
    const char *text = trace_generate_text(options, key, room), *rest = text;
    uint64_t side;

    if (text == NULL)
        return 1;
    for (uint32_t i = 0; i < dimensions; i++) {
        size_t length = strcspn(rest, "x");
        snprintf(number, sizeof number, "%.*s", (int)length, rest);
        rest += length;
        if (base_parse_unsigned(number, RANKS_MAX, &side) != 0 || side == 0 ||
            (*rest == 'x') != (i + 1 < dimensions))
            return base_error_set(error, BASE_USAGE, "%s=%s: needs %u sides, such as %s", key, text,
                                  dimensions, dimensions == 2 ? "8x8" : "4x4x4");
        sides[i] = (uint32_t)side;
        rest += *rest == 'x';
    }
    return 0;
}

/* The words are those of the help. *choice is the number of the word, or stays as it is when the key is not
 * given. */
int trace_generate_choice(const struct trace_generator_options *options, const char *key, const char *words,
                          uint32_t *choice, struct base_error *error)
{
    char room[TRACE_PARAMETER_ROOM], copy[WORDS_ROOM];
    const char *names[NAMES_MAX] = {NULL};
    const char *text = trace_generate_text(options, key, room);
    size_t count, place;

    if (text == NULL)
        return 0;
    snprintf(copy, sizeof copy, "%s", words);
    count = split_words(copy, names);
    place =
        base_names_find(&(struct base_names)BASE_NAMES_OF_TEXTS(key, names, count), text, SIZE_MAX, error);
    if (place == count)
        return -1;
    *choice = (uint32_t)place;
    return 0;
}
