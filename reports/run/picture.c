/* The registry of pictures, and what their users share. */
#include "reports/run/picture.h"

#include <assert.h>
#include <string.h>

#include "base/names.h"
#include "reports/drawing/palette.h"

#define REPORT_RUN_PICTURE(symbol) extern const struct report_run_picture report_run_picture_##symbol;
#include "reports/run/picture-kinds.def"
#undef REPORT_RUN_PICTURE

#define REPORT_RUN_PICTURE(symbol) &report_run_picture_##symbol,
static const struct report_run_picture *const pictures[] = {
#include "reports/run/picture-kinds.def"
};
#undef REPORT_RUN_PICTURE

#define COUNT (sizeof pictures / sizeof *pictures)

/* The order is that of the help: from the answer to its details. */
const struct report_run_picture *const *report_run_pictures(size_t *count)
{
    *count = COUNT;
    return pictures;
}

const struct report_run_picture *report_run_picture_find(const char *name, struct base_error *error)
{
    static const struct base_names names = BASE_NAMES("picture", pictures, struct report_run_picture);
    size_t place = base_names_find(&names, name, SIZE_MAX, error);

    return place == COUNT ? NULL : pictures[place];
}

/* A line feed joins several of them in the settings (replay/options.c), and cannot be part of one. */
int report_run_picture_split(const char *text, const struct report_run_picture **picture, const char **file,
                             struct base_error *error)
{
    const char *equals = strchr(text, '=');
    const struct report_run_picture *found;
    char name[32];

    if (equals == NULL || equals[1] == '\0' || strchr(text, '\n') != NULL)
        return base_error_set(error, BASE_USAGE, "--svg %s: needs KIND=FILE, as channel-load=load.svg", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    found = report_run_picture_find(name, error);
    if (found == NULL)
        return -1;
    if (picture != NULL)
        *picture = found;
    if (file != NULL)
        *file = equals + 1;
    return 0;
}

/* The check comes first, so that a refusal leaves nothing in the stream: a picture is whole or absent, like every
 * other output. */
int report_run_svg(const struct report_run_picture *picture, const struct report_run_view *view, FILE *stream,
                   struct base_error *error)
{
    if (picture->check != NULL && picture->check(view, error) != 0)
        return -1;
    return picture->draw(view, stream, error);
}

/* The host's, then from the network's mildest cause to the one that most can be done about. */
report_color report_effect_color(unsigned effect)
{
    static const report_color colors[REPORT_EFFECTS] = {REPORT_INK,   REPORT_SKY,    REPORT_BLUE,
                                                        REPORT_GREEN, REPORT_ORANGE, REPORT_VERMILION};
    return colors[effect - 1];
}

/* What report_page_figure hands back to draw_figure. */
struct figure {
    const struct report_run_picture *picture;
    const struct report_run_view *view;
};

static int draw_figure(const void *content, FILE *stream, struct base_error *error)
{
    const struct figure *figure = content;
    return figure->picture->draw(figure->view, stream, error);
}

/* A report without one of its pictures is still a report: an ideal network has no channels. */
void report_run_figure(struct report_page *page, const struct report_run_view *view, const char *name)
{
    struct base_error reason;
    struct figure figure = {report_run_picture_find(name, &reason), view};

    assert(figure.picture != NULL);
    if (!report_page_is_markup(page) ||
        (figure.picture->check != NULL && figure.picture->check(view, &reason) != 0))
        return;
    report_page_figure(page, figure.picture->summary, draw_figure, &figure);
}
