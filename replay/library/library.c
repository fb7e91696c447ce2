/* The public functions of libflitreplay that need no object: versions, texts, help. All are thin: what the library
 * does is in the rooms. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/output.h"
#include "base/text-stream.h"
#include "base/units.h"
#include "replay/answers/help.h"
#include "replay/library/internal.h"
#include "reports/pages/clean.h"
#include "reports/pages/page.h"

const char *flr_version(void)
{
    return base_version();
}

const char *flr_build(void)
{
    return base_build();
}

/* A program may use another allocator than the library: what we made, we free. */
void flr_string_free(char *text)
{
    free(text);
}

char *flr_printable(const char *text)
{
    char *clean = malloc(report_clean_room(text));

    return clean == NULL ? NULL : report_clean_printable(text, clean);
}

char *flr_quantity(double value, const char *unit)
{
    char text[BASE_UNITS_TEXT], number[REPORT_NUMBER_TEXT];

    if (strcmp(unit, "ns") == 0)
        return strdup(base_format_ns((uint64_t)value, text));
    if (strcmp(unit, "bytes") == 0)
        return strdup(base_format_bytes((uint64_t)value, text));
    return *unit == '\0' ? strdup(report_page_real(value, 1, number)) : NULL;
}

void flr_remove_unfinished(void)
{
    base_output_remove_unfinished();
}

char *flr_help(const char *command, flr_error **error)
{
    struct base_error inner = {0};
    enum replay_command number = command == NULL ? REPLAY_COMMANDS : replay_library_command(command, &inner);
    struct base_text_stream text = {0};

    if (command != NULL && number == REPLAY_COMMANDS)
        return replay_error_pass(&inner, error), NULL;
    if (base_text_stream_open(&text) != NULL) {
        if (command == NULL)
            replay_help_program(text.stream);
        else
            replay_help_command(text.stream, number);
    }
    if (base_text_stream_close(&text) == 0)
        return text.text;
    base_text_stream_free(&text);
    base_error_memory(&inner, "the help");
    return replay_error_pass(&inner, error), NULL;
}
