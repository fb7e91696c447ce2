/* Programs that are written and read again are the same: recorded ones, and one made by hand that has every
 * kind of operation. */
#include <config.h>

#include <dirent.h>
#include <signal.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/brief.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"
#include "tests/traces/writers/same-program.h"
#include "tests/traces/memory.h"
#include "traces/writers/writer.h"

#define PATH 2048
#define BRIEF_EVENTS 20000 /* every recorder and every kind of call is in some trace of fewer */

static uint64_t losses_of(const char *kind);

/* The losses of the last trace written. */
static struct trace_loss lost[64];
static size_t lost_count;

static void keep_losses(void *context, const struct trace_loss *losses, size_t count)
{
    (void)context;
    assert_true(count <= sizeof lost / sizeof *lost);
    memcpy(lost, losses, count * sizeof *losses);
    lost_count = count;
}

static uint64_t losses_of(const char *kind)
{
    for (size_t i = 0; i < lost_count; i++)
        if (strcmp(lost[i].kind, kind) == 0)
            return lost[i].count;
    return 0;
}

/* Writes a program and opens what was written, or fails the test. */
static struct trace_program *rewrite(struct trace_program *program, const char *format, const char *path)
{
    struct base_error error = {0};
    const struct trace_writer_format *writer = trace_writer_find(format, path, &error);
    struct trace_program *again;

    assert_non_null(writer);
    lost_count = 0;
    if (trace_write(program, writer, path, NULL, keep_losses, NULL, &error) != 0)
        fail_msg("%s", error.text);
    again = trace_open(path, NULL, &error);
    if (again == NULL)
        fail_msg("%s", error.text);
    return again;
}

/* Every loss of a recorded trace must be one of those that are expected. */
static void print_losses(const char *path, const char *format)
{
    print_message("%s as %s:", path, format);
    for (size_t i = 0; i < lost_count; i++)
        print_message(" %s %lu", lost[i].kind, (unsigned long)lost[i].count);
    print_message("\n");
}

static void check_recorded(const char *path, const char *format, unsigned exceptions)
{
    struct trace_program *program = recorded_open(path);
    struct trace_program *again;
    char *directory;
    char target[PATH];

    if (brief() && trace_program_summary(program)->events > BRIEF_EVENTS) {
        print_message("FLITREPLAY_BRIEF=yes: %s has more than %d events\n", path, BRIEF_EVENTS);
        trace_close(program);
        return;
    }
    directory = archive_directory();
    snprintf(target, sizeof target, "%s/copy%s", directory, trace_writer_find(format, "", NULL)->suffix);
    again = rewrite(program, format, target);
    print_losses(path, format);
    if (losses_of("open-requests") > 0)
        exceptions |= SAME_LAST_WAIT;
    if (losses_of("communicator-creation") > 0)
        exceptions |= SAME_CREATION;
    same_programs(program, again, exceptions);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

/* Calls check for every recorded DUMPI trace: the shared ones where they are, else the bundled ones. */
static void each_dumpi(void (*check)(const char *path, const char *format, unsigned exceptions),
                       const char *format, unsigned exceptions)
{
    const char *shared = getenv("FLITREPLAY_SHARED"), *source = getenv("top_srcdir");
    char root[PATH], path[PATH * 2];
    DIR *entries = NULL;
    const struct dirent *entry;
    unsigned count = 0;

    if (shared != NULL && shared[0] != '\0') {
        snprintf(root, sizeof root, "%s/traces/dumpi", shared);
        entries = opendir(root);
    }
    if (entries == NULL) {
        snprintf(root, sizeof root, "%s/tests/data/dumpi", source == NULL ? "." : source);
        entries = opendir(root);
    }
    assert_non_null(entries);
    while ((entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s/GROUNDTRUTH.json", root, entry->d_name);
        if (access(path, F_OK) != 0)
            continue;
        *strrchr(path, '/') = '\0';
        check(path, format, exceptions);
        count++;
    }
    closedir(entries);
    assert_true(count > 0);
}

static void test_recorded_otf2(void **state)
{
    const struct recorded_list *list = recorded_traces();

    (void)state;
    for (size_t i = 0; i < list->count; i++)
        check_recorded(list->paths[i], "otf2", 0);
}

static void test_recorded_dumpi(void **state)
{
    const struct recorded_list *list = recorded_traces();

    (void)state;
    for (size_t i = 0; i < list->count; i++)
        check_recorded(list->paths[i], "dumpi", 0);
}

static void test_dumpi_dumpi(void **state)
{
    (void)state;
    each_dumpi(check_recorded, "dumpi", 0);
}

/* Pairs become totals, which readers split again. Communicators and the calls that made them are the same. */
static void test_dumpi_otf2(void **state)
{
    (void)state;
    each_dumpi(check_recorded, "otf2", SAME_VECTORS_DIFFER);
}

/* ---- programs made by hand */

static struct trace_memory *memory_new(uint32_t ranks)
{
    struct trace_memory *memory = trace_memory_new(ranks);
    assert_non_null(memory);
    return memory;
}

static void add(struct trace_memory *memory, uint32_t rank, struct trace_op op)
{
    if (op.kind != TRACE_COLLECTIVE_CALL)
        op.root = UINT32_MAX;
    assert_int_equal(trace_memory_add(memory, rank, &op), 0);
}

static void wait_for(struct trace_memory *memory, uint32_t rank, const uint64_t *requests, size_t count)
{
    add(memory, rank, (struct trace_op){.kind = TRACE_WAIT, .requests = requests, .request_count = count});
}

/* A ring of messages in every mode, with compute time between. */
static void add_messages(struct trace_memory *memory, uint32_t rank, uint32_t ranks)
{
    static const unsigned modes[] = {0, TRACE_SYNCHRONOUS, TRACE_BUFFERED};
    uint32_t right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;

    for (uint32_t i = 0; i < 3; i++) {
        uint64_t first = trace_memory_next_request(memory, rank);
        uint64_t requests[] = {first, first + 1, first + 2};
        add(memory, rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 100 * (rank + 1) + i});
        add(memory, rank,
            (struct trace_op){.kind = TRACE_RECEIVE,
                              .peer = left,
                              .tag = i,
                              .bytes = 10 + left,
                              .flags = TRACE_NONBLOCKING});
        add(memory, rank,
            (struct trace_op){
                .kind = TRACE_RECEIVE, .peer = left, .tag = 9, .bytes = 0, .flags = TRACE_NONBLOCKING});
        add(memory, rank,
            (struct trace_op){.kind = TRACE_SEND,
                              .peer = right,
                              .tag = i,
                              .bytes = 10 + rank,
                              .flags = modes[i],
                              .duration_ns = 7});
        add(memory, rank,
            (struct trace_op){.kind = TRACE_SEND,
                              .peer = right,
                              .tag = 9,
                              .bytes = 0,
                              .flags = modes[i] | TRACE_NONBLOCKING});
        wait_for(memory, rank, &requests[1], 2);
        add(memory, rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 3});
        wait_for(memory, rank, &requests[0], 1);
    }
    if (rank % 2 == 0)
        add(memory, rank, (struct trace_op){.kind = TRACE_SEND, .peer = right, .tag = 77, .bytes = 70000});
    else
        add(memory, rank, (struct trace_op){.kind = TRACE_RECEIVE, .peer = left, .tag = 77, .bytes = 70000});
}

static bool has_root(enum trace_collective collective)
{
    return collective == TRACE_BCAST || collective == TRACE_GATHER || collective == TRACE_GATHERV ||
           collective == TRACE_SCATTER || collective == TRACE_SCATTERV || collective == TRACE_REDUCE;
}

static bool has_blocks(enum trace_collective collective)
{
    return collective == TRACE_GATHERV || collective == TRACE_SCATTERV || collective == TRACE_ALLGATHERV ||
           collective == TRACE_ALLTOALLV || collective == TRACE_ALLTOALLW ||
           collective == TRACE_REDUCE_SCATTER;
}

/* One collective of each kind that has one size for all. */
static void add_collectives(struct trace_memory *memory, uint32_t rank, uint32_t communicator, uint32_t size)
{
    for (int i = 0; i < TRACE_COLLECTIVES; i++) {
        enum trace_collective collective = (enum trace_collective)i;
        if (has_blocks(collective))
            continue;
        add(memory, rank,
            (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                              .collective = collective,
                              .communicator = communicator,
                              .root = has_root(collective) ? (uint32_t)i % size : UINT32_MAX,
                              .bytes = collective == TRACE_BARRIER ? 0 : 24 + (uint64_t)i});
    }
}

/* Everything that all formats can say. */
static struct trace_program *plain_program(uint32_t ranks)
{
    static const uint32_t some[] = {2, 0};
    struct trace_memory *memory = memory_new(ranks);
    uint32_t sub = trace_memory_communicator(memory, "some", some, 2);

    assert_int_equal(sub, 1);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        add_messages(memory, rank, ranks);
        add_collectives(memory, rank, 0, ranks);
        if (rank == 0 || rank == 2) {
            add(memory, rank,
                (struct trace_op){.kind = rank == 0 ? TRACE_SEND : TRACE_RECEIVE,
                                  .peer = 2 - rank,
                                  .tag = 5,
                                  .communicator = sub,
                                  .bytes = 3});
            add_collectives(memory, rank, sub, 2);
        }
        add(memory, rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 55});
    }
    return trace_memory_program(memory);
}

static void check_plain(const char *format, unsigned exceptions)
{
    char *directory = archive_directory();
    char target[PATH];
    struct trace_program *program = plain_program(6);
    struct trace_program *again;

    snprintf(target, sizeof target, "%s/plain%s", directory, trace_writer_find(format, "", NULL)->suffix);
    again = rewrite(program, format, target);
    same_programs(program, again, exceptions);
    print_losses("plain", format);
    for (size_t i = 0; i < lost_count; i++)
        if (strcmp(lost[i].kind, "call-names") != 0 && strcmp(lost[i].kind, "communicator-creation") != 0 &&
            strcmp(lost[i].kind, "reduce-scatter-block") != 0)
            fail_msg("lost: %s", lost[i].kind);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

static void test_plain_otf2(void **state)
{
    (void)state;
    check_plain("otf2", 0);
}

static void test_plain_dumpi(void **state)
{
    (void)state;
    check_plain("dumpi", SAME_CREATION | SAME_BLOCK_DIFFERS);
}

/* What only some formats can say, on top: collectives with a request or with unequal sizes, one-sided
 * operations, a probe, a receive from anyone, and a request that nobody waits for. */
static struct trace_program *full_program(void)
{
    static const uint64_t blocks[] = {10, 0, 30}, more[] = {1, 2, 3};
    struct trace_memory *memory = memory_new(3);

    for (uint32_t rank = 0; rank < 3; rank++) {
        uint64_t first = trace_memory_next_request(memory, rank);
        uint64_t requests[] = {first, first + 1, first + 2};
        uint64_t instance = 0;
        add(memory, rank,
            (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                              .collective = TRACE_ALLREDUCE,
                              .root = UINT32_MAX,
                              .bytes = 24,
                              .flags = TRACE_NONBLOCKING});
        instance++;
        add(memory, rank,
            (struct trace_op){
                .kind = TRACE_PUT, .peer = (rank + 1) % 3, .bytes = 400, .flags = TRACE_NONBLOCKING});
        add(memory, rank,
            (struct trace_op){
                .kind = TRACE_GET, .peer = (rank + 2) % 3, .bytes = 500, .flags = TRACE_NONBLOCKING});
        wait_for(memory, rank, requests, 3);
        for (int i = 0; i < TRACE_COLLECTIVES; i++) {
            enum trace_collective collective = (enum trace_collective)i;
            struct trace_vector vector = {blocks, more, 3, false};
            if (!has_blocks(collective))
                continue;
            add(memory, rank,
                (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                  .collective = collective,
                                  .root = has_root(collective) ? 1 : UINT32_MAX});
            if (rank == 0)
                assert_int_equal(trace_memory_vector(memory, 0, instance, vector.sent, vector.received), 0);
            instance++;
        }
        if (rank == 0)
            add(memory, rank, (struct trace_op){.kind = TRACE_SEND, .peer = 1, .tag = 4, .bytes = 40});
        if (rank == 1) {
            add(memory, rank, (struct trace_op){.kind = TRACE_PROBE, .peer = 0, .tag = 4});
            add(memory, rank,
                (struct trace_op){
                    .kind = TRACE_RECEIVE, .peer = TRACE_ANY_SOURCE, .tag = TRACE_ANY_TAG, .bytes = 40});
            add(memory, rank,
                (struct trace_op){
                    .kind = TRACE_SEND, .peer = 0, .tag = 4, .bytes = 40, .flags = TRACE_NONBLOCKING});
        }
        if (rank == 0)
            add(memory, rank, (struct trace_op){.kind = TRACE_RECEIVE, .peer = 1, .tag = 4, .bytes = 40});
    }
    return trace_memory_program(memory);
}

#define INTER_RANKS 5

/* Two groups that talk to each other: messages both ways, also without waiting, and collectives with roots on
 * either side. */
static struct trace_program *inter_program(void)
{
    static const uint32_t left[] = {1, 0}, right[] = {4, 2, 3};
    struct trace_memory *memory = memory_new(5);
    uint32_t inter = trace_memory_inter(memory, "bridge", left, 2, right, 3);

    assert_int_equal(inter, 1);
    for (uint32_t rank = 0; rank < 5; rank++) {
        struct trace_op message = {.tag = 3, .communicator = inter, .bytes = 7000};
        add(memory, rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 100 * (rank + 1)});
        message.peer = rank < 2 ? rank + 2 : rank - 2;
        message.kind = rank < 2 ? TRACE_SEND : TRACE_RECEIVE;
        if (rank < 4)
            add(memory, rank, message);
        message.kind = rank < 2 ? TRACE_RECEIVE : TRACE_SEND;
        message.flags = TRACE_NONBLOCKING;
        if (rank < 4) {
            uint64_t request = trace_memory_next_request(memory, rank);
            add(memory, rank, message);
            wait_for(memory, rank, &request, 1);
        }
        for (int i = 0; i < TRACE_COLLECTIVES; i++) {
            enum trace_collective collective = (enum trace_collective)i;
            if (has_blocks(collective) || collective == TRACE_SCAN || collective == TRACE_EXSCAN)
                continue;
            for (uint32_t root = 0; root < (has_root(collective) ? 5 : 1); root++)
                add(memory, rank,
                    (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                      .collective = collective,
                                      .communicator = inter,
                                      .root = has_root(collective) ? root : UINT32_MAX,
                                      .bytes = collective == TRACE_BARRIER ? 0 : 24 * (root + 1)});
        }
    }
    return trace_memory_program(memory);
}

static void test_inter_otf2(void **state)
{
    char *directory = archive_directory();
    char target[PATH];
    struct trace_program *program = inter_program();
    struct trace_program *again;

    (void)state;
    snprintf(target, sizeof target, "%s/inter.otf2", directory);
    again = rewrite(program, "otf2", target);
    same_programs(program, again, 0);
    assert_int_equal(losses_of("inter-communicator-sizes"), 0);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

static uint64_t sum_messages(const struct trace_program *program, uint64_t *bytes)
{
    const struct trace_summary *summary = trace_program_summary(program);
    uint64_t messages = 0;

    *bytes = 0;
    for (size_t i = 0; i < summary->pair_count; i++) {
        messages += summary->pairs[i].messages;
        *bytes += summary->pairs[i].bytes;
    }
    return messages;
}

/* DUMPI makes the communicator by calls, which OTF2 keeps: what the leaders tell each other as messages. On
 * the way back they are made again, which is told: by as many messages as the first time, and no others. */
static void test_inter_dumpi(void **state)
{
    char *directory = archive_directory();
    char target[PATH], other[PATH], back[PATH];
    struct trace_program *program = inter_program();
    struct trace_program *again, *third, *fourth;
    uint64_t bytes[3], messages[3];

    (void)state;
    snprintf(target, sizeof target, "%s/inter.meta", directory);
    snprintf(other, sizeof other, "%s/inter.otf2", directory);
    snprintf(back, sizeof back, "%s/back.meta", directory);
    again = rewrite(program, "dumpi", target);
    print_losses("inter", "dumpi");
    assert_int_equal(losses_of("inter-communicator-creation"), INTER_RANKS);
    same_programs(program, again, SAME_CREATION | SAME_BLOCK_DIFFERS | SAME_INTER | SAME_NO_COMMUNICATORS);
    third = rewrite(again, "otf2", other);
    print_losses("inter", "dumpi, then otf2");
    same_programs(again, third, SAME_IMPLIED_DIFFER | SAME_VECTORS_DIFFER | SAME_INTER);
    fourth = rewrite(third, "dumpi", back);
    print_losses("inter", "dumpi, otf2 and back");
    assert_int_equal(losses_of("inter-communicator-creation"), INTER_RANKS);
    messages[0] = sum_messages(again, &bytes[0]);
    messages[1] = sum_messages(third, &bytes[1]);
    messages[2] = sum_messages(fourth, &bytes[2]);
    /* Four of the program, then two of the leaders for each time that the communicator is made. */
    assert_true(messages[0] == 4 + 2 && messages[1] == messages[0] && messages[2] == messages[1] + 2);
    assert_true(bytes[0] == 4 * 7000 + 16 && bytes[1] == bytes[0] && bytes[2] == bytes[1] + 16);
    trace_close(fourth);
    trace_close(third);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

/* Epochs of one-sided operations as readers give them: a window is made, filled and fenced, and the wait for
 * what is pending and the barrier are the fence's. */
static struct trace_program *window_program(void)
{
    struct trace_memory *memory = memory_new(3);

    for (uint32_t rank = 0; rank < 3; rank++)
        for (int epoch = 0; epoch < 2; epoch++) {
            uint64_t first = trace_memory_next_request(memory, rank);
            uint64_t requests[] = {first, first + 1};
            add(memory, rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 50 + rank});
            add(memory, rank,
                (struct trace_op){
                    .kind = TRACE_PUT, .peer = (rank + 1) % 3, .bytes = 4000, .flags = TRACE_NONBLOCKING});
            add(memory, rank,
                (struct trace_op){
                    .kind = TRACE_GET, .peer = (rank + 2) % 3, .bytes = 500, .flags = TRACE_NONBLOCKING});
            wait_for(memory, rank, requests, 2);
            add(memory, rank,
                (struct trace_op){
                    .kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_BARRIER, .root = UINT32_MAX});
        }
    return trace_memory_program(memory);
}

/* Puts and gets come back with their requests and what waits for them. */
static void test_window_otf2(void **state)
{
    char *directory = archive_directory();
    char target[PATH];
    struct trace_program *program = window_program();
    struct trace_program *again;

    (void)state;
    snprintf(target, sizeof target, "%s/window.otf2", directory);
    again = rewrite(program, "otf2", target);
    print_losses("window", "otf2");
    same_programs(program, again, 0);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

/* Runs a command that must succeed; its output goes to the test's. */
static void run(const char *format, const char *path)
{
    char command[PATH * 2];

    snprintf(command, sizeof command, format, path);
    if (system(command) != 0)
        fail_msg("%s", command);
}

static void test_full_otf2(void **state)
{
    char *directory = archive_directory();
    char target[PATH];
    struct trace_program *program = full_program();
    struct trace_program *again;

    (void)state;
    snprintf(target, sizeof target, "%s/full.otf2", directory);
    again = rewrite(program, NULL, target);
    assert_int_equal(losses_of("wildcards"), 1);
    assert_int_equal(losses_of("probes"), 1);
    assert_int_equal(losses_of("open-requests"), 1);
    if (system("otf2-print --version >/dev/null 2>&1") == 0) {
        run("otf2-print --silent %s", target);
        run("test $(otf2-print %s | grep -c 'RMA_PUT\\|RMA_GET\\|RMA_OP_COMPLETE_NON_BLOCKING') = 12",
            target);
        run("test $(otf2-print %s | grep -c 'NON_BLOCKING_COLLECTIVE') = 6", target);
    }
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

static void test_full_dumpi(void **state)
{
    char *directory = archive_directory();
    char target[PATH];
    struct trace_program *program = full_program();
    struct trace_program *again;

    (void)state;
    snprintf(target, sizeof target, "%s/full.meta", directory);
    again = rewrite(program, NULL, target);
    print_losses("full", "dumpi");
    assert_int_equal(losses_of("nonblocking-collectives"), 3);
    assert_int_equal(losses_of("window-creation"), 3);
    assert_int_equal(losses_of("one-sided-waits"), 3);
    assert_int_equal(losses_of("open-requests"), 1);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

/* What a schedule has no word for is counted, and what it has can be read. */
static void test_full_goal(void **state)
{
    char *directory = archive_directory();
    char target[PATH];
    struct trace_program *program = full_program();
    struct trace_program *again;

    (void)state;
    snprintf(target, sizeof target, "%s/full.goal", directory);
    again = rewrite(program, NULL, target);
    print_losses("full", "goal");
    assert_int_equal(losses_of("left-out"), 3 + 3 + 1); /* put, get, the probe */
    assert_int_equal(losses_of("any-tag"), 1);          /* the receive from anyone */
    assert_int_equal(losses_of("expanded-collectives"), 3 * 7);
    assert_int_equal(trace_program_ranks(again), 3);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

/* More ranks than files may be open. */
static void check_many_ranks(const char *format, unsigned exceptions)
{
    char *directory = archive_directory();
    char target[PATH];
    const struct trace_writer_format *writer = trace_writer_find(format, "", NULL);
    struct trace_program *program = plain_program(1024);
    struct trace_program *again;
    struct base_error error = {0};
    struct rlimit before, few;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 24;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    snprintf(target, sizeof target, "%s/many%s", directory, writer->suffix);
    if (trace_write(program, writer, target, NULL, NULL, NULL, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    again = trace_open(target, NULL, &error);
    if (again == NULL)
        fail_msg("%s", error.text);
    same_programs(program, again, exceptions);
    trace_close(again);
    trace_close(program);
    archive_remove(directory);
}

static void test_many_ranks(void **state)
{
    (void)state;
    check_many_ranks("otf2", 0);
    check_many_ranks("dumpi", SAME_CREATION | SAME_BLOCK_DIFFERS);
}

/* ---- refusals and failures */

static unsigned count_entries(const char *directory)
{
    DIR *entries = opendir(directory);
    unsigned count = 0;

    assert_non_null(entries);
    while (readdir(entries) != NULL)
        count++;
    closedir(entries);
    return count - 2;
}

/* Writing must fail with this status and a sentence that holds `part`; nothing new is left in the directory.
 */
static void refuse(struct trace_program *program, const char *format, const char *directory, const char *name,
                   enum base_status status, const char *part)
{
    struct base_error error = {0};
    char target[PATH];
    unsigned before = count_entries(directory);

    snprintf(target, sizeof target, "%s/%s", directory, name);
    assert_int_equal(
        trace_write(program, trace_writer_find(format, target, &error), target, NULL, NULL, NULL, &error),
        -1);
    if (strstr(error.text, part) == NULL)
        fail_msg("\"%s\" does not hold \"%s\"", error.text, part);
    assert_int_equal(error.status, status);
    assert_int_equal(count_entries(directory), before);
}

static void test_existing(void **state)
{
    char *directory = archive_directory();
    char other[PATH];
    struct trace_program *program = plain_program(3);
    size_t count;
    const struct trace_writer_format *const *writers = trace_writers(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        snprintf(other, sizeof other, "%s/there%s", directory, writers[i]->suffix);
        fclose(fopen(other, "w"));
        refuse(program, writers[i]->name, directory, strrchr(other, '/') + 1, BASE_USAGE, "exists already");
    }
    snprintf(other, sizeof other, "%s/half.def", directory);
    fclose(fopen(other, "w"));
    refuse(program, "otf2", directory, "half.otf2", BASE_USAGE, "half.def: exists already");
    trace_close(program);
    archive_remove(directory);
}

static void test_nowhere(void **state)
{
    char *directory = archive_directory();
    struct trace_program *program = plain_program(3);

    (void)state;
    refuse(program, "otf2", directory, "no/such/place.otf2", BASE_SYSTEM, "No such file");
    refuse(program, "otf2", directory, "", BASE_USAGE, "the name of a file is needed");
    if (geteuid() != 0) {
        assert_int_equal(chmod(directory, 0500), 0);
        refuse(program, "otf2", directory, "new.otf2", BASE_SYSTEM, "Permission denied");
        assert_int_equal(chmod(directory, 0700), 0);
    }
    trace_close(program);
    archive_remove(directory);
}

/* A limit on the size of files stands for a full disk: the write fails, in the middle or at the end. */
static void test_full(void **state)
{
    char *directory = archive_directory();
    struct trace_program *program = plain_program(40);
    size_t count;
    const struct trace_writer_format *const *writers = trace_writers(&count);
    struct rlimit before, small;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (size_t i = 0; i < count; i++)
        for (rlim_t bytes = 0; bytes <= 2048; bytes = bytes * 2 + 1) {
            char name[64];
            small = before;
            small.rlim_cur = bytes;
            snprintf(name, sizeof name, "full%s", writers[i]->suffix);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
            refuse(program, writers[i]->name, directory, name, BASE_SYSTEM, "");
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        }
    trace_close(program);
    archive_remove(directory);
}

static void test_find(void **state)
{
    struct base_error error = {0};

    (void)state;
    assert_string_equal(trace_writer_find(NULL, "a/b.otf2", &error)->name, "otf2");
    assert_null(trace_writer_find(NULL, "a/b.txt", &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(
        strstr(error.text, "a/b.txt: the name does not tell which format to write (formats: otf2"));
    assert_null(trace_writer_find("otf3", "a", &error));
    assert_non_null(strstr(error.text, "unknown format 'otf3'; did you mean 'otf2'?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_otf2), cmocka_unit_test(test_recorded_dumpi),
        cmocka_unit_test(test_dumpi_dumpi),   cmocka_unit_test(test_dumpi_otf2),
        cmocka_unit_test(test_plain_otf2),    cmocka_unit_test(test_plain_dumpi),
        cmocka_unit_test(test_full_dumpi),    cmocka_unit_test(test_full_goal),
        cmocka_unit_test(test_full_otf2),     cmocka_unit_test(test_many_ranks),
        cmocka_unit_test(test_existing),      cmocka_unit_test(test_nowhere),
        cmocka_unit_test(test_full),          cmocka_unit_test(test_find),
        cmocka_unit_test(test_inter_otf2),    cmocka_unit_test(test_inter_dumpi),
        cmocka_unit_test(test_window_otf2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
