/* Replays a trace on several networks: the trace is decoded once, progress goes to a terminal, and Ctrl-C ends the
 * replay that is under way with what it has.
 *
 *      cc replay.c $(pkg-config --cflags --libs flitreplay) -o replay
 *      ./replay traces.otf2 mesh:8x8 king-mesh:8x8 */
#include <flitreplay/flitreplay.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static flr_request *request; /* for the handler */

static void stop(int number)
{
    (void)number;
    flr_request_stop(request);
}

static void progress(void *context, const flr_moment *moment)
{
    (void)context;
    fprintf(stderr, "\r%-28s %3.0f %% %8.3f ms", moment->part, 100 * moment->share,
            (double)moment->simulated_ns * 1e-6);
}

/* One line of the answer. Returns the exit status. */
static int tell(const flr_answer *answer, const char *network)
{
    double slowdown = 0;
    char *digest = NULL;

    flr_answer_text(answer, "digest", &digest, NULL);
    if (flr_answer_real(answer, "slowdown", &slowdown, NULL) == 0)
        printf("%-16s slowdown %.3f (%s)\n", network, slowdown, digest);
    else /* null: of a part there is none */
        printf("%-16s ended early\n", network);
    flr_string_free(digest);
    return flr_answer_status(answer) == FLR_OK ? 0 : 1;
}

static int replay_on(flr_trace *trace, const char *network, flr_error **error)
{
    flr_answer *answer = NULL;
    int status = 1;

    request = flr_request_new("run", error);
    if (request != NULL && flr_request_use(request, trace, error) == 0 &&
        flr_request_set(request, "topology", network, error) == 0) {
        if (isatty(STDERR_FILENO)) /* a line that is written over makes no sense in a file */
            flr_request_watch(request, progress, NULL);
        signal(SIGINT, stop);
        answer = flr_ask(request, error);
        signal(SIGINT, SIG_DFL);
        if (isatty(STDERR_FILENO))
            fputc('\n', stderr);
    }
    if (answer != NULL)
        status = tell(answer, network);
    flr_answer_free(answer);
    flr_request_free(request);
    return status;
}

int main(int argc, char **argv)
{
    flr_error *error = NULL;
    flr_trace *trace;
    int status = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: %s TRACE TOPOLOGY...\n", argv[0]);
        return 2;
    }
    trace = flr_trace_open(argv[1], NULL, &error);
    for (int i = 2; trace != NULL && i < argc && status == 0; i++)
        status = replay_on(trace, argv[i], &error);
    if (error != NULL) {
        fprintf(stderr, "%s\n", flr_error_text(error));
        status = (int)flr_error_status(error);
    }
    flr_error_free(error);
    flr_trace_close(trace);
    return status;
}
