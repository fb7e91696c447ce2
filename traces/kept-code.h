/* Operations as bytes. A record says how an operation differs from the rank's last one of the same kind, of which both
 * sides have a copy: in a loop little is left but times.
 *
 *      head                  kind, and which of the parts below follow
 *      fields, 2 bytes       which fields differ otherwise than is expected, and then their differences
 *      duration              if it is not the last one's
 *      event, time           by how much they grow; an event by 1 if it is left out
 *      words                 requests of a wait, sizes of a vector
 *
 * Numbers have 7 bits a byte, the lowest first; differences are folded so that small ones of either sign are small
 * numbers. A record without its words has at most TRACE_RECORD_MOST bytes. */
#ifndef TRACE_KEPT_CODE_H
#define TRACE_KEPT_CODE_H

#include <stdbool.h>

#include "traces/program.h"

#define TRACE_RECORD_MOST 192
#define TRACE_WORD_MOST 10

/* Where the sizes of a collective are. */
enum trace_vector_place {
    TRACE_VECTOR_NONE,
    TRACE_VECTOR_OF_PROGRAM, /* those that the program knows by the instance */
    TRACE_VECTOR_IN_WORDS    /* the operation's own */
};

/* The communicators whose collectives are counted. */
#define TRACE_CODER_COMMUNICATORS 32

/* One side, writer or reader; of zeros before the first record. */
struct trace_coder {
    struct trace_op last[TRACE_END + 1]; /* by kind; what they point to is not valid */
    uint8_t vector[TRACE_END + 1];       /* enum trace_vector_place, of the last */
    uint64_t event, time_ns;             /* of the last operation of any kind */
    uint64_t next_request;               /* the number that the next request is expected to have */
    /* [communicator]: the same of the next collective. Others are expected to be 0. */
    uint64_t next_instance[TRACE_CODER_COMMUNICATORS];
};

/* Whether records written behind one say the same behind the other, but for the numbers of collectives, which differ
 * there as what both expect. */
bool trace_coders_agree(const struct trace_coder *a, const struct trace_coder *b);

/* Writes a record without its words, and gives its end. */
uint8_t *trace_record_write(struct trace_coder *coder, const struct trace_op *op,
                            enum trace_vector_place vector, uint8_t *at);
/* Reads it; the operation has no requests and no vector yet. Gives its end. */
const uint8_t *trace_record_read(struct trace_coder *coder, struct trace_op *op, const uint8_t *at);

/* A word: at most TRACE_WORD_MOST bytes. */
static inline uint8_t *trace_word_write(uint8_t *at, uint64_t word)
{
    for (; word >= 0x80; word >>= 7)
        *at++ = (uint8_t)(word | 0x80);
    *at++ = (uint8_t)word;
    return at;
}

static inline const uint8_t *trace_word_read(const uint8_t *at, uint64_t *word)
{
    uint64_t byte = *at++, value = byte & 0x7f;

    for (unsigned shift = 7; byte >= 0x80; shift += 7) {
        byte = *at++;
        value |= (byte & 0x7f) << shift;
    }
    *word = value;
    return at;
}

/* A difference, modulo 2^64, as a word. */
static inline uint64_t trace_word_fold(uint64_t difference)
{
    return (difference << 1) ^ (0 - (difference >> 63));
}

static inline uint64_t trace_word_unfold(uint64_t word)
{
    return (word >> 1) ^ (0 - (word & 1));
}

#endif
