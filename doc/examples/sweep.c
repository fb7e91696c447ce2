/* A sweep of loads: synthetic traffic on a network, and how throughput and latency follow the load.
 *
 *      cc sweep.c $(pkg-config --cflags --libs flitreplay) -o sweep
 *      ./sweep torus:8x8 0.1:0.5:0.1 */
#include <flitreplay/flitreplay.h>

#include <stdio.h>

/* Keys of a point are those of the form "json": a list of points. Each may be null. */
static int read_value(const flr_answer *answer, size_t point, const char *key, double *value,
                      flr_error **error)
{
    char path[64];

    *value = 0;
    snprintf(path, sizeof path, "%zu.%s", point, key);
    return flr_answer_real(answer, path, value, error) < 0 ? -1 : 0;
}

static int tell(const flr_answer *answer, flr_error **error)
{
    double load, accepted, latency;
    size_t points;

    if (flr_answer_size(answer, "", &points, error) != 0)
        return -1;
    printf("load  accepted  latency in cycles\n");
    for (size_t i = 0; i < points; i++) {
        if (read_value(answer, i, "offered_load", &load, error) != 0 ||
            read_value(answer, i, "accepted_load", &accepted, error) != 0 ||
            read_value(answer, i, "mean_latency_cycles", &latency, error) != 0)
            return -1;
        printf("%4.2f  %8.4f  %17.1f\n", load, accepted, latency);
    }
    return 0;
}

int main(int argc, char **argv)
{
    flr_error *error = NULL;
    flr_request *request = flr_request_new("traffic", &error);
    flr_answer *answer = NULL;
    int status = 0;

    if (argc != 3) {
        fprintf(stderr, "usage: %s TOPOLOGY LOADS\n", argv[0]);
        flr_request_free(request);
        return 2;
    }
    if (request != NULL && flr_request_set(request, "topology", argv[1], &error) == 0 &&
        flr_request_set(request, "load", argv[2], &error) == 0)
        answer = flr_ask(request, &error);
    if (answer == NULL || tell(answer, &error) != 0) {
        fprintf(stderr, "%s\n", flr_error_text(error));
        status = (int)flr_error_status(error);
    }
    flr_error_free(error);
    flr_answer_free(answer);
    flr_request_free(request);
    return status;
}
