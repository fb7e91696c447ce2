/* The public library: the same answers as the command line, errors as values, and owners that can be freed.
 */
#include <config.h>

#include "tests/suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "replay/library/flitreplay.h"

#define TRACE "otf2-scorep-layout/is.S.16/traces.otf2"

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value == NULL ? "." : value;
}

static char *trace_path(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/%s", environment("top_srcdir"), name);
    return path;
}

/* A JSON document without what only the machine knows. Takes the text. */
static json_t *without_host(char *text)
{
    json_t *top = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    assert_non_null(top);
    assert_int_equal(json_object_del(top, "host"), 0);
    flr_string_free(text);
    return top;
}

/* What the program prints, as JSON without the host. */
static json_t *ask_program(const char *arguments)
{
    char command[8192];
    char *text = NULL;
    size_t size, got;
    char buffer[4096];
    FILE *program;
    FILE *stream = open_memstream(&text, &size);

    snprintf(command, sizeof command, "'%s/flitreplay' %s", environment("top_builddir"), arguments);
    program = popen(command, "r");
    assert_non_null(program);
    while ((got = fread(buffer, 1, sizeof buffer, program)) > 0)
        fwrite(buffer, 1, got, stream);
    assert_int_equal(pclose(program), 0);
    fclose(stream);
    return without_host(text);
}

static flr_trace *open_trace(void)
{
    flr_error error = {0};
    flr_trace *trace = flr_trace_open(trace_path(TRACE), &error);

    if (trace == NULL)
        fail_msg("%s", error.text);
    return trace;
}

static flr_topology *make_topology(const char *text)
{
    flr_error error = {0};
    flr_topology *topology = flr_topology_new(text, &error);

    if (topology == NULL)
        fail_msg("%s", error.text);
    return topology;
}

static void run_is_that_of_the_program(void **state)
{
    static const char *const options[][2] = {{"mapping", "random"},
                                             {"seed", "3"},
                                             {"flit-bytes", "16"},
                                             {"compute", "scale=0.5"},
                                             {"strict", "no"}};
    char arguments[4096 + 256];
    flr_error error = {0};
    flr_trace *trace = open_trace();
    flr_topology *topology = make_topology("torus:4x4");
    flr_options *set = flr_options_new(&error);
    flr_result *result;
    json_t *ours, *theirs;
    (void)state;

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_int_equal(flr_options_set(set, options[i][0], options[i][1], &error), 0);
    result = flr_run(trace, topology, set, &error);
    if (result == NULL)
        fail_msg("%s", error.text);
    flr_options_free(set);
    flr_topology_free(topology);
    flr_trace_close(trace); /* the result needs none of them */
    ours = without_host(flr_result_json(result, &error));
    snprintf(arguments, sizeof arguments,
             "run '%s' --topology torus:4x4 --mapping random --seed 3 --flit-bytes 16 --compute scale=0.5 "
             "--json -",
             trace_path(TRACE));
    theirs = ask_program(arguments);
    assert_true(json_equal(ours, theirs));
    json_decref(theirs);
    json_decref(ours);
    flr_result_free(result);
}

static void results_are_those_of_the_json(void **state)
{
    flr_error error = {0};
    flr_trace *trace = open_trace();
    flr_topology *topology = make_topology("mesh:4x4");
    flr_result *result = flr_run(trace, topology, NULL, &error);
    json_t *json;
    (void)state;

    assert_non_null(result);
    json = without_host(flr_result_json(result, NULL));
    assert_int_equal(json_integer_value(json_object_get(json, "simulated_ns")),
                     flr_result_simulated_ns(result));
    assert_int_equal(json_integer_value(json_object_get(json, "ideal_ns")), flr_result_ideal_ns(result));
    assert_int_equal(json_integer_value(json_object_get(json, "simulated_cycles")),
                     flr_result_simulated_cycles(result));
    assert_string_equal(json_string_value(json_object_get(json, "digest")), flr_result_digest(result));
    assert_true(fabs(json_real_value(json_object_get(json, "slowdown")) - flr_result_slowdown(result)) <
                1e-12);
    assert_int_equal(json_is_true(json_object_get(json, "approximated")), flr_result_approximated(result));
    assert_true(flr_result_slowdown(result) >= 1);
    json_decref(json);
    flr_result_free(result);
    flr_topology_free(topology);
    flr_trace_close(trace);
}

static void trace_is_described(void **state)
{
    char arguments[4096 + 64];
    flr_trace *trace = open_trace();
    json_t *ours = without_host(flr_trace_json(trace, NULL));
    json_t *theirs;
    (void)state;

    assert_int_equal(flr_trace_ranks(trace), 16);
    assert_string_equal(flr_trace_format(trace), "otf2");
    assert_true(strlen(flr_trace_writer(trace)) > 0);
    snprintf(arguments, sizeof arguments, "info '%s' --json -", trace_path(TRACE));
    theirs = ask_program(arguments);
    assert_true(json_equal(ours, theirs));
    json_decref(theirs);
    json_decref(ours);
    flr_trace_close(trace);
}

static void topology_is_described(void **state)
{
    flr_topology *topology = make_topology("mesh:4x3,concentration=2");
    (void)state;

    assert_int_equal(flr_topology_terminals(topology), 24);
    assert_int_equal(flr_topology_routers(topology), 12);
    flr_topology_free(topology);
}

static void options_are_checked(void **state)
{
    flr_options *options = flr_options_new(NULL);
    flr_error error = {0};
    (void)state;

    assert_int_equal(flr_options_set(options, "flit-bites", "8", &error), -1);
    assert_int_equal(error.status, FLR_USAGE);
    assert_non_null(strstr(error.text, "did you mean 'flit-bytes'?"));
    assert_int_equal(flr_options_set(options, "flit-bytes", "0", &error), -1);
    assert_non_null(strstr(error.text, "--flit-bytes 0: needs a whole number from 1 to 65536"));
    assert_int_equal(flr_options_set(options, "strict", "maybe", NULL), -1);
    assert_int_equal(flr_options_set(options, "topology", "mesh:2x2", &error), -1);
    assert_int_equal(flr_options_set(options, "json", "x", &error), -1); /* the command line's own */
    assert_int_equal(flr_options_set(options, "help", "yes", &error), -1);
    flr_options_free(options);
}

static void failures_are_values(void **state)
{
    flr_error error = {0};
    flr_trace *trace = open_trace();
    flr_topology *small = make_topology("mesh:2x2");
    flr_options *options = flr_options_new(NULL);
    (void)state;

    assert_null(flr_trace_open_with("/nowhere/at/all", NULL, &error));
    assert_int_equal(error.status, FLR_INPUT);
    assert_null(flr_trace_open("/nowhere/at/all", &error));
    assert_int_equal(error.status, FLR_INPUT);
    assert_non_null(strstr(error.text, "/nowhere/at/all"));
    assert_null(flr_topology_new("mash:2x2", &error));
    assert_int_equal(error.status, FLR_USAGE);
    assert_null(flr_run(trace, small, NULL, &error));
    assert_int_equal(error.status, FLR_USAGE);
    assert_non_null(strstr(error.text, "--topology mesh:4x4 would do"));
    assert_int_equal(flr_options_set(options, "routing", "knaive", NULL), 0);
    assert_null(flr_run(trace, small, options, &error));
    assert_non_null(strstr(error.text, "does not serve"));
    assert_null(flr_run(trace, small, options, NULL));
    flr_options_free(options);
    flr_topology_free(small);
    flr_trace_close(trace);
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    flr_trace_close(NULL);
    flr_topology_free(NULL);
    flr_options_free(NULL);
    flr_result_free(NULL);
    flr_string_free(NULL);
}

/* Two at once: nothing is shared. */
static void two_runs_in_one_process(void **state)
{
    flr_trace *first = open_trace(), *second = open_trace();
    flr_topology *mesh = make_topology("mesh:4x4"), *king = make_topology("king-mesh:4x4");
    flr_result *a = flr_run(first, mesh, NULL, NULL), *b = flr_run(second, king, NULL, NULL);
    flr_result *c = flr_run(second, mesh, NULL, NULL);
    (void)state;

    assert_string_equal(flr_result_digest(a), flr_result_digest(c));
    assert_string_not_equal(flr_result_digest(a), flr_result_digest(b));
    assert_true(flr_result_ideal_ns(a) == flr_result_ideal_ns(b));
    flr_result_free(c);
    flr_result_free(b);
    flr_result_free(a);
    flr_topology_free(king);
    flr_topology_free(mesh);
    flr_trace_close(second);
    flr_trace_close(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_is_that_of_the_program), cmocka_unit_test(results_are_those_of_the_json),
        cmocka_unit_test(trace_is_described),         cmocka_unit_test(topology_is_described),
        cmocka_unit_test(options_are_checked),        cmocka_unit_test(failures_are_values),
        cmocka_unit_test(nothing_can_be_freed),       cmocka_unit_test(two_runs_in_one_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
