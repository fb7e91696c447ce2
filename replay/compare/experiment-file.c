/* Experiment files by libyaml's events, each of which knows its place.
 *
 *      document ─► mapping ─► key, value, key, value …      value: a scalar, or a list of scalars
 *      include: a list of mappings, each a topology with options of its own: levels of --topology
 *
 * Values go the way of those of the command line: one table of options, one set of refusals, so that a file
 * can say nothing that the command line could not, and is recorded in the same way. The parser's events are
 * read one by one; no tree of the document is built. A file of any size takes the memory of its longest
 * value, and whatever is wrong is told where it stands, not where the document ends.
 *
 * Aliases, tags and a second document are refused: what a person reads in the file is what is done. */
#include "replay/compare/experiment-file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <yaml.h>

#include "base/names.h"
#include "replay/configurations.h"
#include "replay/machines/yaml-problem.h"
#include "replay/session/kinds.h"

struct reader {
    const struct base_input *file;
    yaml_parser_t parser; /* over the file's stream */
    yaml_event_t event;   /* the present one */
    struct replay_values *values;
    struct replay_settings *settings;          /* the last value of each option */
    bool is_given[REPLAY_OPTIONS];             /* before the file was read */
    bool is_seen[REPLAY_OPTIONS];              /* as a key */
    bool has_traces, has_include, in_brackets; /* in_brackets: the present list is */
};

#define INCLUDE "include"

/* Lines and columns are counted from 1, as editors do. The sentence may be the error's own. */
static int refuse(const struct reader *reader, yaml_mark_t mark, const char *sentence,
                  struct base_error *error)
{
    return base_input_refuse(reader->file, mark.line + 1, mark.column + 1, sentence, error);
}

/* The next event, in the place of the present one. */
static int next(struct reader *reader, struct base_error *error)
{
    yaml_event_delete(&reader->event);
    if (yaml_parser_parse(&reader->parser, &reader->event))
        return 0;
    return replay_yaml_refuse(&reader->parser, reader->file, "the experiment file", error);
}

/* The next event, which must be of the type: the skeleton of a document has one order only. */
static int expect(struct reader *reader, yaml_event_type_t type, const char *sentence,
                  struct base_error *error)
{
    if (next(reader, error) != 0)
        return -1;
    return reader->event.type == type ? 0 : refuse(reader, reader->event.start_mark, sentence, error);
}

/* The scalar of the present event. libyaml ends it with a zero, whatever is in it. */
static const char *text_of(const struct reader *reader)
{
    return (const char *)reader->event.data.scalar.value;
}

/* REPLAY_OPTIONS stands for the traces. Files and questions of the command line itself are no part of an
 * experiment. */
static bool is_allowed(enum replay_option option)
{
    unsigned commands = replay_option_row(option)->commands;
    return (commands >> REPLAY_COMMAND_COMPARE & 1) != 0 && option != REPLAY_EXPERIMENT &&
           replay_option_row(option)->group != REPLAY_GROUP_GENERAL;
}

/* What is said of an unknown key: the nearest, as on the command line. There are too many keys to list, so
 * the manual's section is named where none is near. */
static int refuse_key(const struct reader *reader, const char *const *names, size_t count,
                      struct base_error *error)
{
    const char *key = text_of(reader);

    base_error_set(error, BASE_USAGE, "unknown key '%.80s'", key);
    if (!base_names_suggest(&(struct base_names)BASE_NAMES_OF_TEXTS("key", names, count), key, error))
        base_error_append(
            error, "; keys are 'traces', 'include' and the options of compare without their dashes: see "
                   "COMPARING in flitreplay-compare(1)");
    return refuse(reader, reader->event.start_mark, error->text, error);
}

/* What can be said of a value without the others: that it is none, or that nothing is called so. A topology may have
 * options of its own. */
static int check_value(enum replay_option option, const char *value, struct base_error *error)
{
    struct replay_settings alone = {0};
    int status = replay_settings_init(&alone, error);

    if (status == 0)
        status = option == REPLAY_TOPOLOGY ? replay_configuration_set(&alone, value, error)
                                           : replay_settings_set(&alone, option, value, error);
    for (enum replay_option named = 0; status == 0 && named < REPLAY_OPTIONS; named++)
        if (alone.given[named])
            status = replay_check_name(named, alone.text[named], error);
    replay_settings_free(&alone);
    return status;
}

/* One "name: value" of a configuration, whose name is the present event: the topology, or an option behind the others.
 */
static int read_own(struct reader *reader, struct base_arena *arena, const char **topology,
                    const char **options, struct base_error *error)
{
    const char *key = base_arena_text(arena, text_of(reader));
    enum replay_option option = REPLAY_TOPOLOGY;

    if (key == NULL)
        return base_error_memory(error, "the experiment file");
    if (strcmp(key, replay_option_row(REPLAY_TOPOLOGY)->name) != 0 &&
        replay_configuration_find(key, strlen(key), &option, error) != 0)
        return refuse(reader, reader->event.start_mark, error->text, error);
    if (expect(reader, YAML_SCALAR_EVENT, "a value is expected", error) != 0)
        return -1;
    if (check_value(option, text_of(reader), error) != 0)
        return error->status == BASE_USAGE ? refuse(reader, reader->event.start_mark, error->text, error)
                                           : -1;
    if (option == REPLAY_TOPOLOGY)
        *topology = base_arena_text(arena, text_of(reader));
    else
        *options = base_arena_format(arena, "%s;%s=%s", *options, key, text_of(reader));
    return *options == NULL || (option == REPLAY_TOPOLOGY && *topology == NULL)
               ? base_error_memory(error, "the experiment file")
               : 0;
}

/* "topology: king-mesh:8x8, flit-bytes: 4" as the command line has it: "king-mesh:8x8;flit-bytes=4". NULL: refused. */
static const char *read_configuration(struct reader *reader, struct base_arena *arena,
                                      struct base_error *error)
{
    const char *topology = NULL, *options = "";
    yaml_mark_t mark = reader->event.start_mark;
    int status;

    while ((status = next(reader, error)) == 0 && reader->event.type == YAML_SCALAR_EVENT)
        if (read_own(reader, arena, &topology, &options, error) != 0)
            return NULL;
    if (status != 0)
        return NULL;
    if (reader->event.type != YAML_MAPPING_END_EVENT || topology == NULL) {
        refuse(reader, mark, "a configuration is 'topology: T' with options of its own, as 'name: value'",
               error);
        return NULL;
    }
    return base_arena_format(arena, "%s%s", topology, options);
}

/* Levels of the topology beside those of its own key. */
static int read_include(struct reader *reader, struct base_error *error)
{
    struct base_arena arena = {0};
    int status = expect(reader, YAML_SEQUENCE_START_EVENT, "a list of configurations is expected", error);

    while (status == 0 && (status = next(reader, error)) == 0 &&
           reader->event.type == YAML_MAPPING_START_EVENT) {
        yaml_mark_t mark = reader->event.start_mark;
        const char *text = read_configuration(reader, &arena, error);
        status = text == NULL ? -1 : 0;
        if (status == 0 && !reader->is_given[REPLAY_TOPOLOGY] &&
            (replay_settings_set(reader->settings, REPLAY_TOPOLOGY, text, error) != 0 ||
             replay_values_add(reader->values, REPLAY_TOPOLOGY, text, error) != 0))
            status = error->status == BASE_USAGE ? refuse(reader, mark, error->text, error) : -1;
    }
    if (status == 0 && reader->event.type != YAML_SEQUENCE_END_EVENT)
        status = refuse(reader, reader->event.start_mark, "a list of configurations is expected", error);
    base_arena_free(&arena);
    return status;
}

/* The option that the present scalar names. An unknown one is refused: a key that is passed over would be a
 * comparison of something else than was meant. */
static int find_key(const struct reader *reader, enum replay_option *option, struct base_error *error)
{
    const char *names[REPLAY_OPTIONS + 2] = {"traces", INCLUDE};
    const char *key = text_of(reader);
    size_t count = 2;

    *option = REPLAY_OPTIONS;
    if (strcmp(key, "traces") == 0)
        return 0;
    for (*option = 0; *option < REPLAY_OPTIONS; ++*option) {
        if (is_allowed(*option) && strcmp(replay_option_row(*option)->name, key) == 0)
            return 0;
        if (is_allowed(*option))
            names[count++] = replay_option_row(*option)->name;
    }
    return refuse_key(reader, names, count, error);
}

/* Refuses the present value by the error's sentence, where it is the value's fault. Within brackets commas separate: a
 * piece such as "class=S" is what is left of a value that should have been in quotes. */
static int refuse_value(const struct reader *reader, bool is_piece, struct base_error *error)
{
    if (error->status != BASE_USAGE)
        return -1;
    if (is_piece)
        base_error_append(error,
                          "; within brackets a comma ends a value, so a value with commas needs quotes: "
                          "[\"mesh:8x8,concentration=2\"]");
    return refuse(reader, reader->event.start_mark, error->text, error);
}

/* "class=S" behind another value in brackets: what was meant ended at a comma. */
static bool is_piece_of_value(const struct reader *reader, uint32_t number)
{
    return number > 0 && reader->in_brackets && strchr(text_of(reader), '=') != NULL &&
           reader->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* One value of an option, its number in a list, by the checks of the command line. What the command line has given is
 * checked all the same. */
static int take(struct reader *reader, enum replay_option option, uint32_t number, struct base_error *error)
{
    const char *value = text_of(reader);
    bool is_piece = is_piece_of_value(reader, number);
    int status;

    if (strlen(value) != reader->event.data.scalar.length)
        return refuse(reader, reader->event.start_mark, "the value contains a zero byte", error);
    if (option == REPLAY_OPTIONS && is_piece && strcspn(value, "=") < strcspn(value, "./:"))
        status = base_error_set(error, BASE_USAGE, "'%.80s' is not a trace", value);
    else if (option == REPLAY_OPTIONS)
        status = replay_values_add_trace(reader->values, value, error);
    else if (reader->is_given[option])
        return 0;
    else
        status = check_value(option, value, error) != 0
                     ? -1
                     : replay_settings_set(reader->settings, option, value, error);
    if (status == 0 && option != REPLAY_OPTIONS && replay_values_may_repeat(option))
        status = replay_values_add(reader->values, option, value, error);
    if (status != 0)
        return refuse_value(reader, is_piece, error);
    /* A flag that is said not to be set is one that was not given: on the command line there is no other. */
    if (option != REPLAY_OPTIONS && replay_option_row(option)->kind == REPLAY_KIND_FLAG)
        reader->settings->given[option] = strcmp(value, "yes") == 0;
    return 0;
}

/* A scalar, or a list of them for what may repeat. */
static int read_value(struct reader *reader, enum replay_option option, struct base_error *error)
{
    bool may_repeat = option == REPLAY_OPTIONS || replay_values_may_repeat(option) ||
                      replay_option_row(option)->kind == REPLAY_KIND_RULES;
    uint32_t count = 0;

    if (next(reader, error) != 0)
        return -1;
    if (reader->event.type == YAML_SCALAR_EVENT)
        return take(reader, option, 0, error);
    if (reader->event.type != YAML_SEQUENCE_START_EVENT)
        return refuse(reader, reader->event.start_mark, "a value, or a list of values, is expected", error);
    reader->in_brackets = reader->event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    for (;; count++) {
        if (next(reader, error) != 0)
            return -1;
        if (reader->event.type == YAML_SEQUENCE_END_EVENT)
            return count > 0 ? 0 : refuse(reader, reader->event.start_mark, "the list is empty", error);
        if (reader->event.type != YAML_SCALAR_EVENT)
            return refuse(reader, reader->event.start_mark, "a list holds values only, nothing nested",
                          error);
        if (count > 0 && !may_repeat)
            return refuse(reader, reader->event.start_mark, "this option takes one value", error);
        if (take(reader, option, count, error) != 0)
            return -1;
    }
}

/* A key and its value. Keys are not repeated: which of the two would count is nothing to guess about. */
static int read_pair(struct reader *reader, struct base_error *error)
{
    enum replay_option option;
    bool *is_seen;

    if (reader->event.type != YAML_SCALAR_EVENT)
        return refuse(reader, reader->event.start_mark, "the name of an option is expected", error);
    if (strcmp(text_of(reader), INCLUDE) == 0) {
        if (reader->has_include)
            return refuse(reader, reader->event.start_mark, "this key appears twice", error);
        reader->has_include = true;
        return read_include(reader, error);
    }
    if (find_key(reader, &option, error) != 0)
        return -1;
    is_seen = option == REPLAY_OPTIONS ? &reader->has_traces : &reader->is_seen[option];
    if (*is_seen)
        return refuse(reader, reader->event.start_mark,
                      "this key appears twice; several values go into a list", error);
    *is_seen = true;
    return read_value(reader, option, error);
}

/* The whole file: one document, which is one mapping. */
static int read_document(struct reader *reader, struct base_error *error)
{
    if (expect(reader, YAML_STREAM_START_EVENT, "this is not YAML", error) != 0 ||
        expect(reader, YAML_DOCUMENT_START_EVENT, "the file is empty", error) != 0 ||
        expect(reader, YAML_MAPPING_START_EVENT, "options are expected, as 'name: value'", error) != 0)
        return -1;
    for (;;) {
        if (next(reader, error) != 0)
            return -1;
        if (reader->event.type == YAML_MAPPING_END_EVENT)
            break;
        if (read_pair(reader, error) != 0)
            return -1;
    }
    if (expect(reader, YAML_DOCUMENT_END_EVENT, "the end of the file is expected", error) != 0)
        return -1;
    return expect(reader, YAML_STREAM_END_EVENT, "only one document is expected; another begins here", error);
}

/* The stream stays the caller's. An event that was not followed by another is freed here, whether the file was
 * read to its end or refused in the middle. */
int replay_experiment_read(const struct base_input *file, struct replay_values *values,
                           struct replay_settings *settings, struct base_error *error)
{
    struct reader reader = {.file = file, .values = values, .settings = settings};
    int status;

    if (!yaml_parser_initialize(&reader.parser))
        return base_error_memory(error, "the experiment file");
    /* What the command line has said stands: the file is looked at as if it were further left there. */
    memcpy(reader.is_given, settings->given, sizeof reader.is_given);
    yaml_parser_set_input_file(&reader.parser, file->stream);
    status = read_document(&reader, error);
    yaml_event_delete(&reader.event);
    yaml_parser_delete(&reader.parser);
    return status;
}
