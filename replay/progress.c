/* A progress bar on standard error.
 *
 *      mesh:8x8         [########......................]  27 %  23.412 ms
 *
 * The share is that of the operations done, the time is simulated time. There are two bars, one for each
 * replay. */
#include <config.h>

#include "replay/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "reports/page.h"

#define BAR 30
#define NAME 16

/* A line is drawn when the percentage changes, so the bar costs nothing however often it is called. */
static void draw(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    static const char full[BAR + 1] = "##############################",
                                 empty[BAR + 1] = "..............................";
    struct replay_progress *progress = context;
    uint32_t percent = thousandths / 10;
    int done = (int)(thousandths * BAR / 1000);
    char time[BASE_UNITS_TEXT];

    if (progress->drawn_what == what && progress->drawn_percent == percent)
        return;
    progress->drawn_what = what;
    progress->drawn_percent = percent;
    fprintf(stderr, "\r%-*.*s [%.*s%.*s] %3u %%  %-14s", NAME, NAME, what, done, full, BAR - done, empty,
            percent, base_format_ns(simulated_ns, time));
    fflush(stderr);
}

/* A watch without a function keeps the session from calling at all. */
void replay_progress_start(struct replay_progress *progress, bool quiet)
{
    *progress = (struct replay_progress){.is_shown = !quiet && isatty(STDERR_FILENO) == 1};
    if (progress->is_shown)
        progress->watch = (struct replay_watch){draw, progress};
}

/* Spaces, not an escape sequence: every terminal knows them. */
void replay_progress_end(struct replay_progress *progress)
{
    if (progress->drawn_what != NULL)
        fprintf(stderr, "\r%78s\r", "");
    progress->drawn_what = NULL;
}

/* On standard error, since it is never the same twice and no part of the answer. */
void replay_progress_tell(const struct replay_progress *progress, const struct report_host *host)
{
    char memory[BASE_UNITS_TEXT], speed[REPORT_NUMBER_TEXT];

    if (!progress->is_shown)
        return;
    fprintf(stderr, "flitreplay: %.2f s, %s", host->wall_seconds,
            base_format_bytes(host->peak_memory_bytes, memory));
    if (isfinite(host->flit_hops_per_second))
        fprintf(stderr, ", %s million flit-hops a second",
                report_page_real(host->flit_hops_per_second / 1e6, 1, speed));
    fputc('\n', stderr);
}
