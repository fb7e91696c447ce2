/* Machines in a program that was built without libyaml. */
#include "replay/machines/machine-file.h"

int replay_machine_parse(struct replay_machine_file *machine, const struct base_input *file,
                         struct base_error *error)
{
    (void)machine;
    return base_error_set(error, BASE_USAGE,
                          "--machine: %s cannot be read: this flitreplay was built without libyaml",
                          file->path);
}
