/* The trace doctor: what is wrong with a program, found by pairing everything that belongs together.
 *
 * All ranks are read at once, each as far as it can go before what it waits for has been seen: a receive for
 * its send, a wait for the messages of its requests, a collective for its members. So memory holds what is
 * unmatched, not what the trace holds. Where all ranks wait (a damaged trace), all go on, and what they
 * waited for stays unmatched until it turns up or the trace ends.
 *
 *      unmatched-send, unmatched-receive, unmatched-probe       no other side in the whole trace
 *      receive-too-small, receive-size                          the other side has another size
 *      collective-order, collective-root, collective-size,      members disagree, or one of them never calls
 *      collective-missing
 *      request-not-completed, unknown-request                   requests and waits that do not belong together
 *      clock-violation, time-goes-back                          times that cannot be
 *      oversubscribed, waits-between-calls, coarse-clock        processor-loss.h
 *      missing-records                                          calls whose messages the trace does not tell
 *      rank-without-operations, unknown-rank, not-a-member, unreadable
 *
 * and a row for each repair of the reader, under the repair's own name. What the reader puts into
 * trace_options.defects (truncated and missing files, holes) is not found here again. */
#ifndef TRACE_DOCTOR_H
#define TRACE_DOCTOR_H

#include "traces/doctor/defect.h"
#include "traces/program.h"

/* Examines a program, which was opened with these options (NULL: the defaults), and adds what is wrong to
 * `defects`, in an order that depends on nothing but the program. A rank that cannot be read to its end is a
 * defect, not an error. Returns 0, or -1: memory (BASE_SYSTEM). Wildcards that the reader could not resolve
 * are paired so that as few messages as possible are left over; sizes are not compared there. */
int trace_doctor(struct trace_program *program, const struct trace_options *options,
                 struct trace_defects *defects, struct base_error *error);

#endif
