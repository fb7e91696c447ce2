/* --strict: every record of the trace is to be replayed as it was recorded, or by a named algorithm. */
#include <config.h>

#include <inttypes.h>

#include "replay/answers/answer.h"

/* Rows without records say what there could have been. */
static bool is_met(const struct report_coverage *row)
{
    return row->records == 0 || row->treatment == REPORT_EXACT || row->treatment == REPORT_DECOMPOSED;
}

/* Rows are listed in full, whatever --quiet says: a status without a reason would have to be looked for. Without
 * --strict nothing is said and nothing judged. */
int replay_answer_strict(struct replay_answer *answer, const char *trace, const struct report_coverage *rows,
                         uint32_t count, struct base_error *error)
{
    const char *command = replay_command_row(answer->arguments->command)->name;
    bool begun = false;

    if (!answer->arguments->settings.given[REPLAY_STRICT])
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct report_coverage *row = &rows[i];
        if (is_met(row))
            continue;
        if (!begun &&
            replay_answer_note(
                answer, error,
                "flitreplay %s: --strict: not every record of %s is replayed as it is:", command, trace) != 0)
            return -1;
        begun = true;
        answer->status = REPLAY_EXIT_UNMET;
        if (replay_answer_note(answer, error, "  %s: %" PRIu64 " %s%s%s", row->record, row->records,
                               report_treatment_name(row->treatment), row->how == NULL ? "" : ": ",
                               row->how == NULL ? "" : row->how) != 0)
            return -1;
    }
    return 0;
}
