/* Lists of a few files. An addition copies the list, which nobody has to free before its arena. */
#include "reports/pages/inputs.h"

#include <string.h>

#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* The digest, too: a file that has changed between two openings is another input, and the answer says both. */
static bool is_same(const struct report_input *input, const char *option, const struct base_input_name *name)
{
    return strcmp(input->option, option) == 0 && strcmp(input->path, name->path) == 0 &&
           strcmp(input->digest, name->digest) == 0;
}

/* Lists are of a few files: copied into a new array, since an arena cannot grow one. The same file twice
 * under one option is one input. */
int report_inputs_add(struct report_inputs *inputs, struct base_arena *arena, const char *option,
                      const struct base_input_name *name)
{
    struct report_input *list;

    if (name->path == NULL)
        return 0;
    for (uint32_t i = 0; i < inputs->count; i++)
        if (is_same(&inputs->input[i], option, name))
            return 0;
    list = base_arena_array(arena, (size_t)inputs->count + 1, sizeof *list);
    if (list == NULL)
        return -1;
    if (inputs->count > 0)
        memcpy(list, inputs->input, inputs->count * sizeof *list);
    list[inputs->count] = (struct report_input){option, base_arena_text(arena, name->path),
                                                base_arena_text(arena, name->digest)};
    if (list[inputs->count].path == NULL || list[inputs->count].digest == NULL)
        return -1;
    inputs->input = list;
    inputs->count++;
    return 0;
}

/* Whether two runs have read the same, option by option in the same order. Paths do not matter: a copied file with
 * the same content is the same input. */
bool report_inputs_equal(const struct report_inputs *a, const struct report_inputs *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->input[i].option, b->input[i].option) != 0 ||
            strcmp(a->input[i].digest, b->input[i].digest) != 0)
            return false;
    return true;
}

/* A list and not an object: an option may name several files. */
void report_inputs_json(struct report_json *json, json_t *object, const struct report_inputs *inputs)
{
    json_t *list = report_json_array(json, object, "inputs");

    for (uint32_t i = 0; i < inputs->count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "option", report_json_text(inputs->input[i].option));
        report_json_put(json, entry, "path", report_json_text(inputs->input[i].path));
        report_json_put(json, entry, "digest", report_json_text(inputs->input[i].digest));
    }
}

/* Two cells a file, for the table of an answer's provenance. */
void report_inputs_rows(struct report_page *page, const struct report_inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        report_page_cell(page, "hash of --%s", inputs->input[i].option);
        report_page_cell(page, "%s of %s", inputs->input[i].digest, inputs->input[i].path);
    }
}

/* One field for all of them: a table has one column for inputs, however many there are. */
void report_inputs_csv(FILE *stream, const struct report_inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++)
        fprintf(stream, "%s%s=%s", i == 0 ? "" : " ", inputs->input[i].option, inputs->input[i].digest);
}
