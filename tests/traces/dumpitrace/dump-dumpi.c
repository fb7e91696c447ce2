/* Prints the records of a DUMPI trace as text, one a line: for tests, and for looking at a trace by hand.
 *
 *     dump-dumpi TRACE [RANK]        TRACE as dpt_open takes it; without RANK all ranks
 *
 * Ends with status 1 and a sentence when a file cannot be read to its end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "traces/dumpitrace/dumpitrace.h"

static void print_record(void *user, const struct dpt_record *record)
{
    const int32_t *rank = user;
    size_t length = dpt_format(NULL, 0, record) + 1;
    char *text = malloc(length);

    if (text == NULL)
        return;
    dpt_format(text, length, record);
    printf("%" PRId32 " %" PRId64 " %s\n", *rank, record->index, text);
    free(text);
}

static int print_rank(const struct dpt_trace *trace, int32_t rank)
{
    struct dpt_error error;
    struct dpt_stream *stream = dpt_open_rank(trace, rank, &error);
    int result;

    if (stream == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    result = dpt_loop(stream, 0, print_record, &rank);
    if (result != 0)
        fprintf(stderr, "%s\n", dpt_geterr(stream));
    if (dpt_info(stream)->warning_count > 0)
        fprintf(stderr, "rank %" PRId32 ": %s\n", rank, dpt_info(stream)->warning);
    dpt_close_rank(stream);
    return result == 0 ? 0 : 1;
}

int main(int count, char **arguments)
{
    struct dpt_error error;
    struct dpt_trace *trace = count < 2 ? NULL : dpt_open(arguments[1], &error);
    int status = 0;

    if (trace == NULL) {
        fprintf(stderr, "%s\n", count < 2 ? "usage: dump-dumpi TRACE [RANK]" : error.text);
        return 1;
    }
    for (int32_t rank = 0; rank < dpt_rank_count(trace); rank++)
        if (count < 3 || atoi(arguments[2]) == rank)
            status |= print_rank(trace, rank);
    dpt_close(trace);
    return status;
}
