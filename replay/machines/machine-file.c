/* Which file a machine is in, and the tables of names and figures. */
#include "replay/machines/machine-file.h"

#include <errno.h>
#include <string.h>

#include "base/names.h"
#include "replay/system/data-files.h"

static const struct replay_machine_name machines[] = {
#define REPLAY_MACHINE_NAME(name, summary) {name, summary},
#include "replay/machines/machines.def"
#undef REPLAY_MACHINE_NAME
};

const struct replay_machine_name *replay_machines(size_t *count)
{
    *count = sizeof machines / sizeof *machines;
    return machines;
}

static const struct replay_figure_row figures[] = {
#define REPLAY_FIGURE(symbol, name, kind, what) {name, what, REPLAY_FIGURE_##kind},
#include "replay/machines/machine-figures.def"
#undef REPLAY_FIGURE
};

const struct replay_figure_row *replay_figure_row(enum replay_figure figure)
{
    return &figures[figure];
}

/* As technologies are named: names are words, a file has a slash or a point. NULL: no such name, memory. */
static const char *path_of(struct base_arena *arena, const char *text, struct base_error *error)
{
    static const struct base_names names =
        BASE_NAMES_OF_ROWS("machine", machines, struct replay_machine_name);
    const char *name, *path;

    if (strpbrk(text, "/.") != NULL)
        return text;
    if (base_names_find(&names, text, SIZE_MAX, error) == names.count) {
        base_error_append(error, "; a file's name has a slash or a dot");
        return NULL;
    }
    name = base_arena_format(arena, "machines/%s.yaml", text);
    path = name == NULL ? NULL : replay_data_file(arena, name);
    if (path == NULL)
        base_error_memory(error, "a machine");
    return path;
}

/* Nothing is kept of where the file is: the options that it gives are recorded, each as it was in force. */
int replay_machine_read(struct replay_machine_file *machine, const char *text, replay_name_check *check,
                        struct base_error *error)
{
    const char *path = path_of(&machine->arena, text, error);
    struct base_input file;
    int status;

    if (path == NULL)
        return -1;
    if (base_input_open(&file, path) != 0)
        return base_error_system(error, errno, "%s", path);
    status = replay_machine_parse(machine, &file, check, error);
    base_input_close(&file);
    return status;
}

void replay_machine_free(struct replay_machine_file *machine)
{
    base_arena_free(&machine->arena);
    *machine = (struct replay_machine_file){0};
}
