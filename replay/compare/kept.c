/* Readings of traces in a list, of which there are as many as traces that are open.
 *
 *      busy      one thread reads it, or makes it ready for several; who wants it waits
 *      used      by one, or by several where it is shared
 *      idle      takes up room, or is closed where there is none */
#include <config.h>

#include "replay/compare/kept.h"

#include <pthread.h>
#include <stdlib.h>

#include "replay/session/session.h"
#include "traces/hash.h"
#include "traces/kept.h"

struct reading {
    struct reading *next;
    const struct replay_settings *settings;
    struct trace_program *program; /* NULL: it is being read */
    uint64_t idle_bytes;           /* of the room, while nobody uses it */
    uint32_t trace, users;
    bool is_busy, is_shared;
};

struct replay_kept {
    pthread_mutex_t mutex; /* around all that follows */
    pthread_cond_t ready;  /* one is not busy any more */
    const char *const *traces;
    struct reading *first;
    uint64_t room_bytes;
};

bool replay_reads_alike(const struct replay_settings *a, const struct replay_settings *b)
{
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (replay_option_row(option)->group == REPLAY_GROUP_READING && !replay_settings_agree(a, b, option))
            return false;
    return true;
}

struct replay_kept *replay_kept_new(const char *const *traces, uint64_t room_bytes)
{
    struct replay_kept *kept = calloc(1, sizeof *kept);

    if (kept == NULL)
        return NULL;
    kept->traces = traces;
    kept->room_bytes = room_bytes;
    pthread_mutex_init(&kept->mutex, NULL);
    pthread_cond_init(&kept->ready, NULL);
    return kept;
}

/* Its own memory with the program's. NULL is legal. */
static void end_reading(struct reading *reading)
{
    if (reading == NULL)
        return;
    trace_close(reading->program);
    free(reading);
}

void replay_kept_free(struct replay_kept *kept)
{
    struct reading *next;

    if (kept == NULL)
        return;
    for (struct reading *reading = kept->first; reading != NULL; reading = next) {
        next = reading->next;
        end_reading(reading);
    }
    pthread_cond_destroy(&kept->ready);
    pthread_mutex_destroy(&kept->mutex);
    free(kept);
}

/* ---- with the mutex held ---- */

/* One that can be used, or is worth waiting for. NULL: there is none. */
static struct reading *find(const struct replay_kept *kept, uint32_t trace,
                            const struct replay_settings *settings)
{
    struct reading *reading = kept->first;

    while (reading != NULL &&
           (reading->trace != trace || (reading->users > 0 && !reading->is_busy && !reading->is_shared) ||
            !replay_reads_alike(reading->settings, settings)))
        reading = reading->next;
    return reading;
}

static void take_out(struct replay_kept *kept, struct reading *reading)
{
    struct reading **link = &kept->first;

    while (*link != reading)
        link = &(*link)->next;
    *link = reading->next;
}

/* One more user of a reading that is not busy; a new one where there is none. NULL: memory. */
static struct reading *use(struct replay_kept *kept, uint32_t trace, const struct replay_settings *settings)
{
    struct reading *reading = find(kept, trace, settings);

    while (reading != NULL && reading->is_busy) {
        pthread_cond_wait(&kept->ready, &kept->mutex);
        reading = find(kept, trace, settings);
    }
    if (reading == NULL) {
        reading = calloc(1, sizeof *reading);
        if (reading == NULL)
            return NULL;
        *reading = (struct reading){.next = kept->first, .settings = settings, .trace = trace};
        kept->first = reading;
    }
    reading->users++;
    kept->room_bytes += reading->idle_bytes;
    reading->idle_bytes = 0;
    return reading;
}

/* False: nobody will know it any more. The room of a program without operations is not known. */
static bool rest(struct replay_kept *kept, struct reading *reading)
{
    struct trace_kept_size size = trace_kept_size(reading->program);

    if (size.operations > 0 && size.memory_bytes <= kept->room_bytes &&
        find(kept, reading->trace, reading->settings) == reading) {
        trace_program_rest(reading->program);
        reading->idle_bytes = size.memory_bytes;
        kept->room_bytes -= size.memory_bytes;
        return true;
    }
    take_out(kept, reading);
    return false;
}

/* Of a busy reading, by its only user: the program, which is read if it is not there yet. NULL: why not, and it is
 * closed. */
static struct trace_program *prepare(const struct reading *reading, const char *path, bool is_for_several,
                                     bool *is_shared, struct base_error *error)
{
    struct trace_program *program = reading->program;
    int shared = -1;

    if (program == NULL)
        program = replay_session_keep(path, reading->settings, error);
    if (program != NULL && trace_program_hash(program, error) != NULL)
        shared = is_for_several ? trace_program_share(program, error) : 0;
    *is_shared = shared > 0;
    if (shared >= 0)
        return program;
    trace_close(program);
    return NULL;
}

/* The mutex is given up meanwhile, so all that others may look at is changed under it. NULL: it is gone. */
static struct trace_program *make_ready(struct replay_kept *kept, struct reading *reading,
                                        bool is_for_several, struct base_error *error)
{
    struct trace_program *program;
    bool is_shared;

    reading->is_busy = true;
    pthread_mutex_unlock(&kept->mutex);
    program = prepare(reading, kept->traces[reading->trace], is_for_several, &is_shared, error);
    pthread_mutex_lock(&kept->mutex);
    reading->program = program;
    reading->is_shared = is_shared;
    reading->is_busy = false;
    pthread_cond_broadcast(&kept->ready);
    if (program == NULL) {
        take_out(kept, reading);
        free(reading);
    }
    return program;
}

struct trace_program *replay_kept_open(struct replay_kept *kept, uint32_t trace,
                                       const struct replay_settings *settings, bool is_for_several,
                                       struct base_error *error)
{
    struct trace_program *program = NULL;
    struct reading *reading;

    pthread_mutex_lock(&kept->mutex);
    reading = use(kept, trace, settings);
    if (reading == NULL)
        base_error_memory(error, "a trace that is open");
    else if (reading->program == NULL || (is_for_several && !reading->is_shared))
        program = make_ready(kept, reading, is_for_several, error);
    else
        program = reading->program;
    pthread_mutex_unlock(&kept->mutex);
    return program;
}

void replay_kept_close(struct replay_kept *kept, struct trace_program *program)
{
    struct reading *reading;
    struct reading *gone = NULL;

    if (program == NULL)
        return;
    pthread_mutex_lock(&kept->mutex);
    reading = kept->first;
    while (reading->program != program)
        reading = reading->next;
    if (--reading->users == 0 && !rest(kept, reading))
        gone = reading;
    pthread_mutex_unlock(&kept->mutex);
    end_reading(gone);
}
