/* SCOTCH works for us in the calling thread alone. Where it is left to itself it decomposes a network by
 * as many threads as there are processors, and about one map of two thousand is another one then: too few
 * to be seen by comparing maps. */
#include <config.h>

#include "tests/suite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

#include "mappers/placement.h"

static unsigned *threads_made; /* in memory that processes share, since SCOTCH works in one of its own */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* In the place of the C library's, also for SCOTCH, whose calls are bound to the program's functions first. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*start)(void *), void *argument)
{
    create_function *create;

    /* A pointer to an object, as dlsym gives it, is that of a function by POSIX alone, not by C. */
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    ++*threads_made;
    return create(thread, attributes, start, argument);
}

static struct map_placement *place(const char *network, uint32_t ranks)
{
    struct trace_pair pairs[64];
    struct net_topology *topology = net_topology_new(network, NULL);
    struct map_place all = {.topology = topology};
    struct trace_comm_graph *graph;
    struct map_request request = {.place = all, .ranks = ranks, .effort = {.seed = 3, .threads = 4}};
    struct base_error error = {0};
    struct map_placement *made;

    assert_non_null(topology);
    for (uint32_t i = 0; i < ranks; i++)
        pairs[i] = (struct trace_pair){i, (7 * i + 3) % ranks, 1, 100 + i};
    graph = trace_comm_graph_from(ranks, pairs, ranks, NULL);
    assert_non_null(graph);
    request.graph = graph;
    made = map_placement_new("scotch", &request, &error);
    if (made == NULL)
        fail_msg("%s", error.text);
    trace_comm_graph_free(graph);
    net_topology_free(topology);
    return made;
}

/* Of SCOTCH's own architectures, and decomposed. */
static void no_thread_is_made(void **state)
{
    static const char *const networks[] = {"mesh:8x8", "torus:4x4x4", "king-mesh:8x8", "king-torus:16x16",
                                           "diagonal-mesh:9x8"};
    (void)state;

#ifndef HAVE_SCOTCH
    suite_skip("this build has no SCOTCH");
#endif
    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++) {
        struct map_placement *first = place(networks[n], 64), *second = place(networks[n], 64);
        assert_memory_equal(first->terminal, second->terminal, 64 * sizeof *first->terminal);
        map_placement_free(first);
        map_placement_free(second);
        assert_int_equal(*threads_made, 0);
    }
}

static void *nothing(void *argument)
{
    return argument;
}

/* Otherwise the zero above would say nothing. */
static void threads_are_counted(void **state)
{
    pthread_t thread;
    (void)state;

    *threads_made = 0;
    assert_int_equal(pthread_create(&thread, NULL, nothing, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(*threads_made, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_thread_is_made),
                                       cmocka_unit_test(threads_are_counted)};

    threads_made =
        mmap(NULL, sizeof *threads_made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (threads_made == MAP_FAILED)
        return 99;
    return cmocka_run_group_tests_name("SCOTCH", tests, NULL, NULL);
}
