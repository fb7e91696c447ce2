/* The grammar, read from left to right and once:
 *
 *      kind : size { x size } { , key = value }
 *      kind : size { , size } { , key = value }        of a kind whose sizes are a tuple (8,2,2,2)
 *      kind : size { x size } / size { x size } { , key = value }      of a kind of two lists (4x4/1x2)
 *
 * Separators are overwritten in a private copy, so that every piece is a terminated text that can be stored
 * or quoted in an error. Messages quote at most 80 characters of what the user typed; base_error cuts the
 * rest in any case.
 *
 * Every refusal repeats the text and says what would have been right: this is the argument that users get
 * wrong most often. What a kind makes of its sizes is the kind's affair. */
#include "netmodel/specification.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/units.h"

/* A reader's place in a private copy of the text, in which separators become terminators. */
struct cursor {
    const char *text; /* the whole, for messages */
    char *next;       /* what is still unread; NULL at the end */
};

/* The piece up to the next separator, which is overwritten. */
/* Cuts the next piece off the text, up to the separator, in place. */
static char *take(struct cursor *cursor, char separator)
{
    char *piece = cursor->next, *end = strchr(piece, separator);
    cursor->next = end != NULL ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    return piece;
}

/* Without parsing the rest: the kind decides how the rest is read. */
char *net_specification_kind(const char *text, struct base_arena *arena, struct base_error *error)
{
    size_t length = strcspn(text, ":");
    char *kind = base_arena_array(arena, length + 1, 1);
    if (kind == NULL) {
        base_error_memory(error, "the topology's name");
        return NULL;
    }
    memcpy(kind, text, length);
    return kind;
}

/* A size that is absent ("8x", "x8") and one that is no number are told apart: the first is a slip of the
 * keyboard. */
/* A side is at least 1; what is too large in all is found when the sides are multiplied. */
static int parse_side(struct net_specification *specification, const char *text, const char *piece,
                      struct base_error *error)
{
    uint64_t side = 0;
    if (specification->side_count == NET_DIMENSIONS_MAX)
        return base_error_set(error, BASE_USAGE, "topology '%.80s': more than %d sizes", text,
                              NET_DIMENSIONS_MAX);
    if (*piece == '\0')
        return base_error_set(error, BASE_USAGE, "topology '%.80s': size %u is missing", text,
                              specification->side_count + 1);
    if (base_parse_unsigned(piece, NET_TERMINALS_MAX, &side) != 0 || side == 0)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': size '%.40s' is not a whole number from 1 to %u", text,
                              piece, NET_TERMINALS_MAX);
    specification->sides[specification->side_count++] = (uint32_t)side;
    return 0;
}

/* Whether the piece at hand is "key=value". */
static bool is_parameter(const char *text)
{
    return text[strcspn(text, ",=")] == '=';
}

/* "8,2,2": pieces between commas, up to the first that is a parameter. */
static int parse_tuple(struct net_specification *specification, struct cursor *cursor,
                       struct base_error *error)
{
    while (cursor->next != NULL && !is_parameter(cursor->next))
        if (parse_side(specification, cursor->text, take(cursor, ','), error) != 0)
            return -1;
    return 0;
}

/* "8x8x4": pieces between the letters x. */
static int parse_list(struct net_specification *specification, const char *text, char *list,
                      struct base_error *error)
{
    struct cursor sides = {text, list};
    while (sides.next != NULL)
        if (parse_side(specification, text, take(&sides, 'x'), error) != 0)
            return -1;
    return 0;
}

/* "4x4/1x2": as many sizes behind the slash as before it. */
static int parse_lists(struct net_specification *specification, const struct cursor *cursor, char *text,
                       const struct net_topology_kind *kind, struct base_error *error)
{
    struct cursor lists = {cursor->text, text};
    if (parse_list(specification, cursor->text, take(&lists, '/'), error) != 0)
        return -1;
    specification->first_count = specification->side_count;
    if (lists.next != NULL && parse_list(specification, cursor->text, lists.next, error) != 0)
        return -1;
    if (specification->side_count == 2 * specification->first_count)
        return 0;
    return base_error_set(
        error, BASE_USAGE, "topology '%.80s': %u sizes before the '/' and %u behind it; write %s:%s",
        cursor->text, specification->first_count, specification->side_count - specification->first_count,
        kind->name, kind->parameters);
}

/* All sizes, up to the first parameter. */
static int parse_sides(struct net_specification *specification, struct cursor *cursor,
                       const struct net_topology_kind *kind, struct base_error *error)
{
    if (cursor->next == NULL || *cursor->next == '\0')
        return base_error_set(error, BASE_USAGE, "topology '%.80s': the size is missing; write %s:%s",
                              cursor->text, kind->name, kind->parameters);
    if (kind->tuple)
        return parse_tuple(specification, cursor, error);
    char *sizes = take(cursor, ',');
    return kind->lists ? parse_lists(specification, cursor, sizes, kind, error)
                       : parse_list(specification, cursor->text, sizes, error);
}

/* Known, and not given before: a second value would silently win or lose. */
/* Keys are those of the kind, each at most once. */
static int check_key(const struct net_specification *specification, const char *text, const char *key,
                     const char *const *keys, struct base_error *error)
{
    char what[40];
    size_t count = 0;
    while (keys != NULL && keys[count] != NULL)
        count++;
    if (count == 0)
        return base_error_set(error, BASE_USAGE, "%s '%.80s': it takes no parameters, so not '%.40s'",
                              specification->what, text, key);
    snprintf(what, sizeof what, "%s parameter", specification->what);
    const struct base_names names = BASE_NAMES_OF_TEXTS(what, keys, count);
    if (base_names_find(&names, key, SIZE_MAX, error) == count)
        return -1;
    for (uint32_t i = 0; i < specification->parameter_count; i++)
        if (strcmp(specification->parameters[i].key, key) == 0)
            return base_error_set(error, BASE_USAGE, "%s '%.80s': parameter '%s' is given twice",
                                  specification->what, text, key);
    return 0;
}

/* "key=value"; what values are possible is for the kind to say. */
static int parse_parameter(struct net_specification *specification, const char *text, char *piece,
                           const char *const *keys, struct base_error *error)
{
    char *equals = strchr(piece, '=');
    uint32_t count = specification->parameter_count;
    if (equals == NULL)
        return base_error_set(error, BASE_USAGE,
                              "%s '%.80s': '%.40s' is not a parameter of the form key=value%s",
                              specification->what, text, piece,
                              specification->side_count == 0 ? ""
                              : specification->tuple         ? " (sizes come first)"
                                                             : " (sizes are separated by 'x')");
    *equals = '\0';
    if (check_key(specification, text, piece, keys, error) != 0)
        return -1;
    if (equals[1] == '\0')
        return base_error_set(error, BASE_USAGE, "%s '%.80s': parameter '%s' has no value",
                              specification->what, text, piece);
    if (count == sizeof specification->parameters / sizeof specification->parameters[0])
        return base_error_set(error, BASE_USAGE, "%s '%.80s': too many parameters", specification->what,
                              text);
    specification->parameters[count].key = piece;
    specification->parameters[count].value = equals + 1;
    specification->parameter_count++;
    return 0;
}

/* What is left of the text. */
static int parse_parameters(struct net_specification *specification, struct cursor *cursor,
                            const char *const *keys, struct base_error *error)
{
    while (cursor->next != NULL)
        if (parse_parameter(specification, cursor->text, take(cursor, ','), keys, error) != 0)
            return -1;
    return 0;
}

/* A file's name may hold any character: all that follows is the name. */
static int take_file(struct net_specification *specification, const struct cursor *cursor,
                     const struct net_topology_kind *kind, struct base_error *error)
{
    specification->file = cursor->next;
    if (cursor->next == NULL || *cursor->next == '\0')
        return base_error_set(error, BASE_USAGE, "topology '%.80s': the file is missing; write %s:%s",
                              cursor->text, kind->name, kind->parameters);
    return 0;
}

/* All texts are in the arena and live as long as the topology. */
int net_specification_parse(struct net_specification *specification, const char *text,
                            const struct net_topology_kind *kind, struct base_arena *arena,
                            struct base_error *error)
{
    struct cursor cursor = {text, base_arena_text(arena, text)};
    memset(specification, 0, sizeof *specification);
    specification->what = "topology";
    specification->tuple = kind->tuple;
    specification->text = base_arena_text(arena, text);
    if (cursor.next == NULL || specification->text == NULL)
        return base_error_memory(error, "the topology's specification");
    specification->kind = take(&cursor, ':');
    if (kind->reads_file)
        return take_file(specification, &cursor, kind, error);
    if (parse_sides(specification, &cursor, kind, error) != 0)
        return -1;
    return parse_parameters(specification, &cursor, kind->keys, error);
}

/* No sizes: the name ends at the first comma. */
int net_specification_parse_named(struct net_specification *specification, const char *text, const char *what,
                                  const char *const *keys, struct base_arena *arena, struct base_error *error)
{
    struct cursor cursor = {text, base_arena_text(arena, text)};
    memset(specification, 0, sizeof *specification);
    specification->what = what;
    specification->text = base_arena_text(arena, text);
    if (cursor.next == NULL || specification->text == NULL)
        return base_error_memory(error, "a specification");
    specification->kind = take(&cursor, ',');
    return parse_parameters(specification, &cursor, keys, error);
}

/* Canonical form leaves out what is the default; NULL goes through, so that calls can be chained. */
const char *net_specification_append(struct net_topology *topology, const char *text, const char *key,
                                     uint32_t value, uint32_t otherwise)
{
    if (text == NULL || value == otherwise)
        return text;
    return base_arena_format(&topology->arena, "%s,%s=%u", text, key, value);
}

/* *value keeps its default when the key was not given. */
int net_specification_unsigned(const struct net_specification *specification, const char *key,
                               uint64_t minimum, uint64_t maximum, uint64_t *value, struct base_error *error)
{
    for (uint32_t i = 0; i < specification->parameter_count; i++) {
        const char *text = specification->parameters[i].value;
        uint64_t number = 0;
        if (strcmp(specification->parameters[i].key, key) != 0)
            continue;
        if (base_parse_unsigned(text, maximum, &number) != 0 || number < minimum)
            return base_error_set(error, BASE_USAGE,
                                  "%s '%.80s': %s=%.40s: not a whole number from %llu to %llu",
                                  specification->what, specification->text, key, text,
                                  (unsigned long long)minimum, (unsigned long long)maximum);
        *value = number;
        return 0;
    }
    return 0;
}

/* As text; whoever asks knows what it should be. A key stands once at most, which the parser has seen to. */
const char *net_specification_value(const struct net_specification *specification, const char *key)
{
    for (uint32_t i = 0; i < specification->parameter_count; i++)
        if (strcmp(specification->parameters[i].key, key) == 0)
            return specification->parameters[i].value;
    return NULL;
}
