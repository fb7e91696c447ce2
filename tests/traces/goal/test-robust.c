/* The reader of GOAL schedules on every length of a small file and on 5000 seeded damaged ones: half of them
 * have wrong bytes, as a disk makes them, the other half wrong words, as a generator of schedules would. */
#include <config.h>

#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

#include "tests/traces/robust.h"

#define TIME_LIMIT_SECONDS 300
/* Bytes for a schedule of some hundred: it may name 2^14 ranks without a block, at 28 bytes each. */
#define LIMIT ((size_t)1 << 20)

/* Two ranks that exchange messages, as a writer of schedules puts a program of MPI calls; a third one of
 * branches that wait for each other, comments and statements without labels. */
static const char everything[] =
    "num_ranks 4\n"
    "rank 0 {\n"
    "l1: calc 100 cpu 0\n"
    "l2: send 8b to 1 tag 3 cpu 0 nic 0\n"
    "l2 requires l1\n"
    "l3: recv 16b from 1 tag 4 cpu 0\n"
    "l3 irequires l2\n"
    "l4: calc 50 cpu 0\n"
    "l4 requires l2\n"
    "l4 requires l3\n"
    "}\n"
    "rank 1 {\n"
    "l1: recv 8b from 0 tag 3\n"
    "l2: send 16b to 0 tag 4\n"
    "l2 irequires l1\n"
    "}\n"
    "# branches\n"
    "rank 3 { a: recv 1b from 2 b: calc 7 b requires a /* and */ c: recv 2b from 2\n"
    "d: calc 8 cpu 1 d requires c e: calc 0 e requires b e requires d e irequires a\n"
    "send 5b to 2 calc 9 } // the end\n";

/* Without the closing zero, which a file has not. */
static struct robust_source schedule(void)
{
    struct robust_source source = {.reader = FUZZ_GOAL, .name = "schedule", .files.count = 1};

    source.files.entries[0] =
        (struct fuzz_entry){.data = (const uint8_t *)everything, .size = sizeof everything - 1};
    return source;
}

/* Between two blocks, and behind the first line, what is left is a schedule of fewer operations. */
static void every_length_is_read_or_refused(void **state)
{
    struct robust_source source = schedule();
    unsigned read = robust_prefixes(&source, 0, 1, LIMIT);
    (void)state;

    print_message("%u of %zu lengths are read\n", read, sizeof everything);
    assert_in_range(read, 10, sizeof everything / 2);
}

static void mutations_are_read_or_refused(void **state)
{
    struct robust_source source = schedule();
    unsigned count = robust_count(5000), read = robust_mutations(&source, 1, count, LIMIT);
    (void)state;

    print_message("%u of %u are read\n", read, count);
    /* Both must happen, or the mutations are of no use. */
    assert_in_range(read, count / 20, count - count / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_read_or_refused),
        cmocka_unit_test(mutations_are_read_or_refused),
    };

    alarm(TIME_LIMIT_SECONDS);
    return cmocka_run_group_tests_name("robustness of the GOAL reader", tests, NULL, NULL);
}
