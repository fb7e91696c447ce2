/* The JSON answers, read back with jansson: every key that is promised, integers as integers, null where
 * there is no number. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "reports/topology/topology.h"
#include "tests/fail-alloc.h"
#include "tests/reports/sample.h"

static int write_run(const void *content, FILE *stream, struct base_error *error)
{
    return report_run_json(content, stream, error);
}

static int write_info(const void *content, FILE *stream, struct base_error *error)
{
    return report_info_json(content, stream, error);
}

static int write_matrix(const void *content, FILE *stream, struct base_error *error)
{
    return report_info_matrix(content, stream, error);
}

static int write_topology(const void *content, FILE *stream, struct base_error *error)
{
    return report_topology_json(content, stream, error);
}

static int write_placement(const void *content, FILE *stream, struct base_error *error)
{
    return report_placement_json(content, stream, error);
}

static json_t *parse(sample_writer *writer, const void *content)
{
    json_error_t error;
    char *text = sample_text(writer, content, NULL);
    json_t *top;

    assert_non_null(text);
    assert_int_equal(text[strlen(text) - 1], '\n');
    top = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (top == NULL)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    free(text);
    return top;
}

/* keys: a letter for the type and the name: i integer, r real, s string, o object, a array, b boolean, 0
 * null. */
static void assert_keys(const json_t *object, const char *const *keys)
{
    for (; *keys != NULL; keys++) {
        const json_t *value = json_object_get(object, *keys + 1);
        bool fits = (**keys == 'i' && json_is_integer(value)) || (**keys == 'r' && json_is_real(value)) ||
                    (**keys == 's' && json_is_string(value)) || (**keys == 'o' && json_is_object(value)) ||
                    (**keys == 'a' && json_is_array(value)) || (**keys == 'b' && json_is_boolean(value)) ||
                    (**keys == '0' && json_is_null(value));
        if (!fits)
            fail_msg("key %s is missing or is no '%c'", *keys + 1, **keys);
    }
}

static void assert_last_key(json_t *object, const char *expected)
{
    const char *key;
    const char *last = "";
    json_t *value;

    json_object_foreach(object, key, value) last = key;
    assert_string_equal(last, expected);
}

static json_int_t integer_at(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void run_has_every_key(void **state)
{
    static const char *const keys[] = {"sschema",
                                       "strace",
                                       "strace_format",
                                       "iranks",
                                       "stopology",
                                       "srouting",
                                       "smapping",
                                       "iseed",
                                       "ooptions",
                                       "sversion",
                                       "isimulated_ns",
                                       "isimulated_cycles",
                                       "iideal_ns",
                                       "rslowdown",
                                       "refficiency",
                                       "imessages",
                                       "imessage_bytes",
                                       "ipackets",
                                       "iflits",
                                       "iflit_hops",
                                       "rmean_hops",
                                       "rmean_latency_cycles",
                                       "ip50_latency_cycles",
                                       "ip99_latency_cycles",
                                       "imax_latency_cycles",
                                       "rmax_channel_load",
                                       "rmean_channel_load",
                                       "0attribution",
                                       "0attribution_detail",
                                       "ocoverage",
                                       "aranks_detail",
                                       "sdigest",
                                       "ohost",
                                       NULL};
    static const char *const rank_keys[] = {"icompute_ns", "iwait_ns", "ifinish_ns", NULL};
    static const char *const host_keys[] = {"rwall_seconds", "rcpu_seconds", "ipeak_memory_bytes",
                                            "rflit_hops_per_second", NULL};
    struct report_run run = sample_run();
    json_t *top = parse(write_run, &run);
    (void)state;

    assert_keys(top, keys);
    assert_keys(json_array_get(json_object_get(top, "ranks_detail"), 1), rank_keys);
    assert_keys(json_object_get(top, "host"), host_keys);
    assert_last_key(top, "host");
    json_decref(top);
}

static void run_has_the_right_values(void **state)
{
    struct report_run run = sample_run();
    json_t *top = parse(write_run, &run), *coverage = json_object_get(top, "coverage");
    (void)state;

    assert_string_equal(text_at(top, "schema"), "flitreplay-run-1");
    assert_true(json_real_value(json_object_get(top, "slowdown")) == 1.25);
    assert_true(json_real_value(json_object_get(top, "efficiency")) == 0.8);
    assert_int_equal(integer_at(top, "flit_hops"), 625);
    assert_int_equal(json_array_size(json_object_get(top, "ranks_detail")), 2);
    assert_int_equal(integer_at(coverage, "exact"), 5);
    assert_int_equal(integer_at(coverage, "approximated"), 2);
    assert_int_equal(integer_at(coverage, "ignored"), 0);
    assert_int_equal(integer_at(json_object_get(top, "repairs"), "receive-communicator"), 4);
    json_decref(top);
}

static void options_have_their_types(void **state)
{
    struct report_run run = sample_run();
    json_t *top = parse(write_run, &run), *options = json_object_get(top, "options");
    (void)state;

    assert_string_equal(text_at(options, "topology"), "mesh:2x1");
    assert_int_equal(integer_at(options, "flit-bytes"), 8);
    assert_true(json_real_value(json_object_get(options, "clock-ghz")) == 1.5);
    assert_true(json_is_false(json_object_get(options, "strict")));
    json_decref(top);
}

static void what_is_no_number_is_null(void **state)
{
    static const char *const keys[] = {"0slowdown", "0efficiency", "0mean_hops", "0mean_latency_cycles",
                                       "0routing",  NULL};
    struct report_run run = sample_run();
    json_t *top;
    (void)state;

    run.ideal_ns = 0;
    run.mean_hops = NAN;
    run.mean_latency_cycles = INFINITY;
    run.routing = NULL;
    top = parse(write_run, &run);
    assert_keys(top, keys);
    json_decref(top);
}

static void huge_counts_stay_numbers(void **state)
{
    struct report_run run = sample_run();
    json_t *top;
    (void)state;

    run.flit_hops = INT64_MAX;
    run.messages = UINT64_MAX;
    top = parse(write_run, &run);
    assert_true(integer_at(top, "flit_hops") == INT64_MAX);
    assert_true(json_real_value(json_object_get(top, "messages")) > 1.8e19);
    json_decref(top);
}

static void strange_bytes_are_replaced(void **state)
{
    struct report_run run = sample_run();
    json_t *top;
    (void)state;

    run.trace = "a\xff\"\\\n\x01";
    run.trace_writer = NULL;
    top = parse(write_run, &run);
    assert_string_equal(text_at(top, "trace"), "a\xef\xbf\xbd\"\\\n\x01");
    assert_true(json_is_null(json_object_get(top, "trace_writer")));
    json_decref(top);
}

static void empty_run_is_valid(void **state)
{
    struct report_run run = {0};
    json_t *top = parse(write_run, &run);
    (void)state;

    assert_int_equal(json_array_size(json_object_get(top, "ranks_detail")), 0);
    json_decref(top);
}

static void info_has_every_key(void **state)
{
    static const char *const keys[] = {"sschema",    "strace",       "sformat",        "swriter",
                                       "iranks",     "ievents",      "ip2p_sends",     "ip2p_receives",
                                       "ip2p_bytes", "ocollectives", "acommunicators", "icompute_ns",
                                       "orepairs",   "ocoverage",    "ohost",          NULL};
    struct report_info info = sample_info();
    json_t *top = parse(write_info, &info);
    json_t *allreduce;
    (void)state;

    assert_keys(top, keys);
    assert_string_equal(text_at(top, "schema"), "flitreplay-info-1");
    allreduce = json_object_get(json_object_get(top, "collectives"), "allreduce");
    assert_int_equal(integer_at(allreduce, "calls"), 2);
    assert_int_equal(integer_at(allreduce, "bytes"), 16);
    assert_int_equal(integer_at(json_object_get(top, "coverage"), "ignored"), 2);
    assert_last_key(top, "host");
    json_decref(top);
}

static void matrix_is_csv(void **state)
{
    struct report_info info = sample_info();
    char *text = sample_text(write_matrix, &info, NULL);
    (void)state;

    assert_string_equal(text, "src,dst,messages,bytes\n0,1,3,4096\n1,0,2,8\n");
    free(text);
}

static void topology_has_every_key(void **state)
{
    static const char *const keys[] = {"sschema",
                                       "iterminals",
                                       "irouters",
                                       "ichannels",
                                       "idegree_min",
                                       "idegree_max",
                                       "idiameter",
                                       "rmean_distance",
                                       "rmean_distance_with_self",
                                       "ibisection_channels",
                                       "bbisection_exact",
                                       "adistance_pairs",
                                       "rshortest_paths_mean",
                                       "ishortest_paths_max",
                                       "adistance_shortest_paths",
                                       "asquares",
                                       "ohost",
                                       NULL};
    struct net_topology topology = {.text = "mesh:2x1", .terminals = 2, .routers = 2};
    uint64_t histogram[] = {2, 2};
    double paths_at[] = {1, 1};
    struct net_metrics metrics = {.links = 2,
                                  .histogram = histogram,
                                  .paths_at = paths_at,
                                  .paths_mean = 1,
                                  .paths_max = 1,
                                  .degree_min = 1,
                                  .degree_max = 1,
                                  .diameter = 1,
                                  .mean_distance = 1,
                                  .mean_distance_with_self = 0.5,
                                  .bisection_channels = 2,
                                  .bisection_exact = true};
    struct report_topology report = {
        .topology = &topology, .metrics = &metrics, .routing = "dimension-order"};
    json_t *top = parse(write_topology, &report);
    (void)state;

    assert_keys(top, keys);
    assert_string_equal(text_at(top, "schema"), "flitreplay-topology-1");
    assert_int_equal(integer_at(top, "channels"), 2);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(top, "distance_pairs"), 1)), 2);
    assert_last_key(top, "host");
    json_decref(top);
}

static void placement_has_every_key(void **state)
{
    static const char *const keys[] = {"sschema",
                                       "stopology",
                                       "smapping",
                                       "ihop_bytes",
                                       "rmean_dilation",
                                       "imax_dilation",
                                       "rmax_channel_load_bytes",
                                       "isimulated_ns",
                                       "rslowdown",
                                       "iideal_ns",
                                       "sobjective",
                                       "oidentity",
                                       "ievaluations",
                                       "ievaluations_asked",
                                       "aplacement",
                                       "ohost",
                                       NULL};
    struct report_placement placement = sample_placement();
    json_t *top = parse(write_placement, &placement);
    (void)state;

    assert_keys(top, keys);
    assert_string_equal(text_at(top, "schema"), "flitreplay-map-1");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(top, "placement"), 0)), 1);
    json_decref(top);
}

static void a_full_disk_is_told(void **state)
{
    struct report_run run = sample_run();
    struct base_error error = {0};
    FILE *full = fopen("/dev/full", "w");
    (void)state;

    if (full == NULL)
        suite_skip("no /dev/full here");
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(report_run_json(&run, full, &error), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_contains(error.text, "cannot be written: No space left");
    fclose(full);
}

static int attempt_all(void *state)
{
    struct report_run run = sample_run();
    struct report_info info = sample_info();
    struct report_placement placement = sample_placement();
    FILE *stream = state;

    run.trace = "\xff";
    return report_run_json(&run, stream, NULL) == 0 && report_info_json(&info, stream, NULL) == 0 &&
                   report_placement_json(&placement, stream, NULL) == 0
               ? 0
               : -1;
}

/* jansson takes its memory from our (wrapped) malloc too. */
static void every_failed_allocation_is_told(void **state)
{
    FILE *stream = fopen("/dev/null", "w");
    (void)state;

    assert_non_null(stream);
    json_set_alloc_funcs(malloc, free);
    assert_true(fail_alloc_each(attempt_all, stream) > 100);
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_has_every_key),
        cmocka_unit_test(run_has_the_right_values),
        cmocka_unit_test(options_have_their_types),
        cmocka_unit_test(what_is_no_number_is_null),
        cmocka_unit_test(huge_counts_stay_numbers),
        cmocka_unit_test(strange_bytes_are_replaced),
        cmocka_unit_test(empty_run_is_valid),
        cmocka_unit_test(info_has_every_key),
        cmocka_unit_test(matrix_is_csv),
        cmocka_unit_test(topology_has_every_key),
        cmocka_unit_test(placement_has_every_key),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
