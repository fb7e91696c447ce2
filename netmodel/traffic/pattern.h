/* Traffic patterns: to whom a terminal sends. One descriptor per pattern in pattern-kinds.def.
 *
 * The definitions are those of Dally and Towles, "Principles and Practices of Interconnection Networks"
 * (2004), section 3.2, in which a terminal's address is a number of b bits (bit permutations, for 2^b
 * terminals) or the coordinates of its router (digit permutations); each file says its formula, and what it
 * does where the field has no single answer. With several terminals on a router a digit permutation keeps the
 * terminal's place on its router.
 *
 * A pattern is a pure function of the source, of a key that names the message, and of a few words of state
 * that belong to the source (only the LRU stack has any). Parameters follow the name:
 * "hotspot,fraction=0.1,terminals=4". */
#ifndef NET_PATTERN_H
#define NET_PATTERN_H

#include "netmodel/topology.h"

#define NET_PATTERN_STATE_MAX 64 /* words of state of a source */

struct net_pattern;

struct net_pattern_kind {
    const char *name, *summary; /* as --pattern takes it; a line for lists */
    enum base_chance chance;    /* whether another seed gives other targets */
    const char *parameters;     /* as help shows them: "[,fraction=F]"; NULL: none */
    const char *const *keys;    /* the parameters it knows, NULL-terminated; NULL: none */
    bool permutation;           /* the target is a function of the source: the key does not matter */
    /* Refuses what the pattern cannot be on this topology, and fills in what it needs. NULL: nothing. -1:
     * BASE_USAGE, or memory. */
    int (*prepare)(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error);
    /* The state of a source before its first message. NULL: there is none. */
    void (*begin)(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state);
    /* The target of the message that key names. A permutation may give the source itself: such a terminal
     * sends nothing. */
    uint32_t (*target)(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state);
};

struct net_pattern {
    const struct net_pattern_kind *kind; /* whose functions know what the rest means */
    const struct net_topology *topology; /* whose terminals are sources and targets */
    const char *text;                    /* as it was asked for, parameters included */
    uint32_t terminals;
    uint32_t address_bits; /* log2 of the terminals, for bit permutations */
    uint32_t dimensions;   /* that a digit permutation changes, X first */
    uint64_t shift;        /* terminals from source to target, or bits that an address is rotated by */
    uint32_t hot, depth;   /* hot terminals; entries of the LRU stack */
    uint64_t threshold;    /* a probability, in units of 2^-64 */
    bool with_self;        /* uniform, lru-stack: a terminal may send to itself */
    uint32_t *table;       /* of the random permutation, in the arena */
    uint32_t state_words;  /* of each source */
    uint64_t seed;
    struct base_arena arena; /* of its tables */
};

const struct net_pattern_kind *const *net_pattern_kinds(size_t *count);
/* Prepares the named pattern for a topology that must outlive it. -1: unknown (nearest match), a parameter
 * that does not fit, or not on this topology (BASE_USAGE); or memory: then there is nothing to free. */
int net_pattern_init(struct net_pattern *pattern, const struct net_topology *topology, const char *text,
                     uint64_t seed, struct base_error *error);
void net_pattern_free(struct net_pattern *pattern);
/* Whether the terminal sends at all: it does unless a permutation leaves it where it is. */
bool net_pattern_sends(const struct net_pattern *pattern, uint32_t source);

/* For the kinds. A terminal other than `source`, all equally likely (at least two terminals). */
uint32_t net_pattern_other(const struct net_pattern *pattern, uint32_t source, uint64_t bits);
/* -1 unless the terminals are a power of two; sets address_bits. */
int net_pattern_address(struct net_pattern *pattern, struct base_error *error);
/* -1 unless routers have coordinates. */
int net_pattern_grid(const struct net_pattern *pattern, struct base_error *error);
/* -1 unless there are at least two groups of terminals (net_topology.group_terminals). */
int net_pattern_groups(const struct net_pattern *pattern, struct base_error *error);
/* The terminal in `source`'s place on the router with these coordinates. */
uint32_t net_pattern_at(const struct net_pattern *pattern, uint32_t source, const uint32_t *coordinates);
/* A parameter that is a probability, with at most 6 decimals: in units of 2^-64, 1 saturating. Absent: *value
 * is left alone. */
int net_pattern_probability(const struct net_specification *specification, const char *key, uint64_t *value,
                            struct base_error *error);

#endif
