/* Finds a placement of a trace's ranks, writes it, and reads it back into a replay.
 *
 *      cc mapping.c $(pkg-config --cflags --libs flitreplay) -o mapping
 *      ./mapping traces.otf2 torus:4x4 greedy ranks.map */
#include <flitreplay/flitreplay.h>

#include <stdio.h>

/* The time of a program under a placement. -1: the error says why. */
static int replay(const char *trace, const char *network, const char *mapping, uint64_t *time_ns,
                  flr_error **error)
{
    flr_request *request = flr_request_new("run", error);
    flr_answer *answer = NULL;
    int status = -1;

    if (request != NULL && flr_request_add(request, trace, error) == 0 &&
        flr_request_set(request, "topology", network, error) == 0 &&
        flr_request_set(request, "mapping", mapping, error) == 0 &&
        flr_request_set(request, "attribution", "none", error) == 0) /* only the time is asked for */
        answer = flr_ask(request, error);
    if (answer != NULL)
        status = flr_answer_count(answer, "simulated_ns", time_ns, error);
    flr_answer_free(answer);
    flr_request_free(request);
    return status;
}

/* The placement goes to the file by the option that names it, "output". */
static int place(char **argv, flr_error **error)
{
    flr_request *request = flr_request_new("map", error);
    flr_answer *answer = NULL;

    if (request != NULL && flr_request_add(request, argv[1], error) == 0 &&
        flr_request_set(request, "topology", argv[2], error) == 0 &&
        flr_request_set(request, "mapping", argv[3], error) == 0 &&
        flr_request_set(request, "output", argv[4], error) == 0 &&
        flr_request_set(request, "static", "yes", error) == 0) /* no replay of it here */
        answer = flr_ask(request, error);
    flr_answer_free(answer);
    flr_request_free(request);
    return answer == NULL ? -1 : 0;
}

int main(int argc, char **argv)
{
    uint64_t before_ns, after_ns;
    flr_error *error = NULL;
    char mapping[4096];
    int status = 0;

    if (argc != 5) {
        fprintf(stderr, "usage: %s TRACE TOPOLOGY MAPPING FILE\n", argv[0]);
        return 2;
    }
    snprintf(mapping, sizeof mapping, "file:%s", argv[4]);
    if (place(argv, &error) == 0 && replay(argv[1], argv[2], "identity", &before_ns, &error) == 0 &&
        replay(argv[1], argv[2], mapping, &after_ns, &error) == 0)
        printf("identity %.3f ms, %s %.3f ms\n", (double)before_ns * 1e-6, argv[3], (double)after_ns * 1e-6);
    if (error != NULL) {
        fprintf(stderr, "%s\n", flr_error_text(error));
        status = (int)flr_error_status(error);
    }
    flr_error_free(error);
    return status;
}
