#include <config.h>

#include "tests/traces/recorded.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/suite.h"

static int compare_paths(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* Adds every directory below directory/<otf2-something> that holds a ground truth. */
static void add_writer(struct recorded_list *list, const char *directory)
{
    DIR *entries = opendir(directory);
    struct dirent *entry;
    char truth[RECORDED_PATH * 2];
    struct stat status;

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        snprintf(truth, sizeof truth, "%s/%s/GROUNDTRUTH.json", directory, entry->d_name);
        if (stat(truth, &status) != 0)
            continue;
        assert_true(list->count < RECORDED_LIMIT);
        assert_true((size_t)snprintf(list->paths[list->count++], RECORDED_PATH, "%s/%s", directory,
                                     entry->d_name) < RECORDED_PATH);
    }
    if (entries != NULL)
        closedir(entries);
}

static void add_root(struct recorded_list *list, const char *root)
{
    static const char *const writers[] = {"otf2-cpuclock", "otf2-eztrace", "otf2-scorep-layout"};
    char directory[RECORDED_PATH];

    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        snprintf(directory, sizeof directory, "%s/%s", root, writers[i]);
        add_writer(list, directory);
    }
    qsort(list->paths, list->count, sizeof *list->paths, compare_paths);
}

const struct recorded_list *recorded_traces(void)
{
    static struct recorded_list list;
    const char *shared = getenv("FLITREPLAY_SHARED"), *source = getenv("top_srcdir");
    char root[RECORDED_PATH];

    if (list.count > 0)
        return &list;
    if (shared != NULL && shared[0] != '\0') {
        snprintf(root, sizeof root, "%s/traces", shared);
        add_root(&list, root);
    }
    if (list.count == 0) {
        snprintf(root, sizeof root, "%s/tests/data", source == NULL ? "." : source);
        add_root(&list, root);
        list.bundled = true;
    }
    assert_true(list.count > 0);
    return &list;
}

const char *recorded_find(const char *end)
{
    const struct recorded_list *list = recorded_traces();

    for (size_t i = 0; i < list->count; i++) {
        size_t length = strlen(list->paths[i]);
        if (length > strlen(end) && strcmp(list->paths[i] + length - strlen(end), end) == 0)
            return list->paths[i];
    }
    return NULL;
}

struct trace_program *recorded_open(const char *path)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);

    if (program == NULL)
        fail_msg("%s", error.text);
    return program;
}

json_t *recorded_truth(const char *path)
{
    char file[RECORDED_PATH * 2];
    json_error_t error;
    json_t *truth;

    snprintf(file, sizeof file, "%s/GROUNDTRUTH.json", path);
    truth = json_load_file(file, 0, &error);
    if (truth == NULL)
        fail_msg("%s: %s", file, error.text);
    return truth;
}

uint64_t recorded_number(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}
