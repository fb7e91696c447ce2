/* The pictures of a run that the command line asks for: `--svg KIND=FILE`, as often as there are kinds. */
#ifndef REPLAY_ANSWERS_PICTURES_H
#define REPLAY_ANSWERS_PICTURES_H

#include "base/arena.h"
#include "replay/system/files.h"
#include "reports/run/picture.h"

#define REPLAY_PICTURES_MAX 16

struct replay_pictures {
    struct base_arena arena; /* the names of the files */
    size_t count;
    struct {
        const struct report_run_picture *picture; /* which one */
        size_t file;                              /* its place among the files */
    } entry[REPLAY_PICTURES_MAX];
};

/* All of an option, joined by line feeds (NULL: none); adds their files. -1: BASE_USAGE, memory. Free in
 * either case. */
int replay_pictures_init(struct replay_pictures *pictures, const char *text, struct replay_files *files,
                         struct base_error *error);
/* Whether all of them can be drawn of this run. -1: BASE_USAGE. */
int replay_pictures_check(const struct replay_pictures *pictures, const struct report_run_view *view,
                          struct base_error *error);
/* Draws all, after the check. */
int replay_pictures_write(const struct replay_pictures *pictures, struct replay_files *files,
                          const struct report_run_view *view, struct base_error *error);
/* Draws the one of that kind ("network"). -1: BASE_USAGE: none is called so, or it cannot be drawn. */
int replay_pictures_draw(const char *kind, const struct report_run_view *view, FILE *stream,
                         struct base_error *error);
/* Whether one of them is drawn of what a recorder keeps; or of the busiest interval. */
bool replay_pictures_need_lanes(const struct replay_pictures *pictures);
bool replay_pictures_need_intervals(const struct replay_pictures *pictures);
void replay_pictures_free(struct replay_pictures *pictures);

#endif
