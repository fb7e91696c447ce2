/* What a subcommand answers: one kind of answer for each, from arguments to contents that can be written in several
 * forms. The command line writes the forms to the files that were asked for, the library hands them out in memory:
 * both call the same functions, and so give the same bytes.
 *
 *      replay_answer_to_files  refuses what can be refused, tries the outputs, works (told and stopped by the
 *                              listener), and writes the files that were named
 *      replay_answer_write     one form to a stream, as often as wanted
 *      replay_answer_free
 *
 * Nothing here prints: what a user is to be told beside the answer is in its notes. */
#ifndef REPLAY_ANSWERS_ANSWER_H
#define REPLAY_ANSWERS_ANSWER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "replay/options.h"
#include "replay/session/watch.h"
#include "replay/system/files.h"
#include "replay/values.h"
#include "reports/pages/host.h"
#include "reports/run/coverage.h"

#define REPLAY_EXIT_UNMET 1 /* done, but something asked for does not hold */

/* Whoever is told of the work, and may end it. Functions may be NULL; they are called by one thread at a time. */
struct replay_listener {
    void (*begin)(void *context); /* from here on the work looks at `stop` */
    void (*end)(void *context);
    /* How far a part of the work is. `what` is a text that outlives the answer. */
    void (*progress)(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns);
    /* The same of work that is runs: so many of all are done, and this share, those under way included. */
    void (*runs)(void *context, uint32_t done, uint32_t all, double share, uint64_t simulated_ns);
    /* What a long work will take (replay/session/watch.h). */
    void (*expect)(void *context, double seconds, uint64_t memory_bytes);
    void *context;
    atomic_bool
        *stop; /* once true, the work ends with what it has; of several processes, the work may set it */
};

struct trace_program;
struct replay_world;

/* What a subcommand was asked. Operands are borrowed. */
struct replay_arguments {
    enum replay_command command;     /* the subcommand */
    struct replay_settings settings; /* of an option that repeats: its last value */
    struct replay_values values;     /* of compare: all of them */
    char **operands;
    int operand_count;
    const struct replay_listener *listener; /* borrowed; NULL: nobody listens */
    struct replay_world *world;    /* borrowed; NULL: this process alone. Of compare: those that share it */
    struct trace_program *program; /* borrowed: the trace, where it is open already, and no operand */
    bool expected[REPLAY_OPTIONS]; /* forms that may be asked for later, though no file is named now */
};

/* Makes of values what is asked: the topology's own options, a machine's and physical units (configurations.h,
 * machines/units.h). Once, after the last value. -1: BASE_USAGE and others. */
int replay_arguments_apply(struct replay_arguments *arguments, struct base_error *error);
/* Takes a value of an option; of a flag "yes", "no" or NULL, which is yes. -1: BASE_USAGE: it is given twice, and
 * each value is no case of its own; or none that the option has. */
int replay_arguments_take(struct replay_arguments *arguments, enum replay_option option, const char *value,
                          struct base_error *error);
/* 0 when there is exactly one operand, which the sentence calls `what`; none where the trace is open already. */
int replay_arguments_one(const struct replay_arguments *arguments, const char *what,
                         struct base_error *error);
/* The command that gives the same answer, as a shell would be told, for pages that travel without it: what was given,
 * but for where answers go, how many threads there are and what is kept. Owned by the arena; NULL: memory. */
const char *replay_arguments_text(const struct replay_arguments *arguments, struct base_arena *arena);

struct replay_answer {
    const struct replay_answer_kind *kind;
    const struct replay_arguments *arguments; /* borrowed: they outlive the answer */
    void *content;                            /* the kind's; NULL before it is prepared */
    struct base_arena arena;                  /* of the notes */
    const char *notes; /* lines for the user beside the answer, each with its line feed; NULL: none */
    bool is_silent;    /* another process has the outputs */
    int status;        /* BASE_OK, REPLAY_EXIT_UNMET, or BASE_INTERRUPTED of a part */
    const struct report_host *host; /* what the work took, which is the contents'; NULL: not told */
};

/* A way in which the contents can be written. */
struct replay_form {
    enum replay_option option; /* its value is the file; REPLAY_OPTIONS: the text, which needs none */
    replay_writer *write;      /* of the contents */
};

/* A writer of a form that is one call: the function `name`, in which `call` has the contents as `content`, whose
 * type it restores. */
#define REPLAY_WRITER(name, call)                                                                            \
    static int name(const void *content, FILE *stream, struct base_error *error)                             \
    {                                                                                                        \
        return call;                                                                                         \
    }

#define REPLAY_FORMS_END ((struct replay_form){REPLAY_OPTIONS, NULL})

struct replay_answer_kind {
    /* Fills in the contents with what is cheap. -1 with what is refused; the contents are released all the same. */
    int (*prepare)(struct replay_answer *answer, struct base_error *error);
    /* -1: whatever reading, computing and writing traces meets. */
    int (*work)(struct replay_answer *answer, struct base_error *error);
    /* Frees whatever of the contents is there. */
    void (*release)(void *content);
    const struct replay_form *forms; /* as they are written, the text last; then REPLAY_FORMS_END */
    /* The file that is read, which no output may be; NULL: none. The function may be NULL. */
    const char *(*input)(const struct replay_arguments *arguments);
    /* Files beyond the forms, such as pictures, of which there may be any number: added and checked before all files
     * are opened; written behind the forms, before the text. Both may be NULL. */
    int (*add_more)(struct replay_answer *answer, struct replay_files *files, struct base_error *error);
    int (*write_more)(const struct replay_answer *answer, struct replay_files *files,
                      struct base_error *error);
    /* Writes a form of a name with a part, "svg=channel-load". NULL: there are none. */
    int (*write_part)(const struct replay_answer *answer, const char *part, FILE *stream,
                      struct base_error *error);
};

/* The kind of answer that the arguments ask for. */
const struct replay_answer_kind *replay_answer_kind(const struct replay_arguments *arguments);

/* Writes the form of that option's name ("json"), or the text ("text"), after the work. -1: BASE_USAGE where this
 * answer has no such form, and what the stream meets. */
int replay_answer_write(const struct replay_answer *answer, const char *form, FILE *stream,
                        struct base_error *error);
void replay_answer_free(struct replay_answer *answer);

/* Appends a line to the notes. -1: memory. */
int replay_answer_note(struct replay_answer *answer, struct base_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* With --strict: notes the records of the trace that are approximated or ignored, and makes the status
 * REPLAY_EXIT_UNMET when there are any. -1: memory. */
int replay_answer_strict(struct replay_answer *answer, const char *trace, const struct report_coverage *rows,
                         uint32_t count, struct base_error *error);

/* The name of a form, by number from 0: that of its option, or "text". NULL: behind the last. */
const char *replay_answer_form_name(const struct replay_answer *answer, size_t form);
/* All that a subcommand does: the kind's functions in their order, with the outputs that its options name; where it
 * prints, the text goes to standard output unless --quiet. Returns the exit status; 2 and more with the error. Notes
 * are left to be told. Free the answer in either case. */
int replay_answer_to_files(struct replay_answer *answer, const struct replay_arguments *arguments,
                           bool prints, struct base_error *error);

/* The work's own calls to the listener of the arguments, where there is one. */
void replay_listener_begin(const struct replay_arguments *arguments);
void replay_listener_end(const struct replay_arguments *arguments);
void replay_listener_runs(const struct replay_arguments *arguments, uint32_t done, uint32_t all, double share,
                          uint64_t simulated_ns);
/* NULL: nobody can stop the work. */
atomic_bool *replay_listener_stop(const struct replay_arguments *arguments);
void replay_listener_progress(const struct replay_arguments *arguments, const char *what,
                              uint32_t thousandths, uint64_t simulated_ns);

/* The listener as the watch of a session, which the caller completes. */
struct replay_watch replay_listener_watch(const struct replay_arguments *arguments);
/* Whether a form will be wanted: its file is named, or it is expected. */
bool replay_answer_expects(const struct replay_arguments *arguments, enum replay_option option);

/* The format in which `convert` and `generate` write a trace, by its name (which may be NULL) or the ending of the
 * path. NULL: no path, standard output, or no such format. */
struct trace_writer_format;
const struct trace_writer_format *replay_writer_of(const char *format, const char *path,
                                                   struct base_error *error);

/* The kinds, in a file of replay/answers/ each. */
extern const struct replay_answer_kind replay_check_answer;
extern const struct replay_answer_kind replay_collective_answer;
extern const struct replay_answer_kind replay_convert_answer;
extern const struct replay_answer_kind replay_cost_answer;
extern const struct replay_answer_kind replay_cost_part_answer;
extern const struct replay_answer_kind replay_compare_answer;
extern const struct replay_answer_kind replay_generate_answer;
extern const struct replay_answer_kind replay_info_answer;
extern const struct replay_answer_kind replay_jobs_answer;
extern const struct replay_answer_kind replay_list_answer;
extern const struct replay_answer_kind replay_map_answer;
extern const struct replay_answer_kind replay_results_answer;
extern const struct replay_answer_kind replay_run_answer;
extern const struct replay_answer_kind replay_topology_answer;
extern const struct replay_answer_kind replay_traffic_answer;

#endif
