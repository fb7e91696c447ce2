/* Synthetic traffic: the sequence of messages of each terminal.
 *
 *      key of message k of terminal i = base_hash(base_hash(seed', i), k)
 *        ├─ base_hash(key, TIME)    ─► the time since message k - 1
 *        ├─ base_hash(key, LENGTH)  ─► its flits
 *        ├─ base_hash(key, TARGET)  ─► its target (netmodel/traffic/pattern.h)
 *        └─ base_hash(key, BROADCAST) ─► whether it goes to all instead
 *
 * So two terminals, or two draws of one message, share no random bits, and a terminal's messages do not
 * depend on when or in which order they are asked for. */
#include "netmodel/traffic/traffic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/units.h"
#include "netmodel/specification.h"

#define TRAFFIC                                                                                              \
    UINT64_C(0x74726166666963) /* seed' = base_hash(seed, this): the network draws from seed itself */
#define TICKS_LOG 20           /* of a cycle under poisson */
#define FLITS_MAX (UINT64_C(1) << 32)

enum { TIME, LENGTH, TARGET, BROADCAST };

static const struct net_traffic_kind arrivals_kinds[] = {
    [NET_BERNOULLI] = {"bernoulli", "a message in every cycle with the same probability", BASE_DRAWS},
    [NET_POISSON] = {"poisson", "exponential times between messages", BASE_DRAWS},
};

static const struct net_traffic_kind lengths_kinds[] = {
    [NET_LENGTH_FIXED] = {"fixed", "all messages have flits=N (one packet)", BASE_EXACT},
    [NET_LENGTH_GEOMETRIC] = {"geometric", "geometric with mean=N (one packet), at least one flit",
                              BASE_DRAWS},
    [NET_LENGTH_BIMODAL] = {"bimodal", "a share=F (0.1) has long=N flits (one packet), the rest short=N (1)",
                            BASE_DRAWS},
};

#define ARRIVALS (sizeof arrivals_kinds / sizeof arrivals_kinds[0])
#define LENGTHS (sizeof lengths_kinds / sizeof lengths_kinds[0])

const struct net_traffic_kind *net_arrivals_kinds(size_t *count)
{
    *count = ARRIVALS;
    return arrivals_kinds;
}

const struct net_traffic_kind *net_lengths_kinds(size_t *count)
{
    *count = LENGTHS;
    return lengths_kinds;
}

/* Arrivals have no parameters: their one number is the load. */
int net_arrivals_parse(enum net_arrivals *arrivals, const char *text, struct base_error *error)
{
    static const struct base_names names =
        BASE_NAMES_OF_ROWS("arrivals", arrivals_kinds, struct net_traffic_kind);
    size_t place = base_names_find(&names, text, SIZE_MAX, error);

    if (place == ARRIVALS)
        return -1;
    *arrivals = (enum net_arrivals)place;
    return 0;
}

/* A share with six decimals; absent: a tenth. */
static int parse_share(const struct net_specification *specification, uint64_t *millionths,
                       struct base_error *error)
{
    for (uint32_t i = 0; i < specification->parameter_count; i++) {
        if (strcmp(specification->parameters[i].key, "share") != 0)
            continue;
        if (base_parse_decimal(specification->parameters[i].value, 6, millionths) == 0 &&
            *millionths <= NET_LOAD_ONE)
            return 0;
        return base_error_set(
            error, BASE_USAGE,
            "lengths '%.80s': share=%.40s: not a number from 0 to 1 with at most 6 decimals",
            specification->text, specification->parameters[i].value);
    }
    return 0;
}

/* What stands behind the name, into lengths with its defaults. */
static int read_lengths(struct net_lengths *lengths, const struct net_specification *specification,
                        struct base_error *error)
{
    static const char *const first[] = {"flits", "mean", "short"};

    if (net_specification_unsigned(specification, first[lengths->kind], 1, FLITS_MAX, &lengths->flits,
                                   error) != 0)
        return -1;
    if (lengths->kind != NET_LENGTH_BIMODAL)
        return 0;
    if (net_specification_unsigned(specification, "long", 1, FLITS_MAX, &lengths->long_flits, error) != 0)
        return -1;
    return parse_share(specification, &lengths->share_millionths, error);
}

/* The texts of a specification live in an arena that is gone at the end: only numbers are kept. */
int net_lengths_parse(struct net_lengths *lengths, const char *text, uint32_t packet_flits,
                      struct base_error *error)
{
    static const char *const fixed[] = {"flits", NULL};
    static const char *const geometric[] = {"mean", NULL};
    static const char *const bimodal[] = {"short", "long", "share", NULL};
    static const char *const *const keys[] = {fixed, geometric, bimodal};
    static const struct base_names names =
        BASE_NAMES_OF_ROWS("lengths", lengths_kinds, struct net_traffic_kind);
    struct net_specification specification;
    struct base_arena arena = {0};
    size_t place = base_names_find(&names, text, strcspn(text, ","), error);
    int status = -1;

    if (place == LENGTHS)
        return -1;
    *lengths =
        (struct net_lengths){(enum net_length_kind)place, place == NET_LENGTH_BIMODAL ? 1 : packet_flits,
                             packet_flits, NET_LOAD_ONE / 10};
    if (net_specification_parse_named(&specification, text, "lengths", keys[place], &arena, error) == 0)
        status = read_lengths(lengths, &specification, error);
    base_arena_free(&arena);
    return status;
}

/* In flits. Floating point is for rates only, by which the times between messages are drawn; times
 * themselves are integers. */
double net_lengths_mean(const struct net_lengths *lengths)
{
    double share = (double)lengths->share_millionths / (double)NET_LOAD_ONE;

    if (lengths->kind != NET_LENGTH_BIMODAL)
        return (double)lengths->flits;
    return (1 - share) * (double)lengths->flits + share * (double)lengths->long_flits;
}

/* Messages a cycle become the sampler of the times between them.
 * Bernoulli times are whole cycles, and at most one message fits in each. Poisson times are kept in 2^-20
 * cycles, so that several messages may come in one cycle. */
static int set_rate(struct net_traffic *traffic, uint64_t load_millionths, struct base_error *error)
{
    double mean = net_lengths_mean(&traffic->lengths);
    double rate = (double)load_millionths / (double)NET_LOAD_ONE / mean;

    if (traffic->arrivals == NET_POISSON)
        net_geometric_init_rate(&traffic->gap, rate / (double)(1 << TICKS_LOG));
    else if (rate <= 1)
        net_geometric_init(&traffic->gap, rate);
    else
        return base_error_set(
            error, BASE_USAGE,
            "a load of %.6g flits a cycle in messages of %.6g flits is more than one message a "
            "cycle; take longer ones, or poisson arrivals",
            (double)load_millionths / (double)NET_LOAD_ONE, mean);
    if (traffic->lengths.kind == NET_LENGTH_GEOMETRIC)
        net_geometric_init(&traffic->length, 1 / mean);
    return 0;
}

/* The name of a message, from which all its draws come.
 * There is no generator whose state would move, so that looking ahead changes nothing. */
static uint64_t message_key(const struct net_traffic *traffic, uint32_t terminal, uint64_t index)
{
    return base_hash(base_hash(traffic->seed, terminal), index);
}

/* Message UINT64_MAX, which there is never, names the draws of the pattern's first state. */
static void begin_states(struct net_traffic *traffic)
{
    const struct net_pattern *pattern = traffic->pattern;

    for (uint32_t i = 0; pattern->kind->begin != NULL && i < pattern->terminals; i++)
        pattern->kind->begin(pattern, i, message_key(traffic, i, UINT64_MAX),
                             traffic->state + (size_t)i * pattern->state_words);
}

/* In units of 2^-64: a share of 1 is all messages but one in 2^64. */
static uint64_t share_of(uint64_t millionths)
{
    return millionths >= NET_LOAD_ONE ? UINT64_MAX : UINT64_MAX / NET_LOAD_ONE * millionths;
}

void net_traffic_set_broadcasts(struct net_traffic *traffic, uint64_t millionths)
{
    traffic->broadcasts = share_of(millionths);
}

/* The seed is mixed, so that the network and the traffic may be given the same number.
 * Nothing is left allocated on failure. The pattern is borrowed and must outlive the traffic, while
 * lengths are copied. */
int net_traffic_init(struct net_traffic *traffic, const struct net_pattern *pattern,
                     enum net_arrivals arrivals, const struct net_lengths *lengths, uint64_t load_millionths,
                     uint64_t seed, struct base_error *error)
{
    size_t words = (size_t)pattern->terminals * pattern->state_words;

    *traffic = (struct net_traffic){
        .pattern = pattern, .arrivals = arrivals, .lengths = *lengths, .seed = base_hash(seed, TRAFFIC)};
    traffic->share = share_of(lengths->share_millionths);
    if (set_rate(traffic, load_millionths, error) != 0)
        return -1;
    traffic->sources = calloc(pattern->terminals, sizeof *traffic->sources);
    traffic->state = calloc(words > 0 ? words : 1, sizeof *traffic->state);
    if (traffic->sources == NULL || traffic->state == NULL) {
        net_traffic_free(traffic);
        return base_error_memory(error, "the sources of the traffic");
    }
    begin_states(traffic);
    return 0;
}

/* Safe on a traffic that was never made. */
void net_traffic_free(struct net_traffic *traffic)
{
    free(traffic->sources);
    free(traffic->state);
    traffic->sources = NULL;
    traffic->state = NULL;
}

/* Its own draw decides between the two lengths. */
static uint64_t draw_length(const struct net_traffic *traffic, uint64_t key)
{
    const struct net_lengths *lengths = &traffic->lengths;
    uint64_t draw = base_hash(key, LENGTH);

    if (lengths->kind == NET_LENGTH_GEOMETRIC)
        return 1 + net_geometric_draw(&traffic->length, draw);
    if (lengths->kind == NET_LENGTH_BIMODAL && draw < traffic->share)
        return lengths->long_flits;
    return lengths->flits;
}

/* Steps a sequence on: the key of its next message, whose cycle and length are stored. Under bernoulli the
 * first message may come in cycle 0, and the next at least one cycle later. */
static uint64_t step(const struct net_traffic *traffic, uint32_t terminal, struct net_source *source,
                     struct net_traffic_message *message)
{
    uint64_t key = message_key(traffic, terminal, source->index);

    source->time += net_geometric_draw(&traffic->gap, base_hash(key, TIME));
    if (traffic->arrivals == NET_BERNOULLI)
        source->time += source->index > 0;
    source->index++;
    message->cycle = traffic->arrivals == NET_BERNOULLI ? source->time : source->time >> TICKS_LOG;
    message->flits = draw_length(traffic, key);
    return key;
}

/* The pattern is asked once a message and in order, since its state moves with every answer.
 * Its draw has a key of its own below the message's, so that a pattern that draws more or less does not
 * change times and lengths. */
void net_traffic_next(struct net_traffic *traffic, uint32_t terminal, struct net_traffic_message *message)
{
    const struct net_pattern *pattern = traffic->pattern;
    uint64_t key = step(traffic, terminal, &traffic->sources[terminal], message);

    message->broadcast = base_hash(key, BROADCAST) < traffic->broadcasts;
    message->target = pattern->kind->target(pattern, terminal, base_hash(key, TARGET),
                                            traffic->state + (size_t)terminal * pattern->state_words);
}

/* On a copy of the sequence: the pattern's state is not needed for times and lengths. */
uint64_t net_traffic_ahead(const struct net_traffic *traffic, uint32_t terminal, uint64_t cycle)
{
    struct net_source source = traffic->sources[terminal];
    struct net_traffic_message message;
    uint64_t flits = 0;

    for (step(traffic, terminal, &source, &message); message.cycle < cycle;
         step(traffic, terminal, &source, &message))
        flits += message.flits;
    return flits;
}
