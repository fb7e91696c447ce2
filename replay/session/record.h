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

/* Of a setup whose network was tried; it outlives the record. */
struct replay_setup;
struct replay_record replay_record_of(const struct replay_setup *setup);
/* Of one that was made of the setup, which may know of more than was tried. */
struct replay_record replay_record_with(const struct replay_setup *setup, const struct net_network *network);

/* The value of an option in one way of writing, however it was given (64k and 65536 are the same run): in
 * text, or a name that lives as long as settings, topology and routing. NULL: it has none. */
const char *replay_record_value(const struct replay_record *record, enum replay_option option,
                                char text[BASE_UNITS_TEXT]);
/* How JSON writes it; text reports do not care. */
enum report_value replay_record_kind(enum replay_option option);

/* The options that are recorded, as rows of an answer, texts and rows in the arena. -1: memory. */
int replay_record_options(const struct replay_record *record, bool (*is_recorded)(enum replay_option option),
                          struct base_arena *arena, struct report_option **options, uint32_t *count);

/* How well the links of that network can be used. */
struct report_link_use replay_record_link_use(const struct replay_record *record);

#endif
