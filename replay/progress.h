/* A progress bar on standard error, when that is a terminal. */
#ifndef REPLAY_PROGRESS_H
#define REPLAY_PROGRESS_H

#include <stdbool.h>

#include "replay/session.h"
#include "reports/host.h"

struct replay_progress {
    bool is_shown;
    const char *drawn_what; /* of the line on the screen, or NULL */
    uint32_t drawn_percent;
    struct replay_watch watch;
};

/* Shows nothing when quiet, or when standard error is no terminal. */
void replay_progress_start(struct replay_progress *progress, bool quiet);
/* Clears the line. */
void replay_progress_end(struct replay_progress *progress);
/* Says what the work cost, where a bar would have been shown. */
void replay_progress_tell(const struct replay_progress *progress, const struct report_host *host);

#endif
