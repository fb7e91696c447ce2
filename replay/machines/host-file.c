/* From the file that --host names to the list that is recorded. */
#include "replay/machines/host-file.h"

#include <errno.h>

#include "replay/host.h"

/* A file that costs nothing is as if none had been named. */
int replay_host_apply(struct replay_settings *settings, struct base_error *error)
{
    const char *path = settings->text[REPLAY_HOST];
    struct base_input file;
    const char *list;

    if (path == NULL || replay_host_is_list(path))
        return 0;
    if (base_input_open(&file, path) != 0)
        return base_error_system(
            error, errno, "--host %s: neither a list (send-overhead=500ns,...) nor a file that can be read",
            path);
    list = replay_host_read(&file, &settings->arena, error);
    base_input_close(&file);
    return list == NULL ? -1 : replay_settings_set(settings, REPLAY_HOST, list, error);
}
