/* Random legal programs written as OTF2 and as DUMPI and read back: every message meets the same receive as
 * in the program itself, the reference matcher agrees, and the network sees the same run, cycle by cycle.
 *
 * What is written is a recording: wildcards are what they got in a first replay. Most programs hold what both
 * formats can say; some what only one of them can: DUMPI has no collectives that do not block, OTF2 does not
 * record what was probed for, nor the sizes of every pair. FLITREPLAY_RANDOM_PROGRAMS says how many (1000).
 */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/replay/engine/random-network.h"
#include "tests/replay/engine/random-program.h"
#include "tests/replay/support.h"
#include "tests/replay/engine/watch.h"
#include "traces/writers/writer.h"

static char directory[64];

/* ---- files */

/* In memory where that is possible: thousands of small files are waited for long on a busy disk. */
static void make_directory(void)
{
    static const char *const places[] = {"/dev/shm", "/tmp"};
    for (size_t i = access(places[0], W_OK) == 0 ? 0 : 1; i < 2; i++) {
        snprintf(directory, sizeof directory, "%s/flitreplay-written-XXXXXX", places[i]);
        if (mkdtemp(directory) != NULL)
            return;
    }
    fail_msg("no directory for files");
}

/* Whatever a writer left there, files and directories. */
static void remove_below(const char *path)
{
    DIR *open = opendir(path);
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        char inner[1024];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) != 0) {
            remove_below(inner);
            rmdir(inner);
        }
    }
    if (open != NULL)
        closedir(open);
}

/* Polling is kept: compute times between operations must stay as they are. */
static struct trace_program *write_and_read(struct trace_program *program, const char *format)
{
    const struct trace_writer_options writer_options = {.creator = "flitreplay's tests"};
    const struct trace_options options = {.keep_polling = true};
    struct base_error error = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/program.%s", directory, strcmp(format, "otf2") == 0 ? "otf2" : "meta");
    const struct trace_writer_format *writer = trace_writer_find(format, path, &error);
    assert_non_null(writer);
    if (trace_write(program, writer, path, &writer_options, NULL, NULL, &error) < 0)
        fail_msg("%s", error.text);
    struct trace_program *read = trace_open(path, &options, &error);
    if (read == NULL)
        fail_msg("%s", error.text);
    return read;
}

/* ---- comparisons */

/* The n-th of a rank's sends or receives, which every format keeps; events are numbered differently. */
static uint64_t place_of(const struct reference_side *list, const struct reference_side *side)
{
    uint64_t place = 0;
    for (; list != side; list++)
        place += list->rank == side->rank;
    return place;
}

/* The n-th receive that a rank posted. */
static const struct reference_side *receive_at(const struct reference_matcher *matcher, uint32_t rank,
                                               uint64_t place)
{
    for (size_t i = 0; i < matcher->receive_count; i++)
        if (matcher->receives[i].rank == rank && place-- == 0)
            return &matcher->receives[i];
    return NULL;
}

/* Every receive got the same send, both counted in the order of their ranks' programs. */
static void compare_matches(const struct reference_matcher *one, const struct reference_matcher *other)
{
    assert_int_equal(one->receive_count, other->receive_count);
    assert_int_equal(one->send_count, other->send_count);
    for (size_t i = 0; i < one->receive_count; i++) {
        const struct reference_side *receive = &one->receives[i], *send = &one->sends[receive->mate];
        const struct reference_side *same =
            receive_at(other, receive->rank, place_of(one->receives, receive));
        assert_non_null(same);
        const struct reference_side *from = &other->sends[same->mate];
        assert_int_equal(send->rank, from->rank);
        assert_int_equal(place_of(one->sends, send), place_of(other->sends, from));
    }
}

/* The same times for the ranks, and the same cycles for everything in the network. */
static void compare_results(const struct replay_result *one, const struct replay_result *other)
{
    char digests[2][BASE_DIGEST_TEXT];
    for (uint32_t rank = 0; rank < one->ranks; rank++)
        assert_int_equal(one->rank[rank].finish_ns, other->rank[rank].finish_ns);
    base_digest_text(&one->digest, digests[0]);
    base_digest_text(&other->digest, digests[1]);
    assert_string_equal(digests[0], digests[1]);
}

/* ---- the law */

/* One replay, and what was seen of it. */
struct run {
    struct watch watch;
    struct replay_result result;
};

/* In order, so that held-back messages cannot make a difference between wildcards and what they got. */
static struct run run_of(struct trace_program *program, const struct net_topology *topology, uint64_t seed)
{
    struct run run = {.watch = {.count = 0}};
    run.result = watch_replay(program, random_network_new(topology, seed, true), &run.watch, seed);
    return run;
}

/* Both parts are ours. */
static void end_run(struct run *run)
{
    watch_free(&run->watch);
    replay_result_free(&run->result);
}

/* Whether times are equal too: where the format adds no calls of its own, as DUMPI must to say how
 * communicators were made. */
enum strictness { SAME_MATCHES, SAME_TIMES };

static void check_format(struct trace_program *program, const struct run *expected, const char *format,
                         enum strictness strictness, const struct net_topology *topology, uint64_t seed)
{
    struct trace_program *read = write_and_read(program, format);
    struct run run = run_of(read, topology, seed);
    compare_matches(&expected->watch.matcher, &run.watch.matcher);
    if (strictness == SAME_TIMES)
        compare_results(&expected->result, &run.result);
    end_run(&run);
    trace_close(read);
}

/* otf2, dumpi: NULL if the program is not to be written so. */
static void check_programs(uint64_t first, uint64_t count, unsigned features, const enum strictness *otf2,
                           const enum strictness *dumpi)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new("ideal:9", &error);
    make_directory();
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct trace_program *program =
            trace_memory_program(random_program(seed, 10 + (uint32_t)(seed % 40), features));
        struct run run = run_of(program, topology, seed);
        struct trace_program *resolved = watch_translate(program, watch_resolve, &run.watch);
        if (otf2 != NULL)
            check_format(resolved, &run, "otf2", *otf2, topology, seed);
        if (dumpi != NULL)
            check_format(resolved, &run, "dumpi", *dumpi, topology, seed);
        remove_below(directory);
        end_run(&run);
        trace_close(resolved);
        trace_close(program);
    }
    rmdir(directory);
    net_topology_free(topology);
}

static const enum strictness same_matches = SAME_MATCHES, same_times = SAME_TIMES;
static const unsigned common = RANDOM_WILDCARDS | RANDOM_BUFFERED | RANDOM_SYNCHRONOUS;

/* What both formats can say, cycle by cycle, on MPI_COMM_WORLD. */
static void written_programs_are_the_same(void **state)
{
    (void)state;
    check_programs(0, random_programs(), common, &same_times, &same_times);
}

/* OTF2 defines communicators; DUMPI records the calls that make them, which take their time when replayed. */
static void communicators_are_written_too(void **state)
{
    (void)state;
    check_programs(5000, random_programs() / 4, common | RANDOM_COMMUNICATORS, &same_times, &same_matches);
}

/* Requests of collectives among those of messages. */
static void otf2_knows_collectives_that_do_not_block(void **state)
{
    (void)state;
    check_programs(6000, random_programs() / 4,
                   common | RANDOM_COMMUNICATORS | RANDOM_NONBLOCKING_COLLECTIVES, &same_times, NULL);
}

/* Probes return for the message that was seen; alltoallv has every pair's size. */
static void dumpi_knows_probes_and_the_sizes_of_pairs(void **state)
{
    (void)state;
    check_programs(7000, random_programs() / 4, common | RANDOM_PROBES | RANDOM_VECTORS, NULL, &same_times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_programs_are_the_same),
        cmocka_unit_test(communicators_are_written_too),
        cmocka_unit_test(otf2_knows_collectives_that_do_not_block),
        cmocka_unit_test(dumpi_knows_probes_and_the_sizes_of_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
