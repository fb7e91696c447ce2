/* Every recorded OTF2 trace, replayed to its end on every kind of network that fits, against the laws and
 * against the committed results in tests/golden/replays.csv, so that builds at any optimisation level and
 * under sanitizers compare to the same numbers. The traces are those of $FLITREPLAY_SHARED/traces, or else
 * the few in tests/data.
 *
 *      FLITREPLAY_UPDATE_GOLDEN=1     writes the file anew (rows of traces that are not there are kept)
 */
#include "tests/brief.h"
#include "tests/suite.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "tests/replay/support.h"

#define TRACES_MAX 64
/* Of a trace that replays in a second or so under sanitizers. */
#define BRIEF_RANKS 16
#define BRIEF_EVENTS 100000
#define ROWS_MAX (TRACES_MAX * 4)
#define KEY_MAX 320
#define LINE_MAX_LENGTH 640

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

static const char header[] = "trace,topology,simulated_ns,ideal_ns,messages,packets,flits,flit_hops,digest";

struct row {
    char key[KEY_MAX]; /* "otf2-eztrace/cg.S.4,mesh:2x2" */
    char values[LINE_MAX_LENGTH];
    bool used;
};

static struct row golden[ROWS_MAX];
static size_t golden_count;
static char trace_names[TRACES_MAX][KEY_MAX]; /* "otf2-eztrace/cg.S.4" */
static size_t trace_count, replayed_count;    /* found; replayed on every network without a failure */
static char traces_directory[1024], golden_path[1024];
static bool everything_is_there, updating;

/* ---- the committed rows */

/* Nothing is cut silently. */
static void store(char *target, size_t size, const char *text)
{
    assert_true(strlen(text) < size);
    memcpy(target, text, strlen(text) + 1);
}

static struct row *find_row(const char *key)
{
    for (size_t i = 0; i < golden_count; i++)
        if (strcmp(golden[i].key, key) == 0)
            return &golden[i];
    return NULL;
}

static struct row *add_row(const char *key)
{
    struct row *row = &golden[golden_count++];
    assert_true(golden_count <= ROWS_MAX);
    store(row->key, sizeof row->key, key);
    return row;
}

/* "trace,topology,values": the topology of these rows has no comma. */
static void read_golden(void)
{
    char line[LINE_MAX_LENGTH + KEY_MAX];
    FILE *stream = fopen(golden_path, "r");
    if (stream == NULL && updating)
        return;
    if (stream == NULL)
        fail_msg("%s: %s", golden_path, strerror(errno));
    while (fgets(line, sizeof line, stream) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *comma = strchr(line, ',');
        if (comma != NULL)
            comma = strchr(comma + 1, ',');
        if (comma == NULL)
            fail_msg("%s: no row: %s", golden_path, line);
        *comma = '\0';
        if (strcmp(line, "trace,topology") != 0)
            store(add_row(line)->values, LINE_MAX_LENGTH, comma + 1);
    }
    fclose(stream);
}

static int compare_rows(const void *left, const void *right)
{
    return strcmp(((const struct row *)left)->key, ((const struct row *)right)->key);
}

static void write_golden(void)
{
    struct base_output output;
    struct base_error error = {0};
    qsort(golden, golden_count, sizeof *golden, compare_rows);
    if (base_output_open(&output, golden_path, &error) < 0)
        fail_msg("%s", error.text);
    fprintf(output.stream, "%s\n", header);
    for (size_t i = 0; i < golden_count; i++)
        fprintf(output.stream, "%s,%s\n", golden[i].key, golden[i].values);
    if (base_output_commit(&output, &error) < 0)
        fail_msg("%s", error.text);
    print_message("%s: %zu rows written\n", golden_path, golden_count);
}

static void check_row(const char *key, const char *values)
{
    struct row *row = find_row(key);
    if (updating) {
        if (row == NULL)
            row = add_row(key);
        store(row->values, sizeof row->values, values);
    } else if (row == NULL) {
        fail_msg("%s has no row for %s; it would be\n%s,%s\n(FLITREPLAY_UPDATE_GOLDEN=1 writes it)",
                 golden_path, key, key, values);
    } else if (strcmp(row->values, values) != 0) {
        fail_msg("%s: %s has changed\nexpected %s\nfound    %s\n(%s)", golden_path, key, row->values, values,
                 header);
    }
    row->used = true;
}

/* ---- replays */

/* The defaults of the command line. */
static struct replay_semantics default_options(void)
{
    size_t count;
    const struct trace_tuning *const *tunings = trace_tunings(&count);
    struct replay_semantics options = test_options();
    assert_true(count > 0);
    assert_string_equal(tunings[0]->name, "mpich-4");
    options.collectives = tunings[0];
    options.eager_limit_bytes = 65536;
    return options;
}

struct outcome {
    struct net_statistics statistics;
    uint64_t simulated_ns, messages;
    char digest[BASE_DIGEST_TEXT];
};

/* Replays once and checks what holds for every replay. */
static struct outcome replay_once(struct trace_program *program, const char *topology)
{
    struct replay_semantics options = default_options();
    struct replay_result result;
    struct base_error error = {0};
    struct outcome outcome;
    uint64_t sent = 0, collective_messages = 0, latest = 0;
    if (replay_measured(topology, program, &options, &result, &outcome.statistics, &error) < 0)
        fail_msg("%s on %s: %s", trace_program_path(program), topology, error.text);
    for (uint32_t rank = 0; rank < result.ranks; rank++) {
        const struct replay_rank_result *row = &result.rank[rank];
        assert_int_equal(row->compute_ns + row->wait_ns, row->finish_ns);
        sent += row->messages_sent;
        latest = row->finish_ns > latest ? row->finish_ns : latest;
    }
    for (size_t i = 0; i < result.collective_count; i++)
        collective_messages += result.collectives[i].messages;
    assert_int_equal(result.simulated_ns, latest);
    assert_int_equal(sent, result.messages);
    assert_int_equal(sent - collective_messages, trace_program_summary(program)->sends);
    assert_int_equal(outcome.statistics.messages, sent - result.self_messages + result.control_messages);
    outcome.simulated_ns = result.simulated_ns;
    outcome.messages = result.messages;
    base_digest_text(&result.digest, outcome.digest);
    replay_result_free(&result);
    return outcome;
}

static void check_network(const char *name, struct trace_program *program, const char *topology,
                          const struct outcome *ideal)
{
    char key[2 * KEY_MAX], values[LINE_MAX_LENGTH];
    struct outcome outcome = replay_once(program, topology);
    const struct net_statistics *statistics = &outcome.statistics;
    /* Once is enough where it takes minutes: the row's digest comes from another build's run. */
    if (!SLOW || trace_program_ranks(program) <= 16)
        assert_string_equal(replay_once(program, topology).digest, outcome.digest);
    assert_true(outcome.simulated_ns >= ideal->simulated_ns);
    assert_int_equal(statistics->messages, ideal->statistics.messages);
    assert_int_equal(statistics->packets, ideal->statistics.packets);
    assert_int_equal(statistics->flits, ideal->statistics.flits);
    snprintf(key, sizeof key, "%s,%s", name, topology);
    snprintf(values, sizeof values,
             "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s",
             outcome.simulated_ns, ideal->simulated_ns, outcome.messages, statistics->packets,
             statistics->flits, statistics->flit_hops, outcome.digest);
    check_row(key, values);
}

static const char *sides_for(uint32_t ranks)
{
    switch (ranks) {
    case 4:
        return "2x2";
    case 5:
        return "3x2";
    case 12:
        return "3x4";
    case 16:
        return "4x4";
    case 64:
        return "8x8";
    default:
        fail_msg("no network is prepared for %" PRIu32 " ranks", ranks);
        return NULL;
    }
}

static struct trace_program *open_trace(const char *name)
{
    char path[2048];
    struct trace_options options = {0};
    struct base_error error = {0};
    snprintf(path, sizeof path, "%s/%s", traces_directory, name);
    struct trace_program *program = trace_open(path, &options, &error);
    if (program == NULL)
        fail_msg("%s", error.text);
    return program;
}

/* In brief a long trace, or one of many ranks, is replayed on the last of the networks alone. */
static void trace_replays_on_every_network(void **state)
{
    static const char *const kinds[] = {"mesh", "torus", "king-mesh", "king-torus"};
    const size_t count = sizeof kinds / sizeof *kinds;
    const char *name = *state;
    struct trace_program *program = open_trace(name);
    struct replay_semantics options = default_options();
    char topology[64];
    snprintf(topology, sizeof topology, "ideal:%" PRIu32, trace_program_ranks(program));
    struct outcome ideal = replay_once(program, topology);
    assert_int_equal(ideal.simulated_ns, longest_chain(program, &options));
    bool few = brief() && (trace_program_summary(program)->events > BRIEF_EVENTS ||
                           trace_program_ranks(program) > BRIEF_RANKS);
    if (few)
        print_message("FLITREPLAY_BRIEF=yes: %s on %s alone\n", name, kinds[count - 1]);
    for (size_t i = few ? count - 1 : 0; i < count; i++) {
        snprintf(topology, sizeof topology, "%s:%s", kinds[i], sides_for(trace_program_ranks(program)));
        check_network(name, program, topology, &ideal);
    }
    trace_close(program);
    replayed_count++;
}

/* Rows of traces that are gone would be taken for results that are still checked. */
static void every_row_belongs_to_a_trace(void **state)
{
    (void)state;
    if (updating)
        write_golden();
    if (updating || !everything_is_there || replayed_count != trace_count || brief())
        return; /* a failure before explains an unused row */
    for (size_t i = 0; i < golden_count; i++)
        if (!golden[i].used)
            fail_msg("%s: nothing was replayed for %s", golden_path, golden[i].key);
}

/* ---- finding the traces */

static bool is_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (directory != NULL)
        closedir(directory);
    return directory != NULL;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(left, right);
}

static void add_traces_of(const char *writer)
{
    char path[2048];
    const struct dirent *entry;
    snprintf(path, sizeof path, "%s/%s", traces_directory, writer);
    DIR *directory = opendir(path);
    if (directory == NULL)
        return;
    while ((entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.' && trace_count < TRACES_MAX)
            snprintf(trace_names[trace_count++], KEY_MAX, "%s/%s", writer, entry->d_name);
    closedir(directory);
}

/* Those that are bundled: they use most of MPI, and are short. The others are held to be the same programs as
 * their OTF2 recordings, operation by operation (tests/traces/dumpi/test-programs.c). */
static void add_dumpi_traces(void)
{
    static const char *const names[] = {"cover.S.4", "cover.W.4.persist", "dt.S.5.WH", "ft.S.4"};
    char path[2048];

    snprintf(path, sizeof path, "%s/dumpi", traces_directory);
    for (size_t i = 0; is_directory(path) && i < sizeof names / sizeof *names; i++)
        if (trace_count < TRACES_MAX)
            snprintf(trace_names[trace_count++], KEY_MAX, "dumpi/%s", names[i]);
}

static void find_traces(void)
{
    static const char *const writers[] = {"otf2-cpuclock", "otf2-eztrace", "otf2-scorep-layout"};
    const char *shared = getenv("FLITREPLAY_SHARED"), *top = getenv("top_srcdir");
    snprintf(golden_path, sizeof golden_path, "%s/tests/golden/replays.csv", top != NULL ? top : ".");
    snprintf(traces_directory, sizeof traces_directory, "%s/traces", shared != NULL ? shared : "");
    everything_is_there = shared != NULL && *shared != '\0' && is_directory(traces_directory);
    if (!everything_is_there) {
        snprintf(traces_directory, sizeof traces_directory, "%s/tests/data", top != NULL ? top : ".");
        printf("No $FLITREPLAY_SHARED/traces: only the traces in tests/data are replayed.\n");
    }
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        add_traces_of(writers[i]);
    add_dumpi_traces();
    qsort(trace_names, trace_count, sizeof *trace_names, compare_names);
}

static int set_up(void **state)
{
    (void)state;
    read_golden();
    return 0;
}

int main(void)
{
    static struct CMUnitTest tests[TRACES_MAX + 1];
    const char *update = getenv("FLITREPLAY_UPDATE_GOLDEN");
    updating = update != NULL && *update != '\0';
    find_traces();
    if (trace_count == 0) {
        printf("No traces in %s: nothing is tested.\n", traces_directory);
        return 77;
    }
    for (size_t i = 0; i < trace_count; i++)
        tests[i] =
            (struct CMUnitTest){trace_names[i], trace_replays_on_every_network, NULL, NULL, trace_names[i]};
    tests[trace_count] = (struct CMUnitTest)cmocka_unit_test(every_row_belongs_to_a_trace);
    return _cmocka_run_group_tests("recorded traces", tests, trace_count + 1, set_up, NULL);
}
