/* What is recorded of the options: the values in force, whatever was typed. One place for every answer, so
 * that the records of one network agree and that repeating it with what is recorded gives the same result. */
#ifndef REPLAY_SESSION_RECORD_H
#define REPLAY_SESSION_RECORD_H

#include "base/units.h"
#include "netmodel/network.h"
#include "replay/options.h"
#include "reports/run/run.h"

/* What options come to on one network; all borrowed. */
struct replay_record {
    const struct replay_settings *settings;
    const struct net_topology *topology;
    const struct net_routing *routing; /* NULL: none, on an ideal network */
    struct net_options network;        /* in force */
    struct net_link_share share;       /* of its links */
};

/* network: one of that topology and routing, made of these settings, which knows what is in force; it may be freed. */
struct replay_record replay_record_of(const struct replay_settings *settings,
                                      const struct net_topology *topology, const struct net_routing *routing,
                                      const struct net_network *network);

/* The value of an option in one way of writing, however it was given (64k and 65536 are the same run): in
 * text, or a name that lives as long as settings, topology and routing. NULL: it has none. */
const char *replay_record_value(const struct replay_record *record, enum replay_option option,
                                char text[BASE_UNITS_TEXT]);
/* How JSON writes it; text reports do not care. */
enum report_value replay_record_kind(enum replay_option option);

/* All recorded options as rows of an answer, texts and rows in the arena. -1: memory. */
int replay_record_options(const struct replay_record *record, struct base_arena *arena,
                          const struct report_option **options, uint32_t *count);

/* The same without a network at hand: it is made, and its routing. -1: what they refuse (BASE_USAGE), or
 * memory. */
int replay_record_in_force(const struct replay_settings *settings, const struct net_topology *topology,
                           struct base_arena *arena, const struct report_option **options, uint32_t *count,
                           struct base_error *error);

/* How well the links of that network can be used. */
struct report_link_use replay_record_link_use(const struct replay_record *record);

#endif
