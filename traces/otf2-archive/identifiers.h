/* The identifiers that a location writes for itself, and what they are in the archive's definitions.
 *
 * A recorder numbers regions and communicators on each location as they come, and writes tables of what the
 * numbers mean (mapping tables) into the location's own definitions. libotf2 translates by them, with several
 * calls for every identifier of every event, also where there is no table. So where a location has no tables
 * but of regions and communicators, and they are small, we keep a copy, look into it when an event comes, and
 * have libotf2 translate nothing. Otherwise libotf2 does. */
#ifndef TRACE_OTF2_IDENTIFIERS_H
#define TRACE_OTF2_IDENTIFIERS_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What identifiers below `count` mean; all others mean themselves. */
struct trace_otf2_translation {
    uint32_t *global; /* [id] in the archive's definitions */
    size_t count;     /* 0: no table */
};

/* Of one location. Zeroed: no tables. */
struct trace_otf2_identifiers {
    struct trace_otf2_translation regions, communicators; /* from the location's to the archive's */
    bool left_to_library;                                 /* tables of other kinds, or too large ones */
    bool has_clock_offsets; /* libotf2 must read the events, since it corrects their times */
    bool out_of_memory;     /* a callback could not go on */
};

static inline uint32_t trace_otf2_translate(const struct trace_otf2_translation *translation, uint32_t id)
{
    return id < translation->count ? translation->global[id] : id;
}

/* Callbacks for the location's definitions, whose user data is its (zeroed) identifiers. NULL when memory is
 * out. */
OTF2_DefReaderCallbacks *trace_otf2_identifier_callbacks(void);
void trace_otf2_identifiers_free(struct trace_otf2_identifiers *identifiers);

#endif
