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

#define BAR 20
#define QUANTITY 32 /* bytes of a number with its unit */
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

/* A number with its unit; "?" where there is no memory for it. Returns text. */
static char *quantity(double value, const char *unit, char text[QUANTITY])
{
    char *told = flr_quantity(value, unit);

    snprintf(text, QUANTITY, "%s", told == NULL ? "?" : told);
    flr_string_free(told);
    return text;
}

/* What bar and line share: rate, memory and, once there is something to go by, the end. Nothing is said of the end
 * in the first second, or when a share of nothing is done. */
static void format_pace(const struct replay_progress *progress, double seconds, char text[LINE])
{
    double spent = seconds - atomic_load(&progress->begun_seconds);
    double rate = spent > 0 ? (double)atomic_load(&progress->simulated_ns) / spent : 0;
    char speed[QUANTITY], memory[QUANTITY];
    struct rusage usage = {0};
    double share = atomic_load(&progress->share);
    int used;

    getrusage(RUSAGE_SELF, &usage);
    quantity((double)usage.ru_maxrss * 1024, "bytes", memory);
    used = rate < 1 ? snprintf(text, LINE, "%s", memory)
                    : snprintf(text, LINE, "%s/s  %s", quantity(rate, "ns", speed), memory);
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

/* Rounded down: a bar is full when all is done. */
static uint32_t thousandths_of(const struct replay_progress *progress)
{
    return (uint32_t)(atomic_load(&progress->share) * 1000 + 1e-9);
}

/* The rest of the line is cleared with spaces, not with an escape sequence: every terminal knows them. */
static void draw(const struct replay_progress *progress, const char *what, double seconds)
{
    static const char full[BAR + 1] = "####################", empty[BAR + 1] = "....................";
    uint32_t thousandths = thousandths_of(progress);
    int done = (int)(thousandths * BAR / 1000);
    char time[QUANTITY], pace[LINE], name[LINE];

    format_pace(progress, seconds, pace);
    fprintf(stderr, "\r%-*.*s [%.*s%.*s] %3u %%  %s  %-30.36s", NAME, NAME, name_of(progress, what, name),
            done, full, BAR - done, empty, thousandths / 10,
            quantity((double)atomic_load(&progress->simulated_ns), "ns", time), pace);
    fflush(stderr);
}

/* Drawn when the percentage changes or a moment has passed, so it costs nothing however often this is called. */
static void draw_change(struct replay_progress *progress, const char *what, double seconds)
{
    uint32_t percent = thousandths_of(progress) / 10;

    if (!progress->is_shown || (progress->drawn_what == what && progress->drawn_percent == percent &&
                                seconds - progress->drawn_seconds < REDRAW_SECONDS))
        return;
    progress->drawn_what = what;
    progress->drawn_percent = percent;
    progress->drawn_seconds = seconds;
    draw(progress, what, seconds);
}

/* "40 minutes": rounded as an estimate is. */
static void format_duration(double seconds, char text[QUANTITY])
{
    if (seconds < 120)
        snprintf(text, QUANTITY, "%.0f seconds", seconds);
    else if (seconds < 7200)
        snprintf(text, QUANTITY, "%.0f minutes", seconds / 60);
    else if (seconds < 172800)
        snprintf(text, QUANTITY, "%.0f hours", seconds / 3600);
    else
        snprintf(text, QUANTITY, "%.0f days", seconds / 86400);
}

/* Once, whether or not there is a bar: whoever finds it in a log wants to know, too. */
static void tell_expected(struct replay_progress *progress, const flr_moment *moment)
{
    char duration[QUANTITY], memory[QUANTITY];

    if (progress->has_expected || progress->is_quiet || !(moment->expected_seconds > 0))
        return;
    progress->has_expected = true;
    format_duration(moment->expected_seconds, duration);
    if (progress->drawn_what != NULL)
        fprintf(stderr, "\r%79s\r", "");
    fprintf(stderr, "flitreplay: about %s, %s\n", duration,
            quantity((double)moment->expected_bytes, "bytes", memory));
    fflush(stderr);
}

/* Called by the work, which names another text for every part of it. Other threads may read what this stores: all of
 * that is atomic. Of runs the count may fall behind the share for a moment, and never the other way round. */
void replay_progress_note(void *context, const flr_moment *moment)
{
    struct replay_progress *progress = context;
    double seconds = seconds_now();
    double before = atomic_load(&progress->share);

    tell_expected(progress, moment);
    if (atomic_load(&progress->what) != moment->part)
        atomic_store(&progress->begun_seconds, seconds);
    atomic_store(&progress->what, moment->part);
    if (moment->runs == 0 || moment->share > before)
        atomic_store(&progress->share, moment->share);
    atomic_store(&progress->simulated_ns, moment->simulated_ns);
    atomic_store(&progress->runs_done, moment->runs_done);
    atomic_store(&progress->runs, moment->runs);
    draw_change(progress, moment->part, seconds);
}

/* Called by the thread that takes the signals. A line of its own, wherever a bar may stand. */
static void tell_status(void *context)
{
    const struct replay_progress *progress = context;
    const char *what = atomic_load(&progress->what);
    double seconds = seconds_now();
    char time[QUANTITY], pace[LINE], name[LINE];

    format_pace(progress, seconds, pace);
    fprintf(stderr, "%sflitreplay: %s, %u %%, %s simulated, %.1f s so far, %s\n",
            progress->is_shown ? "\n" : "", what == NULL ? "beginning" : name_of(progress, what, name),
            thousandths_of(progress) / 10, quantity((double)atomic_load(&progress->simulated_ns), "ns", time),
            seconds - atomic_load(&progress->begun_seconds), pace);
}

/* Also where nothing is drawn: SIGUSR1 may ask at any time. */
void replay_progress_start(struct replay_progress *progress, struct replay_signals *signals,
                           flr_request *request, bool quiet, bool has_bar)
{
    *progress = (struct replay_progress){
        .is_quiet = quiet, .is_shown = !quiet && has_bar && isatty(STDERR_FILENO) == 1, .signals = signals};
    atomic_store(&progress->begun_seconds, seconds_now());
    replay_signals_attend(signals, request, tell_status, progress);
}

/* Signals first: nobody tells of a work that is over. */
void replay_progress_end(struct replay_progress *progress)
{
    replay_signals_leave(progress->signals);
    if (progress->drawn_what != NULL)
        fprintf(stderr, "\r%79s\r", "");
    progress->drawn_what = NULL;
}

/* On standard error, since it is never the same twice and no part of the answer. */
void replay_progress_tell(const struct replay_progress *progress, const flr_answer *answer)
{
    char memory[QUANTITY], speed[QUANTITY];
    double seconds, hops;
    uint64_t bytes;

    if (!progress->is_shown || flr_answer_effort(answer, &seconds, &bytes, &hops) != 0)
        return;
    fprintf(stderr, "flitreplay: %.2f s, %s", seconds, quantity((double)bytes, "bytes", memory));
    if (isfinite(hops))
        fprintf(stderr, ", %s million flit-hops a second", quantity(hops / 1e6, "", speed));
    fputc('\n', stderr);
}
