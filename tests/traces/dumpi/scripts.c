#include <config.h>

#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/traces/drafted.h"
#include "tests/traces/dumpitrace/dumpi-files.h"
#include "tests/traces/dumpi/scripts.h"

#define ITEMS 256

/* ---- Writing ---- */

/* Arguments of one record, for as long as it is written. */
struct arguments {
    int32_t numbers[DPT_MAX_FIELDS][ITEMS];
    struct dpt_receive_status statuses[DPT_MAX_FIELDS][ITEMS];
    struct dpt_number_list lists[ITEMS];
    struct dpt_string string;
};

struct script {
    struct dpt_writer *writer;
    struct dpt_file_info info;
    int32_t sizes[64];
    uint32_t ignored[291];
    char host[64];
};

static char prefix[4096];
static uint32_t file_count;

static const char *rank_path(uint32_t rank)
{
    static char path[4200];

    snprintf(path, sizeof path, "%s-%04u.bin", prefix, rank);
    return path;
}

static uint32_t parse_numbers(const char *text, int32_t *numbers)
{
    uint32_t count = 0;
    char *end;

    while (*text != '\0' && *text != ';') {
        assert_true(count < ITEMS);
        numbers[count++] = (int32_t)strtol(text, &end, 10);
        assert_true(end != text);
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

static uint32_t parse_statuses(const char *text, struct dpt_receive_status *statuses)
{
    uint32_t count = 0;

    for (; strcmp(text, "none") != 0 && text[0] != '\0'; count++) {
        int cancelled = 0, length = 0;
        struct dpt_receive_status *status = &statuses[count];

        *status = (struct dpt_receive_status){0};
        assert_true(sscanf(text, "%d/%d/%d%n", &status->bytes, &status->source, &status->tag, &length) == 3);
        text += length;
        if (*text == '/' && sscanf(text, "/%d%n", &cancelled, &length) == 1)
            text += length;
        status->cancelled = (int8_t)cancelled;
        text += *text == ',';
    }
    return count;
}

/* Rows are borrowed from numbers[]. */
static uint32_t parse_lists(const char *text, struct arguments *arguments, unsigned at)
{
    uint32_t count = 0, used = 0;

    for (; text != NULL && *text != '\0'; count++) {
        uint32_t length = parse_numbers(text, arguments->numbers[at] + used);

        arguments->lists[count] = (struct dpt_number_list){length, arguments->numbers[at] + used};
        used += length;
        text = strchr(text, ';');
        text = text == NULL ? NULL : text + 1;
    }
    return count;
}

static void set_argument(struct dpt_record *record, unsigned at, const char *text,
                         struct arguments *arguments)
{
    enum dpt_name name = (enum dpt_name)record->layout->fields[at].name;
    int result;

    switch ((enum dpt_type)record->layout->fields[at].type) {
    case DPT_TYPE_STATUS:
        result = dpt_set_statuses(record, name, arguments->statuses[at],
                                  parse_statuses(text, arguments->statuses[at]));
        break;
    case DPT_TYPE_NUMBER_LISTS:
        record->values[at].number = parse_lists(text, arguments, at);
        record->values[at].number_lists = arguments->lists;
        record->values[at].present = true;
        result = 0;
        break;
    case DPT_TYPE_STRING:
        arguments->string = (struct dpt_string){(uint32_t)strlen(text), text};
        result = dpt_set_strings(record, name, &arguments->string, 1);
        break;
    default:
        result = dpt_set_number(record, name, strtoll(text, NULL, 10));
        if (result != 0)
            result = dpt_set_numbers(record, name, arguments->numbers[at],
                                     parse_numbers(text, arguments->numbers[at]));
        break;
    }
    assert_int_equal(result, 0);
}

static void parse_times(const char *word, struct dpt_record *record)
{
    long long a, b, c, d;
    int count = sscanf(word, "@%lld-%lld/%lld-%lld", &a, &b, &c, &d);

    assert_true(count == 2 || count == 4);
    record->wall = record->cpu = (struct dpt_interval){a, b, 0, 0};
    if (count == 4)
        record->cpu = (struct dpt_interval){c, d, 0, 0};
}

static void write_record(struct script *script, char *line)
{
    static struct arguments arguments;
    static const struct dpt_receive_status no_status;
    struct dpt_interval wall = {0, 0, 0, 0}, cpu = wall;
    struct dpt_record record = {0};
    char *rest = NULL, *word = strtok_r(line, " ", &rest);
    int function;

    if (word[0] == '@') {
        parse_times(word, &record);
        wall = record.wall;
        cpu = record.cpu;
        word = strtok_r(NULL, " ", &rest);
    }
    function = dpt_function_number(word);
    if (function < 0)
        fail_msg("no function %s", word);
    assert_int_equal(dpt_record_init(&record, (unsigned)function), 0);
    record.wall = wall;
    record.cpu = cpu;
    for (unsigned i = 0; i < record.layout->field_count; i++)
        if (record.layout->fields[i].type == DPT_TYPE_STATUS)
            dpt_set_statuses(&record, (enum dpt_name)record.layout->fields[i].name, &no_status, 0);
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');
        unsigned at = 0;

        assert_non_null(value);
        *value++ = '\0';
        if (strcmp(word, "thread") == 0) {
            record.thread = (uint16_t)atoi(value);
            continue;
        }
        while (at < record.layout->field_count &&
               strcmp(dpt_field_name(record.layout->fields[at].name), word) != 0)
            at++;
        if (at == record.layout->field_count)
            fail_msg("%s has no %s", record.layout->name, word);
        set_argument(&record, at, value, &arguments);
    }
    if (dpt_write(script->writer, &record) != 0)
        fail_msg("%s", dpt_writer_geterr(script->writer));
}

/* Lines that are no records. */
static bool take_setting(struct script *script, char *line)
{
    char name[64];
    unsigned count;
    char *rest;

    if (strncmp(line, "sizes ", 6) == 0) {
        script->info.datatype_count = DPT_FIRST_USER_DATATYPE;
        for (rest = line + 6; *rest != '\0';)
            script->sizes[script->info.datatype_count++] = (int32_t)strtol(rest, &rest, 10);
        script->info.datatype_sizes = script->sizes;
        return true;
    }
    if (sscanf(line, "host %63s", script->host) == 1) {
        script->info.hostname = script->host;
        return true;
    }
    if (sscanf(line, "ignored %63s %u", name, &count) == 2) {
        script->ignored[dpt_function_number(name)] = count;
        script->info.ignored = script->ignored;
        script->info.function_count = 291;
        return true;
    }
    return false;
}

static void write_rank(const char *text, uint32_t rank)
{
    struct script script = {0};
    char *copy = strdup(text), *rest = NULL;
    char *line;
    struct dpt_error error;

    assert_non_null(copy);
    script.writer = dpt_writer_open(rank_path(rank), &script.info, &error);
    if (script.writer == NULL)
        fail_msg("%s", error.text);
    for (line = strtok_r(copy, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (!take_setting(&script, line))
            write_record(&script, line);
    assert_int_equal(dpt_writer_close(script.writer, &script.info, &error), 0);
    free(copy);
}

void script_clean(void)
{
    for (uint32_t i = 0; i < file_count; i++)
        unlink(rank_path(i));
    file_count = 0;
}

const char *script_write(const char *const *ranks, uint32_t count)
{
    script_clean();
    snprintf(prefix, sizeof prefix, "%s", temporary_path(0, "-script"));
    for (uint32_t i = 0; i < count; i++)
        write_rank(ranks[i], i);
    file_count = count;
    return prefix;
}

struct trace_program *script_program(const char *const *ranks, uint32_t count,
                                     const struct trace_options *options)
{
    struct base_error error = {0};
    const char *path = script_write(ranks, count);
    struct trace_program *program = trace_open(path, options, &error);
    char difference[DRAFTED_TEXT];

    if (program == NULL)
        fail_msg("%s", error.text);
    if ((options == NULL || options->defects == NULL) &&
        !drafted_compare(path, options, UINT64_MAX, NULL, difference))
        fail_msg("%s", difference);
    return program;
}

/* ---- Printing ---- */

static void print_any(FILE *stream, uint32_t number)
{
    if (number == UINT32_MAX)
        fprintf(stream, " *");
    else
        fprintf(stream, " %" PRIu32, number);
}

static void show_message(FILE *stream, const struct trace_op *op)
{
    static const char *const names[] = {
        [TRACE_SEND] = "send", [TRACE_RECEIVE] = "recv", [TRACE_PROBE] = "probe",
        [TRACE_PUT] = "put",   [TRACE_GET] = "get",
    };

    fprintf(stream, "%s%s%s%s", op->flags & TRACE_NONBLOCKING ? "i" : "",
            op->flags & TRACE_SYNCHRONOUS ? "s" : "", op->flags & TRACE_BUFFERED ? "b" : "", names[op->kind]);
    print_any(stream, op->peer);
    if (op->kind != TRACE_PUT && op->kind != TRACE_GET)
        print_any(stream, op->tag);
    if (op->kind != TRACE_PROBE)
        fprintf(stream, " %" PRIu64, op->bytes);
    if (op->flags & TRACE_NONBLOCKING)
        fprintf(stream, " r%" PRIu64, op->request);
}

static void print_collective(FILE *stream, const struct trace_op *op)
{
    fprintf(stream, "%s", trace_collective_name(op->collective));
    if (op->vector == NULL && op->collective != TRACE_BARRIER)
        fprintf(stream, " %" PRIu64, op->bytes);
    if (op->root != UINT32_MAX)
        fprintf(stream, " root %" PRIu32, op->root);
    if (op->vector == NULL)
        return;
    fprintf(stream, " %s[", op->vector->pairwise ? "pairs" : "");
    for (uint32_t i = 0; i < op->vector->size; i++)
        fprintf(stream, "%s%" PRIu64, i > 0 ? " " : "", op->vector->sent[i]);
    fprintf(stream, "|");
    for (uint32_t i = 0; i < op->vector->size; i++)
        fprintf(stream, "%s%" PRIu64, i > 0 ? " " : "", op->vector->received[i]);
    fprintf(stream, "]");
}

static void print_op(FILE *stream, const struct trace_op *op)
{
    if (op->flags & TRACE_IMPLIED)
        fprintf(stream, "(");
    if (op->kind == TRACE_COMPUTE)
        fprintf(stream, "compute %" PRIu64, op->duration_ns);
    else if (op->kind == TRACE_WAIT)
        fprintf(stream, "wait");
    else if (op->kind == TRACE_COLLECTIVE_CALL)
        print_collective(stream, op);
    else if (op->kind == TRACE_END)
        fprintf(stream, "end");
    else
        show_message(stream, op);
    for (size_t i = 0; op->kind == TRACE_WAIT && i < op->request_count; i++)
        fprintf(stream, " %" PRIu64, op->requests[i]);
    if (op->kind != TRACE_COMPUTE && op->kind != TRACE_WAIT && op->kind != TRACE_END && op->communicator != 0)
        fprintf(stream, " c%" PRIu32, op->communicator);
    if (op->flags & TRACE_IMPLIED)
        fprintf(stream, ")");
}

char *script_ops(struct trace_program *program, uint32_t rank)
{
    struct trace_cursor *cursor = trace_cursor_new(program, rank, NULL);
    struct base_error error = {0};
    struct trace_op op;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    bool first = true;
    int more;

    assert_true(cursor != NULL && stream != NULL);
    while ((more = trace_cursor_next(cursor, &op, &error)) == 1) {
        fprintf(stream, "%s", first ? "" : "; ");
        print_op(stream, &op);
        first = false;
    }
    if (more < 0)
        fprintf(stream, "; error: %s", error.text);
    trace_cursor_free(cursor);
    fclose(stream);
    return text;
}

void assert_ops(struct trace_program *program, uint32_t rank, const char *expected)
{
    char *found = script_ops(program, rank);

    assert_string_equal(found, expected);
    free(found);
}

uint64_t repairs_of(const struct trace_program *program, const char *kind)
{
    const struct trace_summary *summary = trace_program_summary(program);

    for (size_t i = 0; i < summary->repair_count; i++)
        if (strcmp(summary->repairs[i].kind, kind) == 0)
            return summary->repairs[i].count;
    return 0;
}

const struct trace_coverage *coverage_of(const struct trace_program *program, const char *record)
{
    const struct trace_summary *summary = trace_program_summary(program);

    for (size_t i = 0; i < summary->coverage_count; i++)
        if (strcmp(summary->coverage[i].record, record) == 0)
            return &summary->coverage[i];
    return NULL;
}
