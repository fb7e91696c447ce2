/* Answers: worked out, and written in their forms. */
#include <config.h>

#include <stdlib.h>

#include "base/text-stream.h"
#include "replay/library/internal.h"

_Static_assert((int)FLR_USAGE == BASE_USAGE && (int)FLR_INPUT == BASE_INPUT &&
                   (int)FLR_DEADLOCK == BASE_DEADLOCK && (int)FLR_SYSTEM == BASE_SYSTEM &&
                   (int)FLR_INTERRUPTED == BASE_INTERRUPTED && (int)FLR_UNMET == REPLAY_EXIT_UNMET,
               "flr_status is base_status under its public name");

/* What follows from a machine and from physical units is worked out in a copy: the caller's options stay as given. */
static int work_out(flr_answer *asked, const flr_request *request, struct base_error *error)
{
    asked->arguments = request->given;
    asked->arguments.settings = (struct replay_settings){0};
    if (replay_settings_copy(&asked->arguments.settings, &request->given.settings, error) != 0 ||
        replay_arguments_apply(&asked->arguments, error) != 0)
        return (int)error->status;
    return replay_answer_to_files(&asked->answer, &asked->arguments, request->prints, error);
}

flr_answer *flr_ask(flr_request *request, flr_error **error)
{
    flr_answer *asked = calloc(1, sizeof *asked);
    struct base_error inner = {0};
    int status = BASE_SYSTEM;

    if (asked == NULL)
        base_error_memory(&inner, "the answer");
    else
        status = work_out(asked, request, &inner);
    if (status <= REPLAY_EXIT_UNMET ||
        (status == BASE_INTERRUPTED && asked->answer.status == BASE_INTERRUPTED))
        return asked;
    flr_answer_free(asked);
    replay_error_pass(&inner, error);
    return NULL;
}

void flr_answer_free(flr_answer *answer)
{
    if (answer == NULL)
        return;
    json_decref(answer->document);
    replay_answer_free(&answer->answer);
    replay_settings_free(&answer->arguments.settings);
    free(answer);
}

enum flr_status flr_answer_status(const flr_answer *answer)
{
    return (enum flr_status)answer->answer.status;
}

const char *flr_answer_notes(const flr_answer *answer)
{
    return answer->answer.notes == NULL ? "" : answer->answer.notes;
}

int flr_answer_effort(const flr_answer *answer, double *wall_seconds, uint64_t *memory_bytes,
                      double *flit_hops_per_second)
{
    const struct report_host *host = answer->answer.host;

    if (host == NULL)
        return 1;
    if (wall_seconds != NULL)
        *wall_seconds = host->wall_seconds;
    if (memory_bytes != NULL)
        *memory_bytes = host->peak_memory_bytes;
    if (flit_hops_per_second != NULL)
        *flit_hops_per_second = host->flit_hops_per_second;
    return 0;
}

const char *flr_answer_form_name(const flr_answer *answer, size_t form)
{
    return replay_answer_form_name(&answer->answer, form);
}

/* A stream in memory fails for lack of it only, and may do so as late as when it is closed. */
char *flr_answer_form(const flr_answer *answer, const char *form, size_t *length, flr_error **error)
{
    struct base_error inner = {0};
    struct base_text_stream text;
    int status = base_text_stream_open(&text) == NULL
                     ? base_error_memory(&inner, "the answer")
                     : replay_answer_write(&answer->answer, form, text.stream, &inner);

    if (base_text_stream_close(&text) != 0 && status == 0)
        status = base_error_memory(&inner, "the answer");
    if (status == 0) {
        if (length != NULL)
            *length = text.size;
        return text.text;
    }
    base_text_stream_free(&text);
    return replay_error_pass(&inner, error), NULL;
}

/* What write_form is handed through the files. */
struct sheet {
    const struct replay_answer *answer;
    const char *form;
};

static int write_form(const void *content, FILE *stream, struct base_error *error)
{
    const struct sheet *sheet = content;
    return replay_answer_write(sheet->answer, sheet->form, stream, error);
}

int flr_answer_save(const flr_answer *answer, const char *form, const char *path, flr_error **error)
{
    const struct sheet sheet = {&answer->answer, form};
    struct replay_files files = {0};
    struct base_error inner = {0};
    size_t place = replay_files_add(&files, path);
    int status = replay_files_open(&files, NULL, &inner);

    if (status == 0)
        status = replay_files_write(&files, place, write_form, &sheet, &inner);
    replay_files_discard(&files);
    return status == 0 ? 0 : replay_error_pass(&inner, error);
}
