/* Synthetic traffic: when each terminal sends, how much, and to whom. Nothing is made before it is asked for,
 * and nothing is kept but a few words a terminal: message k of terminal i is a function of (seed, i, k), of
 * the time of message k - 1, and of the pattern's state of i.
 *
 *      struct net_traffic_message message;
 *      while (net_traffic_next(traffic, terminal, &message), message.cycle < end)
 *          net_network_inject(… message.cycle …);
 *
 * Arrivals. bernoulli: in every cycle a terminal generates a message with probability p, so that the times
 * between messages are geometric; poisson: times between messages are exponential (in units of 2^-20 cycles),
 * and several messages may be generated in one cycle. The mean is the load divided by the mean length.
 *
 * Lengths, in flits (the network cuts messages into packets): fixed; geometric with a mean (at least one
 * flit); bimodal, where a share of the messages is long and the rest short. */
#ifndef NET_TRAFFIC_H
#define NET_TRAFFIC_H

#include "netmodel/traffic/geometric.h"
#include "netmodel/traffic/pattern.h"

#define NET_LOAD_ONE UINT64_C(1000000) /* the load of one flit a cycle and terminal */

enum net_arrivals { NET_BERNOULLI, NET_POISSON };
enum net_length_kind { NET_LENGTH_FIXED, NET_LENGTH_GEOMETRIC, NET_LENGTH_BIMODAL };

struct net_lengths {
    enum net_length_kind kind; /* says which of the fields below count */
    uint64_t flits;            /* fixed: the length; geometric: the mean; bimodal: of a short message */
    uint64_t long_flits;       /* bimodal */
    uint64_t share_millionths; /* bimodal: of the messages that are long */
};

/* What can be chosen, for lists: names and summaries. */
struct net_traffic_kind {
    const char *name, *summary; /* as options take it; a line for lists */
    enum base_chance chance;
};
/* Constants; *count of them, in the order of enum net_arrivals and enum net_lengths. */
const struct net_traffic_kind *net_arrivals_kinds(size_t *count);
const struct net_traffic_kind *net_lengths_kinds(size_t *count);
/* Reads "bernoulli" or "poisson"; "fixed,flits=16", "geometric,mean=32" or
 * "bimodal,short=1,long=64,share=0.1", in which packet_flits stands for what is not given. -1: BASE_USAGE. */
int net_arrivals_parse(enum net_arrivals *arrivals, const char *text, struct base_error *error);
int net_lengths_parse(struct net_lengths *lengths, const char *text, uint32_t packet_flits,
                      struct base_error *error);
/* Flits of a message on the average. */
double net_lengths_mean(const struct net_lengths *lengths);

struct net_traffic_message {
    uint64_t cycle; /* in which it is generated */
    uint64_t flits;
    uint32_t target; /* a terminal */
    bool broadcast;  /* to all terminals: the target counts for nothing */
};

struct net_source { /* of one terminal: where its sequence of messages stands */
    uint64_t time;  /* of the last message, in cycles (bernoulli) or 2^-20 cycles (poisson) */
    uint64_t index; /* of the next message */
};

struct net_traffic {
    const struct net_pattern *pattern; /* outlives the traffic */
    enum net_arrivals arrivals;
    struct net_lengths lengths;       /* as they were asked for */
    uint64_t seed;                    /* of all terminals; each draws from a stream of its own */
    struct net_geometric gap, length; /* the sampler of times, and of geometric lengths */
    uint64_t share;                   /* of long messages, in units of 2^-64 */
    uint64_t broadcasts;              /* share of messages to all terminals, in units of 2^-64 */
    struct net_source *sources;       /* [terminals] */
    uint32_t *state;                  /* [terminals * pattern->state_words] */
};

/* load_millionths: flits that a terminal which sends offers per cycle, in millionths, >= 1. -1: more than one
 * message a cycle under bernoulli (BASE_USAGE), or memory; then there is nothing to free. */
int net_traffic_init(struct net_traffic *traffic, const struct net_pattern *pattern,
                     enum net_arrivals arrivals, const struct net_lengths *lengths, uint64_t load_millionths,
                     uint64_t seed, struct base_error *error);
void net_traffic_free(struct net_traffic *traffic);
/* From now on that share of the messages, in millionths, are broadcasts; none before. Times, lengths and
 * targets of the others stay what they were. */
void net_traffic_set_broadcasts(struct net_traffic *traffic, uint64_t millionths);
/* The next message of a terminal that sends (net_pattern_sends); cycles never fall. */
void net_traffic_next(struct net_traffic *traffic, uint32_t terminal, struct net_traffic_message *message);
/* Flits of the messages that the terminal generates before `cycle` and that have not been taken yet. Nothing
 * is taken by it. */
uint64_t net_traffic_ahead(const struct net_traffic *traffic, uint32_t terminal, uint64_t cycle);

#endif
