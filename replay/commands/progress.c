/* A progress bar on standard error, and the same in words for SIGUSR1.
 *
 *      mesh:8x8         [######..............]  27 %  23.412 ms  3.1 ms/s  45 MiB  ends in 9 s
 *
 *      2 of 12 runs     [######..............]  27 %  23.412 ms  3.1 ms/s  45 MiB  ends in 9 s
 *
 * The share is that of the operations done, the first time is simulated time, the rate is simulated time in a
 * second. There is a bar for each replay; memory is the most that the process has had. The estimated end is
 * that of the bar's own replay, and supposes that operations go on taking as long as they did. Runs of a
 * comparison have one bar, to which those under way add their part. */
#include <config.h>

#include "replay/commands/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "reports/pages/page.h"

#define BAR 20
#define NAME 16
#define LINE 96            /* bytes of a line; a terminal has 80 columns */
#define REDRAW_SECONDS 0.1 /* when the percentage stays the same */

/* A clock that nobody sets back. */
static double seconds_now(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What bar and line share: rate, memory and, once there is something to go by, the end. Nothing is said of the end
 * in the first second, or when a share of nothing is done. */
static void format_pace(const struct replay_progress *progress, double seconds, char text[LINE])
{
    uint32_t thousandths = atomic_load(&progress->thousandths);
    double spent = seconds - atomic_load(&progress->begun_seconds);
    double rate = spent > 0 ? (double)atomic_load(&progress->simulated_ns) / spent : 0;
    char speed[BASE_UNITS_TEXT], memory[BASE_UNITS_TEXT];
    struct rusage usage = {0};
    double share = atomic_load(&progress->runs) > 0 ? atomic_load(&progress->share) : thousandths / 1000.0;
    int used;

    getrusage(RUSAGE_SELF, &usage);
    base_format_bytes((uint64_t)usage.ru_maxrss * 1024, memory);
    used = rate < 1 ? snprintf(text, LINE, "%s", memory)
                    : snprintf(text, LINE, "%s/s  %s", base_format_ns((uint64_t)rate, speed), memory);
    if (share > 0 && share < 1 && spent >= 1)
        snprintf(text + used, LINE - (size_t)used, "  ends in %.0f s", spent * (1 - share) / share);
}

/* What the work is at: a part of it by name, or how many runs are done. Returns `what` or text. */
static const char *name_of(const struct replay_progress *progress, const char *what, char text[LINE])
{
    uint32_t runs = atomic_load(&progress->runs);

    if (runs == 0)
        return what;
    snprintf(text, LINE, "%u of %u runs", atomic_load(&progress->runs_done), runs);
    return text;
}

/* The rest of the line is cleared with spaces, not with an escape sequence: every terminal knows them. */
static void draw(const struct replay_progress *progress, const char *what, double seconds)
{
    static const char full[BAR + 1] = "####################", empty[BAR + 1] = "....................";
    uint32_t thousandths = atomic_load(&progress->thousandths);
    int done = (int)(thousandths * BAR / 1000);
    char time[BASE_UNITS_TEXT], pace[LINE], name[LINE];

    format_pace(progress, seconds, pace);
    fprintf(stderr, "\r%-*.*s [%.*s%.*s] %3u %%  %s  %-30.36s", NAME, NAME, name_of(progress, what, name),
            done, full, BAR - done, empty, thousandths / 10,
            base_format_ns(atomic_load(&progress->simulated_ns), time), pace);
    fflush(stderr);
}

/* Called by the work, which names another text for every part of it. A bar is drawn when its percentage
 * changes or a moment has passed, so it costs nothing however often this is called. Other threads may read what it
 * stores: all of that is atomic. */
static void note(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct replay_progress *progress = context;
    double seconds = seconds_now();

    if (atomic_load(&progress->what) != what)
        atomic_store(&progress->begun_seconds, seconds);
    atomic_store(&progress->what, what);
    atomic_store(&progress->thousandths, thousandths);
    atomic_store(&progress->simulated_ns, simulated_ns);
    if (!progress->is_shown || (progress->drawn_what == what && progress->drawn_percent == thousandths / 10 &&
                                seconds - progress->drawn_seconds < REDRAW_SECONDS))
        return;
    progress->drawn_what = what;
    progress->drawn_percent = thousandths / 10;
    progress->drawn_seconds = seconds;
    draw(progress, what, seconds);
}

/* The count may fall behind the share for a moment, and never the other way round. */
void replay_progress_runs(struct replay_progress *progress, uint32_t done, uint32_t runs, double share,
                          uint64_t simulated_ns)
{
    double before = atomic_load(&progress->share);

    if (share > before)
        atomic_store(&progress->share, share);
    else
        share = before;
    atomic_store(&progress->runs_done, done);
    atomic_store(&progress->runs, runs);
    note(progress, "runs", (uint32_t)(share * 1000), simulated_ns);
}

/* Called by the thread that takes the signals. A line of its own, wherever a bar may stand. */
static void tell_status(void *context)
{
    const struct replay_progress *progress = context;
    const char *what = atomic_load(&progress->what);
    double seconds = seconds_now();
    char time[BASE_UNITS_TEXT], pace[LINE], name[LINE];

    format_pace(progress, seconds, pace);
    fprintf(stderr, "%sflitreplay: %s, %u %%, %s simulated, %.1f s so far, %s\n",
            progress->is_shown ? "\n" : "", what == NULL ? "beginning" : name_of(progress, what, name),
            atomic_load(&progress->thousandths) / 10,
            base_format_ns(atomic_load(&progress->simulated_ns), time),
            seconds - atomic_load(&progress->begun_seconds), pace);
}

/* The watch has its function also where nothing is drawn: SIGUSR1 may ask at any time. */
void replay_progress_start(struct replay_progress *progress, struct replay_signals *signals, bool quiet)
{
    *progress =
        (struct replay_progress){.is_shown = !quiet && isatty(STDERR_FILENO) == 1, .signals = signals};
    atomic_store(&progress->begun_seconds, seconds_now());
    progress->watch = (struct replay_watch){.progress = note, .context = progress, .stop = &signals->stop};
    replay_signals_attend(signals, tell_status, progress);
}

/* Signals first: nobody tells of a work that is over. */
void replay_progress_end(struct replay_progress *progress)
{
    replay_signals_leave(progress->signals);
    if (progress->drawn_what != NULL)
        fprintf(stderr, "\r%79s\r", "");
    progress->drawn_what = NULL;
}

/* Not success: a script must not take a part for the whole. */
int replay_progress_interrupted(struct base_error *error)
{
    base_error_set(error, BASE_INTERRUPTED, "interrupted: the results are marked as partial");
    return BASE_INTERRUPTED;
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
