/* Experiment files in a program that was built without libyaml. */
#include "replay/compare/experiment-file.h"

int replay_experiment_read(const struct base_input *file, struct replay_values *values,
                           struct replay_settings *settings, struct base_error *error)
{
    (void)values;
    (void)settings;
    return base_error_set(error, BASE_USAGE, "--experiment %s: this flitreplay was built without libyaml",
                          file->path);
}
