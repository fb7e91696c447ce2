/* The public library: for every subcommand the same bytes as the program in every form, errors as values that know no
 * dashes, progress and stop, threads that do not meet, and nothing printed. */
#include <config.h>

#include "tests/suite.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay/library/flitreplay.h"

#define TRACE "otf2-scorep-layout/is.S.16/traces.otf2"
#define OPTIONS_MAX 8

static char scratch[] = "/tmp/flitreplay-library-XXXXXX";
static char trace[4096];

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value == NULL ? "." : value;
}

/* ---- requests, as a table ---- */

struct question {
    const char *command;
    const char *operands[3];             /* NULL-terminated; TRACE is the recorded one */
    const char *options[OPTIONS_MAX][2]; /* {NULL} behind the last; a flag's value is "yes" */
    const char *pictures[3];             /* parts of the form "svg", NULL-terminated */
    const char *needs;                   /* a library that not every build has, or NULL */
};

/* Every subcommand is here (commands_are_all_asked), and every form of its answers is compared. */
static const struct question questions[] = {
    {"run",
     {TRACE},
     {{"topology", "torus:4x4"},
      {"mapping", "random"},
      {"seed", "3"},
      {"flit-bytes", "16"},
      {"technology", "22nm"}},
     {"channel-load", "timeline"},
     NULL},
    {"run", {TRACE}, {{"link-latency", "30ns"}, {"topology", "torus:4x4"}}, {NULL}, NULL},
    {"run",
     {NULL},
     {{"topology", "mesh:4x4"},
      {"job", "generate:cg,class=S,ranks=4"},
      {"job", "generate:ep,class=S,ranks=4,partition=row"}},
     {"timeline"},
     NULL},
    {"map", {TRACE}, {{"topology", "torus:4x4"}, {"mapping", "greedy"}}, {NULL}, NULL},
    {"traffic",
     {NULL},
     {{"topology", "mesh:4x4"}, {"topology", "torus:4x4"}, {"load", "0.1,0.3"}, {"cycles", "2000"}},
     {NULL},
     NULL},
    {"compare",
     {TRACE, "generate:mg,class=S,ranks=16"},
     {{"topology", "torus:4x4"}, {"topology", "mesh:4x4"}, {"routing", "dimension-order"}},
     {NULL},
     NULL},
    {"info", {TRACE}, {{"coverage", "yes"}}, {NULL}, NULL},
    {"check", {TRACE}, {{NULL}}, {NULL}, NULL},
    {"topology", {"king-mesh:6x6"}, {{"faults", "3"}}, {NULL}, NULL},
    {"topology", {"torus:4x4"}, {{"check-deadlock", "yes"}}, {NULL}, NULL},
    {"cost", {"mesh:8x8", "king-mesh:8x8"}, {{"technology", "22nm"}}, {NULL}, NULL},
    {"cost", {NULL}, {{"router", "ports=5,bits=64,vcs=2,buffers=4"}}, {NULL}, NULL},
    {"collective", {"bcast"}, {{"ranks", "7"}, {"bytes", "1MiB"}}, {NULL}, NULL},
    {"list", {"routings"}, {{NULL}}, {NULL}, NULL},
    {"generate", {"cg"}, {{"class", "S"}, {"ranks", "16"}, {"output", "%/cg.goal"}}, {NULL}, NULL},
    {"convert", {TRACE}, {{"output", "%/is.goal"}, {"strict", "yes"}}, {NULL}, NULL},
    {"run", {TRACE}, {{"machine", "bluegene-q"}, {"topology", "torus:4x4"}}, {NULL}, "libyaml"},
    {"results", {"%/store.db"}, {{NULL}}, {NULL}, "SQLite"},
};
#define QUESTIONS (sizeof questions / sizeof *questions)

/* A word of the table: the recorded trace, or a path in the scratch directory, which % stands for. Of several threads
 * each has its own. */
static const char *word(const char *text)
{
    static _Thread_local char path[4][4096];
    static _Thread_local unsigned next;
    char *place = path[next++ % 4];

    if (strcmp(text, TRACE) == 0)
        return trace;
    if (*text != '%')
        return text;
    snprintf(place, sizeof path[0], "%s%s", scratch, text + 1);
    return place;
}

static flr_request *make(const struct question *question)
{
    flr_error *error = NULL;
    flr_request *request = flr_request_new(question->command, &error);

    if (request == NULL)
        fail_msg("%s", flr_error_text(error));
    for (size_t i = 0; question->operands[i] != NULL; i++)
        assert_int_equal(flr_request_add(request, word(question->operands[i]), &error), 0);
    for (size_t i = 0; question->options[i][0] != NULL; i++)
        if (flr_request_set(request, question->options[i][0], word(question->options[i][1]), &error) != 0)
            fail_msg("%s", flr_error_text(error));
    if (strcmp(question->command, "run") == 0) {
        assert_int_equal(flr_request_expect(request, "html", &error), 0);
        assert_int_equal(flr_request_expect(request, "svg", &error), 0);
    }
    return request;
}

static flr_answer *ask(flr_request *request)
{
    flr_error *error = NULL;
    flr_answer *answer = flr_ask(request, &error);

    if (answer == NULL)
        fail_msg("%s", flr_error_text(error));
    return answer;
}

/* ---- the program's side ---- */

static char *read_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    struct stat status;
    char *text;

    if (stream == NULL)
        fail_msg("%s is not there", path);
    assert_int_equal(fstat(fileno(stream), &status), 0);
    text = calloc(1, (size_t)status.st_size + 1);
    assert_int_equal(fread(text, 1, (size_t)status.st_size, stream), status.st_size);
    fclose(stream);
    return text;
}

static bool is_flag(const char *name)
{
    size_t option = 0;

    while (strcmp(flr_option_name(option), name) != 0)
        option++;
    return flr_option_argument(option) == NULL;
}

/* The same question on the command line, with one form more as a file ("text": standard output). Returns its text. */
static char *ask_program(const struct question *question, const char *form, int *status)
{
    char command[16384], path[4096];
    const char *part = strchr(form, '=');
    int used = snprintf(command, sizeof command, "'%s/flitreplay' %s", environment("top_builddir"),
                        question->command);

    snprintf(path, sizeof path, "%s/form", scratch);
    for (size_t i = 0; question->operands[i] != NULL; i++)
        used += snprintf(command + used, sizeof command - (size_t)used, " '%s'", word(question->operands[i]));
    for (size_t i = 0; question->options[i][0] != NULL; i++)
        used +=
            is_flag(question->options[i][0])
                ? snprintf(command + used, sizeof command - (size_t)used, " --%s", question->options[i][0])
                : snprintf(command + used, sizeof command - (size_t)used, " --%s '%s'",
                           question->options[i][0], word(question->options[i][1]));
    if (part != NULL)
        used +=
            snprintf(command + used, sizeof command - (size_t)used, " --svg '%s=%s' --quiet", part + 1, path);
    else if (strcmp(form, "text") != 0)
        used += snprintf(command + used, sizeof command - (size_t)used, " --%s '%s' --quiet", form, path);
    if (strcmp(form, "text") == 0)
        snprintf(command + used, sizeof command - (size_t)used, " >'%s' 2>/dev/null", path);
    else
        snprintf(command + used, sizeof command - (size_t)used, " >/dev/null 2>&1");
    *status = system(command) >> 8;
    return read_file(path);
}

/* What only the machine knows is cut out of JSON. */
static char *without_host(char *text)
{
    json_t *top = json_loads(text, 0, NULL);
    char *dumped;

    assert_non_null(top);
    if (json_is_object(top))
        json_object_del(top, "host");
    for (size_t i = 0; i < json_array_size(top); i++)
        json_object_del(json_array_get(top, i), "host");
    dumped = json_dumps(top, JSON_INDENT(1));
    json_decref(top);
    free(text);
    return dumped;
}

static void compare_form(const struct question *question, const flr_answer *answer, const char *form)
{
    flr_error *error = NULL;
    char *ours = flr_answer_form(answer, form, NULL, &error);
    char *theirs;
    int status;

    if (ours == NULL)
        fail_msg("%s as %s: %s", question->command, form, flr_error_text(error));
    theirs = ask_program(question, form, &status);
    if (strcmp(form, "json") == 0) {
        ours = without_host(ours);
        theirs = without_host(theirs);
    }
    if (strcmp(ours, theirs) != 0) {
        size_t same = 0;
        while (ours[same] == theirs[same])
            same++;
        same -= same < 100 ? same : 100;
        fail_msg("%s as %s: the library's answer is not the program's:\n%.300s\n---\n%.300s",
                 question->command, form, ours + same, theirs + same);
    }
    assert_int_equal(status, flr_answer_status(answer));
    free(ours);
    free(theirs);
}

/* The form of a store is compared by what `results` says of it; that of a placement is a file like others. */
static void answers_are_those_of_the_program(void **state)
{
    (void)state;
    for (size_t i = 0; i < QUESTIONS; i++) {
        flr_request *request;
        flr_answer *answer;
        char part[64];

        if (questions[i].needs != NULL && strstr(BUILT_WITH, questions[i].needs) == NULL)
            continue;
        request = make(&questions[i]);
        answer = ask(request);
        for (size_t form = 0; flr_answer_form_name(answer, form) != NULL; form++) {
            const char *name = flr_answer_form_name(answer, form);
            /* Nothing is overwritten: the trace of the library is there. */
            unlink(word("%/cg.goal"));
            unlink(word("%/is.goal"));
            compare_form(&questions[i], answer, name);
        }
        for (size_t j = 0; j < 3 && questions[i].pictures[j] != NULL; j++) {
            snprintf(part, sizeof part, "svg=%s", questions[i].pictures[j]);
            compare_form(&questions[i], answer, part);
        }
        flr_answer_free(answer);
        flr_request_free(request);
    }
}

static void commands_are_all_asked(void **state)
{
    (void)state;
    for (size_t command = 0; flr_command_name(command) != NULL; command++) {
        size_t i = 0;
        while (i < QUESTIONS && strcmp(questions[i].command, flr_command_name(command)) != 0)
            i++;
        if (i == QUESTIONS)
            fail_msg("nothing is asked of %s", flr_command_name(command));
        assert_true(strlen(flr_command_summary(command)) > 0);
        assert_non_null(flr_command_operands(command));
    }
}

/* ---- outputs and values ---- */

/* Outputs that the options name are written as the command line writes them. */
static void outputs_are_written(void **state)
{
    const struct question *run = &questions[1];
    flr_request *request = make(run);
    flr_answer *answer;
    char *file, *form;
    (void)state;

    assert_int_equal(flr_request_set(request, "json", word("%/run.json"), NULL), 0);
    assert_int_equal(flr_request_set(request, "svg", word("%/n.svg"), NULL), -1); /* needs its kind */
    answer = ask(request);
    file = read_file(word("%/run.json"));
    form = flr_answer_form(answer, "json", NULL, NULL);
    assert_string_equal(file, form);
    free(file);
    assert_int_equal(flr_answer_save(answer, "html", word("%/run.html"), NULL), 0);
    file = read_file(word("%/run.html"));
    assert_non_null(strstr(file, "<html"));
    assert_int_equal(flr_answer_save(answer, "html", "/nowhere/run.html", NULL), -1);
    free(file);
    flr_string_free(form);
    flr_answer_free(answer);
    flr_request_free(request);
}

static void values_are_those_of_the_json(void **state)
{
    flr_request *request = make(&questions[1]);
    flr_answer *answer = ask(request);
    char *text = flr_answer_form(answer, "json", NULL, NULL), *digest = NULL;
    json_t *json = json_loads(text, 0, NULL);
    flr_error *error = NULL;
    uint64_t count;
    double real;
    size_t size;
    (void)state;

    assert_int_equal(flr_answer_count(answer, "simulated_ns", &count, NULL), 0);
    assert_int_equal(count, json_integer_value(json_object_get(json, "simulated_ns")));
    assert_int_equal(flr_answer_real(answer, "slowdown", &real, NULL), 0);
    assert_true(real == json_real_value(json_object_get(json, "slowdown")) && real > 1);
    assert_int_equal(flr_answer_text(answer, "digest", &digest, NULL), 0);
    assert_string_equal(digest, json_string_value(json_object_get(json, "digest")));
    assert_int_equal(flr_answer_size(answer, "ranks_detail", &size, NULL), 0);
    assert_int_equal(size, 16);
    assert_int_equal(flr_answer_count(answer, "ranks_detail.3.rank", &count, NULL), 0);
    assert_int_equal(count, 3);
    assert_int_equal(flr_answer_real(answer, "approximated", &real, NULL), 0); /* a flag */
    assert_int_equal(flr_answer_size(answer, "", &size, NULL), 0);
    assert_int_equal(size, json_object_size(json));

    assert_int_equal(flr_answer_real(answer, "digest", &real, &error), -1);
    assert_non_null(strstr(flr_error_text(error), "'digest' is not a number"));
    flr_error_free(error);
    assert_int_equal(flr_answer_count(answer, "ranks_detail.16", &count, &error), -1);
    assert_int_equal(flr_error_status(error), FLR_USAGE);
    flr_error_free(error);
    json_decref(json);
    flr_string_free(digest);
    flr_string_free(text);
    flr_answer_free(answer);
    flr_request_free(request);
}

/* A trace that is open serves any number of requests, and gives what its path does. */
static void an_open_trace_is_used(void **state)
{
    flr_error *error = NULL;
    flr_trace *open = flr_trace_open(trace, NULL, &error);
    flr_request *request = flr_request_new("run", NULL), *by_path = make(&questions[1]);
    flr_answer *answer = ask(by_path), *other;
    char *first = NULL, *second = NULL;
    (void)state;

    assert_non_null(open);
    assert_int_equal(flr_trace_ranks(open), 16);
    assert_string_equal(flr_trace_format(open), "otf2");
    assert_true(strlen(flr_trace_writer(open)) > 0);
    flr_request_set(request, "link-latency", "30ns", NULL);
    flr_request_set(request, "topology", "torus:4x4", NULL);
    assert_int_equal(flr_request_use(request, open, NULL), 0);
    for (int i = 0; i < 2; i++) {
        other = ask(request);
        flr_answer_text(answer, "digest", &first, NULL);
        flr_answer_text(other, "digest", &second, NULL);
        assert_string_equal(first, second);
        flr_string_free(first);
        flr_string_free(second);
        flr_answer_free(other);
    }
    flr_request_add(request, trace, NULL); /* one too many */
    assert_null(flr_ask(request, &error));
    flr_error_free(error);
    flr_request_free(request);
    request = make(&questions[2]); /* of jobs */
    assert_int_equal(flr_request_use(request, open, NULL), 0);
    assert_null(flr_ask(request, &error));
    assert_non_null(strstr(flr_error_text(error), "run takes a trace or job, not both"));
    flr_error_free(error);
    flr_answer_free(answer);
    flr_request_free(by_path);
    flr_request_free(request);
    flr_trace_close(open);
}

/* ---- errors ---- */

/* The sentence that a setting of a run is refused with. */
static void refuses(flr_request *request, const char *option, const char *value, const char *sentence)
{
    flr_error *error = NULL;

    assert_int_equal(flr_request_set(request, option, value, &error), -1);
    assert_int_equal(flr_error_status(error), FLR_USAGE);
    if (strstr(flr_error_text(error), sentence) == NULL)
        fail_msg("'%s', not '%s'", flr_error_text(error), sentence);
    flr_error_free(error);
}

static void options_are_checked(void **state)
{
    flr_request *request = flr_request_new("run", NULL);
    (void)state;

    refuses(request, "flit-bites", "8", "unknown option flit-bites; did you mean flit-bytes?");
    refuses(request, "flit-bytes", "0", "flit-bytes 0: needs a whole number from 1 to 65536");
    refuses(request, "strict", "maybe", "strict");
    refuses(request, "help", "yes", "help");
    refuses(request, "load", "0.1", "load"); /* traffic's */
    assert_int_equal(flr_request_set(request, "topology", "mesh:2x2", NULL), 0);
    refuses(request, "topology", "mesh:4x4", "topology is given twice: mesh:2x2 and mesh:4x4");
    assert_null(flr_request_new("ruin", NULL));
    flr_request_free(request);
}

/* That a request cannot be met, with a sentence that has no option with dashes. */
static void fails(flr_request *request, enum flr_status status, const char *sentence)
{
    flr_error *error = NULL;
    flr_answer *answer = flr_ask(request, &error);

    assert_null(answer);
    assert_int_equal(flr_error_status(error), status);
    if (strstr(flr_error_text(error), sentence) == NULL || strstr(flr_error_text(error), "--") != NULL)
        fail_msg("'%s', not '%s'", flr_error_text(error), sentence);
    flr_error_free(error);
    assert_null(flr_ask(request, NULL));
}

static void failures_are_values(void **state)
{
    flr_request *request = flr_request_new("run", NULL);
    flr_error *error = NULL;
    (void)state;

    fails(request, FLR_USAGE, "needs one trace, or job");
    flr_request_add(request, trace, NULL);
    fails(request, FLR_USAGE, "needs a network: topology mesh:8x8, for example");
    flr_request_set(request, "topology", "mesh:2x2", NULL);
    fails(request, FLR_USAGE, "topology mesh:4x4 would do");
    flr_request_free(request);
    assert_null(flr_trace_open("/nowhere/at/all", NULL, &error));
    assert_int_equal(flr_error_status(error), FLR_INPUT);
    assert_non_null(strstr(flr_error_text(error), "/nowhere/at/all"));
    flr_error_free(error);
}

/* A page without lanes would not be the program's: it has to be expected. */
static void pages_are_expected(void **state)
{
    flr_request *request = flr_request_new("run", NULL);
    flr_error *error = NULL;
    flr_answer *answer;
    (void)state;

    flr_request_add(request, trace, NULL);
    flr_request_set(request, "topology", "mesh:4x4", NULL);
    answer = ask(request);
    assert_null(flr_answer_form(answer, "html", NULL, &error));
    assert_non_null(strstr(flr_error_text(error), "must be requested"));
    flr_error_free(error);
    assert_null(flr_answer_form(answer, "matrix", NULL, &error));
    assert_non_null(strstr(flr_error_text(error), "unknown form 'matrix'"));
    flr_error_free(error);
    flr_answer_free(answer);
    flr_request_free(request);
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    flr_trace_close(NULL);
    flr_request_free(NULL);
    flr_answer_free(NULL);
    flr_error_free(NULL);
    flr_string_free(NULL);
}

/* ---- progress and stop ---- */

struct watched {
    flr_request *request;
    unsigned calls;
    double stop_at; /* a share; 2: never */
};

static void watch(void *context, const flr_moment *moment)
{
    struct watched *watched = context;

    assert_int_equal(moment->size, sizeof *moment);
    assert_true(strlen(moment->part) > 0 && moment->share >= 0 && moment->share <= 1 && moment->runs == 0);
    watched->calls++;
    if (strcmp(moment->part, "mesh:8x8") == 0 && moment->share >= watched->stop_at)
        flr_request_stop(watched->request);
}

/* Half of a replay, told as such: no slowdown, and no answer at all before the network was reached. */
static void work_is_watched_and_stopped(void **state)
{
    flr_request *request = flr_request_new("run", NULL);
    struct watched watched = {request, 0, 0.5};
    flr_answer *answer;
    double real;
    (void)state;

    flr_request_add(request, "generate:lu,class=W,ranks=64", NULL);
    flr_request_set(request, "topology", "mesh:8x8", NULL);
    flr_request_watch(request, watch, &watched);
    answer = ask(request);
    assert_true(watched.calls > 2);
    assert_int_equal(flr_answer_status(answer), FLR_INTERRUPTED);
    assert_int_equal(flr_answer_real(answer, "slowdown", &real, NULL), 1); /* null */
    assert_int_equal(flr_answer_real(answer, "replayed_share", &real, NULL), 0);
    assert_true(real >= 0.5 && real < 1);
    flr_answer_free(answer);
    fails(request, FLR_INTERRUPTED, "interrupted"); /* it stays stopped */
    flr_request_free(request);
}

/* ---- threads ---- */

struct alone {
    const struct question *question;
    char *text;
};

static void *ask_alone(void *context)
{
    struct alone *alone = context;

    for (int i = 0; i < 3; i++) {
        flr_request *request = make(alone->question);
        flr_answer *answer = ask(request);
        free(alone->text);
        alone->text = without_host(flr_answer_form(answer, "json", NULL, NULL));
        flr_answer_free(answer);
        flr_request_free(request);
    }
    return NULL;
}

/* Traces are opened, replayed and told by several threads at a time, as by one. */
static void threads_do_not_meet(void **state)
{
    struct alone together[4], one[4];
    pthread_t thread[4];
    (void)state;

    for (size_t i = 0; i < 4; i++) {
        together[i] = one[i] = (struct alone){&questions[i == 2 ? 6 : i], NULL};
        ask_alone(&one[i]);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, ask_alone, &together[i]), 0);
    for (size_t i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        assert_string_equal(together[i].text, one[i].text);
        free(together[i].text);
        free(one[i].text);
    }
}

/* ---- silence ---- */

/* Everything is asked once more with both outputs in a file, which stays empty. */
static void nothing_is_printed(void **state)
{
    int kept[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    int file = open(word("%/printed"), O_CREAT | O_RDWR | O_TRUNC, 0600);
    struct stat status;
    flr_error *error = NULL;
    (void)state;

    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    for (size_t i = 0; i < QUESTIONS; i++) {
        flr_request *request;
        if (questions[i].needs != NULL)
            continue;
        unlink(word("%/cg.goal"));
        unlink(word("%/is.goal"));
        request = make(&questions[i]);
        flr_answer_free(flr_ask(request, NULL));
        flr_request_free(request);
    }
    flr_trace_open("/dev/null", NULL, &error);
    fflush(NULL);
    dup2(kept[0], STDOUT_FILENO);
    dup2(kept[1], STDERR_FILENO);
    flr_error_free(error);
    assert_int_equal(fstat(file, &status), 0);
    assert_int_equal(status.st_size, 0);
    close(file);
    close(kept[0]);
    close(kept[1]);
}

/* A store, where the library was built with SQLite: else it refuses, and nothing is asked of it. */
static int set_up(void **state)
{
    flr_request *request;

    (void)state;
    if (mkdtemp(scratch) == NULL)
        return -1;
    snprintf(trace, sizeof trace, "%s/tests/data/" TRACE, environment("top_srcdir"));
    setenv("FLITREPLAY_DATA", environment("top_builddir"), 1);
    request = make(&questions[5]);
    flr_request_set(request, "results", word("%/store.db"), NULL);
    flr_answer_free(flr_ask(request, NULL));
    flr_request_free(request);
    return 0;
}

static int tear_down(void **state)
{
    char command[sizeof scratch + 16];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_program),
        cmocka_unit_test(commands_are_all_asked),
        cmocka_unit_test(outputs_are_written),
        cmocka_unit_test(values_are_those_of_the_json),
        cmocka_unit_test(an_open_trace_is_used),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(failures_are_values),
        cmocka_unit_test(pages_are_expected),
        cmocka_unit_test(nothing_can_be_freed),
        cmocka_unit_test(work_is_watched_and_stopped),
        cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(nothing_is_printed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
