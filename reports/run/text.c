/* The readable report of a run: the answer in one sentence, then why, then the details in falling order of
 * interest.
 *
 *      Slowdown 1.060: 85.938 ms on mesh:8x8, 81.070 ms on an ideal network.
 *
 *      Why it is slower                    what each effect of the network adds (reports/run/attribution.c)
 *      Where the ranks spend their time    computing, waiting for ranks or the network, done early
 *      Traffic                             messages, packets, flits, and what a latency is made of
 *      Busiest channels                    the links that carry most, and how far they are from full
 *      Collectives, as messages            what the replay made of them
 *      Ranks                               the least, the median, the most; who waits longest
 *      Placement                           its static cost
 *      Coverage, Repairs                   what may be wrong with all of the above
 *      Provenance                          how to get the same report again
 *
 * Sections without content are left out. Every number has its unit; times are those of the simulated run. The
 * report holds nothing that differs between two runs on the same input (that is in report_host, which only
 * JSON shows), so that two reports can be compared with diff. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "reports/cost/section.h"
#include "reports/pages/clean.h"
#include "reports/pages/page.h"
#include "reports/run/energy.h"
#include "reports/run/failing.h"
#include "reports/run/picture.h"

#define BAR_COLUMNS 24
#define WORST_RANKS 5
#define WAITS_SHOWN 5
#define RANKS_LISTED 1024

/* What the slowdown is in time, beside the time that the busiest channel needs to carry its flits: when the
 * two are close, that channel is the limit; when it needs far less, latency and dependencies are. */
static void put_cost(struct report_page *page, const struct report_run *run)
{
    char cost[BASE_UNITS_TEXT], busy[BASE_UNITS_TEXT];

    if (run->is_partial || run->simulated_ns < run->ideal_ns || run->busiest_count == 0 ||
        run->clock_khz == 0)
        return;
    report_page_paragraph(
        page, 0, "%s %s; its busiest %s, %s, is in use for %s.",
        run->has_host ? "The network and its hosts add" : "The network adds",
        base_format_ns(run->simulated_ns - run->ideal_ns, cost), run->shares_channels ? "channel" : "link",
        run->busiest[0].name,
        base_format_ns(base_ns_from_cycles(run->busiest[0].busy_cycles, run->clock_khz), busy));
}

/* What a time is of, where it is not of the whole trace. */
static const char *part_of(const struct report_run *run)
{
    if (run->iterations != NULL)
        return " in the shortened run";
    return run->window != NULL ? " in the window" : "";
}

/* Nothing is computed: there is no slowdown, and all of the time is the network's. */
static void put_communication(struct report_page *page, const struct report_run *run, const char *simulated)
{
    struct base_arena arena = {0};
    const char *list = run->attribution == NULL ? NULL : report_attribution_list(&arena, run->attribution);

    report_page_paragraph(page, 0, "No computing%s: the ideal network takes 0 ns; %s simulated on %s.%s%s%s",
                          part_of(run), simulated, run->topology,
                          list == NULL ? "" : " Of this: ", list == NULL ? "" : list,
                          list == NULL ? "" : ".");
    base_arena_free(&arena);
}

/* The one sentence that everything else explains. */
static void put_answer(struct report_page *page, const struct report_run *run)
{
    char simulated[BASE_UNITS_TEXT], ideal[BASE_UNITS_TEXT], slowdown[REPORT_NUMBER_TEXT];

    base_format_ns(run->simulated_ns, simulated);
    base_format_ns(run->ideal_ns, ideal);
    if (run->is_partial)
        report_page_paragraph(
            page, 0,
            "Interrupted: %s simulated on %s, with %" PRIu32
            " %% of the operations. Everything below is of this part; there is no slowdown.",
            simulated, run->topology, run->replayed_thousandths / 10);
    else if (run->ideal_ns == 0)
        put_communication(page, run, simulated);
    else
        report_page_paragraph(page, 0, "Slowdown %s%s: %s on %s, %s on an ideal network.",
                              report_page_real(report_run_slowdown(run), 3, slowdown), part_of(run),
                              simulated, run->topology, ideal);
    if (run->interrupted != NULL && !run->is_partial)
        report_page_paragraph(page, 0, "Interrupted during %s: it is left out.", run->interrupted);
}

/* Where the rank-time (ranks x simulated time) went. The waiting of the ideal run is what the program's own
 * dependencies and imbalance cost on any network; what this run waits beyond that is the network's. The four
 * add up exactly. */
struct rank_time {
    double total, compute, peers, network, idle;
};

/* In floating point: the sums may exceed 64 bits, and a share needs no more digits. */
static struct rank_time divide_time(const struct report_run *run)
{
    struct rank_time time = {.total = (double)run->simulated_ns * run->ranks};

    for (uint32_t i = 0; i < run->ranks; i++) {
        const struct report_rank *rank = &run->rank[i];
        time.compute += (double)rank->compute_ns;
        time.peers += (double)rank->ideal_wait_ns;
        time.network += (double)rank->wait_ns - (double)rank->ideal_wait_ns;
        time.idle += (double)run->simulated_ns - (double)rank->finish_ns;
    }
    return time;
}

/* The bar makes the proportions visible at a glance; the number is there to be quoted. */
static void put_share(struct report_page *page, const char *name, double part, double total,
                      const char *remark)
{
    double share = total > 0 ? part / total : 0;
    char text[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%s", name);
    report_page_cell(page, "%s", report_page_share(share, text));
    report_page_bar(page, share, BAR_COLUMNS);
    report_page_cell(page, "%s", remark);
}

/* Four rows that sum to 100 %. Waiting for the network can be negative: ranks that wait less than on an ideal
 * network have no bar, but the number stands. */
static void put_time(struct report_page *page, const struct report_run *run)
{
    struct rank_time time = divide_time(run);

    report_page_heading(page, "Where the ranks spend their time");
    report_page_table(page, "lrbl");
    report_page_titles(page, "what ranks do|share||");
    put_share(page, "computing", time.compute, time.total, "");
    put_share(page, "waiting for other ranks", time.peers, time.total, "as on an ideal network");
    put_share(page, "waiting for the network", time.network, time.total,
              run->has_host ? "and the hosts" : "");
    put_share(page, "ended before the others", time.idle, time.total, "");
    report_page_table_end(page);
}

/* Latency that distance and length alone explain: in an empty network a packet of P flits over d links of L
 * cycles, through d + 1 routers of R, needs d * L + (d + 1) * (R - 1) + P - 1 cycles (doc/flit-engine.md,
 * rule 2). What is left over is queueing, behind other messages and behind its own. */
static double unloaded_latency(const struct report_run *run)
{
    double pipeline = (double)run->router_cycles - 1, links = (double)run->packet_hops;
    double packets = (double)run->packets;
    return (links * ((double)run->link_cycles + pipeline) + packets * pipeline + (double)run->flits -
            packets) /
           packets;
}

/* Two rows: what the average is made of, and how far the slow packets are from it. */
static void put_latency(struct report_page *page, const struct report_run *run)
{
    char mean[REPORT_NUMBER_TEXT], unloaded[REPORT_NUMBER_TEXT], queueing[REPORT_NUMBER_TEXT];
    char p50[BASE_UNITS_TEXT], p99[BASE_UNITS_TEXT], longest[BASE_UNITS_TEXT];
    double alone = unloaded_latency(run);

    report_page_cell(page, "packet latency");
    report_page_cell(page, "%s cycles", report_page_amount(run->mean_latency_cycles, mean));
    /* The rule behind the split is that of a network with links: an ideal one has no routing and no latency.
     */
    if (run->routing == NULL)
        report_page_cell(page, "%s", "on average: an ideal network delivers at once");
    else if (run->in_bits)
        report_page_cell(page, "%s", "on average, from injection to delivery");
    else if (run->own_links)
        report_page_cell(page, "%s", "on average, over links of their own");
    else
        report_page_cell(page, "on average: %s for distance and length, %s behind other packets",
                         report_page_amount(alone, unloaded),
                         report_page_amount(run->mean_latency_cycles - alone, queueing));
    report_page_cell(page, "%s", "");
    report_page_cell(page, "%s cycles", base_format_count(run->p50_latency_cycles, p50));
    report_page_cell(page, "median; 99 %% within %s, all within %s",
                     base_format_count(run->p99_latency_cycles, p99),
                     base_format_count(run->max_latency_cycles, longest));
}

/* A count with a remark. */
static void put_count(struct report_page *page, const char *name, uint64_t count, const char *remark)
{
    char text[BASE_UNITS_TEXT];

    report_page_cell(page, "%s", name);
    report_page_cell(page, "%s", base_format_count(count, text));
    report_page_cell(page, "%s", remark);
}

/* Where packets are deflected: which router does that most, and what terminals must hold until a message is
 * complete. */
static void put_deflections(struct report_page *page, const struct report_run *run)
{
    char share[REPORT_NUMBER_TEXT], remark[128];
    uint32_t worst = 0;

    if (run->deflected_flits == NULL)
        return;
    for (uint32_t router = 0; router < run->routers; router++)
        worst = run->deflected_flits[router] > run->deflected_flits[worst] ? router : worst;
    snprintf(remark, sizeof remark, "%s of them; most at router %" PRIu32,
             report_page_share((double)run->deflections / (double)(run->flit_hops > 0 ? run->flit_hops : 1),
                               share),
             worst);
    put_count(page, "  deflections", run->deflections, remark);
    put_count(page, "reassembly", run->reassembly_packets_max,
              "packets at most that a terminal held of messages that were not complete");
}

/* Messages, then what they are cut into, then what that costs the links: the rows of the table (fields.def), and what
 * needs more than a row. */
static void put_traffic(struct report_page *page, const struct report_run *run)
{
    report_page_heading(page, "Traffic");
    report_page_table(page, "lrl");
    report_page_titles(page, "what travels|how many|");
    report_run_part_rows(page, run, REPORT_PART_TRAFFIC, 0);
    put_deflections(page, run);
    if (run->packets > 0)
        put_latency(page, run);
    report_page_table_end(page);
}

/* Loads are shares of the whole simulated time, computing included, so a busy phase in a long run looks
 * small. */
static void put_channel(struct report_page *page, const char *name, double load, const char *busy,
                        const char *remark)
{
    char text[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%s", name);
    report_page_cell(page, "%s", report_page_share(load, text));
    report_page_cell(page, "%s", busy);
    report_page_cell(page, "%s", remark);
}

/* By what links are, as long as there are several kinds of them. */
static void put_classes(struct report_page *page, const struct report_run *run)
{
    for (uint32_t i = 0; i < run->class_count && run->class_count > 1; i++) {
        const struct report_class_use *class = &run->classes[i];
        char name[64], count[BASE_UNITS_TEXT], most[REPORT_NUMBER_TEXT], remark[128];
        snprintf(name, sizeof name, "  %.60s", class->name);
        snprintf(remark, sizeof remark, "on average of %s; at most %s",
                 base_format_count(class->links, count), report_page_share(class->max_load, most));
        put_channel(page, name, class->mean_load, "", remark);
    }
}

/* The busiest links by name, with the time in which they carried a flit; the rest, and the way in and out of
 * the network, for comparison. */
static void put_channels(struct report_page *page, const struct report_run_view *view)
{
    const struct report_run *run = view->run;

    if (run->packets == 0 || run->clock_khz == 0)
        return;
    report_page_heading(page, run->in_bits
                                  ? "Busiest channels, by the share of the time in which they carry bits"
                                  : "Busiest channels, by the share of the time in which they carry flits");
    report_page_table(page, "lrrl");
    report_page_titles(page, "channel|load|in use|");
    for (uint32_t i = 0; i < run->busiest_count; i++) {
        char count[BASE_UNITS_TEXT], busy[BASE_UNITS_TEXT], remark[BASE_UNITS_TEXT + 8];
        snprintf(remark, sizeof remark, "%s %s", base_format_count(run->busiest[i].flits, count),
                 run->in_bits ? "bits" : "flits");
        base_format_ns(base_ns_from_cycles(run->busiest[i].busy_cycles, run->clock_khz), busy);
        put_channel(page, run->busiest[i].name, run->busiest[i].load, busy, remark);
    }
    report_run_part_rows(page, run, REPORT_PART_LOADS, 1);
    put_classes(page, run);
    report_run_part_rows(page, run, REPORT_PART_TERMINALS, 1);
    report_page_table_end(page);
    report_run_figure(page, view, "channel-load");
}

/* What went as multicasts, why the rest did not, and whether that pays. */
static void put_hardware(struct report_page *page, const struct report_run *run)
{
    uint64_t multicasts = 0, copies = 0;
    char count[BASE_UNITS_TEXT], copied[BASE_UNITS_TEXT];
    for (uint32_t i = 0; i < run->collective_count; i++) {
        multicasts += run->collectives[i].multicasts;
        copies += run->collectives[i].copies;
    }
    if (multicasts != 0)
        report_page_paragraph(page, 2, "Of the messages %s were multicasts, copied to %s terminals in all.",
                              base_format_count(multicasts, count), base_format_count(copies, copied));
    for (uint32_t i = 0; i < run->software_count; i++)
        report_page_paragraph(page, 2, "%s calls in software: %s.",
                              base_format_count(run->software[i].calls, count), run->software[i].reason);
    report_what_if_collectives(page, run->what_ifs, run->what_if_count, run->simulated_ns);
}

/* Which algorithm an operation became is an assumption of the replay, so it is shown. */
static void put_collectives(struct report_page *page, const struct report_run *run)
{
    if (run->collective_count == 0)
        return;
    report_page_heading(page, "Collectives, as messages");
    report_page_table(page, "llrrr");
    report_page_cell(page, "operation");
    report_page_cell(page, "algorithm");
    report_page_cell(page, "calls");
    report_page_cell(page, "messages");
    report_page_cell(page, "bytes");
    report_page_head(page);
    for (uint32_t i = 0; i < run->collective_count; i++) {
        const struct report_collective *row = &run->collectives[i];
        char count[BASE_UNITS_TEXT];
        report_page_cell(page, "%s%s", row->collective, row->implied ? " (implied)" : "");
        report_page_cell(page, "%s", row->algorithm);
        report_page_cell(page, "%s", base_format_count(row->calls, count));
        report_page_cell(page, "%s", base_format_count(row->messages, count));
        report_page_cell(page, "%s", base_format_bytes(row->bytes, count));
    }
    report_page_table_end(page);
    put_hardware(page, run);
}

/* A number of every rank, to find the smallest, the middle and the largest of. */
struct rank_value {
    uint64_t value;
    uint32_t rank;
};

/* Equal values are ordered by rank, so that the report does not depend on qsort. */
static int compare_values(const void *a, const void *b)
{
    const struct rank_value *left = a, *right = b;

    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return left->rank < right->rank ? -1 : left->rank > right->rank;
}

enum rank_number { COMPUTE, WAIT, FINISH, BYTES, RANK_NUMBERS };

/* Lets one function sort and print any of the four. */
static uint64_t number_of(const struct report_rank *rank, enum rank_number number)
{
    switch (number) {
    case COMPUTE:
        return rank->compute_ns;
    case WAIT:
        return rank->wait_ns;
    case FINISH:
        return rank->finish_ns;
    default:
        return rank->bytes_sent;
    }
}

/* Rising, for the least, the median and the most alike. */
static void sort_ranks(const struct report_run *run, enum rank_number number, struct rank_value *values)
{
    for (uint32_t i = 0; i < run->ranks; i++)
        values[i] = (struct rank_value){number_of(&run->rank[i], number), i};
    qsort(values, run->ranks, sizeof *values, compare_values);
}

/* Bytes are the only number of a rank that is no time. */
static void put_rank_cell(struct report_page *page, enum rank_number number, uint64_t value)
{
    char text[BASE_UNITS_TEXT];

    report_page_cell(page, "%s",
                     number == BYTES ? base_format_bytes(value, text) : base_format_ns(value, text));
}

/* The median has no rank named: several may have it. */
static void put_rank_row(struct report_page *page, const struct report_run *run, enum rank_number number,
                         struct rank_value *values)
{
    static const char *const names[RANK_NUMBERS] = {"computing", "waiting", "finish", "bytes sent"};

    sort_ranks(run, number, values);
    report_page_cell(page, "%s", names[number]);
    put_rank_cell(page, number, values[0].value);
    report_page_cell(page, "rank %" PRIu32, values[0].rank);
    put_rank_cell(page, number, values[run->ranks / 2].value);
    put_rank_cell(page, number, values[run->ranks - 1].value);
    report_page_cell(page, "rank %" PRIu32, values[run->ranks - 1].rank);
}

/* Where to look first, when one rank holds up the others. The list has room for every number at its longest.
 */
static void put_worst(struct report_page *page, const struct report_run *run, struct rank_value *values)
{
    uint32_t shown = run->ranks < WORST_RANKS ? run->ranks : WORST_RANKS;
    char list[WORST_RANKS * (BASE_UNITS_TEXT + 32)] = "";

    sort_ranks(run, WAIT, values);
    for (uint32_t i = 0; i < shown; i++) {
        const struct rank_value *worst = &values[run->ranks - 1 - i];
        if (worst->value == 0) /* nobody below this one waits at all */
            break;
        char wait[BASE_UNITS_TEXT];
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%" PRIu32 " (%s)", i == 0 ? "" : ", ", worst->rank,
                 base_format_ns(worst->value, wait));
    }
    if (*list != '\0')
        report_page_paragraph(page, 2, "Ranks that wait longest: %s.", list);
}

static void put_rank_table(struct report_page *page, const struct report_run *run, struct rank_value *values)
{
    static const char *const titles[] = {"", "least", "", "median", "most", ""};

    report_page_heading(page, "Ranks");
    report_page_table(page, "lrlrrl");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        report_page_cell(page, "%s", titles[i]);
    report_page_head(page);
    for (enum rank_number number = COMPUTE; number < RANK_NUMBERS; number++)
        put_rank_row(page, run, number, values);
    report_page_table_end(page);
}

/* In the document, every rank in numbers that can be computed with; more than that are in the JSON. */
static void put_every_rank(struct report_page *page, const struct report_run *run)
{
    uint32_t shown = run->ranks < RANKS_LISTED ? run->ranks : RANKS_LISTED;

    if (!report_page_is_markup(page))
        return;
    report_page_details(page, shown < run->ranks ? "The first of the ranks" : "Every rank");
    report_page_table(page, "rrrrrrrr");
    report_page_titles(
        page, "rank|terminal|computing (ns)|waiting (ns)|waiting on an ideal network (ns)|finish (ns)|"
              "messages sent|bytes sent");
    for (uint32_t i = 0; i < shown; i++) {
        const struct report_rank *rank = &run->rank[i];
        const uint64_t numbers[] = {i,
                                    rank->terminal,
                                    rank->compute_ns,
                                    rank->wait_ns,
                                    rank->ideal_wait_ns,
                                    rank->finish_ns,
                                    rank->messages_sent,
                                    rank->bytes_sent};
        for (size_t column = 0; column < sizeof numbers / sizeof *numbers; column++) {
            char text[BASE_UNITS_TEXT];
            report_page_cell(page, "%s", base_format_count(numbers[column], text));
        }
    }
    report_page_table_end(page);
    report_page_details_end(page);
}

/* Space for one sorted list at a time: there may be many ranks. */
static void put_ranks(struct report_page *page, const struct report_run *run)
{
    struct rank_value *values;

    if (run->ranks == 0)
        return;
    values = calloc(run->ranks, sizeof *values);
    if (values == NULL) {
        page->failed = true;
        return;
    }
    put_rank_table(page, run, values);
    put_worst(page, run, values);
    put_every_rank(page, run);
    free(values);
}

/* The static cost, known without simulation: what another --mapping would change. */
void report_run_placement_text(struct report_page *page, unsigned indent, const struct report_run *run)
{
    char bytes[BASE_UNITS_TEXT], mean[REPORT_NUMBER_TEXT], load[BASE_UNITS_TEXT];

    report_page_paragraph(
        page, indent,
        "%s: %s hop-bytes (every byte once for each link it crosses); a message crosses %s links on "
        "average and %" PRIu32 " at most; the busiest channel has %s of them.",
        run->mapping, base_format_bytes(run->hop_bytes, bytes), report_page_real(run->mean_dilation, 2, mean),
        run->max_dilation, report_page_expected_bytes(run->max_channel_load_bytes, load));
}

static void put_placement(struct report_page *page, const struct report_run *run)
{
    report_page_heading(page, "Placement");
    report_run_placement_text(page, 2, run);
    report_partition_text(page, &run->partition);
}

/* The options as one would type them. Flags that were not given have no spelling on the command line and are
 * left out, as is what the network has not; all others are told, defaults too, since defaults may change between
 * versions. */
static const char *command_of(struct report_page *page, const struct report_run *run)
{
    const char *text = "";

    for (uint32_t i = 0; i < run->option_count && text != NULL; i++) {
        const struct report_option *option = &run->options[i];
        if (option->value == NULL)
            continue;
        if (option->kind != REPORT_FLAG)
            text = base_arena_format(&page->arena, "%s --%s %s", text, option->name, option->value);
        else if (strcmp(option->value, "yes") == 0)
            text = base_arena_format(&page->arena, "%s --%s", text, option->name);
    }
    if (text == NULL)
        page->failed = true;
    return text == NULL || *text == '\0' ? "" : text + 1;
}

/* Where headers stood and waited, whatever for: behind others, or for room behind the link. */
static void put_waits(struct report_page *page, const struct report_run *run)
{
    char cycles[BASE_UNITS_TEXT], flits[BASE_UNITS_TEXT];

    if (run->wait_count == 0)
        return;
    report_page_heading(page, "Contention: where headers waited longest");
    report_page_table(page, "lrr");
    report_page_cell(page, "channel");
    report_page_cell(page, "waited");
    report_page_cell(page, "%s", run->in_bits ? "bits" : "flits");
    report_page_head(page);
    for (uint32_t i = 0; i < run->wait_count && i < WAITS_SHOWN; i++) {
        report_page_cell(page, "%s", run->waits[i].name);
        report_page_cell(page, "%s cycles", base_format_count(run->waits[i].wait_cycles, cycles));
        report_page_cell(page, "%s", base_format_count(run->waits[i].flits, flits));
    }
    report_page_table_end(page);
}

void report_option_rows(struct report_page *page, const struct report_option *options, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (options[i].value == NULL)
            continue;
        report_page_cell(page, "--%s", options[i].name);
        report_page_cell(page, "%s", options[i].value);
    }
}

/* Everything that is needed to get the same report again, byte for byte. */
static void put_provenance(struct report_page *page, const struct report_run *run)
{
    report_page_heading(page, "Provenance");
    report_page_table(page, "ll");
    if (report_page_is_markup(page))
        report_page_command(page, run->command);
    report_page_cell(page, "trace");
    report_page_cell(page, "%s", run->trace);
    report_page_cell(page, "recorded");
    report_page_cell(page, "as %s by %s, %" PRIu32 " ranks", run->trace_format, run->trace_writer,
                     run->ranks);
    if (report_page_is_markup(page) && run->trace_fingerprint != NULL) {
        report_page_cell(page, "trace hash");
        report_page_cell(page, "%s", run->trace_fingerprint);
    }
    report_page_cell(page, "network");
    report_page_cell(page, "%s with %" PRIu32 " terminals and %" PRIu32 " routers, routing %s", run->topology,
                     run->terminals, run->routers, run->routing == NULL ? "none" : run->routing);
    report_page_cell(page, "options");
    report_page_cell(page, "%s", command_of(page, run));
    report_inputs_rows(page, &run->inputs);
    report_page_cell(page, "digest");
    report_page_cell(page, "%s", run->digest);
    report_page_program(page);
    report_page_table_end(page);
}

/* The order is that of the picture above; each section decides for itself whether it has something to say. */
static void put_sections(struct report_page *page, const struct report_run_view *view)
{
    const struct report_run *run = view->run;

    put_answer(page, run);
    report_window_text(page, run->window);
    report_iterations_text(page, run->iterations);
    put_cost(page, run);
    report_physical_text(page, &run->physical);
    report_what_if_faults(page, run->what_ifs, run->what_if_count, run->simulated_ns);
    report_link_use_text(page, &run->link_use);
    report_clocks_text(page, &run->clocks, "");
    report_coverage_missing_text(page, run->coverage, run->coverage_count, "");
    report_run_figure(page, view, "slowdown");
    if (run->attribution != NULL)
        report_attribution_text(page, run->attribution);
    report_run_figure(page, view, "attribution");
    report_what_if_text(page, run->what_ifs, run->what_if_count, run->simulated_ns, run->ideal_ns);
    if (run->path != NULL)
        report_path_text(page, run->path);
    if (!run->is_partial)
        put_time(page, run);
    report_run_figure(page, view, "ranks");
    report_run_figure(page, view, "timeline");
    put_traffic(page, run);
    report_run_figure(page, view, "latency");
    put_channels(page, view);
    put_waits(page, run);
    if (run->failing != NULL)
        report_failing_text(page, run->failing);
    if (run->energy != NULL)
        report_energy_text(page, run->energy);
    report_energy_effects_text(page, run);
    report_cost_section(page, run->costs);
    put_collectives(page, run);
    put_ranks(page, run);
    put_placement(page, run);
    report_run_figure(page, view, "matrix");
    if (view->run->partition.text != NULL)
        report_run_figure(page, view, "machine");
    report_coverage_text(page, run->coverage, run->coverage_count);
    report_repairs_text(page, run->repairs, run->repair_count);
    put_provenance(page, run);
}

int report_run_text(const struct report_run *run, FILE *stream, unsigned width, struct base_error *error)
{
    const struct report_run_view view = {run, NULL};
    struct report_page page;

    report_page_begin(&page, stream, width);
    put_sections(&page, &view);
    return report_page_finish(&page, error);
}

/* The title says what was run: reports lie side by side in a browser. */
int report_run_html(const struct report_run *run, const struct net_topology *topology, FILE *stream,
                    struct base_error *error)
{
    const struct report_run_view view = {run, topology};
    struct report_page page;
    char title[256];
    int bytes;
    const char *name = report_trace_name(run->trace, &bytes);

    snprintf(title, sizeof title, "%.*s on %.80s", bytes < 150 ? bytes : 150, name, run->topology);
    report_page_begin_markup(&page, stream, title);
    report_page_pictures_last(&page);
    put_sections(&page, &view);
    return report_page_finish(&page, error);
}
