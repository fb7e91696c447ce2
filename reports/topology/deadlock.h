/* Inside reports/: the check for deadlock (netmodel/deadlock/dependency.h) as part of the answer of `flitreplay
 * topology`. */
#ifndef REPORT_DEADLOCK_H
#define REPORT_DEADLOCK_H

#include "netmodel/deadlock/dependency.h"
#include "netmodel/network.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* A heading, and for each flow control what holds and why, or the circle of channels line by line. */
void report_deadlock_text(struct report_page *page, const struct net_routing *routing,
                          const struct net_deadlock_check *check);
/* Adds `deadlock_free`, under the given flow control, and `deadlock_check` with both verdicts to an object.
 */
void report_deadlock_json(struct report_json *json, json_t *object, const struct net_routing *routing,
                          const struct net_deadlock_check *check, enum net_flow_control flow_control);

#endif
