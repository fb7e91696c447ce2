/* A sweep of loads: synthetic traffic on a network, and how throughput and latency follow the load.
 *
 *      cc sweep.c $(pkg-config --cflags --libs flitreplay) -o sweep
 *      ./sweep torus:8x8 0.1:0.5:0.1 */
#include <flitreplay/flitreplay.h>

#include <stdio.h>

/* Keys of a point are those of the form "json": a list of points. */
static double value_of(const flr_answer *answer, size_t point, const char *key)
{
    char path[64];
    double value = 0;

    snprintf(path, sizeof path, "%zu.%s", point, key);
    flr_answer_real(answer, path, &value, NULL);
    return value;
}

static int tell(const flr_answer *answer, flr_error **error)
{
    size_t points;

    if (flr_answer_size(answer, "", &points, error) != 0)
        return -1;
    printf("load  accepted  latency in cycles\n");
    for (size_t i = 0; i < points; i++)
        printf("%4.2f  %8.4f  %17.1f\n", value_of(answer, i, "load"), value_of(answer, i, "accepted"),
               value_of(answer, i, "latency_mean"));
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
