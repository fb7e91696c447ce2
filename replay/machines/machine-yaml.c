/* A machine's file, or a host's, by libyaml's tree of one document, whose nodes know their places.
 *
 *      mapping ─► machine, summary: scalars
 *                 options: a mapping of scalars, each an option of a network
 *                 host: a mapping of scalars, each a cost of the host; all that a host's file has
 *                 published-host: a list of mappings {cost, value, source}
 *                 published: a list of mappings {figure, value, source}
 *
 * Values of options go the way of those of the command line, in settings of their own that are thrown away: what a
 * file says wrongly is refused where it stands. */
#include "replay/machines/machine-file.h"

#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/names.h"
#include "base/units.h"
#include "replay/host.h"
#include "replay/machines/host-file.h"
#include "replay/machines/yaml-problem.h"

struct reader {
    const struct base_input *file;
    yaml_document_t document;
    struct replay_machine_file *machine;
    struct replay_settings checked; /* every option is set here, to be refused where it stands */
    replay_name_check *check;       /* of names; NULL: none */
    struct base_arena *arena;       /* of a host's file: where its list goes */
    const char *host;
    struct base_error *error;
};

/* What a key of a mapping is read by, and where it puts what it reads. */
struct key {
    const char *name;
    int (*read)(struct reader *reader, const yaml_node_t *value, void *target);
};

static int refuse(const struct reader *reader, yaml_mark_t mark, const char *sentence)
{
    return base_input_refuse(reader->file, mark.line + 1, mark.column + 1, sentence, reader->error);
}

/* The same with the sentence that is the error's own. */
static int refuse_as(const struct reader *reader, yaml_mark_t mark)
{
    struct base_error why = *reader->error;

    return why.status == BASE_USAGE ? refuse(reader, mark, why.text) : -1;
}

/* The text of a scalar; NULL: it is none, or has a zero byte, which is refused. */
static const char *text_of(const struct reader *reader, const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;

    if (node->type != YAML_SCALAR_NODE)
        refuse(reader, node->start_mark, "a value is expected, nothing nested");
    else if (strlen(text) != node->data.scalar.length)
        refuse(reader, node->start_mark, "the value contains a zero byte");
    else
        return text;
    return NULL;
}

/* Nodes are numbered from 1; aliases have the number of what they stand for, so that no document grows by them. */
static yaml_node_t *node_at(struct reader *reader, int number)
{
    return yaml_document_get_node(&reader->document, number);
}

/* Whether a key of a mapping stands before this pair of it already. */
static bool is_repeated(struct reader *reader, const yaml_node_t *mapping, const yaml_node_pair_t *pair,
                        const char *text)
{
    for (const yaml_node_pair_t *other = mapping->data.mapping.pairs.start; other < pair; other++) {
        const yaml_node_t *key = node_at(reader, other->key);
        if (key->type == YAML_SCALAR_NODE && strcmp((const char *)key->data.scalar.value, text) == 0)
            return true;
    }
    return false;
}

/* The text of a pair's key, which is not there twice. NULL: refused. */
static const char *key_of(struct reader *reader, const yaml_node_t *mapping, const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = node_at(reader, pair->key);
    const char *text = text_of(reader, key);

    if (text != NULL && is_repeated(reader, mapping, pair, text)) {
        refuse(reader, key->start_mark, "this key appears twice");
        return NULL;
    }
    return text;
}

/* Each pair by the key of its name. */
static int read_mapping(struct reader *reader, const yaml_node_t *node, const struct key *keys, size_t count,
                        void *target)
{
    const struct base_names names = {"key", keys, count, sizeof *keys, false, offsetof(struct key, name)};

    if (node->type != YAML_MAPPING_NODE)
        return refuse(reader, node->start_mark, "keys are expected, as 'name: value'");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const char *text = key_of(reader, node, pair);
        size_t place = text == NULL ? count : base_names_find(&names, text, SIZE_MAX, reader->error);
        if (text == NULL)
            return -1;
        if (place == count)
            return refuse_as(reader, node_at(reader, pair->key)->start_mark);
        if (keys[place].read(reader, node_at(reader, pair->value), target) != 0)
            return -1;
    }
    return 0;
}

/* A text to keep; target is where its pointer goes. */
static int read_text(struct reader *reader, const yaml_node_t *value, void *target)
{
    const char *text = text_of(reader, value);
    const char **kept = target;

    if (text == NULL)
        return -1;
    *kept = base_arena_text(&reader->machine->arena, text);
    return *kept == NULL ? base_error_memory(reader->error, "a machine") : 0;
}

/* ---- options ---- */

/* What describes a network: not another machine, and nothing of how it is replayed. */
static bool is_allowed(enum replay_option option)
{
    return replay_option_row(option)->group == REPLAY_GROUP_NETWORK && option != REPLAY_MACHINE &&
           option != REPLAY_FAULTS && option != REPLAY_FAULT_ROUTING;
}

/* The option of a key. -1: there is none, with the nearest. */
static int find_option(struct reader *reader, const yaml_node_t *key, enum replay_option *option)
{
    const char *names[REPLAY_OPTIONS] = {NULL};
    const char *text = (const char *)key->data.scalar.value;
    size_t count = 0;

    for (*option = 0; *option < REPLAY_OPTIONS; ++*option) {
        if (!is_allowed(*option))
            continue;
        if (strcmp(replay_option_row(*option)->name, text) == 0)
            return 0;
        names[count++] = replay_option_row(*option)->name;
    }
    base_names_refuse(&(struct base_names)BASE_NAMES_OF_TEXTS("option", names, count), text, SIZE_MAX,
                      reader->error);
    return refuse_as(reader, key->start_mark);
}

/* Only the option's own reader knows what it takes, so that the value is set once, in settings that are thrown away. */
static int check_option(struct reader *reader, enum replay_option option, const char *value)
{
    if (replay_settings_set(&reader->checked, option, value, reader->error) != 0)
        return -1;
    return reader->check == NULL ? 0 : reader->check(option, value, reader->error);
}

/* Each is kept as it stands. */
static int read_options(struct reader *reader, const yaml_node_t *node, void *target)
{
    enum replay_option option;

    (void)target;
    if (node->type != YAML_MAPPING_NODE)
        return refuse(reader, node->start_mark, "options are expected, as 'name: value'");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *value = node_at(reader, pair->value);
        if (key_of(reader, node, pair) == NULL ||
            find_option(reader, node_at(reader, pair->key), &option) != 0 ||
            read_text(reader, value, &reader->machine->option[option]) != 0)
            return -1;
        if (check_option(reader, option, reader->machine->option[option]) != 0)
            return refuse_as(reader, value->start_mark);
    }
    return 0;
}

/* ---- the host ---- */

/* All costs of a mapping as a list, in the arena; *kept is it. What contradicts itself stands nowhere in particular:
 * it is the mapping's. */
static int read_host_list(struct reader *reader, const yaml_node_t *node, struct base_arena *arena,
                          const char **kept)
{
    struct replay_host_numbers host = {{0}};

    if (node->type != YAML_MAPPING_NODE)
        return refuse(reader, node->start_mark, "costs of a host are expected, as 'send-overhead: 500ns'");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *value = node_at(reader, pair->value);
        const char *key = key_of(reader, node, pair);
        const char *text = key == NULL ? NULL : text_of(reader, value);
        if (text == NULL)
            return -1;
        if (replay_host_set(&host, key, text, reader->error) != 0)
            return refuse_as(reader, node_at(reader, pair->key)->start_mark);
    }
    if (replay_host_check(&host, reader->error) != 0)
        return refuse_as(reader, node->start_mark);
    *kept = replay_host_format(&host, arena);
    return *kept == NULL ? base_error_memory(reader->error, "a host") : 0;
}

/* The host of a machine is as if --host had it. */
static int read_host(struct reader *reader, const yaml_node_t *node, void *target)
{
    struct replay_machine_file *machine = target;

    return read_host_list(reader, node, &machine->arena, &machine->option[REPLAY_HOST]);
}

/* ---- what is published ---- */

/* Figures are named by machine-figures.def, as kinds are by their lists. */
static int read_figure(struct reader *reader, const yaml_node_t *value, void *target)
{
    struct replay_published *published = target;
    const char *names[REPLAY_FIGURES];
    const char *text = text_of(reader, value);

    for (enum replay_figure figure = 0; figure < REPLAY_FIGURES; figure++)
        names[figure] = replay_figure_row(figure)->name;
    const struct base_names all = BASE_NAMES_OF_TEXTS("figure", names, REPLAY_FIGURES);
    size_t place = text == NULL ? REPLAY_FIGURES : base_names_find(&all, text, SIZE_MAX, reader->error);
    if (text == NULL)
        return -1;
    published->figure = (enum replay_figure)place;
    return place < REPLAY_FIGURES ? 0 : refuse_as(reader, value->start_mark);
}

/* Where it is published: a text for people, which is not looked at. */
static int read_source(struct reader *reader, const yaml_node_t *value, void *target)
{
    struct replay_published *published = target;

    return read_text(reader, value, &published->source);
}

/* Looked at when the figure is known, which may stand behind it. */
static int keep_value(struct reader *reader, const yaml_node_t *value, void *target)
{
    (void)target;
    return text_of(reader, value) == NULL ? -1 : 0;
}

static const struct key published_keys[] = {
    {"figure", read_figure}, {"value", keep_value}, {"source", read_source}};

/* The node of a key of a mapping; NULL: it has none. */
static const yaml_node_t *find_node(struct reader *reader, const yaml_node_t *mapping, const char *name)
{
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++)
        if (strcmp((const char *)node_at(reader, pair->key)->data.scalar.value, name) == 0)
            return node_at(reader, pair->value);
    return NULL;
}

/* In bytes a second, picoseconds, or a count. -1: it is none. */
static int parse_value(const char *text, enum replay_figure_kind kind, uint64_t *value)
{
    return kind == REPLAY_FIGURE_RATE       ? base_parse_rate(text, value)
           : kind == REPLAY_FIGURE_DURATION ? base_parse_duration(text, value)
                                            : base_parse_unsigned(text, UINT64_MAX, value);
}

/* One {figure, value, source}, all of which are there. */
static int read_one(struct reader *reader, const yaml_node_t *node, struct replay_published *published)
{
    static const char *const kinds[] = {"needs a rate, such as 25GB/s", "needs a time, such as 30ns",
                                        "needs a whole number"};
    const yaml_node_t *value;
    enum replay_figure_kind kind;

    published->figure = REPLAY_FIGURES;
    if (read_mapping(reader, node, published_keys, sizeof published_keys / sizeof *published_keys,
                     published) != 0)
        return -1;
    value = find_node(reader, node, "value");
    if (published->figure == REPLAY_FIGURES || value == NULL || published->source == NULL)
        return refuse(reader, node->start_mark, "a figure needs 'figure', 'value' and 'source'");
    kind = replay_figure_row(published->figure)->kind;
    return parse_value((const char *)value->data.scalar.value, kind, &published->value) == 0
               ? 0
               : refuse(reader, value->start_mark, kinds[kind]);
}

/* One more than there are: an empty list is an array, too, and NULL means that memory is out. */
static int read_published(struct reader *reader, const yaml_node_t *node, void *target)
{
    struct replay_machine_file *machine = target;
    size_t count;
    struct replay_published *rows;

    if (node->type != YAML_SEQUENCE_NODE)
        return refuse(reader, node->start_mark, "a list of figures is expected");
    count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    rows = base_arena_array(&machine->arena, count + 1, sizeof *rows);
    if (rows == NULL)
        return base_error_memory(reader->error, "a machine");
    machine->published = rows;
    for (size_t i = 0; i < count; i++) {
        if (read_one(reader, node_at(reader, node->data.sequence.items.start[i]), &rows[i]) != 0)
            return -1;
        machine->published_count++;
    }
    return 0;
}

/* ---- what is published of the host ---- */

struct cost {
    const char *name, *value, *source;
};

static int read_cost_name(struct reader *reader, const yaml_node_t *value, void *target)
{
    return read_text(reader, value, &((struct cost *)target)->name);
}

static int read_cost_value(struct reader *reader, const yaml_node_t *value, void *target)
{
    return read_text(reader, value, &((struct cost *)target)->value);
}

/* A text for people. */
static int read_cost_source(struct reader *reader, const yaml_node_t *value, void *target)
{
    return read_text(reader, value, &((struct cost *)target)->source);
}

static const struct key cost_keys[] = {
    {"cost", read_cost_name}, {"value", read_cost_value}, {"source", read_cost_source}};

/* One {cost, value, source}, all of which are there. What a cost's value needs is known to host.c. */
static int read_cost(struct reader *reader, const yaml_node_t *node, struct replay_host_numbers *host)
{
    struct cost cost = {0};

    if (read_mapping(reader, node, cost_keys, sizeof cost_keys / sizeof *cost_keys, &cost) != 0)
        return -1;
    if (cost.name == NULL || cost.value == NULL || cost.source == NULL)
        return refuse(reader, node->start_mark, "a cost needs 'cost', 'value' and 'source'");
    return replay_host_set(host, cost.name, cost.value, reader->error) == 0
               ? 0
               : refuse_as(reader, find_node(reader, node, "cost")->start_mark);
}

/* Whether a cost stands in an entry before this one already. */
static bool is_repeated_cost(struct reader *reader, const yaml_node_t *list, const yaml_node_item_t *item)
{
    const yaml_node_t *name = find_node(reader, node_at(reader, *item), "cost"), *other;

    for (const yaml_node_item_t *before = list->data.sequence.items.start; before < item; before++) {
        other = find_node(reader, node_at(reader, *before), "cost");
        if (strcmp((const char *)name->data.scalar.value, (const char *)other->data.scalar.value) == 0)
            return true;
    }
    return false;
}

/* Nobody is charged by it who does not ask: what --host published stands for. */
static int read_published_host(struct reader *reader, const yaml_node_t *node, void *target)
{
    struct replay_machine_file *machine = target;
    struct replay_host_numbers host = {{0}};

    if (node->type != YAML_SEQUENCE_NODE)
        return refuse(reader, node->start_mark, "a list of costs is expected");
    for (const yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top;
         item++) {
        if (read_cost(reader, node_at(reader, *item), &host) != 0)
            return -1;
        if (is_repeated_cost(reader, node, item))
            return refuse(reader, node_at(reader, *item)->start_mark, "this cost appears twice");
    }
    if (replay_host_check(&host, reader->error) != 0)
        return refuse_as(reader, node->start_mark);
    machine->published_host = replay_host_format(&host, &machine->arena);
    return machine->published_host == NULL ? base_error_memory(reader->error, "a host") : 0;
}

/* ---- the file ---- */

/* A name is said for the reader of the file; answers call a machine by what was typed. */
static int read_name(struct reader *reader, const yaml_node_t *value, void *target)
{
    struct replay_machine_file *machine = target;

    return read_text(reader, value, &machine->name);
}

/* A line for people. */
static int read_summary(struct reader *reader, const yaml_node_t *value, void *target)
{
    struct replay_machine_file *machine = target;

    return read_text(reader, value, &machine->summary);
}

static const struct key machine_keys[] = {{"machine", read_name},
                                          {"summary", read_summary},
                                          {"options", read_options},
                                          {"host", read_host},
                                          {"published-host", read_published_host},
                                          {"published", read_published}};

/* A file without options would be a slip: nothing would follow from it. */
static int read_root(struct reader *reader)
{
    const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    const yaml_mark_t start = {0, 0, 0};

    if (root == NULL)
        return refuse(reader, start, "the file is empty");
    if (replay_settings_init(&reader->checked, reader->error) != 0 ||
        read_mapping(reader, root, machine_keys, sizeof machine_keys / sizeof *machine_keys,
                     reader->machine) != 0)
        return -1;
    return find_node(reader, root, "options") != NULL
               ? 0
               : refuse(reader, root->start_mark, "a machine needs 'options'");
}

/* Nothing may stand behind the document. */
static int read_end(const struct reader *reader, yaml_parser_t *parser)
{
    yaml_document_t more;
    const yaml_node_t *root;
    int status = 0;

    if (!yaml_parser_load(parser, &more))
        return replay_yaml_refuse(parser, reader->file, "a machine", reader->error);
    root = yaml_document_get_root_node(&more);
    if (root != NULL)
        status = refuse(reader, root->start_mark, "only one document is expected; another begins here");
    yaml_document_delete(&more);
    return status;
}

/* Reads the root with whatever reads it, and the end behind it. The parser's stream is of what was read and hashed, not
 * of the file as it may be now (base/input.h). */
static int read_document(struct reader *reader, int (*read)(struct reader *reader))
{
    yaml_parser_t parser;
    int status;

    if (!yaml_parser_initialize(&parser))
        return base_error_memory(reader->error, "a machine");
    yaml_parser_set_input_file(&parser, reader->file->stream);
    if (!yaml_parser_load(&parser, &reader->document)) {
        status = replay_yaml_refuse(&parser, reader->file, "a machine", reader->error);
    } else {
        status = read(reader);
        if (status == 0)
            status = read_end(reader, &parser);
        yaml_document_delete(&reader->document);
    }
    yaml_parser_delete(&parser);
    return status;
}

int replay_machine_parse(struct replay_machine_file *machine, const struct base_input *file,
                         replay_name_check *check, struct base_error *error)
{
    struct reader reader = {.file = file, .machine = machine, .check = check, .error = error};
    int status = read_document(&reader, read_root);

    replay_settings_free(&reader.checked);
    return status;
}

/* A file of costs alone is the mapping that a machine has under `host`. */
static int read_host_root(struct reader *reader)
{
    const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
    const yaml_mark_t start = {0, 0, 0};

    return root == NULL ? refuse(reader, start, "the file is empty")
                        : read_host_list(reader, root, reader->arena, &reader->host);
}

const char *replay_host_read(const struct base_input *file, struct base_arena *arena,
                             struct base_error *error)
{
    struct reader reader = {.file = file, .arena = arena, .error = error};

    return read_document(&reader, read_host_root) == 0 ? reader.host : NULL;
}
