/* The table of options and the settings made from it. */
#include "tests/suite.h"

#include <string.h>

#include "replay/options.h"
#include "tests/fail-alloc.h"

static void defaults_are_those_of_the_table(void **state)
{
    struct replay_settings settings;
    (void)state;

    assert_int_equal(replay_settings_init(&settings, NULL), 0);
    assert_int_equal(settings.number[REPLAY_FLIT_BYTES], 8);
    assert_int_equal(settings.number[REPLAY_PACKET_FLITS], 0);    /* the network takes its own */
    assert_int_equal(settings.number[REPLAY_CLOCK_GHZ], 1000000); /* kHz */
    assert_int_equal(settings.number[REPLAY_VCS], 0);
    assert_int_equal(settings.number[REPLAY_BUFFER_FLITS], 0);
    assert_int_equal(settings.number[REPLAY_INJECTORS], 1);
    assert_int_equal(settings.number[REPLAY_CONSUMERS], 0); /* likewise */
    assert_int_equal(settings.number[REPLAY_SEED], 1);
    assert_int_equal(settings.number[REPLAY_EAGER_LIMIT], 65536);
    assert_int_equal(settings.number[REPLAY_COMPUTE], 1000000);
    assert_string_equal(settings.text[REPLAY_MAPPING], "identity");
    assert_string_equal(settings.text[REPLAY_COLLECTIVES], "mpich-4"); /* what the default stands for */
    assert_null(settings.text[REPLAY_TOPOLOGY]);
    assert_null(settings.text[REPLAY_ROUTING]);
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        assert_false(settings.given[option]);
    replay_settings_free(&settings);
}

/* Laws of the table: names are unique in a subcommand, numbers have a range that holds their
 * default, and flags no argument. */
static void the_table_is_consistent(void **state)
{
    (void)state;
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const struct replay_option_row *row = replay_option_row(option);
        assert_true(row->commands != 0);
        assert_true(strlen(row->help) > 0);
        assert_int_equal(row->kind == REPLAY_KIND_FLAG, row->argument == NULL);
        assert_true(row->least <= row->most);
        for (enum replay_option other = 0; other < option; other++) {
            /* --svg is one file for most, and any number of pictures for run. */
            if ((replay_option_row(other)->commands & row->commands) != 0)
                assert_string_not_equal(replay_option_row(other)->name, row->name);
            assert_true(row->letter == 0 || replay_option_row(other)->letter != row->letter);
        }
    }
}

static void values_are_read(void **state)
{
    static const struct {
        enum replay_option option;
        const char *text;
        uint64_t number;
    } rows[] = {{REPLAY_CLOCK_GHZ, "1.25", 1250000},
                {REPLAY_CLOCK_GHZ, "0.000001", 1},
                {REPLAY_CLOCK_GHZ, "1000", 1000000000},
                {REPLAY_EAGER_LIMIT, "64k", 65536},
                {REPLAY_EAGER_LIMIT, "0", 0},
                {REPLAY_COMPUTE, "zero", 0},
                {REPLAY_COMPUTE, "scale=2.5", 2500000},
                {REPLAY_SEED, "9223372036854775807", INT64_MAX},
                {REPLAY_CLOCK, "wall", 0},
                {REPLAY_CLOCK, "cpu", 1},
                {REPLAY_CLOCK, "min", 2},
                {REPLAY_POLLING, "collapse", 0},
                {REPLAY_POLLING, "keep", 1},
                {REPLAY_COMPUTE_THRESHOLD, "100", 100},
                {REPLAY_STRICT, "yes", 1},
                {REPLAY_STRICT, "no", 0}};
    struct replay_settings settings;
    (void)state;

    assert_int_equal(replay_settings_init(&settings, NULL), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(replay_settings_set(&settings, rows[i].option, rows[i].text, NULL), 0);
        assert_int_equal(settings.number[rows[i].option], rows[i].number);
        assert_string_equal(settings.text[rows[i].option], rows[i].text);
        assert_true(settings.given[rows[i].option]);
    }
    replay_settings_free(&settings);
}

static void a_refused_value_changes_nothing(void **state)
{
    struct replay_settings settings;
    struct base_error error = {0};
    (void)state;

    assert_int_equal(replay_settings_init(&settings, NULL), 0);
    assert_int_equal(replay_settings_set(&settings, REPLAY_SEED, "x", &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_int_equal(settings.number[REPLAY_SEED], 1);
    assert_false(settings.given[REPLAY_SEED]);
    replay_settings_free(&settings);
}

static void numbers_are_written_as_they_are_read(void **state)
{
    char text[BASE_UNITS_TEXT];
    (void)state;

    assert_string_equal(replay_option_format(REPLAY_CLOCK_GHZ, 1250000, text), "1.250000");
    assert_string_equal(replay_option_format(REPLAY_CLOCK_GHZ, 2000000, text), "2");
    assert_string_equal(replay_option_format(REPLAY_EAGER_LIMIT, 65536, text), "65536");
}

static int attempt(void *state)
{
    struct replay_settings settings;
    int status = replay_settings_init(&settings, NULL);

    (void)state;
    if (status == 0)
        status = replay_settings_set(&settings, REPLAY_MAPPING, "file:a", NULL);
    replay_settings_free(&settings);
    return status;
}

static void every_failed_allocation_is_told(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(attempt, NULL) > 0);
}

/* Every other name of the table is recorded as the one that it means, with whatever stands behind it; one that is a
 * part of a name, or more than it, is none. */
static void other_names_are_resolved(void **state)
{
    static const struct {
        enum replay_option option;
        const char *typed, *meant;
    } cases[] = {
#define REPLAY_ALIAS(option, name, others) {REPLAY_##option, others, name},
#include "replay/aliases.def"
#undef REPLAY_ALIAS
    };
    struct base_arena arena = {0};
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *rest = cases[i].option == REPLAY_TOPOLOGY ? ":4x4;flit-bytes=4" : "";
        const char *next = cases[i].typed;
        while (*next != '\0') {
            int length = (int)strcspn(next, ",");
            const char *other = base_arena_format(&arena, "%.*s", length, next);
            const char *typed = base_arena_format(&arena, "%s%s", other, rest);
            const char *longer = base_arena_format(&arena, "%sx%s", other, rest);
            assert_string_equal(replay_option_resolve(cases[i].option, typed, &arena),
                                base_arena_format(&arena, "%s%s", cases[i].meant, rest));
            const char *shorter = base_arena_format(&arena, "%.*s%s", length - 1, other, rest);
            assert_string_equal(replay_option_resolve(cases[i].option, longer, &arena), longer);
            assert_string_equal(replay_option_resolve(cases[i].option, shorter, &arena), shorter);
            assert_string_equal(replay_option_resolve(REPLAY_MAPPING, typed, &arena), typed);
            next += length;
            next += strspn(next, ", ");
        }
        assert_non_null(strstr(replay_option_aliases(cases[i].option, cases[i].meant), cases[i].typed));
    }
    assert_null(replay_option_aliases(REPLAY_ROUTING, "valiant"));
    base_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_names_are_resolved),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(the_table_is_consistent),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(a_refused_value_changes_nothing),
        cmocka_unit_test(numbers_are_written_as_they_are_read),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
