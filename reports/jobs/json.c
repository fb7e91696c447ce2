/* Jobs that share a network, as JSON.
 *
 *      "schema": "flitreplay-jobs-1"
 *      "topology" … "version", "options"    what was run
 *      "interrupted"                        null, unless SIGINT has cut it short
 *      "simulated_ns" … "max_channel_load"  all of it together
 *      "jobs": [{ "trace" … "digest_alone" }]
 *      "background": [{ "pattern" … "partition" }]
 *      "approximated", "digest", "host"
 *
 * Numbers, their order and meaning are those of fields.def. */
#include "reports/jobs/jobs.h"

#include <math.h>
#include <string.h>

#include "reports/cost/section.h"
#include "reports/fields/field.h"
#include "reports/pages/json.h"
#include "reports/run/energy.h"

enum part { PART_TIMES, PART_COMPANY, PART_MESSAGES };

/* The numbers of a part, in the order of the table. */
static void put_jobs_numbers(struct report_json *json, json_t *object, const struct report_jobs *jobs)
{
#define REPORT_OF_JOBS(part, key, kind, unit, source, meaning)                                               \
    REPORT_FIELD_PUT(json, object, key, kind, source);
#include "reports/jobs/fields.def"
}

static void put_job_numbers(struct report_json *json, json_t *object, const struct report_job *job,
                            enum part part)
{
    const struct report_run *alone = job->alone;

#define REPORT_OF_JOB(of, key, kind, unit, source, meaning)                                                  \
    if (part == PART_##of)                                                                                   \
        REPORT_FIELD_PUT(json, object, key, kind, source);
#include "reports/jobs/fields.def"
}

static void put_background_numbers(struct report_json *json, json_t *object,
                                   const struct report_background *background)
{
#define REPORT_OF_BACKGROUND(part, key, kind, unit, source, meaning)                                         \
    REPORT_FIELD_PUT(json, object, key, kind, source);
#include "reports/jobs/fields.def"
}

/* The partition's own count of leaks is that of the run alone, beside which it stands. */
static void put_job_json(struct report_json *json, json_t *list, const struct report_job *job)
{
    const struct report_run *alone = job->alone;
    json_t *entry = report_json_entry(json, list);

    report_json_put(json, entry, "trace", report_json_text(alone->trace));
    report_json_put(json, entry, "trace_format", report_json_text(alone->trace_format));
    report_json_put(json, entry, "trace_writer", report_json_text(alone->trace_writer));
    report_json_put(json, entry, "trace_fingerprint", report_json_text(alone->trace_fingerprint));
    report_json_put(json, entry, "ranks", report_json_integer(alone->ranks));
    report_json_put(json, entry, "mapping", report_json_text(alone->mapping));
    put_job_numbers(json, entry, job, PART_TIMES);
    report_clocks_json(json, entry, &alone->clocks);
    put_job_numbers(json, entry, job, PART_COMPANY);
    if (job->energy != NULL)
        report_energy_events_json(json, entry, job->energy);
    put_job_numbers(json, entry, job, PART_MESSAGES);
    report_partition_json(json, entry, &alone->partition);
    report_run_part_json(json, entry, alone, REPORT_PART_PLACEMENT);
    report_run_part_json(json, entry, alone, REPORT_PART_RECORDS);
    report_json_put(json, entry, "digest_alone", report_json_text(alone->digest));
}

/* One entry, in the order in which the streams were given; its partition is the one that it sends within. */
static void put_background_json(struct report_json *json, json_t *list,
                                const struct report_background *background)
{
    json_t *entry = report_json_entry(json, list);

    report_json_put(json, entry, "pattern", report_json_text(background->pattern));
    report_json_put(json, entry, "arrivals", report_json_text(background->arrivals));
    report_json_put(json, entry, "lengths", report_json_text(background->lengths));
    put_background_numbers(json, entry, background);
    report_partition_json(json, entry, &background->partition);
}

/* Of the first job's run: what is common is the same in all of them. */
static void put_options(struct report_json *json, json_t *top, const struct report_jobs *jobs)
{
    const struct report_run *first = jobs->jobs[0].alone;
    json_t *options = report_json_object(json, top, "options");

    for (uint32_t i = 0; i < first->option_count; i++)
        if (report_jobs_option_is_common(first->options[i].name))
            report_json_put(json, options, first->options[i].name, report_option_json(&first->options[i]));
}

/* Keys and their meaning are the schema's. Of the network as a whole first, then each job with its run alone;
 * digest and host come last, as in every answer. */
int report_jobs_json(const struct report_jobs *jobs, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_JOBS_SCHEMA);
    const struct report_physical unknown = {0};
    json_t *list;

    report_json_put(&json, top, "topology", report_json_text(jobs->topology));
    report_json_put(&json, top, "terminals", report_json_integer(jobs->terminals));
    report_json_put(&json, top, "routers", report_json_integer(jobs->routers));
    report_json_put(&json, top, "routing", report_json_text(jobs->routing));
    report_json_put(&json, top, "seed", report_json_integer(jobs->seed));
    put_options(&json, top, jobs);
    report_inputs_json(&json, top, &jobs->inputs);
    report_physical_json(&json, top, jobs->job_count > 0 ? &jobs->jobs[0].alone->physical : &unknown);
    report_json_put(&json, top, "interrupted", report_json_text(jobs->interrupted));
    put_jobs_numbers(&json, top, jobs);
    report_energy_json(&json, top, jobs->energy);
    report_cost_section_json(&json, top, jobs->costs);
    list = report_json_array(&json, top, "jobs");
    for (uint32_t i = 0; i < jobs->job_count; i++)
        put_job_json(&json, list, &jobs->jobs[i]);
    list = report_json_array(&json, top, "background");
    for (uint32_t i = 0; i < jobs->background_count; i++)
        put_background_json(&json, list, &jobs->backgrounds[i]);
    report_json_put(&json, top, "approximated", json_boolean(jobs->approximated));
    report_json_put(&json, top, "digest", report_json_text(jobs->digest));
    report_json_host(&json, top, &jobs->host);
    return report_json_finish(&json, stream, error);
}
