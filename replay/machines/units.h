/* Physical units: what a user says in GB/s and ns, as the flits and cycles that the network knows (design of real
 * machines: doc/machines.md).
 *
 *      --link-bandwidth B       flit-bytes b and clock f with b f = B, exactly
 *      --link-latency t         link-cycles     ⌈t f⌉, one at least
 *      --router-latency t       router-cycles   ⌈t f⌉ + 1: a hop takes link and router cycles, less one
 *      --cable-latency-per-m t  link-latency-per-m
 *      --machine M              the options of its file, under those that a user gave
 *
 * A machine and units fill the options of the model, which are what is recorded and what runs. */
#ifndef REPLAY_MACHINES_UNITS_H
#define REPLAY_MACHINES_UNITS_H

#include "replay/machines/machine-file.h"

/* Fills the options that follow from --machine and from physical ones (they are given and derived then). Again with
 * other settings: what was derived before is taken back. -1: BASE_USAGE with what would do (a bandwidth that no whole
 * clock in kHz gives, latencies of more cycles than a link or a router may have, two options that say two things, no
 * such machine), BASE_INPUT of a machine's file, memory. check as in replay_machine_read. */
int replay_units_apply(struct replay_settings *settings, replay_name_check *check, struct base_error *error);

#endif
