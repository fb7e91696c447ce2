/* --strict: every record of the trace is to be replayed as it was recorded, or by a named algorithm. */
#include <inttypes.h>
#include <stdio.h>

#include "replay/commands/command.h"

/* Rows without records say what there could have been. */
static bool is_met(const struct report_coverage *row)
{
    return row->records == 0 || row->treatment == REPORT_EXACT || row->treatment == REPORT_DECOMPOSED;
}

/* The answer has been written by now: the list goes where errors go, and the status tells scripts.
 * Rows are listed in full, whatever --quiet says: a status without a reason would have to be looked for. Without
 * --strict nothing is said and nothing judged. */
int replay_strict(const struct replay_arguments *arguments, const char *trace,
                  const struct report_coverage *rows, uint32_t count)
{
    const char *command = replay_command_row(arguments->command)->name;
    int status = BASE_OK;

    if (!arguments->settings.given[REPLAY_STRICT])
        return BASE_OK;
    for (uint32_t i = 0; i < count; i++) {
        const struct report_coverage *row = &rows[i];
        if (is_met(row))
            continue;
        if (status == BASE_OK)
            fprintf(stderr, "flitreplay %s: --strict: not every record of %s is replayed as it is:\n",
                    command, trace);
        status = REPLAY_EXIT_UNMET;
        fprintf(stderr, "  %s: %" PRIu64 " %s%s%s\n", row->record, row->records,
                report_treatment_name(row->treatment), row->how == NULL ? "" : ": ",
                row->how == NULL ? "" : row->how);
    }
    return status;
}
