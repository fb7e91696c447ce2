/* Inside replay/commands/: `flitreplay cost --router SHAPE` and `--link SHAPE`. */
#ifndef REPLAY_COMMANDS_COST_PART_H
#define REPLAY_COMMANDS_COST_PART_H

#include "netmodel/costs/technology.h"
#include "replay/commands/command.h"

/* Its exit status. */
int replay_command_cost_part(const struct replay_arguments *arguments,
                             const struct net_technology *technology, struct base_error *error);

#endif
