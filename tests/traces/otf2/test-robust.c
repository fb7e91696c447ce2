/* 5700 seeded damaged OTF2 archives, of both layouts, of both orders of bytes and of an archive with what the
 * recorded ones have not. Most of the time goes into buffers that libotf2 makes for every file; so the archives are
 * small ones. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/brief.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"
#include "tests/traces/robust.h"

#define TIME_LIMIT_SECONDS 900
#define LIMIT                                                                                                \
    ((size_t)64 << 20) /* bytes that the reader itself may hold: a queue of all of the longest file */

#define WINDOW "enter MPI_Win_create\nwindow 0\nleave MPI_Win_create\n"
#define FENCE "enter MPI_Win_fence\nwindow 0\nleave MPI_Win_fence\n"

/* Requests of all kinds, exceptions, collectives of sub-communicators, threads, windows. */
static const struct archive_spec everything = {
    .ranks = 2,
    .threads = 1,
    .communicators = "3: 1 0; 4: self",
    .events = {"Irecv 5\nIsend 1 0 9 20 6\nenter MPI_Waitall\nirecv 1 0 0 5 5\nisend_complete 6\n"
               "leave MPI_Waitall\nSend 1 3 7 100\nenter MPI_Allreduce\ncollective 9 0 -1 4 4\n"
               "leave MPI_Allreduce\nenter MPI_Ibcast\nnbc_request 9\nleave MPI_Ibcast\nenter MPI_Wait\n"
               "nbc_complete 1 3 0 8 8 9\nleave MPI_Wait\nCall MPI_Comm_dup\n" WINDOW
               "enter MPI_Put\nput 1 0 30 7\nleave MPI_Put\n" FENCE "io 50\nmeasurement\n",
               "Isend 0 0 0 5 7\nenter MPI_Waitall\nisend_complete 7\nleave MPI_Waitall\nRecv 0 0 9 20\n"
               "Recv 0 3 7 100\nenter MPI_Allreduce\ncollective 9 0 -1 4 4\nleave MPI_Allreduce\n"
               "enter MPI_Ibcast\nnbc_request 9\nleave MPI_Ibcast\nenter MPI_Wait\nrequest_test 9\n"
               "nbc_complete 1 3 0 8 8 9\nleave MPI_Wait\nCall MPI_Comm_dup\n" WINDOW FENCE "Irecv 11\n"
               "request_cancelled 11\nflush 90000\n",
               "Call MPI_Wtime\nthread_end\n"}};

/* Of OTF2 archives few survive: libotf2 counts the records of a file, and lengths are everywhere. */
static void mutate(struct robust_source source, uint64_t first, unsigned usual)
{
    unsigned count = robust_count((unsigned)brief_count("mutations", usual, 4));
    unsigned read = robust_mutations(&source, first, count, LIMIT);

    print_message("%s: %u of %u are read\n", source.name, read, count);
    /* Both must happen, or the mutations are of no use. */
    assert_in_range(read, count / 20, count - count / 20);
    robust_unload(&source);
}

/* The cheapest to open, and with one of everything: most of the mutations are of this one. */
static void small_archives_are_read_or_refused(void **state)
{
    char *directory = archive_directory();
    (void)state;

    archive_write(directory, &everything);
    mutate(robust_load(FUZZ_OTF2, directory, "traces"), 1, 3500);
    archive_remove(directory);
}

static void mutate_recorded(const char *path, const char *name, uint64_t first, unsigned usual)
{
    if (path == NULL)
        suite_skip("the recorded trace is not here");
    mutate(robust_load(FUZZ_OTF2, path, name), first, usual);
}

/* Longer event files, more ranks and communicators. */
static void recorded_archives_are_read_or_refused(void **state)
{
    (void)state;

    mutate_recorded(recorded_find("otf2-scorep-layout/cover.S.4"), "traces", 10000, 1400);
}

/* EZTrace's files say less: no local definitions, requests that never complete. */
static void eztrace_archives_are_read_or_refused(void **state)
{
    (void)state;

    mutate_recorded(recorded_find("otf2-eztrace/cover.S.4"), "eztrace_log", 20000, 100);
}

/* Of a machine with the other order of bytes than most have. */
static void big_endian_archives_are_read_or_refused(void **state)
{
    const char *source = getenv("top_srcdir");
    char path[RECORDED_PATH];
    (void)state;

    snprintf(path, sizeof path, "%s/tests/data/otf2-big-endian/cover.S.4", source == NULL ? "." : source);
    mutate_recorded(path, "traces", 30000, 700);
}

/* Of the anchor file and of those of definitions too. */
static void every_length_of_every_file_is_read_or_refused(void **state)
{
    char *directory = archive_directory();
    struct robust_source source;
    (void)state;

    archive_write(directory, &everything);
    source = robust_load(FUZZ_OTF2, directory, "traces");
    for (size_t i = 0; i < source.files.count; i++)
        robust_prefixes(&source, i, 1, LIMIT);
    robust_unload(&source);
    archive_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_archives_are_read_or_refused),
        cmocka_unit_test(recorded_archives_are_read_or_refused),
        cmocka_unit_test(eztrace_archives_are_read_or_refused),
        cmocka_unit_test(big_endian_archives_are_read_or_refused),
        cmocka_unit_test(every_length_of_every_file_is_read_or_refused),
    };

    alarm(TIME_LIMIT_SECONDS);
    return cmocka_run_group_tests_name("robustness of the OTF2 reader", tests, NULL, NULL);
}
