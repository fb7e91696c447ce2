/* What all members of a collective together send, as a formula of its size, ranks and root. */
#ifndef TESTS_COLLECTIVE_FORMS_H
#define TESTS_COLLECTIVE_FORMS_H

#include "traces/collectives/collective.h"

/* By the algorithm's name; the test fails for one that has no formula (composites are the sum of their
 * parts).
 */
uint64_t form_bytes(const char *name, const struct trace_collective_call *call);
/* Of calls without a vector, when no message is left out for being empty. UINT64_MAX: no formula. */
uint64_t form_messages(const char *name, const struct trace_collective_call *call);

#endif
