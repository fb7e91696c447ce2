/* Technologies: every row that DSENT answered against the forms that are installed, nodes left out at
 * random against the error that their column states, and files that are no technology. */
#include <config.h>

#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "netmodel/costs/technology-internal.h"
#include "tests/netmodel/cases.h"

static const char *source_directory(void)
{
    const char *directory = getenv("top_srcdir");
    return directory == NULL ? "." : directory;
}

static struct net_technology *installed(const char *name)
{
    char path[4096];
    struct base_error error;
    snprintf(path, sizeof path, "%s/netmodel/costs/technologies/%s.technology", source_directory(), name);
    struct net_technology *technology = net_technology_read(path, &error);
    if (technology == NULL)
        fail_msg("%s", error.text);
    return technology;
}

/* Per cent between a value and what it should be; two zeros are equal. */
static double off(double value, double wanted)
{
    return wanted == 0 ? (value == 0 ? 0 : INFINITY) : 100 * fabs(value / wanted - 1);
}

/* ---- rows ---- */

/* The column of that name; there is one. */
static enum net_cost_column column_named(const char *name)
{
    enum net_cost_column column = 0;
    while (column < NET_COST_COLUMNS && strcmp(net_cost_row(column)->name, name) != 0)
        column++;
    assert_true(column < NET_COST_COLUMNS);
    return column;
}

/* The columns of a row that are asked for, by the names of its head. */
static void check_row(const struct net_technology *technology, char *const *head, char *const *field,
                      unsigned first, unsigned count, const double values[NET_COST_COLUMNS])
{
    for (unsigned i = first; i < count; i++) {
        enum net_cost_column column = column_named(head[i]);
        double error = off(values[column], strtod(field[i], NULL));
        if (!(error <= net_technology_error(technology, column)))
            fail_msg("%s: %s is %g, not %s, of %s,%s,%s,%s,%s", net_technology_name(technology), head[i],
                     values[column], field[i], field[0], field[1], field[2], field[3], field[4]);
    }
}

/* Whether the row is of a technology "45nm". */
static bool is_of(const char *field, const char *name)
{
    size_t length = strlen(field);
    return strncmp(field, name, length) == 0 && strcmp(name + length, "nm") == 0;
}

static unsigned check_rows(const char *file, unsigned shape_fields, const char *name)
{
    FILE *golden = cases_open_golden(file);
    struct net_technology *technology = installed(name);
    char line[8192], first[8192];
    char *field[CASES_FIELDS], *head[CASES_FIELDS];
    double values[NET_COST_COLUMNS];
    unsigned rows = 0;
    struct base_error error;
    assert_non_null(fgets(first, sizeof first, golden));
    unsigned count = cases_split(first, head);
    while (fgets(line, sizeof line, golden) != NULL) {
        assert_int_equal(cases_split(line, field), count);
        if (!is_of(field[0], name))
            continue;
        if (shape_fields == 5) {
            struct net_router_shape shape = {(uint32_t)atoi(field[1]), (uint32_t)atoi(field[2]),
                                             (uint32_t)atoi(field[3]), (uint32_t)atoi(field[4])};
            assert_int_equal(net_technology_router(technology, &shape, values, &error), 0);
        } else {
            assert_int_equal(net_technology_link(technology, (uint32_t)atoi(field[1]), strtod(field[2], NULL),
                                                 values, &error),
                             0);
        }
        check_row(technology, head, field, shape_fields, count, values);
        rows++;
    }
    fclose(golden);
    net_technology_free(technology);
    return rows;
}

static void golden_rows(void **state)
{
    static const char *const names[] = {"45nm", "32nm", "22nm", "11nm"};
    static const unsigned routers[] = {404, 328, 328, 328};
    FILE *golden = cases_open_golden("dsent-router.csv");
    (void)state;
    if (golden == NULL) {
        print_message("skipped: no shared folder with golden/dsent-router.csv\n");
        skip();
    }
    fclose(golden);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(check_rows("dsent-router.csv", 5, names[i]), routers[i]);
        assert_int_equal(check_rows("dsent-link.csv", 3, names[i]), 48);
    }
}

/* Numbers of the king thesis, Tables 4.2 and 4.4 to 4.7, as DSENT gives them; no shared folder is needed. */
static void thesis_routers(void **state)
{
    static const struct {
        struct net_router_shape shape;
        enum net_cost_column column;
        double wanted;
    } cases[] = {
        {{5, 64, 2, 4}, NET_COST_NDD_TOTAL, 8.8826e-3},
        {{9, 64, 2, 4}, NET_COST_NDD_TOTAL, 1.86552e-2},
        {{5, 64, 2, 4}, NET_COST_AREA_TOTAL, 0.03187},
        {{9, 64, 2, 4}, NET_COST_AREA_TOTAL, 0.06807},
        {{5, 64, 2, 4}, NET_COST_AREA_INPUT_BUFFERS, 0.02082},
        {{9, 64, 2, 4}, NET_COST_AREA_INPUT_BUFFERS, 0.03748},
        {{9, 32, 2, 4}, NET_COST_AREA_INPUT_BUFFERS, 0.01913},
        {{9, 64, 2, 2}, NET_COST_AREA_INPUT_BUFFERS, 0.01839},
        {{5, 64, 2, 4}, NET_COST_ENERGY_WRITE, 1.6768e-12},
        {{5, 64, 2, 4}, NET_COST_ENERGY_READ, 1.3095e-12},
        {{9, 64, 2, 4}, NET_COST_ENERGY_CROSSBAR, 1.7905e-12},
    };
    struct net_technology *technology = installed("45nm");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double values[NET_COST_COLUMNS];
        struct base_error error;
        assert_int_equal(net_technology_router(technology, &cases[i].shape, values, &error), 0);
        if (off(values[cases[i].column], cases[i].wanted) > 0.1)
            fail_msg("case %zu: %g, not %g", i, values[cases[i].column], cases[i].wanted);
    }
    net_technology_free(technology);
}

/* ---- nodes left out ---- */

/* A column at the node of one of its tables, all other axes in the middle of what there is. */
static double column_at(const struct net_technology *technology, enum net_cost_column column,
                        enum net_cost_axis axis, double x)
{
    struct net_router_shape shape = {5, 64, 2, 4};
    double values[NET_COST_COLUMNS];
    struct base_error error;
    int status;
    if (axis == NET_AXIS_PORTS)
        shape.ports = (uint32_t)x;
    if (axis == NET_AXIS_VCS)
        shape.virtual_channels = (uint32_t)x;
    if (axis == NET_AXIS_FLITS) {
        shape.virtual_channels = 1;
        shape.buffer_flits = (uint32_t)x;
    }
    if (axis == NET_AXIS_LANES) {
        shape.ports = x > 2048 ? 64 : 2;
        shape.flit_bits = (uint32_t)x / shape.ports;
    }
    status = axis == NET_AXIS_LENGTH ? net_technology_link(technology, 64, x, values, &error)
                                     : net_technology_router(technology, &shape, values, &error);
    if (status != 0)
        return NAN; /* beyond a range */
    return values[column];
}

/* Takes the node out, asks, and puts it back. */
static double error_without(const struct net_technology *technology, enum net_cost_column column,
                            struct net_cost_term *table, uint32_t node)
{
    struct net_cost_node taken = table->nodes[node];
    /* A part that no answer shows counts by its total. */
    enum net_cost_column asked = net_cost_row(column)->role == NET_COST_REST ? column + 1 : column;
    double with = column_at(technology, asked, table->axis, taken.x);
    double without;
    size_t behind = (table->node_count - node - 1) * sizeof taken;
    memmove(&table->nodes[node], &table->nodes[node + 1], behind);
    table->node_count--;
    without = column_at(technology, asked, table->axis, taken.x);
    table->node_count++;
    memmove(&table->nodes[node + 1], &table->nodes[node], behind);
    table->nodes[node] = taken;
    return isnan(with) ? 0 : off(without, with);
}

/* Numbers of ports and channels are whole: between 2 and 3 there is none. */
static bool has_between(const struct net_cost_term *table, uint32_t node)
{
    return table->axis == NET_AXIS_LENGTH || table->nodes[node + 1].x - table->nodes[node - 1].x > 2;
}

/* Leaving out a node makes its gap twice as wide, where a line errs by four times as much: what is between
 * the nodes that are there is off by a quarter of that, which the column's error must cover. */
static void nodes_left_out(void **state)
{
    size_t count;
    const struct net_technology_name *names = net_technologies(&count);
    unsigned tables = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        struct net_technology *technology = installed(names[i].name);
        assert_string_equal(net_technology_name(technology), names[i].name);
        assert_string_equal(net_technology_summary(technology), names[i].summary);
        for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++)
            for (size_t k = 0; k < technology->columns[column].term_count; k++) {
                struct net_cost_term *term = &technology->columns[column].terms[k];
                for (uint32_t node = 1; term->is_table && node + 1 < term->node_count; node++) {
                    double error = error_without(technology, column, term, node) / 4;
                    if (!has_between(term, node))
                        continue;
                    if (!(error <= net_technology_error(technology, column)))
                        fail_msg("%s: %s without node %g is off by %g %%", names[i].name,
                                 net_cost_row(column)->name, term->nodes[node].x, 4 * error);
                    tables++;
                }
            }
        net_technology_free(technology);
    }
    assert_true(tables > 500);
}

/* ---- rows left out ---- */

/* Nodes that are out of their tables, in the order in which they were taken. */
struct taken {
    struct net_cost_term *table;
    uint32_t node;
    struct net_cost_node was;
};
#define TAKEN_MAX 256

static void take_node(struct net_cost_term *table, uint32_t node, struct taken *taken, size_t *count)
{
    assert_true(*count < TAKEN_MAX);
    taken[(*count)++] = (struct taken){table, node, table->nodes[node]};
    memmove(&table->nodes[node], &table->nodes[node + 1],
            (table->node_count - node - 1) * sizeof *table->nodes);
    table->node_count--;
}

static void put_back(const struct taken *taken, size_t count)
{
    while (count-- > 0) {
        struct net_cost_term *table = taken[count].table;
        memmove(&table->nodes[taken[count].node + 1], &table->nodes[taken[count].node],
                (table->node_count - taken[count].node) * sizeof *table->nodes);
        table->nodes[taken[count].node] = taken[count].was;
        table->node_count++;
    }
}

/* Takes all nodes that stand at the row's place on any axis out of all columns, but first and last ones, beyond which
 * nothing is answered, and those between which and the next there is no other whole number. Returns how many. */
static size_t take_row(struct net_technology *technology, const double axes[NET_AXES], struct taken *taken)
{
    size_t count = 0;
    for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++)
        for (size_t k = 0; k < technology->columns[column].term_count; k++) {
            struct net_cost_term *term = &technology->columns[column].terms[k];
            for (uint32_t node = 1; term->is_table && node + 1 < term->node_count; node++)
                if (term->nodes[node].x == axes[term->axis] && has_between(term, node)) {
                    take_node(term, node, taken, &count);
                    break;
                }
        }
    return count;
}

/* A row of DSENT's table of routers, or of links, without any node of its own, against what it says. */
static void check_left_out(struct net_technology *technology, char *const *head, char *const *field,
                           unsigned first, unsigned count, double worst[NET_COST_COLUMNS])
{
    double axes[NET_AXES] = {0};
    double values[NET_COST_COLUMNS];
    struct taken taken[TAKEN_MAX];
    struct base_error error;
    int status;
    struct net_router_shape shape = {(uint32_t)atoi(field[1]), (uint32_t)atoi(field[2]), 0, 0};
    if (first == 5) {
        shape.virtual_channels = (uint32_t)atoi(field[3]);
        shape.buffer_flits = (uint32_t)atoi(field[4]);
        axes[NET_AXIS_PORTS] = shape.ports;
        axes[NET_AXIS_BITS] = shape.flit_bits;
        axes[NET_AXIS_VCS] = shape.virtual_channels;
        axes[NET_AXIS_BUFFERS] = shape.buffer_flits;
        axes[NET_AXIS_FLITS] = (double)shape.virtual_channels * shape.buffer_flits;
        axes[NET_AXIS_LANES] = (double)shape.ports * shape.flit_bits;
        axes[NET_AXIS_PEERS] = shape.ports - 1.0;
    } else {
        axes[NET_AXIS_BITS] = shape.ports;
        axes[NET_AXIS_LENGTH] = strtod(field[2], NULL);
    }
    size_t out = take_row(technology, axes, taken);
    status = first == 5 ? net_technology_router(technology, &shape, values, &error)
                        : net_technology_link(technology, (uint32_t)axes[NET_AXIS_BITS],
                                              axes[NET_AXIS_LENGTH], values, &error);
    put_back(taken, out);
    assert_int_equal(status, 0);
    for (unsigned i = first; i < count; i++) {
        enum net_cost_column column = column_named(head[i]);
        double by = off(values[column], strtod(field[i], NULL));
        worst[column] = fmax(worst[column], by);
    }
}

/* DRAWS rows drawn with replacement from those of a technology. */
#define DRAWS 400
#define ROWS_MAX 512

static void leave_out(const char *file, unsigned first, struct net_technology *technology, const char *name,
                      uint64_t seed, double worst[NET_COST_COLUMNS])
{
    FILE *golden = cases_open_golden(file);
    static char lines[ROWS_MAX][1024];
    char head_line[8192], line[1024];
    char *field[CASES_FIELDS], *head[CASES_FIELDS];
    unsigned rows = 0;
    struct base_random random;
    assert_non_null(fgets(head_line, sizeof head_line, golden));
    unsigned count = cases_split(head_line, head);
    while (rows < ROWS_MAX && fgets(lines[rows], sizeof lines[rows], golden) != NULL) {
        size_t length = strcspn(lines[rows], ",");
        rows += length + 2 == strlen(name) && strncmp(lines[rows], name, length) == 0;
    }
    fclose(golden);
    assert_true(rows > 0 && rows < ROWS_MAX);
    base_random_seed(&random, seed, first);
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        memcpy(line, lines[base_random_below(&random, rows)], sizeof line);
        assert_int_equal(cases_split(line, field), count);
        check_left_out(technology, head, field, first, count, worst);
    }
}

/* Without a row's own nodes the gaps around it are twice as wide on each of its axes at once: more than whoever asks
 * for a router between nodes meets. What the column states must cover it all the same: 2 %, or what it says. */
static void rows_left_out(void **state)
{
    FILE *golden = cases_open_golden("dsent-router.csv");
    size_t count;
    const struct net_technology_name *names = net_technologies(&count);
    (void)state;
    if (golden == NULL) {
        print_message("skipped: no shared folder with golden/dsent-router.csv\n");
        skip();
    }
    fclose(golden);
    for (size_t i = 0; i < count; i++) {
        struct net_technology *technology = installed(names[i].name);
        double worst[NET_COST_COLUMNS] = {0};
        leave_out("dsent-router.csv", 5, technology, names[i].name, i + 1, worst);
        leave_out("dsent-link.csv", 3, technology, names[i].name, i + 1, worst);
        for (enum net_cost_column column = 0; column < NET_COST_COLUMNS; column++) {
            if (!(worst[column] <= net_technology_error(technology, column)))
                fail_msg("%s: %s is off by %g %% without the row's nodes, and states %g %%", names[i].name,
                         net_cost_row(column)->name, worst[column], net_technology_error(technology, column));
        }
        net_technology_free(technology);
    }
}

/* ---- forms ---- */

static struct net_technology *read_text(const char *text, size_t length, struct base_error *error)
{
    char path[] = "/tmp/flitreplay-technology-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, length), (ssize_t)length);
    close(file);
    struct net_technology *technology = net_technology_read(path, error);
    unlink(path);
    return technology;
}

/* Sums, the larger of two forms, powers, both interpolations, and totals with parts missing. */
static void forms(void **state)
{
    static const char text[] = "flitreplay-technology 1\nname x # nobody's\nrange ports 1 10\n"
                               "column area_crossbar_mm2\nterm 2 ports^2\nor\nterm 10\nterm 1 bits\n"
                               "column energy_write_J error 7\ntable flits log of bits\nat 1 1 4 16\n"
                               "column energy_read_J\ntable flits linear\nat 1 1\nat 4 16\n"
                               "column ndd_total_W\nterm 3 peers\n";
    struct base_error error;
    struct net_technology *technology = read_text(text, strlen(text), &error);
    struct net_router_shape shape = {5, 20, 1, 2};
    double values[NET_COST_COLUMNS];
    (void)state;
    assert_non_null(technology);
    assert_int_equal(net_technology_router(technology, &shape, values, &error), 0);
    assert_true(values[NET_COST_AREA_CROSSBAR] == 50 && values[NET_COST_ENERGY_WRITE] == 80 &&
                values[NET_COST_ENERGY_READ] == 6 && values[NET_COST_NDD_TOTAL] == 12);
    assert_true(isnan(values[NET_COST_AREA_TOTAL]) && isnan(values[NET_COST_AREA_CLOCK]));
    assert_true(net_technology_error(technology, NET_COST_ENERGY_WRITE) == 7);
    assert_true(net_technology_has(technology, NET_COST_ENERGY_READ));
    shape.ports = 2;
    assert_int_equal(net_technology_router(technology, &shape, values, &error), 0);
    assert_true(values[NET_COST_AREA_CROSSBAR] == 30);
    shape.ports = 11;
    assert_int_equal(net_technology_router(technology, &shape, values, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "1 to 10 ports, not for 11"));
    net_technology_free(technology);
}

/* Each is refused at the word that is wrong. */
static void bad_files(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "the file is empty"},
        {"hello\n", "line 1, column 1: a technology begins with"},
        {"flitreplay-technology 2\n", "line 1, column 1: a technology begins with"},
        {"flitreplay-technology 1\n", "no column"},
        {"flitreplay-technology 1\ncolumn area_clock_mm2\n", "no column"},
        {"flitreplay-technology 1\ncolumn area\n", "line 2, column 8: unknown column 'area'"},
        {"flitreplay-technology 1\ncolum x\n",
         "line 2, column 1: unknown statement 'colum'; did you mean 'column'?"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm\n",
         "line 3, column 1: a value is missing after 'term'"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm x\n", "line 3, column 6: 'x' is not a number"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm 1e\n", "'1e' is not a number"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm nan\n", "'nan' is not a number"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm 0x1\n", "'0x1' is not a number"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm 1e999\n", "'1e999' is more than"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm -1\n", "line 3, column 6: '-1' is negative"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm 1 port\n",
         "line 3, column 8: unknown axis 'port'; did you mean 'ports'?"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm 1 ports^x\n", "'x' is not a number"},
        {"flitreplay-technology 1\nterm 1\n", "line 2, column 1: 'term' precedes the first column"},
        {"flitreplay-technology 1\nat 1 2\n", "line 2, column 1: 'at' does not follow a table"},
        {"flitreplay-technology 1\nor\n", "'or' follows neither a term"},
        {"flitreplay-technology 1\ncolumn energy_read_J\ntable ports log\nterm 1\n",
         "line 3, column 1: the table has fewer than two nodes"},
        {"flitreplay-technology 1\ncolumn energy_read_J\ntable ports log\nat 1 2\n",
         "line 3, column 1: the table has fewer than two nodes"},
        {"flitreplay-technology 1\ncolumn energy_read_J\ntable ports log\nat 1 2 1 3\n",
         "line 4, column 8: 1 does not follow 1"},
        {"flitreplay-technology 1\ncolumn energy_read_J\ntable ports log\nat 1 2 3\n", "a value is missing"},
        {"flitreplay-technology 1\ncolumn energy_read_J\ntable ports cubic\n", "a table is"},
        {"flitreplay-technology 1\ncolumn energy_read_J\ntable ports log for bits\n",
         "line 3, column 17: 'for'"},
        {"flitreplay-technology 1\nrange ports 5 2\n", "line 2, column 15: 2 is less than 5"},
        {"flitreplay-technology 1\nrange area 1 2\n", "has no range"},
        {"flitreplay-technology 1\ncolumn energy_read_J error\n", "a percentage is missing"},
        {"flitreplay-technology 1\ncolumn energy_read_J\nterm 1\ncolumn energy_read_J\n",
         "line 4, column 8: column energy_read_J is declared already"},
        {"flitreplay-technology 1\nname\n", "nothing follows 'name'"},
    };
    struct base_error error;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(read_text(cases[i].text, strlen(cases[i].text), &error));
        if (error.status != BASE_INPUT || strstr(error.text, cases[i].says) == NULL)
            fail_msg("case %zu says: %s", i, error.text);
    }
    assert_null(read_text("a\0b", 3, &error));
    assert_non_null(strstr(error.text, "a zero byte"));
    assert_null(net_technology_read("/nowhere/at.all", &error));
    assert_int_equal(error.status, BASE_INPUT);
}

/* A file that is too large; every prefix of one that is good is refused or read, and leaks nothing. */
static void large_and_cut(void **state)
{
    size_t size = (1 << 20) + 1;
    char *text = malloc(size);
    static const char good[] =
        "flitreplay-technology 1\nname y\nrange bits 1 9\ncolumn energy_flit_J error 2\n"
        "table length linear of bits^2\nat 0 1 2 3\nat 4 5\nor\nterm 1e-15 bits length\n";
    struct base_error error;
    (void)state;
    memset(text, ' ', size);
    assert_null(read_text(text, size, &error));
    assert_non_null(strstr(error.text, "1048577 bytes"));
    free(text);
    for (size_t length = 0; length < sizeof good; length++)
        net_technology_free(read_text(good, length, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_rows),   cmocka_unit_test(thesis_routers), cmocka_unit_test(nodes_left_out),
        cmocka_unit_test(rows_left_out), cmocka_unit_test(forms),          cmocka_unit_test(bad_files),
        cmocka_unit_test(large_and_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
