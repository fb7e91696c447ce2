/* Mapping files of machines: every format written and read back, samples by hand, and what is refused,
 * with its place. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mappers/formats/map-file.h"

static char path[64];

static int make_file(void **state)
{
    int descriptor;
    (void)state;
    strcpy(path, "/tmp/flitreplay-mapfile-XXXXXX");
    descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0 ? -1 : 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void fill_file(const char *content)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(content, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

/* mesh:3x2 with two terminals a router, of which the first three routers' are the partition: six slots for `ranks`. */
static int read_as(const char *format, uint32_t ranks, uint32_t *slot, struct base_error *error)
{
    static const uint32_t terminals[] = {0, 1, 2, 3, 4, 5};
    struct net_topology *where = net_topology_new("mesh:3x2,concentration=2", NULL);
    struct map_place place = {.topology = where, .terminals = terminals, .terminal_count = 6};
    struct map_problem *problem = map_problem_new(&place, ranks, NULL, MAP_HOP_BYTES, false, error);
    struct base_input file;
    int status;

    assert_int_equal(base_input_open(&file, path), 0);
    status = map_file_read(map_format_find(format, NULL), &file, problem, slot, error);
    base_input_close(&file);
    map_problem_free(problem);
    net_topology_free(where);
    return status;
}

static void reads(const char *format, const char *content, uint32_t ranks, const uint32_t *expected)
{
    struct base_error error = {0};
    uint32_t slot[8];

    fill_file(content);
    if (read_as(format, ranks, slot, &error) != 0)
        fail_msg("%s", error.text);
    assert_memory_equal(slot, expected, ranks * sizeof *slot);
}

static void refuses(const char *format, const char *content, const char *sentence)
{
    struct base_error error = {0};
    uint32_t slot[8];

    fill_file(content);
    assert_int_equal(read_as(format, 4, slot, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_memory_equal(error.text, path, strlen(path));
    assert_string_equal(error.text + strlen(path) + 2, sentence);
}

static void samples_are_read(void **state)
{
    (void)state;
    reads("text", "3 0\n2 1\n1 4\n0 5 # last\n", 4, (uint32_t[]){5, 4, 1, 0});
    reads("bluegene", "# x y t\n2 0 1\n0 0 0\n0 0 1\n1 0 0\n", 4, (uint32_t[]){5, 0, 1, 2});
    reads("coordinates", "2 0\n0,0\n 0 , 0\n1 0\n", 4, (uint32_t[]){4, 0, 1, 2});
    reads("cray", "# order\n3,0\n1-2\n", 4, (uint32_t[]){1, 2, 3, 0});
    reads("openmpi", "rank 0=node2 slot=1\nrank 3=+n0 slot=0\nrank 1 = x1 slot = 0\nrank 2=n001 slot=1\n", 4,
          (uint32_t[]){5, 2, 3, 0});
    reads("hostlist", "node[0-1,0]\nother02\n", 4, (uint32_t[]){0, 2, 1, 4});
    /* several brackets, the last one fastest; what stands before the last letter is no part of the number */
    reads("hostlist", "r0c[0-1]n[0-1]\n", 4, (uint32_t[]){0, 2, 1, 3});
    reads("hostlist", "r0c[3,9]n[1,00]\n", 4, (uint32_t[]){2, 0, 3, 1});
    reads("hostlist", "n[0-0][00-01],n0[2]\nn[1]-ib0\n", 4, (uint32_t[]){0, 2, 4, 1});
    reads("hostlist", "a[7][8]b[01-02],[0][0],n00000000000000000000000[1]\n", 4, (uint32_t[]){2, 4, 0, 3});
}

/* Zeros in front are digits of the name where another bracket stands before: n100, and not n10. */
static void padding_counts(void **state)
{
    struct net_topology *where = net_topology_new("mesh:64x2", NULL);
    struct map_request request = {.place = {.topology = where}, .ranks = 6, .effort = {.seed = 1}};
    const uint32_t expected[] = {8, 9, 10, 108, 109, 110};
    struct map_placement *read_back;
    char text[128];
    (void)state;

    fill_file("n[0-1][08-10]\n");
    snprintf(text, sizeof text, "file:hostlist:%s", path);
    read_back = map_placement_new(text, &request, NULL);
    assert_non_null(read_back);
    assert_memory_equal(read_back->terminal, expected, sizeof expected);
    map_placement_free(read_back);
    net_topology_free(where);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    refuses("text", "0 0\n1 6\n", "line 2, column 3: terminal 6 is outside the partition");
    refuses("text", "0 0\n1 12\n",
            "line 2, column 3: there is no terminal 12: mesh:3x2,concentration=2 has 12");
    refuses("bluegene", "0 0 0\n0 0\n",
            "line 2, column 4: the line ends where a place in the node is expected");
    refuses("bluegene", "0 0 0\n0 0 2\n",
            "line 2, column 1: this node has 2 places for ranks, counted from 0");
    refuses("bluegene", "0 0 0\n3 0 0\n",
            "line 2, column 1: coordinate 3, but this side of mesh:3x2,concentration=2 has 3");
    refuses("bluegene", "0 0 0\n0 1 0\n", "line 2, column 1: '0' is not a node of the partition");
    refuses("bluegene", "0 0 0\n0 0 0\n",
            "line 2, column 1: terminal 0 is taken already, by rank 0 in line 1");
    refuses("bluegene", "0 0 0\n0 0 1\n1 0 0\n1 0 1\n2 0 0\n",
            "line 5, column 1: a line for rank 4, but 4 ranks are mapped");
    refuses("bluegene", "0 0 x\n", "line 1, column 5: 'x' where a place in the node is expected");
    refuses("coordinates", "0 0\n0 0\n0 0\n",
            "line 3, column 1: terminal 1 is taken already, by rank 1 in line 2");
    refuses(
        "coordinates", "0 0\n1 0\n",
        "line 3, column 1: the file ends with 2 of 4 ranks placed; the first without a terminal is rank 2");
    refuses("coordinates", "0 0 0\n", "line 1, column 5: '0' where the end of the line is expected");
    refuses("cray", "0,1,1\n", "line 1, column 5: rank 1 is placed already, in line 1");
    refuses("cray", "0-4\n", "line 1, column 3: there is no rank 4: 4 ranks are mapped");
    refuses("cray", "3-1\n", "line 1, column 3: the range of ranks ends before it begins");
    refuses("cray", "0 1\n", "line 1, column 3: '1' where a comma is expected");
    refuses(
        "cray", "0,1,2\n",
        "line 2, column 1: the file ends with 3 of 4 ranks placed; the first without a terminal is rank 3");
    refuses("cray", "0-3,0\n", "line 1, column 5: more entries than the 4 ranks that are mapped");
    refuses("openmpi", "rank 0=node0 slot=0\nrank 0=node1 slot=0\n",
            "line 2, column 6: rank 0 is placed already, in line 1");
    refuses("openmpi", "rank 0=node3 slot=0\n", "line 1, column 8: 'node3' is not a node of the partition");
    refuses("openmpi", "rank 0=node0 slot=0:1\n",
            "line 1, column 19: '0:1' where a slot is expected: a colon does not belong there");
    refuses("openmpi", "rank 0=login slot=0\n",
            "line 1, column 8: 'login' where a node whose name ends in a number is expected");
    refuses("openmpi", "host0 slots=2\n", "line 1, column 1: 'host0' where 'rank' is expected");
    refuses("openmpi", "rank 7=node0 slot=0\n", "line 1, column 6: there is no rank 7: 4 ranks are mapped");
    refuses("hostlist", "node[0-4]\n", "line 1, column 6: '0-4]' is not a node of the partition");
    refuses("hostlist", "node[0,0,0]\n",
            "line 1, column 10: terminal 1 is taken already, by rank 1 in line 1");
    refuses("hostlist", "node[2-1]\n",
            "line 1, column 6: the range of nodes ends before it begins, or has too large a number");
    refuses("hostlist", "node[0-1\n", "line 1, column 9: the line ends where ']' is expected");
    refuses("hostlist", "r[0-1]n[0-1\n", "line 1, column 12: the line ends where ']' is expected");
    refuses("hostlist", "r[0-1]n0-1]\n", "line 1, column 11: ']' where '[' before it is expected");
    refuses("hostlist", "r[0-1]n[[0]]\n",
            "line 1, column 9: '[0]]' where the number of a node is expected: numbers are written without "
            "brackets");
    refuses("hostlist", "r[0-1]n[]\n", "line 1, column 9: ']' where the number of a node is expected");
    refuses("hostlist", "r[]n[0]\n", "line 1, column 3: ']n[0]' where the number of a node is expected");
    refuses("hostlist", "r[0,]n[0]\n", "line 1, column 5: ']n[0]' where the number of a node is expected");
    refuses("hostlist", "r[0]n[0,2-1]\n",
            "line 1, column 9: the range of nodes ends before it begins, or has too large a number");
    refuses("hostlist", "n[0-999999999][0-999999999]\n",
            "line 1, column 3: the range of nodes ends before it begins, or has too large a number");
    refuses("hostlist", "c[0-9999999]n[0-9999999]x[0]\n",
            "line 1, column 27: terminal 1 is taken already, by rank 1 in line 1");
    refuses("hostlist", "n[1][0]\n", "line 1, column 6: '0]' is not a node of the partition");
    refuses("hostlist", "n[1][18446744073709551617]\n",
            "line 1, column 6: the range of nodes ends before it begins, or has too large a number");
    refuses("hostlist", "n1[0000000000000000000000000]\n",
            "line 1, column 4: '0000000000000000000000000]' is not a node of the partition");
    refuses("hostlist", "a[0][0][0][0][0][0][0][0][0]\n",
            "line 1, column 26: more than 8 brackets in a name");
    refuses("hostlist", "n[0-1]x\n",
            "line 1, column 1: 'n[0-1]x' where a node whose name ends in a number is expected");
    refuses("hostlist", "c[0-1]n[0-1],n2\n", "line 1, column 14: more nodes than the 4 ranks");
    refuses("hostlist", "node0,node1,node2,node0,node1\n", "line 1, column 25: more nodes than the 4 ranks");
    refuses("hostlist", "node0 node1\n", "line 1, column 7: 'node1' where a comma is expected");
}

/* ---- every format, every fault ---- */

enum fault { MISSING, DUPLICATE, OUTSIDE, MANY, GARBAGE, FAULTS };

/* What a wrong file of each kind is answered with, at least; the sentences in full are those above. Text
 * "" where a format cannot have the fault: an order of ranks names no places. */
static const struct {
    const char *format;
    struct {
        const char *content, *sentence;
    } fault[FAULTS];
} faults[] = {
    {"text",
     {{"0 0\n1 1\n2 2\n", "line 4, column 1: the file ends with 3 of 4 ranks placed"},
      {"0 0\n0 1\n", "line 2, column 1: rank 0 is placed already"},
      {"0 6\n", "line 1, column 3: terminal 6 is outside the partition"},
      {"0 0\n4 1\n", "line 2, column 1: there is no rank 4"},
      {"0 0\n1 ?\n", "line 2, column 3: '?' where a terminal is expected"}}},
    {"bluegene",
     {{"0 0 0\n", "line 2, column 1: the file ends with 1 of 4 ranks placed"},
      {"0 0 0\n0 0 0\n", "line 2, column 1: terminal 0 is taken already"},
      {"0 1 0\n", "line 1, column 1: '0' is not a node of the partition"},
      {"0 0 0\n0 0 1\n1 0 0\n1 0 1\n2 0 0\n", "line 5, column 1: a line for rank 4"},
      {"0 ? 0\n", "line 1, column 3: '?' where a coordinate is expected"}}},
    {"cray",
     {{"0-2\n", "line 2, column 1: the file ends with 3 of 4 ranks placed"},
      {"0,1,0\n", "line 1, column 5: rank 0 is placed already"},
      {"", ""},
      {"0,9\n", "line 1, column 3: there is no rank 9"},
      {"0,?\n", "line 1, column 3: '?' where a rank is expected"}}},
    {"openmpi",
     {{"rank 0=n0 slot=0\n", "line 2, column 1: the file ends with 1 of 4 ranks placed"},
      {"rank 0=n0 slot=0\nrank 1=n0 slot=0\n", "line 2, column 8: terminal 0 is taken already"},
      {"rank 0=n5 slot=0\n", "line 1, column 8: 'n5' is not a node of the partition"},
      {"rank 4=n0 slot=0\n", "line 1, column 6: there is no rank 4"},
      {"?\n", "line 1, column 1: '?' where 'rank' is expected"}}},
    {"coordinates",
     {{"0 0\n", "line 2, column 1: the file ends with 1 of 4 ranks placed"},
      {"0 0\n0 0\n0 0\n", "line 3, column 1: terminal 1 is taken already"},
      {"0 1\n", "line 1, column 1: '0' is not a node of the partition"},
      {"0 0\n0 0\n1 0\n1 0\n2 0\n", "line 5, column 1: a line for rank 4"},
      {"0 ?\n", "line 1, column 3: '?' where a coordinate is expected"}}},
    {"hostlist",
     {{"n0\n", "line 2, column 1: the file ends with 1 of 4 ranks placed"},
      {"n[0,0,0]\n", "line 1, column 7: terminal 1 is taken already"},
      {"n0,n5\n", "line 1, column 4: 'n5' is not a node of the partition"},
      {"n0,n0,n1,n1,n2\n", "line 1, column 13: more nodes than the 4 ranks"},
      {"?\n", "line 1, column 1: '?' where a node"}}},
};
#define FORMATS (sizeof faults / sizeof *faults)

static void refuses_at_least(const char *format, const char *content, const char *sentence)
{
    struct base_error error = {0};
    uint32_t slot[8];

    fill_file(content);
    assert_int_equal(read_as(format, 4, slot, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    if (strncmp(error.text + strlen(path) + 2, sentence, strlen(sentence)) != 0)
        fail_msg("%s: '%s' instead of '%s'", format, error.text + strlen(path) + 2, sentence);
}

static void every_format_refuses_every_fault(void **state)
{
    size_t count;
    const struct map_format *const *formats = map_formats(&count);
    (void)state;

    assert_int_equal(count, FORMATS);
    for (size_t i = 0; i < FORMATS; i++) {
        assert_string_equal(formats[i]->name, faults[i].format);
        for (unsigned fault = 0; fault < FAULTS; fault++)
            if (*faults[i].fault[fault].sentence != '\0')
                refuses_at_least(faults[i].format, faults[i].fault[fault].content,
                                 faults[i].fault[fault].sentence);
    }
}

/* A random map of 24 ranks on 12 routers with two terminals each, in every format that can say it. */
static void what_is_written_reads_back(void **state)
{
    struct net_topology *where = net_topology_new("king-torus:4x3,concentration=2", NULL);
    struct map_request request = {.place = {.topology = where}, .ranks = 24, .effort = {.seed = 6}};
    struct map_placement *made = map_placement_new("random", &request, NULL);
    struct map_placement *back;
    size_t count;
    const struct map_format *const *formats = map_formats(&count);
    (void)state;

    assert_true(count >= 6);
    for (size_t i = 0; i < count; i++) {
        struct base_error error = {0};
        FILE *stream = fopen(path, "w");
        char text[128];
        bool exact =
            strcmp(formats[i]->name, "coordinates") != 0 && strcmp(formats[i]->name, "hostlist") != 0;
        assert_int_equal(map_placement_write_as(formats[i]->name, made, &request.place, stream, NULL), 0);
        assert_int_equal(fclose(stream), 0);
        snprintf(text, sizeof text, "file:%s:%s", formats[i]->name, path);
        back = map_placement_new(text, &request, &error);
        if (back == NULL)
            fail_msg("%s: %s", formats[i]->name, error.text);
        for (uint32_t rank = 0; rank < 24; rank++) /* nodes only, where places cannot be said */
            assert_int_equal(made->terminal[rank] / (exact ? 1 : 2), back->terminal[rank] / (exact ? 1 : 2));
        map_placement_free(back);
    }
    map_placement_free(made);
    net_topology_free(where);
}

static void what_a_format_cannot_say_is_refused(void **state)
{
    struct net_topology *where = net_topology_new("mesh:2x2", NULL);
    struct net_topology *ideal = net_topology_new("ideal:4", NULL);
    struct map_request request = {.place = {.topology = where}, .ranks = 3, .effort = {.seed = 1}};
    const uint32_t gap[] = {0, 1, 3};
    struct map_placement placement = {.ranks = 3, .terminal = gap, .mapper = "test", .text = "test"};
    struct map_place nowhere = {.topology = ideal};
    struct base_error error = {0};
    FILE *stream = fopen("/dev/null", "w");
    (void)state;

    assert_int_equal(map_placement_write_as("cray", &placement, &request.place, stream, &error), -1);
    assert_string_equal(
        error.text,
        "the format cray cannot say this placement: it lists the ranks on the first slots, without "
        "gaps; the format text can");
    assert_int_equal(map_placement_write_as("coordinates", &placement, &nowhere, stream, &error), -1);
    assert_int_equal(map_placement_write_as("blugene", &placement, &request.place, stream, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "did you mean 'bluegene'?"));
    fclose(stream);
    net_topology_free(where);
    net_topology_free(ideal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_read),           cmocka_unit_test(padding_counts),
        cmocka_unit_test(wrong_files_are_refused),    cmocka_unit_test(every_format_refuses_every_fault),
        cmocka_unit_test(what_is_written_reads_back), cmocka_unit_test(what_a_format_cannot_say_is_refused),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
