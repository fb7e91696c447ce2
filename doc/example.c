/* How to use libflitreplay: replays a trace on two topologies and prints how much slower the program is on
 * each than on an ideal network.
 *
 *      cc example.c $(pkg-config --cflags --libs flitreplay) -o example
 *      ./example traces.otf2 mesh:8x8 king-mesh:8x8 */
#include <flitreplay/flitreplay.h>

#include <stdio.h>

static int replay_on(flr_trace *trace, const char *name, const flr_options *options, flr_error *error)
{
    flr_topology *topology = flr_topology_new(name, error);
    flr_result *result = NULL;

    if (topology != NULL)
        result = flr_run(trace, topology, options, error);
    if (result != NULL)
        printf("%-16s slowdown %.3f (%s)\n", name, flr_result_slowdown(result), flr_result_digest(result));
    flr_result_free(result);
    flr_topology_free(topology);
    return result == NULL ? -1 : 0;
}

int main(int argc, char **argv)
{
    flr_error error = {0};
    flr_options *options = flr_options_new(&error);
    flr_trace *trace = argc < 2 ? NULL : flr_trace_open(argv[1], &error);
    int status = -1;

    if (argc < 2)
        fprintf(stderr, "usage: %s TRACE TOPOLOGY...\n", argv[0]);
    else if (options != NULL && trace != NULL)
        status = flr_options_set(options, "mapping", "identity", &error);
    for (int i = 2; i < argc && status == 0; i++)
        status = replay_on(trace, argv[i], options, &error);
    if (status != 0 && argc >= 2)
        fprintf(stderr, "%s\n", error.text);
    flr_trace_close(trace);
    flr_options_free(options);
    return status == 0 ? 0 : 1;
}
