/* The draft that a survey has made (traces/draft.h), once everything is known. A rank's operations are what a cursor
 * gives, but for what the survey could not know:
 *
 *      in the draft                        settled
 *      unsettled receive                   its message, which the rank's table has: it completed too late (FAR)
 *      receive                             on another channel, by the table (MOVED) or a rule
 *      unsettled collective: with a        the vector, its flags and the root that the other members have recorded
 *        vector, between two groups
 *      unsettled compute time (a mark      the call's agreement, if its parent is known, with the compute time so far
 *        where communicators are made)       before it; what is after the call has the rest
 *      any collective                      its number, behind agreements
 *
 * Ranks whose requests complete otherwise than recorded are dropped: numbers of requests and sets of waits are others
 * then. So are ranks with probes where receives move. */
#ifndef TRACE_OTF2_SETTLE_H
#define TRACE_OTF2_SETTLE_H

#include "traces/otf2/decoder.h"

/* Behind all repairs. Nothing without a draft. */
void trace_otf2_settle(const struct trace_otf2_context *context);

#endif
