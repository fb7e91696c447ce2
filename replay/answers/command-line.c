/* The command line once more, from what was read of it:
 *
 *      flitreplay compare 'a trace.otf2' --topology mesh:8x8 --topology torus:8x8 --seeds 3
 *      ╰────────────────╯ ╰────────────╯ ╰─────────────────────────────────────────────────╯
 *       subcommand         operands       options, in the order of their table
 *
 * Not argv itself: -j 1 and -j 2 give the same answer, whose page must be the same to the byte. */
#include <config.h>

#include <string.h>

#include "replay/answers/answer.h"

/* A text that grows in an arena; NULL after memory was out. */
struct line {
    struct base_arena *arena; /* borrowed; the texts that were too short stay in it */
    const char *text;         /* so far */
};

/* Quadratic in the length of the line, which is short. */
static void add(struct line *line, const char *before, const char *text, size_t length)
{
    if (line->text != NULL)
        line->text = base_arena_format(line->arena, "%s%s%.*s", line->text, before, (int)length, text);
}

/* A word, between quotes unless a shell takes every byte as it is; a quote inside is ended, escaped and begun
 * anew. The result can be pasted into a POSIX shell. */
static void add_word(struct line *line, const char *word, size_t length)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:,=+@%^-";

    if (length > 0 && strspn(word, plain) >= length) {
        add(line, " ", word, length);
        return;
    }
    add(line, " ", "'", 1);
    while (length > 0) {
        const char *quote = memchr(word, '\'', length);
        size_t part = quote == NULL ? length : (size_t)(quote - word);
        add(line, "", word, part);
        if (quote != NULL)
            add(line, "", "'\\''", 4);
        part += quote != NULL;
        word += part;
        length -= part;
    }
    add(line, "", "'", 1);
}

/* Outputs are files; of the others these say how the work is done, and not what. */
static bool bears_on_answer(enum replay_option option)
{
    const struct replay_option_row *row = replay_option_row(option);

    return row->kind != REPLAY_KIND_OUTPUT && row->kind != REPLAY_KIND_PICTURES &&
           row->group != REPLAY_GROUP_GENERAL && option != REPLAY_THREADS && option != REPLAY_MEMORY &&
           option != REPLAY_RESULTS && option != REPLAY_SHARD && option != REPLAY_QUIET &&
           option != REPLAY_FORMAT;
}

/* One value; a flag has none, and is not there when it was told to be off. */
static void add_option(struct line *line, const struct replay_option_row *row, const char *value,
                       size_t length)
{
    if (row->kind == REPLAY_KIND_FLAG && strcmp(value, "yes") != 0)
        return;
    add(line, " --", row->name, strlen(row->name));
    if (row->kind != REPLAY_KIND_FLAG)
        add_word(line, value, length);
}

/* Options that repeat: every value of a comparison; jobs, which are joined by line feeds. Rules are joined by commas,
 * which --collective takes as well. Only what was given: defaults are not spelled out. */
static void add_values(struct line *line, const struct replay_arguments *arguments, enum replay_option option)
{
    const struct replay_option_row *row = replay_option_row(option);
    const struct replay_values_row *values = &arguments->values.option[option];
    const char *text = arguments->settings.text[option];

    for (uint32_t i = 0; i < values->count; i++)
        add_option(line, row, values->value[i], strlen(values->value[i]));
    if (values->count > 0)
        return;
    while (row->kind == REPLAY_KIND_JOBS && strchr(text, '\n') != NULL) {
        size_t length = strcspn(text, "\n");
        add_option(line, row, text, length);
        text += length + 1;
    }
    add_option(line, row, text, strlen(text));
}

/* Operands first, then options in the order of the table: two spellings of one command give one text. */
const char *replay_arguments_text(const struct replay_arguments *arguments, struct base_arena *arena)
{
    struct line line = {arena, "flitreplay"};

    add_word(&line, replay_command_row(arguments->command)->name,
             strlen(replay_command_row(arguments->command)->name));
    for (int i = 0; i < arguments->operand_count; i++)
        add_word(&line, arguments->operands[i], strlen(arguments->operands[i]));
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (arguments->settings.given[option] && !arguments->settings.derived[option] &&
            bears_on_answer(option))
            add_values(&line, arguments, option);
    return line.text;
}
