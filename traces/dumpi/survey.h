/* The survey: what is counted while all ranks of a DUMPI trace are read once, and what cursors need to know
 * beforehand. Memory grows with the pairs of ranks that exchange messages and with exceptions, not with the
 * length of the trace. */
#ifndef TRACE_DUMPI_SURVEY_H
#define TRACE_DUMPI_SURVEY_H

#include "base/table.h"
#include "traces/dumpi/program.h"
#include "traces/processor-loss.h"

/* What one rank receives from another. */
struct trace_dumpi_incoming {
    uint32_t source, target;  /* world ranks */
    uint64_t messages, bytes; /* received */
    uint64_t guessed;         /* of these, whose bytes are their room */
};

struct trace_dumpi_call_count {
    uint64_t records, bytes, time_ns; /* calls of the function, over all ranks */
    uint64_t switched_off;            /* calls that were not recorded, by the footers */
};

/* Traffic of the rank that is being read, by peer. */
struct trace_dumpi_row {
    struct trace_dumpi_incoming *peers; /* [ranks] */
    uint32_t *touched;                  /* the peers with any traffic, `count` of them */
    uint32_t count;
};

struct trace_dumpi_survey {
    const struct trace_dumpi_context *context;                    /* borrowed */
    uint64_t events, sends, receives, bytes_sent, bytes_received; /* over all ranks */
    uint64_t compute_ns, mpi_ns, gap_wall_ns, gap_cpu_ns;         /* over all ranks, by both clocks */
    struct trace_loss_tally loss;                                 /* of records that are missing */
    uint64_t repairs[TRACE_DUMPI_REPAIRS];                        /* by kind */
    uint64_t to_rank_minus_1, to_rank_minus_2; /* destinations of sends, as in the records */
    uint32_t selves; /* the highest rank that uses MPI_COMM_SELF, and 1; 0: none does */
    struct trace_dumpi_call_count calls[DPT_FUNCTION_COUNT];
    struct trace_collective_count *collectives; /* [communicator * TRACE_COLLECTIVES + collective] */
    struct trace_dumpi_row sent, received;      /* of the rank that is being read */
    struct trace_pair *pairs;                   /* by source, target */
    struct trace_dumpi_incoming *incoming;      /* by target, source */
    size_t pair_count, pair_capacity, incoming_count, incoming_capacity;
    struct trace_dumpi_exceptions *exceptions; /* [rank] */
    struct trace_dumpi_drafted *drafted;       /* [rank] */
    uint64_t *wildcards, *ambiguous; /* [rank] receives without a source; of these, maybe of nothing */
    bool *null_sources;              /* [rank] what the ambiguous ones are */
    int64_t *first_ns;               /* [rank] of the first event, by its node's clock; INT64_MIN: none */
    uint64_t *hosts;                 /* [rank] a hash of the node's name; 0: unknown */
    struct base_table roots;         /* (communicator, instance) -> root, of inter-communicators */
    struct trace_dumpi_parts parts;  /* as in the context */
    uint64_t last_records;           /* of the rank that is being read */
};

/* Surveys all ranks and decides what is open; the survey must be zeroed, and is freed by the caller, also
 * after a failure. */
int trace_dumpi_survey_run(struct trace_dumpi_survey *survey, const struct trace_dumpi_context *context,
                           struct base_error *error);
void trace_dumpi_survey_free(struct trace_dumpi_survey *survey);

/* For trace_dumpi_survey_record: the first record of a rank that has a wall clock. */
void trace_dumpi_survey_first(struct trace_dumpi_survey *survey, const struct trace_dumpi_decoder *decoder);
/* For the decoder: a record goes by. The mask of clocks and the time inside are those of the record; what it does
 * shows later. Negative durations are steps of the clock, and count as none. */
static inline void trace_dumpi_survey_record(struct trace_dumpi_survey *survey,
                                             const struct trace_dumpi_decoder *decoder)
{
    const struct dpt_record *record = decoder->record;
    struct trace_dumpi_call_count *count = &survey->calls[record->function];
    const struct dpt_interval *interval = record->mask & DPT_MASK_WALL ? &record->wall : &record->cpu;
    int64_t duration = interval->stop_ns - interval->start_ns;

    count->records++;
    count->time_ns += duration > 0 ? (uint64_t)duration : 0;
    survey->events++;
    if (survey->first_ns[decoder->rank] == INT64_MIN && record->mask & DPT_MASK_WALL)
        trace_dumpi_survey_first(survey, decoder);
}

/* Messages to or from a peer of the rank. The list of touched peers keeps a rank's cost in proportion to its peers,
 * not to all ranks. The field `source` has no other use before the row is emptied. */
static inline void trace_dumpi_touch(struct trace_dumpi_row *row, uint32_t peer, uint64_t bytes, bool guessed)
{
    struct trace_dumpi_incoming *count = &row->peers[peer];

    if (count->source == 0) {
        count->source = 1; /* in the list */
        row->touched[row->count++] = peer;
    }
    count->messages++;
    count->bytes += bytes;
    count->guessed += guessed;
}
/* A send of a call of the function. Bytes are counted for the call that a message is of, and for its pair. */
static inline void trace_dumpi_survey_send(struct trace_dumpi_survey *survey, unsigned function,
                                           uint32_t peer, uint64_t bytes)
{
    survey->sends++;
    survey->bytes_sent += bytes;
    survey->calls[function].bytes += bytes;
    trace_dumpi_touch(&survey->sent, peer, bytes, false);
}
/* A message that is received. Whose an open wildcard is (TRACE_ANY_SOURCE), is not known: it is counted at the receiver
 * only. */
static inline void trace_dumpi_survey_message(struct trace_dumpi_survey *survey, uint32_t rank, uint32_t peer,
                                              uint64_t bytes, bool guessed)
{
    survey->receives++;
    if (peer == TRACE_ANY_SOURCE) {
        survey->wildcards[rank]++;
        return;
    }
    survey->bytes_received += bytes;
    trace_dumpi_touch(&survey->received, peer, bytes, guessed);
}
/* The same, with the call of the function that posted the receive. */
static inline void trace_dumpi_survey_receive(struct trace_dumpi_survey *survey, uint32_t rank,
                                              unsigned function, uint32_t peer, uint64_t bytes, bool guessed)
{
    survey->calls[function].bytes += bytes;
    trace_dumpi_survey_message(survey, rank, peer, bytes, guessed);
}
/* An operation is taken from the queue. */
void trace_dumpi_survey_op(struct trace_dumpi_survey *survey, uint32_t rank, const struct trace_op *op,
                           bool guessed);
/* A receive that was taken as it was posted ends otherwise. -1: no memory. */
int trace_dumpi_survey_expired(struct trace_dumpi_survey *survey, const struct trace_dumpi_decoder *decoder,
                               const struct trace_dumpi_entry *posted,
                               const struct trace_dumpi_exception *exception, bool guessed);

/* Puts an operation that is taken by the survey into the draft. Whether there is room for more (draft.c). */
bool trace_dumpi_draft(struct trace_dumpi_survey *survey, const struct trace_dumpi_decoder *decoder,
                       struct trace_op *op);
/* Behind trace_dumpi_fit_sizes: a rank's draft is what cursors give, or is dropped. */
void trace_dumpi_settle(const struct trace_dumpi_survey *survey, const struct trace_dumpi_context *context);

/* Receives whose room does not fit what was sent get the bytes of their sends, as exceptions
 * (sizes.c). */
int trace_dumpi_fit_sizes(struct trace_dumpi_survey *survey, const struct trace_dumpi_context *context,
                          struct base_error *error);

/* Fills the summary (report.c); everything is in the arena. -1: no memory. */
int trace_dumpi_summarise(struct trace_summary *summary, const struct trace_dumpi_survey *survey,
                          struct base_arena *arena);

#endif
