/* One router or one link, as text, JSON and CSV. The shape comes first, then what the technology says of
 * it. */
#include "reports/cost/part.h"

#include <math.h>

#include "reports/cost/fields.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

#define SHAPE_MAX 4

/* A part of the shape, as answers call it. */
struct shape_value {
    const char *key; /* as in the option, and in JSON */
    double value;
};

/* What was asked: of a link its width and length, of a router its ports, width, channels and buffers. Returns how
 * many values were written. A length that is no number tells a router from a link. */
static size_t shape_of(const struct report_cost_part *part, struct shape_value shape[SHAPE_MAX])
{
    if (!isnan(part->length_mm)) {
        shape[0] = (struct shape_value){"flit_bits", part->shape.flit_bits};
        shape[1] = (struct shape_value){"length_mm", part->length_mm};
        return 2;
    }
    shape[0] = (struct shape_value){"ports", part->shape.ports};
    shape[1] = (struct shape_value){"flit_bits", part->shape.flit_bits};
    shape[2] = (struct shape_value){"virtual_channels", part->shape.virtual_channels};
    shape[3] = (struct shape_value){"buffer_flits", part->shape.buffer_flits};
    return SHAPE_MAX;
}

/* Columns of routers or of links, but for those that no answer shows. */
static bool is_shown(const struct report_cost_part *part, enum net_cost_column column)
{
    enum net_cost_role role = net_cost_row(column)->role;
    return role != NET_COST_REST && (role == NET_COST_LINK) == !isnan(part->length_mm);
}

/* A table of the shape, then of every column with the error that the technology states for it. Values that it does
 * not know are said to be so and never shown as zero. The shape first, as it was asked for. */
int report_cost_part_text(const struct report_cost_part *part, FILE *stream, unsigned width,
                          struct base_error *error)
{
    struct report_page page;
    struct shape_value shape[SHAPE_MAX];
    size_t count = shape_of(part, shape);
    char text[REPORT_COST_TEXT];

    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0, "technology %s: %s", net_technology_name(part->technology),
                          net_technology_summary(part->technology));
    report_page_gap(&page);
    report_page_table(&page, "lrl");
    for (size_t i = 0; i < count; i++) {
        report_page_cell(&page, "  %s", shape[i].key);
        report_page_cell(&page, "%g", shape[i].value);
        report_page_cell(&page, "%s", "");
    }
    for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++) {
        double within = net_technology_error(part->technology, column);
        if (!is_shown(part, column))
            continue;
        report_page_cell(&page, "  %s", net_cost_row(column)->name);
        report_page_cell(&page, "%s", report_cost_real(part->values[column], text));
        if (within > 0 && !isnan(part->values[column]))
            report_page_cell(&page, "within %g %%", within);
        else
            report_page_cell(&page, "%s", isnan(part->values[column]) ? "the technology does not say" : "");
    }
    report_page_table_end(&page);
    return report_page_finish(&page, error);
}

/* Whole numbers as such. */
static json_t *shape_json(double value)
{
    return value == floor(value) ? report_json_integer((uint64_t)value) : report_json_real(value);
}

/* The keys are the columns' names, so that an answer can be laid beside a row of a table; the errors are an object
 * of the same keys. Values that the technology does not know are null. Two schemas, one for routers and one for
 * links. */
int report_cost_part_json(const struct report_cost_part *part, FILE *stream, struct base_error *error)
{
    struct report_json json;
    struct shape_value shape[SHAPE_MAX];
    size_t count = shape_of(part, shape);
    bool is_link = !isnan(part->length_mm);
    json_t *top = report_json_begin(&json, is_link ? "flitreplay-cost-link-1" : "flitreplay-cost-router-1");
    json_t *errors;
    double nm = net_technology_nm(part->technology);

    report_json_put(&json, top, "technology", report_json_text(net_technology_name(part->technology)));
    report_inputs_json(&json, top, &part->inputs);
    report_json_put(&json, top, "technology_nm", isnan(nm) ? json_null() : shape_json(nm));
    for (size_t i = 0; i < count; i++)
        report_json_put(&json, top, shape[i].key, shape_json(shape[i].value));
    for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++)
        if (is_shown(part, column))
            report_json_put(&json, top, net_cost_row(column)->name, report_json_real(part->values[column]));
    errors = report_json_object(&json, top, "error_percent");
    for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++)
        if (is_shown(part, column))
            report_json_put(&json, errors, net_cost_row(column)->name,
                            report_json_real(net_technology_error(part->technology, column)));
    report_json_host(&json, top, &part->host);
    return report_json_finish(&json, stream, error);
}

/* A head and one row, in the order of the text; a field that is not known is empty. */
int report_cost_part_csv(const struct report_cost_part *part, FILE *stream, struct base_error *error)
{
    struct shape_value shape[SHAPE_MAX];
    size_t count = shape_of(part, shape);

    (void)error;
    fputs("technology_nm", stream);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, ",%s", shape[i].key);
    for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++)
        if (is_shown(part, column))
            fprintf(stream, ",%s", net_cost_row(column)->name);
    fputc('\n', stream);
    report_cost_csv_real(stream, net_technology_nm(part->technology));
    for (size_t i = 0; i < count; i++)
        fprintf(stream, ",%g", shape[i].value);
    for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++)
        if (is_shown(part, column)) {
            fputc(',', stream);
            report_cost_csv_real(stream, part->values[column]);
        }
    fputc('\n', stream);
    return 0;
}
