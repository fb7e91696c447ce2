/* The reader of technology files (technology.h has the grammar): line by line, word by word, each checked
 * where it stands, so that an error points at it. Values are finite and not negative: sums and products of
 * such are what circuits take, and no misprint cancels another one. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/names.h"
#include "base/words.h"
#include "netmodel/costs/technology-internal.h"

#define FILE_BYTES_MAX (1 << 20) /* of a file that some people write by hand */
#define WORDS_MAX 256
#define VALUE_MAX 1e30

struct reader {
    struct net_technology *technology; /* that is filled */
    struct base_position where;        /* path and line; the column is set for each error */
    struct base_word words[WORDS_MAX]; /* of the line at hand */
    size_t count;                      /* of words */
    bool begun;                        /* the first statement has named the format */
    bool begins_form;                  /* of the next term or table */
    struct net_cost_form *form;        /* of the open column; NULL: none */
    struct net_cost_term *table;       /* whose nodes may follow; NULL: none */
    struct base_position table_at;
};

/* Points at a word, for an error about it. */
static const struct base_position *at(struct reader *reader, uint32_t word)
{
    reader->where.column = word < reader->count ? reader->words[word].column : -1;
    return &reader->where;
}

/* ---- words ---- */

/* The lowest number that a value may be is 0; of what strtod reads, decimal numbers alone are taken. */
static int read_value(struct reader *reader, uint32_t word, const char *text, double *value,
                      struct base_error *error)
{
    char *end;
    *value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || strspn(text, "0123456789.eE+-") != strlen(text))
        return base_error_at(error, BASE_INPUT, at(reader, word), "'%.40s' is not a number", text);
    if (*value < 0)
        return base_error_at(error, BASE_INPUT, at(reader, word), "'%.40s' is negative", text);
    if (*value > VALUE_MAX)
        return base_error_at(error, BASE_INPUT, at(reader, word), "'%.40s' is more than %g", text, VALUE_MAX);
    return 0;
}

/* The word as a number; a statement that ends before it is told what is missing. */
static int read_number(struct reader *reader, uint32_t word, const char *what, double *value,
                       struct base_error *error)
{
    if (word >= reader->count)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "%s is missing after '%.40s'", what,
                             reader->words[reader->count - 1].text);
    return read_value(reader, word, reader->words[word].text, value, error);
}

/* The axis whose name the first `length` characters of a word are, with the names there are where it is none. */
static int read_axis(struct reader *reader, uint32_t word, size_t length, enum net_cost_axis *axis,
                     struct base_error *error)
{
    const char *known[NET_AXES];
    const struct base_names names = BASE_NAMES_OF_TEXTS("axis", known, NET_AXES);
    struct base_error refused;
    for (size_t i = 0; i < NET_AXES; i++)
        known[i] = net_cost_axis_name((enum net_cost_axis)i);
    size_t place = base_names_find(&names, reader->words[word].text, length, &refused);
    if (place == NET_AXES)
        return base_error_at(error, BASE_INPUT, at(reader, word), "%s", refused.text);
    *axis = (enum net_cost_axis)place;
    return 0;
}

/* "AXIS" or "AXIS^POWER", to the end of the line. */
static int read_factors(struct reader *reader, uint32_t word, struct net_cost_term *term,
                        struct base_error *error)
{
    for (; word < reader->count; word++) {
        const char *text = reader->words[word].text, *power = strchr(text, '^');
        struct net_cost_factor *factor = &term->factors[term->factor_count];
        if (term->factor_count++ == NET_COST_FACTORS_MAX)
            return base_error_at(error, BASE_INPUT, at(reader, word), "more than %d factors",
                                 NET_COST_FACTORS_MAX);
        factor->power = 1;
        if (read_axis(reader, word, strcspn(text, "^"), &factor->axis, error) != 0 ||
            (power != NULL && read_value(reader, word, power + 1, &factor->power, error) != 0))
            return -1;
    }
    return 0;
}

/* ---- statements ---- */

/* A table is complete when something else follows: one node says nothing of what is between nodes. */
static int close_table(struct reader *reader, struct base_error *error)
{
    const struct net_cost_term *table = reader->table;
    reader->table = NULL;
    if (table == NULL || table->node_count >= 2)
        return 0;
    return base_error_at(error, BASE_INPUT, &reader->table_at,
                         "the table has fewer than two nodes: at X VALUE ...");
}

/* Where the next term of the open column goes. NULL: there is no open column, or memory. */
static struct net_cost_term *new_term(struct reader *reader, struct base_error *error)
{
    struct net_cost_form *form = reader->form;
    if (form == NULL) {
        base_error_at(error, BASE_INPUT, at(reader, 0), "'%s' precedes the first column",
                      reader->words[0].text);
        return NULL;
    }
    if (base_grow(&form->terms, &form->term_capacity, form->term_count + 1, sizeof *form->terms) != 0) {
        base_error_memory(error, "a technology");
        return NULL;
    }
    struct net_cost_term *term = &form->terms[form->term_count++];
    *term = (struct net_cost_term){.begins_form = reader->begins_form};
    reader->begins_form = false;
    return term;
}

/* "term VALUE AXIS…": one summand of the open form. */
static int read_term(struct reader *reader, struct base_error *error)
{
    struct net_cost_term *term = new_term(reader, error);
    if (term == NULL || read_number(reader, 1, "a value", &term->value, error) != 0)
        return -1;
    return read_factors(reader, 2, term, error);
}

/* "table AXIS linear|log [of AXES]": a summand whose value is looked up; its nodes follow, line by line. */
static int read_table(struct reader *reader, struct base_error *error)
{
    struct net_cost_term *term = new_term(reader, error);
    if (term == NULL)
        return -1;
    if (reader->count < 3 ||
        (strcmp(reader->words[2].text, "log") != 0 && strcmp(reader->words[2].text, "linear") != 0))
        return base_error_at(error, BASE_INPUT, at(reader, 0),
                             "a table is: table AXIS log|linear [of AXIS...]");
    term->is_table = true;
    term->is_log = strcmp(reader->words[2].text, "log") == 0;
    if (read_axis(reader, 1, SIZE_MAX, &term->axis, error) != 0)
        return -1;
    if (reader->count > 3 && strcmp(reader->words[3].text, "of") != 0)
        return base_error_at(error, BASE_INPUT, at(reader, 3), "'%.40s': 'of' and powers of axes may follow",
                             reader->words[3].text);
    reader->table = term;
    reader->table_at = *at(reader, 0);
    return read_factors(reader, 4, term, error);
}

/* Pairs of X and VALUE, X growing from line to line. Several pairs may stand on a line; the order is checked
 * across lines as well. */
static int read_nodes(struct reader *reader, struct base_error *error)
{
    struct net_cost_term *table = reader->table;
    size_t capacity = table == NULL ? 0 : table->node_count;
    if (table == NULL)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "'at' does not follow a table");
    for (uint32_t word = 1; word == 1 || word < reader->count; word += 2) {
        struct net_cost_node node;
        if (read_number(reader, word, "X", &node.x, error) != 0 ||
            read_number(reader, word + 1, "a value", &node.value, error) != 0)
            return -1;
        if (table->node_count > 0 && node.x <= table->nodes[table->node_count - 1].x)
            return base_error_at(error, BASE_INPUT, at(reader, word), "%g does not follow %g: X must grow",
                                 node.x, table->nodes[table->node_count - 1].x);
        if (base_grow(&table->nodes, &capacity, (size_t)table->node_count + 1, sizeof node) != 0)
            return base_error_memory(error, "a technology");
        table->nodes[table->node_count++] = node;
    }
    return 0;
}

/* "column NAME error PERCENT": what follows is of this column, which may not have been there before. */
static int read_column(struct reader *reader, struct base_error *error)
{
    const char *known[NET_COST_COLUMNS];
    const struct base_names names = BASE_NAMES_OF_TEXTS("column", known, NET_COST_COLUMNS);
    struct base_error refused;
    for (size_t i = 0; i < NET_COST_COLUMNS; i++)
        known[i] = net_cost_row((enum net_cost_column)i)->name;
    if (reader->count < 2)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "a column is: column NAME [error PERCENT]");
    size_t place = base_names_find(&names, reader->words[1].text, SIZE_MAX, &refused);
    if (place == NET_COST_COLUMNS)
        return base_error_at(error, BASE_INPUT, at(reader, 1), "%s", refused.text);
    reader->form = &reader->technology->columns[place];
    reader->begins_form = true;
    if (reader->form->term_count > 0)
        return base_error_at(error, BASE_INPUT, at(reader, 1), "column %s is declared already",
                             reader->words[1].text);
    reader->form->error = NAN;
    if (reader->count == 2)
        return 0;
    if (strcmp(reader->words[2].text, "error") != 0)
        return base_error_at(error, BASE_INPUT, at(reader, 2), "a column is: column NAME [error PERCENT]");
    return read_number(reader, 3, "a percentage", &reader->form->error, error);
}

/* Another form of the column, which must have one. */
static int read_or(struct reader *reader, struct base_error *error)
{
    if (reader->form == NULL || reader->begins_form)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "'or' follows neither a term nor a table");
    reader->begins_form = true;
    return 0;
}

/* "range AXIS LEAST MOST": beyond it the file says nothing, and answers are refused. Derived axes follow from
 * others, so that a range of theirs could contradict. */
static int read_range(struct reader *reader, struct base_error *error)
{
    enum net_cost_axis axis;
    double least, most;
    if (reader->count < 2)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "a range is: range AXIS LEAST MOST");
    if (read_axis(reader, 1, SIZE_MAX, &axis, error) != 0 ||
        read_number(reader, 2, "the least value", &least, error) != 0 ||
        read_number(reader, 3, "the largest value", &most, error) != 0)
        return -1;
    if (axis > NET_AXIS_LANES)
        return base_error_at(error, BASE_INPUT, at(reader, 1), "%s follows from others, and has no range",
                             reader->words[1].text);
    if (least > most)
        return base_error_at(error, BASE_INPUT, at(reader, 3), "%g is less than %g", most, least);
    reader->technology->least[axis] = least;
    reader->technology->most[axis] = most;
    return 0;
}

/* The words behind the first, joined again. */
static int read_words(struct reader *reader, const char **text, struct base_error *error)
{
    struct base_arena *arena = &reader->technology->arena;
    char *joined = reader->count < 2 ? NULL : base_arena_text(arena, reader->words[1].text);
    if (reader->count < 2)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "nothing follows '%s'", reader->words[0].text);
    for (uint32_t i = 2; i < reader->count && joined != NULL; i++)
        joined = base_arena_format(arena, "%s %s", joined, reader->words[i].text);
    *text = joined;
    return joined == NULL ? base_error_memory(error, "a technology") : 0;
}

/* "name WORD": as answers call the technology. */
static int read_name(struct reader *reader, struct base_error *error)
{
    return read_words(reader, &reader->technology->name, error);
}

/* "summary WORDS": a line for people. */
static int read_summary(struct reader *reader, struct base_error *error)
{
    return read_words(reader, &reader->technology->summary, error);
}

/* "nm NUMBER": the feature size, which answers repeat. */
static int read_nm(struct reader *reader, struct base_error *error)
{
    return read_number(reader, 1, "a size", &reader->technology->nm, error);
}

static const struct statement {
    const char *name;
    int (*read)(struct reader *reader, struct base_error *error);
} statements[] = {{"name", read_name},   {"summary", read_summary}, {"nm", read_nm},
                  {"range", read_range}, {"column", read_column},   {"term", read_term},
                  {"table", read_table}, {"at", read_nodes},        {"or", read_or}};

#define STATEMENTS (sizeof statements / sizeof statements[0])

/* The first one names the format, so that another file is told from a misprint. */
static int read_statement(struct reader *reader, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES_OF_ROWS("statement", statements, struct statement);
    struct base_error refused;
    if (!reader->begun) {
        reader->begun = true;
        if (reader->count == 2 && strcmp(reader->words[0].text, "flitreplay-technology") == 0 &&
            strcmp(reader->words[1].text, "1") == 0)
            return 0;
        return base_error_at(error, BASE_INPUT, at(reader, 0),
                             "a technology begins with: flitreplay-technology 1");
    }
    size_t place = base_names_find(&names, reader->words[0].text, SIZE_MAX, &refused);
    if (place == STATEMENTS)
        return base_error_at(error, BASE_INPUT, at(reader, 0), "%s", refused.text);
    if (strcmp(statements[place].name, "at") != 0 && close_table(reader, error) != 0)
        return -1;
    return statements[place].read(reader, error);
}

/* ---- lines ---- */

/* Splits a line in place; '#' begins a comment. */
static int split(struct reader *reader, char *line, struct base_error *error)
{
    reader->count = base_words_split(line, reader->words, WORDS_MAX);
    if (reader->count <= WORDS_MAX)
        return 0;
    return base_error_at(error, BASE_INPUT, at(reader, 0), "more than %d words in a line", WORDS_MAX);
}

/* The bytes of the file end with a zero, which no text has before. What only the end can tell comes last: an open
 * table, an empty file, a file without any column. */
static int read_lines(struct reader *reader, char *text, struct base_error *error)
{
    for (char *line = text, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        reader->where.line++;
        if (split(reader, line, error) != 0 || (reader->count > 0 && read_statement(reader, error) != 0))
            return -1;
    }
    if (close_table(reader, error) != 0)
        return -1;
    reader->where.line = -1;
    reader->count = 0;
    if (!reader->begun)
        return base_error_at(error, BASE_INPUT, at(reader, 0),
                             "the file is empty; a technology begins with: flitreplay-technology 1");
    for (size_t i = 0; i < NET_COST_COLUMNS; i++)
        if (reader->technology->columns[i].term_count > 0)
            return 0;
    return base_error_at(error, BASE_INPUT, at(reader, 0),
                         "the technology has no column with a term or table");
}

/* A copy that ends with a zero and may be split. NULL: error. */
static char *text_of(const struct base_input *input, const struct base_position *where,
                     struct base_error *error)
{
    char *text;
    if (input->size > FILE_BYTES_MAX) {
        base_error_at(error, BASE_INPUT, where, "%zu bytes; a technology has %d at most", input->size,
                      FILE_BYTES_MAX);
        return NULL;
    }
    if (memchr(input->bytes, '\0', input->size) != NULL) {
        base_error_at(error, BASE_INPUT, where, "a zero byte: this is not a text file");
        return NULL;
    }
    text = malloc(input->size + 1);
    if (text == NULL) {
        base_error_memory(error, "a technology");
        return NULL;
    }
    memcpy(text, input->bytes, input->size);
    text[input->size] = '\0';
    return text;
}

/* The whole file into the technology, whose parts belong to its arena. */
static int read_input(struct net_technology *technology, const struct base_input *input,
                      struct base_error *error)
{
    struct reader reader = {.technology = technology, .where = base_position_of(input->path)};
    char *text = text_of(input, &reader.where, error);
    int status;
    if (text == NULL)
        return -1;
    reader.where.line = 0;
    status = read_lines(&reader, text, error);
    free(text);
    return status;
}

/* Empty, with the name and the digest of its file: what a stored result is told apart by. */
static struct net_technology *new_technology(const struct base_input *input)
{
    struct net_technology *technology = calloc(1, sizeof *technology);
    if (technology == NULL)
        return NULL;
    for (size_t i = 0; i < NET_AXES; i++)
        technology->least[i] = technology->most[i] = NAN;
    for (size_t i = 0; i < NET_COST_COLUMNS; i++)
        technology->columns[i].error = NAN;
    technology->nm = NAN;
    technology->input.path = base_arena_text(&technology->arena, input->path);
    memcpy(technology->input.digest, input->digest, sizeof input->digest);
    technology->name = technology->input.path;
    technology->summary = "";
    if (technology->input.path != NULL)
        return technology;
    net_technology_free(technology);
    return NULL;
}

/* The whole file is read before the first line is looked at, so that its digest is of what was parsed. */
struct net_technology *net_technology_read(const char *path, struct base_error *error)
{
    struct net_technology *technology;
    struct base_input input;
    if (base_input_open(&input, path) != 0) {
        base_error_system(error, errno, "technology %s cannot be read", path);
        return NULL;
    }
    technology = new_technology(&input);
    if (technology == NULL)
        base_error_memory(error, "a technology");
    else if (read_input(technology, &input, error) != 0) {
        net_technology_free(technology);
        technology = NULL;
    }
    base_input_close(&input);
    return technology;
}
