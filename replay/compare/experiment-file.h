/* An experiment file: the options of a comparison in YAML.
 *
 *      # Does the diagonal pay?
 *      traces:
 *        - traces/cg.otf2
 *      topology: [mesh:8x8, king-mesh:8x8]     # commas within a value need quotes, or a list with dashes
 *      mapping: [identity, random]
 *      seeds: 5
 *
 * Keys are `traces` and the options of `flitreplay compare` without their dashes; a value is a scalar or a
 * list of scalars; flags are yes or no. Nothing else is allowed: an unknown key, a key given twice, a nested
 * value are errors with line and column. */
#ifndef REPLAY_COMPARE_EXPERIMENT_FILE_H
#define REPLAY_COMPARE_EXPERIMENT_FILE_H

#include "base/input.h"
#include "replay/values.h"

/* Adds what the file says. An option that is given already (on the command line) keeps its values; traces add
 * up. BASE_INPUT: "FILE: line 3, column 1: ..."; BASE_USAGE when this program was built without libyaml. */
int replay_experiment_read(const struct base_input *file, struct replay_values *values,
                           struct replay_settings *settings, struct base_error *error);

#endif
