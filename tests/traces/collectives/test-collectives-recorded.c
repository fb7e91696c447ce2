/* The tables of real libraries against what these libraries sent: every call that was recorded, each rank's
 * messages as a multiset of destinations and bytes.
 *
 *      ../shared/golden/collectives-recorded.tar.xz    every case (COLLECTIVES.md beside it says how it was made)
 *      tests/data/collectives-recorded.csv             a few of them, for a tree that stands alone
 *
 * A case that differs has to be in recorded-LIBRARY.def, with its reason; one that is there has to differ. */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/collectives/collective.h"
#include "base/grow.h"

#define UNSEEN_BYTES UINT64_C(1000000007) /* from here on: a datatype whose bytes were not seen */
#define LINE_MAX_BYTES 65536

struct exception {
    const char *operation;
    uint32_t ranks_min, ranks_max;
    uint64_t bytes_min, bytes_max;
    uint32_t cases;
    const char *reason;
};

#define RECORDED_EXCEPTION(...) {__VA_ARGS__},
static const struct exception mpich_exceptions[] = {
#include "tests/traces/collectives/recorded-mpich.def"
    {0}};
static const struct exception openmpi_exceptions[] = {
#include "tests/traces/collectives/recorded-openmpi.def"
    {0}};
#undef RECORDED_EXCEPTION

static const struct library {
    const char *table, *folder;
    const struct exception *exceptions; /* up to one without an operation */
} libraries[] = {{"mpich-4", "mpich-4.0.2", mpich_exceptions},
                 {"openmpi-4", "openmpi-4.1.4", openmpi_exceptions}};

/* One line of a recording: what a rank sent in one call. */
struct line {
    char operation[32];
    uint32_t ranks, root, rank;
    uint64_t bytes;
    const char *messages; /* "DEST*BYTES DEST*BYTES" */
};

/* A call of all ranks, and the first rank that sends otherwise. */
struct call_case {
    struct line line;
    uint32_t lines; /* ranks that were seen */
    char difference[600];
};

struct comparison {
    const struct library *library;
    const struct trace_tuning *table;
    struct call_case *cases;
    size_t count, capacity;
    struct trace_schedule schedule;
};

struct message {
    int64_t peer;
    uint64_t bytes;
};

struct messages {
    struct message *items;
    size_t count, capacity;
};

/* ---- One rank of one call ---- */

static void append(struct messages *messages, int64_t peer, uint64_t bytes)
{
    assert_int_equal(
        base_grow(&messages->items, &messages->capacity, messages->count + 1, sizeof *messages->items), 0);
    messages->items[messages->count++] = (struct message){peer, bytes};
}

static int by_peer_and_bytes(const void *left, const void *right)
{
    const struct message *a = left, *b = right;

    if (a->peer != b->peer)
        return a->peer < b->peer ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* As recorded, without messages to oneself, which are copies, and to nobody that is known. */
static struct messages read_messages(const struct line *line)
{
    struct messages messages = {0};
    const char *at = line->messages;
    int64_t peer;
    uint64_t bytes;
    int length;

    while (sscanf(at, " %" SCNd64 "*%" SCNu64 "%n", &peer, &bytes, &length) == 2) {
        at += length;
        if (peer >= 0 && peer != line->rank)
            append(&messages, peer, bytes);
    }
    assert_int_equal(strspn(at, " \n"), strlen(at));
    return messages;
}

static enum trace_collective operation_of(const struct line *line)
{
    for (uint32_t collective = 0; collective < TRACE_COLLECTIVES; collective++)
        if (strcmp(trace_collective_name((enum trace_collective)collective), line->operation) == 0)
            return (enum trace_collective)collective;
    fail_msg("no collective operation %s", line->operation);
    return TRACE_BARRIER;
}

static struct messages schedule_messages(struct comparison *comparison, const struct line *line)
{
    struct trace_collective_call call = {.collective = operation_of(line),
                                         .ranks = line->ranks,
                                         .rank = line->rank,
                                         .root = line->root,
                                         .bytes = line->bytes};
    struct trace_schedule *schedule = &comparison->schedule;
    struct messages messages = {0};

    if (call.collective == TRACE_BARRIER)
        call.bytes = 0;
    assert_int_equal(trace_collective_schedule(comparison->table, &call, schedule, NULL), 0);
    for (size_t i = 0; i < schedule->count; i++)
        if (schedule->steps[i].kind == TRACE_STEP_SEND)
            append(&messages, schedule->steps[i].peer, schedule->steps[i].bytes);
    return messages;
}

static bool same(const struct messages *recorded, const struct messages *sent)
{
    if (recorded->count != sent->count)
        return false;
    for (size_t i = 0; i < sent->count; i++)
        if (recorded->items[i].peer != sent->items[i].peer ||
            (recorded->items[i].bytes < UNSEEN_BYTES && recorded->items[i].bytes != sent->items[i].bytes))
            return false;
    return true;
}

/* As many as the text has room for. */
static void describe(char *text, size_t size, const char *title, const struct messages *messages)
{
    size_t used = (size_t)snprintf(text, size, " %s", title);

    for (size_t i = 0; i < messages->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, " %" PRId64 "*%" PRIu64, messages->items[i].peer,
                                 messages->items[i].bytes);
}

static struct call_case *case_of(struct comparison *comparison, const struct line *line)
{
    struct call_case *found = comparison->cases;

    for (size_t i = comparison->count; i-- > 0;) {
        const struct line *other = &comparison->cases[i].line;
        if (other->ranks == line->ranks && other->bytes == line->bytes && other->root == line->root &&
            strcmp(other->operation, line->operation) == 0)
            return &comparison->cases[i];
    }
    assert_int_equal(
        base_grow(&comparison->cases, &comparison->capacity, comparison->count + 1, sizeof *found), 0);
    found = &comparison->cases[comparison->count++];
    *found = (struct call_case){.line = *line};
    return found;
}

static void compare_line(struct comparison *comparison, const struct line *line)
{
    struct call_case *found = case_of(comparison, line);
    struct messages recorded = read_messages(line), sent = schedule_messages(comparison, line);

    found->lines++;
    if (recorded.count > 0)
        qsort(recorded.items, recorded.count, sizeof *recorded.items, by_peer_and_bytes);
    if (sent.count > 0)
        qsort(sent.items, sent.count, sizeof *sent.items, by_peer_and_bytes);
    if (!same(&recorded, &sent) && found->difference[0] == '\0') {
        char *text = found->difference;
        int used = snprintf(text, 100, "rank %u, %s:", line->rank, comparison->schedule.algorithm);
        describe(text + used, 240, "recorded", &recorded);
        used = (int)strlen(text);
        describe(text + used, 240, "; here", &sent);
    }
    free(recorded.items);
    free(sent.items);
}

/* ---- Recordings ---- */

/* "operation bytes root rank: messages" */
static void compare_recorded(struct comparison *comparison, uint32_t ranks, const char *text)
{
    struct line line = {.ranks = ranks};
    int length = 0;

    assert_int_equal(sscanf(text, "%31s %" SCNu64 " %" SCNu32 " %" SCNu32 ":%n", line.operation, &line.bytes,
                            &line.root, &line.rank, &length),
                     4);
    line.messages = text + length;
    compare_line(comparison, &line);
}

/* A member of the archive: FOLDER/x.RANKS.RANK, of the library that is compared or of another one. */
static void compare_member(struct comparison *comparison, const char *name, FILE *stream, uint64_t bytes)
{
    const char *folder = strstr(name, comparison->library->folder);
    char *text = calloc((size_t)bytes + 1, 1), *rest = text;
    char *next;
    uint32_t ranks, rank;

    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)bytes, stream), bytes);
    for (uint64_t at = bytes; at % 512 != 0; at++)
        assert_int_not_equal(fgetc(stream), EOF);
    if (folder != NULL &&
        sscanf(folder + strlen(comparison->library->folder), "/%*c.%" SCNu32 ".%" SCNu32, &ranks, &rank) == 2)
        for (; (next = strchr(rest, '\n')) != NULL; rest = next + 1) {
            *next = '\0';
            compare_recorded(comparison, ranks, rest);
        }
    free(text);
}

/* A tape archive is headers of 512 bytes, the name at 0, the size in octal digits at 124, and contents that
 * are padded to such blocks. */
static void compare_archive(struct comparison *comparison, const char *path)
{
    char command[4200];
    char header[513] = {0};
    FILE *stream;

    assert_true((size_t)snprintf(command, sizeof command, "xz -dc '%s'", path) < sizeof command);
    stream = popen(command, "r"); /* NOLINT: a test reads what is beside its own tree */
    assert_non_null(stream);
    while (fread(header, 1, 512, stream) == 512)
        if (header[0] != '\0') {
            char digits[13] = {0};
            memcpy(digits, header + 124, 12);
            header[100] = '\0';
            compare_member(comparison, header, stream, strtoull(digits, NULL, 8));
        }
    assert_int_equal(pclose(stream), 0);
}

/* The table of a few cases: library,ranks,operation,bytes,root,rank,messages. */
static void compare_few(struct comparison *comparison, FILE *stream)
{
    char text[LINE_MAX_BYTES], library[32];

    assert_non_null(fgets(text, sizeof text, stream));
    while (fgets(text, sizeof text, stream) != NULL) {
        struct line line = {0};
        int length = 0;
        assert_int_equal(sscanf(text, "%31[^,],%" SCNu32 ",%31[^,],%" SCNu64 ",%" SCNu32 ",%" SCNu32 ",%n",
                                library, &line.ranks, line.operation, &line.bytes, &line.root, &line.rank,
                                &length),
                         6);
        line.messages = text + length;
        if (strcmp(library, comparison->library->folder) == 0)
            compare_line(comparison, &line);
    }
}

/* ---- The verdict ---- */

static const struct exception *exception_of(const struct library *library, const struct line *line)
{
    for (const struct exception *at = library->exceptions; at->operation != NULL; at++)
        if (strcmp(at->operation, line->operation) == 0 && line->ranks >= at->ranks_min &&
            line->ranks <= at->ranks_max && line->bytes >= at->bytes_min && line->bytes <= at->bytes_max)
            return at;
    return NULL;
}

/* How many of the cases are not what they should be, each with a line on standard error. */
static uint32_t judge(const struct comparison *comparison, bool complete)
{
    uint32_t wrong = 0;
    uint32_t used[64] = {0};

    for (size_t i = 0; i < comparison->count; i++) {
        const struct call_case *at = &comparison->cases[i];
        const struct exception *exception = exception_of(comparison->library, &at->line);
        bool differs = at->difference[0] != '\0';
        assert_int_equal(at->lines, at->line.ranks);
        if (exception != NULL)
            used[exception - comparison->library->exceptions]++;
        if (differs == (exception != NULL))
            continue;
        wrong++;
        fprintf(stderr, "%s P=%u %s %" PRIu64 " root %u: %s\n", comparison->library->table, at->line.ranks,
                at->line.operation, at->line.bytes, at->line.root,
                differs ? at->difference : "an exception that does not differ");
    }
    for (size_t i = 0; complete && comparison->library->exceptions[i].operation != NULL; i++)
        if (used[i] != comparison->library->exceptions[i].cases) {
            fprintf(stderr, "%s: exception %zu covers %u cases\n", comparison->library->table, i, used[i]);
            wrong++;
        }
    return wrong;
}

/* Prints which recording it was. */
static void compare_library(const struct library *library)
{
    struct comparison comparison = {.library = library, .table = trace_tuning_find(library->table, NULL)};
    const char *shared = getenv("FLITREPLAY_SHARED"), *source = getenv("top_srcdir");
    char path[4096];
    FILE *stream;
    bool complete;
    uint32_t wrong;

    assert_non_null(comparison.table);
    snprintf(path, sizeof path, "%s/golden/collectives-recorded.tar.xz", shared != NULL ? shared : "");
    stream = shared != NULL && *shared != '\0' ? fopen(path, "r") : NULL;
    complete =
        stream != NULL && system("command -v xz >/dev/null") == 0; /* NOLINT: nothing of it is from outside */
    if (stream != NULL)
        fclose(stream);
    if (complete) {
        compare_archive(&comparison, path);
    } else {
        snprintf(path, sizeof path, "%s/tests/data/collectives-recorded.csv", source != NULL ? source : ".");
        stream = fopen(path, "r");
        assert_non_null(stream);
        compare_few(&comparison, stream);
        fclose(stream);
    }
    assert_true(comparison.count > 0);
    wrong = judge(&comparison, complete);
    print_message("%s: %zu cases of %s, %u not as they should be\n", library->table, comparison.count, path,
                  wrong);
    trace_schedule_free(&comparison.schedule);
    free(comparison.cases);
    assert_int_equal(wrong, 0);
}

static void mpich_4(void **state)
{
    (void)state;
    compare_library(&libraries[0]);
}

static void openmpi_4(void **state)
{
    (void)state;
    compare_library(&libraries[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mpich_4),
        cmocka_unit_test(openmpi_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
