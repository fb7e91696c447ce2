/* Random legal programs that create communicators, held as plain arrays per communicator and per rank's
 * handle: the slow, obvious twin of traces/communicators/communicators.c. */
#ifndef TESTS_TRACES_COMMUNICATORS_COMMUNICATOR_MODEL_H
#define TESTS_TRACES_COMMUNICATORS_COMMUNICATOR_MODEL_H

#include <stdint.h>

#include "traces/communicators/communicators.h"

struct model;

/* The handles that the model takes for the predefined ones. */
extern const struct trace_predefined_handles model_handles;

struct model *model_new(uint64_t seed);
void model_free(struct model *model);
uint32_t model_ranks(const struct model *model);
/* Makes the seed's program and records it; every rank's calls in order, the ranks interleaved. */
void model_run(struct model *model, struct trace_communicators *all);
/* Fails the test when a handle means something else than in the model. Returns how many were looked up. */
unsigned long model_check(const struct model *model, const struct trace_communicators *all);

#endif
