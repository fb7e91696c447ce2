/* From the file that --host names to the list that is recorded. */
#include "replay/machines/host-file.h"

#include <errno.h>
#include <string.h>

#include "replay/host.h"
#include "replay/machines/machine-file.h"

bool replay_host_is_published(const struct replay_settings *settings)
{
    const char *text = settings->text[REPLAY_HOST];

    return text != NULL && strcmp(text, "published") == 0;
}

/* What a machine's file has under `published-host`, as if it had been typed. The file is small, and read again. */
static int apply_published(struct replay_settings *settings, struct base_error *error)
{
    const char *name = settings->text[REPLAY_MACHINE];
    struct replay_machine_file machine = {0};
    int status;

    if (name == NULL)
        return base_error_set(
            error, BASE_USAGE,
            "--host published: these are the costs that a machine's file has; give --machine M, "
            "or a list such as send-overhead=500ns,nic-gap=20ns");
    status = replay_machine_read(&machine, name, NULL, error);
    if (status == 0 && machine.published_host == NULL)
        status = base_error_set(error, BASE_USAGE,
                                "--host published: machine '%s' has no published costs; give a list such as "
                                "send-overhead=500ns,nic-gap=20ns",
                                name);
    if (status == 0)
        status = replay_settings_set(settings, REPLAY_HOST, machine.published_host, error);
    replay_machine_free(&machine);
    return status;
}

/* A file that costs nothing is as if none had been named. */
int replay_host_apply(struct replay_settings *settings, struct base_error *error)
{
    const char *path = settings->text[REPLAY_HOST];
    struct base_input file;
    const char *list;

    if (path == NULL || replay_host_is_list(path))
        return 0;
    if (replay_host_is_published(settings))
        return apply_published(settings, error);
    if (base_input_open(&file, path) != 0)
        return base_error_system(
            error, errno, "--host %s: neither a list (send-overhead=500ns,...) nor a file that can be read",
            path);
    list = replay_host_read(&file, &settings->arena, error);
    base_input_close(&file);
    return list == NULL ? -1 : replay_settings_set(settings, REPLAY_HOST, list, error);
}
