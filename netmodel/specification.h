/* Reading "kind:8x8,key=value,…", the text form of a topology, and "name,key=value,…", that of a routing.
 * Every part that is not understood is refused with a sentence that names it; nothing is guessed. Texts are
 * copied into an arena, which owns the result.
 */
#ifndef NET_SPECIFICATION_H
#define NET_SPECIFICATION_H

#include "base/arena.h"
#include "base/error.h"
#include "netmodel/topology.h"

/* The kind's name: what stands before the first colon. NULL: memory. */
char *net_specification_kind(const char *text, struct base_arena *arena, struct base_error *error);
/* Reads sizes and parameters; kind says which parameters there are. -1: BASE_USAGE (no size, a size that is
 * no number from 1 to NET_TERMINALS_MAX, an unknown, repeated or empty parameter, anything left over) or
 * memory. */
int net_specification_parse(struct net_specification *specification, const char *text,
                            const struct net_topology_kind *kind, struct base_arena *arena,
                            struct base_error *error);
/* Reads "name,key=value,…" of a routing or another kind without sizes; what names it in errors ("routing").
 * Otherwise as above. */
int net_specification_parse_named(struct net_specification *specification, const char *text, const char *what,
                                  const char *const *keys, struct base_arena *arena,
                                  struct base_error *error);
/* A parameter that is a whole number from minimum to maximum; absent: *value is left alone. -1: BASE_USAGE.
 */
int net_specification_unsigned(const struct net_specification *specification, const char *key,
                               uint64_t minimum, uint64_t maximum, uint64_t *value, struct base_error *error);
/* What a parameter says, as it stands there; NULL: it was not given. */
const char *net_specification_value(const struct net_specification *specification, const char *key);
/* For a kind's write: text with ",key=value" behind it, in the topology's arena; text itself where the value is
 * `otherwise`, which needs no words. NULL: memory, also where text is NULL. */
const char *net_specification_append(struct net_topology *topology, const char *text, const char *key,
                                     uint32_t value, uint32_t otherwise);

#endif
