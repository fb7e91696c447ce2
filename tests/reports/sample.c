/* The samples that the tests of reports/ print. */
#include <config.h>

#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "tests/reports/sample.h"

struct report_run sample_run(void)
{
    static const struct report_option options[] = {{"topology", "mesh:2x1", REPORT_TEXT},
                                                   {"flit-bytes", "8", REPORT_NUMBER},
                                                   {"clock-ghz", "1.500000", REPORT_NUMBER},
                                                   {"strict", "no", REPORT_FLAG}};
    static const struct report_channel busiest[] = {{"(0,0) X+", 500, 0.5, 500},
                                                    {"(1,0) X-", 125, 0.125, 125}};
    static const struct report_rank ranks[] = {{.compute_ns = 600,
                                                .wait_ns = 300,
                                                .ideal_wait_ns = 100,
                                                .finish_ns = 900,
                                                .messages_sent = 3,
                                                .bytes_sent = 4096,
                                                .terminal = 1},
                                               {.compute_ns = 700,
                                                .wait_ns = 300,
                                                .ideal_wait_ns = 0,
                                                .finish_ns = 1000,
                                                .messages_sent = 2,
                                                .bytes_sent = 8,
                                                .terminal = 0}};
    static const struct report_coverage coverage[] = {
        {"MPI_Send", NULL, REPORT_EXACT, 5, 4104, 900, NULL, 0, true, false},
        {"MPI_Alltoallv", "scattered, sizes in proportion to the recorded totals", REPORT_APPROXIMATED, 2, 64,
         0, NULL, 0, true, false}};
    static const struct report_repair repairs[] = {
        {"receive-communicator", "The recorder wrote the wrong communicator for these receives.", 4}};
    static const struct report_collective collectives[] = {{"alltoallv", "scattered", 2, 2, 64, false, 0, 0}};
    static const uint64_t link_flits[] = {500, 125};
    static const struct report_run_pairs pairs[] = {{0, 0, 1, 64}, {0, 1, 1, 4096}, {1, 0, 1, 8}};
    static const struct report_latency latencies[] = {{10, 50}, {20, 49}, {90, 1}};
    struct report_run run = {.trace = "traces/two.otf2",
                             .trace_format = "otf2",
                             .trace_writer = "hand",
                             .topology = "mesh:2x1",
                             .routing = "dimension-order",
                             .mapping = "file:two.map",
                             .ranks = 2,
                             .terminals = 2,
                             .routers = 2,
                             .seed = 7,
                             .options = options,
                             .option_count = 4,
                             .simulated_ns = 1000,
                             .simulated_cycles = 1500,
                             .ideal_ns = 800,
                             .clock_khz = 1500000,
                             .link_cycles = 1,
                             .router_cycles = 1,
                             .messages = 7,
                             .message_bytes = 4168,
                             .self_messages = 1,
                             .control_messages = 2,
                             .packets = 100,
                             .flits = 625,
                             .packet_hops = 100,
                             .flit_hops = 625,
                             .mean_hops = 1,
                             .mean_latency_cycles = 16.25,
                             .p50_latency_cycles = 10,
                             .p99_latency_cycles = 20,
                             .max_latency_cycles = 90,
                             .max_channel_load = 0.5,
                             .mean_channel_load = 0.3125,
                             .max_ejection_load = 0.25,
                             .max_injection_load = 0.75,
                             .busiest = busiest,
                             .busiest_count = 2,
                             .link_carried = link_flits,
                             .pairs = pairs,
                             .pair_count = 3,
                             .latencies = latencies,
                             .latency_count = 3,
                             .rank = ranks,
                             .coverage = coverage,
                             .coverage_count = 2,
                             .repairs = repairs,
                             .repair_count = 1,
                             .collectives = collectives,
                             .collective_count = 1,
                             .hop_bytes = 4168,
                             .mean_dilation = 1,
                             .max_dilation = 1,
                             .approximated = true,
                             .digest = "0123456789abcdef0123456789abcdef",
                             .host = {0.5, 0.25, 2500, 1048576}};
    return run;
}

struct report_info sample_info(void)
{
    static const struct report_info_collective collectives[] = {{"barrier", 4, 0}, {"allreduce", 2, 16}};
    static const struct report_info_communicator communicators[] = {{"MPI_COMM_WORLD", 2, collectives, 2},
                                                                    {"rows", 1, collectives, 0}};
    static const struct report_info_pair pairs[] = {{0, 1, 3, 4096}, {1, 0, 2, 8}};
    static const struct report_coverage coverage[] = {
        {"MPI_Send", NULL, REPORT_EXACT, 5, 4104, 900, NULL, 0, true, false},
        {"MPI_File_open", "no model", REPORT_IGNORED, 2, 0, 100, NULL, 0, true, false}};
    static const struct report_repair repairs[] = {
        {"missing-completion", "A wait has no completion record.", 3}};
    struct report_info info = {.trace = "traces/two.otf2",
                               .format = "otf2",
                               .writer = "hand",
                               .ranks = 2,
                               .events = 40,
                               .p2p_sends = 5,
                               .p2p_receives = 5,
                               .p2p_bytes = 4104,
                               .compute_ns = 3000,
                               .mpi_ns = 1000,
                               .collectives = collectives,
                               .collective_count = 2,
                               .communicators = communicators,
                               .communicator_count = 2,
                               .pairs = pairs,
                               .pair_count = 2,
                               .coverage = coverage,
                               .coverage_count = 2,
                               .repairs = repairs,
                               .repair_count = 1,
                               .host = {0.5, 0.25, 2500, 1048576}};
    return info;
}

struct report_placement sample_placement(void)
{
    static const uint32_t terminals[] = {1, 0};
    struct report_placement placement = {.source = "traces/two.otf2",
                                         .topology = "mesh:2x1",
                                         .routing = "dimension-order",
                                         .mapping = "random",
                                         .ranks = 2,
                                         .terminals = 2,
                                         .terminal = terminals,
                                         .messages = 5,
                                         .bytes = 4104,
                                         .objective = "hop-bytes",
                                         .cost = {4104, 1, 1, 4096, true, 3000},
                                         .has_before = true,
                                         .before = {8208, 2, 2, 8192, true, 4500},
                                         .has_ideal = true,
                                         .ideal_ns = 2000,
                                         .evaluations = 0,
                                         .evaluations_asked = 7};
    return placement;
}

char *sample_text(sample_writer *writer, const void *content, struct base_error *error)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    int status;

    assert_non_null(stream);
    status = writer(content, stream, error);
    assert_int_equal(fclose(stream), 0);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

void assert_well_set(const char *text, size_t width)
{
    size_t columns = 0;

    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '\n') {
            if (at > text && at[-1] == ' ')
                fail_msg("a line ends in a space:\n%s", text);
            columns = 0;
            continue;
        }
        if (byte < 0x20 || byte == 0x7f)
            fail_msg("control character %u:\n%s", byte, text);
        columns += (byte & 0xc0) != 0x80;
        if (columns > width)
            fail_msg("a line is wider than %zu columns:\n%s", width, text);
    }
}

void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not found: %s\nin:\n%s", part, text);
}
