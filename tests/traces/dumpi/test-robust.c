/* The DUMPI reader on every length of a small file and on 5000 seeded damaged traces. */
#include <config.h>

#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/brief.h"
#include "tests/traces/dumpitrace/dumpi-files.h"
#include "tests/traces/robust.h"

#define TIME_LIMIT_SECONDS 900
#define LIMIT ((size_t)16 << 20) /* bytes, for traces of some kilobytes */

/* One of the bundled traces: the same bytes on every machine, so that numbers of mutations mean the same. */
static struct robust_source load(const char *below)
{
    struct robust_source source = robust_load(FUZZ_DUMPI, source_path(below), below);

    return source;
}

/* One record of every function, as a trace of one rank. Many of them make no sense beside each other. */
static struct robust_source load_every_function(char *metafile)
{
    struct robust_source source = {.reader = FUZZ_DUMPI, .name = "every-function", .damaged = true};
    struct bytes bytes = read_file(source_path("tests/data/dumpi/every-function/every-13.0.0.bin"));

    source.files.count = 2;
    source.files.entries[0] =
        (struct fuzz_entry){.kind = 0, .data = (uint8_t *)metafile, .size = strlen(metafile)};
    source.files.entries[1] = (struct fuzz_entry){.kind = 1, .data = bytes.data, .size = bytes.size};
    return source;
}

/* The sections behind the records make up most of a small file: cut there it is read without them. */
static void every_length_is_read_or_refused(void **state)
{
    struct robust_source source = load("tests/data/dumpi/dt.S.5.WH");
    unsigned read;
    unsigned part = brief_step("lengths", 4);
    (void)state;

    for (size_t i = 0; i < 3; i++) { /* the files of two ranks, and the metafile */
        size_t entry = i == 2 ? source.files.count - 1 : i;

        read = robust_prefixes(&source, entry, part, LIMIT);
        print_message("%u of %zu lengths of file %zu are read\n", read,
                      source.files.entries[entry].size / part + 1, entry);
        assert_in_range(read, 1, source.files.entries[entry].size);
    }
    robust_unload(&source);
}

static void mutate(const char *below, uint64_t first, unsigned all)
{
    struct robust_source source = load(below);
    unsigned count = robust_count((unsigned)brief_count("mutations", all, 4));
    unsigned read = robust_mutations(&source, first, count, LIMIT);

    print_message("%s: %u of %u are read\n", below, read, count);
    /* Both must happen, or the mutations are of no use. */
    assert_in_range(read, count / 20, count - count / 20);
    robust_unload(&source);
}

/* 4500 of the 5000, of traces with all kinds of requests, with persistent ones, and with next to nothing. */
static void mutations_are_read_or_refused(void **state)
{
    (void)state;
    mutate("tests/data/dumpi/cover.S.4", 1, 2500);
    mutate("tests/data/dumpi/cover.W.4.persist", 10000, 1500);
    mutate("tests/data/dumpi/dt.S.5.WH", 20000, 500);
}

/* The last 500: calls that recorded programs do not make, most of them illegal where they stand. */
static void mutations_of_every_function_are_read_or_refused(void **state)
{
    char metafile[] = "numprocs=1\nfileprefix=dumpi\nversion=13\n";
    struct robust_source source = load_every_function(metafile);
    unsigned count = robust_count((unsigned)brief_count("mutations", 500, 4));
    (void)state;

    print_message("%u of %u are read\n", robust_mutations(&source, 30000, count, LIMIT), count);
    free((void *)source.files.entries[1].data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_read_or_refused),
        cmocka_unit_test(mutations_are_read_or_refused),
        cmocka_unit_test(mutations_of_every_function_are_read_or_refused),
    };

    alarm(TIME_LIMIT_SECONDS);
    return cmocka_run_group_tests_name("robustness of the DUMPI reader", tests, NULL, NULL);
}
