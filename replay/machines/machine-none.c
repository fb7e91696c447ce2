/* Machines and hosts in a program that was built without libyaml. */
#include "replay/machines/host-file.h"
#include "replay/machines/machine-file.h"

int replay_machine_parse(struct replay_machine_file *machine, const struct base_input *file,
                         replay_name_check *check, struct base_error *error)
{
    (void)machine;
    (void)check;
    return base_error_set(error, BASE_USAGE,
                          "--machine: %s cannot be read: this flitreplay was built without libyaml",
                          file->path);
}

/* A list of --host needs no file. */
const char *replay_host_read(const struct base_input *file, struct base_arena *arena,
                             struct base_error *error)
{
    (void)arena;
    base_error_set(error, BASE_USAGE,
                   "--host: %s cannot be read: this flitreplay was built without libyaml; a list as "
                   "send-overhead=500ns,... says the same",
                   file->path);
    return NULL;
}
