/* Costs of networks for programs: JSON and CSV. */
#include "reports/cost/fields.h"
#include "reports/pages/csv.h"

/* By columns.def, so that a column of a later technology format is in every answer. */
static void add_router(struct report_json *json, json_t *entry, const struct report_cost_network *network)
{
    json_t *router = report_json_object(json, entry, "router");

    for (enum net_cost_column column = 0; column < NET_COST_LINKS; column++)
        if (net_cost_row(column)->role != NET_COST_REST)
            report_json_put(json, router, net_cost_row(column)->name,
                            report_json_real(network->costs.router[column]));
}

/* null where the number is known: a reader need not tell an empty text from none. */
static void add_reason(struct report_json *json, json_t *object, const char *key, const char *reason)
{
    report_json_put(json, object, key, *reason == '\0' ? json_null() : report_json_text(reason));
}

/* For every answer that has costs in it, so that their keys are the same everywhere. */
void report_cost_network_json(struct report_json *json, json_t *object,
                              const struct report_cost_network *network)
{
    size_t count;
    const struct report_field *fields = report_cost_fields(&count);
    json_t *reasons;

    report_json_put(json, object, "topology", report_json_text(network->topology));
    report_json_put(json, object, "routing", report_json_text(network->routing));
    for (size_t i = 0; i < count; i++)
        report_json_put(json, object, fields[i].key, report_field_json(&fields[i], network));
    add_router(json, object, network);
    reasons = report_json_object(json, object, "reasons");
    add_reason(json, reasons, "layout", network->costs.layout_reason);
    add_reason(json, reasons, "router", network->costs.router_reason);
    add_reason(json, reasons, "links", network->costs.link_reason);
}

/* What all networks have in common stands above them. */
int report_cost_json(const struct report_cost *report, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, "flitreplay-cost-1");
    json_t *networks;

    report_json_put(&json, top, "technology", report_json_text(net_technology_name(report->technology)));
    report_json_put(&json, top, "pitch_mm", report_json_real(report->pitch_mm));
    report_json_put(&json, top, "racks", report_json_text(report->racks));
    report_json_put(&json, top, "clock_ghz", report_json_real((double)report->clock_khz * 1e-6));
    report_inputs_json(&json, top, &report->inputs);
    networks = report_json_array(&json, top, "networks");
    for (size_t i = 0; i < report->count; i++) {
        json_t *entry = report_json_entry(&json, networks);
        report_physical_json(&json, entry, &report->networks[i].physical);
        report_cost_network_json(&json, entry, &report->networks[i]);
    }
    report_json_host(&json, top, &report->host);
    return report_json_finish(&json, stream, error);
}

/* ---- CSV ---- */

/* The same keys as in JSON, in the same order; the router's with a prefix, since CSV has no objects. */
static void put_head(FILE *stream)
{
    size_t count;
    const struct report_field *fields = report_cost_fields(&count);

    fputs("topology,routing,technology", stream);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, ",%s", fields[i].key);
    for (enum net_cost_column column = 0; column < NET_COST_LINKS; column++)
        if (net_cost_row(column)->role != NET_COST_REST)
            fprintf(stream, ",router_%s", net_cost_row(column)->name);
    fputc('\n', stream);
}

/* Nine digits: what a technology says has fewer. A line can be read by itself: the technology is repeated in each. */
static void put_line(FILE *stream, const struct report_cost *report,
                     const struct report_cost_network *network)
{
    size_t count;
    const struct report_field *fields = report_cost_fields(&count);

    report_csv_text(stream, network->topology);
    fputc(',', stream);
    report_csv_text(stream, network->routing == NULL ? "" : network->routing);
    fputc(',', stream);
    report_csv_text(stream, net_technology_name(report->technology));
    for (size_t i = 0; i < count; i++) {
        fputc(',', stream);
        report_field_csv(stream, &fields[i], network);
    }
    for (enum net_cost_column column = 0; column < NET_COST_LINKS; column++)
        if (net_cost_row(column)->role != NET_COST_REST) {
            fputc(',', stream);
            report_cost_csv_real(stream, network->costs.router[column]);
        }
    fputc('\n', stream);
}

/* Its only errors are the stream's, which the caller's output tells. */
int report_cost_csv(const struct report_cost *report, FILE *stream, struct base_error *error)
{
    (void)error;
    put_head(stream);
    for (size_t i = 0; i < report->count; i++)
        put_line(stream, report, &report->networks[i]);
    return 0;
}
