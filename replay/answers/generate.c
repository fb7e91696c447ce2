/* flitreplay generate KERNEL: a trace made from a formula.
 *
 *      flitreplay generate cg --class C --ranks 1024 -o cg.otf2            a benchmark's skeleton
 *      flitreplay generate stencil-2d --ranks 64 --set points=9,bytes=64k -o stencil.otf2
 *      flitreplay run generate:cg,class=C,ranks=1024 --topology …          the same without a file
 *
 * Operations go from the formula to the file one by one: neither memory nor open files grow with the trace.
 * What the format could not express is printed, so that nobody takes the file for more than it is.
 *
 *      cg.C.1024 with 1024 ranks, written as otf2: cg.otf2
 *        operations            106 467 328
 *        messages              32 763 904, 424.2 GiB
 *        calls of collectives  3 072
 *        work, all ranks       145.252 s
 *        size on disk          1.4 GiB
 *
 * Nothing is overwritten: a trace is many files, and those of an older one that happened to remain would be
 * read together with the new.
 */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "replay/answers/answer.h"
#include "reports/pages/page.h"
#include "traces/generate/generate.h"
#include "traces/writers/writer.h"

#define WIDTH 80
#define FLOPS_PER_MILLIONTH 1000 /* --gflops counts in millionths of 10⁹ */

/* The answer. Losses are copies: the writer's are gone when it has finished. */
struct generated_program {
    const struct trace_generator *generator;  /* which makes it */
    struct trace_program *program;            /* owned */
    const struct trace_writer_format *format; /* in which it was written */
    const char *path;                         /* to which */
    struct base_arena arena;                  /* of the losses */
    struct trace_loss *losses;                /* what the format could not say */
    size_t loss_count;                        /* of losses */
    uint64_t disk_bytes;                      /* of all files of the trace */
    bool failed;                              /* memory ran out while losses were copied, or files counted */
};

/* ---- the size on disk */

/* Whether a file beside the trace's belongs to it: the stem itself (a directory), the stem with a suffix that
 * a writer gives, or with the number of a rank. */
static bool belongs(const char *name, const char *stem, size_t length)
{
    static const char *const endings[] = {"", ".otf2", ".def", ".meta", ".goal"};

    if (strncmp(name, stem, length) != 0)
        return false;
    name += length;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(name, endings[i]) == 0)
            return true;
    return *name == '-' && strspn(name + 1, "0123456789") > 0 &&
           strcmp(name + 1 + strspn(name + 1, "0123456789"), ".bin") == 0;
}

/* NULL: what cannot be read has no names; *failed where memory was out. */
static DIR *open_names(const char *path, bool *failed)
{
    DIR *entries = opendir(path);

    *failed = *failed || (entries == NULL && errno == ENOMEM);
    return entries;
}

/* A file, or all files of a directory below which there are none. 0 for what cannot be read: the size is for
 * people. Two levels are enough for what writers make. */
static uint64_t size_of(const char *directory, const char *name, unsigned depth, bool *failed)
{
    struct base_arena arena = {0};
    char *path = base_arena_format(&arena, "%s/%s", directory, name);
    struct stat status;
    uint64_t bytes = 0;

    *failed = *failed || path == NULL;
    if (path != NULL && lstat(path, &status) == 0) {
        DIR *entries = S_ISDIR(status.st_mode) && depth < 2 ? open_names(path, failed) : NULL;
        struct dirent *entry;
        if (S_ISREG(status.st_mode))
            bytes = (uint64_t)status.st_size;
        while (entries != NULL && (entry = readdir(entries)) != NULL)
            if (entry->d_name[0] != '.')
                bytes += size_of(path, entry->d_name, depth + 1, failed);
        if (entries != NULL)
            closedir(entries);
    }
    base_arena_free(&arena);
    return bytes;
}

/* "runs/cg.otf2": everything in runs that belongs to cg. By names alone: a file beside the trace that happens to
 * be called alike is counted as well. */
static uint64_t size_on_disk(const char *path, bool *failed)
{
    struct base_arena arena = {0};
    char *directory = base_arena_text(&arena, path);
    char *slash = directory == NULL ? NULL : strrchr(directory, '/');
    const char *name = slash == NULL ? path : path + (slash - directory) + 1, *dot = strrchr(name, '.');
    size_t stem = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
    uint64_t bytes = 0;
    struct dirent *entry;
    DIR *entries;

    if (slash != NULL)
        slash[slash == directory] = '\0';
    *failed = *failed || directory == NULL;
    entries = directory == NULL ? NULL : open_names(slash == NULL ? "." : directory, failed);
    while (entries != NULL && (entry = readdir(entries)) != NULL)
        if (belongs(entry->d_name, name, stem))
            bytes += size_of(slash == NULL ? "." : directory, entry->d_name, 0, failed);
    if (entries != NULL)
        closedir(entries);
    base_arena_free(&arena);
    return bytes;
}

/* ---- the answer */

/* Two columns: what, and how much. */
static void put_row(struct report_page *page, const char *what, const char *value)
{
    report_page_cell(page, "%s", what);
    report_page_cell(page, "%s", value);
}

/* The counts are those of the program, which its constructor has taken; only the size is of the files. Calls of
 * collectives are of all kinds together. */
static void put_counts(struct report_page *page, const struct generated_program *generated)
{
    const struct trace_summary *summary = trace_program_summary(generated->program);
    const char *shortened = strchr(trace_program_writer(generated->program), ',');
    char text[BASE_UNITS_TEXT], line[3 * BASE_UNITS_TEXT];
    uint64_t calls = 0;

    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        calls += summary->collectives[i].calls;
    report_page_table(page, "ll");
    if (shortened != NULL)
        put_row(page, "program", shortened + 2);
    put_row(page, "operations", base_format_count(summary->events, text));
    snprintf(line, sizeof line, "%s, ", base_format_count(summary->sends, text));
    strncat(line, base_format_bytes(summary->bytes_sent, text), BASE_UNITS_TEXT);
    put_row(page, "messages", line);
    put_row(page, "calls of collectives", base_format_count(calls, text));
    put_row(page, "work, all ranks", base_format_ns(summary->compute_ns, text));
    put_row(page, "size on disk", base_format_bytes(generated->disk_bytes, text));
    report_page_table_end(page);
}

/* Losses come last: for most formats and kernels there are none. The first line names the program as a path of it
 * would: cg.C.1024. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    const struct generated_program *generated = content;
    struct report_page page;

    report_page_begin(&page, stream, WIDTH);
    report_page_paragraph(&page, 0, "%s with %u ranks, written as %s: %s",
                          trace_program_path(generated->program), trace_program_ranks(generated->program),
                          generated->format->name, generated->path);
    put_counts(&page, generated);
    if (generated->loss_count > 0) {
        report_page_heading(&page, "What the format cannot say");
        report_page_table(&page, "lrl");
        for (size_t i = 0; i < generated->loss_count; i++) {
            report_page_cell(&page, "%s", generated->losses[i].kind);
            report_page_cell(&page, "%" PRIu64, generated->losses[i].count);
            report_page_cell(&page, "%s", generated->losses[i].text);
        }
        report_page_table_end(&page);
    }
    return report_page_finish(&page, error);
}

/* ---- the work */

/* Called before the writer finishes. Memory that is out is told afterwards, since a sink cannot fail. */
static void take_losses(void *context, const struct trace_loss *losses, size_t count)
{
    struct generated_program *generated = context;

    generated->losses = base_arena_array(&generated->arena, count, sizeof *generated->losses);
    generated->failed = generated->losses == NULL;
    for (size_t i = 0; i < count && !generated->failed; i++) {
        generated->losses[i] = losses[i];
        generated->losses[i].kind = base_arena_text(&generated->arena, losses[i].kind);
        generated->losses[i].text = base_arena_text(&generated->arena, losses[i].text);
        generated->failed = generated->losses[i].kind == NULL || generated->losses[i].text == NULL;
    }
    generated->loss_count = generated->failed ? 0 : count;
}

/* The bar of a replay, without a simulated time. */
static void show_progress(void *context, uint32_t thousandths)
{
    replay_listener_progress(context, "writing", thousandths, 0);
}

/* The creator is part of the
 * trace, and so of its fingerprint: the release, since the same program is the same trace by any build. What was
 * written when memory ran out stays where it is. */
static int write_trace(struct generated_program *generated, const struct replay_arguments *arguments,
                       struct base_error *error)
{
    /* That a program is shortened is the end of its writer's name. */
    const char *more = strchr(trace_program_writer(generated->program), ',');
    const char *creator = base_arena_format(&generated->arena, "%s %s%s", PACKAGE_NAME, PACKAGE_VERSION,
                                            more == NULL ? "" : more);
    const struct trace_writer_options options = {.creator = creator,
                                                 .stop = replay_listener_stop(arguments),
                                                 .progress = show_progress,
                                                 .progress_context = (void *)(uintptr_t)arguments};
    int status;

    if (creator == NULL)
        return base_error_memory(error, "the name of the trace's writer");
    replay_listener_begin(arguments);
    status = trace_write(generated->program, generated->format, generated->path, &options, take_losses,
                         generated, error);
    replay_listener_end(arguments);
    if (status == 0 && generated->failed)
        return base_error_memory(error, "the list of what the format cannot say");
    if (status == 0)
        generated->disk_bytes = size_on_disk(generated->path, &generated->failed);
    return generated->failed ? base_error_memory(error, "the names of what was written") : status;
}

/* Options become the generator's as they are: it knows its own classes, parameters and ranks, and refuses
 * the others.  */
static struct trace_program *generate(const struct trace_generator *generator,
                                      const struct replay_settings *settings, struct base_error *error)
{
    const struct trace_generator_options options = {
        .ranks = (uint32_t)settings->number[REPLAY_RANKS],
        .problem_class = settings->text[REPLAY_CLASS],
        .parameters = settings->text[REPLAY_SET],
        .flops_per_second = settings->number[REPLAY_GFLOPS] * FLOPS_PER_MILLIONTH,
        .seed = settings->number[REPLAY_SEED],
    };

    if (!settings->given[REPLAY_RANKS]) {
        base_error_set(error, BASE_USAGE, "needs a number of ranks: --ranks 16, for example");
        return NULL;
    }
    return generator->generate(&options, error);
}

/* The generator is looked for first: a mistyped name is told at once. Then the path and its format. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    const struct replay_settings *settings = &arguments->settings;
    struct generated_program *generated = calloc(1, sizeof *generated);

    answer->content = generated;
    if (generated == NULL)
        return base_error_memory(error, "the program");
    if (replay_arguments_one(arguments, "one generator (flitreplay list generators)", error) != 0)
        return -1;
    generated->generator = trace_generator_find(arguments->operands[0], error);
    generated->path = settings->text[REPLAY_OUTPUT];
    if (generated->generator != NULL)
        generated->format = replay_writer_of(settings->text[REPLAY_FORMAT], generated->path, error);
    return generated->format == NULL ? -1 : 0;
}

/* The trace itself is the output. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct generated_program *generated = answer->content;

    generated->program = generate(generated->generator, &answer->arguments->settings, error);
    return generated->program == NULL ? -1 : write_trace(generated, answer->arguments, error);
}

static void release(void *content)
{
    struct generated_program *generated = content;

    trace_close(generated->program);
    base_arena_free(&generated->arena);
    free(generated);
}

static const struct replay_form forms[] = {{REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_generate_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
};
