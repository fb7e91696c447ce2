/* Finds the module that speaks MPI. */
#include <config.h>

#include "replay/system/world-load.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "replay/system/data-directory.h"

/* The folder that holds this code: that of the shared library, or of a program that the archive was linked to; ""
 * where nobody knows. */
static void find_folder(char folder[PATH_MAX])
{
    Dl_info place = {0};
    char *slash;

    *folder = '\0';
    if (dladdr(REPLAY_MODULE_DIRECTORY, &place) == 0 || place.dli_fname == NULL)
        return;
    snprintf(folder, PATH_MAX, "%s", place.dli_fname);
    slash = strrchr(folder, '/');
    *(slash == NULL ? folder : slash) = '\0';
}

/* Whether the folder is libtool's, of a build that is not installed. */
static bool is_build(const char *folder)
{
    size_t length = strlen(folder);

    return length >= 6 && strcmp(folder + length - 6, "/.libs") == 0;
}

/* Beside the library, as it is built or as it is installed, so that a tree that was moved as a whole finds its own;
 * then where it was configured to be installed. The last is what an error names. */
static void find_module(char path[PATH_MAX])
{
    char folder[PATH_MAX];

    find_folder(folder);
    if (*folder != '\0') {
        int length = snprintf(path, PATH_MAX, "%s/%s" REPLAY_WORLD_MODULE, folder,
                              is_build(folder) ? "" : "flitreplay/");
        if (length < PATH_MAX && access(path, R_OK) == 0)
            return;
    }
    snprintf(path, PATH_MAX, "%s/" REPLAY_WORLD_MODULE, REPLAY_MODULE_DIRECTORY);
}

/* It is never unloaded: MPI leaves threads and exit handlers behind. Its symbols are for all, since MPI loads parts
 * of itself later on, which look for them. */
static int load(struct replay_world_module *module, const char *path, struct base_error *error)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    void *entry = handle == NULL ? NULL : dlsym(handle, REPLAY_WORLD_ENTRY);
    replay_world_entry *fill;

    if (entry == NULL)
        return base_error_set(error, BASE_SYSTEM, "the module that speaks MPI cannot be loaded: %s",
                              dlerror());
    memcpy(&fill, &entry, sizeof fill); /* ISO C has no cast from objects to functions */
    fill(module);
    if (module->version != REPLAY_WORLD_VERSION)
        return base_error_set(error, BASE_SYSTEM, "%s: belongs to another version of flitreplay", path);
    return 0;
}

/* One that is alone needs no module. */
int replay_world_load(struct replay_world_module *module, uint32_t launched, struct base_error *error)
{
    char path[PATH_MAX];

    find_module(path);
    if (access(path, R_OK) == 0)
        return load(module, path, error) == 0 ? 1 : -1;
    if (launched <= 1)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "was started %u times by a launcher of MPI, but flitreplay's module for MPI is not "
                          "installed: %s",
                          launched, path);
}
