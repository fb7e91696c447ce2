/* Jobs that share a network, as text.
 *
 *      2 jobs share king-mesh:9x9 for 81.4 ms, beside background traffic
 *
 *        job  ranks   ideal   alone  shared  slowdown  interference  leaked
 *        1       16  3.1 ms  3.3 ms  3.4 ms    1.0981        1.0312  12 345
 *
 * Three times of a job are compared: on no network, alone on its partition, and in company. */
#include "reports/jobs/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "reports/cost/section.h"
#include "reports/pages/clean.h"
#include "reports/pages/page.h"
#include "reports/run/energy.h"

/* NAN where there is nothing to compare with, which text shows as a dash and JSON as null: a job that takes no
 * time alone has no slowdown. */
static double ratio(uint64_t of, uint64_t to)
{
    return to == 0 ? NAN : (double)of / (double)to;
}

/* What company costs: both times are of the same network and the same terminals, so that nothing but the others
 * can have changed them. A job that was cut short has no end to compare. */
double report_job_interference(const struct report_job *job)
{
    return job->is_partial ? NAN : ratio(job->simulated_ns, job->alone->simulated_ns);
}

/* Against no network at all: its own messages, the partition's shape and the others together. */
double report_job_slowdown(const struct report_job *job)
{
    return job->is_partial ? NAN : ratio(job->simulated_ns, job->alone->ideal_ns);
}

/* Runs that were not made yet are NULL, which their own end takes for nothing. */
void report_jobs_free(struct report_jobs *jobs)
{
    if (jobs == NULL)
        return;
    for (uint32_t i = 0; i < jobs->job_count; i++)
        report_run_free(jobs->jobs[i].alone);
    base_arena_free(&jobs->arena);
    free(jobs);
}

/* ---- text ---- */

/* A cell with a time in the unit that suits it. */
static void put_ns(struct report_page *page, uint64_t ns)
{
    char text[BASE_UNITS_TEXT];

    report_page_cell(page, "%s", base_format_ns(ns, text));
}

/* A cell with four decimals: interference of a thousandth is worth seeing. */
static void put_real(struct report_page *page, double value)
{
    char text[REPORT_NUMBER_TEXT];

    report_page_cell(page, "%s", report_page_real(value, 4, text));
}

/* Traces are listed below the table, where their paths have room. */
static void put_jobs(struct report_page *page, const struct report_jobs *jobs)
{
    static const char *const heads[] = {"job",    "ranks",    "ideal",        "alone",
                                        "shared", "slowdown", "interference", "leaked"};
    char text[BASE_UNITS_TEXT];

    report_page_table(page, "lrrrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_page_cell(page, "%s", heads[i]);
    report_page_head(page);
    for (uint32_t i = 0; i < jobs->job_count; i++) {
        const struct report_job *job = &jobs->jobs[i];
        report_page_cell(page, "%" PRIu32, i + 1);
        report_page_cell(page, "%" PRIu32, job->alone->ranks);
        put_ns(page, job->alone->ideal_ns);
        put_ns(page, job->alone->simulated_ns);
        if (job->is_partial)
            report_page_cell(page, "-");
        else
            put_ns(page, job->simulated_ns);
        put_real(page, report_job_slowdown(job));
        put_real(page, report_job_interference(job));
        report_page_cell(page, "%s", job->leaks_known ? base_format_count(job->leaked_flit_hops, text) : "-");
    }
    report_page_table_end(page);
}

/* What the row in the table has no room for: where the job is, and how far its trace can be relied on. */
static void put_job(struct report_page *page, const struct report_job *job, uint32_t number)
{
    char start[BASE_UNITS_TEXT], finish[BASE_UNITS_TEXT], share[REPORT_NUMBER_TEXT];
    int bytes;
    const char *name = report_trace_name(job->alone->trace, &bytes);

    base_format_ns(job->start_ns, start);
    if (job->is_partial)
        report_page_paragraph(
            page, 0, "Job %" PRIu32 ": %.*s, mapping %s, from %s; of its operations %s were replayed.",
            number, bytes, name, job->alone->mapping, start,
            report_page_share(job->replayed_thousandths / 1000.0, share));
    else
        report_page_paragraph(page, 0, "Job %" PRIu32 ": %.*s, mapping %s, from %s to %s.", number, bytes,
                              name, job->alone->mapping, start,
                              base_format_ns(job->start_ns + job->simulated_ns, finish));
    report_run_placement_text(page, 0, job->alone);
    report_partition_text(page, &job->alone->partition);
    report_clocks_text(page, &job->alone->clocks, "");
    report_coverage_missing_text(page, job->alone->coverage, job->alone->coverage_count, "");
}

/* Networks of stages carry bits; the sentences are the same. */
static const char *unit_of(const struct report_jobs *jobs)
{
    return jobs->in_bits ? "bit" : "flit";
}

/* Offered and accepted load stand together: where they differ the background itself was held up, and the jobs have
 * met less of it than was asked for. */
static void put_background(struct report_page *page, const struct report_background *background,
                           const char *unit)
{
    char offered[REPORT_NUMBER_TEXT], accepted[REPORT_NUMBER_TEXT], start[BASE_UNITS_TEXT];
    char messages[BASE_UNITS_TEXT];

    report_page_paragraph(
        page, 0,
        "Background: %s messages of the pattern %s (%s, %s) from %s on: %s %ss per cycle and "
        "terminal of %s offered.",
        base_format_count(background->messages, messages), background->pattern, background->arrivals,
        background->lengths, base_format_ns(background->start_ns, start),
        report_page_real(background->accepted_load, 4, accepted), unit,
        report_page_real(background->offered_load, 4, offered));
    report_partition_text(page, &background->partition);
}

/* A dash where no technology knows an energy. */
static void put_joules(struct report_page *page, double joules)
{
    if (isfinite(joules))
        report_page_cell(page, "%.4g J", joules);
    else
        report_page_cell(page, "-");
}

/* What events of each job took, and what is left for background traffic and multicasts. */
static void put_energy(struct report_page *page, const struct report_jobs *jobs)
{
    double left = jobs->energy == NULL ? 0 : jobs->energy->energy.dynamic;
    char text[REPORT_NUMBER_TEXT];

    if (jobs->energy == NULL)
        return;
    report_energy_text(page, jobs->energy);
    report_page_gap(page);
    report_page_table(page, "lrr");
    report_page_titles(page, "job|energy of events, J|of all");
    for (uint32_t i = 0; i < jobs->job_count; i++) {
        double own = jobs->jobs[i].energy == NULL ? NAN : jobs->jobs[i].energy->energy.dynamic;
        left -= own;
        report_page_cell(page, "job %" PRIu32, i + 1);
        put_joules(page, own);
        report_page_cell(page, "%s", report_page_share(own / jobs->energy->energy.dynamic, text));
    }
    report_page_cell(page, "the rest");
    put_joules(page, fabs(left) < 1e-9 * jobs->energy->energy.dynamic ? 0 : left);
    report_page_cell(page, "%s", report_page_share(fmax(left, 0) / jobs->energy->energy.dynamic, text));
    report_page_table_end(page);
    report_page_paragraph(
        page, 0,
        "Clocks and static power are the network's, whoever uses it; the rest is background traffic, and "
        "multicasts over shared channels.");
}

/* What was run, and how far it came. */
static void put_head(struct report_page *page, const struct report_jobs *jobs)
{
    char time[BASE_UNITS_TEXT], end[BASE_UNITS_TEXT + 64];

    base_format_ns(jobs->simulated_ns, time);
    if (jobs->interrupted == NULL)
        snprintf(end, sizeof end, "all is done after %s", time);
    else if (strcmp(jobs->interrupted, REPORT_JOBS_ALONE) == 0)
        snprintf(end, sizeof end, "interrupted while each ran alone");
    else
        snprintf(end, sizeof end, "interrupted together, after %s", time);
    report_page_paragraph(page, 0, "%" PRIu32 " job%s on %s, routing %s%s: %s.", jobs->job_count,
                          jobs->job_count == 1 ? "" : "s share a network", jobs->topology,
                          jobs->routing == NULL ? "none" : jobs->routing,
                          jobs->background_count > 0 ? ", beside background traffic" : "", end);
    if (jobs->job_count > 0)
        report_physical_text(page, &jobs->jobs[0].alone->physical);
    if (jobs->interrupted != NULL)
        report_page_paragraph(
            page, 0,
            "Partial results: runs alone are complete; the shared run and the network are shown up to the "
            "interruption, and a job that had not yet run alone is left out.");
}

/* The words of the columns, below the table: heads have room for one word only. */
static void put_all_jobs(struct report_page *page, const struct report_jobs *jobs)
{
    report_page_gap(page);
    put_jobs(page, jobs);
    report_page_gap(page);
    report_page_answer(page, false);
    report_page_paragraph(
        page, 0,
        "ideal: where messages take no time; alone: on the same partition of an empty machine; "
        "slowdown: shared / ideal; interference: shared / alone; leaked: %s-hops of the job "
        "outside of its partition, together with the others; below, alone.",
        unit_of(jobs));
    report_page_heading(page, "Jobs");
    for (uint32_t i = 0; i < jobs->job_count; i++)
        put_job(page, &jobs->jobs[i], i + 1);
    for (uint32_t i = 0; i < jobs->background_count; i++)
        put_background(page, &jobs->backgrounds[i], unit_of(jobs));
}

/* All jobs together, and the background, too. */
static void put_network(struct report_page *page, const struct report_jobs *jobs)
{
    char load[REPORT_NUMBER_TEXT], latency[REPORT_NUMBER_TEXT], packets[BASE_UNITS_TEXT];

    report_page_heading(page, "Network");
    report_page_paragraph(page, 0,
                          "%s packets, %s cycles of latency on average; the busiest channel carries %ss "
                          "in %s of the cycles.",
                          base_format_count(jobs->packets, packets),
                          report_page_amount(jobs->mean_latency_cycles, latency), unit_of(jobs),
                          report_page_share(jobs->max_channel_load, load));
    report_link_use_text(page, &jobs->link_use);
    put_energy(page, jobs);
    report_cost_section(page, jobs->costs);
}

/* What text and document have in common, from the jobs to the machine that they share. */
void report_jobs_sections(struct report_page *page, const struct report_jobs *jobs)
{
    put_head(page, jobs);
    put_all_jobs(page, jobs);
    put_network(page, jobs);
}

/* The digest comes last, as in the text of a run: it is for those who compare two answers. */
int report_jobs_text(const struct report_jobs *jobs, FILE *stream, unsigned width, struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, width);
    report_jobs_sections(&page, jobs);
    report_page_paragraph(&page, 0, "Digest %s.", jobs->digest);
    return report_page_finish(&page, error);
}

/* Options that each job has of its own stand with the job; whoever lists the others asks here, so that text,
 * document and JSON leave out the same ones. */
bool report_jobs_option_is_common(const char *name)
{
    return strcmp(name, "mapping") != 0 && strcmp(name, "partition") != 0 && strcmp(name, "attribution") != 0;
}
