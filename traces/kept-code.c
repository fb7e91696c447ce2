/* Records of operations. The lists of fields are in one place each, so that writer and reader cannot differ. */
#include "traces/kept-code.h"

/* Parts of a record that its head names beside the kind. */
#define KIND 0x0f
#define HAS_FIELDS 0x10
#define HAS_DURATION 0x20
#define HAS_EVENT 0x40
#define HAS_TIME 0x80

/* Fields that are expected to be those of the last operation of the kind: their bits are their places. */
#define FIELDS(_)                                                                                            \
    _(0, unsigned, flags)                                                                                    \
    _(1, uint32_t, peer)                                                                                     \
    _(2, uint32_t, tag)                                                                                      \
    _(3, uint32_t, communicator)                                                                             \
    _(4, uint64_t, bytes)                                                                                    \
    _(5, uint32_t, root)                                                                                     \
    _(6, uint64_t, bytes_sent)                                                                               \
    _(7, uint64_t, bytes_received)                                                                           \
    _(8, uint32_t, region)                                                                                   \
    _(9, size_t, request_count)
#define COLLECTIVE (1u << 10) /* an enum, whose signedness is the compiler's */
#define REQUEST (1u << 11)    /* that is not the next */
#define INSTANCE (1u << 12)   /* likewise */
#define VECTOR (1u << 13)     /* a word: where it is */

_Static_assert(TRACE_END <= KIND, "a kind fits the head");

/* What the number of a request, and that of an instance, is expected to be. */
static uint64_t expected_request(const struct trace_coder *coder, const struct trace_op *last, unsigned flags)
{
    return (flags & TRACE_NONBLOCKING) != 0 ? coder->next_request : last->request;
}

/* `op` has its communicator. */
static uint64_t expected_instance(const struct trace_coder *coder, const struct trace_op *last,
                                  const struct trace_op *op)
{
    if (op->kind != TRACE_COLLECTIVE_CALL)
        return last->instance;
    return op->communicator < TRACE_CODER_COMMUNICATORS ? coder->next_instance[op->communicator] : 0;
}

/* ---- writing ---- */

/* Which fields are not as expected. */
static unsigned find_fields(const struct trace_coder *coder, const struct trace_op *last,
                            const struct trace_op *op, enum trace_vector_place vector)
{
    unsigned fields = 0;

#define DIFFERS(place, type, name) fields |= (unsigned)(op->name != last->name) << (place);
    FIELDS(DIFFERS)
#undef DIFFERS
    fields |= op->collective != last->collective ? COLLECTIVE : 0;
    fields |= op->request != expected_request(coder, last, op->flags) ? REQUEST : 0;
    fields |= op->instance != expected_instance(coder, last, op) ? INSTANCE : 0;
    fields |= (unsigned)vector != coder->vector[op->kind] ? VECTOR : 0;
    return fields;
}

static uint8_t *write_difference(uint8_t *at, uint64_t value, uint64_t expected)
{
    return trace_word_write(at, trace_word_fold(value - expected));
}

static uint8_t *write_fields(const struct trace_coder *coder, const struct trace_op *last,
                             const struct trace_op *op, unsigned fields, uint8_t *at)
{
    *at++ = (uint8_t)fields;
    *at++ = (uint8_t)(fields >> 8);
#define WRITE(place, type, name)                                                                             \
    if ((fields & 1u << (place)) != 0)                                                                       \
        at = write_difference(at, op->name, last->name);
    FIELDS(WRITE)
#undef WRITE
    if ((fields & COLLECTIVE) != 0)
        *at++ = (uint8_t)op->collective;
    if ((fields & REQUEST) != 0)
        at = write_difference(at, op->request, expected_request(coder, last, op->flags));
    if ((fields & INSTANCE) != 0)
        at = write_difference(at, op->instance, expected_instance(coder, last, op));
    return at;
}

/* What both sides know behind an operation. */
static void remember(struct trace_coder *coder, const struct trace_op *op)
{
    coder->event = op->event;
    coder->time_ns = op->time_ns;
    if ((op->flags & TRACE_NONBLOCKING) != 0)
        coder->next_request = op->request + 1;
    if (op->kind == TRACE_COLLECTIVE_CALL && op->communicator < TRACE_CODER_COMMUNICATORS)
        coder->next_instance[op->communicator] = op->instance + 1;
}

uint8_t *trace_record_write(struct trace_coder *coder, const struct trace_op *op,
                            enum trace_vector_place vector, uint8_t *at)
{
    struct trace_op *last = &coder->last[op->kind];
    uint8_t *head = at++;
    unsigned fields;

    last->kind = op->kind;
    fields = find_fields(coder, last, op, vector);
    *head = (uint8_t)op->kind;
    if (fields != 0) {
        *head |= HAS_FIELDS;
        at = write_fields(coder, last, op, fields, at);
        if ((fields & VECTOR) != 0)
            *at++ = (uint8_t)vector;
    }
    if (op->duration_ns != last->duration_ns) {
        *head |= HAS_DURATION;
        at = trace_word_write(at, op->duration_ns);
    }
    if (op->event != coder->event + 1) {
        *head |= HAS_EVENT;
        at = write_difference(at, op->event, coder->event);
    }
    if (op->time_ns != coder->time_ns) {
        *head |= HAS_TIME;
        at = write_difference(at, op->time_ns, coder->time_ns);
    }
    *last = *op;
    coder->vector[op->kind] = (uint8_t)vector;
    remember(coder, op);
    return at;
}

/* ---- reading ---- */

static const uint8_t *read_difference(const uint8_t *at, uint64_t *value)
{
    uint64_t word;

    at = trace_word_read(at, &word);
    *value += trace_word_unfold(word);
    return at;
}

/* Requests and instances come last: what they are expected to be depends on other fields. */
static const uint8_t *read_fields(struct trace_coder *coder, struct trace_op *op, const uint8_t *at,
                                  unsigned *fields)
{
    uint64_t value;

    *fields = at[0] | (unsigned)at[1] << 8;
    at += 2;
#define READ(place, type, name)                                                                              \
    if ((*fields & 1u << (place)) != 0) {                                                                    \
        value = op->name;                                                                                    \
        at = read_difference(at, &value);                                                                    \
        op->name = (type)value;                                                                              \
    }
    FIELDS(READ)
#undef READ
    if ((*fields & COLLECTIVE) != 0)
        op->collective = (enum trace_collective) * at++;
    op->request = expected_request(coder, op, op->flags);
    if ((*fields & REQUEST) != 0)
        at = read_difference(at, &op->request);
    op->instance = expected_instance(coder, op, op);
    if ((*fields & INSTANCE) != 0)
        at = read_difference(at, &op->instance);
    if ((*fields & VECTOR) != 0)
        coder->vector[op->kind] = *at++;
    return at;
}

const uint8_t *trace_record_read(struct trace_coder *coder, struct trace_op *op, const uint8_t *at)
{
    unsigned head = *at++;
    unsigned fields;
    struct trace_op *last = &coder->last[head & KIND];

    last->kind = (enum trace_op_kind)(head & KIND);
    if ((head & HAS_FIELDS) != 0) {
        at = read_fields(coder, last, at, &fields);
    } else {
        last->request = expected_request(coder, last, last->flags);
        last->instance = expected_instance(coder, last, last);
    }
    if ((head & HAS_DURATION) != 0)
        at = trace_word_read(at, &last->duration_ns);
    last->event = coder->event;
    if ((head & HAS_EVENT) != 0)
        at = read_difference(at, &last->event);
    else
        last->event++;
    last->time_ns = coder->time_ns;
    if ((head & HAS_TIME) != 0)
        at = read_difference(at, &last->time_ns);
    remember(coder, last);
    *op = *last;
    return at;
}

/* ---- both ---- */

static bool are_alike(const struct trace_op *a, const struct trace_op *b)
{
    bool alike =
        a->collective == b->collective && a->request == b->request && a->duration_ns == b->duration_ns;

    alike &= a->kind == TRACE_COLLECTIVE_CALL || a->instance == b->instance;
#define ALIKE(place, type, name) alike &= a->name == b->name;
    FIELDS(ALIKE)
#undef ALIKE
    return alike;
}

bool trace_coders_agree(const struct trace_coder *a, const struct trace_coder *b)
{
    for (unsigned kind = 0; kind <= TRACE_END; kind++)
        if (a->vector[kind] != b->vector[kind] || !are_alike(&a->last[kind], &b->last[kind]))
            return false;
    return a->event == b->event && a->time_ns == b->time_ns && a->next_request == b->next_request;
}
