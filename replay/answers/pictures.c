/* A picture that a run has not (channels of an ideal network) is refused after the replay and before anything
 * is written: all results, or none.
 *
 *     --svg network=a.svg --svg timeline=b.svg     each a kind of picture and its file
 *
 * Files are added to those of the command, so that they are opened with them before any work. */
#include <config.h>

#include "replay/answers/pictures.h"

#include <string.h>

/* Two pictures may be of one kind; two files may not be one, which the files look after. */
static int add(struct replay_pictures *pictures, const char *text, struct replay_files *files,
               struct base_error *error)
{
    const char *file;

    if (pictures->count == REPLAY_PICTURES_MAX)
        return base_error_set(error, BASE_USAGE, "--svg: more than %d pictures", REPLAY_PICTURES_MAX);
    if (report_run_picture_split(text, &pictures->entry[pictures->count].picture, &file, error) != 0)
        return -1;
    pictures->entry[pictures->count++].file = replay_files_add(files, file);
    return 0;
}

/* The option's text is cut at its line feeds in a copy, which the names of the files are borrowed from: it lives
 * until the pictures are freed. NULL: no picture is wanted. */
int replay_pictures_init(struct replay_pictures *pictures, const char *text, struct replay_files *files,
                         struct base_error *error)
{
    char *copy, *rest, *next;

    *pictures = (struct replay_pictures){0};
    if (text == NULL)
        return 0;
    copy = base_arena_text(&pictures->arena, text);
    if (copy == NULL)
        return base_error_memory(error, "the pictures");
    for (next = strtok_r(copy, "\n", &rest); next != NULL; next = strtok_r(NULL, "\n", &rest))
        if (add(pictures, next, files, error) != 0)
            return -1;
    return 0;
}

/* Lanes are recorded during the replay, and so must be asked for before it. */
bool replay_pictures_need_lanes(const struct replay_pictures *pictures)
{
    for (size_t i = 0; i < pictures->count; i++)
        if (pictures->entry[i].picture->needs_lanes)
            return true;
    return false;
}

bool replay_pictures_need_intervals(const struct replay_pictures *pictures)
{
    for (size_t i = 0; i < pictures->count; i++)
        if (pictures->entry[i].picture->needs_intervals)
            return true;
    return false;
}

/* After the replay, as only then it is known what there is to be drawn. */
int replay_pictures_check(const struct replay_pictures *pictures, const struct report_run_view *view,
                          struct base_error *error)
{
    /* What an interrupted run has is written, and what it has not is left out. */
    for (size_t i = 0; i < pictures->count && view->run->interrupted == NULL; i++) {
        const struct report_run_picture *picture = pictures->entry[i].picture;
        if (picture->check != NULL && picture->check(view, error) != 0)
            return -1;
    }
    return 0;
}

/* What write_picture is handed through the files. */
struct sheet {
    const struct report_run_picture *picture; /* which one */
    const struct report_run_view *view;       /* of what */
};

static int write_picture(const void *content, FILE *stream, struct base_error *error)
{
    const struct sheet *sheet = content;
    return sheet->picture->draw(sheet->view, stream, error);
}

/* In the order of the command line. The first that fails ends it; those before it are whole. */
int replay_pictures_write(const struct replay_pictures *pictures, struct replay_files *files,
                          const struct report_run_view *view, struct base_error *error)
{
    for (size_t i = 0; i < pictures->count; i++) {
        const struct sheet sheet = {pictures->entry[i].picture, view};
        struct base_error reason;
        if (sheet.picture->check != NULL && sheet.picture->check(view, &reason) != 0)
            continue;
        if (replay_files_write(files, pictures->entry[i].file, write_picture, &sheet, error) != 0)
            return -1;
    }
    return 0;
}

int replay_pictures_draw(const char *kind, const struct report_run_view *view, FILE *stream,
                         struct base_error *error)
{
    const struct report_run_picture *picture = report_run_picture_find(kind, error);

    if (picture == NULL || (picture->check != NULL && picture->check(view, error) != 0))
        return -1;
    return picture->draw(view, stream, error);
}

/* The files are the command's. */
void replay_pictures_free(struct replay_pictures *pictures)
{
    base_arena_free(&pictures->arena);
}
